#!/bin/sh
# Measures what a replay of a binary trace of ten million events takes beyond the mapped file.
#
# The library writes the trace; another process loads and replays it. Its peak resident memory
# (VmHWM) less the pages of files that are in memory at the end (RssFile) is the peak of its own,
# as the trace stays mapped throughout. Fails if that is 300 MB or more.
#
#   ./memory.sh [CASE...]     allocations and launches of 200 apps, or the cases named
set -eu
cd "$(dirname "$0")"

swift build -c release --product count --package-path .. >&2
program=$(swift build -c release --package-path .. --show-bin-path)/count
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

events=10000000
limit=300000 # kB of 1000 bytes
status=0
[ $# -gt 0 ] || set -- allocations launches-200-60-lru
for name; do
  "$program" write "$name" $events "$folder/trace.jtrace"
  "$program" memory "$name" "$folder/trace.jtrace" >"$folder/report"
  sed "s/^/$name: /" "$folder/report"
  # replayed VmHWM N kB RssAnon N kB RssFile N kB …
  own=$(awk '$1 == "replayed" { printf "%d", ($3 - $9) * 1.024 }' "$folder/report")
  echo "$name: $((own / 1000)) MB beyond a file of $(($(wc -c <"$folder/trace.jtrace") / 1000000)) MB"
  [ "$own" -lt "$limit" ] || status=1
done
exit $status
