#!/usr/bin/env bash
# Every test of every part. Quick checks come first; each stage says how long it took.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
mkdir -p target/test-logs
passed=0
failed=0
started=$SECONDS

# Runs a stage with its output in a file; the tail is shown when it fails.
stage() {
  local name="$1" log; shift
  log="target/test-logs/${name//[^a-zA-Z0-9]/-}.log"
  local begin=$SECONDS
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    printf '%-44s passed  %4d s\n' "$name" $((SECONDS - begin))
  else
    failed=$((failed + 1))
    printf '%-44s FAILED  %4d s\n' "$name" $((SECONDS - begin))
    tail -60 "$log"
  fi
}

finish() {
  scripts/postgres.sh stop >/dev/null 2>&1
  printf 'all stages took %d s\n%d passed, %d failed\n' $((SECONDS - started)) "$passed" "$failed"
  [ "$failed" -eq 0 ]
}

# Without its tools nothing else can run.
stage "setup" scripts/setup.sh test
[ "$failed" -eq 0 ] || { finish; exit 1; }
stage "format" cargo fmt --check
stage "core: rules and properties" cargo test -p postern-core
stage "wasm: build" make wasm/pkg/package.json
[ "$failed" -eq 0 ] || { finish; exit 1; }
stage "front end: lint and types" npm --prefix frontend run check
stage "front end: unit tests" npm --prefix frontend test
stage "server: lint" cargo clippy --all-targets -- -D warnings
stage "server: build" cargo build -p postern-server
[ "$failed" -eq 0 ] || { finish; exit 1; }
stage "generated files are fresh" scripts/generate.sh --check
stage "server: HTTP on SQLite" cargo test -p postern-server
export TEST_DATABASE_URL
TEST_DATABASE_URL="$(scripts/postgres.sh start)" || { echo "PostgreSQL did not start"; failed=$((failed + 1)); }
stage "server: HTTP on PostgreSQL" cargo test -p postern-server --tests
stage "front end: build" make frontend/dist/index.html
stage "front end: size of the login page" npm --prefix frontend run size
stage "journeys in Chromium, SQLite" env -u TEST_DATABASE_URL npm --prefix frontend run e2e
stage "journeys in Chromium, PostgreSQL" npm --prefix frontend run e2e
stage "wasm: tests in Node and Chromium" scripts/wasm.sh test
finish
