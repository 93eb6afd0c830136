#!/usr/bin/env bash
# Builds the documentation site into docs/.vitepress/dist, installing its packages if they changed, and checks it.
#   scripts/docs.sh          builds and checks
#   scripts/docs.sh build    only builds
set -euo pipefail
cd "$(dirname "$0")/.."
mode="${1:-all}"

# npm writes this file after it has installed everything.
installed=docs/node_modules/.package-lock.json
if [ ! -e "$installed" ] || [ docs/package-lock.json -nt "$installed" ]; then
  npm ci --prefix docs --ignore-scripts --no-audit --no-fund --loglevel=error
  touch "$installed"
fi
npm run --silent --prefix docs build
[ "$mode" = build ] || node --test --test-reporter=dot scripts/docs-site.mjs
