"""Takes mails for a league out of the folder of a mail account into the league's own: those that
say something of pbem. The account is only read."""

from __future__ import annotations

from pathlib import Path

from pbem import files
from pbem.mail import fetch, imap
from pbem.mail.server import Server

DAYS = 120
"""How far back it looks."""
MOST = 500
"""Mails that are taken at once, the newest ones."""
_MARK = "PBEM"
"""Stands in the head or in the text of each mail with a join or a turn."""


def take(server: Server, folder: Path) -> list[str]:
    """Put each mail that is not there yet into the folder; the names of those files. Raises
    `Refused` for all that goes wrong with the server, `Usage` for a folder that cannot be written
    to."""
    files.make_folder(folder)
    taken = []
    with fetch.session(server) as client:
        validity = imap.open_folder(client, server)
        found = imap.since_with(client, DAYS, _MARK)
        names = {uid: f"mail-{validity}-{uid}.eml" for uid in found}
        missing = [uid for uid in found if not (folder / names[uid]).exists()][-MOST:]
        for uid, data in fetch.mails(client, missing) if missing else ():
            if data is not None:
                files.replace(folder / names[uid], data, mode=0o644)
                taken.append(names[uid])
    return taken
