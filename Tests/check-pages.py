#!/usr/bin/env python3
"""Opens pages in headless Chromium and finds what nobody should see.

    python3 Tests/check-pages.py PAGE.html… [--shots DIR] [--axe FILE]

Every page is opened at 360, 800 and 1600 px, light and dark. It must come up within a second
without a message on the console, ask for nothing, be no wider than the window, cut or cover no text
of a figure, name every mark and let keys reach it, and have no serious finding of axe-core, whose
script is that of the package axe-selenium-python or the file named. Its tables must sort, its marks
tell their story on focus, and where a folder with the name of the page, without the ending, lies
beside it, the files that the page saves must be those of the folder, byte for byte.

Needs Chromium with its driver, and the package selenium. Without them it says so and passes.
"""

import argparse
import importlib.util
import json
import pathlib
import shutil
import sys
import tempfile
import time

WIDTHS = [360, 800, 1600]
SCHEMES = ["light", "dark"]

# Texts of figures that are cut by the window or cover each other, elements wider than the window,
# marks without a name.
LOOK = """
const found = [];
const width = document.documentElement.clientWidth;
const shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden';
if (document.documentElement.scrollWidth > width) {
  const wide = [...document.querySelectorAll('body *')].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.right > width + 1 && !e.closest('.scroll, pre');
  }).slice(0, 3).map((e) => e.tagName + '.' + (e.getAttribute('class') || '') + ' ' +
    e.textContent.slice(0, 40));
  found.push('wider than the window: ' + document.documentElement.scrollWidth + ' ' + wide.join(' | '));
}
for (const svg of document.querySelectorAll('figure svg[role=group]')) {
  const texts = [...svg.querySelectorAll('text')].filter(shown).map((e) => {
    return {text: e.textContent, box: e.getBoundingClientRect()};
  });
  // What scrolls is cut by its own edges only.
  const room = svg.closest('.scroll') ? svg.getBoundingClientRect() : {left: 0, right: width};
  for (const {text, box} of texts) {
    if (box.left < room.left - 0.5 || box.right > room.right + 0.5) found.push('cut: ' + text);
  }
  for (let i = 0; i < texts.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [texts[i].box, texts[j].box];
    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (x > 1 && y > 3) found.push('covered: ' + texts[i].text + ' | ' + texts[j].text);
  }
}
for (const mark of document.querySelectorAll('.mark')) {
  if (!mark.getAttribute('aria-label')) found.push('a mark without a name');
  if (mark.tabIndex !== 0) found.push('a mark that keys do not reach');
}
return found;
"""

# What the script adds: the first table sorts by its last column, a mark tells its story.
WORKS = """
const found = [];
const table = document.querySelector('table.sortable');
const head = table && table.tHead.rows[0].lastElementChild;
if (head) {
  head.querySelector('button').click();
  const direction = head.getAttribute('aria-sort');
  const values = [...table.tBodies[0].rows].map((row) => row.cells[head.cellIndex])
    .map((cell) => cell.dataset.value !== undefined ? parseFloat(cell.dataset.value) : cell.textContent)
    .filter((value) => !Number.isNaN(value));
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (direction === 'descending') sorted.reverse();
  if (!direction || values.join() !== sorted.join()) found.push('a table that does not sort');
}
const mark = document.querySelector('.mark');
if (mark) {
  mark.focus();
  const tip = document.getElementById('tip');
  if (tip.hidden || tip.textContent !== mark.getAttribute('aria-label')) {
    found.push('a mark that tells nothing on focus');
  }
}
return found;
"""

# All rules, or those named.
AXE = """
const [rules, done] = arguments;
const only = rules ? {runOnly: {type: 'rule', values: rules}} : {};
axe.run(document, {resultTypes: ['violations'], ...only}).then((result) => done(result.violations.filter(
  (v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id + ': ' +
  v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200)).join(' | '))));
"""


def driver():
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def axe_script(path):
    if path:
        return pathlib.Path(path).read_text()
    import axe_selenium_python

    folder = pathlib.Path(axe_selenium_python.__file__).parent
    return next(folder.rglob("axe.min.js")).read_text()


def look(browser, page, width, scheme, axe, shots):
    """What is wrong with a page at a width, in words."""
    height = 900
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    for kind in ["browser", "performance"]:
        browser.get_log(kind)
    address = page.resolve().as_uri()
    browser.get(address)
    found = [f"console: {entry['message']}" for entry in browser.get_log("browser")]
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] != "Network.requestWillBeSent":
            continue
        asked = message["params"]["request"]["url"]
        if asked.split("#")[0] != address and not asked.startswith("data:"):
            found.append(f"asks for {asked}")
    ready = browser.execute_script(
        "const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd")
    if ready > 1000:
        found.append(f"ready after {ready:.0f} ms only")
    found += browser.execute_script(LOOK)
    if shots:
        import base64

        picture = browser.execute_cdp_cmd(
            "Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": {
                "x": 0, "y": 0, "width": width, "scale": 1,
                "height": min(12000, browser.execute_script(
                    "return document.documentElement.scrollHeight"))}})
        name = f"{page.stem}-{width}-{scheme}.png"
        (shots / name).write_bytes(base64.b64decode(picture["data"]))
    if axe:
        # In a world of its own: the policy of the page lets no other script in.
        browser.execute_script(axe)
        browser.set_script_timeout(120)
        # Schemes differ in colours alone, so that all other rules are looked at in one of them.
        rules = None if scheme == SCHEMES[0] else ["color-contrast"]
        found += [f"axe: {finding}" for finding in browser.execute_async_script(AXE, rules)]
    return found, ready


def saved(browser, page):
    """What is wrong with the files that a page saves, in words."""
    folder = page.with_suffix("")
    if not folder.is_dir():
        return []
    found = []
    with tempfile.TemporaryDirectory() as downloads:
        browser.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads})
        buttons = browser.find_elements("css selector", "button.download")
        for button in buttons:
            browser.execute_script("arguments[0].click()", button)
            name = button.get_attribute("data-file")
            path = pathlib.Path(downloads) / name
            for _ in range(100):
                if path.exists() and not list(pathlib.Path(downloads).glob("*.crdownload")):
                    break
                time.sleep(0.1)
            if not path.exists() or path.read_bytes() != (folder / name).read_bytes():
                found.append(f"{name} is not what --csv wrote")
        if not buttons:
            found.append("no file can be saved")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path, help="directory for screenshots")
    parser.add_argument("--axe", help="axe.min.js")
    arguments = parser.parse_args()
    if not shutil.which("chromedriver") or not importlib.util.find_spec("selenium"):
        print("check-pages: no Chromium with a driver here, so pages are not looked at")
        return 0
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    axe = axe_script(arguments.axe)
    browser = driver()
    wrong = 0
    try:
        for page in arguments.pages:
            slowest = 0
            for width in WIDTHS:
                for scheme in SCHEMES:
                    found, ready = look(browser, page, width, scheme, axe, arguments.shots)
                    slowest = max(slowest, ready)
                    wrong += len(found)
                    for finding in found:
                        print(f"{page.name} at {width} px, {scheme}: {finding}")
            found = browser.execute_script(WORKS) + saved(browser, page)
            wrong += len(found)
            for finding in found:
                print(f"{page.name}: {finding}")
            print(f"{page.name}: {page.stat().st_size / 1e6:.2f} MB, ready in {slowest:.0f} ms")
    finally:
        browser.quit()
    print(f"check-pages: {wrong} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
