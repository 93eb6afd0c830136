#!/usr/bin/env bash
# Formats, lints, types, generated files and unit tests: minutes, before every commit.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  local begin=$SECONDS
  printf '%-30s' "$1"
  shift
  if output="$("$@" 2>&1 </dev/null)"; then printf 'ok   %4d s\n' $((SECONDS - begin)); else
    printf 'FAILED\n%s\n' "$output"
    exit 1
  fi
}

step "Rust: format" cargo fmt --all --check
step "no import cycles" node scripts/circles.mjs
step "states have one writer" node scripts/state-writes.mjs
step "tests of these two checks" node --test scripts/circles.test.mjs scripts/state-writes.test.mjs
step "migrations servers survive" node scripts/migrations.mjs
step "files of readable length" node scripts/file-sizes.mjs
step "dependencies are used" node scripts/dependencies.mjs
step "licences and sources" node scripts/licences.mjs
step "tests of these four checks" node --test scripts/file-sizes.test.mjs scripts/dependencies.test.mjs scripts/licences.test.mjs scripts/migrations.test.mjs
step "front end: lint and types" npm --prefix frontend run --silent check
step "core: tests" cargo test --quiet -p postern-core -p postern-vectors
step "front end: tests" npm --prefix frontend test --silent
step "Rust: lint" scripts/lint.sh --quiet
step "generated files" scripts/generate.sh --check
step "server, gate: unit tests" cargo test --quiet -p postern-server -p postern-gate --lib
