#!/usr/bin/env bash
# Installs missing dependencies and builds everything, server and front end in parallel, with the duration of each stage.
#   scripts/build.sh debug     for `make run`: target/debug/postern, built faster
#   scripts/build.sh release   for `make build`: target/release/postern, fully optimised
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stages.sh
profile="${1:?debug or release}"

begin=$SECONDS
stage "compilers and C libraries" scripts/setup.sh compilers
# A process group of its own, so that it ends with this script.
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
