"""Seeks, and what ends them: small signed files, bytes to values and back (docs/format.md, section
24).

They have the grammar and the signatures of turn files. What another program would not have written
is refused with its line, and nothing of a file is believed before its signature holds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem import FORMAT
from pbem.errors import Forged, Malformed
from pbem.fileformat.characters import is_name
from pbem.fileformat.encoding import b64
from pbem.fileformat.signed_table import (
    Row,
    TableFile,
    are_options,
    is_word,
    may_name,
    read_table,
)
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import blob
from pbem.home.identity import is_mail_address
from pbem.ledger.clock import read_terms, seconds
from pbem.ledger.signatures import holds

HEADER = 'format = "pbem-seek/1"'
START = HEADER.encode()
"""How a seek begins, and what ends one."""
MAX_SEEK = 4096
"""Bytes of either."""
LONGEST_LIFE = 30 * 86_400
"""Seconds from the date of a seek to its end."""
AHEAD = 86_400
"""Seconds by which its date may be ahead of the reader's clock."""
MOST_RESULTS = 20
MOST_LANGUAGES = 5
MOST_OPTIONS = 20
_SEEK, _TAKEN = "seek", "taken"
_ASK = "whoever wrote it can write it anew"


SEEK_FIELDS: dict[str, Row] = {
    "date": Row(str, 20, always=True),
    "until": Row(str, 20, always=True),
    "nonce": Row(str, 44, always=True),
    "game": Row(str, 20, always=True),
    "rules": Row(int, least=0, most=999_999_999, always=True),
    "options": Row(list, 40),
    "seat": Row(str, 20),
    "clock": Row(str, 8),
    "leave-days": Row(int, least=1, most=999),
    "weekly": Row(int, least=1, most=99),
    "languages": Row(list, 12),
    "name": Row(str, 80, always=True),
    "mail": Row(str, 200),
    "page": Row(str, 200),
    "chat": Row(str, 100),
    "key": Row(str, 44, always=True),
    "finished": Row(int, least=1, most=99_999),
    "results": Row(list, 89),
    "message": Row(str, 300),
}
"""The keys of a seek, in their order."""
TAKEN_FIELDS: dict[str, Row] = {
    "date": Row(str, 20, always=True),
    "seek": Row(str, 44, always=True),
    "key": Row(str, 44, always=True),
}
"""The keys of what ends one."""
_KINDS = {
    _SEEK: TableFile(HEADER, _SEEK, SEEK_FIELDS, MAX_SEEK, "a seek"),
    _TAKEN: TableFile(HEADER, _TAKEN, TAKEN_FIELDS, MAX_SEEK, "a seek"),
}

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}\Z")
_PAGE = re.compile(r"https://[A-Za-z0-9.\[\]:-]{1,120}(?:/[!#-;=?-~]*)?\Z")


@dataclass(frozen=True, slots=True)
class Result:
    """A game that somebody says they have finished: its id, and the digest of the entry with which
    it was over, or of a later one."""

    game: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Wish:
    """What the author of a seek looks for and says of themself; what is empty or 0 is not said.
    `seat` is the one that they take (empty: either), `rules` the version that they have."""

    game: str
    rules: int
    name: str
    until: str
    options: Sequence[str] = ()
    seat: str = ""
    clock: str = ""
    leave_days: int = 0
    weekly: int = 0
    languages: Sequence[str] = ()
    mail: str = ""
    page: str = ""
    chat: str = ""
    finished: int = 0
    results: Sequence[Result] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class Seek:
    """A seek that was read: what it says, when, by which key. `digest` is what it is known by,
    `data` its bytes."""

    wish: Wish
    date: str
    key: bytes
    digest: bytes
    signature: bytes
    data: bytes

    @property
    def short(self) -> str:
        """The digits by which people name it."""
        return self.digest.hex()[:8]

    def is_over(self, now: str) -> bool:
        """Whether its time is up at this moment, written as a date of a file."""
        return self.wish.until <= now

    def is_ahead(self, now: str) -> bool:
        """Whether it is dated further ahead than clocks differ."""
        return seconds(self.date) > seconds(now) + AHEAD


@dataclass(frozen=True, slots=True)
class Taken:
    """What ends the seek of this digest, if it is by the same key."""

    date: str
    seek: bytes
    key: bytes
    digest: bytes
    signature: bytes
    data: bytes


def write_seek(
    wish: Wish, date: str, nonce: bytes, key: bytes, sign: Callable[[bytes], bytes]
) -> Seek:
    """A signed seek; `sign` gives 64 bytes for a message. Raises `Malformed` for what no reader
    would take."""
    fields: Fields = {
        "date": date,
        "until": wish.until,
        "nonce": b64(nonce),
        "game": wish.game,
        "rules": wish.rules,
        "options": [*wish.options],
        "seat": wish.seat,
        "clock": wish.clock,
        "leave-days": wish.leave_days,
        "weekly": wish.weekly,
        "languages": [*wish.languages],
        "name": wish.name,
        "mail": wish.mail,
        "page": wish.page,
        "chat": wish.chat,
        "key": b64(key),
        "finished": wish.finished,
        "results": [f"{b64(one.game)} {b64(one.digest)}" for one in wish.results],
        "message": wish.message,
    }
    made = read(signed(_SEEK, fields, sign))
    assert isinstance(made, Seek)
    return made


