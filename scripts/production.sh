#!/usr/bin/env bash
# A production shop from a release archive, as docs/production.md opens one: PostgreSQL, three servers behind HAProxy, a gate, an imported inventory and a sale. Under
# load, one server is killed, and then all are upgraded one after the other: only what the killed one was answering may fail.
#   scripts/production.sh                      with an archive of the debug build, upgraded onto the same version
#   scripts/production.sh ARCHIVE [NEXT]       with a release, upgraded onto the next
#   LOAD_SECONDS=1800 scripts/production.sh …  a long load besides, with its times, memory and queues
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
archive="${1:-}"
if [ -z "$archive" ]; then
  scripts/release.sh debug >/dev/null
  archive="$(ls target/test-releases/*.tar.gz)"
fi
folder="$(mktemp -d)"
database=""
running=()
stop() {
  touch "$folder/stop"
  cat "$folder"/server-*/pid 2>/dev/null | xargs -r kill 2>/dev/null || true
  kill "${running[@]}" 2>/dev/null || true
  wait
  [ -z "$database" ] || scripts/postgres.sh stop "$database"
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

unpack() { mkdir -p "$2" && tar -xzf "$1" -C "$2" --strip-components=1; }
unpack "$archive" "$folder/release"
unpack "${2:-$archive}" "$folder/next"
postern="$folder/release/bin/postern"
"$postern" --version

database="$(scripts/postgres.sh start fsync=off max_wal_size=1GB log_min_error_statement=error)"
secure="$(free_port)"
inner="$(free_port)"
export SHOP="https://127.0.0.1:$secure" INNER="http://127.0.0.1:$inner" BOSS=boss@example.com FOLDER="$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=shop \
  -addext subjectAltName=IP:127.0.0.1 -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
cat "$folder/cert.pem" "$folder/key.pem" >"$folder/both.pem"
export NODE_EXTRA_CA_CERTS="$folder/cert.pem" RUST_BACKTRACE=0

free_port >"$folder/metrics-port"
# The shop, and what each of its servers has for itself.
ports=()
for name in a b c; do
  mkdir -p "$folder/server-$name/var"
  ln -s "$folder/release" "$folder/server-$name/program"
  ports+=("$(free_port)")
done
POSTERN_VAR_DIR="$folder/server-a/var" POSTERN_TRANSFER_DETAILS='Example Bank\nIBAN XX00 1234' POSTERN_TRUSTED_PROXIES=127.0.0.1 \
  "$postern" init --operator "$BOSS" --public-url "$SHOP" --database-url "$database" --shop-name Northlight --seller-name 'Northlight Ltd' \
  --seller-address '1 Harbour Road|Cork' --support-email help@example.com --file "$folder/postern.env" >"$folder/init.txt"

# What systemd does: its socket stays open, and the server is started again whenever it ends.
for index in 0 1 2; do
  name="$(cut -c$((index + 1)) <<<abc)"
  systemd-socket-activate --listen="127.0.0.1:${ports[index]}" bash scripts/production/keep.sh "$folder" "$name" "${ports[index]}" >"$folder/server-$name/log" 2>&1 &
  running+=($!)
done
{ sed "/^frontend plain/,/^\$/d; s#bind :443 ssl crt [^ ]*#bind 127.0.0.1:$secure ssl crt $folder/both.pem#; s#maxconn 20000#maxconn 1000#; /^ *server [ab] /d" deploy/haproxy/haproxy.cfg
  for index in 0 1 2; do echo "    server s$index 127.0.0.1:${ports[index]}"; done
  printf '\nfrontend inner\n    bind 127.0.0.1:%s\n    http-request set-header X-Forwarded-For %%[src]\n    default_backend servers\n' "$inner"; } >"$folder/haproxy.cfg"
"$(haproxy_path)" -f "$folder/haproxy.cfg" >"$folder/haproxy.log" 2>&1 &
running+=($!)

tell_logs() { tail -n 30 "$folder"/server-*/log "$folder"/haproxy.log "$folder"/gate.log 2>/dev/null | cut -c1-400; }
PORTS="${ports[*]}" MACHINERY=./processes.mjs node scripts/production/play.mjs || { tell_logs; exit 1; }
