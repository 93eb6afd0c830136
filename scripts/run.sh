#!/usr/bin/env bash
# Serves the demo shop on PORT, with a gate for each of its two proxy servers: what one buys works, on this machine only.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${POSTERN_VAR_DIR:-var}"
gates=""

# A gate of the demo: its name, and what else it listens to.
gate() {
  local name="$1" secret="$folder/demo-$1.secret"
  # A demo shop of an earlier version has no secrets.
  [ -f "$secret" ] || return 0
  target/debug/postern-gate --url "http://127.0.0.1:$PORT" --secret-file "$secret" --spool "$folder/gate-$name" \
    --only-loopback --allow "127.0.0.1:$PORT" "${@:2}" &
  gates="$gates $!"
}

stop() {
  trap - EXIT INT TERM
  # shellcheck disable=SC2086 # process ids
  [ -z "$gates$shop" ] || kill $gates $shop 2>/dev/null || true
  wait
}
shop=""
trap stop EXIT
trap 'exit 130' INT TERM

target/debug/postern serve &
shop=$!
until (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || ! kill -0 "$shop" 2>/dev/null; do sleep 0.1; done
gate static --listen 0.0.0.0:17000 --listen 0.0.0.0:17001
gate residential --listen 127.0.0.1:17002 --listen 127.0.0.1:17003 --exit 127.31.0.1 --exit 127.31.0.2 --exit 127.31.0.3 --exit 127.31.0.4
wait "$shop"
