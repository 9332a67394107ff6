"""The turn mail: a draft that any mail program opens, with the board to look at and the turn file attached.

It holds what everybody may see and nothing else. Threading needs no store: a mail's id is made from the game and the
entry it brings, and the ids of the mails before it follow from the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.flow import Ask, Seat
from pbem.fileformat import armor
from pbem.fileformat.turnfile import TurnFile
from pbem.ledger.ledger import Ledger
from pbem.ledger.replay import Seen, follow
from pbem.report import picture, render
from pbem.report.facts import report
from pbem.report.model import EntryFacts, GameData, PlayerFacts, Report

if TYPE_CHECKING:
    from datetime import datetime

MAX_HTML = 90_000
"""Bytes of the HTML part: large mail services cut what is longer."""
MAX_ARMOR = 60_000
_ADDRESS = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9#$&'*+=?^_{}~.-]{0,63})@([A-Za-z0-9](?:[A-Za-z0-9.-]{0,180}[A-Za-z0-9])?)\Z"
)
_SIMPLE_NAME = re.compile(r"[^\W_][\w '-]{0,39}\Z")
_FILE_NAME = re.compile(r"[^a-z0-9.-]")


@dataclass(frozen=True, kw_only=True)
class MailFacts(Report):
    """What the templates of a mail tell: the public report, who writes to whom, and what the mail carries.

    `armor` is empty where the turn is too long for the text, `image` None where there is no picture; `clipped` says
    that the HTML part tells less than the text."""

    author: PlayerFacts
    reader: PlayerFacts | None
    message: str
    choices: Sequence[str]
    armor: str
    file: str
    image: str | None
    clipped: bool = False


def facts_of(game: Ledger, seen: Seen) -> tuple[MailFacts, GameData | None]:
    """What the templates tell, and the position at the reader's last turn."""
    author = game.seat_of(game.entries[-1])
    reader = _reader(game, author, seen)
    since, before = (len(game.entries) - 2, None) if reader is None else seen[reader]
    faces = game.referee.game.faces() if game.referee else {}
    public = report(game, None, faces, min(since + 1, len(game.entries) - 1))
    if public.over and public.view:  # whoever's turn it was when a player resigned
        public = replace(public, view={**public.view, "active": None})
    facts = MailFacts(
        **vars(public),
        author=public.players[author],
        reader=None if reader is None else public.players[reader],
        message=game.entries[-1].text("message"),
        choices=choices(game),
        armor="",
        file="",
        image=None,
    )
    return facts, before


def _reader(game: Ledger, author: Seat, seen: Seen) -> Seat | None:
    """Whom the mail speaks to first: who writes next, else whoever of the others wrote last."""
    turn = game.to_act()
    if turn is not None and turn != author and turn in seen:
        return turn
    others = [(number, seat) for seat, (number, _) in seen.items() if seat != author]
    return max(others)[1] if others else None


def choices(game: Ledger) -> list[str]:
    """What everybody can see that the seat whose turn it is may answer; cards of its hand come on top of that."""
    request = game.referee.request if game.referee and not game.is_over() else None
    if not isinstance(request, Ask):
        return []
    return [game.rules.words(option) for option in request.options]


def draft(file: TurnFile, name: str, own: Path | None = None) -> bytes | None:
    """The mail that brings this file, under this file name, to the other players; None if there is nobody else.

    Raises `Usage` if a template of the player's own does not work.
    """
    game, seen = follow(file)
    return compose(file.data, game, seen, name, own)


