"""Signatures and proofs that were found true, so that nobody waits for the same check twice.

A program checks a file each time it reads or writes it, and a game of weeks comes back with every turn. What was found
true stays true: a verifier keeps a digest of the whole statement, and a player's home may keep those digests
(`pbem.home.check_cache`). All that a file says is still gone through each time. `pbem verify` begins with a verifier
that knows nothing and checks everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from pbem.fileformat.encoding import framed

CHECKS = b"pbem checks 1"
"""Stands in every statement. A release that mends a check takes the next number: then nothing that the faulty one took
for true is believed any longer."""
KEEP = 8192
"""Statements that a verifier keeps, about sixty games of sixty entries. The oldest are forgotten, and if need be
checked again."""


class Verifier:
    """Checks statements, each once. `known` are digests of statements that were found true before."""

    def __init__(self, known: Iterable[bytes] = ()) -> None:
        self._known = set(known)
        self.passed: dict[bytes, None] = {}
        """Digests of the statements that this verifier was asked for and found true or knew, the newest last."""

    def once(self, statement: Sequence[bytes], check: Callable[[], object]) -> None:
        """Run the check of a statement unless it passed before. What it raises is raised, and not remembered."""
        digest = hashlib.sha256(framed(CHECKS, *statement)).digest()
        if digest not in self.passed and digest not in self._known:
            check()
        self.passed.pop(digest, None)
        self.passed[digest] = None
        while len(self.passed) > KEEP:
            del self.passed[next(iter(self.passed))]
