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
from pbem.games.loot.table_layout import each, name_of
from pbem.ledger.gate import LastSeen, extend
from pbem.ledger.ledger import Ledger
from pbem.mail import compose
from pbem.mail.compose import MailFacts
from pbem.report import dice_count, render, verification
from pbem.report.model import Unread, names_of
from pbem.turn import open_game
from tests.support.loot_homes import Table
from tests.support.loot_match import Match, whole_game
from tests.support.terminal import at_a_terminal

ROOT = Path(__file__).parents[3]
ARCHIVED = (ROOT / "tests/archive/loot-1.toml").read_bytes()
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
    facts, _ = open_game.facts_for(table.opened(0), public=True)
    return any(ship["attackers"] for ship in facts.position.view["ships"])


def shown(table: Table, seat: int, template: str = "report.txt.j2", **options: bool) -> str:
    facts, _ = open_game.facts_for(table.opened(seat), public=options.get("public", False))
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
@pytest.mark.parametrize(
    "template", ["report.txt.j2", "report.md.j2", "mail.txt.j2", "mail.html.j2"]
)
def test_the_work_with_the_deck_is_told(pairs: Table, template: str) -> None:
    """Sitting down, shuffles in their order, the deal once, shares by their number."""
    texts = [" ".join(text.split()) for text in told(pairs.data, template)]
    joined = [
        number
        for number, text in enumerate(texts)
        if re.search(" joins and has | sets the game up ", text)
    ]
    # an invitation says who invites, and how to join
    first = 1 if template.startswith("mail") else 0
    assert joined == [0, 1, 2, 3][first:]
    shuffled = {
        number: match[0]
        for number, text in enumerate(texts)
        if (match := re.search(r"Player \d shuffles the deck \(shuffle \d of 4\)", text))
    }
    assert shuffled == {
        nth: f"Player {nth} shuffles the deck (shuffle {nth + 1} of 4)" for nth in range(first, 4)
    }
    assert [
        number for number, text in enumerate(texts) if "6 cards are dealt to each player" in text
    ] == [3]
    assert "helps the others" not in texts[3], "the last seat was open to anybody"
    for number in (4, 5, 6, 7):
        assert f"Player {number - 4} helps the others to read 18 cards" in texts[number]
    assert not [text for text in texts if "what the others need" in text or "is dealt" in text]
    later = " ".join(texts[LAST:])
    assert " draws " in later and "helps the others" not in later, (
        "in a turn that goes without saying"
    )


def test_a_card_drawn_is_not_readable_before_all_have_written(tmp_path: Path) -> None:
    table = Table.joined(tmp_path, 3)
    while table.moves is None:
        table.step(lambda _seat, _options: "draw")
    facts, _ = open_game.facts_for(table.opened(0), public=False)
    assert (len(facts.position.hand), facts.position.unread) == (6, Unread(1, ["second", "third"]))
    for template in ("report.txt.j2", "report.md.j2", "asked.txt.j2"):
        text = shown(table, 0, template)
        assert f"Your hand: {', '.join(facts.position.hand)}, and 1 card not readable yet" in text
        assert "(until Player 1 and Player 2 have written again)" in text
    table.step(lambda _seat, _options: "draw")
    assert "(until Player 2 has written again)" in shown(table, 0)
    table.step(lambda _seat, _options: "draw")
    facts, _ = open_game.facts_for(table.opened(0), public=False)
    assert (len(facts.position.hand), facts.position.unread.count) == (
        7,
        0,
    ) and "not readable" not in shown(table, 0)


def test_what_is_owed_without_a_decision_is_named(tmp_path: Path) -> None:
    table = Table.joined(tmp_path, 3)
    assert "`pbem play FILE` lets Player 1 and Player 2 read the new cards" in shown(table, 0)
    table.step(lambda _seat, _options: "draw")
    for seat in (1, 2):
        assert "`pbem play FILE` lets Player 0 read the new cards" in shown(table, seat)
        assert "The last hand" not in shown(table, seat), "no hand is shown before the deal"
        table.step(lambda _seat, _options: "draw")


def test_a_partners_hand_is_sorted_and_the_moves_are_listed(pairs: Table) -> None:
    for seat in range(4):
        facts, _ = open_game.facts_for(pairs.opened(seat), public=False)
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
    facts, _ = open_game.facts_for(pairs.opened(seat), public=False)
    for number, words in (
        (12, "You can say: m0; m1; "),
        (13, "; m11; and 1 more, which `pbem moves FILE` lists"),
    ):
        text = render.render(
            "report.txt.j2",
            replace(facts, turn=replace(facts.turn, moves=[f"m{move}" for move in range(number)])),
        )
        assert words in text and ("more, which" in text) is (number > 12) and "m12" not in text


