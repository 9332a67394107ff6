"""What goes through a chat: an update with the newest entry of a turn file, one that asks for some
that are missing, and one with a seek (docs/design.md, "Places a page runs in"); and what the chat
shows of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbem.fileformat import turnfile
from pbem.ledger.ledger import Ledger, player_names
from pbem.report import facts as report_facts
from pbem.report import render
from pbem.seek.seek_file import MAX_SEEK

VERSION = 1
MAX_TURN = 100_000
"""The most characters of a turn in an update; the largest turns of our games have a fifth of it."""
LONGEST_LINE, LONGEST_SUMMARY = 200, 40

_GAME = re.compile(r"[0-9a-f]{32}\Z")
_DIGEST = re.compile(r"(?:[0-9a-f]{64})?\Z")
_CLAIM = re.compile(r"[0-9a-f]{0,16}\Z")
_REFUSED = re.compile("[\r\ud800-\udfff]")
"""A file is the same with other line ends, and would be played again for each."""


class TurnUpdate(NamedTuple):
    """The newest entry of a file. `game` are 32 digits of the game's id, `before` the SHA-256 of
    the file before it, nothing of an invitation; `by` is what its sender's messenger calls them,
    hashed: a claim, of which only a warning is made."""

    game: str
    number: int
    before: str
    turn: str
    by: str


class Request(NamedTuple):
    """Somebody lacks these turns of a game, from the first to the last."""

    game: str
    first: int
    last: int


class SeekUpdate(NamedTuple):
    """A seek, or what ends one, as its text (docs/format.md, section 24)."""

    seek: str


def read_update(payload: object) -> TurnUpdate | Request | SeekUpdate | None:
    """The update in what came; None for anything that this program would not write."""
    if not isinstance(payload, dict) or payload.get("pbem") is not VERSION:
        return None
    names = set(payload)
    if names == {"pbem", "ask", "from", "to"}:
        game, first, last = payload["ask"], payload["from"], payload["to"]
        is_range = _is_number(first) and _is_number(last) and first <= last
        return Request(game, first, last) if _is(_GAME, game) and is_range else None
    if names == {"pbem", "seek"}:
        text = payload["seek"]
        is_short = isinstance(text, str) and 0 < len(text) <= MAX_SEEK
        return SeekUpdate(text) if is_short and not _REFUSED.search(text) else None
    if names != {"pbem", "game", "number", "before", "turn", "by"}:
        return None
    made = TurnUpdate(*(payload[name] for name in TurnUpdate._fields))
    is_sound = (
        _is(_GAME, made.game)
        and _is_number(made.number)
        and _is(_DIGEST, made.before)
        and (made.number == 0) == (made.before == "")
        and isinstance(made.turn, str)
        and 0 < len(made.turn) <= MAX_TURN
        and not _REFUSED.search(made.turn)
        and _is(_CLAIM, made.by)
    )
    return made if is_sound else None


def _is(form: re.Pattern[str], text: object) -> bool:
    return isinstance(text, str) and form.match(text) is not None


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value < turnfile.MAX_ENTRIES


def written(update: TurnUpdate | Request | SeekUpdate) -> Mapping[str, object]:
    """The payload of an update."""
    if isinstance(update, Request):
        return {"pbem": VERSION, "ask": update.game, "from": update.first, "to": update.last}
    return {"pbem": VERSION, **update._asdict()}


def in_chat(game: Ledger) -> tuple[str, str]:
    """The line that the chat shows of the newest turn, and the text at the app's icon: what
    everybody may know, and no more."""
    facts = report_facts.report(game, None, {}, len(game.entries) - 1)
    author = player_names(game)[game.seat_of(game.entries[-1])]
    names = {**render.names_of(facts), "author": author}
    line, summary = render.lines(render.render("chat.txt.j2", names))[:2]
    return _cut(line, LONGEST_LINE), _cut(summary, LONGEST_SUMMARY)


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
