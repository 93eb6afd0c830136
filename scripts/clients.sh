#!/usr/bin/env bash
# Checks the OpenAPI document: it is valid, its examples match their schemas, and clients generated from it by openapi-python-client and
# @hey-api/openapi-ts sign in, buy from the wallet and list nodes at a demo shop.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
server="$PWD/target/debug/postern"
[ -x "$server" ] || { echo "build the server first: cargo build -p postern-server" >&2; exit 1; }
scripts/setup.sh api
made=target/clients
rm -rf "$made"
mkdir -p "$made"
made="$(cd "$made" && pwd)"
"$server" openapi >"$made/openapi.json"

begin=$SECONDS
"$API_TOOLS/bin/python" scripts/clients/check_document.py "$made/openapi.json"
"$API_TOOLS/bin/openapi-python-client" generate --path "$made/openapi.json" --output-path "$made/postern_api" --meta none --fail-on-warning \
  --config scripts/clients/python.yaml >"$made/python.log" 2>&1 || { cat "$made/python.log"; exit 1; }
(cd scripts/clients && node_modules/.bin/openapi-ts -i "$made/openapi.json" -o "$made/ts/postern-api" -c @hey-api/client-fetch) \
  >"$made/typescript.log" 2>&1 || { cat "$made/typescript.log"; exit 1; }
cp scripts/clients/buy.ts scripts/clients/tsconfig.json "$made/ts/"
ln -s "$PWD/scripts/clients/node_modules" "$made/ts/node_modules"
(cd "$made/ts" && node_modules/.bin/tsc -p . --outDir js)

# A separate demo shop on a free port.
export POSTERN_VAR_DIR="$made/var" PORT
unset DATABASE_URL
PORT="$(free_port)"
"$server" demo >"$made/demo.log" 2>&1 || { cat "$made/demo.log"; exit 1; }
"$server" serve >"$made/server.log" 2>&1 &
shop=$!
trap 'kill "$shop" 2>/dev/null; wait "$shop" 2>/dev/null || true' EXIT
url="http://127.0.0.1:$PORT"
wait_until_ready "$url"
password="$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1]))["customer@example.com"]' "$made/var/demo-accounts.json")"
PYTHONPATH="$made" "$API_TOOLS/bin/python" scripts/clients/buy.py "$url" customer@example.com "$password"
node "$made/ts/js/buy.js" "$url" customer@example.com "$password"
echo "all in $((SECONDS - begin)) s"
