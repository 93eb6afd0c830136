#!/usr/bin/env bash
# Tests what is shipped for production: units by systemd's own checks, and each reverse proxy in front of a shop, with TLS. Needs the debug build of the server, and the front end.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
folder="$(mktemp -d)"
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

# The programs and users of the units are not installed here, and what is said of other units is not about these.
units=(deploy/systemd/*.{service,socket,timer} gate/*.service)
systemd-analyze verify "${units[@]}" 2>&1 | grep postern | grep -vE 'is not executable|Failed to resolve (user|group)|Unknown (user|group)' && exit 1
for unit in deploy/systemd/*.service gate/*.service; do
  # In tenths: below 2.0.
  systemd-analyze security --offline=yes --threshold=19 --no-pager "$unit" | tail -1
done

postern="${CARGO_TARGET_DIR:-target}/debug/postern"
export POSTERN_VAR_DIR="$folder/shop" RUST_LOG=warn POSTERN_TRUSTED_PROXIES=127.0.0.1
PORT="$(free_port)"
export PORT
"$postern" demo >/dev/null
"$postern" serve >"$folder/server.log" 2>&1 &
running+=($!)
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=shop.example.com \
  -addext subjectAltName=DNS:shop.example.com -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
cat "$folder/cert.pem" "$folder/key.pem" >"$folder/both.pem"

# Runs a proxy with a configuration for this machine, and visits the shop through it.
through() {
  local name="$1" plain secure
  plain="$(free_port)"
  secure="$(free_port)"
  "run_$name" "$plain" "$secure"
  NODE_EXTRA_CA_CERTS="$folder/cert.pem" node scripts/deploy.mjs "$name" "$plain" "$secure" "$folder/shop/demo-accounts.json" \
    || { cat "$folder/$name.log" "$folder/server.log"; exit 1; }
}

run_nginx() {
  { echo "user $(id -un) $(id -gn); daemon off; pid $folder/nginx.pid; error_log stderr; events {} http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $folder/nginx-$kind;"; done
    sed "s#127.0.0.1:8080#127.0.0.1:$PORT#; /\[::\]/d; s#listen 80;#listen 127.0.0.1:$1;#
      s#listen 443 ssl#listen 127.0.0.1:$2 ssl#; s#/etc/letsencrypt.*fullchain.pem#$folder/cert.pem#; s#/etc/letsencrypt.*privkey.pem#$folder/key.pem#
      s#//\\\$host#//\$host:$2#" deploy/nginx/postern.conf
    echo "}"; } >"$folder/nginx.conf"
  "$(nginx_path)" -e stderr -c "$folder/nginx.conf" >"$folder/nginx.log" 2>&1 &
  running+=($!)
}

run_caddy() {
  { printf '{\n\tadmin off\n\thttp_port %s\n\thttps_port %s\n\tdefault_bind 127.0.0.1\n\tstorage file_system %s\n}\n' "$1" "$2" "$folder/caddy"
    sed "s#127.0.0.1:8080#127.0.0.1:$PORT#; s#^shop.example.com {#&\n\ttls $folder/cert.pem $folder/key.pem#" deploy/caddy/Caddyfile; } >"$folder/Caddyfile"
  XDG_CONFIG_HOME="$folder" XDG_DATA_HOME="$folder" caddy run --config "$folder/Caddyfile" --adapter caddyfile >"$folder/caddy.log" 2>&1 &
  running+=($!)
}

run_haproxy() {
  sed "s#127.0.0.1:8080#127.0.0.1:$PORT#; s#maxconn 20000#maxconn 1000#; s#bind :80#bind 127.0.0.1:$1#; s#bind :443 ssl crt [^ ]*#bind 127.0.0.1:$2 ssl crt $folder/both.pem#
    s#redirect scheme https code#redirect location https://%[hdr(host),field(1,:)]:$2%[pathq] code#" deploy/haproxy/haproxy.cfg >"$folder/haproxy.cfg"
  "$(haproxy_path)" -f "$folder/haproxy.cfg" >"$folder/haproxy.log" 2>&1 &
  running+=($!)
}

through nginx
through caddy
through haproxy
