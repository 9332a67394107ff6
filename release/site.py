"""The site: `./run site` builds `dist/site/`, static files for any web space, from `docs/`, README
and the example games, with MkDocs.

It has the pages of `docs/`, for each game one with a game to watch and to check, the page that
checks games with its digest, and the page to play, where `./run web` has built it. Nothing in it
comes from elsewhere or tells anybody who reads it. Its address is that of the page to play
(`PAGE_ADDRESS` in `pbem/__init__.py`) without its last folder; while that is empty the site names
none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from examples import make_pages
from pbem import PAGE_ADDRESS
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.report import facts
from pbem.report.lines import DiceLine
from release import seek_list

ROOT = Path(__file__).parents[1]
WORK, SITE = ROOT / "build" / "site", ROOT / "dist" / "site"
GAMES = ("tripoli", "solitaire", "backgammon", "loot", "paradise")
"""Pages of `docs/` about a game; the folder of this name in `examples/` has the one to watch."""
NAV = {
    "Play": ("start", "turn", "table", "mail", "seek", "league", "web", "messenger"),
    "Games": (*GAMES, "any"),
    "Trust": ("trust", "format"),
    "More": ("commands", "library", "write-a-game", "json", "design", "contributing", "release"),
}
PLAY = "play/"
FILM = "-game.html"
"""How the page of a whole game ends, after the game's name."""
_STEP = re.compile(r"entry-[0-9]+\Z")  # a step of a film, which the page itself makes
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


class SiteError(Exception):
    """What keeps the site from being published."""


def pages(has_page: bool) -> dict[str, str]:
    """The pages in Markdown, by name: what lies in `docs/`, with what only the site has."""
    found = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    for game in GAMES:
        watch = (
            f"**[Watch a whole game]({game}{FILM})**, move by move; the page checks every"
            " signature, die and card of it while you look.\n"
        )
        found[f"{game}.md"] = _TITLE.sub(rf"# \1\n\n{watch}", found[f"{game}.md"], count=1)
    found["index.md"] = _first_page(has_page)
    found["changes.md"] = _of_root("CHANGELOG.md")
    digest = hashlib.sha256((ROOT / "docs" / "check.html").read_bytes()).hexdigest()
    found["check-a-game.md"] = (
        "# Check a game\n\n[The page that checks games](check.html) is one file: keep it, and open"
        " it without a network. A game that you drop on it is computed again, every signature, die"
        f" and card of it.\n\nSHA-256 of the file: `{digest}`\n"
    )
    return {name: _inside(text) for name, text in found.items()}


def _first_page(has_page: bool) -> str:
    """README with a film before all else, and without what only a checkout has."""
    text = _of_root("README.md").replace("](CHANGELOG.md)", "](changes.md)")
    film = (
        f'<iframe src="tripoli{FILM}#entry-{_liveliest()}"'
        ' title="A game of The Shores of Tripoli, to watch"'
        ' style="width: 100%; height: max(30rem, 100vh - 16rem); border: 0"></iframe>\n\n'
        f"[The same on a page of its own](tripoli{FILM}) · [Check a game](check-a-game.md)"
    )
    if has_page:
        film += f" · **[Play in this browser]({PLAY}index.html)**"
    first, heading, rest = text.partition("\n## ")
    return f"{first}\n{film}\n{heading}{rest}"


def _liveliest() -> int:
    """The turn of the example with the most dice: the film begins where there is something to
    see."""
    data = make_pages.newest(make_pages.HERE / "tripoli").read_bytes()
    told = facts.report(gate.replay(turnfile.read(data)), None, {}, 0).position.entries
    dice = {
        one.number: sum(len(line.dice) for line in one.lines if isinstance(line, DiceLine))
        for one in told
    }
    return max(dice, key=lambda number: dice[number])


