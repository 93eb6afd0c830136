#!/usr/bin/env bash
# Formats, lints, types, generated files and unit tests: minutes, before every commit.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo fmt --check
cargo clippy --quiet --all-targets -- -D warnings
(cd frontend && npm run --silent check)
scripts/generate.sh --check
cargo test --quiet -p postern-core
cargo test --quiet -p postern-server --lib
(cd frontend && npm test --silent)
