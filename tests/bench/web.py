"""The page that plays in a browser: its size, its start, a click, and joining Loot; beside them
what the first sketch of it took, on a machine as busy as that was (a load of five)."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from tests.support.browsers import HEADLESS, IS_THERE, NODE
from tests.support.web_kit import built, libraries
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import Tab, WebBrowser, begin, hosted, until_memory

PACKED = """
const { gzipSync, brotliCompressSync, constants } = require("node:zlib");
const { BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_QUALITY: quality } = constants;
const { readFileSync } = require("node:fs");
const squeezed = (data) => brotliCompressSync(data, { params: { [quality]: 9, [window]: 24 } }).length;
const sizes = process.argv.slice(1).map((path) => readFileSync(path)).map((data) =>
  [data.length, gzipSync(data, { level: 9 }).length, squeezed(data)]);
console.log(JSON.stringify([0, 1, 2].map((kind) => sizes.reduce((sum, one) => sum + one[kind], 0))));
"""  # noqa: E501


CLICK = """(async () => {{
  const page = main(), before = page.dataset.mark, start = performance.now();
  document.querySelector({button}).click();
  while (main().dataset.mark === before) await new Promise((next) => setTimeout(next, 1));
  return performance.now() - start;
}})()"""
"""Milliseconds from a click to the page that answers it."""


BARE = """<!DOCTYPE html><title>Python</title><script type="module">
import { loadPyodide } from "./pyodide.mjs";
(await loadPyodide()).runPython("1");
window.started = performance.now();
</script>"""
"""Pyodide and nothing else."""


def figures() -> list[tuple[str, str, str]]:
    if NODE is None:
        return [("npm and node are not installed", "", "")]
    folder = built()
    sizes = _sizes(folder)
    if HEADLESS is None or not IS_THERE:
        return [*sizes, ("Chromium or puppeteer-core is not installed", "", "")]
    with (
        tempfile.TemporaryDirectory() as name,
        hosted(folder) as site,
        WebBrowser("chrome", Path(name) / "browser") as browser,
    ):
        return [*sizes, *_starts(folder, Path(name)), *_times(browser, site.url, Path(name))]


def _sizes(folder: Path) -> list[tuple[str, str, str]]:
    """Of everything that is loaded before a game can be played."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    run = subprocess.run(
        [str(NODE), "-e", PACKED, *map(str, paths)], capture_output=True, check=True
    )
    plain, gzip, brotli = (f"{size / 1e6:.1f} MB" for size in json.loads(run.stdout))
    return [
        ("what is loaded, as it lies there", plain, ""),
        ("  by gzip", gzip, "11.2 MB; 7.9 with only what is needed"),
        ("  by brotli", brotli, "10.2 MB; 6.9 with only what is needed"),
    ]


def _starts(page: Path, folder: Path) -> list[tuple[str, str, str]]:
    """How many times as long as bare Pyodide the page takes to the list of games, once the browser
    has kept it; in turn, in one tab, so that both meet the same machine."""
    bare = shutil.copytree(libraries(page), folder / "bare")
    (bare / "index.html").write_text(BARE)
    found = []
    for kind in ("chrome", "firefox"):
        with (
            hosted(page) as site,
            hosted(bare) as other,
            WebBrowser(kind, folder / kind) as browser,
        ):
            tab = browser.tab()
            begin(tab, site.url, "Ann")
            tab.until("promises.offline")
            until_memory(tab, "picture")
            ours, theirs = [], []
            for _ in range(5):
                tab.goto(other.url)
                tab.until("window.started")
                theirs.append(float(tab.run("window.started")))
                tab.goto(site.url)
                tab.wait("main.home")
                ours.append(_since_start(tab))
        times = statistics.median(ours) / statistics.median(theirs)
        note = f"{statistics.median(ours):.0f} and {statistics.median(theirs):.0f} ms"
        found.append((f"to the list of games in {kind}, bare Pyodide as 1", f"{times:.2f}", note))
    return found


def _times(browser: WebBrowser, url: str, folder: Path) -> list[tuple[str, str, str]]:
    tab = browser.tab()
    begin(tab, url, "Ann")
    first = _since_start(tab)
    tab.reload()
    tab.wait("main.home")
    again = _since_start(tab)
    loot = InPage(tab, "Ann", browser.downloads)
    loot.take(AtDesktop(folder, "Ben").invite("loot"))
    joined = _after_click(tab, "[name=join]")
    loot.home()
    tab.click("form:has([value=tripoli-solitaire]) [data-action=alone]")
    tab.wait("main.playing")
    clicks = [_after_click(tab, "[data-answer]") for _ in range(5)]
    return [
        ("from an empty cache to the list of games", f"{first / 1000:.1f} s", "4.4 s"),
        ("started again", f"{again / 1000:.1f} s", "2.6 s"),
        (
            "a click in a solitaire game, the median of five",
            f"{statistics.median(clicks):.0f} ms",
            "56 ms",
        ),
        ("joining Loot", f"{joined / 1000:.1f} s", "1.1 s"),
    ]


def _after_click(tab: Tab, button: str) -> float:
    return float(tab.run(CLICK.format(button=json.dumps(button))))


def _since_start(tab: Tab) -> float:
    """Milliseconds since the browser began to load the page."""
    return float(tab.run("performance.now()"))
