#!/usr/bin/env bash
# Records every allocation of three short runs of Debian's programs as traces of Jettison.
#
#   traces/captured/record-allocations.sh [FOLDER]        default: the folder of this script
#
# Installs the programs if they are missing (apt-get), and builds the recorder with the C compiler.
# JETTISON is the command (default: .build/release/jettison of this clone).
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
folder="$(cd "${1:-$here}" && pwd)"
jettison="$(realpath "${JETTISON:-$here/../../.build/release/jettison}")"
recorder="$(cd "$here/../../Sources/CRecorder" && pwd)"
missing=()
for package in imagemagick perl sqlite3; do
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  $(command -v sudo) env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cc -O2 -shared -fPIC -I"$recorder/include" -o "$work/recorder.so" "$recorder/recorder.c"

# Runs a program in the work folder, and turns its recording into a trace.
record() {
  local app="$1"
  shift
  (cd "$work" && env LC_ALL=C JETTISON_RECORD_FILE="$work/$app.alloc" LD_PRELOAD="$work/recorder.so" \
    "$@" >/dev/null)
  "$jettison" import --app "$app" --user allocations --strict -o "$folder/allocations-$app.csv" \
    "$work/$app.alloc"
}

record convert convert-im6.q16 -size 160x120 plasma: -blur 0x2 -rotate 20 -resize 50% picture.png
record perl /usr/bin/perl -e '
  for (1 .. 600) { $h{"key $_"} = [$_, "value $_"]; delete $h{"key " . ($_ - 150)} }
  print join " ", sort keys %h'
record sqlite3 sqlite3 :memory: "
  CREATE TABLE book(number INTEGER PRIMARY KEY, title TEXT);
  INSERT INTO book(title) WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k
    WHERE i < 400) SELECT 'Volume ' || i FROM k;
  CREATE INDEX by_title ON book(title);
  SELECT count(DISTINCT substr(title, 8, 2)) FROM book;
  DELETE FROM book WHERE number % 3 = 0; VACUUM; DROP TABLE book;"
