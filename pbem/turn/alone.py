"""A game that one player plays alone: one signature a turn of theirs.

Nobody else writes between two of their entries, and each dice roll or drawn card of the rules takes
an entry (docs/format.md, section 6). Where nothing is decided in one, it is signed without a
question; it is kept, verified and written as every other.
"""

from __future__ import annotations

from pathlib import Path

from pbem.home.home import Home
from pbem.turn import open_game, take_turn, turn_files
from pbem.turn.intent import Intent
from pbem.turn.open_game import Opened, open_question
from pbem.turn.turn_files import WrittenTurn


def asks_nothing(opened: Opened) -> bool:
    """Whether the next entry is one of a game played alone, and leaves its player nothing to
    decide."""
    if opened.ledger.invitation.is_witnessed() or opened.stale:
        return False
    draft = opened.draft()
    return draft is not None and open_question(draft) is None


def write_turns(
    data: bytes, folder: Path, home: Home, *, mail: bool = True
) -> tuple[WrittenTurn, bytes]:
    """Write the files of an entry that was just signed; in a game played alone sign and write those
    after it too that leave nothing to decide. The files of the newest one, with what all of them
    brought, and its bytes. Raises as `turn_files.write_turn` and `take_turn.next_entry` do: what is
    written by then stays."""
    written = turn_files.write_turn(data, folder, home, mail=mail)
    if written.game.invitation.is_witnessed():
        return written, data
    told = [written.told]
    while asks_nothing(opened := open_game.open_file(data, home)):
        turn_files.look_before_signing(opened, home, folder)
        data = take_turn.next_entry(opened, Intent())
        written = turn_files.write_turn(data, folder, home, mail=mail)
        told.append(written.told)
    return written._replace(told="\n".join(filter(None, told))), data
