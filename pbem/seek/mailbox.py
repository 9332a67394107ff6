"""Looks for seeks in the folder of a mail account: what a mailing list has sent. It is only read,
and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.mail import fetch, imap
from pbem.mail.server import Server
from pbem.seek.find_seeks import Piece, bounded, seeks_in

DAYS = 32
"""How far back it looks: no seek is older."""
MOST_MAILS = 1000
"""Mails that are looked into, the newest ones."""
_MARK = "PBEM SEEK"
"""What the text of a seek has in it, which the server looks for."""


def look(server: Server) -> Iterator[Piece]:
    """Every seek whose text stands in a mail of the account's folder. Raises `Refused` for all that
    goes wrong with the server."""
    with fetch.session(server) as client:
        imap.open_folder(client, server)
        found = imap.since_with(client, DAYS, _MARK)[-MOST_MAILS:]
        pieces = (
            Piece(f"a mail on {server.host}, number {uid}", one)
            for uid, data in fetch.mails(client, found)
            for one in seeks_in(data or b"")
        )
        yield from bounded(pieces, server.host)
