"""Composes the mail of a turn: a draft that any mail program opens, with a picture of the board in
it and the turn file attached.

It holds what everybody may see and nothing else. A mail's id is made from the game and the entry
that it carries, so the ids of the mails before it, which mail programs need to show a thread,
follow from the file.

`preview_mail` makes the mail of an entry before it is signed, for whoever leads a player through a
turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import NamedTuple

from engine.flow import Ask, Seat
from engine.rules import words_of
from pbem.fileformat import armor
from pbem.fileformat.attached import AttachedFile
from pbem.fileformat.bare_picture import PNG, board_size
from pbem.fileformat.turnfile import TurnFile
from pbem.games import registry
from pbem.home.game_index import short_name
from pbem.ledger.gate import LastSeen, follow
from pbem.ledger.ledger import Ledger
from pbem.mail.heads import address, moment, set_text, subject_of
from pbem.mail.settings import NO_PAGE, NO_SOURCE, Page, ProgramSource
from pbem.report import picture, render
from pbem.report.facts import passes_on, report
from pbem.report.lines import GameData
from pbem.report.model import PlayerFacts, Report, names_of
from pbem.version import exact


@dataclass(frozen=True, kw_only=True)
class MailFacts:
    """What the templates of a mail are given: the public `report`, who writes to whom, and what the
    mail carries. `choices` are the answers that everybody knows the reader may give; with
    `has_hand`, cards of their hand may allow more. `passes_on` is the player who gives the file to
    the next one as long as somebody is still to join.

    `armor` is empty where the turn is too long for the text, and None in a preview. `image` is the
    address of the picture, None where there is none. `clipped` says that the HTML part leaves out
    something that the text has. `words` are those of a reminder. `short` is the game's short name.
    `invites` says that the mail goes to somebody who is to join and may not know the game;
    `kept`, that the seat is kept for their key, so that they have what it takes to play.
    `photo` is the address of the picture that the author made of their board, and `photo_name` what
    its file is called; both are empty where none goes with this turn.
    `source` is where they get pbem, and `version` the inviter's version of it. `package` is where
    the rules come from, if they did not come with pbem. `page` is where the turn can be played in a
    browser, and `link` that address with the turn in it, empty where it does not fit.
    """

    report: Report
    author: PlayerFacts
    reader: PlayerFacts | None
    message: str
    choices: Sequence[str]
    has_hand: bool
    passes_on: PlayerFacts | None
    armor: str | None
    file: str
    image: str | None
    short: str
    version: str
    invites: bool = False
    kept: bool = False
    source: ProgramSource = NO_SOURCE
    package: str = ""
    page: str = ""
    link: str = ""
    clipped: bool = False
    words: str = ""
    photo: str = ""
    photo_name: str = ""


def facts_of(game: Ledger, seen: LastSeen) -> tuple[MailFacts, GameData | None]:
    """The facts for the templates, and the position when the reader last wrote an entry. `seen` is
    what each player saw last."""
    author = game.seat_of(game.entries[-1])
    reader = _reader(game, author, seen)
    since, before = (len(game.entries) - 2, None) if reader is None else seen[reader]
    public = report(game, None, game.public_faces(), min(since + 1, len(game.entries) - 1))
    position = public.position
    if public.progress.over and position.view:  # whoever's turn it was when a player resigned
        view = {**position.view, "active": None}
        public = replace(public, position=replace(position, view=view))
    passer = passes_on(game)
    ask = _question(game)
    facts = MailFacts(
        report=public,
        author=position.players[author],
        reader=None if reader is None else position.players[reader],
        message=game.entries[-1].text("message"),
        choices=choices(game),
        has_hand=ask is not None and bool(ask.hand),
        passes_on=None if passer is None else position.players[passer],
        armor="",
        file="",
        image=None,
        short=short_name(game),
        version=exact(),
        invites=passer == author,
        kept=any(map(game.invitation.is_kept, game.free_seats()[:1])),
    )
    return facts, before


def _reader(game: Ledger, author: Seat, seen: LastSeen) -> Seat | None:
    """Whom the mail addresses first: who writes next, else whoever of the others wrote last."""
    turn = game.to_act()
    if turn is not None and turn != author and turn in seen:
        return turn
    others = [(number, seat) for seat, (number, _) in seen.items() if seat != author]
    return max(others)[1] if others else None


def choices(game: Ledger) -> list[str]:
    """The answers of the seat whose turn it is that everybody can see; cards of its hand may allow
    more."""
    ask = _question(game) if not game.is_over() else None
    if ask is None:
        return []
    position = game.begun().referee.game
    return [words_of(game.rules, position, option) for option in ask.options]


def _question(game: Ledger) -> Ask | None:
    """What the rules ask of a player now; None if they ask nothing."""
    request = None if game.playing is None else game.playing.referee.turn.request
    return request if isinstance(request, Ask) else None


MAX_HTML = 90_000
"""Bytes of the HTML part: large mail services cut what is longer."""
MAX_PICTURE = 60_000
"""Bytes of the picture, as a file."""
MAX_MAIL = 100_000
"""Bytes of a whole mail up to which it carries the armor too."""
WIDTHS = (picture.PNG_WIDTH, 640)
"""Widths of the picture in pixels, the best first. Mail programs show it 638 wide, and sharper if
it has more."""
_TIMES_AS_BASE64, _ITS_HEADERS = 1.37, 600
"""How many times longer the picture is in a mail, line ends included, and the bytes of the headers
of its part."""
_FILE_NAME = re.compile(r"[^a-z0-9.-]")


def turn_mail(file: TurnFile, name: str, own: Path | None = None) -> bytes | None:
    """The mail that carries this file, under this file name, to the other players; None if there is
    nobody else.

    Raises `Usage` if a template of the player's own does not work.
    """
    game, seen = follow(file)
    return compose(file.data, game, seen, name, own)


class Forward(NamedTuple):
    """A mail in which somebody sends a turn on to addresses of their choice. Any other mail goes
    from the author of an entry to the other players."""

    sender: Seat
    to: tuple[str, ...]
    words: str = ""
    """What the sender says above the turn, if they do not merely pass it on."""


def compose(
    data: bytes,
    game: Ledger,
    seen: LastSeen,
    name: str,
    own: Path | None,
    forward: Forward | None = None,
    source: ProgramSource = NO_SOURCE,
    page: Page = NO_PAGE,
    files: Sequence[tuple[AttachedFile, bytes]] = (),
) -> bytes | None:
    """The mail that carries the file `data` of a game under this file name, to the other players or
    to those of a `forward`; None if there is nobody else. `game` and `seen` come from following the
    file (`pbem.ledger.gate.follow`), `own` is the folder of the player's own templates. `source`
    is where newcomers get pbem, `page` where they can play, `files` go with the turn.

    Raises `Usage` if a template of the player's own does not work.
    """
    with_keys = [player for player in game.players if player is not None and player.key]
    if len(with_keys) < 2 and game.playing is not None and forward is None:
        return None
    facts, before = facts_of(game, seen)
    public, position, asked = facts.report, facts.report.position, facts.report.turn.asked
    lines = [line for turn in position.entries for line in turn.lines if isinstance(line, Mapping)]
    names = picture.drawable(names_of(position.players))
    drawing = None
    if position.view:
        drawing = picture.svg(public.about.game, position.view, before, lines, own, asked, names)
    elif asked is not None and asked.what == "join":
        drawing = picture.sample(public.about.game, own)
    package = registry.distribution(public.about.game)
    facts = replace(
        facts,
        file=_FILE_NAME.sub("-", name),
        source=source,
        package="" if package.name == "pbem" else str(package),
        page=page.address,
        link=page.link,
    )
    # an inviter passes a turn on to whoever is to join; a reminder goes to the inviter
    if forward is not None:
        invites = facts.passes_on is not None and facts.passes_on.seat == game.seats[forward.sender]
        facts = replace(facts, words=forward.words, invites=invites and not forward.words)
    # A mail service may drop a second mail of one id, so what is passed on has an id of its own.
    own_id = (
        message_id(game, len(game.entries) - 1)
        if forward is None
        else make_msgid(domain="pbem.invalid")
    )
    photo = None if game.rules.keeps_rules else _photo_in(files)
    others = [one for one in files if one is not photo]
    parts = _Parts(data, game, facts, own, forward, own_id, source.data, others, photo)
    return _bounded_mail(parts, drawing)


def _photo_in(files: Sequence[tuple[AttachedFile, bytes]]) -> tuple[AttachedFile, bytes] | None:
    """The players' picture of their board, in a game that has no board of its own: the first that
    can be."""
    return next((one for one in files if board_size(one[1]) is not None), None)


class _Parts(NamedTuple):
    """What a mail is made of, without the picture and the armor, which go in only if there is
    room."""

    data: bytes
    game: Ledger
    facts: MailFacts
    own: Path | None
    forward: Forward | None
    id: str
    program: bytes = b""
    """The program itself, if the mail brings it."""
    files: Sequence[tuple[AttachedFile, bytes]] = ()
    """The files that go with the turn, but for the photo."""
    photo: tuple[AttachedFile, bytes] | None = None
    """The players' picture of their board, if one goes with the turn."""


