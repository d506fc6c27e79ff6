#!/usr/bin/env python3
"""Runs the lines of the article "Reading the files" and compares every cell they read.

    python3 Tests/check-readers.py [--jettison PATH] [--require pandas,duckdb,r]

The lines are taken from the article itself, so what people copy is what is tested. They read the
traces of the repository, a trace that is as awkward as the format allows, and, with --jettison,
reports that are written on the spot. The article "Reports" must then describe every column as the
reports' own dictionary does. A reader that is not installed is skipped with a word, unless
it is required. Exit status: 0 all cells agree, 1 some do not, 2 a required reader is missing.
"""

import argparse
import csv
import importlib.util
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLE = ROOT / "Sources/JettisonReports/JettisonReports.docc/ReadingTheFiles.md"
COLUMNS = ROOT / "Sources/JettisonReports/JettisonReports.docc/Reports.md"
PLACEHOLDERS = {"Traces": "trace.csv", "Reports": "reports/summary.csv"}
# What fields hold below is legal, and unkind to readers: each row tries one thing.
AWKWARD_ROWS = [
    '0,"a # in quotes, and a comma",NA,launch,,,,1',
    '1,,"name, with ""quotes"" # and more",launch,,,,2',
    "2,plain,null,launch,,,,",
    "3,,123,launch,,,,x",
    "",
    "4,,123,alloc,0,9223372036854775807,,",
    "4,,123,alloc,10,-9223372036854775808,align=16,",
    "5,it's,123,edit,2048,,work_ms=0.5;scene=a%23b;x-foo=1,",
    '6,it\'s,123,edit,2048,,"work_ms=0.5;scene=a#b",',
    "7,,,home,,,,",
    "8,,café%20x 5,launch,,,,",
    "9,,nan,launch,,,,",
    "10,,true,launch,,,,",
    "11,,%3DSUM(A1),launch,,,,",
    "12,,two%0Alines,launch,,,,",
    "13,,a%2Cb%23c%22d,launch,,,,",
    "14,,2024-01-01,launch,,,,",
    "9007199254740993,,007,launch,,,,",
    "9007199254740995,,,end,,,reason=complete,",
]


def awkward_traces(folder):
    """Writes legal traces that are hard to read; returns their paths."""
    header = [
        "# jettison-trace: 1",
        "# device: iphone-4",
        '# user: "it\'s \\"quoted\\", with, commas"',
        "# source: don't",
        "#",
        "# apps:",
        '#   "NA": {category: notes}',
    ]
    # More header lines than readers look at to guess a form.
    header += [f"#   com.example.app-{number}: {{category: utility}}" for number in range(90)]
    columns = "time_ns,x-note,app,event,value,id,detail,x-n"
    rows = header + [columns] + AWKWARD_ROWS
    texts = {
        "awkward.csv": "\n".join(rows) + "\n",
        "awkward-crlf.csv": "\r\n".join(rows) + "\r\n",
        "awkward-mixed-ends.csv": "".join(
            row + ("\r\n" if number % 3 else "\n") for number, row in enumerate(rows)),
        "one-row.csv": "# jettison-trace: 1\ntime_ns,app,event,value,id,detail\n0,a,launch,,,",
        "other-order.csv": '# jettison-trace: 1\nid,"event",app,detail,value,time_ns\n'
        ",launch,007,,,0\n,launch,008,,,1\n,x-mine,007,,,2\n",
        # A word in a column of one's own, after tens of thousands of numbers.
        "late-word.csv": "# jettison-trace: 1\ntime_ns,app,event,value,id,detail,x-n\n"
        + "".join(f"{time},a,launch,,,,{time}\n" for time in range(30_000))
        + "30000,a,launch,,,,word\n",
    }
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_bytes(text.encode())
        paths.append(path)
    return paths


def write_reports(jettison, traces, folder, details="events,decisions,footprints"):
    """Writes reports of three policies over the traces; returns the paths of their CSV files."""
    paths = []
    commands = {
        "compare": ["compare", *traces, "--policies", "lru,lfu-decay,random+saved"],
        "replay": ["replay", traces[0]],
        "cache": ["compare", traces[0], "--capacity", "1apps,2apps", "--seeds", "2"],
    }
    for name, command in commands.items():
        target = folder / f"reports-{name}"
        options = ["--csv", target, "--quiet", *(["--detail", details] if details else [])]
        result = subprocess.run(
            [str(part) for part in [jettison, *command, *options]],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            sys.exit(f"jettison {name} ended with {result.returncode}: {result.stderr}")
        paths += sorted(target.glob("*.csv"))
    return paths


def lines_of_article():
    """The one-line samples by section and language."""
    samples = {}
    for section, body in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", ARTICLE.read_text(),
                                    re.M | re.S):
        if section not in PLACEHOLDERS:
            continue
        for language, code in re.findall(r"^```(\w+)\n(.*?)\n```$", body, re.M | re.S):
            if "\n" in code or code.count(PLACEHOLDERS[section]) != 1:
                sys.exit(f"{ARTICLE.name}: a sample of '{section}' is not one line with its file")
            samples[section, language] = code
    for section in PLACEHOLDERS:
        for language in ("python", "sql", "r"):
            if (section, language) not in samples:
                sys.exit(f"{ARTICLE.name}: '{section}' has no sample in {language}")
    return samples


