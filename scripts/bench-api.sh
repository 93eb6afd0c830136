#!/usr/bin/env bash
# Benchmarks the server on SQLite and PostgreSQL against bare handlers and transactions; fails if a bound is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --release -p postern-server -p postern-bench-api
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
"$target/release/postern-bench-api" "$target/release/postern" "$postgres"
