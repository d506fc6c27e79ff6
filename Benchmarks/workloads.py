#!/usr/bin/env python3
"""Measures the workloads W1 to W9, each beside its yardstick in the same run.

    python3 -m venv .build/python
    .build/python/bin/pip install libcachesim==0.3.5
    swift build -c release --product jettison
    swift build -c release --product count
    .build/python/bin/python Benchmarks/workloads.py w1 w3 --scale 0.1

Without a row it measures all of them. Inputs are written to a folder and kept there: equal options
give equal bytes on every machine. Figures are processor time of whole processes, and medians, unless
a row says otherwise.

 w1   5 million launches of 100 and of 200 apps under eleven policies; libCacheSim on the same requests
 w2   the allocations of a capture, from .jtrace; a C loop that makes the same calls
 w3   opening a .jtrace of 5 million events, and refusing damaged ones; memchr over the file
 w4   a month of app usage under all policies; the product of an earlier commit (--before)
 w5   200 generated users of 14 days under all policies; one job against two, wall time
 w6   reading text traces and captures of 60 MB; memchr, and a loop that cuts fields
 w7   cost per event by number of events and of apps; itself
 w7b  113,872 launches of 48,974 small apps; libCacheSim on the same requests
 w8   starting; /bin/true, wall time
 w9   a 16 GB phone with 60 apps, in arenas: resident memory

w2 and w4 read captures that are no part of the repository: JETTISON_CAPTURES names their folder. What
is missing for a row is said, and the row left out. The status is 0 whatever the figures are.
"""

import argparse
import array
import bisect
import collections
import itertools
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

try:
    import libcachesim
except ImportError:
    libcachesim = None

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
GIB = 1 << 30
# Policy of ours, class of the library.
LIBRARY = {
    "lru": "LRU",
    "fifo": "FIFO",
    "sieve": "Sieve",
    "clock": "Clock",
    "s3fifo": "S3FIFO",
    "arc": "ARC",
    "2q": "TwoQ",
    "lfu": "LFU",
    "gdsf": "GDSF",
    "size": "Size",
    "belady": "Belady",
}
Spent = collections.namedtuple("Spent", "wall processor")


class Missing(Exception):
    """What a row needs is not there."""


# Measuring


def spend(command, status=0):
    """Runs a command: seconds by the clock and of processor time."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors
        )
        _, ended, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(ended)
        if process.returncode != status:
            errors.seek(0)
            said = errors.read().decode(errors="replace")
            raise Missing(f"status {process.returncode} of {' '.join(map(str, command))}\n{said}")
    return Spent(wall, usage.ru_utime + usage.ru_stime)


def resident(command):
    """Runs a command: the most bytes that were resident, as of some milliseconds before its end.

    The system's own figure at the end would not do: it begins with what this program had.
    """
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    status = pathlib.Path("/proc", str(process.pid), "status")
    most = 0
    while process.poll() is None:
        lines = (line.split() for line in status.read_text().splitlines())
        most = max([most, *(1024 * int(line[1]) for line in lines if line[0] == "VmHWM:")])
        time.sleep(0.002)
    return most


def output(command):
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout


def median(runs, measure):
    """The median of a figure that is measured a few times."""
    return statistics.median(measure() for _ in range(runs))


def show(*cells):
    widths = (48, 14, 14, 9)
    line = "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths))
    print(f"{line}  {cells[-1] if len(cells) > len(widths) else ''}".rstrip(), flush=True)


def heading(row, what, ours, yardstick, ratio, wanted):
    print(f"\n{row.upper()}  {what}", flush=True)
    show("", ours, yardstick, ratio, f"wanted: {wanted}")


def seconds(value):
    return f"{value:.3f} s"


def times(value):
    return f"{value:.2f} x"


# Inputs: equal arguments, equal bytes


def written(path, write):
    """A file that is written once: under another name until it is whole."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".part")
        write(draft)
        draft.rename(path)
    return path


