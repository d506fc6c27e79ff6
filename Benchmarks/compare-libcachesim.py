#!/usr/bin/env python3
"""Compares launches on ideal-cache with the hits and misses of libCacheSim, request for request.

    python3 -m venv .build/python
    .build/python/bin/pip install libcachesim==0.3.5
    .build/python/bin/python Benchmarks/compare-libcachesim.py --jettison .build/release/jettison

Random traces over apps of different sizes (popular ones, scans, loops, mixtures; few and many
apps; all sizes of memory in proportion) are replayed by Jettison and by the library. A cold launch
must be a miss and a hot one a hit, one by one. Where definitions differ, Jettison's policy is given
the options that make it the library's. Two oracles are written out below instead of the library's:

* gdsf: the library inserts an object before it makes room, so that the newcomer may be evicted at
  once, which no launched app can be. The textbook's makes room first.
* hyperbolic: the library compares 64 random residents, here all are compared; equal values fall to
  the least recently used.

The library does not admit objects of a tenth of the cache (S3FIFO) or more than a quarter of it
(TwoQ, SLRU); a phone cannot refuse an app, so those are compared on smaller apps.

Prints one line per policy. Exit status: 0 no difference, 1 some, 2 the library is missing.
"""

import argparse
import collections
import csv
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import libcachesim
except ImportError:
    libcachesim = None

CAPACITY = 1_234_567
NEVER = 2**62
# Traces per run of Jettison, so that its reports stay small.
BATCH = 35

Case = collections.namedtuple("Case", "policy library options largest")
ANY, QUARTER, TENTH = 1.0, 0.25, 0.1
CASES = [
    Case("lru", "LRU", {}, ANY),
    Case("fifo", "FIFO", {}, ANY),
    Case("lfu", "LFU", {}, ANY),
    Case("size", "Size", {}, ANY),
    Case("gdsf:cost=1", None, {}, ANY),
    Case("clock", "Clock", {}, ANY),
    Case("clock:bits=2", "Clock", {"n_bit_counter": 2}, ANY),
    Case("sieve", "Sieve", {}, ANY),
    Case("arc:unit=1", "ARC", {}, ANY),
    Case("hyperbolic:clock=launches", None, {}, ANY),
    Case("belady", "Belady", {}, ANY),
    Case("lru-k:correlated=0,forget=on", "LRUK", {}, ANY),
    Case("2q:main=75%", "TwoQ", {}, QUARTER),
    Case("slru:segments=4,entry=room,bound=on", "SLRU", {}, QUARTER),
    Case("s3fifo:recheck=off,fill=main", "S3FIFO", {}, TENTH),
    Case(
        "s3fifo:recheck=off,fill=main,small=30%,ghost=70%,threshold=1",
        "S3FIFO",
        {"small_size_ratio": 0.3, "ghost_size_ratio": 0.7, "move_to_main_threshold": 1},
        QUARTER,
    ),
]

Trace = collections.namedtuple("Trace", "name sizes requests")


# Traces


def random_sizes(draw, largest):
    """Different sizes below a share of the capacity that do not all fit at once."""
    count = draw.choice({ANY: [5, 12, 25, 50], QUARTER: [12, 25, 50], TENTH: [30, 50, 80]}[largest])
    limit = int(CAPACITY * largest) - 2
    total = CAPACITY * draw.choice([1.1, 1.5, 2, 3, 5, 9])
    spread = draw.choice([0.2, 1.0, 2.0])
    weights = [draw.lognormvariate(0, spread) for _ in range(count)]
    sizes = []
    for weight in weights:
        size = min(limit, max(1, int(total * weight / sum(weights))))
        while size in sizes:
            size = size - 1 if size > 1 else draw.randint(1, limit)
        sizes.append(size)
    return sizes


