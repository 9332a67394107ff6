"""What was sent from this home: `sent.json` in the folder of each game names the newest turn file that was, and who has
it and who does not. What the player has mailed by hand is noted there as well."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import Usage
from pbem.home.store import StateFile

BY_HAND = "by hand"
"""Stands among the addresses of what the player has sent another way: to all whom it concerns, as they say."""


@dataclass(frozen=True)
class Sent:
    """The SHA-256 of a turn file, the addresses it went to, and those that a server refused, in words."""

    file: str
    to: Sequence[str] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)

    def missing(self, mails: Iterable[str]) -> list[str]:
        """Those of these addresses that do not have the file."""
        return [] if BY_HAND in self.to else [mail for mail in mails if mail not in self.to]


_SENT = StateFile("sent.json", Sent, 100_000)


def remember(folder: Path, data: bytes, to: Sequence[str], lacking: Mapping[str, str] | None = None) -> None:
    """Remember, in the folder of a game, that this file went to these addresses, beside those it went to before, and
    that these others were refused. Only ever a help: where it cannot be written, the turn is told as not sent."""
    before = known(folder, data)
    has_it = tuple(dict.fromkeys((*before.to, *to)))
    left = {mail: said for mail, said in {**before.lacking, **(lacking or {})}.items() if mail not in has_it}
    with suppress(Usage):
        _SENT.write(folder, Sent(before.file, has_it, left))


def remember_by_hand(folder: Path, data: bytes) -> None:
    """Remember that the player has sent this file another way, to all whom it concerns. Raises `Usage` if that cannot
    be written."""
    before = known(folder, data)
    _SENT.write(folder, Sent(before.file, tuple(dict.fromkeys((*before.to, BY_HAND)))))


def known(folder: Path, data: bytes) -> Sent:
    """Who has this very file from here; nobody where another one was sent since."""
    digest = hashlib.sha256(data).hexdigest()
    found = _SENT.read_if_whole(folder)
    return found if found is not None and found.file == digest else Sent(digest)


def is_sent(folder: Path, data: bytes) -> bool:
    """Whether this very file was sent from here, and nobody is known to lack it."""
    found = known(folder, data)
    return bool(found.to) and not found.lacking
