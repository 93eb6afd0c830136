# Sourced by the other scripts: versions and locations of the tools.
WASM_PACK_VERSION=0.15.1
WASM_BINDGEN_VERSION="$(sed -n 's/^wasm-bindgen = "=\(.*\)"/\1/p' "${POSTERN_ROOT:-.}/Cargo.toml")"
CARGO_DEB_VERSION=3.8.0
CARGO_CYCLONEDX_VERSION=0.5.9
DEBIAN_RUST=/usr/bin
TOOLS="${POSTERN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/postern/tools}"

# Whether the compiler with this sysroot has a standard library for wasm.
has_wasm_std() { compgen -G "$1/lib/rustlib/wasm32-unknown-unknown/lib/libstd-*.rlib" >/dev/null; }

# Debian's compiler calls the linker of its own LLVM: wasm-ld-22 for LLVM 22.
debian_lld() { echo "wasm-ld-$("$DEBIAN_RUST/rustc" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"; }

chromium_path() {
  local name
  for name in "${CHROMIUM:-}" /usr/bin/chromium chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" 2>/dev/null && return
  done
  return 0
}

# The folder with initdb, pg_ctl and postgres: Debian keeps them off the PATH.
postgres_bin() {
  local folder
  for folder in "${POSTGRES_BIN:-}" $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb 2>/dev/null || echo /)")"; do
    [ -n "$folder" ] && [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && echo "$folder" && return
  done
  return 0
}

# Debian keeps it off the PATH of users.
nginx_path() { command -v nginx || ls /usr/sbin/nginx 2>/dev/null || true; }

# There, too.
squid_path() { command -v squid || ls /usr/sbin/squid 2>/dev/null || true; }
haproxy_path() { command -v haproxy || ls /usr/sbin/haproxy 2>/dev/null || true; }

# Python tools for the OpenAPI document: client generator, validator, and schemathesis.
API_TOOLS="$PWD/target/api-tools"

free_port() {
  node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

# Waits for the shop at a URL, for a minute at most.
wait_until_ready() {
  node -e 'const end = Date.now() + 60000; (async () => { for (;;) {
    try { if ((await fetch(process.argv[1] + "/health/ready")).ok) return } catch {}
    if (Date.now() > end) { console.error("no shop at " + process.argv[1]); process.exit(1) }
    await new Promise((done) => setTimeout(done, 100))
  } })()' "$1"
}
