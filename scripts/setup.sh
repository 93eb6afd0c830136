#!/usr/bin/env bash
# Installs what building and testing Postern needs. Silent and instant if nothing is missing; safe to repeat.
#   scripts/setup.sh compilers   for the server: compilers and C libraries
#   scripts/setup.sh build       also for the front end: the wasm target, wasm-pack, npm packages
#   scripts/setup.sh test        also for tests: Chromium, its driver, a PostgreSQL server, nginx, Caddy, HAProxy, Squid, Prometheus, and client generators for the OpenAPI document
#   scripts/setup.sh api         only these generators
#   scripts/setup.sh release     also for releases: what OpenSSL is built with, and the packers
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

. scripts/stages.sh

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# Installs Debian packages if apt and the rights are available; otherwise prints what is missing.
install_packages() {
  local sudo=""
  command -v apt-get >/dev/null || die "please install: $* (names as in Debian)"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "please install as root: apt-get install $*"
    sudo="sudo"
  fi
  say "installing $*"
  $sudo apt-get update -qq
  # sudo passes no variables on, so they are set after it.
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

# The wasm target: already there, or added by rustup, or Debian's compiler with a standard library built from source.
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

# Optimising a tool that runs for seconds is not worth minutes; wasm-pack needs no TLS, because it downloads nothing.
quick_install() {
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_TARGET_DIR="$TOOLS/build" cargo install --quiet --root "$TOOLS" "$@"
}

ensure_wasm_tools() {
  [ -x "$TOOLS/bin/wasm-pack" ] && [ "$("$TOOLS/bin/wasm-pack" --version)" = "wasm-pack $WASM_PACK_VERSION" ] || {
    say "building wasm-pack $WASM_PACK_VERSION (about a minute, once)"
    stage "wasm-pack" quick_install --version "$WASM_PACK_VERSION" --no-default-features wasm-pack
  }
  [ -x "$TOOLS/bin/wasm-bindgen" ] && [ "$("$TOOLS/bin/wasm-bindgen" --version)" = "wasm-bindgen $WASM_BINDGEN_VERSION" ] || {
    say "building wasm-bindgen $WASM_BINDGEN_VERSION (about a minute, once)"
    stage "wasm-bindgen" quick_install --version "$WASM_BINDGEN_VERSION" wasm-bindgen-cli
  }
  # The build files of both.
  rm -rf "$TOOLS/build"
}

ensure_npm_packages() {
  [ -f frontend/package-lock.json ] || return 0
  if [ ! -f frontend/node_modules/.package-lock.json ] || [ frontend/package-lock.json -nt frontend/node_modules/.package-lock.json ]; then
    say "installing npm packages"
    stage "npm packages" npm --prefix frontend ci --no-audit --no-fund --loglevel=error >/dev/null
    touch frontend/node_modules/.package-lock.json
  fi
}

ensure_test_programs() {
  local missing=()
  [ -n "$(chromium_path)" ] || missing+=(chromium)
  command -v chromedriver >/dev/null || missing+=(chromium-driver)
  [ -n "$(postgres_bin)" ] || missing+=(postgresql)
  [ -n "$(nginx_path)" ] || missing+=(nginx)
  [ -n "$(squid_path)" ] || missing+=(squid)
  [ -n "$(haproxy_path)" ] || missing+=(haproxy)
  command -v caddy >/dev/null || missing+=(caddy)
  command -v systemd-analyze >/dev/null || missing+=(systemd)
  command -v openssl >/dev/null || missing+=(openssl)
  command -v prometheus >/dev/null && command -v promtool >/dev/null || missing+=(prometheus)
  fc-list 2>/dev/null | grep -qi 'CJK\|wqy' || missing+=(fontconfig fonts-wqy-zenhei)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
  # Chromium without windows does a third less in journeys. Not every distribution has it.
  if grep -qs '^ID=debian' /etc/os-release && ! command -v chromium-headless-shell >/dev/null; then
    (install_packages chromium-headless-shell) || true
  fi
}

ensure_release_tools() {
  command -v perl >/dev/null && perl -MFindBin -e1 2>/dev/null || install_packages perl
  command -v dpkg-deb >/dev/null || die "dpkg is missing, with which Debian packages are made"
  local tool
  for tool in "cargo-deb $CARGO_DEB_VERSION" "cargo-cyclonedx $CARGO_CYCLONEDX_VERSION"; do
    set -- $tool
    grep -qs "^\"$1 $2 " "$TOOLS/.crates.toml" && [ -x "$TOOLS/bin/$1" ] && continue
    say "building $1 $2 (a minute or two, once)"
    stage "$1" quick_install --version "$2" "$1"
  done
  rm -rf "$TOOLS/build"
}

# Python and Node programs that read the OpenAPI document, in the versions of scripts/clients.
ensure_api_tools() {
  if ! cmp -s scripts/clients/requirements.txt "$API_TOOLS/requirements.txt" || [ ! -x "$API_TOOLS/bin/schemathesis" ]; then
    command -v python3 >/dev/null || install_packages python3 python3-venv
    python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
    say "installing client generators for the OpenAPI document"
    rm -rf "$API_TOOLS"
    python3 -m venv "$API_TOOLS"
    "$API_TOOLS/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r scripts/clients/requirements.txt
    cp scripts/clients/requirements.txt "$API_TOOLS/"
  fi
  if [ ! -f scripts/clients/node_modules/.package-lock.json ] || [ scripts/clients/package-lock.json -nt scripts/clients/node_modules/.package-lock.json ]; then
    (cd scripts/clients && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
    touch scripts/clients/node_modules/.package-lock.json
  fi
}

[ "${1:-build}" != api ] || { ensure_api_tools; exit 0; }
check_compilers
[ "${1:-build}" != compilers ] || exit 0
ensure_npm_packages &
npm_job=$!
stage "the wasm target" ensure_wasm_target
ensure_wasm_tools
wait "$npm_job"
if [ "${1:-build}" = release ]; then ensure_release_tools; fi
if [ "${1:-build}" = test ]; then ensure_test_programs; ensure_api_tools; fi
exit 0
