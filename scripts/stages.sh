# Sourced by the build scripts: prints the duration of stages.

# Runs a command, and prints its duration if it is noticeable.
stage() {
  local name="$1" begin=$SECONDS
  shift
  "$@"
  local took=$((SECONDS - begin))
  [ "$took" -lt 2 ] || printf '%5d s  %s\n' "$took" "$name" >&2
}
