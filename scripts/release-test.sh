#!/usr/bin/env bash
# Tests a release that `make release` has packed, as root on Debian: on a bare Debian 12 and 13, the archive and the packages; and in the image of the container file, as a
# user without rights on a read-only file system. About five minutes.
#   scripts/release-test.sh [bare|container]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
part="${1:-all}"
releases="$PWD/target/releases"
archive="$(basename "$(ls "$releases"/*.tar.gz)")"
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
for program in mmdebstrap buildah; do
  command -v "$program" >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap buildah crun >/dev/null </dev/null
done
folder="$(mktemp -d)"
mounted=()
container=""
stop() {
  [ -z "${serving:-}" ] || kill "$serving" 2>/dev/null || true
  wait
  for place in "${mounted[@]}"; do umount "$place" || true; done
  [ -z "$container" ] || buildah rm "$container" >/dev/null
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
(cd "$releases" && sha256sum --check --strict --quiet SHA256SUMS)

# Opens a shop in another system, by the words that enter it, with its data in a folder there, and visits it.
opens_a_shop() {
  local home="$1" port
  shift
  port="$(free_port)"
  "$@" postern --version
  "$@" env POSTERN_VAR_DIR="$home" PORT="$port" postern init --operator you@example.com --public-url https://shop.example.com --file "$home/postern.env" >"$folder/init.log"
  "$@" sh -c "set -a; . $home/postern.env; export POSTERN_VAR_DIR=$home PORT=$port POSTERN_HOST=127.0.0.1; exec postern serve" 2>"$folder/serve.log" &
  serving=$!
  for attempt in $(seq 100); do
    "$@" env PORT="$port" postern healthcheck 2>/dev/null && break
    [ "$attempt" != 100 ] || { cat "$folder/init.log" "$folder/serve.log"; exit 1; }
    sleep 0.1
  done
  for path in login docs/ api/openapi.json; do
    curl --silent --fail --output /dev/null "http://127.0.0.1:$port/$path" || { echo "/$path is not there"; exit 1; }
  done
  pkill -TERM -f -x "postern serve"
  wait "$serving"
  serving=""
}

on_bare() {
  local suite="$1" root="$folder/$1"
  mmdebstrap --quiet --variant=minbase "$suite" "$root" 2>/dev/null
  mount --bind /proc "$root/proc" && mounted=("$root/proc")
  mkdir -p "$root/archive"
  tar -xzf "$releases/$archive" -C "$root/archive" --strip-components=1
  echo "$suite: the archive"
  opens_a_shop /var/shop chroot "$root" env PATH=/archive/bin:/usr/bin:/bin
  cp "$releases"/*.deb "$root/tmp/"
  echo "$suite: the packages"
  chroot "$root" sh -c 'dpkg --install /tmp/*.deb' >"$folder/dpkg.log" 2>&1 || { cat "$folder/dpkg.log"; exit 1; }
  opens_a_shop /var/lib/postern chroot --userspec=postern:postern "$root" env PATH=/usr/bin:/bin
  chroot "$root" postern-gate --version
  chroot "$root" dpkg --purge postern postern-gate >/dev/null 2>&1
  umount "$root/proc" && mounted=()
  rm -rf "$root"
}

in_container() {
  local base image root volume
  mmdebstrap --quiet --variant=minbase bookworm "$folder/base.tar" 2>/dev/null
  # In place of the image that a machine with a network would pull.
  base="$(buildah from scratch)"
  buildah add --quiet "$base" "$folder/base.tar" / >/dev/null
  buildah commit --quiet "$base" docker.io/library/debian:12-slim >/dev/null
  buildah rm "$base" >/dev/null
  rm "$folder/base.tar"
  buildah bud --quiet --format docker --pull=never -f deploy/container/Containerfile --build-arg "ARCHIVE=$archive" --target gate -t postern-gate "$releases" >/dev/null
  buildah bud --quiet --format docker --pull=never -f deploy/container/Containerfile --build-arg "ARCHIVE=$archive" -t postern "$releases" >/dev/null
  buildah images --format '{{.Name}} {{.Size}}'
  buildah inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' postern
  container="$(buildah from --pull=never postern)"
  image="$(buildah mount "$container")"
  # Its root is read-only, and it has no rights, as in deploy/container/compose.yaml.
  root="$folder/root"
  volume="$folder/volume"
  mkdir -p "$root" "$volume"
  chown 900:900 "$volume"
  mount --bind "$image" "$root" && mounted=("$root")
  mount -o remount,bind,ro "$root"
  mount --bind "$volume" "$root/var/lib/postern" && mounted=("$root/var/lib/postern" "${mounted[@]}")
  mount --bind /proc "$root/proc" && mounted=("$root/proc" "${mounted[@]}")
  echo "container: read-only, as user 900"
  opens_a_shop /var/lib/postern chroot "$root" setpriv --reuid=900 --regid=900 --clear-groups --no-new-privs --bounding-set=-all env PATH=/usr/local/bin:/usr/bin:/bin
}

[ "$part" = container ] || { on_bare bookworm; on_bare trixie; }
[ "$part" = bare ] || in_container
