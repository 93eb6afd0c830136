#!/usr/bin/env bash
# A temporary PostgreSQL server for tests.
#   scripts/postgres.sh start [SETTING=VALUE …]  starts one on a free port and prints its URL
#   scripts/postgres.sh stop URL                 stops it and deletes its files
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
temporary="${TMPDIR:-/tmp}"

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then runuser -u nobody -- "$@"; else "$@"; fi
}

start() {
  local bin port folder log setting settings=""
  for setting in "$@"; do settings="$settings -c $setting"; done
  bin="$(postgres_bin)"
  [ -n "$bin" ] || { echo "PostgreSQL is not installed: run scripts/setup.sh test" >&2; exit 1; }
  port="$(free_port)"
  folder="$temporary/postern-postgres-$port"
  log="$folder/server.log"
  mkdir -m 700 "$folder"
  [ "$(id -u)" != 0 ] || chown nobody "$folder"
  # The server's user may not have access to the current folder.
  cd /
  if ! as_server "$bin/initdb" -D "$folder/data" -A trust -U postgres -E UTF8 --no-sync >"$folder.log" 2>&1 ||
    ! as_server "$bin/pg_ctl" -D "$folder/data" -l "$log" -w start \
      -o "-p $port -k $folder -c listen_addresses=127.0.0.1 -c max_connections=1000$settings" >>"$folder.log" 2>&1 </dev/null; then
    cat "$folder.log" "$log" >&2 || true
    rm -rf "$folder" "$folder.log"
    exit 1
  fi
  echo "postgres://postgres@127.0.0.1:$port/postgres"
}

stop() {
  local port folder
  port="$(sed -n 's#^postgres://postgres@127.0.0.1:\([0-9]*\)/.*#\1#p' <<<"$1")"
  folder="$temporary/postern-postgres-$port"
  [ -n "$port" ] && [ -d "$folder" ] || { echo "scripts/postgres.sh did not start $1" >&2; exit 1; }
  (cd / && as_server "$(postgres_bin)/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null)
  rm -rf "$folder" "$folder.log"
}

case "${1:-}" in
  start) start "${@:2}" ;;
  stop) stop "${2:?which one? say the URL that start printed}" ;;
  *) echo "usage: scripts/postgres.sh start|stop URL" >&2; exit 2 ;;
esac
