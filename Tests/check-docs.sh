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

for library in $libraries; do
  # Who imports the core has the model, and finds it in the core's documentation, there alone.
  brings=()
  [ "$library" != JettisonCore ] || brings=(-experimental-allowed-reexported-modules=JettisonModel)
  mkdir "$scratch/$library"
  swift-symbolgraph-extract -module-name "$library" -target "$target" -I "$build/Modules" \
    "${module_maps[@]}" -minimum-access-level public -skip-synthesized-members "${brings[@]}" \
    -output-dir "$scratch/$library"
  # What leads to other libraries leads nowhere yet.
  convert "$library" "$scratch/linkable" >/dev/null 2>&1
done
for library in $libraries; do
  others=()
  for other in $libraries; do
    [ "$other" = "$library" ] || others+=(--dependency "$scratch/linkable/$other.doccarchive")
  done
  convert "$library" "$archives" --warnings-as-errors "${others[@]}"
done
echo "documentation of" $libraries": no warnings"
