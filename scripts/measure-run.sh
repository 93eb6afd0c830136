#!/usr/bin/env bash
# Measures the duration of `make run` on a fresh machine: a clone in an empty home folder, without cached crates, tools or npm packages. Compilers and
# C libraries are present. Fails above the given number of minutes, 10 by default.
#   scripts/measure-run.sh [minutes]
set -euo pipefail
cd "$(dirname "$0")/.."
most=$((${1:-10} * 60))
home="$(mktemp -d)"
port="$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')"
server=""
finish() {
  [ -z "$server" ] || kill -- -"$server" 2>/dev/null || true
  rm -rf "$home"
}
trap finish EXIT
trap 'exit 130' INT TERM

export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
unset POSTERN_TOOLS XDG_CACHE_HOME CARGO_TARGET_DIR
export HOME="$home" CARGO_HOME="$home/.cargo" npm_config_cache="$home/.npm" PORT="$port"

git clone --quiet . "$home/postern"
cd "$home/postern"
begin=$SECONDS
set -m
make run &
server=$!
set +m
until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/health/ready"; do
  kill -0 "$server" 2>/dev/null || { echo "make run failed" >&2; exit 1; }
  sleep 1
done
took=$((SECONDS - begin))
curl --silent --fail "http://127.0.0.1:$port/login" | grep -q '<div id="root">' || { echo "the first page is not served" >&2; exit 1; }
printf 'the first page is served after %d min %d s, of at most %d min\n' $((took / 60)) $((took % 60)) $((most / 60))
[ "$took" -le "$most" ]
