#!/usr/bin/env bash
# Tests what is shipped for monitoring with Prometheus itself: the alert rules by their examples, and every question of the rules and of the dashboard
# against a shop that runs. Needs the debug build of the server.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
rules=deploy/prometheus
promtool check config "$rules/prometheus.yml"
(cd "$rules" && promtool test rules postern-alerts.test.yml)

folder="$(mktemp -d)"
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
postern="${CARGO_TARGET_DIR:-target}/debug/postern"
export POSTERN_VAR_DIR="$folder/shop" RUST_LOG=warn
PORT="$(free_port)"
metrics="$(free_port)"
port="$(free_port)"
export PORT POSTERN_METRICS="127.0.0.1:$metrics"
# A Stripe that nobody reaches.
export POSTERN_STRIPE_API_URL=http://127.0.0.1:1 POSTERN_STRIPE_SECRET_KEY=sk_test_1 POSTERN_STRIPE_WEBHOOK_SECRET=whsec_1
"$postern" demo >/dev/null
"$postern" backup "$folder" >/dev/null
secret="$("$postern" proxy-server rotate Demo 2>/dev/null | tail -1)"
"$postern" serve >"$folder/server.log" 2>&1 &
running+=($!)
mkdir "$folder/prometheus"
cp "$rules"/*.yml "$folder/prometheus"
sed -i "s/127.0.0.1:9464/127.0.0.1:$metrics/; s/: 15s/: 1s/" "$folder/prometheus/prometheus.yml"
prometheus --config.file="$folder/prometheus/prometheus.yml" --storage.tsdb.path="$folder/data" --web.listen-address="127.0.0.1:$port" \
  --log.level=warn >"$folder/prometheus.log" 2>&1 &
running+=($!)
node scripts/monitoring.mjs "http://127.0.0.1:$PORT" "http://127.0.0.1:$port" "$secret" "$POSTERN_VAR_DIR/demo-accounts.json"
