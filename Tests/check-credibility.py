#!/usr/bin/env python3
"""Holds the article "Credibility" to what Jettison gives for the shipped users.

    python3 Tests/check-credibility.py --jettison PATH [--write]

Replays both populations on every shipped device under `lru` and works out the rates per user-day
from the reports. Three kinds of tables in the article follow from them: the rates, our figures and
ratios beside published ones, and the devices whose users hear many warnings. With --write they are
written; without, any difference is shown and is an error. What was published, by whom, and why it
differs stands in the article alone.

No iPhone, iPad or iPod touch may warn its median user more than ten times a day, unless the article
lists it and names a source, or says that no figure was found and what is known. Exit status: 0 all
is as the article says, 1 it is not.
"""

import argparse
import collections
import csv
import difflib
import functools
import itertools
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLE = ROOT / "Sources/JettisonExperiments/JettisonExperiments.docc/Credibility.md"
POPULATIONS = ("users-2010", "users-today")
# No phone, but the cache of the literature: it has neither warnings nor a reserve.
LEFT_OUT = {"ideal-cache"}
APPLE = ("iphone-", "ipad-", "ipod-")
MOST_WARNINGS = 10
NO_FIGURE = "no figure found"
# What ends an app in the background, memory aside.
OTHER_ENDS = ("watchdog_terminations", "task_expirations", "gpu_kills", "shared_resource_kills")
# What the reports may end an app for, purges aside.
KILLS = ("background_kills", "foreground_kills", "limit_kills") + OTHER_ENDS
DAY = 86_400.0


def run(jettison, *arguments):
    """Runs the program; returns what it prints."""
    result = subprocess.run([str(part) for part in (jettison, *arguments)],
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"jettison {arguments[0]} ended with {result.returncode}: {result.stderr}")
    return result.stdout


def shipped_devices(jettison):
    """Name and RAM of every shipped device, oldest first."""
    rows = [re.split(r"\s{2,}", line) for line in run(jettison, "devices").splitlines()]
    names = [row for row in rows if len(row) > 4 and not set(row[0]) <= {"-", "─"}]
    return {row[0]: row[1] for row in names if row[0] not in LEFT_OUT | {"device"}}


def read(path, keep=None):
    """The rows of a report; keep: a pattern that the line of a row must have to be read."""
    with open(path, encoding="utf-8", newline="") as file:
        header = file.readline()
        lines = file if keep is None else (line for line in file if keep.search(line))
        yield from csv.DictReader(itertools.chain([header], lines))


def replay(jettison, devices, folder, populations=POPULATIONS, *options):
    """Replays populations; returns the folder of the reports."""
    folders = [ROOT / "traces" / population for population in populations]
    run(jettison, "compare", *folders, "--device", ",".join(devices), "--policies", "lru",
        "--csv", folder, "--quiet", *options)
    return folder


def traces(population):
    return sorted((ROOT / "traces" / population).glob("*.csv"))


def daemons():
    """Traces and names of the processes that the headers call daemons."""
    found = set()
    for population in POPULATIONS:
        for path in traces(population):
            header = "".join(line for line in path.open(encoding="utf-8") if line[0] == "#")
            found |= {(path.stem, name) for name in
                      re.findall(r'^#   "?([^\s":]+)"?: \{.*\bkind: daemon\b', header, re.M)}
    return found


POPULATION_OF = {path.stem: population for population in POPULATIONS for path in traces(population)}
DAEMONS = daemons()