def even_sizes(apps, low, high, seed):
    draw = random.Random(f"sizes {apps} {seed}")
    return [low + int(draw.random() * (high - low)) for _ in range(apps)]


def popular(apps, count, seed):
    """Apps by Zipf's law; every hundred launches two of them change places."""
    draw = random.Random(f"popular {apps} {seed}")
    order = draw.sample(range(apps), apps)
    sums = list(itertools.accumulate(1 / (rank + 1) for rank in range(apps)))
    requests = array.array("I")
    for place in range(count):
        if place % 100 == 0:
            one, other = draw.randrange(apps), draw.randrange(apps)
            order[one], order[other] = order[other], order[one]
        rank = bisect.bisect(sums, draw.random() * sums[-1])
        requests.append(order[min(rank, apps - 1)])
    return requests


def many_small(apps, count):
    """Every app once, and popular ones again, in any order."""
    requests = array.array("I", range(apps))
    requests.extend(popular(apps, count - apps, "small"))
    random.Random("many small").shuffle(requests)
    return requests


def write_launches(path, sizes, requests):
    with open(path, "w", encoding="ascii") as file:
        file.write("# jettison-trace: 1\n# device: ideal-cache\n# apps:\n")
        for app, size in enumerate(sizes):
            file.write(f"#   a{app}: {{footprint: {{launch: {size}}}, edits: none}}\n")
        file.write("time_ns,app,event,value,id,detail\n")
        file.writelines(f"{place}000000000,a{app},launch,,,\n" for place, app in enumerate(requests))
        file.write(f"{len(requests)}000000000,,end,,,reason=complete\n")


def write_requests(path, sizes, requests):
    """The library's binary form: time, object, size, and the place of its next request."""
    following = array.array("q", bytes(8 * len(requests)))
    last = {}
    for place in range(len(requests) - 1, -1, -1):
        following[place] = last.get(requests[place], -1)
        last[requests[place]] = place
    record = struct.Struct("<IQIq")
    with open(path, "wb") as file:
        for place, app in enumerate(requests):
            file.write(record.pack(place, app + 1, sizes[app], following[place]))


def write_life(path, apps, launches):
    """Apps that are launched and measured, their footprints growing from launch to launch."""
    requests = popular(apps, launches, "life")
    sizes = even_sizes(apps, 100 * MIB, 400 * MIB, "life")
    used = [0] * apps
    with open(path, "w", encoding="ascii") as file:
        file.write("# jettison-trace: 1\n# device: pixel-6\ntime_ns,app,event,value,id,detail\n")
        for place, app in enumerate(requests):
            file.write(f"{60 * place}000000000,a{app},launch,,,\n")
            for step in range(1, 6):
                size = sizes[app] // 2 + (used[app] * step * 777_777) % (sizes[app] // 2)
                file.write(f"{60 * place + step}000000000,a{app},footprint,{size},,\n")
            used[app] += 1
        file.write(f"{60 * launches}000000000,,end,,,reason=complete\n")


def write_operations(path, trace):
    """The allocations of a text trace for the C loop: blocks have dense slots in place of ids."""
    record = struct.Struct("<qIHH")
    slots, free, count = {}, [], 0
    with open(trace, encoding="utf-8") as rows, open(path, "wb") as file:
        for row in rows:
            if row.startswith("#"):
                continue
            _, _, event, value, block, detail = row.rstrip("\n").split(",")
            if event == "alloc":
                if not free:
                    free.append(count)
                    count += 1
                slots[block] = free.pop()
                alignment = int(detail[6:]) if detail.startswith("align=") else 0
                file.write(record.pack(int(value), slots[block], alignment, 0))
            elif event == "realloc":
                file.write(record.pack(int(value), slots[block], 0, 1))
            elif event == "free":
                free.append(slots.pop(block))
                file.write(record.pack(0, free[-1], 0, 2))


