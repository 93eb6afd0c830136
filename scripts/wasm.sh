#!/usr/bin/env bash
# Builds and tests the wasm package.
#   scripts/wasm.sh build   into wasm/pkg, for Vite, Vitest and Node; prints its size, and fails above the limit
#   scripts/wasm.sh test    in Node and in headless Chromium
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export PATH="$PWD/frontend/node_modules/.bin:$TOOLS/bin:$PATH"
# If rustup's compiler has no library for wasm, Debian's has: see scripts/setup.sh.
has_wasm_std "$(rustc --print sysroot)" || export PATH="$DEBIAN_RUST:$PATH"
export CARGO_TARGET_DIR="$PWD/target/wasm"
# The linker hashes absolute paths, which would make builds differ between machines.
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$HOME=~"

# Builds a crate into a folder beside it. The map is for scripts/wasm-size.mjs; all crates use the same file name for it, because different flags
# would recompile everything.
build() {
  RUSTFLAGS="$RUSTFLAGS -Clink-arg=-Map=$CARGO_TARGET_DIR/link.map" \
    wasm-pack build "$1" --target bundler --mode no-install --profile wasm --out-name "$2" --out-dir "$3" --scope postern
  # An unchanged crate is not linked again.
  [ ! -f "$CARGO_TARGET_DIR/link.map" ] || mv "$CARGO_TARGET_DIR/link.map" "$CARGO_TARGET_DIR/$2.map"
}

case "${1:-build}" in
  build)
    # The output of an earlier build would be optimised again.
    rm -rf wasm/pkg
    mkdir -p target/wasm
    build wasm postern_wasm pkg
    build wasm/screens screens ../pkg/screens
    node scripts/finish-wasm-package.mjs
    ;;
  test)
    # The results of the native build for generated inputs, which the wasm build must reproduce.
    export POSTERN_DIGEST_COUNT="${COUNT:-10000}"
    POSTERN_DIGESTS="$(env -u RUSTFLAGS CARGO_TARGET_DIR="$PWD/target" \
      ${WRITE_DIGESTS:-cargo run --quiet -p postern-vectors --example write_digests --} "$POSTERN_DIGEST_COUNT" | paste -sd, -)"
    export POSTERN_DIGESTS
    wasm-pack test --node --mode no-install --release wasm --test parity
    # More inputs take longer than the default of 20 seconds.
    WASM_BINDGEN_TEST_TIMEOUT=600 \
      wasm-pack test --headless --chrome --chromedriver "$(command -v chromedriver)" --mode no-install --release wasm --test browser
    ;;
  *) echo "usage: scripts/wasm.sh build|test" >&2; exit 2 ;;
esac
