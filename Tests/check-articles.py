#!/usr/bin/env python3
"""Holds what the documentation prints to what Jettison prints.

    python3 Tests/check-articles.py --jettison PATH [--write] [ARTICLE ...]

Reads the README and every article for what a command printed. Comments in them, which no reader
sees, say where it comes from; commands run in a folder of the article's own, where `traces` and
`Tests` are those of the repository and `jettison` is the program under test.

    <!-- file: NAME -->        the code block below is written to NAME
    <!-- before: COMMAND -->   runs before what follows; nothing is compared
    <!-- shows: COMMAND -->    the code block below is what COMMAND prints, but for lines `$ ...` at its
                               head and a line that is only an ellipsis at its end
    <!-- figures: COMMAND -->  every number of the paragraph or item below is one that COMMAND prints
    <!-- elsewhere: TESTS -->  other tests hold the code block below to what a command prints

In a code block without a comment, what follows a line `$ COMMAND` is what that command prints, up to
the next one. A line that is only an ellipsis stands for any lines. A block that looks like a table of
ours and says nothing of where it comes from is an error.

With --write the blocks are written anew; without, any difference is shown. Commands that name $JETTISON_CAPTURES are skipped, visibly, where it is not
set, and so is all that follows in the article and needs a file that is not there. Exit status: 0 all
is as the documentation says, 1 it is not.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = re.compile(r"<!-- (file|before|shows|figures|elsewhere): (.*?) -->", re.S)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
RULE = re.compile(r"^ *-{3,}(  -{3,})+$", re.M)
WORDS = dict(zip("two three four five six seven eight nine ten eleven twelve thirteen fourteen "
                 "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
                 "seventy eighty ninety".split(),
                 [*range(2, 21), *range(30, 100, 10)]))


class Skipped(Exception):
    """A command needs captures, and there are none."""


class Article:
    """One file, and the folder that its commands run in."""

    def __init__(self, path, jettison, folder):
        self.path, self.folder = path, folder
        self.lines = path.read_text(encoding="utf-8").split("\n")
        self.faults, self.skipped, self.checked = [], [], 0
        self.has_all = True
        (folder / "bin").mkdir()
        (folder / "bin/jettison").symlink_to(jettison)
        for name in ("traces", "Tests"):
            (folder / name).symlink_to(ROOT / name)
        self.environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}",
                                LC_ALL="C.UTF-8")
        self.environment.pop("COLUMNS", None)

    def run(self, command, line, may_fail=False):
        """What a command prints on standard output."""
        needs_captures = "$JETTISON_CAPTURES" in command
        if not self.has_all or needs_captures and not os.environ.get("JETTISON_CAPTURES"):
            self.has_all = False
            self.skipped.append(f"{self.path.name}:{line}: no captures here: {command}")
            raise Skipped
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder,
                                env=self.environment, capture_output=True, text=True)
        if result.returncode != 0 and not may_fail:
            self.fault(line, f"status {result.returncode} of: {command}\n{result.stderr}")
        return result.stdout

    def fault(self, line, text):
        self.faults.append(f"{self.path.name}:{line}: {text}")

    def check(self):
        """Walks through the article; `self.lines` is then what it should be."""
        at, pending = 0, []
        while at < len(self.lines):
            line = self.lines[at]
            if line.startswith("<!-- ") and COMMENT.match(self.comment(at)):
                text = self.comment(at)
                pending.append((at + 1, *COMMENT.match(text).groups()))
                at += text.count("\n") + 1
            elif line.startswith("```"):
                at = self.block(at, pending)
                pending = []
            elif line.strip() and pending:
                at = self.prose(at, pending)
                pending = []
            else:
                at += 1

    def comment(self, at):
        """A comment, which may go on over lines."""
        end = next((i for i in range(at, len(self.lines)) if "-->" in self.lines[i]), at)
        return "\n".join(self.lines[at:end + 1])

    def befores(self, pending):
        """Runs what is to run before; returns what else is asked for."""
        asked = []
        for line, kind, text in pending:
            if kind != "before":
                asked.append((line, kind, text))
                continue
            try:
                self.run(text, line)
            except Skipped:
                pass
        return asked

    def prose(self, at, pending):
        """A paragraph or an item of a list; returns the line after it."""
        end = at + 1
        while end < len(self.lines) and self.lines[end].strip() \
                and not re.match(r"(\*|\d+\.|```) ?", self.lines[end]):
            end += 1
        text = " ".join(self.lines[at:end])
        # Numbers of an item, and names with digits in code, are no figures.
        text = re.sub(r"`[^`]*`", "", re.sub(r"^\d+\. ", "", text))
        for line, kind, command in self.befores(pending):
            if kind != "figures":
                self.fault(line, f"no code block below '{kind}'")
                continue
            try:
                printed = set(NUMBER.findall(self.run(command, line)))
            except Skipped:
                continue
            told = NUMBER.findall(text)
            told += [str(WORDS[word]) for word in re.findall(r"[a-z]+", text.lower())
                     if word in WORDS]
            self.checked += len(told)
            if not told:
                self.fault(at + 1, "no figure here")
            for number in told:
                if number.replace(",", "") not in printed and number not in printed:
                    self.fault(at + 1, f"{number} is not among what this prints: {command}\n"
                               f"{sorted(printed)}")
        return end

    def block(self, at, pending):
        """A code block; returns the line after it."""
        end = next(i for i in range(at + 1, len(self.lines)) if self.lines[i] == "```")
        body = self.lines[at + 1:end]
        asked = self.befores(pending)
        if any(kind == "file" for _, kind, _ in asked):
            name = next(text for _, kind, text in asked if kind == "file")
            (self.folder / name).write_text("\n".join(body) + "\n", encoding="utf-8")
            return end + 1
        if any(kind == "elsewhere" for _, kind, _ in asked):
            return end + 1
        shows = [(line, text) for line, kind, text in asked if kind == "shows"]
        if shows:
            kept = next((i for i, text in enumerate(body) if not text.startswith("$ ")), len(body))
            tail = body[-1:] if body[-1:] == ["…"] else []
            shown = body[kept:len(body) - len(tail)]
            new = body[:kept] + self.printed(shows[0][1], shows[0][0], shown) + tail
        elif any(line.startswith("$ ") for line in body):
            new = self.session(body, at + 2)
        elif RULE.search("\n".join(body)):
            self.fault(at + 1, "a table, and no word of the command that prints it")
            new = body
        else:
            return end + 1
        if new != body:
            self.fault(at + 1, "the code block is not what the command prints\n"
                       + "\n".join(difflib.unified_diff(body, new, "article", "jettison",
                                                        lineterm="", n=1)))
            self.lines[at + 1:end] = new
            end = at + 1 + len(new)
        return end + 1

    def session(self, body, line):
        """A block of commands, each with what it prints below it."""
        new, at = [], 0
        while at < len(body):
            end = at + 1
            while end < len(body) and not body[end].startswith("$ "):
                end += 1
            new.append(body[at])
            if body[at].startswith("$ "):
                new += self.printed(body[at][2:], line + at, body[at + 1:end])
            else:
                new += body[at + 1:end]
            at = end
        return new

    def printed(self, command, line, shown):
        """What should be shown: `shown` itself where an ellipsis in it stands for the difference."""
        try:
            # Status 1 and 2 are answers, too; what is printed is compared.
            printed = self.run(command, line, may_fail=True).rstrip("\n").split("\n")
        except Skipped:
            return shown
        self.checked += 1
        if "…" not in shown:
            return printed
        pieces = "\n".join(shown).split("…")
        pattern = "(?:.*\n)*?".join(re.escape(piece.strip("\n") + "\n") if piece.strip("\n") else ""
                                    for piece in pieces)
        text = "\n".join(printed) + "\n"
        if re.fullmatch(pattern + "(?:.*\n)*" if not pieces[-1].strip("\n") else pattern, text):
            return shown
        return printed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jettison", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("articles", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    articles = options.articles or [
        ROOT / "README.md", ROOT / "traces/README.md", *sorted(ROOT.glob("Sources/*/*.docc/**/*.md"))]
    checked, faults = 0, []
    for path in articles:
        with tempfile.TemporaryDirectory() as folder:
            article = Article(path, options.jettison.resolve(), pathlib.Path(folder))
            article.check()
        checked += article.checked
        for text in article.skipped:
            print(f"skipped: {text}")
        if options.write:
            path.write_text("\n".join(article.lines), encoding="utf-8")
        faults += article.faults
    for text in faults:
        print(text)
    print(f"documentation: {checked} outputs and figures in {len(articles)} files, "
          f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
