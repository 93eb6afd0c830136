#!/usr/bin/env bash
# Runs the journeys in Chromium, with the arguments of Vitest. A file with a failure runs once more, alone, with a new shop and browser: a real bug
# fails again; a test that only failed on a busy machine is reported as unsteady.
set -uo pipefail
cd "$(dirname "$0")/../frontend"
results="$(mktemp)"
trap 'rm -f "$results"' EXIT

npm run e2e -- "$@" --reporter=default --reporter=json --outputFile.json="$results"
code=$?
# The counts and names of the files that failed; empty if the runner itself failed.
read -r passed failed files < <(node -e '
  const { testResults = [] } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8") || "{}");
  const files = testResults.filter((file) => file.status === "failed");
  const tests = files.flatMap((file) => file.assertionResults);
  for (const test of tests.filter((test) => test.status === "failed")) {
    const why = test.failureMessages?.join(" ").replace(/\s+/g, " ").slice(0, 600);
    console.error(`unsteady, if it passes now: ${test.fullName}: ${why}`);
  }
  const count = (status) => tests.filter((test) => test.status === status).length;
  console.log(count("passed"), count("failed"), ...files.map((file) => require("path").relative(".", file.name)));
' "$results")
if [ "$code" = 0 ] || [ -z "$files" ]; then exit "$code"; fi
# scripts/test.sh subtracts these counts.
echo "run again alone, instead of $passed passed and $failed failed: $files"
# shellcheck disable=SC2086 # names of files without spaces
npm run e2e -- $files --maxWorkers=1
