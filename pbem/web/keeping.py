"""A home in a page: what arrives behind the `#` of its address, packs that leave it, packs that are
opened in it.

A browser may throw away what it keeps, so a page makes backups; and a home moves between a page and
a computer. The packs are those of `pbem.home.moving` (docs/format.md, section 17), as text. A key
file here has no passphrase of its own: what the browser keeps of the home is under one as a whole,
so whoever opens a pack elsewhere is asked for another.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace

from pbem.errors import Malformed, Usage
from pbem.fileformat import armor
from pbem.home import home_pack, moving, opening
from pbem.home.home import Home
from pbem.table.request import TAKE, PageAnswer, PageRequest, plain
from pbem.table.routes import Table
from pbem.turn.inbox import Inbox

MAX_PACK = 3 * home_pack.MAX_TEXT
"""Bytes of a form with a pack as text, each of whose characters may take three."""
_YES = "yes"
_EACH_GAME = ""
"""What each game's name begins with."""


def arrived(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """Take in what stood behind the `#` of the page's address, as if it were pasted."""
    return table.answer(
        PageRequest(
            "POST", TAKE, {"name": "the link"}, file=f"#{fields.get('fragment', '')}".encode()
        )
    )


def backup(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """A backup of the home as text, under the passphrase of the form. Raises `PbemError`."""
    return _as_text(moving.pack_backup(table.games.home, fields.get("passphrase", ""), locked=True))


def move(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """The home as text, under the passphrase of the form; it is closed here afterwards. Raises
    `PbemError`."""
    home, passphrase = table.games.home, fields.get("passphrase", "")
    with moving.close_while_moving(home) as goes:
        return _as_text(
            moving.pack_home(home, home_pack.MOVED, replace(goes, locked=True), passphrase)
        )


def _as_text(packed: bytes) -> PageAnswer:
    text = armor.wrap_home(packed)
    if len(text) > home_pack.MAX_TEXT:
        raise Usage(
            "this home is too large to be a text", hint="its finished games can be saved one by one"
        )
    return plain(text, 200)


def open_pack(home: Home, fields: Mapping[str, str]) -> None:
    """Open the pack of a form, which is text or base64, in place of this home. Raises
    `PbemError`."""
    text = fields.get("file", "").encode()
    if b"-----" in text:
        data = home_pack.out_of_text(text)
    else:
        try:
            data = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise Malformed(
                "this is no packed home", hint="choose the file again, or paste its whole text"
            ) from error
    opening.open_packed(
        home, data, fields.get("passphrase", ""), nowhere_else=_says(fields, "nowhere_else")
    )


def keep(home: Home, fields: Mapping[str, str]) -> None:
    """The player says (`nowhere_else`) that the home is used here alone, and that they have signed
    nothing that is not here. From now on own turns in files that were taken in are remembered.
    Raises `Usage` if they do not say so."""
    opening.keep(home, nowhere_else=_says(fields, "nowhere_else"))
    Inbox(home, _EACH_GAME).confirm_kept()


def _says(fields: Mapping[str, str], name: str) -> bool:
    return fields.get(name) == _YES
