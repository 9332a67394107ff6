"""The page's Python under node: the same rules, ledger and pages as on the desktop, with other
primitives."""

from __future__ import annotations

import html
import re

from pbem.fileformat import turnfile
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
