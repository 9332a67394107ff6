"""The golden playthroughs come out the same, and no view holds what only another seat knows."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.cards import deck_of
from engine.flow import Answer, Card, Handle, Seal, Seat
from engine.rules import Settings
from engine.tripoli import RULES
from tests.golden import make
from tests.support.leaks import count_secrets_kept
from tests.support.playthrough import Dealer, Playthrough, RecordedChance, Step

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SETTINGS: list[Settings] = [{}, {"hidden-discard": 1}, {"quick-hand-limit": 1, "hidden-discard": 1}]


@pytest.mark.parametrize("name", make.GAMES)
def test_a_golden_playthrough_comes_out_the_same(name: str) -> None:
    kept, made = (HERE / f"{name}.txt").read_text(encoding="utf-8"), make.text(name)
    difference = difflib.unified_diff(
        kept.splitlines(), made.splitlines(), "kept", "made", lineterm="", n=1
    )
    assert kept == made, "./run golden writes it anew; the first lines that differ:\n" + "\n".join(
        line for line, _ in zip(difference, range(30), strict=False)
    )


def test_every_golden_file_belongs_to_a_game() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(make.GAMES)
    assert all(path.stat().st_size < 300_000 for path in HERE.glob("*.txt"))


# What only one seat knows, in the rules' own views


def owners_secrets(table: Playthrough, viewer: Seat | None) -> set[str]:
    """Names of cards that nobody has seen but an owner who is not the viewer."""
    known = table.known(viewer)
    hidden, shown = set(), {table.rules.cards[card] for card in known.values()}
    for handle, card in table.faces.items():
        if handle not in known and table.decks[deck_of(handle)].owner != viewer:
            hidden.add(table.rules.cards[card])
    return hidden - shown


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: " ".join(s) or "open")
@pytest.mark.parametrize("seed", range(4))
def test_no_view_names_a_card_that_only_another_seat_knows(settings: Settings, seed: int) -> None:
    table = Playthrough(RULES, settings, Dealer(seed))
    looked = 0
    for step in table.steps():
        for viewer in (None, 0, 1):
            secrets = owners_secrets(table, viewer)
            looked += len(secrets)
            said = json.dumps([table.view(viewer), step.story, table.game.position(), step.prompt])
            assert not [name for name in secrets if json.dumps(name)[1:-1] in said], (
                f"step {step.number}"
            )
    assert table.outcome is not None
    assert looked > 1000


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: " ".join(s) or "open")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("owner", [0, 1])
def test_other_names_behind_the_backs_change_nothing_for_the_others(
    settings: Settings, seed: int, owner: Seat
) -> None:
    """Two games that differ only in the names of the owner's cards that were never opened look the
    same to others."""
    table = Playthrough(RULES, settings, Dealer(seed))
    steps, views, own = [], [], []
    for step in table.steps():
        steps.append(step)
        views.append([table.view(viewer) for viewer in (None, 1 - owner)])
        own.append(table.view(owner))
    other = Playthrough(RULES, settings, RecordedChance(steps, turned(table, steps, owner)))
    differs = False
    for step, seen, mine, again in zip(steps, views, own, other.steps(), strict=True):
        assert [other.view(viewer) for viewer in (None, 1 - owner)] == seen, f"step {step.number}"
        assert (again.prompt, again.story) == (step.prompt, step.story)
        differs = differs or other.view(owner) != mine
    assert differs, "the owner sees another hand"


def turned(table: Playthrough, steps: list[Step], owner: Seat) -> Mapping[Handle, Card]:
    """The faces of a game, those of the owner's first pile that were never opened turned round
    among themselves.

    Only cards that nothing ever hung on may change: not opened, not played for what they say, in no
    later pile.
    """
    fixed = set(table.game.faces())
    for step in steps:
        if isinstance(step.result, Answer) and step.result.handle is not None:
            fixed.add(step.result.handle)
        if isinstance(step.request, Seal):
            fixed.update(step.request.sources)
    (first,) = [
        s.request for s in steps[:2] if isinstance(s.request, Seal) and s.request.deck == owner
    ]
    free = [handle for handle in first.handles if handle not in fixed]
    cards = [table.faces[handle] for handle in free]
    return {**table.faces, **dict(zip(free, cards[1:] + cards[:1], strict=True))}


# The same in what is printed of a signed game (tests/cli plays another one, with hidden discards)


def test_no_report_of_a_signed_game_names_what_only_another_seat_knows() -> None:
    _, last = sorted((ROOT / "examples" / "tripoli").glob("*.toml"))
    assert count_secrets_kept(last.read_bytes()) > 1000
