#!/usr/bin/env python3
"""Holds the pictures of the documentation to the pages that Jettison writes.

    python3 Tests/make-pictures.py --jettison PATH [--write]

A picture is a figure of a page over the shipped traces, with the style sheet of the page in it. With
--write the pictures are made anew; without, any difference is an error.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/JettisonPages/JettisonPages.docc/Resources"

# Name of the picture, the command that writes the page, the section and the figure in it.
PICTURES = [
    ("policy-field.svg",
     "compare traces/users-today --policies lru,lru+saved,size,gdsf,landlord-loss,belady "
     "--seeds 1", "compared-1", 0),
    ("skyline.svg", "replay traces/stories/draft-lost-at-purge.csv --seeds 1", "skyline-1", 0),
]

FONT = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif"

# Around the plot: room for its labels.
WIDTH, LEFT, TOP, RIGHT, BOTTOM = 720, 72, 34, 28, 56


def figure(page, section, number):
    """The SVG of a figure, and what its vertical scale is called."""
    start = page.index(f'<section id="{section}"')
    text = page[start:page.index("</section>", start)]
    found = re.findall(r"<figure.*?</figure>", text, re.S)[number]
    title = re.search(r'<p class="unit">(.*?)</p>', found).group(1)
    inner = re.search(r'<div class="plot[^"]*">(<svg.*</svg>)</div>', found, re.S).group(1)
    return inner, title


def skyline(page, command, section):
    """A skyline with its own scale: the drawing without what leads somewhere or is told on hover."""
    start = page.index(f'<section id="{section}"')
    drawn = re.search(r'<svg class="skyline".*?</svg>', page[start:], re.S).group(0)
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn).groups()
    drawn = re.sub(r"<title>.*?</title>", "", drawn, flags=re.S)
    drawn = re.sub(r'<a class="end" href="[^"]*"', '<g class="end"', drawn).replace("</a>", "</g>")
    drawn = re.sub(r'<rect class="hit"[^>]*/>', "", drawn)
    drawn = re.sub(r' (tabindex|role|data-[a-z]+)="[^"]*"', "", drawn)
    drawn = drawn.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                          f'height="{height}" font-family="{FONT}" ', 1)
    head = (f"<desc>jettison {command}</desc>\n<style>\n{skyline_style(page)}\n</style>\n"
            '<rect width="100%" height="100%" fill="var(--paper)"/>\n')
    place = drawn.index(">") + 1
    return drawn[:place] + "\n" + head + drawn[place:] + "\n"


def style(page):
    """The rules of the style sheet that a figure needs."""
    sheet = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    sheet = sheet[:sheet.index("/* Skylines")]
    start = sheet.index(":root")
    colours = sheet[start:sheet.index("* {")]
    rules = [line for line in sheet.split("\n")
             if line.startswith(("svg ", ".good", ".plain", ".series", ".wide-only", "@media (min-width: 40rem) { .wide-only"))]
    return colours + "\n".join(rules)


def skyline_style(page):
    """The rules of the style sheet that a skyline needs, with those of all figures before."""
    sheet = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    colours = sheet[sheet.index(":root"):sheet.index("* {")]
    own = sheet[sheet.index(":root { --shade"):sheet.index("@media print")]
    start = own.index("svg.skyline {")
    rules = [line for line in own[start:].split("\n")
             if line.startswith(("svg ", "svg.skyline ")) and "focus" not in line]
    text = [line for line in sheet.split("\n") if line.startswith(("svg text", "svg .grid", "svg .tick"))]
    return colours + own[:start] + "\n".join(text + rules[1:])


def picture(jettison, command, section, number):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        subprocess.run([jettison, *command.split(), "-q", "--html", path], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)
        page = path.read_text(encoding="utf-8")
    if section.startswith("skyline"):
        return skyline(page, command, section)
    inner, title = figure(page, section, number)
    height = int(re.search(r' height="(\d+)"', inner).group(1))
    inner = inner.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    inner = re.sub(r' width="100%"', f' x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}"', inner,
                   count=1)
    # Nobody reaches a mark of a picture with a key.
    inner = inner.replace(' tabindex="0"', "").replace(' data-tip=""', "")
    size = (WIDTH, TOP + height + BOTTOM)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        f'width="{size[0]}" height="{size[1]}" '
        f'font-family="{FONT}">\n'
        f"<desc>jettison {command}</desc>\n"
        f"<style>\n{style(page)}\n</style>\n"
        '<rect width="100%" height="100%" fill="var(--paper)"/>\n'
        f'<text x="8" y="20" class="axis-title">{title}</text>\n{inner}\n</svg>\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jettison", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    for name, command, section, number in PICTURES:
        made = picture(arguments.jettison, command, section, number)
        path = FOLDER / name
        if arguments.write:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(made, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            print(f"{path.relative_to(ROOT)} is not what jettison {command} draws (--write)")
            wrong += 1
    print(f"make-pictures: {len(PICTURES)} pictures, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
