"""Finds leagues and joins in places: files, folders and Maildirs, saved mails, mbox files.

They may be attached, stand in armor, or be a file as they are. Here they are only found, and
nothing of them is believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.fileformat import armor
from pbem.league.league_file import START
from pbem.mail import bounded_mime
from pbem.mail.contents import Content, contents
from pbem.mail.find_turns import turns_in
from pbem.mail.lost_turns import UNREADABLE
from pbem.mail.turn_files import may_hold
from pbem.mail.unread_forms import Budget

MOST = 5000
"""Leagues and joins that are looked at in one place."""
_JOIN = START + b"\n\n[join]"
_LONGEST_HEAD = 100


class LeaguePiece(NamedTuple):
    """What may be a league, or a join to one (`is_join`), and the file it was found in; or why that
    could not be read."""

    where: str
    data: bytes
    is_join: bool = False
    problem: str = ""


def look(place: Path, take_turn: Callable[[bytes], None] | None = None) -> Iterator[LeaguePiece]:
    """Every league and join in a file, or in the files of a folder and the Maildirs below it; each
    turn that lies there is handed to `take_turn`, so that a place is read once. Turns are not
    looked for where nobody takes them. Raises `NoPlace` if the path cannot be read."""
    left = MOST
    for content in contents(place):
        if take_turn and (not content.is_of_mbox or may_hold(content.data)):
            for turn in turns_in(content.data, content.where):
                if turn.data:
                    take_turn(turn.data)
        # a flood of joins ends the looking for more of them, and hides no result
        for piece in _pieces(content) if left >= 0 else ():
            left -= 1
            if left < 0:
                where = files.printable(place)
                problem = f"{where} has more than {MOST}: the rest is left"
                yield LeaguePiece(where, b"", problem=problem)
                break
            yield piece


def _pieces(content: Content) -> Iterator[LeaguePiece]:
    if content.problem:
        yield LeaguePiece(content.where, b"", problem=content.problem)
    else:
        yield from _in_mail(content.data, content.where)


def _in_mail(data: bytes, where: str) -> Iterator[LeaguePiece]:
    """The leagues and joins in a mail, or in a file that is none, each once."""
    if data.startswith(START):
        yield _piece(data, where)
        return
    seen: set[bytes] = set()
    try:
        for content in bounded_mime.contents(data, Budget()):
            whole = [content] if content.startswith(START) else []
            for one in (*whole, *armor.leagues(content)):
                if one.startswith(START) and one not in seen:
                    seen.add(one)
                    yield _piece(one, where)
    except UNREADABLE:
        return


def _piece(data: bytes, where: str) -> LeaguePiece:
    head = data[:_LONGEST_HEAD].replace(b"\r\n", b"\n")
    return LeaguePiece(where, data, head.startswith(_JOIN))
