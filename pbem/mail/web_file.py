"""Reads a file from an https address: a list of seeks or a game that anybody serves, on any web
space.

Nothing is sent but the request for it: no name, no key, no cookie, not even the name of the
program. Nobody is led elsewhere, and neither a long answer nor a slow one holds up the reader for
long."""

from __future__ import annotations

import http.client
import re
import ssl
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from pbem.errors import Refused, Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home.identity import domain_in_ascii
from pbem.mail import deadline

LONGEST = 120.0
"""Seconds that a file may take to come, whole."""
MOST_AROUND = 1_000_000
"""Bytes of an answer around the file itself."""
MOST_MOVES = 3
"""How often a file may have moved within its own server."""
_ADDRESS = re.compile(r"https://[A-Za-z0-9.:\[\]-]{1,120}(?:/[!$-;=?-~]{0,500})?\Z")
_HTTPS = re.compile(r"(?i)https:/{1,2}(?=[^/])")
_MOVED = (301, 302, 303, 307, 308)
_HEADERS = {"Accept": "application/json, text/plain"}


def address_in(place: Path) -> str:
    """The https address that was given in place of a path, which takes two slashes for one; empty
    if it is none. Raises `Usage` for one that is not whole."""
    text = place.as_posix()
    match = _HTTPS.match(text)
    if match is None:
        return ""
    domain, slash, rest = text[match.end() :].partition("/")
    address = f"https://{domain_in_ascii(domain)}{slash}{rest}"
    with suppress(ValueError):
        if _ADDRESS.match(address) and urlsplit(address).port != 0:
            return address
    raise Usage(
        f'"{text[:80]}" is no address of a file', hint="as in https://example.org/club/seeks.json"
    )


def fetch(address: str) -> bytes:
    """The bytes that are served there. Raises `Refused`, which says why there are none."""
    begun = _server(address)
    for _ in range(MOST_MOVES + 1):
        try:
            status, moved, data = _ask(address)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Refused(f"{begun}: {_in_words(error)}", hint="check the address") from error
        if status == 200:
            return data
        if status not in _MOVED:
            raise Refused(f"{begun} answers with the status {status}", hint="check the address")
        try:
            address = urljoin(address, moved)
            stays = bool(moved) and _server(address) == begun
        except ValueError:  # what is no address leads elsewhere too
            address, stays = moved, False
        if not stays:
            shown = "".join(c if c.isprintable() and c.isascii() else "?" for c in address[:200])
            raise Refused(
                f"{begun} leads elsewhere: {shown}",
                hint="that is not followed; name that address yourself if you trust it",
            )
    raise Refused(f"{begun} leads round in a circle", hint="tell whoever keeps that file")


def _server(address: str) -> str:
    """Scheme, host and port, as they are compared."""
    parts = urlsplit(address)
    try:
        port = parts.port or 443
    except ValueError:
        port = 0
    return f"{parts.scheme}://{parts.hostname or ''}" + ("" if port == 443 else f":{port}")


class _Connection(http.client.HTTPSConnection):
    """One on which no answer takes for ever."""

    def connect(self) -> None:
        self.sock = deadline.connect(self.host, self.port, ssl.create_default_context())
        deadline.bound_answer(self.sock, MAX_MESSAGE + MOST_AROUND, LONGEST)


def _ask(address: str) -> tuple[int, str, bytes]:
    """The status, where the file has moved (empty: nowhere), and the bytes. Raises `OSError`,
    `HTTPException` or `ValueError`."""
    parts = urlsplit(address)
    where = parts.path or "/"
    with closing(_Connection(parts.hostname or "", parts.port)) as connection:
        connection.request(
            "GET", f"{where}?{parts.query}" if parts.query else where, None, _HEADERS
        )
        answer = connection.getresponse()
        if answer.status != 200:
            return answer.status, answer.getheader("Location", "")[:2000], b""
        data = answer.read(MAX_MESSAGE + 1)
    if len(data) > MAX_MESSAGE:
        raise ValueError(f"more than {MAX_MESSAGE} bytes are served there")
    return 200, "", data


def _in_words(error: Exception) -> str:
    """Why nothing came, without words of the server, which may hold anything."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate does not hold"
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    if isinstance(error, OSError):
        return error.strerror or "it cannot be reached"
    if isinstance(error, http.client.HTTPException):
        return "it does not answer as a web server does"
    return str(error)
