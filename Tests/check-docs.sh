#!/usr/bin/env bash
# Builds the documentation of every library with DocC, where a warning is an error: a link that leads
# nowhere, a parameter that does not exist, one that is not documented beside others that are.
#
#   Tests/check-docs.sh [BUILD] [FOLDER]
#
# BUILD is the folder of a build of Jettison, .build/debug by default: what is public is read off its
# modules. FOLDER gets the archives, one for each library; without it they are thrown away. Libraries
# are taken in the order of the manifest; a later one may link to an earlier one, as in
# ``/JettisonCore/Trace`` or <doc:/JettisonCore/TheModel>.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-.build/debug}"

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
archives="${2:-$scratch}"
mkdir -p "$archives"

source Tests/module-maps.sh
# DocC comes with the compiler and is not on every path.
read -r target resources < <(swiftc -print-target-info | python3 -c '
import json, sys
info = json.load(sys.stdin)
print(info["target"]["unversionedTriple"], info["paths"]["runtimeResourcePath"])')
PATH="$resources/../../bin:$PATH"
libraries="$(swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]:
        print(*product["targets"])')"

documented=()
for library in $libraries; do
  # Who imports the core has the model, and finds it in the core's documentation.
  mkdir "$scratch/$library"
  swift-symbolgraph-extract -module-name "$library" -target "$target" -I "$build/Modules" \
    "${module_maps[@]}" -minimum-access-level public -skip-synthesized-members \
    -experimental-allowed-reexported-modules=JettisonModel \
    -output-dir "$scratch/$library"
  # Not every library has articles.
  catalog=()
  if [ -d "Sources/$library/$library.docc" ]; then catalog+=("Sources/$library/$library.docc"); fi
  dependencies=()
  for earlier in "${documented[@]}"; do
    dependencies+=(--dependency "$archives/$earlier.doccarchive")
  done
  docc convert "${catalog[@]}" --warnings-as-errors --fallback-display-name "$library" \
    --fallback-bundle-identifier "$library" --additional-symbol-graph-dir "$scratch/$library" \
    --enable-experimental-external-link-support "${dependencies[@]}" \
    --output-path "$archives/$library.doccarchive"
  documented+=("$library")
done
echo "documentation of ${documented[*]}: no warnings"
