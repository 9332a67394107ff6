"""What reports say of a game of Loot: the work with the deck, cards not readable yet, the score,
and what is proven."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.loot.game import RULES
from pbem.fileformat import turnfile
from pbem.games.loot.stage_board import each, name_of
from pbem.ledger.gate import LastSeen, extend
from pbem.ledger.ledger import Ledger
from pbem.mail import compose
from pbem.mail.compose import MailFacts
from pbem.report import dice_count, render, verification
from pbem.report.model import Unread, names_of
from pbem.turn import own_report
from tests.support.golden_words import Golden
from tests.support.loot_homes import Table
from tests.support.loot_match import Match, whole_game
from tests.support.terminal import at_a_terminal

ROOT = Path(__file__).parents[3]
ARCHIVED = (ROOT / "tests/archive/loot-1.toml").read_bytes()
WORK = re.compile(
    r"Player \d (?:joins and|sets the game up|shuffles the deck \(.*?\))"
    r"|Player \d helps the others to \w+ \d+ cards|6 cards [\w ]+ player"
)
"""What is told of the work with the deck."""
LAST = 8
"""The number of entries with which the cards of four partners are dealt and readable to the
first."""


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Four in pairs, some turns into the game. Nothing may be written there."""
    table = Table.of(Match(4, partners=1).until(4), tmp_path_factory.mktemp("pairs"))
    rng = random.Random(2)

    def choose(seat: str, options: Any) -> str:
        played = [option for option in options if option != "draw"]
        return str(rng.choice(played)) if played and rng.random() < 0.5 else "draw"

    while len(table.game().entries) < 24 or not _fought(table):
        assert len(table.game().entries) < 60
        table.step(choose)
    return table


def _fought(table: Table) -> bool:
    """Whether somebody attacks a ship now."""
    facts, _ = own_report.facts_for(table.opened(0), public=True)
    return any(ship["attackers"] for ship in facts.position.view["ships"])


def shown(table: Table, seat: int, template: str = "report.txt.j2", **options: bool) -> str:
    facts, _ = own_report.facts_for(table.opened(seat), public=options.get("public", False))
    return render.render(template, facts)


def told(data: bytes, template: str) -> list[str]:
    """What is public of each entry, one text an entry."""
    file = turnfile.read(data)
    if data not in _told_of:
        _go_through(data, 0)
    return [told_last(file.prefix(number), template) for number in range(1, len(file.entries) + 1)]


def told_last(data: bytes, template: str) -> str:
    """What is public of the newest entry."""
    return render.render(template, _newest(data))


def _newest(data: bytes) -> MailFacts:
    """What there is to tell of the newest entry, and of it alone."""
    if data not in _told_of:
        _go_through(data, len(turnfile.read(data).entries) - 1)
    return _told_of[data]


def _go_through(data: bytes, first: int) -> None:
    """Note what there is to tell of each entry from the `first`, with one look at all of them."""
    game, seen, file = Ledger(), LastSeen(), turnfile.read(data)
    for entry in file.entries:
        extend(game, seen, entry)
        if entry.number >= first:
            facts, _ = compose.facts_of(game, seen)
            _told_of[file.prefix(entry.number + 1)] = replace(
                facts, report=facts.report.with_entries(facts.report.position.entries[-1:])
            )


_told_of: dict[bytes, MailFacts] = {}


@pytest.mark.dear("plays Loot with its true deck")
def test_the_work_with_the_deck_is_told(pairs: Table, golden: Golden) -> None:
    """Sitting down, shuffles in their order, the deal once, shares by their number; later, where
    cards are drawn, shares go without saying."""

    def lines_of(template: str) -> list[str]:
        texts = [" ".join(text.split()) for text in told(pairs.data, template)]
        assert " draws " in " ".join(texts[LAST:])
        return [f"{at}: {line}" for at, text in enumerate(texts) for line in WORK.findall(text)]

    report = lines_of("report.txt.j2")
    assert {line[0] for line in report} == {str(number) for number in range(LAST)}
    golden(*report)
    assert lines_of("report.md.j2") == report
    for template in ("mail.txt.j2", "mail.html.j2"):
        # an invitation says who invites, and how to join
        assert lines_of(template) == [line for line in report if line[0] != "0"]


