# Keeps a server running on the socket that it got from systemd-socket-activate: keep.sh FOLDER NAME PORT. A link to another release is followed at the next start.
folder="$1"
home="$folder/server-$2"
export PORT="$3" POSTERN_VAR_DIR="$home/var" RUST_LOG=warn LISTEN_FDS=1
set -a
. "$folder/postern.env"
POSTERN_VAR_DIR="$home/var"
POSTERN_SECRET_KEY="$(cat "$folder/server-a/var/secret.key")"
# The queues are in the database: one server tells of all.
[ "$2" != a ] || POSTERN_METRICS="127.0.0.1:$(cat "$folder/metrics-port")"
set +a
while [ ! -e "$folder/stop" ]; do
  # The socket is meant for the process with this id.
  bash -c 'echo $$ >"$0/pid"; LISTEN_PID=$$ exec "$0/program/bin/postern" serve' "$home" 1>&2
  sleep 0.2
done
