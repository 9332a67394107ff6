"""Every page and state of the page on telephones and at a desk, in light and dark: axe finds
nothing, nothing scrolls sideways, what is clicked is large enough for a finger, and no console has
an error."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.web_kit import ROOT, needs_npm
from tests.support.web_states import Given, given, looked, states
from tests.support.web_tabs import Tab, WebBrowser

pytestmark = [needs_npm, pytest.mark.slow]
ALL: tuple[str, ...] = ()
SIDES = ("scrollable-region-focusable",)
COLORS = ("color-contrast",)
Size = tuple[int, int]
IN_LIGHT: dict[Size, tuple[str, ...]] = {
    (360, 740): ALL,
    (390, 844): SIDES,
    (820, 1180): SIDES,
    (1280, 900): ALL,
}
IN_DARK: dict[Size, tuple[str, ...]] = {(360, 740): COLORS, (1280, 900): COLORS}
"""Sizes, and the rules of axe in each: what depends on the size alone is looked at in each, what
depends on colours in light and dark."""
DESK = 1280
"""A width at which nobody has only a finger."""
LOOKS = [("chrome", False), ("chrome", True), ("firefox", False), ("firefox", True)]
DARK = "layout.css.prefers-color-scheme.content-override"
TEMPLATES = {
    "home.html.j2": "main.home",
    "game.html.j2": "main.playing",
    "log.html.j2": "#whole-log article",
    "entry.html.j2": "main.entry-page",
    "help.html.j2": "main.help",
    "look.html.j2": "main.look",
    "failed.html.j2": "main:not([class])",
}
"""Where a page of the table is shown."""


class Looking:
    """All that was found wrong, and which pages were seen."""

    def __init__(self, sizes: dict[Size, tuple[str, ...]]) -> None:
        self.wrong: list[str] = []
        self.seen: set[str] = set()
        self.count = 0
        self._sizes = sizes

    def at(self, name: str, tab: Tab) -> None:
        """Look at a state of the page in every size."""
        self.count += 1
        self.seen.update(looked(tab, f"reach.shown({json.dumps(list(TEMPLATES.values()))})"))
        for (width, height), rules in self._sizes.items():
            tab.size(width, height)
            wide, there = tab.run(
                "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            found = [*tab.axe(*rules), *([f"it is {wide} wide"] if wide > there else [])]
            found += (
                [f"it is too small: {one}" for one in looked(tab, "reach.small()")]
                if width < DESK
                else []
            )
            self.wrong += [f"{name}, {width}: {one}" for one in found]
        said = tab.problems()
        if not name.startswith("door-shut"):  # there the browser tells why
            self.wrong += [f"{name}: {one}" for one in said]


@pytest.fixture(scope="module")
def ann(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    with given(tmp_path_factory.mktemp("given"), page_folder) as made:
        yield made


@pytest.mark.parametrize(("kind", "is_dark"), LOOKS)
def test_every_page_can_be_read_and_used(
    tmp_path: Path,
    ann: Given,
    kind: str,
    is_dark: bool,
    record_property: Callable[[str, object], None],
) -> None:
    looking, begun = Looking(IN_DARK if is_dark else IN_LIGHT), time.monotonic()
    with WebBrowser(kind, tmp_path, {DARK: int(not is_dark)}) as browser:
        for name, tab in states(browser, ann):
            if is_dark and kind == "chrome":
                tab.dark()
            assert tab.run("matchMedia('(prefers-color-scheme: dark)').matches") == is_dark
            looking.at(name, tab)
    look = f"{kind}, {'dark' if is_dark else 'light'}"
    figure = f"{looking.count} states of the page in {look}: {time.monotonic() - begun:.0f} s"
    record_property("figure", figure)
    print(figure)
    assert not looking.wrong, "\n".join(looking.wrong)
    source = (ROOT / "templates" / "web" / "index.html").read_text()
    own = re.sub(r"<!-- messenger -->.*?<!-- /messenger -->", "", source, flags=re.DOTALL)
    doors = {*re.findall(r'<template id="([a-z-]+)"', own)} - {
        *re.findall(r'data-put="([a-z-]+)"', own)
    }
    assert {*doors, *TEMPLATES.values()} <= looking.seen, (
        "a page that nobody looks at: tests/support/web_states.py"
    )


def test_every_page_of_the_table_is_known_here() -> None:
    """But for what a newcomer was sent, which a page shows at its door (`look.html.j2`), and who
    seeks a game, which needs a network."""
    known = {path.name for path in (ROOT / "templates" / "table").glob("*.html.j2")}
    assert known - {"came.html.j2", "find.html.j2"} == set(TEMPLATES)