def test_a_card_drawn_is_not_readable_before_all_have_written(
    tmp_path: Path, golden: Golden
) -> None:
    table = Table.joined(tmp_path, 3)
    while table.moves is None:
        table.step(lambda _seat, _options: "draw")
    facts, _ = own_report.facts_for(table.opened(0), public=False)
    assert (len(facts.position.hand), facts.position.unread) == (6, Unread(1, ["second", "third"]))
    for template in ("report.txt.j2", "report.md.j2", "asked.txt.j2"):
        (hand,) = (line for line in shown(table, 0, template).splitlines() if "Your hand" in line)
        golden(hand)
    table.step(lambda _seat, _options: "draw")
    golden(*(line for line in shown(table, 0).splitlines() if "Your hand" in line))
    table.step(lambda _seat, _options: "draw")
    facts, _ = own_report.facts_for(table.opened(0), public=False)
    assert (len(facts.position.hand), facts.position.unread.count) == (7, 0)
    golden(*(line for line in shown(table, 0).splitlines() if "Your hand" in line))


def test_what_is_owed_without_a_decision_is_named(tmp_path: Path, golden: Golden) -> None:
    table = Table.joined(tmp_path, 3)
    for seat in range(3):
        assert "The last hand" not in shown(table, seat), "no hand is shown before the deal"
        golden(*(line for line in shown(table, seat).splitlines() if "pbem play" in line))
        table.step(lambda _seat, _options: "draw")


def test_a_partners_hand_is_sorted_and_the_moves_are_listed(pairs: Table) -> None:
    for seat in range(4):
        facts, _ = own_report.facts_for(pairs.opened(seat), public=False)
        partner = facts.position.view["hands"][seat ^ 1]
        known = [card["card"] for card in partner["cards"] if card["card"]]
        assert known == sorted(known) and len(known) + partner["unread"] == partner["count"]
        assert known and f"Your partner's hand (Player {seat ^ 1}): {', '.join(known)}" in shown(
            pairs, seat
        )
        assert ("You can say: " in shown(pairs, seat)) is (
            facts.progress.to_act == facts.position.seat
        )
        assert "You can say" not in shown(pairs, seat, public=True)


def test_a_long_list_of_moves_is_cut_short(pairs: Table) -> None:
    seat = int(str(pairs.game().to_act()))
    facts, _ = own_report.facts_for(pairs.opened(seat), public=False)
    for number, words in (
        (12, "You can say: m0; m1; "),
        (13, "; m11; and 1 more, which `pbem moves FILE` lists"),
    ):
        text = render.render(
            "report.txt.j2",
            replace(facts, turn=replace(facts.turn, moves=[f"m{move}" for move in range(number)])),
        )
        assert words in text and ("more, which" in text) is (number > 12) and "m12" not in text


def test_the_options_are_told_in_words(pairs: Table, golden: Golden) -> None:
    golden(shown(pairs, 0).splitlines()[0])
    switches = (
        "pirates_on_trumped_ship",
        "captain_on_partner_ship",
        "end_on_deck_out_with_empty_hand",
    )
    words = RULES.settings_in_words({"players": 3, "start": 2, **dict.fromkeys(switches, 0)})
    assert len(words) == 5
    golden(*words)


# ---- the end -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, list[bytes]]:
    """Two pairs to the proven end, with the files of the last entries. Nothing may be written
    there."""
    match = whole_game(4, 1)
    file = turnfile.read(match.data)
    files = [file.prefix(number + 1) for number in range(len(file.entries))[-9:]]
    return Table.of(match.fork(), tmp_path_factory.mktemp("over")), files


GOLD = re.compile(r"\d gold")


