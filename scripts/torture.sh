#!/usr/bin/env bash
# Lets 50 customers do what they like, for so many minutes on SQLite and on PostgreSQL, while servers are killed and callbacks go astray;
# then compares books, shelves and gateway. Besides, proxy servers report a million records twice each, and every table has the same bytes. TORTURE_SEED=… makes the choices of an earlier run again.
# Then 100,000 events are delivered to 50 webhooks, 200 a second, of which some hang and some fail; TORTURE_DELIVERIES=… for fewer.
#   scripts/torture.sh 5
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export TORTURE_SECONDS=$(($1 * 60))
export TORTURE_RECORDS="${TORTURE_RECORDS:-1000000}"
export TORTURE_DELIVERIES="${TORTURE_DELIVERIES:-100000}"

torture() {
  cargo test --quiet --release -p postern-server --test torture -- --nocapture --skip webhooks::
  # Alone, as it looks at the memory of its process.
  cargo test --quiet --release -p postern-server --test torture -- --nocapture webhooks::
}

echo "SQLite, one server"
torture
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
echo "PostgreSQL, three servers"
TEST_DATABASE_URL="$postgres" torture
