#!/usr/bin/env bash
# Runs 50 random customers, this many minutes each on SQLite and on PostgreSQL, while servers are killed and callbacks are lost; then compares books,
# stock and gateway. In addition, proxy servers report a million records twice each, and every table must have the same bytes; then 100,000 events are
# delivered to 50 webhooks, 200 per second, some of which hang or fail. Last, on each database, 200 clients go through two gates for as many minutes, while
# rights change, gates and the shop are killed, and PostgreSQL is stopped for a minute. First of all, Squid's tests with pauses of minutes. TORTURE_SEED=… repeats the random choices of an earlier run,
# TORTURE_DELIVERIES=… sets fewer events.
#   scripts/torture.sh 5
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export TORTURE_SECONDS=$(($1 * 60))
export TORTURE_RECORDS="${TORTURE_RECORDS:-1000000}"
export TORTURE_DELIVERIES="${TORTURE_DELIVERIES:-100000}"

# One command for both crates, which builds their programs, too: others would want the same libraries with other features, and compile them again.
tests() { cargo test --quiet --release -p postern-server -p postern-gate --test torture "$@"; }
tests --no-run
export TORTURE_SHOP="${TORTURE_SHOP:-${CARGO_TARGET_DIR:-$PWD/target}/release/postern}"

# 200 clients go through two gates, which are killed like the shop, while their rights change.
torture_gates() { tests -- --nocapture rights_and_bytes; }

torture() {
  tests -- --nocapture no_money usage::
  # Run alone, because it measures the memory of its process.
  tests -- --nocapture webhooks::
}

echo "Squid, after idle minutes, and with a shop that is away for a minute"
GATE_LONG=1 cargo test --quiet --release -p postern-server -p postern-gate --test gate -- squid
echo "SQLite, one server"
torture
echo "SQLite, two gates"
torture_gates
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
echo "PostgreSQL, three servers"
TEST_DATABASE_URL="$postgres" torture
# The demo shop needs an empty database.
scripts/postgres.sh stop "$postgres"
postgres="$(scripts/postgres.sh start)"
echo "PostgreSQL, two gates"
TEST_DATABASE_URL="$postgres" torture_gates
