#!/usr/bin/env bash
# Installs what is missing and builds everything, the server beside the front end, and says what took how long.
#   scripts/build.sh debug     for `make run`: target/debug/postern, sooner there
#   scripts/build.sh release   for `make build`: target/release/postern, with every optimisation
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stages.sh
profile="${1:?debug or release}"

begin=$SECONDS
stage "compilers and C libraries" scripts/setup.sh compilers
# A group of its own: what is under way in it ends with this script.
set -m
stage "the server" make --no-print-directory "target/$profile/postern" &
server=$!
set +m
trap 'kill -- -"$server" 2>/dev/null || true' EXIT
scripts/setup.sh build
stage "the wasm package" make --no-print-directory wasm/pkg/package.json
stage "the front end" make --no-print-directory frontend/dist/index.html
wait "$server"
trap - EXIT
[ $((SECONDS - begin)) -lt 2 ] || printf '%5d s  everything\n' $((SECONDS - begin)) >&2