def cells(path, section):
    """Header and rows by Python's own reader: what every line must agree with."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file
        if section == "Traces":
            lines = (line for line in file if not line.startswith("#") and line.strip())
        rows = list(csv.reader(lines))
    return rows[0], rows[1:]


def agrees(expected, found, is_rounded):
    """Whether a value read is what a field says; is_rounded: by a reader without 64-bit numbers."""
    if found is None or found is math.nan or str(found) in ("<NA>", "NaT"):
        return expected == ""
    if isinstance(found, float) and math.isnan(found):
        return expected == ""
    text = str(found)
    if text == expected:
        return True
    if not is_rounded and re.fullmatch("-?[0-9]+", text):
        # Both are whole: not a digit may differ.
        return re.fullmatch("-?[0-9]+", expected) and int(expected) == int(text)
    try:
        left, right = float(expected), float(text)
    except ValueError:
        return False
    return left == right or (is_rounded and math.isclose(left, right, rel_tol=1e-14))


def compare(reader, path, section, names, rows, is_rounded=False):
    """Counts and shows the cells that differ."""
    header, expected = cells(path, section)
    if list(names) != header or len(rows) != len(expected):
        print(f"{reader}: {path.name}: {len(rows)} rows of {list(names)[:8]}, "
              f"not {len(expected)} of {header[:8]}")
        return 1
    wrong = 0
    for number, (row, wanted) in enumerate(zip(rows, expected), 1):
        for name, cell, field in zip(header, row, wanted):
            if not agrees(field, cell, is_rounded):
                wrong += 1
                if wrong <= 3:
                    print(f"{reader}: {path.name}: row {number}: column '{name}': "
                          f"{cell!r} instead of {field!r}")
    return wrong


def check_columns(dictionary):
    """Counts and shows the lines about columns that the article on reports does not have."""
    def tables(text):
        return {name: [line for line in body.splitlines() if line.startswith("| `")]
                for name, body in re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", text, re.M | re.S)}

    article = tables(COLUMNS.read_text(encoding="utf-8"))
    wrong = 0
    for name, lines in tables(dictionary.read_text(encoding="utf-8")).items():
        described = [line for line in article.get(name, []) if line in lines]
        if described != lines:
            missing = [line for line in lines if line not in described]
            print(f"{COLUMNS.name}: {name}: {missing[:3] or 'another order of columns'}")
            wrong += 1
    return wrong


def check_pandas(samples, files):
    import pandas

    wrong = 0
    for path, section in files:
        code = samples[section, "python"].replace(PLACEHOLDERS[section], str(path))
        name, expression = code.split(" = ", 1)
        frame = eval(expression, {"pd": pandas})
        rows = frame.astype(object).values.tolist()
        wrong += compare("pandas", path, section, frame.columns, rows)
    return wrong


def check_duckdb(samples, files):
    import duckdb

    wrong = 0
    for path, section in files:
        result = duckdb.sql(samples[section, "sql"].replace(PLACEHOLDERS[section], str(path)))
        wrong += compare("duckdb", path, section, result.columns, result.fetchall())
    return wrong


def check_r(samples, files, folder):
    script = ["options(warn = 1, digits = 15)"]
    outputs = []
    for number, (path, section) in enumerate(files):
        output = folder / f"r-{number}.csv"
        code = samples[section, "r"].replace(PLACEHOLDERS[section], str(path))
        name = code.split(" <- ", 1)[0]
        script += [code, f'write.csv({name}, "{output}", row.names = FALSE, na = "", '
                   'fileEncoding = "UTF-8")']
        outputs.append(output)
    program = folder / "check.R"
    program.write_text("\n".join(script) + "\n", encoding="utf-8")
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/local/bin"}
    result = subprocess.run(
        ["Rscript", "--vanilla", str(program)], capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        print(f"r: {result.stderr}")
        return 1
    wrong = 0
    for (path, section), output in zip(files, outputs):
        names, rows = cells(output, "Reports")
        wrong += compare("r", path, section, names, rows, is_rounded=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jettison", help="the program, to write reports with")
    parser.add_argument("--require", default="", help="readers that must be there: pandas,duckdb,r")
    arguments = parser.parse_args()
    required = [name for name in arguments.require.split(",") if name]
    samples = lines_of_article()
    missing = []
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        traces = sorted(path for folder in ("stories", "users-2010", "users-today")
                        for path in (ROOT / "traces" / folder).glob("*.csv"))
        awkward = awkward_traces(folder)
        files = [(path, "Traces") for path in traces + awkward]
        if arguments.jettison:
            for path in awkward + traces[:1]:
                reports = write_reports(arguments.jettison, [path], folder / path.stem)
                files += [(report, "Reports") for report in reports]
            # Details of two weeks say the same words as those of fifty.
            weeks = {path.parent.name: path for path in traces if path.parent.name != "stories"}
            detailed = [path for path in traces if path.parent.name == "stories"]
            detailed += weeks.values()
            reports = write_reports(arguments.jettison, detailed, folder / "detailed")
            reports += write_reports(arguments.jettison, traces, folder / "all", details=None)
            files += [(report, "Reports") for report in reports]
            wrong += check_columns(reports[0].parent / "columns.md")
        else:
            print("reports: skipped (say where the program is with --jettison)")
        readers = {
            "pandas": (importlib.util.find_spec("pandas"), lambda: check_pandas(samples, files)),
            "duckdb": (importlib.util.find_spec("duckdb"), lambda: check_duckdb(samples, files)),
            "r": (shutil.which("Rscript"), lambda: check_r(samples, files, folder)),
        }
        for reader, (is_there, check) in readers.items():
            if not is_there:
                print(f"{reader}: skipped (not installed)")
                missing += [reader] if reader in required else []
                continue
            found = check()
            wrong += found
            print(f"{reader}: {len(files)} files, {found} cells differ")
    if missing:
        print(f"required and not installed: {', '.join(missing)}")
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
