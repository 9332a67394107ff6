"""The trace of a whole turn file, as `pbem verify FILE --trace TRACE` writes it (docs/format.md,
section 18)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from pbem import FORMAT
from pbem.errors import Invalid, PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import TurnFile
from pbem.ledger import gate
from pbem.ledger.invitation import read_game
from pbem.ledger.ledger import Ledger
from pbem.ledger.referee import Onlooker
from pbem.ledger.signatures import Verifier
from pbem.ledger.trace import Step, head


class TraceResult(NamedTuple):
    """A trace, the game as far as it holds, and the first thing that is wrong with its file if
    anything is."""

    trace: Step
    game: Ledger
    failure: PbemError | None


def trace(
    data: bytes,
    verifier: Verifier | None = None,
    watch: Callable[[Ledger], object] | None = None,
    onlooker: Onlooker | None = None,
) -> TraceResult:
    """The trace of a turn file, up to its end or to the entry that does not verify; that one as far
    as it goes. `verifier` may know signatures and proofs that hold; without one everything is
    checked. `watch` sees the game after each entry that holds, `onlooker` where the rules ask."""
    game, boards = Ledger(verifier, onlooker), []
    failure: PbemError | None = None
    file: TurnFile | None = None
    try:
        file = turnfile.read(data)
        for entry in file.entries:
            try:
                gate.admit(game, entry)
            finally:
                boards.append("" if game.playing is None else game.playing.referee.game.position())
            if watch is not None:
                watch(game)
    except PbemError as error:
        failure = error
    entries: list[Step] = [{} if not board else {"board": board} for board in boards]
    if game.playing is not None:
        trace = game.playing.referee.trace
        for event in trace.events:
            entries[event.entry].setdefault("steps", []).append(trace.step(event))
    if failure is not None and failure.layer == "rules" and boards:
        entries[-1].setdefault("steps", []).append({"refused": failure.what})
    return TraceResult({**_head(file), "entries": entries}, game, failure)


def write(made: Step) -> str:
    """A trace as it stands in a file: JSON, an entry a line."""
    head = {key: value for key, value in made.items() if key != "entries"}
    lines = ",\n".join(_json(entry) for entry in made["entries"])
    return f'{_json(head)[:-1]},"entries":[\n{lines}\n]}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _head(file: TurnFile | None) -> Step:
    """What the rules say of the game before it begins; only the format if entry 0 names none."""
    if file is not None:
        try:
            return head(*read_game(file.entries[0], "entry 0"))
        except Invalid:
            pass
    return {"format": f"{FORMAT} trace"}
