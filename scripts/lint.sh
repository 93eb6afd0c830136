#!/usr/bin/env bash
# Lints every crate, those for the browser too. A test of theirs is compiled with what a native build has answered: here nothing is run.
set -euo pipefail
cd "$(dirname "$0")/.."
export POSTERN_DIGEST_COUNT=0 POSTERN_DIGESTS=0
exec cargo clippy "$@" --workspace --all-targets -- -D warnings
