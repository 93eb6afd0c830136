#!/usr/bin/env bash
# Runs all tests of all parts, quick checks first; each stage prints its duration and number of tests.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
# Backtraces would push failures out of the end of a log.
export NO_COLOR=1 CARGO_TERM_COLOR=never RUST_BACKTRACE=0
logs=target/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0
failed=0
failures=""
postgres=""
beside_job=""

# Adds up the results of the test runners of Rust, wasm, Node and Vitest in a log: "passed failed".
count_tests() {
  sed 's/\x1b\[[0-9;]*m//g' "$1" | awk '
    /^test result:/ { for (i = 1; i < NF; i++) { if ($(i+1) ~ /^passed/) p += $i; if ($(i+1) ~ /^failed/) f += $i } }
    /^# pass / { p += $3 }
    /^# fail / { f += $3 }
    /^run again alone, / { p -= $6; f -= $9 }
    /^ *Tests  / { for (i = 1; i < NF; i++) { if ($(i+1) == "passed") p += $i; if ($(i+1) == "failed") f += $i } }
    END { print p + 0, f + 0 }'
}

# The names of failed tests, in the format of each runner.
failures_in() { grep -hE '^test .* FAILED$|^not ok |^ *FAIL  ' "$1" | sort -u; }

# The log of a stage.
log_of() { echo "$logs/$(tr -cs 'a-zA-Z0-9' '-' <<<"$1" | sed 's/-*$//').log"; }

# Runs a command with its output in the stage's log.
run() {
  local log begin=$SECONDS ok=1
  log="$(log_of "$1")"
  "${@:2}" >"$log" 2>&1 </dev/null || ok=0
  echo "$ok $((SECONDS - begin))" >"$log.result"
}

