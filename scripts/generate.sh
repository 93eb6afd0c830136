#!/usr/bin/env bash
# Writes the files generated from Rust; with `--check`, fails if one of them is stale, apart from the OpenAPI document, which a unit test of the server
# compares with the server's calls.
set -euo pipefail
cd "$(dirname "$0")/.."
# An interrupted run leaves the files unchanged.
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
document=server/src/app/openapi/openapi.gen.json
mkdir -p "$out/frontend/src/core" "$out/frontend/src/api" "$out/server/src/app/openapi"
# The program may have been built already.
write_constants="${WRITE_CONSTANTS:-cargo run --quiet -p postern-core --example write_constants}"
$write_constants >"$out/frontend/src/core/constants.gen.ts"
$write_constants sidebar >"$out/frontend/src/core/sidebar.gen.ts"
if [ "${1:-}" = --check ]; then
  cp "$document" "$out/$document"
else
  cargo run --quiet -p postern-server --example write_document >"$out/$document"
fi
frontend/node_modules/.bin/openapi-typescript "$out/$document" --default-non-nullable=false -o "$out/frontend/src/api/schema.gen.ts" >/dev/null 2>&1
for file in frontend/src/{core/constants,core/sidebar,api/schema}.gen.ts "$document"; do
  if [ "${1:-}" = --check ]; then
    cmp -s "$out/$file" "$file" || { echo "$file is stale: run make gen" >&2; exit 1; }
  else
    cp "$out/$file" "$file"
  fi
done
