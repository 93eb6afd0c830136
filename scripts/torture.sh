#!/usr/bin/env bash
# Lets 50 customers do what they like, for so many minutes on SQLite and on PostgreSQL, while servers are killed and callbacks go astray;
# then compares books, shelves and gateway. Besides, proxy servers report a million records twice each, and every table has the same bytes. TORTURE_SEED=… makes the choices of an earlier run again.
#   scripts/torture.sh 5
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export TORTURE_SECONDS=$(($1 * 60))
export TORTURE_RECORDS="${TORTURE_RECORDS:-1000000}"

torture() { cargo test --quiet --release -p postern-server --test torture -- --nocapture; }

echo "SQLite, one server"
torture
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
echo "PostgreSQL, three servers"
TEST_DATABASE_URL="$postgres" torture