# Reports a stage that has ended; the end of its log, if it failed. A stage without tests counts as one.
tell() {
  local name="$1" log ok seconds p f
  log="$(log_of "$name")"
  read -r ok seconds <"$log.result"
  read -r p f < <(count_tests "$log")
  if [ "$ok" = 1 ] && [ $((p + f)) -eq 0 ]; then p=1; fi
  if [ "$ok" = 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  passed=$((passed + p))
  failed=$((failed + f))
  printf '%-40s %4d passed %3d failed %5d s\n' "$name" "$p" "$f" "$seconds"
  grep -h '^unsteady' "$log"
  if [ "$ok" = 0 ]; then
    failures+="$(printf '%s:\n%s\n%s' "$name" "$(failures_in "$log")" "$(grep -v '^$' "$log" | tail -12 | cut -c1-300)")"$'\n'
    echo "--- the end of $log"; tail -60 "$log"; echo "---"
  fi
  return $((1 - ok))
}

stage() {
  run "$@"
  tell "$1"
}

# Runs a stage beside those that follow, until `joined`.
beside() {
  beside_name="$1"
  run "$@" &
  beside_job=$!
}

joined() {
  wait "$beside_job"
  beside_job=""
  tell "$beside_name"
}

on_postgres() { (export TEST_DATABASE_URL="$postgres"; "$@"); }

# Clippy lints in the same pass as it compiles. Each stage names the whole workspace, because fewer crates would want the same libraries with fewer
# features, and compile them again.
rust() { RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings POSTERN_DIGEST_COUNT=0 POSTERN_DIGESTS=0 cargo test --workspace "$@"; }
# `--test` for each of these files.
tests() { for file in "$@"; do printf -- '--test %s ' "$(basename "${file%/main.rs}" .rs)"; done; }
units() { rust --lib --bins $(tests core/tests/*.rs core/*/tests/*.rs) && rust --doc; }
# Tests over HTTP wait for disks, jobs and time limits more than they compute.
over_http() { RUST_TEST_THREADS=$((4 * $(nproc))) rust --test api $(tests server/tests/*.rs) -- "$@"; }
# Tests in which the database has no part: spellings of paths, rules of forms, pages, documents, the look of mails, slow senders, connections.
without_database="admission:: break_the_same_rules form_limits:: site:: head:: document:: letters:: every_name_is_printed slow:: connections::"
under_attack() { rust --test attack; }
killed() { rust --test torture; }

finish() {
  [ -z "$beside_job" ] || kill "$beside_job" 2>/dev/null
  [ -z "$postgres" ] || scripts/postgres.sh stop "$postgres"
  postgres=""
}
trap finish EXIT
trap 'exit 130' INT TERM

# Seconds and names of the 20 slowest tests of the front end, journeys before all; Rust's test runner tells no times.
slowest() {
  sed -nE 's/^ {2,}[✓×] +(.*[^ ]) +([0-9]+)ms$/\2 \1/p' "$logs"/front-end-units.log "$logs"/journeys-*.log 2>/dev/null | sort -rn | head -20 |
    awk '{ ms = $1; $1 = ""; printf "%7.1f s %s\n", ms / 1000, $0 }'
}

report() {
  echo "the slowest tests:"
  slowest
  printf '%s' "$failures"
  printf 'all stages took %d s; their output is in %s\n%d passed, %d failed\n' "$SECONDS" "$logs" "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

unset TEST_DATABASE_URL
# The short attack includes a few examples of schemathesis.
export ATTACK_SCHEMATHESIS="$API_TOOLS/bin/schemathesis"
# Nothing else can run without the tools, the wasm package and the server.
stage "tools" scripts/setup.sh test || report
export ATTACK_NGINX="$(nginx_path)"
stage "Rust: format" cargo fmt --all --check
stage "no import cycles" node scripts/circles.mjs
stage "states have one writer" node scripts/state-writes.mjs
stage "tests of these two checks" node --test --test-reporter=tap scripts/circles.test.mjs scripts/state-writes.test.mjs
stage "migrations that servers survive" node scripts/migrations.mjs
stage "files of readable length" node scripts/file-sizes.mjs
stage "dependencies are used" node scripts/dependencies.mjs
stage "licences and sources" node scripts/licences.mjs
stage "tests of these four checks" node --test --test-reporter=tap scripts/file-sizes.test.mjs scripts/dependencies.test.mjs scripts/licences.test.mjs scripts/migrations.test.mjs
# It optimises on one processor.
beside "wasm: build" make --no-print-directory wasm/pkg/package.json
stage "Rust: build and lint" rust --no-run || report
joined || report
# It waits most of its time.
beside "gate: over sockets, fuzzing corpus" rust --test gate --test corpus
stage "front end: format, lint, types" npm --prefix frontend run check
stage "front end: units" npm --prefix frontend test
stage "generated files are fresh" env WRITE_CONSTANTS=target/debug/examples/write_constants scripts/generate.sh --check
stage "core: rules and properties; server: units" units
joined
# It waits half of its time.
beside "server: killed at random, SQLite" killed
stage "server: over HTTP, SQLite" over_http
joined
# The tests need no durability, so PostgreSQL does not wait for the disk.
if postgres="$(scripts/postgres.sh start fsync=off max_wal_size=256MB 2>"$logs/postgres.log")"; then
  beside "server: killed at random, PostgreSQL" on_postgres killed
  stage "server: over HTTP, PostgreSQL" on_postgres over_http $(printf -- "--skip %s " $without_database)
  joined
  # It waits most of its time. `make attack` attacks on both databases.
  beside "server: attacked, PostgreSQL" on_postgres under_attack
else
  stage "PostgreSQL starts" sh -c "cat $logs/postgres.log; exit 1"
  beside "server: attacked, SQLite" under_attack
fi
stage "API: OpenAPI document, generated clients" scripts/clients.sh
stage "metrics, alerts and dashboard" scripts/monitoring.sh
stage "front end: build" make --no-print-directory frontend/dist/index.html
stage "documentation: site" scripts/docs.sh
joined
# Both wait most of their time.
beside "units and reverse proxies" scripts/deploy.sh
stage "documentation: commands" node --test --test-reporter=tap scripts/docs-commands.mjs
joined
stage "a release in production, upgraded under load" scripts/production.sh
stage "front end: size of the sign-in screen" npm --prefix frontend run size
# The API tests cover both databases, so each journey runs on one of them; and where only the language differs, in one of them (e2e/languages.ts).
# `make journeys` plays both.
export ONE_LANGUAGE=1
if [ -n "$postgres" ]; then
  stage "journeys in Chromium, SQLite" scripts/journeys.sh --shard=1/2
  stage "journeys in Chromium, PostgreSQL" on_postgres scripts/journeys.sh --shard=2/2
else
  stage "journeys in Chromium, SQLite" scripts/journeys.sh
fi
stage "wasm: the package as published" node --test --test-reporter=tap scripts/test-wasm-package.mjs scripts/test-wasm-arguments.mjs
stage "wasm: in Node and Chromium" env WRITE_DIGESTS="$PWD/target/debug/examples/write_digests" scripts/wasm.sh test
report
