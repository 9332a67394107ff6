"""Archived games for tests that look at what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.ledger.signatures import Verifier


class Believing(Verifier):
    """Takes signatures, proofs of chance and shuffles for true: for the archived files, whose bytes
    are fixed and which `tests/archive` verifies. All else in a file is gone through as ever."""

    def once(self, statement: Sequence[bytes], check: Callable[[], object]) -> None:
        """Believe the statement."""
