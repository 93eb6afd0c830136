#!/usr/bin/env bash
# A throw-away PostgreSQL for tests.
#   scripts/postgres.sh start   starts one on a free port and prints its URL
#   scripts/postgres.sh stop    stops it and deletes its files
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
state="target/test-postgres"

as_server() {
  if [ "$(id -u)" = 0 ]; then runuser -u nobody -- "$@"; else "$@"; fi
}

case "${1:-}" in
  start)
    "$0" stop >/dev/null 2>&1 || true
    bin="$(postgres_bin)"
    [ -n "$bin" ] || { echo "PostgreSQL is not installed: run scripts/setup.sh test" >&2; exit 1; }
    folder="$(mktemp -d "${TMPDIR:-/tmp}/postern-pg.XXXXXX")"
    [ "$(id -u)" != 0 ] || chown nobody "$folder"
    port="$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')"
    cd /
    as_server "$bin/initdb" -D "$folder/data" -A trust -U postgres -E UTF8 --no-sync >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
    as_server "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w start \
      -o "-p $port -k $folder -c listen_addresses=127.0.0.1 -c max_connections=300" >"$folder.log" 2>&1 </dev/null || { cat "$folder.log" >&2; exit 1; }
    cd - >/dev/null
    mkdir -p "$(dirname "$state")"
    printf '%s\n%s\n' "$bin" "$folder" >"$state"
    echo "postgres://postgres@127.0.0.1:$port/postgres"
    ;;
  stop)
    [ -f "$state" ] || exit 0
    { read -r bin; read -r folder; } <"$state"
    (cd / && as_server "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1) || true
    rm -rf "$folder" "$folder.log" "$state"
    ;;
  *) echo "usage: scripts/postgres.sh start|stop" >&2; exit 2 ;;
esac
