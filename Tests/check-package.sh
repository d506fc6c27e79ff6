#!/usr/bin/env bash
# Builds and runs the package of the article on policies of one's own, taken from it word for word,
# and compares what it prints.
#
#   Tests/check-package.sh [BUILD]     BUILD: folder of a build of Jettison, .build/debug by default
#
# Its sources are compiled against the modules of that build, as a package of another name: all of
# Jettison once more would take minutes. Its manifest is read apart: whatever it asks for must be a
# product of ours.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-.build/debug}"
article=Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
package="$scratch/my-policies"
mkdir -p "$package/Sources/my-policies"

# The n-th block of a language.
block() {
  awk -v language="$1" -v wanted="$2" '
    $0 == "```" language { count += 1; inside = count == wanted; next }
    /^```/ { inside = 0 }
    inside { print }' "$article"
}

block swift 1 >"$package/Package.swift"
block swift 2 >"$package/Sources/my-policies/LeastHarm.swift"
block swift 3 >"$package/Sources/my-policies/main.swift"

swift package --package-path "$package" dump-package >"$scratch/theirs.json"
swift package dump-package >"$scratch/ours.json"
python3 - "$scratch/theirs.json" "$scratch/ours.json" <<'PYTHON'
import json, sys
theirs, ours = (json.load(open(path)) for path in sys.argv[1:])
products = {product["name"] for product in ours["products"]}
wanted = [part["product"][0] for target in theirs["targets"] for part in target["dependencies"]]
missing = [name for name in wanted if name not in products]
if missing or not wanted:
    sys.exit(f"the package of the article asks for {missing or 'nothing'}, of {sorted(products)}")
PYTHON

# Whatever Jettison's libraries are made of. Programs have a main of their own, and the recorder has
# a malloc.
find "$build"/*.build -name '*.o' -not -path '*-tool.build/*' -not -path '*Tests.build/*' \
  -not -path '*/JettisonCLI.build/*' -not -path '*/CRecorder.build/*' -print0 \
  | xargs -0 ar rcs "$scratch/libjettison.a"
source Tests/module-maps.sh
swiftc -swift-version 6 -Onone -package-name my-policies -module-name my_policies \
  -I "$build/Modules" "${module_maps[@]}" "$package"/Sources/my-policies/*.swift \
  "$scratch/libjettison.a" -lsqlite3 -ljemalloc -o "$scratch/program"

printed="$("$scratch/program" traces/users-2010/user-006.csv)"
promised="$(awk '/^\$ swift run my-policies/ { inside = 1; next } /^```/ { inside = 0 } inside' "$article")"
if [ "$printed" != "$promised" ]; then
  printf 'the package prints\n%s\nbut the article says\n%s\n' "$printed" "$promised" >&2
  exit 1
fi
echo "the package of the article compiles and prints what it says"
