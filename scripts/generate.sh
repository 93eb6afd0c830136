#!/usr/bin/env bash
# Writes the files generated from Rust; with `--check`, fails if one of them is stale.
set -euo pipefail
cd "$(dirname "$0")/.."
# An interrupted run leaves the files unchanged.
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
document=server/src/app/openapi/openapi.gen.json
mkdir -p "$out/frontend/src/core" "$out/frontend/src/api" "$out/server/src/app/openapi"
cargo run --quiet -p postern-core --example write_constants >"$out/frontend/src/core/constants.gen.ts"
cargo run --quiet -p postern-core --example write_constants sidebar >"$out/frontend/src/core/sidebar.gen.ts"
cargo run --quiet -p postern-server --example write_document >"$out/$document"
frontend/node_modules/.bin/openapi-typescript "$out/$document" --default-non-nullable=false -o "$out/frontend/src/api/schema.gen.ts" >/dev/null 2>&1
for file in frontend/src/{core/constants,core/sidebar,api/schema}.gen.ts "$document"; do
  if [ "${1:-}" = --check ]; then
    cmp -s "$out/$file" "$file" || { echo "$file is stale: run make gen" >&2; exit 1; }
  else
    cp "$out/$file" "$file"
  fi
done
