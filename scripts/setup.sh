#!/usr/bin/env bash
# Puts what building and testing Postern needs on this machine. Silent and instant when nothing is missing; safe to repeat.
#   scripts/setup.sh build   what `make run` needs: C libraries, the wasm target, wasm-pack, npm packages
#   scripts/setup.sh test    the same, and Chromium, its driver and a PostgreSQL server
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# Installs Debian packages when apt is here and we may use it; otherwise tells the person what is missing.
install_packages() {
  local sudo=""
  command -v apt-get >/dev/null || die "please install: $* (names as in Debian)"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "please install as root: apt-get install $*"
    sudo="sudo"
  fi
  say "installing $*"
  $sudo apt-get update -qq
  # sudo passes no variables on, so they are set behind it.
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null </dev/null
}

check_compilers() {
  command -v cargo >/dev/null || die "Rust is missing: install it from rustup.rs, then run this again"
  local needed here
  needed="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
  here="$(rustc --version | cut -d' ' -f2)"
  [ "$(printf '%s\n%s\n' "$needed" "$here" | sort -V | head -1)" = "$needed" ] \
    || die "Rust $needed or newer is needed, this is $here: run rustup update stable"
  command -v node >/dev/null || die "Node.js 20.19 or newer is missing"
  node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>20||(a===20&&b>=19)?0:1)' \
    || die "Node.js 20.19 or newer is needed, this is $(node --version)"
  command -v cc >/dev/null || install_packages build-essential
  command -v pkg-config >/dev/null || install_packages pkg-config
  pkg-config --exists libpq || install_packages libpq-dev
}

# The wasm target, in this order: it is there; rustup adds it; Debian's compiler with a standard library built from its sources.
ensure_wasm_target() {
  has_wasm_std "$(rustc --print sysroot)" && return
  if [ -x "$DEBIAN_RUST/rustc" ] && has_wasm_std "$("$DEBIAN_RUST/rustc" --print sysroot)" && command -v "$(debian_lld)" >/dev/null; then return; fi
  if command -v rustup >/dev/null && timeout 120 rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then return; fi
  command -v apt-get >/dev/null || die "the Rust target wasm32-unknown-unknown is missing and rustup could not add it"
  install_packages rustc-web cargo-web rust-web-src rust-web-llvm
  command -v "$(debian_lld)" >/dev/null || install_packages "$(debian_lld | sed 's/^wasm-//; s/^ld/lld/')"
  build_wasm_std
}

build_wasm_std() {
  say "building the Rust standard library for wasm (about a minute, once)"
  local work; work="$(mktemp -d)"
  mkdir -p "$work/src"
  : >"$work/src/lib.rs"
  printf '[package]\nname = "emptycrate"\nversion = "0.0.0"\nedition = "2021"\n[profile.release]\npanic = "abort"\n' >"$work/Cargo.toml"
  (cd "$work" && PATH="$DEBIAN_RUST:$PATH" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target" "$DEBIAN_RUST/cargo" build --quiet --release \
    --target wasm32-unknown-unknown -Z build-std=std,panic_abort,proc_macro,test)
  local lib; lib="$("$DEBIAN_RUST/rustc" --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib"
  local sudo=""; [ -w "$(dirname "$(dirname "$(dirname "$lib")")")" ] || sudo="sudo"
  $sudo mkdir -p "$lib"
  find "$work/target/wasm32-unknown-unknown/release/deps" -name '*.rlib' ! -name 'libemptycrate*' -exec $sudo cp {} "$lib/" \;
  rm -rf "$work"
}

ensure_wasm_tools() {
  [ -x "$TOOLS/bin/wasm-pack" ] && [ "$("$TOOLS/bin/wasm-pack" --version)" = "wasm-pack $WASM_PACK_VERSION" ] || {
    say "building wasm-pack $WASM_PACK_VERSION (a few minutes, once)"
    cargo install --quiet --root "$TOOLS" --version "$WASM_PACK_VERSION" wasm-pack
  }
  [ -x "$TOOLS/bin/wasm-bindgen" ] && [ "$("$TOOLS/bin/wasm-bindgen" --version)" = "wasm-bindgen $WASM_BINDGEN_VERSION" ] || {
    say "building wasm-bindgen $WASM_BINDGEN_VERSION (a few minutes, once)"
    cargo install --quiet --root "$TOOLS" --version "$WASM_BINDGEN_VERSION" wasm-bindgen-cli
  }
}

ensure_npm_packages() {
  [ -f frontend/package-lock.json ] || return 0
  if [ ! -f frontend/node_modules/.package-lock.json ] || [ frontend/package-lock.json -nt frontend/node_modules/.package-lock.json ]; then
    say "installing npm packages"
    (cd frontend && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
    touch frontend/node_modules/.package-lock.json
  fi
}

ensure_test_programs() {
  local missing=()
  [ -n "$(chromium_path)" ] || missing+=(chromium)
  command -v chromedriver >/dev/null || missing+=(chromium-driver)
  [ -n "$(postgres_bin)" ] || missing+=(postgresql)
  fc-list 2>/dev/null | grep -qi 'CJK\|wqy' || missing+=(fontconfig fonts-wqy-zenhei)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

check_compilers
ensure_npm_packages &
npm_job=$!
ensure_wasm_target
ensure_wasm_tools
wait "$npm_job"
[ "${1:-build}" = test ] && ensure_test_programs
exit 0
