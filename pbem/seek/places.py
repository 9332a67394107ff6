"""Where seeks are looked for: a file or a folder here, a link, or a list on the web."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pbem.fileformat import link
from pbem.mail import web_file
from pbem.seek.find_seeks import Piece, bounded, seeks_in
from pbem.seek.find_seeks import look as look_here


def look(place: Path) -> Iterator[Piece]:
    """The seeks of a place. Raises `NoPlace`, or `Refused` where a list cannot be had."""
    given = next(link.seek_links_in(os.fsencode(place)), None)
    if given is not None:
        yield Piece("the link", link.read_seek(given))
        return
    address = web_file.address_in(place)
    if not address:
        yield from look_here(place)
        return
    found = seeks_in(web_file.fetch(address))
    yield from bounded((Piece(address, one) for one in found), address)


def as_typed(place: Path) -> str:
    """A place as it was named: a path takes two slashes of an address for one."""
    is_link = next(link.seek_links_in(os.fsencode(place)), None) is not None
    return ("" if is_link else web_file.address_in(place)) or str(place)
