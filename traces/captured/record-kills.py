#!/usr/bin/env python3
"""Lets the Linux kernel kill real programs for want of memory, and records whom it kills.

    traces/captured/record-kills.py [FOLDER]        default: kills/ beside this script

For root on Linux with control groups of memory (either hierarchy). In a group of its own, which has a
limit, five to twenty programs and interpreters of Debian keep what they are fed, at different
speeds, with pauses, under several users, shared with children of theirs or not, while their
oom_score_adj changes or stays. Whenever the limit is reached the kernel kills one of them; it is
started again. `jettison record` follows the group and the kernel's log: a trace per setting, half of
them to develop with (develop/), half only to test (test/).

Only processes of this script are in the group, and only they are killed. Where there are no such
groups it says so and ends with status 75; the traces that Jettison ships serve then.

JETTISON is the command (default: .build/release/jettison of this clone), SETTINGS and KILLS how many
settings there are and how many kills each (default: 36 and 11), FIRST the first setting.
"""

import fcntl
import os
import pwd
import random
import select
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ["coreutils", "lua5.4", "mawk", "perl", "python3", "sqlite3", "xz-utils"]
USERS = ["root", "nobody", "daemon", "games", "www-data"]
MIB = 1 << 20
# The kernel writes ten reports in five seconds and no more.
SECONDS_PER_KILL = 0.7

# Keeps what it reads; every tenth time it drops a part of it.
PYTHON = """
import sys
kept = []
for number, line in enumerate(sys.stdin.buffer):
    kept.append(line * 2)
    if number % 10 == 9: del kept[number % len(kept)]
"""
# Has a child that shares what was read until then, and both write to it.
PYTHON_FORK = """
import os, sys
kept = []
for number, line in enumerate(sys.stdin.buffer):
    kept.append(bytearray(line))
    if number == 40: os.fork()
    for block in kept[-3:]: block[0] = number % 251
"""
# A block that it shares with its child, of which the child writes one half.
PYTHON_MAP = """
import mmap, os, sys
shared = mmap.mmap(-1, 8 << 20)
child = os.fork() == 0
kept, at = [], 0
for number, line in enumerate(sys.stdin.buffer):
    shared[at:at + 4096] = line[:4096].ljust(4096)
    at = (at + (8192 if child else 4096)) % (8 << 20)
    kept.append(line)
"""

PROGRAMS = {
    "python": ["python3", "-c", PYTHON],
    "fork": ["python3", "-c", PYTHON_FORK],
    "map": ["python3", "-c", PYTHON_MAP],
    "perl": ["perl", "-ne", "push @kept, $_; shift @kept if $. % 7 == 0"],
    "awk": ["mawk", "{ kept[NR] = $0; if (NR % 9 == 0) delete kept[NR - 5] }"],
    "lua": ["lua5.4", "-e", "local t = {} for line in io.lines() do t[#t + 1] = line end"],
    "sort": ["sort", "-S", "2G"],
    "tac": ["tac"],
    "sqlite": ["sqlite3", ":memory:"],
    "xz": ["xz", "-9", "-c"],
    "bash": ["bash", "-c", 'while read -r line; do kept="$kept$line"; done'],
}


