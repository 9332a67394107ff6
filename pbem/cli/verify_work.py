"""What a process finds out about one of many files. Apart from the command, so that such a process
loads no command line."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import NoTurn, PbemError
from pbem.ledger.evidence import SignedChain, game_of, signed_chain
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import Verifier
from pbem.library.walk import is_turn_file, read
from pbem.report import verification
from pbem.report.verification import FailedVerification, VerifiedGame
from pbem.turn import named_file


@dataclass(frozen=True)
class CheckedFile:
    """The digest of a file's bytes as they lie there, and what they prove. `is_turn`: whether they
    are meant to be a turn file, or hold one as a saved mail does. `game` is its id; nothing where
    not even the first entry is signed."""

    sha256: str
    is_turn: bool
    facts: FailedVerification | VerifiedGame
    game: bytes = b""


def check(data: bytes) -> CheckedFile:
    """Verify a turn file, or a saved mail with one in it."""
    digest = hashlib.sha256(data).hexdigest()
    try:
        turn = named_file.turn_in(data, "")
    # there should be a turn in it, and it is damaged; or it is something else
    except PbemError as error:
        is_turn = not data or not isinstance(error, NoTurn)
        return CheckedFile(digest, is_turn, verification.facts_of(Ledger(), error))
    return CheckedFile(
        digest, is_turn_file(turn), verification.verify(turn, data)[0], game_of(turn)
    )


def chain_of(path: Path, verifier: Verifier) -> SignedChain | None:
    """What a file has for evidence; nothing where it cannot be read any more."""
    try:
        return signed_chain(named_file.turn_in(read(path), ""), verifier)
    except PbemError:
        return None
