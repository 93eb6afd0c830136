#!/usr/bin/env bash
# Builds and tests the wasm package.
#   scripts/wasm.sh build   into wasm/pkg, for Vite, Vitest and Node; says its size, and fails when it is over the limit
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

# Builds a crate into a folder beside it. The map is for scripts/wasm-size.mjs; it has the same name for all while it is written, as
# other flags would have everything compiled anew.
build() {
  RUSTFLAGS="$RUSTFLAGS -Clink-arg=-Map=$CARGO_TARGET_DIR/link.map" \
    wasm-pack build "$1" --target bundler --mode no-install --profile wasm --out-name "$2" --out-dir "$3" --scope postern
  # A crate that is as it was is not linked again.
  [ ! -f "$CARGO_TARGET_DIR/link.map" ] || mv "$CARGO_TARGET_DIR/link.map" "$CARGO_TARGET_DIR/$2.map"
}

case "${1:-build}" in
  build)
    # What an earlier build left there would be made smaller once more.
    rm -rf wasm/pkg
    mkdir -p target/wasm
    build wasm postern_wasm pkg
    build wasm/account account ../pkg/account
    build wasm/endpoints endpoints ../pkg/endpoints
    build wasm/operator operator ../pkg/operator
    build wasm/residential residential ../pkg/residential
    node scripts/finish-wasm-package.mjs
    ;;
  test)
    # What the native build answers to generated inputs; the wasm build must answer the same.
    export POSTERN_DIGEST_COUNT="${COUNT:-10000}"
    POSTERN_DIGESTS="$(env -u RUSTFLAGS CARGO_TARGET_DIR="$PWD/target" cargo run --quiet -p postern-vectors \
      --example write_digests -- "$POSTERN_DIGEST_COUNT" | paste -sd, -)"
    export POSTERN_DIGESTS
    wasm-pack test --node --mode no-install --release wasm --test parity
    # The more inputs, the longer: the default of 20 seconds is for the few of every test run.
    WASM_BINDGEN_TEST_TIMEOUT=600 \
      wasm-pack test --headless --chrome --chromedriver "$(command -v chromedriver)" --mode no-install --release wasm --test browser
    ;;
  *) echo "usage: scripts/wasm.sh build|test" >&2; exit 2 ;;
esac