class Bench:
    """The programs, the inputs and the number of runs."""

    def __init__(self, options):
        self.jettison = options.jettison.resolve()
        self.count = options.count
        self.before = options.before
        self.runs = options.runs
        self.scale = options.scale
        self.folder = options.folder
        # What a program makes is made anew: another build may write another form.
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="workloads-"))

    def scaled(self, number, least=1):
        return max(least, round(number * self.scale))

    def counter(self):
        if not self.count.exists():
            raise Missing(f"{self.count}: build it, see --help")
        return self.count

    def capture(self, name):
        folder = os.environ.get("JETTISON_CAPTURES")
        path = pathlib.Path(folder or "", name)
        if not folder or not path.exists():
            raise Missing(f"JETTISON_CAPTURES has no {name}")
        return path

    def program(self, name, *sources):
        """A yardstick in C."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        jemalloc = HERE.parent / "Sources/CJemalloc"
        command = ["cc", "-O2", "-o", path, HERE / "Yardsticks" / f"{name}.c"]
        if sources:
            command += [f"-I{jemalloc}/include", *(jemalloc / source for source in sources)]
            command += ["-ljemalloc"]
        subprocess.run(command, check=True)
        return path

    def binary(self, trace):
        """A trace as .jtrace, made by the program that is measured."""
        path = self.scratch / (trace.stem + ".jtrace")
        if not path.exists():
            spend([self.jettison, "convert", trace, path, "--quiet"])
        return path

    def launches(self, name, sizes, make):
        """Launches as a text trace and as requests of the library."""
        name = f"{name}-{self.scale:g}"
        trace, requests = self.folder / f"{name}.csv", self.folder / f"{name}.oracleGeneral"
        if not trace.exists() or not requests.exists():
            apps = make()
            written(trace, lambda path: write_launches(path, sizes, apps))
            written(requests, lambda path: write_requests(path, sizes, apps))
        return trace, requests

    def replay(self, trace, policy, *words):
        """Seconds of processor time of a replay on one thread."""
        command = [self.jettison, "replay", trace, "--policy", policy, "--jobs", 1, "--quiet"]
        return spend(command + list(words)).processor


def on_cache(memory):
    return ["--device", "ideal-cache", "--memory", memory, "--footprints", "declared"]


def library_seconds(requests, policy, capacity):
    """Processor time of the library over all requests, reading them included, Python left out."""
    if libcachesim is None:
        raise Missing("pip install libcachesim==0.3.5")
    reader = libcachesim.TraceReader(
        str(requests), libcachesim.TraceType.ORACLE_GENERAL_TRACE
    )
    cache = getattr(libcachesim, LIBRARY[policy])(cache_size=capacity)
    start = time.process_time()
    missed, _ = cache.process_trace(reader)
    return time.process_time() - start, missed


# Rows


def w1(bench):
    count = bench.scaled(5_000_000)
    for apps in (100, 200):
        sizes = even_sizes(apps, 10 * MIB, 320 * MIB, "launches")
        trace, requests = bench.launches(
            f"launches-{apps}", sizes, lambda: popular(apps, count, "launches")
        )
        binary = bench.binary(trace)
        what = f"{count} launches of {apps} apps, 4 GiB, whole process"
        heading("w1", what, "ours", "libCacheSim", "speed", "1.0 x each, 2 x half of them")
        against_library(bench, binary, requests, 4 * GIB)


def against_library(bench, binary, requests, capacity, wanted=""):
    for policy in LIBRARY:
        missed = library_seconds(requests, policy, capacity)[1]
        theirs = median(bench.runs, lambda: library_seconds(requests, policy, capacity)[0])
        ours = median(bench.runs, lambda: bench.replay(binary, policy, *on_cache(capacity)))
        name = f"{policy} (library misses {missed:.1%})"
        show(name, seconds(ours), seconds(theirs), times(theirs / ours), wanted)


def w2(bench):
    capture = bench.capture("alloc/systemui.zip")
    counter = bench.counter()
    text = bench.folder / "systemui.txt"
    with zipfile.ZipFile(capture) as archive:
        written(text, lambda path: path.write_bytes(archive.read(archive.namelist()[0])))
    trace, binary = bench.scratch / "systemui.csv", bench.scratch / "systemui.jtrace"
    command = [bench.jettison, "import", "--format", "memory-replay", "--quiet", text]
    spend([*command, "-o", trace])
    spend([*command, "-o", binary])
    operations = written(
        bench.folder / "systemui.operations", lambda path: write_operations(path, trace)
    )
    count = operations.stat().st_size // struct.calcsize("<qIHH")
    loop = bench.program("allocator", "arena.c", "space.c")
    what = f"{count} allocations of systemui in an arena, opening left out, per operation"
    heading("w2", what, "ours", "calls alone", "cost", "1.25 x")
    for name, case in (("cached", "allocations"), ("uncached", "allocations-uncached")):
        calls = median(bench.runs, lambda: float(output([loop, operations, name]).split()[0]))
        ours = median(bench.runs, lambda: took(counter, case, binary)["replayed"])
        cells = [f"{1e9 * value / count:.1f} ns" for value in (ours, calls)]
        show(name, *cells, times(ours / calls))


def took(counter, case, trace):
    """Processor time of loading and of replaying a trace within one process."""
    lines = output([counter, "memory", case, trace]).splitlines()
    words = [line.split() for line in lines]
    return {row[0]: float(row[row.index("seconds") + 1]) for row in words if "seconds" in row}


def w3(bench):
    counter = bench.counter()
    count = bench.scaled(5_000_000)
    scan = bench.program("scan")
    heading("w3", f"opening a .jtrace of {count} events, per event", "ours", "memchr", "cost",
            "10 ns, then 2 x")
    for case in ("launches-200-60-lru", "allocations"):
        path = bench.scratch / f"{case}.jtrace"
        spend([counter, "write", case, count, path])
        ours = median(bench.runs, lambda: took(counter, case, path)["loaded"])
        theirs = median(bench.runs, lambda: float(output([scan, "lines", path]).split()[0]))
        cells = [f"{1e9 * value / count:.2f} ns" for value in (ours, theirs)]
        show(case, *cells, times(ours / theirs))
        for share in (0.5, 0.99):
            damaged = bench.scratch / "damaged.jtrace"
            bytes_ = bytearray(path.read_bytes())
            bytes_[int(len(bytes_) * share)] ^= 0xFF
            damaged.write_bytes(bytes_)
            refused = median(
                bench.runs, lambda: spend([bench.jettison, "inspect", damaged], 65).processor
            )
            show(f"{case}, refused for a byte at {share:.0%}", f"{1e9 * refused / count:.2f} ns")


def w4(bench):
    capture = bench.capture("usage/app_usage_export_en.csv")
    if bench.before is None:
        raise Missing("--before names the product of commit 2188507")
    memories = {
        "iphone-4": "384MiB 512MiB 768MiB 1GiB",
        "iphone-6s": "768MiB 1GiB 1536MiB 2GiB",
        "pixel-6": "1536MiB 2GiB 3GiB 4GiB",
    }
    wanted = {"iphone-4": 5, "iphone-6s": 5, "pixel-6": 20}
    heading("w4", "a month of app usage under all policies, 4 sizes", "ours", "before", "faster",
            "5 x, pixel-6 20 x, arenas 4 x")
    for device, sizes in memories.items():
        for footprints in ("declared", "arena"):
            spent = []
            for program in (bench.jettison, bench.before.resolve()):
                # Each reads what it wrote: the earlier one does not know every header.
                trace = bench.scratch / f"month-{len(spent)}.csv"
                spend([program, "import", "--format", "app-usage", capture, "-o", trace, "--quiet"])
                command = [program, "compare", trace, "--policies", "all", "--device", device]
                command += ["--memory", ",".join(sizes.split()[: bench.scaled(4)])]
                command += ["--footprints", footprints, "--seeds", 1, "--jobs", 1, "--quiet"]
                spent.append(median(bench.runs, lambda: spend(command).processor))
            ours, before = spent
            least = 4 if footprints == "arena" else wanted[device]
            name = f"{device}, {footprints}"
            show(name, seconds(ours), seconds(before), times(before / ours), f"{least} x")


def w5(bench):
    users = bench.scaled(200)
    folder = bench.scratch / "users"
    command = ["generate", "--users", users, "--days", 14, "--device", "iphone-6s"]
    spend([bench.jettison, *command, "--output", folder, "--quiet"])
    heading("w5", f"{users} users of 14 days under all policies, iphone-6s, wall time", "two jobs",
            "one job", "faster", "90 s, 1.9 x, below 1 GB")
    compare = [bench.jettison, "compare", folder, "--policies", "all", "--device", "iphone-6s"]
    spent = {
        jobs: [spend([*compare, "--quiet", "--jobs", jobs]) for _ in range(bench.runs)]
        for jobs in (1, 2)
    }
    one, two = (statistics.median(run.wall for run in spent[jobs]) for jobs in (1, 2))
    most = resident([*compare, "--quiet", "--jobs", 2])
    show(f"{most / 1e6:.0f} MB resident", seconds(two), seconds(one), times(one / two))


def w6(bench):
    counter = bench.counter()
    scan = bench.program("scan")
    bytes_wanted = bench.scaled(60_000_000)
    heading("w6", f"reading {bytes_wanted / 1e6:.0f} MB", "ours", "fields", "cost",
            "text 400 MB/s, others 2 x")
    path = bench.scratch / "capture"
    for case in LINE_FORMATS:
        spend([counter, "write", case, 10_000, path])
        rows = round(10_000 * bytes_wanted / path.stat().st_size)
        spend([counter, "write", case, rows, path])
        size = path.stat().st_size
        fields, lines = (
            size / median(bench.runs, lambda: float(output([scan, pass_, path]).split()[0]))
            for pass_ in ("fields", "lines")
        )
        ours = 1e6 * float(output([counter, case, rows, bench.runs]).split()[-3])
        cells = [f"{rate / 1e6:.0f} MB/s" for rate in (ours, fields)]
        show(case, *cells, times(fields / ours), f"memchr {lines / 1e6:.0f} MB/s")


LINE_FORMATS = [
    "jettison-allocations",
    "jettison-usage",
    "csv",
    "app-usage",
    "lsapp",
    "usage-stats",
    "android-logcat",
    "android-bugreport",
    "process-samples",
    "kernel-oom",
    "killer-journal",
    "memory-replay",
    "heaptrack",
    "malloc-rep",
]


def w7(bench):
    def launches(apps, count):
        # Three in ten have room, whatever their number.
        share = 4 * GIB // (apps * 3 // 10)
        sizes = even_sizes(apps, share // 2, share * 3 // 2, "flat")
        trace = written(
            bench.folder / f"flat-{apps}-{count}.csv",
            lambda path: write_launches(path, sizes, popular(apps, count, "flat")),
        )
        return bench.binary(trace)

    def spent(apps, count, policy):
        trace = launches(apps, count)
        return median(bench.runs, lambda: bench.replay(trace, policy, *on_cache("4GiB")))

    def cost(apps, count, policy):
        """Nanoseconds per event; what ten events take goes off."""
        return 1e9 * (spent(apps, count, policy) - spent(apps, 10, policy)) / count

    def compare(name, ns, usual):
        show(name, f"{ns:.1f} ns", f"{usual:.1f} ns", times(ns / usual))

    heading("w7", "cost per event by number of events, 50 apps", "ours", "at most events", "ratio",
            "within 10 %")
    counts = [10**power for power in (7, 6, 5, 4) if 10**power <= 10**7 * bench.scale]
    for policy in ("lru", "sieve", "gdsf"):
        usual = cost(50, counts[0], policy)
        for count in counts:
            compare(f"{policy}, {count} events", cost(50, count, policy), usual)
    count = bench.scaled(1_000_000)
    heading("w7", f"cost per event by number of apps, {count} events", "ours", "at 10 apps",
            "ratio", "at most logarithmic")
    for policy in LIBRARY:
        # Belady's keys are the future's, not asked for here.
        if policy != "belady":
            usual = cost(10, count, policy)
            for apps in (10, 50, 200, 1000):
                compare(f"{policy}, {apps} apps", cost(apps, count, policy), usual)


def w7b(bench):
    apps, count = bench.scaled(48_974), bench.scaled(113_872)
    sizes = even_sizes(apps, 512, 68 * 1024, "small")
    trace, requests = bench.launches("small", sizes, lambda: many_small(apps, count))
    binary = bench.binary(trace)
    for memory in (128, 256, 512, 1024):
        what = f"{count} launches of {apps} apps, {memory} MiB, whole process"
        heading("w7b", what, "ours", "libCacheSim", "speed", "2 s")
        against_library(bench, binary, requests, bench.scaled(memory * MIB), "2 s")


def w8(bench):
    runs = 20 * bench.runs
    trace = bench.scratch / "ten.csv"
    sizes = even_sizes(5, 10 * MIB, 320 * MIB, "ten")
    write_launches(trace, sizes, popular(5, 9, "ten"))
    nothing = median(runs, lambda: spend(["/bin/true"]).wall)
    heading("w8", f"starting, wall time, median of {runs}", "ours", "/bin/true", "more", "20 ms")
    replay = [bench.jettison, "replay", trace, "--quiet"]
    for name, command in (
        ("--help", [bench.jettison, "--help"]),
        ("a replay of ten events", [*replay, *on_cache("1GiB")]),
        ("a replay of ten events, iphone-4 in arenas", [*replay, "--device", "iphone-4"]),
    ):
        wall = median(runs, lambda: spend(command).wall)
        cells = [f"{1e3 * value:.1f} ms" for value in (wall, nothing)]
        show(name, *cells, f"{1e3 * (wall - nothing):.1f} ms")


def w9(bench):
    launches = bench.scaled(20_000)
    text = written(
        bench.folder / f"life-{launches}.csv", lambda path: write_life(path, 60, launches)
    )
    trace = bench.binary(text)
    command = [bench.jettison, "replay", trace, "--device", "pixel-6"]
    command += ["--memory", "16GB", "--jobs", 1, "--quiet"]
    most = median(bench.runs, lambda: resident(command))
    heading("w9", f"{launches} launches of 60 apps on 16 GB, in arenas: resident memory", "ours",
            "the trace", "", "100 MB")
    show("a phone of 16 GB", *(f"{size / 1e6:.0f} MB" for size in (most, trace.stat().st_size)))


ROWS = {row.__name__: row for row in (w1, w2, w3, w4, w5, w6, w7, w7b, w8, w9)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    path = pathlib.Path
    parser.add_argument("rows", nargs="*", metavar="ROW", help="w1 to w9 (all)")
    parser.add_argument("--jettison", type=path, default=HERE.parent / ".build/release/jettison")
    parser.add_argument("--count", type=path, default=HERE.parent / ".build/release/count")
    parser.add_argument("--before", type=path, help="the product of an earlier commit, for w4")
    parser.add_argument("--runs", type=int, default=5, help="each figure is a median of these (5)")
    parser.add_argument("--scale", type=float, default=1, help="share of the full size (1)")
    parser.add_argument("--folder", type=path, default=HERE / ".build/workloads", help="for inputs")
    options = parser.parse_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"no row {unknown[0]}: there are {', '.join(ROWS)}")
    bench = Bench(options)
    try:
        for row in options.rows or ROWS:
            try:
                ROWS[row](bench)
            except Missing as missing:
                print(f"\n{row.upper()}  left out: {missing}", flush=True)
    finally:
        shutil.rmtree(bench.scratch)


if __name__ == "__main__":
    main()
