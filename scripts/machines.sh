#!/usr/bin/env bash
# The play of scripts/production.sh by the commands of docs/production.md, word by word, on six machines with a bare Debian 12 and systemd: PostgreSQL, HAProxy, three servers
# from the Debian package, a gate. As root on Debian, with a release that `make release` has packed. About four minutes.
#   scripts/machines.sh
#   LOAD_SECONDS=1800 scripts/machines.sh    a long load besides
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
if [ "${1:-}" != apart ]; then
  command -v systemd-nspawn mmdebstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends systemd-container mmdebstrap >/dev/null </dev/null
  FOLDER="$(mktemp -d)"
  export FOLDER
  trap 'rm -rf "$FOLDER"' EXIT
  # What the commands install is there already: the machines have no mirror of Debian.
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus,sudo,procps,postgresql,haproxy,ca-certificates bookworm "$FOLDER/bare" 2>"$FOLDER/bare.log" || { cat "$FOLDER/bare.log"; exit 1; }
  # The addresses of the documentation, in a network that the rest of this machine does not see.
  unshare --net --mount "$0" apart
  exit
fi
folder="$FOLDER"
export BOSS=you@your.domain SHOP=https://93.184.215.2
NETWORK=10.0.0
ADDRESSES=(db=1 balancer=2 a=11 b=12 c=13 gate=21)
stop() {
  cat "$folder"/*/pid 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
  wait
  for pair in "${ADDRESSES[@]}"; do umount "$folder/${pair%=*}/root" || true; done
}
trap stop EXIT
trap 'exit 130' INT TERM
: >"$folder/bare/etc/machine-id"
printf '127.0.0.1 localhost\n93.184.215.2 shop.your.domain\n' >"$folder/bare/etc/hosts"
# A certificate as of an authority that the machines trust.
key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
openssl req -x509 "${key[@]}" -days 2 -subj /CN=authority -keyout "$folder/authority.key" -out "$folder/authority.pem" 2>/dev/null
openssl req "${key[@]}" -subj /CN=shop.your.domain -keyout "$folder/key.pem" -out "$folder/request.pem" 2>/dev/null
openssl x509 -req -in "$folder/request.pem" -CA "$folder/authority.pem" -CAkey "$folder/authority.key" -days 2 -out "$folder/cert.pem" \
  -extfile <(echo subjectAltName=DNS:shop.your.domain,IP:93.184.215.2) 2>/dev/null
export NODE_EXTRA_CA_CERTS="$folder/authority.pem"
cp "$folder/authority.pem" "$folder/bare/usr/local/share/ca-certificates/authority.crt"
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
  until pgrep -P "$!" -x systemd >"$folder/$name/pid"; do sleep 0.1; done
  until nsenter -t "$(cat "$folder/$name/pid")" -n ip link set host0 up 2>/dev/null; do sleep 0.1; done
  nsenter -t "$(cat "$folder/$name/pid")" -n sh -ec "ip address add $NETWORK.${pair#*=}/24 dev host0; ip route add 93.184.0.0/16 dev host0"
done
nsenter -t "$(cat "$folder/balancer/pid")" -n ip address add 93.184.215.2/32 dev host0

tell() {
  for name in balancer a b c gate db; do
    echo "--- $name"
    tail -n 5 "$folder/$name/console"
    nsenter -t "$(cat "$folder/$name/pid")" -a journalctl --no-pager --lines=12 --identifier=postern --identifier=postern-gate --identifier=haproxy --identifier=sudo --identifier=systemd 2>/dev/null | cut -c1-300
  done
}
MACHINERY=./machines.mjs node scripts/production/play.mjs || { tell; exit 1; }
