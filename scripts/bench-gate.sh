#!/usr/bin/env bash
# Benchmarks the gate against Squid and a bare copy loop; fails if a bound is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --release -p postern-gate -p postern-bench-gate
"$target/release/postern-bench-gate" "$target/release/postern-gate" "$(squid_path)"