def write_taken(seek: Seek, date: str, sign: Callable[[bytes], bytes]) -> Taken:
    """What ends a seek, signed by its own key."""
    fields: Fields = {"date": date, "seek": b64(seek.digest), "key": b64(seek.key)}
    made = read(signed(_TAKEN, fields, sign))
    assert isinstance(made, Taken)
    return made


def signed(kind: str, fields: Fields, sign: Callable[[bytes], bytes]) -> bytes:
    """The whole file of these fields, signed, whatever they say; empty ones are left out. Raises
    `Malformed` for a character that no file may hold."""
    said = {key: value for key, value in fields.items() if value or key == "rules"}
    try:
        body = _KINDS[kind].body(said)
    except ValueError as error:
        raise Malformed(f"this cannot stand in a seek: {error}") from error
    return _KINDS[kind].with_signature(body, sign(_message(kind, body)))


def _message(kind: str, body: bytes) -> bytes:
    """What the key signs."""
    return f"{FORMAT} {kind}\n".encode("ascii") + hashlib.sha256(body).digest()


def read(data: bytes) -> Seek | Taken:
    """Read a whole file, strictly, and check its signature. Raises `Malformed`, and `Forged` where
    the signature does not hold."""
    table = read_table(data, _KINDS, _wrong, _ASK)
    kind, fields = table.file.kind, table.fields
    if kind == _SEEK:
        _check_seek(fields)
    key = blob(str(fields["key"]), 32, "", "key")
    if not holds(key, _message(kind, table.body), table.signature):
        raise Forged("the signature is not that of the key in the file", layer="signature")
    date, digest = str(fields["date"]), hashlib.sha256(table.body).digest()
    if kind == _TAKEN:
        ended = blob(str(fields["seek"]), 32, "", "seek")
        return Taken(date, ended, key, digest, table.signature, table.data)
    return Seek(_wish(fields), date, key, digest, table.signature, table.data)


def _check_seek(fields: Fields) -> None:
    """What the values of a seek are. Raises `Malformed`."""
    date, until = str(fields["date"]), str(fields["until"])
    if not 0 < seconds(until) - seconds(date) <= LONGEST_LIFE:
        raise _wrong("a seek ends after its date, 30 days later at most")
    for key in ("game", "seat"):
        if key in fields and not is_word(str(fields[key])):
            raise _wrong(f'"{key}" is no name of a {key}')
    options = _list(fields, "options")
    if not are_options(options):
        raise _wrong("options are names, each with a number or none, in order and each once")
    if len(options) > MOST_OPTIONS:
        raise _wrong(f"{len(options)} options, {MOST_OPTIONS} are allowed", "limit")
    if "clock" in fields:
        try:
            read_terms(str(fields["clock"]))
        except ValueError as error:
            raise _wrong(str(error)) from error
    elif "leave-days" in fields:
        raise _wrong("leave stops a clock, and there is none")
    languages = _list(fields, "languages")
    if not all(map(_LANGUAGE.match, languages)) or len(set(languages)) < len(languages):
        raise _wrong("languages are written en, de, pt-br, each once")
    if len(languages) > MOST_LANGUAGES:
        raise _wrong(f"{len(languages)} languages, {MOST_LANGUAGES} are allowed", "limit")
    _check_author(fields)
    _results(fields)


def _check_author(fields: Fields) -> None:
    """What a seek says of who wrote it."""
    name = str(fields["name"])
    if not may_name(name):
        raise _wrong("the name of a seek is one line that can be seen, without / \\ @ and :")
    if not any(key in fields for key in ("mail", "page", "chat")):
        raise _wrong("it does not say how its author is reached")
    if "mail" in fields and not is_mail_address(str(fields["mail"])):
        raise _wrong("the mail address is no plain one")
    if "page" in fields and not _PAGE.match(str(fields["page"])):
        raise _wrong("the page is no address that begins with https://")
    if "chat" in fields and not is_name(str(fields["chat"])):
        raise _wrong("how one is found in a chat is one line that can be seen")


def _results(fields: Fields) -> list[Result]:
    """The games that the author says they have finished. Raises `Malformed`."""
    results = []
    for text in _list(fields, "results"):
        game, _, digest = text.partition(" ")
        results.append(Result(blob(game, 32, "", "results"), blob(digest, 32, "", "results")))
    if len({one.game for one in results}) < len(results):
        raise _wrong("a game stands twice among the results")
    if len(results) > MOST_RESULTS:
        raise _wrong(f"{len(results)} results, {MOST_RESULTS} are allowed", "limit")
    if len(results) > _number(fields, "finished"):
        raise _wrong("more results than finished games")
    return results


def _wish(fields: Fields) -> Wish:
    texts = {
        key: str(fields.get(key, ""))
        for key in ("game", "name", "until", "seat", "clock", "mail", "page", "chat", "message")
    }
    return Wish(
        rules=_number(fields, "rules"),
        options=tuple(_list(fields, "options")),
        leave_days=_number(fields, "leave-days"),
        weekly=_number(fields, "weekly"),
        languages=tuple(_list(fields, "languages")),
        finished=_number(fields, "finished"),
        results=tuple(_results(fields)),
        **texts,
    )


def _list(fields: Mapping[str, object], key: str) -> list[str]:
    value = fields.get(key)
    return value if isinstance(value, list) else []


def _number(fields: Mapping[str, object], key: str) -> int:
    value = fields.get(key)
    return value if isinstance(value, int) else 0


def _wrong(what: str, layer: str = "") -> Malformed:
    return Malformed(what, where="the seek", hint=_ASK, layer=layer)
