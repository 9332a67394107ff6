"""The description of a game's board at a position, from which all boards are drawn
(docs/design.md, "A board is described once")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games import registry
from pbem.games.descriptor import load
from pbem.games.stage import StageBoard
from pbem.report.model import Waiting

View = Mapping[str, Any]


def board_at(
    game: str,
    view: View,
    before: View | None = None,
    lines: Iterable[View] = (),
    waiting: Waiting | None = None,
    names: Mapping[str, str] | None = None,
) -> StageBoard | None:
    """The board of a position, None for a game that describes none.

    `before` is the position at the reader's last turn and `lines` the story since then: what
    differs is marked.
    """
    describe = registry.descriptor(game).board
    if describe is None:
        return None
    board: StageBoard = load(describe)(with_names(view, waiting, names), before, lines)
    return board


def stage_at(
    game: str,
    view: View,
    before: View | None = None,
    lines: Iterable[View] = (),
    waiting: Waiting | None = None,
    names: Mapping[str, str] | None = None,
) -> StageBoard | None:
    """The same as it stands on the stage of a browser; None for a game that has no stage."""
    if registry.descriptor(game).stage is None:
        return None
    return board_at(game, view, before, lines, waiting, names)


def with_names(view: View, waiting: Waiting | None, names: Mapping[str, str] | None) -> View:
    """A view as what draws a game gets it: `waiting` is whom the game waits for (the seat and what
    it is to do), `called` the names of the players by seat, for a game whose seats have no names of
    their own."""
    asked = None if waiting is None else {"seat": waiting.seat, "what": waiting.what}
    return {**view, "waiting": asked, "called": names or {}}
