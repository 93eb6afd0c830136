#!/usr/bin/env bash
# Packs a release into target/releases: an archive, Debian packages, checksums, and lists of what is in them with its licences.
#   scripts/release.sh          fully optimised, needs nothing of a machine but glibc 2.36 or newer
#   scripts/release.sh debug    the archive alone, of the debug build, for tests
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
. scripts/stages.sh
profile="${1:-release}"
[ "$profile" != release ] || scripts/setup.sh release
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
POSTERN_COMMIT="commit $(git rev-parse --short=12 HEAD)"
[ -z "$(git status --porcelain --untracked-files=no)" ] || POSTERN_COMMIT+=", changed"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export POSTERN_COMMIT SOURCE_DATE_EPOCH
name="postern-$version-$(uname -m)-linux"
releases=target/releases
[ "$profile" = release ] || releases=target/test-releases
tree="$releases/tree"
rm -rf "$releases"

# Paths in Rust's code are replaced. OpenSSL still names the folder in which it was compiled, and the wasm files depend on theirs.
build_portable() (
  export CARGO_TARGET_DIR="$PWD/target/portable" CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_STRIP=symbols
  RUSTFLAGS='--cfg poly1305_backend="soft"'
  CFLAGS="${CFLAGS:-}"
  local place
  for place in "$PWD=/postern" "${CARGO_HOME:-$HOME/.cargo}=/cargo" "$(rustc --print sysroot)=/rust"; do
    RUSTFLAGS+=" --remap-path-prefix=$place"
    CFLAGS+=" -ffile-prefix-map=$place"
  done
  export RUSTFLAGS CFLAGS
  cargo build --quiet --locked --release -p postern-server -p postern-gate --features postern-server/portable
)

if [ "$profile" = release ]; then
  stage "the portable binaries" build_portable
  binaries=target/portable/release
else
  binaries="${CARGO_TARGET_DIR:-target}/$profile"
fi
make --no-print-directory frontend/dist/index.html

share="$tree/share/postern"
doc="$tree/share/doc/postern"
mkdir -p "$share" "$doc"
install -Dt "$tree/bin" "$binaries/postern" "$binaries/postern-gate"
cp -r frontend/dist "$share/web"
cp -r server/fonts "$share/fonts"
cp -r locales deploy "$share/"
install -m 644 gate/*.service "$share/deploy/systemd/"
cp -r README.md CHANGELOG.md LICENSE .env.example "$doc/"
git ls-files -z docs ':!docs/decisions' ':!docs/.vitepress' ':!docs/package*.json' | xargs -0 cp --parents -t "$doc"
install -m 644 gate/README.md "$doc/gate.md"
node scripts/licence-texts.mjs >"$doc/third-party-licences.txt"

# Software bills of materials, by the tools of both registries.
bills() {
  local part
  for part in server gate; do
    "$TOOLS/bin/cargo-cyclonedx" cyclonedx --quiet --format json --override-filename bill --manifest-path "$part/Cargo.toml"
    node scripts/plain-bill.mjs <"$part/bill.json" >"$doc/sbom-$part.cdx.json"
    find . -name bill.json -not -path './target/*' -not -path '*/node_modules/*' -delete
  done
  npm --prefix frontend sbom --omit=dev --sbom-format=cyclonedx | node scripts/plain-bill.mjs >"$doc/sbom-web.cdx.json"
}
[ "$profile" != release ] || stage "lists of dependencies" bills

chmod -R u=rwX,go=rX "$tree"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --transform="s,^tree,$name," -C "$releases" -c tree |
  gzip -n9 >"$releases/$name.tar.gz"

# Units for programs in /usr/bin, under the names by which cargo-deb finds them.
packages() {
  local unit folder
  mkdir -p "$releases/debian/server" "$releases/debian/gate"
  cp -t "$releases/debian/server" deploy/debian/*
  for unit in deploy/systemd/*.{service,socket,timer} gate/*.service; do
    folder="$([ "${unit%%/*}" = gate ] && echo gate || echo server)"
    sed 's,/usr/local/,/usr/,g; 1d' "$unit" >"$releases/debian/$folder/$(basename "$unit")"
  done
  "$TOOLS/bin/cargo-deb" --quiet -p postern-server --no-build --no-strip --output "$releases/"
  "$TOOLS/bin/cargo-deb" --quiet -p postern-gate --no-build --no-strip --output "$releases/"
}
[ "$profile" != release ] || stage "Debian packages" packages
cd "$releases"
sha256sum -- *.tar.gz $(ls | grep '\.deb$') | tee SHA256SUMS
