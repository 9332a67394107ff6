"""`mail.toml` in the home folder: where mail lies, how it is sent and fetched (docs/mail.md), and
in which page whoever gets a mail may play (docs/web.md).

```toml
program = "https://example.org/pbem" # where you have pbem from, for whoever you invite
# a page in which whoever gets your mails may play (docs/web.md)
web = "https://ann.example.org/pbem/"
inbox = ["~/Maildir"]             # what `pbem inbox` reads when no place is named
# what `pbem watch` runs for each new turn, without a shell
notify = ["notify-send", "{title}", "{text}"]
services = ["ntfy://ntfy.example.org/topic"]    # the same by any service that Apprise knows
# fetched as long as all is well, for a service that rings when not
heartbeat = "https://ring.example.org/1234"
remind-after = 14                 # days after which `pbem watch` reminds by itself, once

[send]                            # either a program …
program = ["/usr/sbin/sendmail", "-t", "-i"]

[send]                            # … or a server
host = "smtp.example.org"
port = 587
security = "starttls"             # or "tls"; "none" only for this machine itself
user = "ann"
password-command = ["pass", "mail"]   # else the system's keyring is asked

[fetch]
host = "imap.example.org"
security = "tls"
user = "ann"
folder = "INBOX"
days = 90                         # how far back the first fetch looks
```

No password ever stands here: it comes from a command, or from the system's keyring (service `pbem
HOST`)."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pbem import PROGRAM_ADDRESS, files
from pbem.errors import Do, PbemError, Usage
from pbem.home.home import Home
from pbem.home.identity import as_written_in_mails, domain_in_ascii
from pbem.home.store import EMPTY, StateFile
from pbem.ledger.ledger import Ledger
from pbem.mail.server import Server

_PAGE_ADDRESS = re.compile(
    r"https?://[A-Za-z0-9.:\[\]-]{1,120}(?:/[A-Za-z0-9._~%/@:+,-]{0,120})?\Z"
)
_HINT = "as in https://ann.example.org/pbem/, without ? and #"


class Page(NamedTuple):
    """Where a turn can be played: the address of the page (empty: nowhere), and the link with the
    turn (empty where it does not fit: then the attached file is chosen there)."""

    address: str
    link: str


NO_PAGE = Page("", "")


class ProgramSource(NamedTuple):
    """Where somebody who is invited gets pbem: the address that the inviter names for it, else
    their own copy as one `file`, for a `system` alone if it is not for all (pbem.mail.program).
    `data` are its bytes where the mail brings it."""

    address: str = ""
    file: str = ""
    system: str = ""
    data: bytes = b""


NO_SOURCE = ProgramSource()


def check_address(text: str) -> str:
    """The address of a page, as it may stand in a mail: https, or http on this machine itself.
    Raises `Usage`."""
    text = _in_ascii(text)
    if _PAGE_ADDRESS.match(text) is None:
        raise Usage(
            f'"{"".join(c for c in text[:80] if c.isprintable())}" is no address of a page',
            hint=_HINT,
        )
    try:
        parts = urlsplit(text)
        host, is_secure = parts.hostname or "", parts.scheme == "https"
        _ = parts.port
    except ValueError as error:
        raise Usage(f'"{text[:80]}" is no address of a page', hint=_HINT) from error
    if not host or not (is_secure or is_here(host)):
        raise Usage(
            "a page makes keys under https alone", hint="http is for trying, on this machine itself"
        )
    return text


def _in_ascii(address: str) -> str:
    """The address of a page without the blanks around it, its domain in ASCII."""
    scheme, mark, rest = address.strip().partition("://")
    domain, *path = re.split("([:/].*)", rest, maxsplit=1)
    return "".join((scheme, mark, domain_in_ascii(domain), *path))


def is_here(host: str) -> bool:
    """Whether a host of this name is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


_HEARTBEAT = re.compile(r"https://[A-Za-z0-9.:\[\]-]{1,120}(?:/[!$-;=?-~]{0,500})?\Z")
_ADDRESS = re.compile(r"https://[!#-;=?-~]{1,200}\Z")
SECURITY = ("tls", "starttls", "none")
SEND_PORTS = {"tls": 465, "starttls": 587, "none": 25}
_FILE = StateFile("mail.toml", dict[str, Any], 100_000)
"""Its player writes it, so each key is checked by itself, to say what it should be."""