class MailWords(NamedTuple):
    """The texts that the templates make for a mail."""

    subject: str
    text: str
    html: str


def _bounded_mail(parts: _Parts, drawing: str | None) -> bytes:
    """The mail with its whole turn and its picture. The armor goes in as long as the mail then has
    `MAX_MAIL` bytes at most, beside a narrower picture if need be."""
    board = _png(drawing, WIDTHS[0])
    block = armor.wrap(parts.data)
    if 2 * len(block) < MAX_MAIL:  # the attachment is as long
        words, alone = (
            _words_of(parts, block, board is not None),
            parts._replace(program=b"", files=(), photo=None),
        )
        room = MAX_MAIL - len(_assemble(alone, words, None))
        for width in WIDTHS:
            image = board if width == WIDTHS[0] else _png(drawing, width)
            if (0 if image is None else _TIMES_AS_BASE64 * len(image) + _ITS_HEADERS) <= room:
                return _assemble(parts, words, image)
    return _assemble(parts, _words_of(parts, "", board is not None), board)


def _words_of(parts: _Parts, block: str, has_picture: bool) -> MailWords:
    image = f"cid:{_image_id(parts)}" if has_picture else None
    facts = replace(parts.facts, armor=block, image=image)
    if parts.photo is not None:
        facts = replace(facts, photo=f"cid:{_photo_id(parts)}", photo_name=parts.photo[0].name)
    return _rendered(facts, parts.own)


