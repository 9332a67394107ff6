"""A file replayed, every entry through the gate, also with an eye on its readers: what each of them saw last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from engine.flow import Seat
from pbem.fileformat.entries import Entry, TurnFile
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import Playing
from pbem.ledger.verifier import Verifier

PublicView: TypeAlias = Mapping[str, object]
"""The position as everybody may see it, as `Rules.view` gives it to the game's own templates."""
Seen: TypeAlias = dict[Seat, tuple[int, PublicView | None]]
"""For each seat, the number of its newest entry and the public position right after that, None before the game."""


def replay(file: TurnFile, verifier: Verifier | None = None) -> Ledger:
    """The game of a file. Raises a kind of `Invalid` at the first entry that does not verify."""
    game = Ledger(verifier)
    for entry in file.entries:
        gate.admit(game, entry)
    return game


def follow(file: TurnFile, verifier: Verifier | None = None) -> tuple[Ledger, Seen]:
    """The game of a file and, for each seat, its newest entry and the public position right after that.

    Raises a kind of `Invalid` at the first entry that does not verify.
    """
    game = Ledger(verifier)
    seen: Seen = {}
    newest = {entry.seat: entry.number for entry in file.entries}
    for entry in file.entries:
        gate.admit(game, entry)
        if newest[entry.seat] == entry.number:
            _note(game, seen, entry)
    return game, seen


def extend(game: Ledger, seen: Seen, entry: Entry) -> None:
    """One entry more of a game that is followed. Raises a kind of `Invalid`; the game is of no use then."""
    gate.admit(game, entry)
    _note(game, seen, entry)


def _note(game: Ledger, seen: Seen, entry: Entry) -> None:
    seen[game.seat_of(entry)] = entry.number, None if game.playing is None else public_view(game.playing)


def public_view(game: Playing) -> PublicView:
    """The position as everybody may see it now."""
    return game.rules.view(game.referee.game, None, game.referee.faces())