def test_the_options_are_told_in_words(pairs: Table) -> None:
    assert ": 4 players in pairs\n" in shown(pairs, 0)
    assert ": 4 players in pairs. Player 0 has the first seat" in shown(pairs, 0, "report.md.j2")
    switches = (
        "pirates_on_trumped_ship",
        "captain_on_partner_ship",
        "end_on_deck_out_with_empty_hand",
    )
    words = RULES.settings_in_words({"players": 3, "start": 2, **dict.fromkeys(switches, 0)})
    assert words[:2] == ["3 players", "second begins"] and len(words) == 5


# ---- the end -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, list[bytes]]:
    """Two pairs to the proven end, with the files of the last entries. Nothing may be written
    there."""
    match = whole_game(4, 1)
    file = turnfile.read(match.data)
    files = [file.prefix(number + 1) for number in range(len(file.entries))[-9:]]
    return Table.of(match.fork(), tmp_path_factory.mktemp("over")), files


def test_the_score_explains_itself_once_for_a_pair(over: tuple[Table, list[bytes]]) -> None:
    table, files = over
    facts, _ = open_game.facts_for(table.opened(0), public=False)
    scores, totals = facts.position.view["scores"], facts.progress.over.totals
    assert [score["side"] for score in scores] == ["first and second", "third and fourth"]
    assert [(total.side, total.points) for total in totals] == [
        (s["side"], s["points"]) for s in scores
    ]
    words = {score["side"]: _in_words(score) for score in scores}
    assert any("less" in line for line in words.values()), (
        "a game in which a ship was left in a hand"
    )
    for template in ("report.txt.j2", "report.md.j2"):
        text = shown(table, 0, template)
        for side, line in words.items():
            assert f"Result of {PAIRS[side]}: {line}" in text
        first, second = (f"{PAIRS[total.side]} {total.points}" for total in totals)
        assert f"({first}, {second} gold)" in text
    _go_through(files[-1], len(turnfile.read(files[0]).entries) - 1)
    scored = [
        text for data in files if "gold captured" in (text := told_last(data, "report.txt.j2"))
    ]
    assert any(
        all(f"{PAIRS[side]}: {line}" in text for side, line in words.items()) for text in scored
    )


PAIRS = {"first and second": "Player 0 and Player 1", "third and fourth": "Player 2 and Player 3"}
"""How the words call the pairs of a game."""


def _in_words(score: dict[str, Any]) -> str:
    if not score["in_hand"]:
        return f"{score['captured']} gold captured, no ship left in hand"
    left = score["captured"] - score["points"]
    return (
        f"{score['captured']} gold captured, less {left} on ships left in hand: {score['points']}"
        " gold"
    )


def test_what_the_roots_prove_is_said_truly(over: tuple[Table, list[bytes]]) -> None:
    """Every shuffle and share was proven before; nothing here was sealed, and no die was thrown."""
    _, files = over
    said = [verification.in_words(verification.verify(data)[0]) for data in files[-6:]]
    waiting = [text for text in said if "unproven" in text]
    assert all(
        "the shares and the opened cards are proven without that" in text for text in waiting
    )
    counting = [text for text in said if "Nothing is left to decide" in text]
    assert waiting and counting
    follows = re.compile(r"follows when all secrets are opened, and waits for \w+, who calls")
    assert all(follows.search(text) for text in counting)
    for text in (said[-1], verification.in_words(verification.verify(ARCHIVED)[0])):
        assert "a proof that no card was added or exchanged" in text and "each with a proof" in text
        assert (
            "Every player has opened what was secret, and it gives again what its seat did with the"
            " common deck" in text
        )
        assert "roll" not in text and "seals" not in text
    for template in ("report.txt.j2", "report.md.j2"):
        last = told_last(files[-1], template)
        assert "opens their shuffle, so that everybody can check it" in last
        assert "pbem dice" not in last and "whole deck" not in last
    assert "every signature, shuffle, share, card and rule" in told_last(files[-1], "report.md.j2")


def test_no_dice_are_thrown() -> None:
    facts = dice_count.dice(ARCHIVED)
    assert facts.rolls == [] and facts.totals == {}
    text = dice_count.dice_in_words(facts)
    assert text.startswith("No dice are thrown in Loot") and "expected" not in text
    for made in facts.shuffles:
        assert f"turn {made.entry}: {made.seat} shuffles, and proves it" in text
    players = len({made.seat for made in facts.shuffles})
    assert facts.draws == 78 and facts.shares == verification.verify(ARCHIVED)[0].shares
    assert 60 * players < facts.shares < 78 * players, (
        "those of the last cards follow from the roots"
    )
    assert f"{facts.shares} shares given" in text
    text = dice_count.dice_in_words(dice_count.dice(turnfile.read(ARCHIVED).prefix(1)))
    assert "turn 0: first shuffles" in text and "turn 1" not in text and "drawn" not in text


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
        for line in text[text.index("Cards in hand") :].splitlines()[1:]:
            assert _words(line) in words, line
        facts, _ = open_game.facts_for(pairs.opened(seat), public=False)
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
