#!/usr/bin/env bash
# Writes the files that are generated from Rust; `--check` fails when one of them is stale.
set -euo pipefail
cd "$(dirname "$0")/.."
out="frontend/src"
[ "${1:-}" = --check ] && out="$(mktemp -d)" && mkdir -p "$out/core" "$out/api"
cargo run --quiet -p postern-core --example write_constants >"$out/core/constants.gen.ts"
cargo run --quiet -p postern-server -- openapi >"$out/api/openapi.gen.json"
frontend/node_modules/.bin/openapi-typescript "$out/api/openapi.gen.json" --default-non-nullable=false -o "$out/api/schema.gen.ts" >/dev/null 2>&1
if [ "${1:-}" = --check ]; then
  for file in core/constants.gen.ts api/openapi.gen.json api/schema.gen.ts; do
    cmp -s "$out/$file" "frontend/src/$file" || { echo "frontend/src/$file is stale: run make gen" >&2; exit 1; }
  done
  rm -rf "$out"
fi
