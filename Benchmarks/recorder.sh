#!/usr/bin/env bash
# What the recorder of allocations costs: processor time of programs without and with it, the
# least of several runs each, and what one recorded call costs.
#
#   Benchmarks/recorder.sh [RUNS]
#
# The programs are one of our own that does little but allocate (Recorder/heavy.c, with 1 and 4
# threads), and perl, python3 and sqlite3 at work. The file goes to TMPDIR (default: /tmp).
set -euo pipefail
cd "$(dirname "$0")"
runs="${1:-7}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
recorder=../Sources/CRecorder
cc -O2 -shared -fPIC -I"$recorder/include" -o "$work/recorder.so" "$recorder/recorder.c"
cc -O2 -o "$work/heavy" Recorder/heavy.c -lpthread

# Least time (user and system, in ms) of some runs of a command line.
least() {
  local best=999999999 run spent
  for ((run = 0; run < runs; run++)); do
    rm -f "$work"/*.alloc
    spent="$( (TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1) 2>&1 | awk '{ print ($1 + $2) * 1000 }')"
    best="$(awk -v a="$best" -v b="$spent" 'BEGIN { print a < b ? a : b }')"
  done
  echo "$best"
}

measure() {
  local name="$1" plain recorded calls
  shift
  plain="$(least "$@")"
  recorded="$(least env JETTISON_RECORD_FILE="$work/%p.alloc" LD_PRELOAD="$work/recorder.so" "$@")"
  calls="$(cat "$work"/*.alloc | wc -l)"
  awk -v name="$name" -v plain="$plain" -v recorded="$recorded" -v calls="$calls" 'BEGIN {
    printf "%-18s %10d %9.0f %9.0f %7.2f %9.0f\n", name, calls, plain, recorded, recorded / plain,
      (recorded - plain) * 1e6 / calls }'
}

printf '%-18s %10s %9s %9s %7s %9s\n' program calls plain_ms with_ms factor ns_a_call
measure heavy "$work/heavy" 1
measure heavy-4-threads "$work/heavy" 4
# shellcheck disable=SC2016 # Perl's variables.
measure perl /usr/bin/perl -e 'for (1..400000) { $h{"key $_"} = [$_, "value $_"]; }
  my $s = 0; $s += length $h{$_}[1] for sort keys %h; print $s'
measure python3 /usr/bin/python3 -I -c 'import json
t = [{"index": i, "text": str(i), "n": [i] * 5} for i in range(100000)]
for k in range(2): t = json.loads(json.dumps(t))'
measure sqlite3 sqlite3 :memory: "create table t(a, b);
  insert into t with recursive k(i) as (select 1 union all select i + 1 from k where i < 300000)
    select i, 'text ' || i from k;
  create index x on t(b); select count(distinct substr(b, 3, 4)) from t;"
