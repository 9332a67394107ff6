"""The description of a game's board at a position, from which all boards are drawn
(docs/design.md, "A board is described once")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games import registry
from pbem.games.descriptor import load
from pbem.games.stage import StageBoard, View
from pbem.report.model import Waiting


def board_at(
    game: str,
    view: View,
    before: View | None = None,
    lines: Iterable[View] = (),
    waiting: Waiting | None = None,
    names: Mapping[str, str] | None = None,
    told: Sequence[View] = (),
) -> StageBoard:
    """The board of a position. `before` is the position at the reader's last turn and `lines` the
    story since then: what differs is marked. `waiting` is whom the game waits for, and `names` are
    those of the players by seat, for a game whose seats have no names of their own. `told` is the
    story up to the position (`history.told`), from which the dice of its newest event are read."""
    asked = None if waiting is None else {"seat": waiting.seat, "what": waiting.what}
    named = {**view, "waiting": asked, "called": names or {}, "told": told}
    board: StageBoard = load(registry.descriptor(game).board)(named, before, lines)
    return board