def _rendered(facts: MailFacts, own: Path | None) -> MailWords:
    subject = render.render("subject.txt.j2", facts, own)
    return MailWords(subject, render.render("mail.txt.j2", facts, own), html_part(facts, own))


def _image_id(parts: _Parts) -> str:
    return f"board.{parts.id[1:-1]}"


def _photo_id(parts: _Parts) -> str:
    return f"photo.{parts.id[1:-1]}"


def _assemble(parts: _Parts, words: MailWords, board: bytes | None) -> bytes:
    message = EmailMessage(policy=SMTP)
    _head(message, parts, words.subject)
    set_text(message, words.text)
    message.add_alternative(words.html, subtype="html", cte="quoted-printable")
    if board is not None:
        _, part = message.iter_parts()
        image_id = _image_id(parts)
        part.add_related(
            board, "image", "png", cid=f"<{image_id}>", disposition="inline", filename="board.png"
        )
    if parts.photo is not None:  # beside the words that show it, and saved like any other file
        file, data = parts.photo
        _, part = message.iter_parts()
        kind = "png" if data.startswith(PNG) else "jpeg"
        cid = f"<{_photo_id(parts)}>"
        part.add_related(data, "image", kind, cid=cid, disposition="attachment", filename=file.name)
    message.add_attachment(parts.data, "application", "octet-stream", filename=parts.facts.file)
    if parts.program:
        message.add_attachment(
            parts.program, "application", "octet-stream", filename=parts.facts.source.file
        )
    for file, data in parts.files:
        message.add_attachment(data, "application", "octet-stream", filename=file.name)
    boundary = parts.game.entries[-1].digest.hex()[:24]
    for number, part in enumerate(found for found in message.walk() if found.is_multipart()):
        part.set_boundary(f"=_pbem_{number}_{boundary}")
    return message.as_bytes()