def _of_root(name: str) -> str:
    """A page of the checkout itself, as if it lay in `docs/`."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
    text = text.replace("]: docs/", "]: ")
    return re.sub(r"\]\((\w+/)", r"](../\1", text).replace("](../pictures/", "](pictures/")


def _inside(text: str) -> str:
    """The text, where what lies outside of `docs/` is named and no link."""
    return re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text)


def write(folder: Path, has_page: bool) -> None:
    """What MkDocs reads."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    shutil.copytree(ROOT / "docs" / "pictures", source / "pictures")
    for name, text in pages(has_page).items():
        (source / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "check.html", source)
    for game in GAMES:
        make_pages.write(make_pages.HERE / game, source / f"{game}{FILM}")
    if has_page:
        shutil.copytree(ROOT / "dist" / "web", source / PLAY)
    nav = [{"Overview": "index.md"}]
    nav += [{part: [f"{name}.md" for name in names]} for part, names in NAV.items()]
    nav[3]["Trust"].append("check-a-game.md")
    nav[4]["More"].append("changes.md")
    settings = {
        "site_name": "pbem",
        "site_url": PAGE_ADDRESS.removesuffix(PLAY),
        "docs_dir": "source",
        "theme": {"name": "mkdocs", "highlightjs": False, "color_mode": "auto"},
        "use_directory_urls": False,
        "validation": {"anchors": "info", "not_found": "warn", "unrecognized_links": "info"},
        "nav": nav,
    }
    # JSON is YAML
    (folder / "mkdocs.yml").write_text(json.dumps(settings, indent=1), encoding="utf-8")


class _Links(HTMLParser):
    """What a page leads to, what it loads, and the names in it that links can lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: set[str] = set()
        self.loads: set[str] = set()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.names |= {known[key] or "" for key in ("id", "name") if key in known}
        if tag == "a" and known.get("href"):
            self.leads.add(known["href"] or "")
        elif tag == "link" and known.get("rel") != "canonical" and known.get("href"):
            self.loads.add(known["href"] or "")
        elif known.get("src"):
            self.loads.add(known["src"] or "")


def broken(site: Path) -> Iterator[str]:
    """Links that lead nowhere, and what a page would load from elsewhere. The page to play is
    looked at by its own build."""
    parsed: dict[Path, _Links] = {}
    for path in sorted(site.rglob("*.html")):
        if not path.is_relative_to(site / PLAY):
            parsed[path] = _Links()
            parsed[path].feed(path.read_text(encoding="utf-8"))
    for path, links in parsed.items():
        for link in sorted(links.leads | links.loads):
            if urlparse(link).scheme in ("http", "https", "mailto", "data"):
                if link in links.loads and not link.startswith("data:"):
                    yield f"{path.relative_to(site)} loads {link}"
                continue
            to, anchor = urldefrag(link)
            target = (path.parent / unquote(to)).resolve() if to else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link} leads nowhere"
            elif target.name.endswith(FILM) and _STEP.match(anchor):
                continue
            elif anchor and target in parsed and unquote(anchor) not in parsed[target].names:
                yield f"{path.relative_to(site)}: {link} has no such place"


def build() -> None:
    """Build the site. Raises `SiteError`."""
    write(WORK, has_page=(ROOT / "dist" / "web" / "index.html").is_file())
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean"]
    ran = subprocess.run(
        [*command, "-f", str(WORK / "mkdocs.yml"), "-d", str(SITE)],
        capture_output=True,
        encoding="utf-8",
    )
    if ran.returncode:
        raise SiteError((ran.stdout + ran.stderr).strip()[-2000:])
    # dates of today; and a page that needs an address
    for unneeded in ("sitemap.xml", "sitemap.xml.gz", "404.html"):
        (SITE / unneeded).unlink(missing_ok=True)
    if found := list(broken(SITE)):
        raise SiteError("\n".join(found))


def main() -> None:
    parser = argparse.ArgumentParser(prog="run site", description="Builds the site.")
    parser.add_argument(
        "--seeks",
        metavar="FOLDER",
        type=Path,
        help="put the seeks of this folder into the site, as seeks.json (docs/seek.md)",
    )
    options = parser.parse_args()
    try:
        build()
        if options.seeks is not None:
            print(seek_list.write(options.seeks, SITE))
    except (SiteError, PbemError) as error:
        sys.exit(f"run: {error}")
    files = [path for path in SITE.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    play = "with" if (SITE / PLAY).is_dir() else "without"
    print(f"dist/site: {len(files)} files, {size / 1e6:.1f} MB, {play} the page to play")


if __name__ == "__main__":
    main()
