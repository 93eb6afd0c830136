#!/usr/bin/env bash
# Writes the files generated from Rust; with `--check`, fails if one of them is stale.
set -euo pipefail
cd "$(dirname "$0")/.."
# An interrupted run leaves the files unchanged.
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/core" "$out/api"
cargo run --quiet -p postern-core --example write_constants >"$out/core/constants.gen.ts"
cargo run --quiet -p postern-core --example write_constants sidebar >"$out/core/sidebar.gen.ts"
cargo run --quiet -p postern-server -- openapi >"$out/api/openapi.gen.json"
frontend/node_modules/.bin/openapi-typescript "$out/api/openapi.gen.json" --default-non-nullable=false -o "$out/api/schema.gen.ts" >/dev/null 2>&1
for file in core/constants.gen.ts core/sidebar.gen.ts api/openapi.gen.json api/schema.gen.ts; do
  if [ "${1:-}" = --check ]; then
    cmp -s "$out/$file" "frontend/src/$file" || { echo "frontend/src/$file is stale: run make gen" >&2; exit 1; }
  else
    cp "$out/$file" "frontend/src/$file"
  fi
done
