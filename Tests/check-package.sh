#!/usr/bin/env bash
# Builds and runs what the documentation shows of Swift, taken from it word for word, from outside
# of Jettison, and compares what it prints: the package of the article on policies of one's own, the
# lines of the README, and those of the page of JettisonPages.
#
#   Tests/check-package.sh [BUILD]     BUILD: folder of a build of Jettison, .build/debug by default
#
# Sources are compiled against the modules of that build, as packages of another name: all of
# Jettison once more would take minutes. What they import must be products of ours.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
build="${1:-.build/debug}"
article=Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
package="$scratch/my-policies"
mkdir -p "$package/Sources/my-policies" "$scratch/readme" "$scratch/pages"

# The n-th block of a language on standard input.
block() {
  awk -v language="$1" -v wanted="$2" '
    $0 == "```" language { count += 1; inside = count == wanted; next }
    /^```/ { inside = 0 }
    inside { print }'
}

block swift 1 <"$article" >"$package/Package.swift"
block swift 2 <"$article" >"$package/Sources/my-policies/LeastHarm.swift"
block swift 3 <"$article" >"$package/Sources/my-policies/main.swift"
awk '/^## / { inside = $0 == "## From Swift" } inside' README.md \
  | block swift 1 >"$scratch/readme/main.swift"
block swift 1 <Sources/JettisonPages/JettisonPages.docc/JettisonPages.md >"$scratch/pages/main.swift"

swift package --package-path "$package" dump-package >"$scratch/theirs.json"
# In a folder of its own: a build may be under way in the other.
swift package --scratch-path "$scratch/package" dump-package >"$scratch/ours.json"
python3 - "$scratch/theirs.json" "$scratch/ours.json" "$scratch"/{readme,pages}/main.swift <<'PYTHON'
import json, re, sys
theirs, ours = (json.load(open(path)) for path in sys.argv[1:3])
products = {product["name"] for product in ours["products"]}
wanted = [part["product"][0] for target in theirs["targets"] for part in target["dependencies"]]
samples = [("the package of the article", wanted)]
for path in sys.argv[3:]:
    samples.append((path, re.findall(r"^import (Jettison\w*)", open(path).read(), re.M)))
for who, names in samples:
    missing = [name for name in names if name not in products]
    if missing or not names:
        sys.exit(f"{who} asks for {missing or 'nothing'}, of {sorted(products)}")
PYTHON

# Whatever Jettison's libraries are made of. Programs have a main of their own, and the recorder has
# a malloc.
find "$build"/*.build -name '*.o' -not -path '*-tool.build/*' -not -path '*Tests.build/*' \
  -not -path '*/JettisonCLI.build/*' -not -path '*/CRecorder.build/*' -print0 \
  | xargs -0 ar rcs "$scratch/libjettison.a"
source Tests/module-maps.sh
# The format of the article on trace formats asks for no more than what is public.
swiftc -typecheck -swift-version 6 -package-name my-formats -module-name my_formats \
  -I "$build/Modules" "${module_maps[@]}" Tests/JettisonImportersTests/Articles/FrontLogFormat.swift

# compile NAME SOURCE...: a program of a package of another name.
compile() {
  local name="$1"
  shift
  swiftc -swift-version 6 -Onone -package-name "$name" -module-name "${name//-/_}" \
    -I "$build/Modules" "${module_maps[@]}" "$@" "$scratch/libjettison.a" -lsqlite3 -ljemalloc \
    -o "$scratch/$name.program"
}

# check NAME PRINTED PROMISED: what was printed against what the documentation says.
check() {
  if [ "$2" != "$3" ] || [ -z "$3" ]; then
    printf '%s prints\n%s\nbut the documentation says\n%s\n' "$1" "$2" "$3" >&2
    exit 1
  fi
  echo "$1 compiles and prints what the documentation says"
}

compile my-policies "$package"/Sources/my-policies/*.swift
printed="$("$scratch/my-policies.program" traces/users-2010/user-006.csv)"
promised="$(awk '/^\$ swift run my-policies/ { inside = 1; next } /^```/ { inside = 0 } inside' "$article")"
check "the package of the article" "$printed" "$promised"

# run NAME WHAT: the lines in the folder NAME, which say what they print in comments at their end.
run() {
  compile "$1" "$scratch/$1/main.swift"
  ln -s "$root/traces" "$scratch/$1/traces"
  check "$2" "$(cd "$scratch/$1" && "$scratch/$1.program")" \
    "$(sed -n 's|^// ||p' "$scratch/$1/main.swift")"
}

run readme "the README's Swift"
for report in runs summary apps comparison; do
  test -s "$scratch/readme/reports/$report.csv"
done

run pages "the Swift of JettisonPages"
grep -q "<title>jettison compare</title>" "$scratch/pages/page.html"
