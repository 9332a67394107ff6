"""The description of a game's board at a position, from which all boards are drawn
(docs/design.md, "A board is described once")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.errors import Do, Usage
from pbem.games import registry
from pbem.games.descriptor import FOREIGN, load
from pbem.games.foreign import package_of, raised
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
    reference = registry.descriptor(game).board
    try:
        board = load(reference)(named, before, lines)
    except FOREIGN as error:
        said = raised(error, {package_of(reference)})
        raise _wrong(game, f"{reference} raised {said}") from error
    if not isinstance(board, StageBoard):
        raise _wrong(game, f"{reference} gives {board!r:.80} and no StageBoard")
    return board


def _wrong(game: str, what: str) -> Usage:
    return Usage(
        f'the board of the game "{game[:40]}" cannot be described: {what}',
        hint=(Do("check-game", game, does="tries it"), "its author can mend it"),
    )
