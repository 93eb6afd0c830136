#!/usr/bin/env bash
# Lints every crate, including those for the browser. Their tests include results of a native build; nothing is run here.
set -euo pipefail
cd "$(dirname "$0")/.."
export POSTERN_DIGEST_COUNT=0 POSTERN_DIGESTS=0
exec cargo clippy "$@" --workspace --all-targets -- -D warnings
