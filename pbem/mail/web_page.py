"""The page in which whoever gets a mail may play, as the mail tells it (docs/web.md)."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from pbem.errors import Usage

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,120}(?:/[A-Za-z0-9._~%/@:+,-]{0,120})?\Z")
_HINT = "as in https://ann.example.org/pbem/, without ? and #"


class Page(NamedTuple):
    """Where a turn can be played: the address of the page (empty: nowhere), and the link with the
    turn (empty where it does not fit: then the attached file is chosen there)."""

    address: str
    link: str


NO_PAGE = Page("", "")


def check_address(text: str) -> str:
    """The address of a page as it may stand in a mail: https, or http on this machine itself.
    Raises `Usage`."""
    if _ADDRESS.match(text) is None:
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


def is_here(host: str) -> bool:
    """Whether a server of this name is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
