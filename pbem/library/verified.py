"""What one process makes of the bytes of one file: the rows of the game in it, or what is wrong
with it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, TypeAlias

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import BOM, whole_line
from pbem.games.descriptor import FOREIGN
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.library.extract import Onlooker, rows_of
from pbem.library.schema import GameRows
from pbem.library.walk import is_turn_file


class VerifiedGame(NamedTuple):
    """A file that verifies: the SHA-256 of its bytes as they lie there, and the rows of its
    game."""

    sha256: str
    rows: GameRows


class Bad(NamedTuple):
    """A file that does not verify: the entry where it fails, if it is in one, the layer
    (docs/format.md, section 18), and what `pbem verify` prints."""

    sha256: str
    entry: int | None
    layer: str
    reason: str


class Other(NamedTuple):
    """A file that neither is nor was a turn file."""

    sha256: str


Read: TypeAlias = VerifiedGame | Bad | Other

PROGRAM = "program"
"""The layer of a failure that is not the file's: the rules of a plug-in, or the program itself,
failed."""


def read(data: bytes) -> Read:
    """What is in a file. Raises `MemoryError`."""
    sha256 = hashlib.sha256(data).hexdigest()
    if not is_turn_file(data):
        return Other(sha256)
    onlooker = Onlooker()
    game = Ledger(onlooker=onlooker)
    try:
        for entry in turnfile.read(whole_line(data.removeprefix(BOM))).entries:
            gate.admit(game, entry)
        return VerifiedGame(sha256, rows_of(game, onlooker.seen))
    except PbemError as error:
        return Bad(sha256, error.entry, error.layer, str(error))
    except MemoryError:
        raise
    except FOREIGN as error:
        return Bad(
            sha256,
            len(game.entries),
            PROGRAM,
            f"the rules stopped: {type(error).__name__}: {error}"[:400],
        )
