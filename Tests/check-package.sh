#!/usr/bin/env bash
# Builds and runs the package of the article on policies of one's own, taken from it word for word,
# and compares what it prints. Takes a build of the core without its tests.
#
#   Tests/check-package.sh [DIR]     DIR keeps the build for the next time
set -euo pipefail
cd "$(dirname "$0")/.."
article=Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md

scratch="${1:-$(mktemp -d)}"
test -n "${1:-}" || trap 'rm -rf "$scratch"' EXIT
package="$scratch/my-policies"
mkdir -p "$package/Sources/my-policies"
# The article's package lies beside a copy that is named jettison.
ln -sfn "$PWD" "$scratch/jettison"

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
swift build --package-path "$package" --quiet

printed="$("$package/.build/debug/my-policies" traces/users-2010/user-006.csv)"
promised="$(awk '/^\$ swift run my-policies/ { inside = 1; next } /^```/ { inside = 0 } inside' "$article")"
if [ "$printed" != "$promised" ]; then
  printf 'the package prints\n%s\nbut the article says\n%s\n' "$printed" "$promised" >&2
  exit 1
fi
echo "the package of the article builds and prints what it says"