class Rates:
    """The rates of one population on one device. Means are over users, per day of 24 hours."""

    def __init__(self, rows, apps, replay_events):
        self.rows = rows
        # Daemons are no apps that anybody opens: they are counted apart.
        self.daemons = [app for app in apps if (app["trace"], app["app"]) in DAEMONS]
        self.apps = [app for app in apps if (app["trace"], app["app"]) not in DAEMONS]
        self.replay_events = replay_events

    def each(self, *columns):
        """Per user: the columns' sum by the days."""
        return [sum(float(row[column]) for column in columns) / float(row["user_days"])
                for row in self.rows]

    def mean(self, *columns):
        return statistics.fmean(self.each(*columns))

    def mean_of(self, apps, *columns):
        """The same of some apps only."""
        total = sum(float(app[column]) for app in apps for column in columns)
        return total / sum(float(row["user_days"]) for row in self.rows)

    def share(self, part, whole):
        """Percent of a total, 0 of nothing."""
        return 100 * part / whole if whole else 0

    @functools.cached_property
    def seen(self):
        """What only the rows of events tell: a replay of its own."""
        return Seen(self.replay_events())

    def value(self, name):
        """The rate that the article calls so."""
        memory_ends = ("purges", "background_kills")
        rates = {
            "launches": lambda: self.mean("launches"),
            "apps-of-week": lambda: sum(float(app["launches"]) > 0 for app in self.apps)
                / len(self.rows),
            "apps-of-day": lambda: self.seen.apps_of_day,
            "warnings": lambda: self.mean("warnings"),
            "warnings-median": lambda: statistics.median(self.each("warnings")),
            "daemon-warnings": lambda: self.mean_of(self.daemons, "warnings"),
            "purges": lambda: self.mean("purges"),
            "kills": lambda: self.mean(*KILLS),
            "daemon-kills": lambda: self.mean_of(self.daemons, *KILLS),
            "front-kills": lambda: self.mean("foreground_kills"),
            "front-kill-percent":
                lambda: self.share(self.seen.front_kills, self.seen.launches),
            "killed-app-days-percent": lambda: self.seen.killed_app_days_percent,
            "purge-percent-of-background-ends": lambda: self.share(
                self.mean("purges"), self.mean_of(self.apps, *memory_ends, *OTHER_ENDS)),
            "cold": lambda: self.mean("cold_launches"),
            "cold-percent": lambda: self.share(self.mean("cold_launches"), self.mean("launches")),
            "relaunch-percent": lambda: self.share(
                self.mean("cold_launches_after_purge"), self.mean("launches")),
            "processes": lambda: statistics.fmean(
                [float(row["resident_apps_mean"]) for row in self.rows]),
            "apps-in-memory": lambda: self.seen.apps_in_memory,
        }
        if name not in rates:
            sys.exit(f"{ARTICLE.name}: there is no rate '{name}'; there are {', '.join(rates)}")
        return rates[name]()