@dataclass(frozen=True)
class MailSettings:
    """What `mail.toml` says; the defaults if there is no such file."""

    inbox: tuple[Path, ...] = ()
    program: tuple[str, ...] = ()
    send: Server | None = None
    fetch: Server | None = None
    notify: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    address_of_program: str = ""
    """Where newcomers find pbem, as an invitation tells them."""
    web: str = ""
    """The address of the page in which whoever gets a mail may play; empty: none."""
    remind_after: int = 0
    """Days after which `pbem watch` reminds by itself; 0: never."""
    heartbeat: str = ""
    """The address that `pbem watch` fetches as long as all is well; empty: none."""

    @property
    def can_send(self) -> bool:
        """Whether mail can be sent at all."""
        return bool(self.program) or self.send is not None


def read(home: Home) -> MailSettings:
    """The settings of a home. Raises `Usage`, with the key that is wrong."""
    path = home.folder / _FILE.name
    if not os.path.lexists(path):
        return MailSettings()
    where, hint = files.printable(path), "docs/mail.md has an example"
    try:
        return parse(files.read_own(path, _FILE.largest))
    except ValueError as error:
        is_lost = str(error) == EMPTY
        hint = "restore it from your copy, or remove it to set up nothing" if is_lost else hint
        raise Usage(EMPTY if is_lost else f"no TOML: {error}", where=where, hint=hint) from error
    except Usage as error:
        raise Usage(error.what, where=where, hint=error.hint) from error


def fetch_server(home: Home) -> Server:
    """The account from which mails are fetched. Raises `Usage` where none is set up."""
    server = read(home).fetch
    if server is None:
        hint = Do(
            "id", does="shows the home in which it lies: write [fetch] there, as docs/mail.md tells"
        )
        raise Usage("nothing is set up for fetching", where="mail.toml", hint=hint)
    return server


def of_table(table: Mapping[str, object]) -> MailSettings:
    """The settings of a file with this in it. Raises `Usage`, with the key that is wrong."""
    return parse(_FILE.encode(dict(table)))


def add(home: Home, table: Mapping[str, object]) -> None:
    """Add a table, such as `{"send": ...}`, at the end of the settings of a home; what stands there
    stays as it is. Raises `Usage` if the whole would be wrong, or cannot be written."""
    # it may be a link to where somebody keeps their settings
    path = (home.folder / _FILE.name).resolve()
    before = files.read_own(path, _FILE.largest).rstrip() + b"\n\n" if path.exists() else b""
    whole = before + _FILE.encode(dict(table))
    try:
        parse(whole)
    except ValueError as error:
        what = f"nothing can be added: {error}"
        raise Usage(what, where=files.printable(path), hint="take the empty [send] out") from error
    files.replace(path, whole)


def program_for_newcomers(home: Home, game: Ledger, *, attach: bool = False) -> ProgramSource:
    """Where an invitation says that pbem is found; `NO_SOURCE` for any other mail. With `attach`
    the mail brings it. Raises `Usage`."""
    if not game.free_seats():
        return NO_SOURCE
    from pbem.mail import program  # only an invitation needs it

    if attach:
        made = program.wheel()
        return ProgramSource("", made.name, made.system, made.data)
    address = read(home).address_of_program or PROGRAM_ADDRESS
    return ProgramSource(address, *program.wheel_name())