def random_requests(draw, count, length):
    """Apps by number: popular ones, every app in turn, scans, loops, or all of it in turn."""
    order = draw.sample(range(count), count)
    skew = draw.choice([0.6, 0.9, 1.3])
    weights = [1 / (place + 1) ** skew for place in range(count)]
    kinds = ["popular", "uniform", "loop", "scan"]
    kind = draw.choice(kinds + ["popular", "mixed", "mixed"])
    requests = []
    while len(requests) < length:
        now = draw.choice(kinds) if kind == "mixed" else kind
        if now == "popular":
            requests += draw.choices(order, weights, k=draw.randint(10, 60))
        elif now == "uniform":
            requests += [draw.randrange(count) for _ in range(draw.randint(10, 60))]
        elif now == "loop":
            requests += draw.sample(order, draw.randint(2, count)) * draw.randint(2, 4)
        else:
            requests += draw.choices(order[: max(2, count // 4)], k=draw.randint(5, 20))
            requests += range(count)
    return requests[:length]


def random_traces(number, largest, seed):
    traces = []
    for place in range(number):
        draw = random.Random(f"{seed} {largest} {place}")
        sizes = random_sizes(draw, largest)
        requests = random_requests(draw, len(sizes), draw.choice([100, 250, 300]))
        traces.append(Trace(f"t{place:03}", sizes, requests))
    return traces


def write(trace, folder):
    lines = ["# jettison-trace: 1", "# device: ideal-cache", "# apps:"]
    for app, size in enumerate(trace.sizes):
        lines.append(f"#   a{app}: {{footprint: {{launch: {size}}}, edits: none}}")
    lines.append("time_ns,app,event,value,id,detail")
    for place, app in enumerate(trace.requests):
        lines.append(f"{place * 10**9},a{app},launch,,,")
    lines.append(f"{len(trace.requests) * 10**9},,end,,,reason=complete")
    (folder / f"{trace.name}.csv").write_text("\n".join(lines) + "\n")


# Jettison


def launches(jettison, traces, policies):
    """Whether each launch was hot, in order, by trace and policy."""
    found = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        inputs = pathlib.Path(scratch, "traces")
        inputs.mkdir()
        for trace in traces:
            write(trace, inputs)
        reports = pathlib.Path(scratch, "reports")
        command = [jettison, "compare", inputs, "--quiet", "--device", "ideal-cache"]
        command += ["--memory", str(CAPACITY), "--footprints", "declared"]
        command += ["--policies", ",".join(policies), "--csv", reports, "--detail", "events"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(reports / "events.csv", encoding="utf-8", newline="") as file:
            columns = next(csv.reader(file))
            trace, policy, event, cause = map(columns.index, ("trace", "policy", "event", "cause"))
            for row in csv.reader(line for line in file if ",launch," in line):
                if row[event] == "launch":
                    found[row[trace], row[policy]].append(row[cause] == "hot")
    return found


# The library, and the two oracles instead of it


def next_requests(requests):
    """By request: the place of the next one for the same app."""
    places = [NEVER] * len(requests)
    last = {}
    for place in range(len(requests) - 1, -1, -1):
        places[place] = last.get(requests[place], NEVER)
        last[requests[place]] = place
    return places


def library_hits(case, trace):
    cache = getattr(libcachesim, case.library)(
        cache_size=CAPACITY, hashpower=12, **case.options
    )
    request = libcachesim.Request()
    request.op = libcachesim.ReqOp.OP_GET
    hits = []
    following = next_requests(trace.requests)
    for place, app in enumerate(trace.requests):
        request.obj_id = app + 1
        request.obj_size = trace.sizes[app]
        request.clock_time = place
        request.next_access_vtime = following[place]
        hits.append(bool(cache.get(request)))
    return hits


def gdsf_hits(trace):
    """Greedy-Dual-Size-Frequency with unit cost: H = L + uses / size, set at each use."""
    age, values, uses, last, hits = 0.0, {}, {}, {}, []
    free = CAPACITY
    for place, app in enumerate(trace.requests):
        hits.append(app in values)
        if app not in values:
            while free < trace.sizes[app]:
                victim = min(values, key=lambda other: (values[other], last[other]))
                age = values.pop(victim)
                free += trace.sizes[victim]
            free -= trace.sizes[app]
            uses[app] = 0
        uses[app] += 1
        values[app] = age + uses[app] / trace.sizes[app]
        last[app] = place
    return hits


def hyperbolic_hits(trace):
    """Uses since entry by requests since entry, of every app in the cache."""
    entries, uses, last, hits = {}, {}, {}, []
    free = CAPACITY
    for place, app in enumerate(trace.requests):
        hits.append(app in entries)
        if app not in entries:
            while free < trace.sizes[app]:
                victim = min(
                    entries, key=lambda other: (uses[other] / (place - entries[other]), last[other])
                )
                del entries[victim]
                free += trace.sizes[victim]
            free -= trace.sizes[app]
            entries[app], uses[app] = place, 0
        uses[app] += 1
        last[app] = place
    return hits


def expected_hits(case, trace):
    if case.library:
        return library_hits(case, trace)
    return gdsf_hits(trace) if case.policy.startswith("gdsf") else hyperbolic_hits(trace)


# Comparing


def compare(case, traces, found):
    """Prints a line; returns the number of requests that differ."""
    requests = hits = differences = 0
    first = None
    for trace in traces:
        expected = expected_hits(case, trace)
        actual = found[trace.name, case.policy]
        assert len(actual) == len(expected), f"{trace.name}: {len(actual)} launches"
        requests += len(expected)
        hits += sum(expected)
        for place, (ours, theirs) in enumerate(zip(actual, expected)):
            if ours != theirs:
                differences += 1
                first = first or f"{trace.name}, request {place}, a{trace.requests[place]}"
    against = f"libCacheSim {case.library}" if case.library else "textbook, see --help"
    print(
        f"{case.policy}: {len(traces)} traces, {requests} requests, {hits} hits, "
        f"{differences} differences ({against})" + (f"; first: {first}" if first else ""),
        flush=True,
    )
    assert 0 < hits < requests, "traces that only hit or only miss show nothing"
    return differences


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jettison", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--traces", type=int, default=210, help="traces per policy (210)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the traces (1)")
    options = parser.parse_args()
    if libcachesim is None:
        print("compare-libcachesim: pip install libcachesim==0.3.5", file=sys.stderr)
        return 2
    differences = 0
    for largest in (ANY, QUARTER, TENTH):
        cases = [case for case in CASES if case.largest == largest]
        traces = random_traces(options.traces, largest, options.seed)
        found = {}
        for start in range(0, len(traces), BATCH):
            batch = traces[start : start + BATCH]
            found.update(launches(options.jettison, batch, [case.policy for case in cases]))
        differences += sum(compare(case, traces, found) for case in cases)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
