"""A home in a page: what arrives behind the `#` of its address, packs that leave it, packs that are opened in it.

A browser may throw away what it keeps, so a page makes backups; and a home moves between a page and a computer. The
packs are those of `pbem.home.moving` (docs/format.md, section 17), as text. A key file here has no passphrase of its
own: what the browser keeps of the home is under one as a whole, so whoever opens a pack elsewhere is asked for another.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace

from pbem.errors import Conflict, Damaged, Malformed, Usage
from pbem.fileformat import armor
from pbem.home import home_pack, moving, opening, place
from pbem.home.home import Home
from pbem.table.request import TAKE, PageAnswer, PageRequest, plain
from pbem.table.routes import Table

MAX_PACK = 3 * home_pack.MAX_TEXT
"""Bytes of a form with a pack as text, each of whose characters may take three."""
_YES = "yes"


def state(home: Home) -> Mapping[str, object]:
    """What `kind` of home it is: `new`, `open`, `moved` away, `restored` from a backup and not confirmed, or `damaged`
    where that cannot be told; the day of that backup; and what its player should know, without a word of commands."""
    try:
        known = place.read(home.folder) or place.NOWHERE
    except Damaged as error:
        return {"kind": "damaged", "restored": "", "warning": error.what}
    kind = "moved" if known.closed else "restored" if known.restored else "open"
    warning = place.warning(home.folder).partition(" (hint: ")[0]
    return {"kind": kind if home.has_identity() else "new", "restored": known.restored[:10], "warning": warning}


def arrived(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """Take in what stood behind the `#` of the page's address, as what is pasted."""
    return table.answer(PageRequest("POST", TAKE, {"name": "the link"}, file=f"#{fields.get('fragment', '')}".encode()))


def backup(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """A backup of the home as text, under the passphrase of the form. Raises `PbemError`."""
    return _as_text(moving.packed_backup(table.games.home, _passphrase(fields), locked=True))


def move(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """The home as text, under the passphrase of the form; it is closed here. Raises `PbemError`."""
    home, passphrase = table.games.home, _passphrase(fields)
    with moving.closed(home) as goes:
        return _as_text(moving.packed(home, home_pack.MOVED, replace(goes, locked=True), passphrase))


def _as_text(packed: bytes) -> PageAnswer:
    text = armor.wrap_home(packed)
    if len(text) > home_pack.MAX_TEXT:
        raise Usage("this home is too large to be a text", hint="its finished games can be saved one by one")
    return plain(text, 200)


def _passphrase(fields: Mapping[str, str]) -> str:
    passphrase = fields.get("passphrase", "").strip()  # a telephone's keyboard adds a blank
    if not passphrase:
        raise Usage("the passphrase is empty", hint="the file holds your key: it needs one")
    return passphrase


def open_pack(home: Home, fields: Mapping[str, str]) -> None:
    """Open the pack of a form, which is text or base64, in place of this home. Raises `PbemError`."""
    text = fields.get("file", "").encode()
    if b"-----" in text:
        data = home_pack.out_of_text(text)
    else:
        try:
            data = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise Malformed("this is no packed home", hint="choose the file again, or paste its whole text") from error
    passphrase, nowhere_else = fields.get("passphrase", "").strip(), _says(fields, "nowhere_else")
    try:
        opening.open_packed(home, data, passphrase, nowhere_else=nowhere_else)
    except Conflict as error:
        hint = "nothing was changed here; move the home here from where it is used, or play on there"
        raise Conflict(error.what, hint=hint) from error  # those of the desktop speak of commands and folders


def keep(home: Home, fields: Mapping[str, str]) -> None:
    """The home is used here and nowhere else, and its player signed nothing that is not here: `nowhere_else` says so.
    Raises `Usage` unless it does."""
    opening.keep(home, nowhere_else=_says(fields, "nowhere_else"))


def _says(fields: Mapping[str, str], name: str) -> bool:
    return fields.get(name) == _YES
