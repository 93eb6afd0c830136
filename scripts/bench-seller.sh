#!/usr/bin/env bash
# Times operators' screens of a large shop on PostgreSQL; fails if one takes more than 300 ms. ACCOUNTS, ORDERS and TRANSACTIONS are its size.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --release -p postern-server
folder="$(mktemp -d)"
postgres="$(scripts/postgres.sh start fsync=off max_wal_size=4GB shared_buffers=512MB maintenance_work_mem=256MB)"
server=
trap '[ -z "$server" ] || kill "$server"; scripts/postgres.sh stop "$postgres"; rm -rf "$folder"' EXIT
export DATABASE_URL="$postgres" POSTERN_VAR_DIR="$folder" PORT="${PORT:-$(free_port)}" RUST_LOG=warn
"$target/release/postern" demo >/dev/null
begin=$SECONDS
"$(postgres_bin)/psql" --quiet --dbname="$postgres" --file=bench/seller/fill.sql --set=accounts="${ACCOUNTS:-1000000}" \
  --set=orders="${ORDERS:-10000000}" --set=transactions="${TRANSACTIONS:-50000000}"
echo "filled in $((SECONDS - begin)) s"
"$target/release/postern" serve >"$folder/server.log" 2>&1 &
server=$!
until curl --silent --fail --output /dev/null "http://127.0.0.1:$PORT/health/ready"; do sleep 0.2; done
password="$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1]))["operator@example.com"]' "$folder/demo-accounts.json")"
# The job that counts days has all of the past to count.
sleep "${SETTLE:-60}"
node bench/seller/ask.mjs "http://127.0.0.1:$PORT" operator@example.com "$password"
