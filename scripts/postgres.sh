#!/usr/bin/env bash
# A temporary PostgreSQL server for tests.
#   scripts/postgres.sh start [SETTING=VALUE …]  starts one on a free port and prints its URL
#   scripts/postgres.sh pause URL                stops it as a crash would
#   scripts/postgres.sh resume URL               starts it again
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

# The folder of the server with this URL.
folder_of() {
  local port folder
  port="$(sed -n 's#^postgres://postgres@127.0.0.1:\([0-9]*\)/.*#\1#p' <<<"$1")"
  folder="$temporary/postern-postgres-$port"
  [ -n "$port" ] && [ -d "$folder" ] || { echo "scripts/postgres.sh did not start $1" >&2; exit 1; }
  echo "$folder"
}

pause() { (cd / && as_server "$(postgres_bin)/pg_ctl" -D "$1/data" -m immediate -w stop >/dev/null); }

# With the settings of its start.
resume() { (cd / && as_server "$(postgres_bin)/pg_ctl" -D "$1/data" -l "$1/server.log" -w restart >/dev/null 2>&1 </dev/null); }

stop() {
  pause "$1"
  rm -rf "$1" "$1.log"
}

case "${1:-}" in
  start) start "${@:2}" ;;
  pause | resume | stop)
    folder="$(folder_of "${2:?which one? say the URL that start printed}")"
    "$1" "$folder"
    ;;
  *) echo "usage: scripts/postgres.sh start|pause|resume|stop URL" >&2; exit 2 ;;
esac
