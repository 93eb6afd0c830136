#!/usr/bin/env bash
# Attacks the release binary on SQLite and PostgreSQL: every call of the OpenAPI document, spelled, filled and repeated as no client would; then
# schemathesis on the whole document with a token of each kind. Before, the release gate: private networks, smuggled requests, rubbish, slow clients, 10,000
# idle connections. ATTACK_SEED=… repeats the random choices of an earlier run, ATTACK_EXAMPLES=… sets the
# number of examples per call for schemathesis.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
scripts/setup.sh api
export ATTACK_LONG=1 ATTACK_NGINX="$(nginx_path)" ATTACK_SCHEMATHESIS="$API_TOOLS/bin/schemathesis" ATTACK_EXAMPLES="${ATTACK_EXAMPLES:-2000}"

echo "gate"
GATE_LONG=1 cargo test --quiet --release -p postern-gate --test gate -- --nocapture attacks:: flood:: smuggling:: protection::

attack() { cargo test --quiet --release -p postern-server --test attack -- --nocapture; }

echo "SQLite"
attack
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
echo "PostgreSQL"
TEST_DATABASE_URL="$postgres" attack
