"""The page's Python under node: the same rules, ledger and pages as on the desktop, with other
primitives."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.games import BUILT_IN
from pbem.ledger.gate import replay
from tests.support.web_kit import Answer, NodePage, needs_npm

pytestmark = needs_npm


def play(page: NodePage, game: str, entries: int) -> bytes:
    """Begin a game, make so many turns of its first answers, as their buttons do; the newest
    file."""
    began = page.post("/new", game=game)
    assert began.status == 303, began.text
    path = began.headers["location"]
    shown = page.get(path)
    for _ in range(entries):
        shown = turn(page, path, shown)
    return page.get(f"{path}/file/{shown.value('data-file')}").body


def turn(page: NodePage, path: str, shown: Answer) -> Answer:
    """Answer until the turn can be signed, and sign it."""
    while 'name="sign"' not in shown.text:
        answer = re.search(r'name="answer" value="([^"]+)"', shown.text)
        assert answer is not None, shown.text
        shown = page.post(
            f"{path}/do", mark=shown.value("data-mark"), answer=html.unescape(answer[1])
        )
        assert shown.status == 200 and 'class="refusal" role="alert"' not in shown.text
    return page.post(f"{path}/do", mark=shown.value("data-mark"), sign="yes")


@pytest.mark.dear("looks at the built page")
def test_a_solitaire_game_is_begun_played_and_signed(page: NodePage) -> None:
    """What the page signs the desktop verifies."""
    assert page.post("/web/start").facts["kind"] == "new"
    told = page.post("/web/introduce", name="Ann", mail="ann@example.org").facts
    assert (told["name"], told["kind"], told["warning"]) == ("Ann", "open", "")
    data = play(page, "tripoli-solitaire", 2)
    ledger = replay(turnfile.read(data))
    assert (
        ledger.rules is not None
        and ledger.rules.name == "tripoli-solitaire"
        and len(ledger.entries) == 3
    )


LIST_LACKS = {
    *(f"engine.{name}" for name in ("backgammon", "loot", "paradise", "tripoli")),
    *("pbem.table.game_routes", "pbem.replay", "pbem.mail.compose", "email.policy"),
    *(f"pbem.web.{name}" for name in ("chat", "keeping", "out", "visit")),
}
"""What only games need that are played, and what else the list of games does without."""


@pytest.mark.dear("packs the page")
def test_the_list_of_games_loads_no_game_and_compiles_nothing(page_folder: Path) -> None:
    """And a game that is played loads its own."""
    with NodePage(page_folder) as page:
        page.post("/web/introduce", name="Ann", mail="")
        page.post("/web/start")
        listed = page.get("/").text
        assert all(f'</label> <a class="small" href="#/help/{game}' in listed for game in BUILT_IN)
        assert _loaded(page) & LIST_LACKS == set()
        new = page.python("packed = ahead.packed(); len(known.sources) - len(packed.sources)")
        assert new == 0, "a dataclass or a named tuple was compiled in the page"
        new = page.python("' '.join(map(repr, known.patterns.keys() - packed.patterns.keys()))")
        assert new == "", "a pattern was compiled in the page"
        play(page, "tripoli-solitaire", 1)
        assert {"engine.tripoli", "pbem.table.game_routes"} <= _loaded(page)
        assert not _loaded(page) & {"engine.paradise", "engine.loot", "engine.backgammon"}


def _loaded(page: NodePage) -> set[str]:
    return set(page.python("import sys; ' '.join(sys.modules)").split())
