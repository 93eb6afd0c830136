#!/usr/bin/env bash
# The play of scripts/production.sh by the commands of docs/production.md, word by word, on six machines with a bare Debian 12 and systemd: PostgreSQL, HAProxy, three servers
# from the Debian package, a gate. As root on Debian, with a release that `make release` has packed. About four minutes.
#   scripts/machines.sh
#   LOAD_SECONDS=1800 scripts/machines.sh    a long load besides
set -euo pipefail
cd "$(dirname "$0")/.."
# The addresses of the documentation, in a network that the rest of this machine does not see.
[ -n "${APART:-}" ] || APART=1 exec unshare --net --mount "$0" "$@"
. scripts/env.sh
folder="$(mktemp -d)"
export FOLDER="$folder" BOSS=you@your.domain SHOP=https://93.184.215.2
NETWORK=10.0.0
ADDRESSES=(db=1 balancer=2 a=11 b=12 c=13 gate=21)
machines=()
stop() {
  kill "${machines[@]}" 2>/dev/null || true
  wait
  for pair in "${ADDRESSES[@]}"; do umount "$folder/${pair%=*}/root" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
command -v systemd-nspawn mmdebstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends systemd-container mmdebstrap >/dev/null </dev/null

# What the commands install is there already: the machines have no mirror of Debian.
mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus,sudo,postgresql,haproxy,ca-certificates bookworm "$folder/bare" 2>/dev/null
: >"$folder/bare/etc/machine-id"
printf '127.0.0.1 localhost\n93.184.215.2 shop.your.domain\n' >"$folder/bare/etc/hosts"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=shop.your.domain \
  -addext subjectAltName=DNS:shop.your.domain,IP:93.184.215.2 -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
export NODE_EXTRA_CA_CERTS="$folder/cert.pem"
# As if an authority that everybody trusts had signed it.
cp "$folder/cert.pem" "$folder/bare/usr/local/share/ca-certificates/shop.crt"
chroot "$folder/bare" update-ca-certificates >/dev/null 2>&1
chroot "$folder/bare" systemctl --quiet disable postgresql haproxy 2>/dev/null
rm "$folder/bare/etc/hostname"
(cd target/releases && sha256sum --check --strict --quiet SHA256SUMS)
cp target/releases/SHA256SUMS target/releases/*.deb "$folder/bare/root/"

ip link set lo up
ip link add machines type bridge
ip address add "$NETWORK.254/24" dev machines
ip link set machines up
ip route add 93.184.0.0/16 dev machines
for pair in "${ADDRESSES[@]}"; do
  name="${pair%=*}"
  mkdir -p "$folder/$name"/{changes,work,root}
  mount -t overlay overlay -o "lowerdir=$folder/bare,upperdir=$folder/$name/changes,workdir=$folder/$name/work" "$folder/$name/root"
  echo "127.0.1.1 $name" >>"$folder/$name/root/etc/hosts"
  systemd-nspawn --quiet --machine="$name" --directory="$folder/$name/root" --boot --register=no --keep-unit --network-bridge=machines --resolv-conf=off \
    --link-journal=no </dev/null >"$folder/$name/console" 2>&1 &
  machines+=($!)
  until pgrep -P "$!" -x systemd >"$folder/$name/pid"; do sleep 0.1; done
  until nsenter -t "$(cat "$folder/$name/pid")" -n ip link set host0 up 2>/dev/null; do sleep 0.1; done
  nsenter -t "$(cat "$folder/$name/pid")" -n sh -ec "ip address add $NETWORK.${pair#*=}/24 dev host0; ip route add 93.184.0.0/16 dev host0"
done
nsenter -t "$(cat "$folder/balancer/pid")" -n ip address add 93.184.215.2/32 dev host0

tell() {
  for name in balancer a b c gate db; do
    echo "--- $name"
    tail -n 5 "$folder/$name/console"
    nsenter -t "$(cat "$folder/$name/pid")" -a journalctl --no-pager --lines=25 --priority=info 2>/dev/null | cut -c1-300
  done
}
MACHINERY=./machines.mjs node scripts/production/play.mjs || { tell; exit 1; }