class Seen:
    """What the rows of events tell about the apps of one population on one device."""

    def __init__(self, folder):
        days = {row["user"]: float(row["user_days"]) for row in read(folder / "summary.csv")}
        launched, killed, states, seconds = set(), set(), {}, 0
        self.launches = 0
        self.front_kills = 0
        for row in read(folder / "events.csv", re.compile(",(state|launch|kill),")):
            app = row["user"], row["app"]
            if (row["trace"], row["app"]) in DAEMONS:
                continue
            time = int(row["time_ns"]) / 1e9
            state, since = states.get(app, ("not-running", 0))
            if row["event"] == "state":
                seconds += time - since if state != "not-running" else 0
                states[app] = row["state_after"], time
            elif row["event"] == "launch" and row["cause"] != "background":
                self.launches += 1
                launched.add((*app, int(time // DAY)))
            elif row["event"] == "kill" and state in ("active", "inactive"):
                # Neither of the kills that are not for memory comes in front.
                self.front_kills += 1
                killed.add((*app, int(time // DAY)))
        seconds += sum(days[user] * DAY - since for (user, _), (state, since) in states.items()
                       if state != "not-running")
        self.apps_in_memory = seconds / DAY / sum(days.values())
        self.apps_of_day = len(launched) / sum(days.values())
        self.killed_app_days_percent = 100 * len(killed) / len(launched | killed)


def gather(jettison, folder, devices):
    """Rates by population and device."""
    for row in read(folder / "runs.csv"):
        if row["status"] != "ok":
            sys.exit(f"a run failed: {row['trace']} on {row['device']}: {row['reason']}")
    rows, apps = collections.defaultdict(list), collections.defaultdict(list)
    for found, name in ((rows, "summary.csv"), (apps, "apps.csv")):
        for row in read(folder / name):
            found[POPULATION_OF[row["trace"]], row["device"]].append(row)
    rates = {}
    for population in POPULATIONS:
        for device in devices:
            pair = population, device
            if len(rows[pair]) != len(traces(population)):
                sys.exit(f"{population} on {device}: {len(rows[pair])} runs")

            def replay_events(population=population, device=device):
                target = folder / f"events-{population}-{device}"
                return replay(jettison, [device], target, [population], "--detail", "events")

            rates[pair] = Rates(rows[pair], apps[pair], replay_events)
    return rates


def number(value):
    """As the article writes it."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 \
        else f"{value:.2f}" if value else "0"


def own_device(population):
    """What the headers of the population's traces name."""
    return re.search(r"^# device: (\S+)$", traces(population)[0].read_text(encoding="utf-8"),
                     re.M)[1]


def rates_table(rates, devices, population):
    own = own_device(population)
    columns = {
        "warnings": "warnings", "warnings-median": "their median",
        "daemon-warnings": "of them to daemons", "purges": "purges", "kills": "kills",
        "daemon-kills": "of daemons", "front-kills": "in front", "cold": "cold starts",
        "cold-percent": "of launches", "processes": "in memory",
    }
    lines = ["| Device | RAM | " + " | ".join(columns.values()) + " |",
             "|" + "---|" * (len(columns) + 2)]
    for device, memory in devices.items():
        cells = [f"**{device}**" if device == own else device, memory]
        cells += [figure(column, rates[population, device].value(column)) for column in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def figure(name, value):
    return number(value) + (" %" if "percent" in name else "")


def ratio(value, published):
    """Ours by theirs; of a range, by both ends."""
    if published.startswith(NO_FIGURE):
        return "–"
    bounds = [float(text) for text in
              re.findall(r"\d+(?:\.\d+)?", re.split(r"[;(]", published)[0])][:2]
    if not bounds or not all(bounds):
        sys.exit(f"{ARTICLE.name}: '{published}' is neither a figure nor '{NO_FIGURE}'")
    return " to ".join(number(value / bound) for bound in reversed(bounds))


def cells_of(line):
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def beside_table(rates, lines):
    """The same rows with our figure and the ratio as they are."""
    result = lines[:2]
    for line in lines[2:]:
        cells = cells_of(line)
        if len(cells) != 7:
            sys.exit(f"{ARTICLE.name}: a row beside published figures has not 7 cells: {line}")
        name = cells[1].strip("`").split("/")
        if len(name) != 3 or tuple(name[1:]) not in rates:
            sys.exit(f"{ARTICLE.name}: '{cells[1]}' is not rate/population/device")
        value = rates[tuple(name[1:])].value(name[0])
        cells[2] = figure(name[0], value)
        cells[4] = ratio(value, cells[3])
        result.append("| " + " | ".join(cells) + " |")
    return result


def above_table(rates, lines):
    """Apple's devices with many warnings; what the article says of each is kept."""
    sources = {tuple(row[:2]): row[3] for row in map(cells_of, lines[2:]) if len(row) == 4}
    result = ["| Population | Device | Median | Source, or what is known |", "|---|---|---|---|"]
    missing = []
    for (population, device), found in rates.items():
        median = found.value("warnings-median")
        if not device.startswith(APPLE) or median <= MOST_WARNINGS:
            continue
        source = sources.get((population, device), "")
        result.append(f"| {population} | {device} | {number(median)} | {source} |")
        if not source:
            missing.append(f"{population} on {device}: the median user hears {number(median)} "
                           f"warnings a day, more than {MOST_WARNINGS}, and nothing says why")
    return (result if len(result) > 2 else ["None."]), missing


def replaced(text, name, change):
    """The article with the lines between the marks of a place changed."""
    marks = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if any(text.count(mark) != 1 for mark in marks):
        sys.exit(f"{ARTICLE.name}: the place '{name}' is not marked once")
    before, rest = text.split(marks[0])
    inside, after = rest.split(marks[1])
    lines = change([line for line in inside.splitlines() if line.strip()])
    return before + "\n\n".join([marks[0], "\n".join(lines), marks[1]]) + after


def renewed(article, rates, devices):
    """The article as it ought to be, and sentences about what it does not explain."""
    text = article
    for population in POPULATIONS:
        text = replaced(text, f"rates of {population}",
                        lambda _, population=population: rates_table(rates, devices, population))
    text = replaced(text, "beside published figures", lambda lines: beside_table(rates, lines))
    missing = []

    def above(lines):
        table, without = above_table(rates, lines)
        missing.extend(without)
        return table

    return replaced(text, "many warnings", above), missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jettison", required=True, help="the program")
    parser.add_argument("--write", action="store_true", help="write the article's figures")
    arguments = parser.parse_args()
    devices = shipped_devices(arguments.jettison)
    article = ARTICLE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        reports = replay(arguments.jettison, devices, pathlib.Path(folder) / "reports")
        rates = gather(arguments.jettison, reports, devices)
        text, missing = renewed(article, rates, devices)
    print(f"credibility: {len(rates)} pairs of population and device")
    for sentence in missing:
        print(f"{ARTICLE.name}: {sentence}")
    if text != article and arguments.write:
        ARTICLE.write_text(text, encoding="utf-8")
        print(f"{ARTICLE.name}: written")
    elif text != article:
        print(f"{ARTICLE.name} does not say what Jettison gives; run this again with --write:")
        print("\n".join(difflib.unified_diff(
            article.splitlines(), text.splitlines(), "the article", "Jettison", lineterm="", n=0)))
        return 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