def parse(data: bytes) -> MailSettings:
    """The settings in these bytes of a file. Raises `Usage`, with the key that is wrong, or
    `ValueError` where they are no TOML."""
    table = _FILE.decode(data)
    _check_keys(
        table,
        (
            "program",
            "web",
            "inbox",
            "notify",
            "services",
            "remind-after",
            "heartbeat",
            "send",
            "fetch",
        ),
        "",
    )
    send, fetch = _table(table, "send"), _table(table, "fetch")
    program = _texts(send.pop("program", []), "send.program")
    if program and send:
        raise _wrong("send", "either a program or a server, not both")
    source = _server(fetch, "fetch", {"tls": 993, "starttls": 143, "none": 143})
    if source is not None and not source.user:
        raise _wrong("fetch.user", "the name with which you sign in")
    return MailSettings(
        tuple(_path(text, "inbox") for text in _texts(table.get("inbox", []), "inbox")),
        program,
        _server(send, "send", SEND_PORTS),
        source,
        _texts(table.get("notify", []), "notify"),
        _texts(table.get("services", []), "services"),
        _address(table),
        _page(table),
        _number(table, "remind-after", 1, 3650, "remind-after") if "remind-after" in table else 0,
        _heartbeat(table),
    )


def _server(table: dict[str, Any], name: str, ports: dict[str, int]) -> Server | None:
    if not table:
        return None
    _check_keys(
        table,
        ("host", "port", "security", "user", "password-command", "ca-file", "folder", "days"),
        f"{name}.",
    )
    host = domain_in_ascii(_text(table, "host", f"{name}.host").strip())
    security = str(table.get("security", "tls"))
    if not host or host.startswith("-") or any(c.isspace() for c in host):
        raise _wrong(f"{name}.host", "the name of a server")
    if security not in SECURITY:
        raise _wrong(f"{name}.security", f"one of {', '.join(SECURITY)}")
    if security == "none" and not is_here(host):
        raise _wrong(
            f"{name}.security",
            "tls or starttls: without them only this machine itself may be asked",
        )
    return Server(
        host,
        _number(table, "port", ports[security], 65535, f"{name}.port"),
        security,
        as_written_in_mails(_text(table, "user", f"{name}.user")),
        _texts(table.get("password-command", []), f"{name}.password-command"),
        (
            str(_path(text, f"{name}.ca-file"))
            if (text := _text(table, "ca-file", f"{name}.ca-file"))
            else None
        ),
        _folder(table, f"{name}.folder"),
        _number(table, "days", 90, 36500, f"{name}.days"),
    )


def _address(table: dict[str, Any]) -> str:
    """Where pbem is found: an address that a mail may show."""
    address = _in_ascii(_text(table, "program", "program"))
    if address and _ADDRESS.match(address) is None:
        raise _wrong("program", "an address that begins with https://")
    return address


def _heartbeat(table: dict[str, Any]) -> str:
    """The address that is fetched as long as all is well."""
    address = _in_ascii(_text(table, "heartbeat", "heartbeat"))
    try:
        is_fine = _HEARTBEAT.match(address) is not None and bool(urlsplit(address).hostname)
        _ = urlsplit(address).port
    except ValueError:
        is_fine = False
    if address and not is_fine:
        raise _wrong("heartbeat", "an address that begins with https://")
    return address


def _page(table: dict[str, Any]) -> str:
    """The address of the page that mails may show."""
    address = _text(table, "web", "web").strip()
    try:
        return check_address(address) if address else ""
    except Usage as error:
        raise _wrong("web", "an address that begins with https://, without ? and #") from error


def _check_keys(table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise _wrong(f"{where}{key}", f"nothing: the keys are {', '.join(known)}")


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise _wrong(key, "a table")
    return dict(found)


def _text(table: dict[str, Any], key: str, where: str) -> str:
    text = table.get(key, "")
    if not isinstance(text, str) or not text.isprintable():
        raise _wrong(where, "one line of text")
    return text


def _path(text: str, where: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise _wrong(where, "a path: nobody here has the home that it begins with") from error


def _folder(table: dict[str, Any], where: str) -> str:
    folder = _text(table, "folder", where) or "INBOX"
    if not folder.isascii():
        raise _wrong(where, "in ASCII, as the server spells it (Entw&APw-rfe)")
    return folder


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
        raise _wrong(where, "a list of texts")
    return tuple(value)


def _number(table: dict[str, Any], key: str, default: int, most: int, where: str) -> int:
    number = table.get(key, default)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        raise _wrong(where, f"a number from 1 to {most}")
    return number


def _wrong(key: str, requirement: str) -> PbemError:
    return Usage(f"{key} should be {requirement}", hint="docs/mail.md has an example")
