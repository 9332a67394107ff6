"""Mails before the first move, for every number of players: as docs/loot.md states them, and in the
order it states.

What is counted does not depend on the proofs of shuffle or on how well cards are hidden: no proof
is made here, and nothing random goes into a layer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto.shuffle_proof import ShuffleStep
from pbem.fileformat.toml_subset import Fields
from pbem.ledger import signatures
from pbem.report.facts import asked
from pbem.turn.own_cards import DraftPart
from tests.support.loot_match import Match
from tests.support.plain_shuffles import take_plain_shuffles

PAGE = Path(__file__).parents[3] / "docs/loot.md"
COUNTS = (2, 3, 4, 5, 6, 8)


class Moved(Exception):
    """Somebody is asked for a move."""


@pytest.fixture(autouse=True)
def _no_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    take_plain_shuffles(monkeypatch)
    monkeypatch.setattr(signatures.Verifier, "once", lambda _self, _statement, check: check())
    monkeypatch.setattr(DraftPart, "layer", _layer_anywhere)


_layer, _made = DraftPart.layer, dict[tuple[Any, ...], tuple[tuple[bytes, bytes], Fields]]()


def _layer_anywhere(part: DraftPart, step: ShuffleStep) -> tuple[bytes, bytes]:
    """A layer and shuffle that was made in one game serves the others that come to the same pile
    with the same keys: it is the proof alone that would be of no use there."""
    asked = (step._replace(ctx=b""), part._root)
    if asked not in _made:
        _made[asked] = _layer(part, step), {name: part.fields[name] for name in ("pile", "shuffle")}
    made, fields = _made[asked]
    part.fields.update(fields)
    return made


@cache
def writers(count: int, start: int, *, kept: bool) -> list[int]:
    """Who writes the mails before the first move, in their order."""
    match, found = Match(count, kept=kept, start=start, partners=int(count > 5)), list[int]()

    def choose(_seat: str, _options: Sequence[str]) -> str:
        raise Moved

    try:
        while True:
            found.append(int(str(match.maker.to_act())))
            match.step(choose)
    except Moved:
        assert found[-1] == start - 1
        return found[:-1]


def in_the_docs() -> dict[str, list[int]]:
    """The rows of the table in docs/loot.md, by their first cell."""
    rows = re.findall(
        r"^\| ([^|]+) ((?:\| \d+ )+)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name.strip(): [int(number) for number in cells.split("|")[1:]] for name, cells in rows}


def test_the_docs_state_the_mails() -> None:
    counted: dict[str, list[int]] = {"players": list(COUNTS)}
    for kept, words in ((False, "open to anybody"), (True, "kept for a key")):
        short = words.split()[0]
        for begins, start in (("the second", lambda _: 2), ("the last to join", lambda n: n)):
            counted[f"{short}, {begins} begins"] = [
                len(writers(count, start(count), kept=kept)) for count in COUNTS
            ]
        counted[f"last seat {words}, who invites begins"] = [
            len(writers(count, 1, kept=kept)) for count in COUNTS
        ]
    assert in_the_docs() == counted


def test_the_formulas() -> None:
    """2n - 1; one more if the inviter begins and the last seat is open, one less if that is kept
    and somebody between the two begins."""
    for count in COUNTS:
        for start in {1, 2 if count < 5 else 1, count}:
            between = 1 < start < count
            assert len(writers(count, start, kept=False)) == 2 * count - (start > 1)
            kept = 2 if count == 2 and start == 1 else 2 * count - 1 - between
            assert len(writers(count, start, kept=True)) == kept


def test_who_writes() -> None:
    """All join, then the inviter writes, whoever begins; then those whose shares the first player
    still lacks, in the order of play."""
    assert writers(4, 1, kept=True) == [0, 1, 2, 3, 0, 1, 2]
    assert writers(4, 3, kept=True) == [0, 1, 2, 3, 0, 1]
    assert writers(4, 1, kept=False) == [0, 1, 2, 3, 0, 1, 2, 3]
    assert writers(4, 3, kept=False) == [0, 1, 2, 3, 0, 3, 1]
    assert writers(4, 4, kept=False) == [0, 1, 2, 3, 0, 1, 2]
    assert writers(2, 1, kept=False) == [0, 1, 0, 1]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_an_open_last_seat_never_writes_directly_after_its_join(count: int) -> None:
    """Its join holds no share; then the inviter writes, and so the version that counts is settled
    before it gives any."""
    for start in range(1, count + 1):
        match = Match(count, start=start).until(count)
        joined = match.checker.entries[-1]
        assert "shares" not in joined.fields and match.checker.to_act() == 0
        kept = Match(count, start=start, kept=True).until(count)
        assert "shares" in kept.checker.entries[-1].fields and kept.checker.to_act() == 0


def test_one_key_kept_before_an_open_last_seat_does_not_count() -> None:
    """What counts is the seat that joins last."""
    for seat, shares in ((1, False), (2, True)):
        match = Match(3)
        kept = {match.names[seat]: match.people[seat].public}
        match.maker.open(replace(match.maker.invitation, invites=kept))
        match.until(3)
        assert ("shares" in match.checker.entries[2].fields) is shares


def test_between_two_the_inviter_is_asked_for_shares_of_the_others_cards() -> None:
    match = Match(2).until(2)
    told = asked(match.checker)
    assert told is not None and (told.seat, told.what, told.prompt) == ("first", "share", "second")
    told = asked(match.until(3).checker)
    assert told is not None and (told.seat, told.what, told.prompt) == ("second", "share", "first")
