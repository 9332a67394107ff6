"""A whole game through the commands, and what a third person with an empty home can say of it."""

from __future__ import annotations

import itertools
import json

import pytest

from pbem.games import registry
from pbem.report import dice_count
from tests.support import starter
from tests.support.begun_game import BegunGame
from tests.support.leaks import count_secrets_kept


def test_a_third_home_verifies_the_game_in_a_process_of_its_own(finished: BegunGame) -> None:
    cleo = finished.stranger()
    code, out, err = starter.types(cleo.home, cleo.folder, "verify", finished.last, "--json")
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert facts["ok"] is True and facts["error"] is None
    assert facts["entries"] == len(finished.files)
    assert facts["rolls"] > 5 and facts["openings"] > 0
    assert facts["result"]["winners"] and facts["result"]["proven"] is True
    assert facts["to_act"] == []
    assert not cleo.home.exists(), "to verify needs no home"


def test_the_words_of_verify_name_the_winner(finished: BegunGame) -> None:
    _, out, _ = finished.stranger().types("verify", finished.last)
    winner = finished.ann.does("verify", finished.last)["result"]["winners"][0]
    (told,) = (line for line in out.splitlines() if line.startswith("Result: "))
    assert winner in told and f'"{finished.players[winner].name}"' in told


def test_every_file_is_the_beginning_of_the_next_and_names_sort(finished: BegunGame) -> None:
    assert finished.files == sorted(finished.files)
    contents = [(finished.folder / file).read_bytes() for file in finished.files]
    assert all(after.startswith(before) for before, after in itertools.pairwise(contents))
    assert {(finished.folder / file).with_suffix(".md").is_file() for file in finished.files} == {
        True
    }


def test_both_players_and_the_public_see_the_same_board_at_the_end(finished: BegunGame) -> None:
    seen = [
        finished.ann.does("show", finished.last),
        finished.ben.does("show", finished.last),
        finished.stranger().does("show", finished.last),
    ]
    assert seen[0]["board"] == seen[1]["board"] == seen[2]["board"]
    assert seen[0]["over"] == seen[2]["over"]
    assert seen[2]["over"] is not None
    assert seen[2]["hand"] is None and isinstance(seen[0]["hand"], list)


@pytest.mark.parametrize(
    "command",
    [("play",), ("play", "event thomas"), ("moves",), ("resign", "--yes"), ("draw",)],
    ids=" ".join,
)
def test_nothing_can_be_written_after_the_end(
    finished: BegunGame, command: tuple[str, ...]
) -> None:
    name, *answers = command
    before = finished.listing()
    for player in finished.players.values():
        code, out, err = player.types(name, finished.last, *answers)
        assert (code, out) == (1, "") and " over" in err
    assert finished.listing() == before


def test_the_dice_of_the_whole_game_add_up(finished: BegunGame) -> None:
    facts = finished.stranger().does("dice", finished.last)
    assert len(facts["rolls"]) == finished.ann.does("verify", finished.last)["rolls"]
    thrown = [die for roll in facts["rolls"] for die in roll["dice"]]
    assert (
        facts["totals"]["d6"]["all"]["dice"]
        == len(thrown)
        == sum(facts["totals"]["d6"]["all"]["faces"].values())
    )
    assert facts["totals"]["d6"]["all"]["faces"]["6"] == thrown.count(6)
    for roll in facts["rolls"]:
        assert {"season", "reason", "dice", "witness", "pending"} <= roll.keys()
        assert not roll["pending"] and len(roll["dice"]) == roll["count"]
        assert roll["witness"] in ("american", "tripolitan")


def test_no_report_named_what_only_another_seat_knew(finished: BegunGame) -> None:
    assert count_secrets_kept((finished.folder / finished.last).read_bytes()) > 500


def test_no_summary_named_a_card_before_it_was_opened(finished: BegunGame) -> None:
    """The files as they were sent: a name is in a summary only if the turn file beside it has
    opened that card."""
    rules = registry.newest("tripoli")
    own = {rules.cards[card] for deck in rules.decks({}) for card in deck.contents}
    for file in finished.files:
        path = finished.folder / file
        opened = path.read_text(encoding="utf-8")
        summary = path.with_suffix(".md").read_text(encoding="utf-8")
        assert not [name for name in own if name in summary and name not in opened], file


def test_nobody_writes_next_when_all_is_done(finished: BegunGame) -> None:
    """One spelling of it in every command."""
    told = [finished.ann.does(command, finished.last)["to_act"] for command in ("show", "verify")]
    (game,) = finished.ann.does("inbox", finished.last)["games"]
    assert [*told, game["to_act"]] == [[], [], []]
    points = game["over"]["points"]
    line = f"(american {points['american']}, tripolitan {points['tripolitan']} points)\n"
    assert line in finished.ann.types("inbox", finished.last)[1]


def test_the_options_are_told_in_words(finished: BegunGame) -> None:
    for form in ("text", "md"):
        assert "hidden discard" in finished.ann.types("show", finished.last, "--format", form)[1]


def test_a_game_with_dice_has_its_totals(finished: BegunGame) -> None:
    facts = dice_count.dice((finished.folder / finished.last).read_bytes())
    assert (
        facts.rolls
        and facts.totals["d6"]["all"].dice > 0
        and (facts.shuffles, facts.shares) == ([], 0)
    )
    assert "  expected\n" in dice_count.dice_in_words(facts)