def test_the_score_explains_itself_once_for_a_pair(
    over: tuple[Table, list[bytes]], golden: Golden
) -> None:
    table, files = over
    facts, _ = own_report.facts_for(table.opened(0), public=False)
    scores, totals = facts.position.view["scores"], facts.progress.over.totals
    assert [score["side"] for score in scores] == ["first and second", "third and fourth"]
    assert [(total.side, total.points) for total in totals] == [
        (s["side"], s["points"]) for s in scores
    ]
    assert any(score["in_hand"] for score in scores), "a ship was left in a hand"
    for template in ("report.txt.j2", "report.md.j2"):
        golden(*(line for line in shown(table, 0, template).splitlines() if GOLD.search(line)))
    _go_through(files[-1], len(turnfile.read(files[0]).entries) - 1)
    scored = {line for data in files for line in told_last(data, "report.txt.j2").splitlines()}
    golden(*sorted(line for line in scored if GOLD.search(line)))


def test_what_the_roots_prove_is_said_truly(
    over: tuple[Table, list[bytes]], golden: Golden
) -> None:
    """Every shuffle and share was proven before; nothing here was sealed, and no die was thrown."""
    _, files = over
    said = [verification.in_words(verification.verify(data)[0]) for data in files[-6:]]
    ends = [text.partition("\nChecked by: ")[2].splitlines()[1:] for text in said]
    golden(*dict.fromkeys(line for lines in ends for line in lines))
    for template in ("report.txt.j2", "report.md.j2"):
        last = told_last(files[-1], template)
        assert "pbem dice" not in last and "whole deck" not in last


def test_no_dice_are_thrown(golden: Golden) -> None:
    facts = dice_count.dice(ARCHIVED)
    assert facts.rolls == [] and facts.totals == {}
    text = dice_count.dice_in_words(facts)
    for made in facts.shuffles:
        assert f"turn {made.entry}: {made.seat} " in text
    players = len({made.seat for made in facts.shuffles})
    assert facts.draws == 78 and facts.shares == verification.verify(ARCHIVED)[0].shares
    assert 60 * players < facts.shares < 78 * players, (
        "those of the last cards follow from the roots"
    )
    golden(text, dice_count.dice_in_words(dice_count.dice(turnfile.read(ARCHIVED).prefix(1))))


# ---- at a terminal -------------------------------------------------------------------------------


@pytest.mark.dear("plays Loot with its true deck")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
@pytest.mark.parametrize(
    ("columns", "environment", "seats"), [(40, {}, (0, 3)), (80, {"NO_COLOR": "1"}, (1, 2))]
)
def test_the_table_in_a_terminal_tells_all_that_the_text_tells(
    pairs: Table, tmp_path: Path, columns: int, environment: dict[str, str], seats: tuple[int, ...]
) -> None:
    file = tmp_path / "turn.toml"
    file.write_bytes(pairs.data)
    for seat in seats:
        command = ["show", str(file), "--all"]
        screen = at_a_terminal(
            pairs.homes[seat].folder, tmp_path, command, columns=columns, **environment
        )
        coloured = re.search(r"\x1b\[[0-9;]*3[0-7]m", screen) is not None
        assert coloured is (not environment)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", screen)
        assert "▸" in plain and "…" not in plain
        assert max(map(len, plain.splitlines())) <= columns
        words, text = _words(plain), shown(pairs, seat)
        for line in text[text.index("Captured") :].splitlines()[1:]:
            assert _words(line) in words, line
        facts, _ = own_report.facts_for(pairs.opened(seat), public=False)
        view = {**facts.position.view, "called": names_of(facts.position.players)}
        for ship in view["ships"]:
            for side in ship["attackers"]:
                skulls = f"{side['strength']} skull{'s' * (side['strength'] > 1)}"
                told = f"{skulls} in {side['colour']}"
                assert told in plain
                if columns == 40:  # one ship below the other
                    assert _words(f"{told} of {each(view, side['side'])}") in words
            if columns == 40:
                leads, taken_by = (ship[key] or "" for key in ("leader", "taken_by"))
                goes = f"{each(view, leads)} when {name_of(view, taken_by)} is next"
                assert _words(goes if leads else "a tie: nobody takes it") in words
        for side in view["captured"]:
            first = name_of(view, side["side"].split(" and ")[0])
            assert words.count(_words(f"{first}: {side['gold']} gold")) == 1, "once for a pair"
            assert _words(f"{each(view, side['side'])}: {side['gold']} gold") in words


def _words(text: str) -> str:
    """Letters and numbers alone: a cell of a narrow table goes over several lines."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())