def compose(data: bytes, game: Ledger, seen: Seen, name: str, own: Path | None) -> bytes | None:
    """The same, for a game that was followed already."""
    author = game.seat_of(game.entries[-1])
    keyed = [player for player in game.players if player is not None and player.key]
    if len(keyed) < 2 and game.referee is not None:
        return None
    facts, before = facts_of(game, seen)
    lines = [line for turn in facts.entries for line in turn.lines if isinstance(line, Mapping)]
    drawing = picture.svg(facts.game, facts.view, before, lines, own) if facts.view else None
    board = _png(drawing) if drawing is not None else None
    message = EmailMessage(policy=SMTP)
    _head(message, game, author, render.render("subject.txt.j2", facts, own))
    armored = armor.wrap(data)
    image_id = f"board.{message['Message-ID'][1:-1]}"
    facts = replace(
        facts,
        armor=armored if len(armored) <= MAX_ARMOR else "",
        file=_FILE_NAME.sub("-", name),
        image=f"cid:{image_id}" if board else None,
    )
    _text(message, render.render("mail.txt.j2", facts, own))
    html = html_part(facts, own)
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    if board is not None:
        part = message.get_payload()[1]  # type: ignore[index]
        assert isinstance(part, EmailMessage)
        part.add_related(board, "image", "png", cid=f"<{image_id}>", disposition="inline", filename="board.png")
    message.add_attachment(data, "application", "octet-stream", filename=facts.file)
    boundary = game.entries[-1].digest.hex()[:24]
    for number, part in enumerate(found for found in message.walk() if found.is_multipart()):
        part.set_boundary(f"=_pbem_{number}_{boundary}")
    return message.as_bytes()


def _png(drawing: str) -> bytes | None:
    """The picture; none on a machine for which its library is not made: the words tell everything as well."""
    try:
        return picture.png(drawing)
    except ImportError:
        return None


def _head(message: EmailMessage, game: Ledger, author: Seat, subject: str) -> None:
    entries = game.entries
    ids = [message_id(game, number) for number in range(len(entries))]
    message["Subject"] = " ".join(subject.split())[:200]
    sender = game.seated(author)
    if (own := address(sender.name, sender.mail)) is not None:
        message["From"] = own
    others = [player for player in game.players if player is not None and player.seat != author]
    if to := [found for player in others if (found := address(player.name, player.mail)) is not None]:
        message["To"] = to
    message["Date"] = format_datetime(_moment(entries[-1].date))
    message["Message-ID"] = ids[-1]
    if len(ids) > 1:
        message["In-Reply-To"] = ids[-2]
        message["References"] = " ".join([ids[0], *ids[1:-1][-6:]])
    message["X-Unsent"] = "1"
    message["X-PBEM-Game"] = f"{game.game_id.hex()} {len(entries) - 1}"


def message_id(game: Ledger, number: int) -> str:
    """The id of the mail that brings an entry: the same on every machine."""
    return f"<{game.game_id.hex()[:16]}.{number}.{game.entries[number].digest.hex()[:16]}@pbem.invalid>"


def address(name: str, mail: str) -> Address | None:
    """A player's address for a mail header; None if it is no plain address. A name that is more than letters and
    spaces stays out: it is somebody else's choice, and programs disagree on how to read it."""
    match = _ADDRESS.match(mail)
    if match is None or ".." in mail or match[1].startswith(".") or match[1].endswith("."):
        return None
    name = name.strip()
    return Address(name if _SIMPLE_NAME.match(name) else "", match[1], match[2])


def _moment(date: str) -> datetime:
    from datetime import UTC, datetime

    try:
        return datetime.fromisoformat(date)
    except ValueError:  # the 31st of February, say: a claimed date proves nothing and stops nothing
        return datetime(2000, 1, 1, tzinfo=UTC)


def _text(message: EmailMessage, text: str) -> None:
    plain = text.isascii() and all(len(line) < 900 for line in text.split("\n"))
    message.set_content(text, cte="7bit" if plain else "quoted-printable")


def html_part(facts: MailFacts, own: Path | None) -> str:
    """The HTML, told in fewer lines if it would be too long; the text part always tells everything."""
    html = ""
    for entries, lines, letters in ((1000, 10_000, 4000), (100, 60, 1500), (50, 15, 400), (20, 3, 100)):
        html = render.render("mail.html.j2", _clipped(facts, entries, lines, letters), own)
        if len(html.encode()) <= MAX_HTML:
            break
    return html


def _clipped(facts: MailFacts, entries: int, lines: int, letters: int) -> MailFacts:
    """The newest entries, each with so much of its story and its message."""
    newest: Sequence[EntryFacts] = facts.entries[-entries:]
    shorter = [replace(turn, lines=turn.lines[-lines:], message=turn.message[:letters]) for turn in newest]
    return replace(
        facts,
        entries=shorter,
        message=facts.message[:letters],
        clipped=shorter != list(facts.entries) or len(facts.message) > letters,
        choices=facts.choices[:lines],
    )
