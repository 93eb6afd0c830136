#!/usr/bin/env bash
# Runs the server on PORT, and Vite, which reloads the front end on changes.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build -p postern-server
target/debug/postern demo
target/debug/postern serve &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
cd frontend
POSTERN_API_PORT="${PORT:-8080}" npm run dev