class Group:
    """A control group with a limit, in whichever hierarchy the machine has."""

    def __init__(self, number):
        name = f"jettison-kills-{os.getpid()}-{number}"
        old = "/sys/fs/cgroup/memory"
        new = "/sys/fs/cgroup"
        if os.path.exists(f"{old}/memory.limit_in_bytes"):
            self.folder, self.limits = f"{old}/{name}", ["memory.limit_in_bytes"]
        elif "memory" in read(f"{new}/cgroup.subtree_control").split():
            self.folder, self.limits = f"{new}/{name}", ["memory.max"]
        else:
            stop("no control groups of memory here")
        try:
            os.mkdir(self.folder)
        except OSError as error:
            stop(f"no control group can be made: {error.strerror}")

    def limit(self, size):
        """Sets the limit; nothing is swapped out."""
        for name in self.limits:
            write(f"{self.folder}/{name}", size)
        for name, value in [("memory.memsw.limit_in_bytes", size), ("memory.swap.max", 0),
                            ("memory.swappiness", 0)]:
            if os.path.exists(f"{self.folder}/{name}"):
                write(f"{self.folder}/{name}", value)

    def numbers(self):
        return [int(line) for line in read(f"{self.folder}/cgroup.procs").split()]

    def enter(self):
        write(f"{self.folder}/cgroup.procs", os.getpid())

    def clear(self):
        """Ends everybody in it."""
        for _ in range(200):
            numbers = self.numbers()
            if not numbers:
                return
            for number in numbers:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)

    def remove(self):
        self.clear()
        for _ in range(100):
            try:
                return os.rmdir(self.folder)
            except OSError:
                time.sleep(0.05)


class Setting:
    """What is run, drawn by its number alone."""

    def __init__(self, number):
        draw = random.Random(number)
        self.draw = draw
        self.limit = draw.choice([64, 96, 128, 192, 256]) * MIB
        count = draw.randint(5, 20)
        # An interpreter alone takes 5 to 10 MiB.
        count = min(count, self.limit // (10 * MIB))
        kinds = draw.sample(sorted(PROGRAMS), draw.randint(3, len(PROGRAMS)))
        self.programs = [draw.choice(kinds) for _ in range(max(5, count))]
        self.users = draw.sample(USERS, draw.randint(1, len(USERS)))
        self.ranks = draw.choice([
            [0],
            [0, 0, 0, 500],
            [0, 100, 200, 700, 900],
            [-1000, -500, 0, 0, 300],
            list(range(-300, 301, 50)),
            list(range(0, 1000, 100)),
        ])
        self.changes_ranks = draw.random() < 0.5
        # Who grows: everybody alike, some much more, or one after the other.
        self.growth = draw.choice(["alike", "some", "bursts"])


class Program:
    """One that runs in the group."""

    def __init__(self, kind, setting, group):
        draw = setting.draw
        self.kind = kind
        self.user = pwd.getpwnam(draw.choice(setting.users))
        self.rank = draw.choice(setting.ranks)
        self.weight = {"alike": 1, "some": draw.choice([0.1, 0.3, 3]), "bursts": 1}[setting.growth]
        self.resumes = 0.0
        self.line = 0

        def prepare():
            group.enter()
            rank("self", self.rank)
            os.setgid(self.user.pw_gid)
            os.setuid(self.user.pw_uid)

        self.process = subprocess.Popen(
            PROGRAMS[kind], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=prepare, cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"})
        os.set_blocking(self.process.stdin.fileno(), False)
        fcntl.fcntl(self.process.stdin.fileno(), fcntl.F_SETPIPE_SZ, MIB)
        self.pending = b""

    def feed(self, size, draw):
        """Gives it lines of so many bytes, as far as it takes them."""
        while len(self.pending) < size:
            self.line += 1
            text = draw.randbytes(3000).hex()
            if self.kind == "sqlite":
                self.pending += (
                    b"create table if not exists t(x);" if self.line == 1 else b"")
                self.pending += f"insert into t values('{text}');\n".encode()
            else:
                self.pending += text.encode() + b"\n"
        try:
            written = os.write(self.process.stdin.fileno(), self.pending)
            self.pending = self.pending[written:]
        except (BlockingIOError, BrokenPipeError):
            pass


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def write(path, value):
    with open(path, "w") as file:
        file.write(str(value))


def rank(process, value):
    """Sets oom_score_adj; below 0 only where the machine lets this script do so."""
    try:
        write(f"/proc/{process}/oom_score_adj", value)
    except OSError:
        pass


def stop(reason):
    print(f"record-kills: {reason}; the traces in {HERE}/kills are what this makes", file=sys.stderr)
    sys.exit(75)


def check():
    if sys.platform != "linux" or os.geteuid() != 0:
        stop("this is for root on Linux")
    if read("/proc/sys/vm/oom_kill_allocating_task").strip() not in ("", "0"):
        stop("vm.oom_kill_allocating_task is set: the kernel would not choose")
    try:
        os.close(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK))
    except OSError as error:
        stop(f"the kernel's log cannot be read: {error.strerror}")
    missing = [program[0] for program in PROGRAMS.values() if not shutil.which(program[0])]
    if missing:
        subprocess.run(
            ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES], check=True,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, stdout=subprocess.DEVNULL)


