"""What somebody is told who plays Loot for the first time: how seats are taken, which card has just
become readable, what a draw asks of whom, and that the end is the end."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.loot.game import RULES
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.ledger.gate import follow, replay
from pbem.ledger.signatures import Verifier
from pbem.mail import compose
from pbem.report import render
from pbem.report.facts import report
from pbem.turn import joining, open_game, own_report, signing, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.archived import Believing
from tests.support.golden_words import Golden
from tests.support.loot_homes import Table

ROOT = Path(__file__).parents[3]
ARCHIVED = (ROOT / "tests/archive/loot-1.toml").read_bytes()


def draw(_seat: str, options: Sequence[str]) -> str:
    return "draw" if "draw" in options else options[0]


def shown(table: Table, seat: int, template: str = "report.txt.j2") -> str:
    facts, _ = own_report.facts_for(table.opened(seat), public=False)
    return render.render(template, facts)


def mailed(data: bytes, verifier: Verifier | None = None) -> str:
    """The words that the mail of the newest entry tells first, on one line."""
    game, seen = follow(turnfile.read(data), verifier)
    facts, _ = compose.facts_of(game, seen)
    return " ".join(render.render("mail.txt.j2", facts).split("WHAT HAPPENED")[0].split())


def test_free_seats_are_taken_one_after_the_other(tmp_path: Path, golden: Golden) -> None:
    """Who invites two at once gets two joins for one seat: they are told before they send the
    file."""
    table = Table(tmp_path, 3)
    for template in ("report.txt.j2", "report.md.j2"):
        (words,) = (line for line in shown(table, 0, template).splitlines() if "pbem join" in line)
        golden(words)
    assert "one player" not in mailed(table.data), "that is for whoever invites"
    golden(signing.next_step(table.game()))
    home = table.homes[1]
    table.data = joining.join(open_game.open_file(table.data, home), home)
    assert "pbem join FILE" in shown(table, 2) and "one player only" not in shown(
        table, 2
    ) + mailed(table.data)
    golden(signing.next_step(table.game()))
    home = table.homes[2]
    table.data = joining.join(open_game.open_file(table.data, home), home)
    assert "pbem join" not in shown(table, 2) + mailed(table.data)
    golden(signing.next_step(table.game()))
    with pytest.raises(Refused) as caught:
        joining.join(open_game.open_file(table.data, home), home)
    assert "pbem show FILE" in str(caught.value)


@pytest.fixture
def begun(tmp_path: Path) -> Table:
    """Two players, whose first turn comes next."""
    table = Table.joined(tmp_path, 2)
    while table.moves is None:
        table.step(draw)
    return table


def test_a_card_that_became_readable_is_named(begun: Table) -> None:
    """Not at the deal, where all of them are; then once, at the turn after the one that drew it."""
    fresh = []
    for number in range(4):
        seat = begun.game().to_act()
        assert seat is not None
        facts, _ = own_report.facts_for(begun.opened(seat), public=False)
        fresh.append(facts.turn.fresh)
        for template in ("report.txt.j2", "report.md.j2"):
            assert ("(new:" in render.render(template, facts)) == (
                number > 0 and facts.turn.fresh != facts.position.hand
            )
        begun.step(draw)
    assert len(fresh[0]) in (0, 6) and all(len(cards) == 1 for cards in fresh[1:])
    seat = begun.game().to_act()
    assert seat is not None
    facts, _ = own_report.facts_for(begun.opened(seat), public=False)
    (new,) = facts.turn.fresh
    assert f"(new: {new})" in render.render("report.txt.j2", facts) and new in facts.position.hand
    assert own_report.facts_for(begun.opened(seat), public=True)[0].turn.fresh == []
    assert own_report.facts_for(begun.opened(1 - seat), public=False)[0].turn.fresh == []


def test_moves_come_in_the_order_of_the_cards(begun: Table) -> None:
    """A hand is drawn in any order; what can be said is listed as the cards are."""
    rng, compared = random.Random(1), 0

    def choose(_seat: str, options: Sequence[str]) -> str:
        return str(rng.choice(list(options)))

    for _ in range(16):
        seat = begun.game().to_act()
        assert seat is not None
        facts, _ = own_report.facts_for(begun.opened(seat), public=False)
        cards = [move.split(" at ")[0] for move in facts.turn.moves if move != "draw"]
        places = [RULES.cards.index(card) for card in cards]
        assert places == sorted(places)
        compared += len(set(places)) > 1
        begun.step(choose)
    assert compared > 3


def test_who_answers_a_draw_is_not_sent_to_play(tmp_path: Path, golden: Golden) -> None:
    """`pbem play` refuses while a draw waits; who has accepted is not told that they may accept."""
    table = Table.joined(tmp_path, 3)
    while table.moves is None:
        table.step(draw)
    seat = table.game().to_act()
    assert seat is not None
    with pytest.raises(Refused, match="pbem draw FILE --offer"):
        take_turn.next_entry(table.opened(seat), Intent(["draw"], draw="offer"))
    table.data = take_turn.next_entry(table.opened(seat), Intent(draw="offer"))
    words = mailed(table.data)
    assert "pbem play" not in words.partition("HOW TO GO ON")[0]
    golden(words)


def test_the_end_is_told_in_words(golden: Golden) -> None:
    """Cards that are shown for the score by their number and no handle; a root needs only `pbem
    play`; then nothing is left to do."""
    file, said = turnfile.read(ARCHIVED), []
    for number in range(len(file.entries) - 5, len(file.entries) + 1):
        said.append(mailed(file.prefix(number), Believing()))
        assert not re.search(r"to open c\d", said[-1])
    golden(*said[-4:])
    game = replay(file, Believing())
    for template in ("report.txt.j2", "report.md.j2"):
        facts = report(game, None, {}, len(game.entries) - 1)
        assert "over and proven" in render.render(template, facts)