def _png(drawing: str | None, width: int) -> bytes | None:
    """The picture as PNG in `MAX_PICTURE` bytes at most. A drawing made by the player's own
    template may be very detailed: then it becomes narrower until it is small enough. None without a
    drawing, and on a machine that lacks the library; the text says everything that the picture
    shows."""
    if drawing is None:
        return None
    try:
        made = picture.png(drawing, width)
    except ImportError:
        return None
    return made if len(made) <= MAX_PICTURE or width == 1 else _png(drawing, width * 4 // 5)


def _head(message: EmailMessage, parts: _Parts, subject: str) -> None:
    """Write the headers: who sends it to whom, its id and those of the mails before it."""
    game, forward, entries = parts.game, parts.forward, parts.game.entries
    ids = [message_id(game, number) for number in range(len(entries))]
    message["Subject"] = subject_of(subject)
    author = game.seat_of(entries[-1])
    sender = game.player_of(forward.sender if forward is not None else author)
    if (own := address(sender.name, sender.mail)) is not None:
        message["From"] = own
    others = [player for player in game.players if player is not None and player.seat != author]
    to = [found for player in others if (found := address(player.name, player.mail)) is not None]
    if forward is not None:
        to = [found for mail in forward.to if (found := address("", mail)) is not None]
    if to:
        message["To"] = to
    message["Date"] = format_datetime(moment(entries[-1].date))
    message["Message-ID"] = parts.id
    if len(ids) > 1:
        message["In-Reply-To"] = ids[-2]
        message["References"] = " ".join([ids[0], *ids[1:-1][-6:]])
    message["X-Unsent"] = "1"
    message["X-PBEM-Game"] = f"{game.game_id.hex()} {len(entries) - 1}"


def message_id(game: Ledger, number: int) -> str:
    """The id of the mail that carries an entry: the same on every machine."""
    return f"<{game.game_id.hex()[:16]}.{number}.{game.entries[number].digest.hex()[:16]}@pbem.invalid>"  # noqa: E501


def html_part(facts: MailFacts, own: Path | None) -> str:
    """The HTML part, clipped if it would be too long; the text part always has everything."""
    html = ""
    for entries, lines, letters in (
        (1000, 10_000, 4000),
        (100, 60, 1500),
        (50, 15, 400),
        (20, 3, 100),
    ):
        html = render.render("mail.html.j2", _clip(facts, entries, lines, letters), own)
        if len(html.encode()) <= MAX_HTML:
            break
    return html


def _clip(facts: MailFacts, entries: int, lines: int, letters: int) -> MailFacts:
    """The facts cut to so many of the newest entries, each with so many lines of what happened and
    so many letters of its message."""
    newest = facts.report.position.entries[-entries:]
    shorter = [
        replace(
            turn,
            lines=turn.lines[-lines:],
            message=turn.message[:letters],
            note=turn.note and turn.note[:letters],
        )
        for turn in newest
    ]
    return replace(
        facts,
        report=facts.report.with_entries(shorter),
        message=facts.message[:letters],
        clipped=shorter != list(facts.report.position.entries) or len(facts.message) > letters,
        choices=facts.choices[:lines],
    )


def preview_mail(
    game: Ledger,
    seen: LastSeen,
    file: str,
    own: Path | None = None,
    address_of: Callable[[str], str | None] | None = None,
) -> MailWords | None:
    """The mail of a game whose newest entry is not signed yet (`Preview.game`), under this file
    name; None where a game goes to nobody else. `seen` is what each player saw last in the file
    before it. `address_of` makes an address for the picture of the board from its SVG; without it
    there is no picture.

    Raises `Usage` if a template of the player's own does not work.
    """
    if sum(player is not None and bool(player.key) for player in game.players) < 2:
        return None
    facts, before = facts_of(game, seen)
    # not signed yet: whether it fits the text is not known
    facts = replace(facts, file=file, armor=None)
    public = facts.report
    if address_of is not None and public.position.view:
        lines = [
            line
            for entry in public.position.entries
            for line in entry.lines
            if isinstance(line, Mapping)
        ]
        names = picture.drawable(names_of(public.position.players))
        drawing = picture.svg(
            public.about.game, public.position.view, before, lines, own, public.turn.asked, names
        )
        facts = replace(facts, image=None if drawing is None else address_of(drawing))
    words = _rendered(facts, own)
    return words._replace(subject=" ".join(words.subject.split())[:200])