def run(setting, group, kills):
    """Runs a setting until the kernel has killed often enough, or for four times as long."""
    draw = setting.draw
    running = []
    # Who was killed begins again a little later.
    waiting = [(0.0, kind) for kind in setting.programs]
    begin = time.monotonic()
    killed = 0
    turn = 0.0
    speed = setting.limit / 2
    while killed < kills and time.monotonic() - begin < 4 * kills * SECONDS_PER_KILL + 20:
        now = time.monotonic() - begin
        for when, kind in [pair for pair in waiting if pair[0] <= now]:
            waiting.remove((when, kind))
            running.append(Program(kind, setting, group))
        if setting.growth == "bursts" and now >= turn and running:
            # One of them grows for a while.
            turn = now + draw.uniform(0.3, 1.5)
            chosen = draw.choice(running)
            for program in running:
                program.weight = 8 if program is chosen else 0.2
        total = sum(program.weight for program in running) or 1
        for program in list(running):
            status = program.process.poll()
            if status is not None:
                killed += status == -signal.SIGKILL
                program.process.stdin.close()
                running.remove(program)
                waiting.append((now + draw.uniform(0.1, 1), program.kind))
                continue
            if now < program.resumes:
                continue
            if draw.random() < 0.02:
                program.resumes = now + draw.uniform(0.2, 2)
            # A line is kept about twice in most of them.
            program.feed(int(speed * program.weight / total * 0.05 / 2), draw)
            if setting.changes_ranks and draw.random() < 0.01:
                rank(program.process.pid, draw.choice(setting.ranks))
        select.select([], [], [], 0.05)
    group.clear()
    for program in running:
        program.process.wait()
        program.process.stdin.close()
    return killed


def record(number, name, folder, kills):
    setting = Setting(number)
    group = Group(number)
    try:
        group.limit(setting.limit)
        follow(setting, name, folder, group, kills)
    finally:
        group.remove()


def follow(setting, name, folder, group, kills):
    jettison = os.environ.get("JETTISON", f"{HERE}/../../.build/release/jettison")
    trace = f"{folder}/{name}.csv"
    recorder = subprocess.Popen(
        [jettison, "record", "-o", trace, "--cgroup", group.folder, "--kernel-log", "/dev/kmsg",
         "--interval", "500ms", "--user", name])
    while not os.path.exists(trace) and recorder.poll() is None:
        time.sleep(0.05)
    killed = run(setting, group, kills)
    recorder.send_signal(signal.SIGINT)
    if recorder.wait() != 0:
        sys.exit(1)
    print(f"{name}: {setting.limit // MIB} MiB, {len(setting.programs)} programs, "
          f"{killed} kills", flush=True)
    # Until the kernel writes reports again.
    time.sleep(5)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else f"{HERE}/kills"
    settings = int(os.environ.get("SETTINGS", "36"))
    first = int(os.environ.get("FIRST", "1"))
    kills = int(os.environ.get("KILLS", "11"))
    check()
    for half in ("develop", "test"):
        os.makedirs(f"{folder}/{half}", exist_ok=True)
    for number in range(first, first + settings):
        half = "develop" if number % 2 else "test"
        record(number, f"{half}-{(number + 1) // 2:02}", f"{folder}/{half}", kills)


main()
