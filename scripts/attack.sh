#!/usr/bin/env bash
# Attacks the release binary on SQLite and on PostgreSQL with everything there is: every call that the API's description names, spelled,
# filled and repeated as no client would; then schemathesis over the whole description with a token of each kind. ATTACK_SEED=… makes
# the choices of an earlier run again, ATTACK_EXAMPLES=… says how many examples schemathesis makes for each call.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
scripts/setup.sh api
export ATTACK_LONG=1 ATTACK_SCHEMATHESIS="$API_TOOLS/bin/schemathesis" ATTACK_EXAMPLES="${ATTACK_EXAMPLES:-2000}"

attack() { cargo test --quiet --release -p postern-server --test attack -- --nocapture; }

echo "SQLite"
attack
postgres="$(scripts/postgres.sh start)"
trap 'scripts/postgres.sh stop "$postgres"' EXIT
echo "PostgreSQL"
TEST_DATABASE_URL="$postgres" attack
