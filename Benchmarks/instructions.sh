#!/bin/sh
# Counts instructions and heap allocations per event with callgrind, case by case, beside those of
# baselines.csv. Fails if a case needs over 2 % more instructions or yields another result.
#
# Each case runs at two sizes; what it costs to set up cancels out, and what is left is the
# difference of the counts over the difference of the events (or bytes, for captures). Only the
# replay or the decoding itself is counted, not the making of its input.
#
#   ./instructions.sh [CASE...]             all cases, or those named
#   ./instructions.sh --record [CASE...]    writes what it counts to baselines.csv
#   ./instructions.sh --report [CASE...]    shows the differences, whatever they are
#
# JETTISON_COUNT names a `count` that is built already; without it, it is built here.
#
# Counts repeat on a machine. Another compiler, C library or SQLite has others: record on the old
# tree first, then compare the new one.
set -eu
cd "$(dirname "$0")"
is_recording=false
fails=true
case "${1:-}" in
  --record) is_recording=true fails=false; shift ;;
  --report) fails=false; shift ;;
esac

if [ -z "${JETTISON_COUNT:-}" ]; then
  swift build -c release --product count --package-path .. >&2
  JETTISON_COUNT=$(swift build -c release --package-path .. --show-bin-path)/count
fi
output=$(mktemp -d)
trap 'rm -r "$output"' EXIT
# valgrind cannot read the newest debug information.
program=$output/count
strip --strip-debug -o "$program" "$JETTISON_COUNT"

small=20000
large=60000

# Prints: events, instructions, calls of the allocator, hash, unit.
count() {
  valgrind --tool=callgrind --toggle-collect='*8measured*' --dump-instr=yes --compress-pos=no \
    --compress-strings=no --callgrind-out-file="$output/callgrind" "$program" "$1" "$2" \
    >"$output/line" 2>"$output/messages" || { cat "$output/messages" >&2; exit 1; }
  # A function is called as often as its first instruction runs. Lines 'calls=' would not do: they
  # are written for calls outside of what is counted, too; the line after each holds their cost.
  awk '
    /^fn=/ {
      name = substr($0, 4)
      isAllocator = name ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$/
    }
    /^calls=/ { skip = 1; next }
    /^0x/ {
      if (!skip && isAllocator && (!(name in first) || $1 <= first[name])) {
        if (!(name in first) || $1 < first[name]) { first[name] = $1; calls[name] = 0 }
        calls[name] += $3
      }
      skip = 0
    }
    /^(summary|totals):/ { instructions = $2 }
    END {
      for (name in calls) sum += calls[name]
      printf "%d %d\n", instructions, sum
    }
  ' "$output/callgrind" >"$output/sums"
  read -r instructions allocations <"$output/sums"
  read -r _ events unit _ hash <"$output/line"
  echo "$events $instructions $allocations $hash $unit"
}

[ $# -gt 0 ] || set -- $("$program" list)
touch baselines.csv
status=0
printf '%-26s %10s %14s %9s %12s  %s\n' case unit instructions change allocations hash
for name; do
  count "$name" $small >"$output/small"
  count "$name" $large >"$output/large"
  cat "$output/small" "$output/large" | awk -v name="$name" '
    { events[NR] = $1; instructions[NR] = $2; allocations[NR] = $3 }
    END {
      n = events[2] - events[1]
      printf "%s,%s,%.1f,%.5f,%s\n", name, $5, (instructions[2] - instructions[1]) / n,
        (allocations[2] - allocations[1]) / n, $4
    }' >"$output/row"
  awk -F, -v name="$name" '
    FILENAME != ARGV[1] { instructions = $3; unit = $2; allocations = $4; hash = $5; next }
    $1 == name { before = $3; known = $5 }
    END {
      if (before > 0) {
        rise = (instructions / before - 1) * 100
        change = sprintf("%+.1f %%", rise)
      }
      isOther = known != "" && known != hash
      printf "%-26s %10s %14s %9s %12s  %s%s\n", name, unit, instructions, change, allocations,
        hash, isOther ? " (was " known ")" : ""
      exit rise > 2 || isOther
    }' baselines.csv "$output/row" || status=1
  if $is_recording; then
    { grep -v "^$name," baselines.csv | grep -v '^case,' || true; cat "$output/row"; } \
      | LC_ALL=C sort >"$output/rows"
    { echo case,unit,instructions,allocations,hash; cat "$output/rows"; } >baselines.csv
  fi
done
if $fails; then exit $status; fi
