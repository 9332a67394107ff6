"""A turn that goes out of the page: as a file, a text, a mail, a link."""

from __future__ import annotations

from collections.abc import Mapping
from email import message_from_bytes, policy

from pbem.errors import Refused, Usage
from pbem.fileformat import armor
from pbem.fileformat.attached import files_of
from pbem.mail import links
from pbem.table.routes import Table
from pbem.turn import outgoing
from pbem.turn.signing import stem


def out(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """The newest turn of a game, ready to be sent: the name of its `file`, the `turn` itself, its
    `armored` text, the whole `mail` with its addresses (`to`) and `subject`, and, if the turn fits
    into one, a `link` to the page that was named for the game or else to this one; `files` are the
    names and addresses of those that go with it, which the mail alone has. Empty if the newest turn
    is not the player's own, or nobody needs it. Raises `PbemError` for a game that cannot be
    read."""
    game = table.games.find(fields.get("game", "")[:120])
    try:
        made = outgoing.outgoing_of(table.games.home, game.data)
    except (Refused, Usage):
        return {}
    mail = message_from_bytes(made.message, policy=policy.default)
    number = len(made.opened.file.entries) - 1
    return {
        "files": [
            {"name": one.name, "address": f"/game/{game.name}/with/{number}/{index}"}
            for index, one in enumerate(files_of(made.opened.file.entries[number]))
        ],
        "file": f"{stem(made.opened.ledger)}.toml",
        "turn": made.opened.file.data.decode(),
        "armored": armor.wrap(made.opened.file.data),
        "mail": made.message.decode(),
        "to": [one.addr_spec for one in mail["to"].addresses] if mail["to"] is not None else [],
        "subject": str(mail["subject"]),
        "link": links.page_for(table.games.home, made.opened.ledger, made.opened.file.data).link,
    }
