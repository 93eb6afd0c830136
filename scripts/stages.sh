# Sourced by the scripts that build: says what took how long.

# Runs a command, and says how long it took where that was noticeable.
stage() {
  local name="$1" begin=$SECONDS
  shift
  "$@"
  local took=$((SECONDS - begin))
  [ "$took" -lt 2 ] || printf '%5d s  %s\n' "$took" "$name" >&2
}
