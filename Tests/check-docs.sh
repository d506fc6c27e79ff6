#!/usr/bin/env bash
# Builds the documentation of every library with DocC, where a warning is an error: a link that leads
# nowhere, a parameter that does not exist, one that is not documented beside others that are.
#
#   Tests/check-docs.sh [BUILD] [FOLDER]
#
# BUILD is the folder of a build of Jettison, .build/debug by default: what is public is read off its
# modules. FOLDER gets the archives, one for each library; without it they are thrown away. Any library
# may link to any other, as in ``/JettisonCore/Trace`` or <doc:/JettisonCore/TheModel>: all are
# converted once for what can be linked to, and once more for good.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-.build/debug}"

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
archives="${2:-$scratch}"
mkdir -p "$archives" "$scratch/linkable"

source Tests/module-maps.sh
# DocC comes with the compiler and is not on every path.
read -r target resources < <(swiftc -print-target-info | python3 -c '
import json, sys
info = json.load(sys.stdin)
print(info["target"]["unversionedTriple"], info["paths"]["runtimeResourcePath"])')
PATH="$resources/../../bin:$PATH"
# In a folder of its own: a build may be under way in the other.
libraries="$(swift package --scratch-path "$scratch/package" dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]:
        print(*product["targets"])')"

# convert LIBRARY OUTPUT OPTION...: symbols and articles of a library to an archive.
convert() {
  local library="$1" output="$2"
  shift 2
  docc convert "Sources/$library/$library.docc" --fallback-display-name "$library" \
    --fallback-bundle-identifier "$library" --additional-symbol-graph-dir "$scratch/$library" \
    --enable-experimental-external-link-support --output-path "$output/$library.doccarchive" "$@"
}

# each COMMAND: calls it for every library, all at once: DocC mostly waits.
each() {
  local library pid pids=() status=0
  for library in $libraries; do
    "$1" "$library" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=1; done
  return "$status"
}

# The symbols of a library, and what others may link to in it.
prepare() {
  # Who imports the core has the model, and finds it in the core's documentation, there alone.
  local brings=()
  [ "$1" != JettisonCore ] || brings=(-experimental-allowed-reexported-modules=JettisonModel)
  mkdir "$scratch/$1"
  swift-symbolgraph-extract -module-name "$1" -target "$target" -I "$build/Modules" \
    "${module_maps[@]}" -minimum-access-level public -skip-synthesized-members "${brings[@]}" \
    -output-dir "$scratch/$1"
  # What leads to other libraries leads nowhere yet.
  convert "$1" "$scratch/linkable" >/dev/null 2>&1
}

# The documentation of a library, beside the others.
finish() {
  local other others=()
  for other in $libraries; do
    [ "$other" = "$1" ] || others+=(--dependency "$scratch/linkable/$other.doccarchive")
  done
  convert "$1" "$archives" --warnings-as-errors "${others[@]}"
}

each prepare
each finish
echo "documentation of" $libraries": no warnings"
