"""How a player joins a league: a small file that they sign and send to its director, who takes its
values and its signature into the league (docs/format.md, section 26)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from pbem import FORMAT
from pbem.errors import Forged, Malformed
from pbem.fileformat.encoding import b64
from pbem.fileformat.signed_table import Row, Rows, TableFile, may_name, read_table
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import blob, is_date
from pbem.home.identity import is_mail_address
from pbem.league.league_file import HEADER
from pbem.ledger.signatures import holds

ROWS: Rows = {
    "date": Row(str, 20, always=True),
    "league": Row(str, 44, always=True),
    "key": Row(str, 44, always=True),
    "mail": Row(str, 200),
    "name": Row(str, 80, always=True),
}
"""The keys of a join, in their order."""
MAX_JOIN = 2048
_FILE = TableFile(HEADER, "join", ROWS, MAX_JOIN, "a join to a league")
_TAG = f"{FORMAT} league join\n".encode("ascii")
_ASK = "ask whoever wants to join for it again"


@dataclass(frozen=True, slots=True)
class Join:
    """Who joins the league with this id, by which key, under which name; `mail` is empty where they
    give none."""

    league: bytes
    date: str
    key: bytes
    mail: str
    name: str
    signature: bytes = b""

    def body(self) -> bytes:
        """What the signature covers, before it is hashed. Raises `ValueError`."""
        fields: Fields = {
            "date": self.date,
            "league": b64(self.league),
            "key": b64(self.key),
            **({"mail": self.mail} if self.mail else {}),
            "name": self.name,
        }
        return _FILE.body(fields)

    def line(self) -> str:
        """As it stands in `players` of a league."""
        return f"{b64(self.key)} {b64(self.signature)} {self.date} {self.mail or '-'} {self.name}"

    def file(self) -> bytes:
        """The file of this join."""
        return _FILE.with_signature(self.body(), self.signature)


def write_join(
    league: bytes, date: str, key: bytes, mail: str, name: str, sign: Callable[[bytes], bytes]
) -> Join:
    """A signed join. Raises `Malformed` for a name or an address that no reader would take."""
    bare = Join(league, date, key, mail, name)
    try:
        signature = sign(_message(bare))
    except ValueError as error:
        raise Malformed(f"this cannot stand in a join: {error}") from error
    return read_join(Join(league, date, key, mail, name, signature).file())


def read_join(data: bytes) -> Join:
    """Read the file of a join, strictly. Raises `Malformed`, and `Forged` where the signature does
    not hold."""
    table = read_table(data, {_FILE.kind: _FILE}, _wrong, _ASK)
    fields = table.fields
    join = Join(
        blob(str(fields["league"]), 32, "", "league"),
        str(fields["date"]),
        blob(str(fields["key"]), 32, "", "key"),
        str(fields.get("mail", "")),
        str(fields["name"]),
        table.signature,
    )
    check(join)
    return join


def from_line(league: bytes, line: str) -> Join:
    """The join that a string of `players` holds. Raises `Malformed` or `Forged`."""
    parts = line.split(" ", 4)
    if len(parts) < 5:
        raise _wrong("a player is written: key, signature, date, address or -, name")
    key, signature, date, mail, name = parts
    if mail == "" or not is_date(date):
        raise _wrong("a player is written: key, signature, date, address or -, name")
    join = Join(
        league,
        date,
        blob(key, 32, "", "key"),
        "" if mail == "-" else mail,
        name,
        blob(signature, 64, "", "signature"),
    )
    check(join)
    return join


def check(join: Join) -> None:
    """What a join says of its author, and its signature. Raises `Malformed` or `Forged`."""
    if len(join.name) > ROWS["name"].longest or not may_name(join.name):
        raise _wrong("the name of a player is one line that can be seen, without / \\ @ and :")
    if join.mail and not (len(join.mail) <= ROWS["mail"].longest and is_mail_address(join.mail)):
        raise _wrong("the mail address is no plain one")
    if not holds(join.key, _message(join), join.signature):
        raise Forged("the signature is not that of the key that joins", layer="signature")


def _message(join: Join) -> bytes:
    return _TAG + hashlib.sha256(join.body()).digest()


def _wrong(what: str, layer: str = "") -> Malformed:
    return Malformed(what, where="the join", hint=_ASK, layer=layer)
