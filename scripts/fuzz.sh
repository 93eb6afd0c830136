#!/usr/bin/env bash
# Fuzzes the parsers of outside text with libFuzzer, on stable Rust: all targets or the given ones, this many minutes each.
#   scripts/fuzz.sh [minutes] [target...]   inputs are in target/fuzz/corpus, failing ones in target/fuzz/crashes
#   scripts/fuzz.sh --keep [target...]      adds to fuzz/corpus the smallest inputs that reach new code
# For a failing input: fix the bug, and put the file into fuzz/corpus/<target>, where the tests of core or of the gate run it from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${CARGO_TARGET_DIR:-$PWD/target}/fuzz"
host="$(rustc -vV | sed -n 's/^host: //p')"
# Limits on the size and number of kept inputs, so that the repository stays small.
KEPT_BYTES=96
KEPT_FILES=40

keep=""
minutes=10
if [ "${1:-}" = --keep ]; then keep=1 && shift; elif [ $# -gt 0 ]; then minutes="$1" && shift; fi
[[ "$minutes" =~ ^[1-9][0-9]*$ ]] || { echo "usage: scripts/fuzz.sh [minutes | --keep] [target...]" >&2; exit 2; }
targets=("$@")
[ ${#targets[@]} -gt 0 ] || for folder in fuzz/corpus/*/; do targets+=("$(basename "$folder")"); done

# The coverage flags of libFuzzer. With --target they apply to the program only, not to build scripts.
flags="--cfg fuzzing -Ccodegen-units=1 -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
flags+=" -Cllvm-args=-sanitizer-coverage-trace-compares"
CARGO_TARGET_DIR="$out/build" RUSTFLAGS="$flags" cargo build --quiet --release --locked --manifest-path fuzz/Cargo.toml --target "$host"

status=0
for target in "${targets[@]}"; do
  program="$out/build/$host/release/$target"
  found="$out/corpus/$target"
  mkdir -p "$found" "$out/crashes"
  if [ -n "$keep" ]; then
    small="$(mktemp -d)"
    find "$found" -type f -size "-$((KEPT_BYTES + 1))c" -exec cp {} "$small" \;
    merged="$(mktemp -d)"
    cp "fuzz/corpus/$target/"* "$merged"
    "$program" -merge=1 -verbosity=0 "$merged" "$small" >/dev/null 2>&1
    free=$((KEPT_FILES - $(find "fuzz/corpus/$target" -type f | wc -l)))
    find "$merged" -type f -printf '%s %f\n' | sort -n | cut -d' ' -f2 | while read -r name; do
      [ "$free" -gt 0 ] || continue
      [ -e "fuzz/corpus/$target/$name" ] && continue
      cp "$merged/$name" "fuzz/corpus/$target/$name"
      free=$((free - 1))
    done
    rm -rf "$small" "$merged"
    continue
  fi
  log="$out/$target.log"
  if "$program" -max_total_time=$((minutes * 60)) -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$out/crashes/$target-" "$found" "fuzz/corpus/$target" >"$log" 2>&1; then
    printf '%-20s %12s inputs, no failures\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    status=1
    printf '%-20s FAILED: the input is in %s\n' "$target" "$out/crashes"
    tail -25 "$log"
  fi
done
exit $status
