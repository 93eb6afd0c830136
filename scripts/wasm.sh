#!/usr/bin/env bash
# Builds and tests the wasm package.
#   scripts/wasm.sh build   into wasm/pkg, for Vite, Vitest and Node
#   scripts/wasm.sh test    in Node and in headless Chromium
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export PATH="$PWD/frontend/node_modules/.bin:$TOOLS/bin:$PATH"
# Without a library for wasm in rustup's compiler, Debian's has one: see scripts/setup.sh.
has_wasm_std "$(rustc --print sysroot)" || export PATH="$DEBIAN_RUST:$PATH"
export CARGO_TARGET_DIR="$PWD/target/wasm"
# The linker's hash of absolute paths would make builds differ between machines.
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$HOME=~"

case "${1:-build}" in
  build)
    wasm-pack build wasm --target bundler --mode no-install --profile wasm --out-name postern_wasm --scope postern
    node scripts/finish-wasm-package.mjs
    ;;
  test)
    wasm-pack test --node --mode no-install wasm
    CHROMEDRIVER="$(command -v chromedriver)" wasm-pack test --headless --chrome --mode no-install wasm
    ;;
  *) echo "usage: scripts/wasm.sh build|test" >&2; exit 2 ;;
esac
