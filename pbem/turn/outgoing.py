"""Sending what a player has written, and saying what is left to do when it does not let the game go
on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem import files
from pbem.errors import Conflict, Do, Hint, Refused, Typed, Usage, parts
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home import attached_files, game_index, known_names, outbox, place
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.identity import mail_address
from pbem.home.outbox import BY_HAND, SentTurn
from pbem.ledger.gate import follow
from pbem.ledger.ledger import Ledger, player_names
from pbem.lock import Lock
from pbem.mail import compose, links, settings
from pbem.report.facts import passes_on
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.signing import stem

if TYPE_CHECKING:
    from pbem.mail.transport import Delivery


_FOR_NOW = re.compile(r": 4[0-9]{2} ")
"""Stands in a refusal that is not for good (RFC 5321, section 4.2.1)."""


class SentElsewhere(Refused):
    """A turn went out, or may have, since the player asked for it."""


class Outgoing(NamedTuple):
    """A mail that can be sent, and the game it is of, at the seat of the player who sends it."""

    message: bytes
    opened: SeatedFile


def outgoing_of(
    home: Home,
    data: bytes,
    to: Sequence[str] = (),
    *,
    mail: bytes = b"",
    with_program: bool = False,
    web: str = "",
) -> Outgoing:
    """The mail a player means, of this turn file: the `mail` in which it lies ready as it is, or
    one made for it; made in any case for addresses that the player names. An invitation may bring
    the program with it; `web` is the page to be named in the mails of this game from now on.

    Raises `Refused` unless the newest entry in it is the player's own, or the player sits in the
    game and says to whom it goes: what came from others is not sent for them.
    """
    opened = _seated(home, data)
    file, game, seat = opened.file, opened.ledger, opened.seat
    if with_program and not game.free_seats():
        raise Refused(
            "everybody who plays here has pbem", hint=Typed("send it without --with-program")
        )
    if web:
        links.remember(home, file.data, web)
    is_own = game.seat_of(file.entries[-1]) == seat
    if is_own:
        opened.memory.check_before_sending()
    if not to and not is_own:
        hint = (
            "play first, then send what that wrote",
            Do("send", "FILE", "--to", "ADDRESS", when="to pass the file on"),
        )
        raise Refused("the newest turn of this file is not yours", hint=hint)
    if mail and not (to or with_program or web):
        return Outgoing(mail, opened)
    named = tuple(mail_address(one, "as in ben@example.org") for one in to)
    forward = compose.Forward(seat, named) if named else None
    source = settings.program_for_newcomers(home, game, attach=with_program)
    templates = home.folder / "templates"
    page = links.page_for(home, game, file.data)
    message = compose.compose(
        file.data,
        game,
        opened.seen,
        f"{stem(game)}.toml",
        templates,
        forward,
        source,
        page,
        attached_files.contents_with(opened.memory.folder, file.entries[-1]),
    )
    if message is None:
        raise Usage(
            "you play this game alone, so there is no mail of it",
            hint=Do("play", "FILE", does="writes the next turn"),
        )
    return Outgoing(message, opened)


def _seated(home: Home, data: bytes) -> SeatedFile:
    """The game of a turn file, at the player's seat."""
    file = turnfile.read(data)
    opened = open_game.held_by(home, file, *follow(file, home.checks.verifier))
    if not isinstance(opened, SeatedFile):
        raise Refused(
            "you sit in no seat of this game",
            hint=(Do("join", "FILE"), "what came from others is not sent on"),
        )
    return opened


def is_unsent(home: Home, opened: OpenFile) -> bool:
    """Whether the newest turn of a game is the player's own, somebody else is to have it, and it
    was not sent to all of them from this home, nor noted as sent."""
    game = opened.ledger
    if (
        opened.seat is None
        or game.seat_of(game.entries[-1]) != opened.seat
        or not game.invitation.is_witnessed()
    ):
        return False
    return not outbox.sent_turn(home.game_folder(game.game_id), opened.file.data).is_sent()


def last_sent(home: Home, opened: OpenFile) -> float:
    """When a mail of the newest turn of a game went out last, or may have (seconds since 1970; 0:
    never)."""
    mails = outbox.sent_turn(home.game_folder(opened.ledger.game_id), opened.file.data).mails
    return max((mail.when for mail in mails), default=0.0)


def as_unwritten(
    home: Home, opened: OpenFile, intent: Intent, folder: Path, *, mail: bool
) -> OpenFile:
    """Of a file that ends with the player's own turn, while nobody has that turn and its files are
    not in the folder (the disk was full, or the program was killed): the file before it, on which
    the same turn is written again. The file itself if anything else is asked for now. A `mail` that
    is not there is missed only where the same answers are given again: it may not have been
    wanted."""
    game, number = opened.ledger, len(opened.file.entries) - 1
    suffixes = [".toml", *([".eml"] if mail and intent.answers else [])]
    names = [folder / f"{stem(game)}{suffix}" for suffix in suffixes]
    if (
        opened.stale
        or number == 0
        or opened.seat in (None, game.to_act(), game.to_close())
        or all(path.exists() for path in names)
        or not is_unsent(home, opened)
    ):
        return opened
    before = open_game.open_file(opened.file.prefix(number), home)
    try:
        is_repeated = take_turn.signed_before(before, intent) is not None
    except Conflict:
        return opened
    if not is_repeated:
        return opened
    before.stale = True
    before.warnings.clear()
    return before


def sent_by_hand(home: Home, data: bytes) -> Ledger:
    """Remember that the player has sent the newest turn of a game another way, so that nothing asks
    for it any more.

    Raises `Refused` if it is not theirs to send, or not the newest one, and `Usage` if that cannot
    be written."""
    place.check_open(home.folder)
    opened = _seated(home, data)
    file, game, seat = opened.file, opened.ledger, opened.seat
    name = short_name(game)
    if game.seat_of(file.entries[-1]) != seat and passes_on(game) != seat:
        raise Refused(
            "the newest turn of this game is not yours", hint=("play first", Do("play", name))
        )
    newest = game_index.newest_path(home, home.game_folder(game.game_id).name)
    if files.read_own(newest, MAX_FILE) != file.data:
        raise Refused(
            "there is a newer turn of this game here",
            hint=("note that one once it is sent", Do("sent", name)),
        )
    outbox.note_by_hand(
        home.game_folder(game.game_id), len(file.entries) - 1, file.data, time.time()
    )
    return game


def send(
    home: Home,
    data: bytes,
    to: Sequence[str] = (),
    *,
    mail: bytes = b"",
    warn: Callable[[str], None] = lambda _: None,
    with_program: bool = False,
    web: str = "",
    begun: float = inf,
) -> tuple[list[str], str]:
    """Send the mail of a turn file (`outgoing_of`) as mail.toml says, to those only who were
    refused when it was sent before; the addresses it went to, and what is left to do for somebody
    to go on. `warn` is told of names with other keys than are known.

    Raises `Refused` if an address was refused: who has it and who does not is remembered all the
    same; `SentElsewhere` if it went out since `begun` (seconds since 1970), when the player asked
    for it: it does so once, however often one clicks."""
    # what speaks with servers is loaded where a mail is sent, and only there
    from pbem.mail import transport

    ready = outgoing_of(home, data, to, mail=mail, with_program=with_program, web=web)
    game, seat = ready.opened.ledger, ready.opened.seat
    # before anything is told: whoever is led through it comes here again
    way = transport.way_of(settings.read(home))
    for doubt in known_names.Names(home, home.identity()).look(ready.opened.file):
        warn(doubt)
    folder, data = home.game_folder(game.game_id), ready.opened.file.data
    for kept in attached_files.files_with(folder, ready.opened.file.entries[-1]):
        if kept.state != "here":
            warn(f"{kept.file.name} is not in your home any more: the mail goes without it")
    turn = transport.MailedTurn(
        folder, len(ready.opened.file.entries) - 1, data, "passed on" if to else "turn"
    )
    try:
        with alone(
            folder,
            lambda: warn(f"another pbem is sending turn {turn.number}: this one waits for its end"),
        ):
            known = outbox.sent_turn(folder, data)
            if any(one.when >= begun and {*one.to} >= {*to} for one in known.mails):
                what = f"turn {turn.number} was sent just now by another window or command"
                raise SentElsewhere(
                    what, hint=("nothing was sent twice", Do("inbox", does="lists the game"))
                )
            lacking = known.lacking if not to else {}
            done = transport.post(turn, ready.message, way, lacking or None)
    except transport.NoAddress as error:
        raise Usage(error.what, hint=nobody_can_act(game, [], seat) or error.hint) from error
    if done.refused:
        raise _not_taken(done, outbox.sent_turn(folder, data), short_name(game))
    return [*done.to], nobody_can_act(game, done.to, seat)


@contextmanager
def alone(folder: Path, waits: Callable[[], object] = bool) -> Iterator[None]:
    """A context in which nobody else sends a turn of this game, by hand or by itself, unless no
    lock can be written: that keeps nobody from sending. `waits` is called if somebody does."""
    lock = Lock(folder / "sending", passing=True)
    try:
        with suppress(Usage):
            if not lock.take():
                waits()
                lock.take(wait=True)
        yield
    finally:
        lock.release()


def _not_taken(done: Delivery, known: SentTurn, name: str) -> Refused:
    """What is told where a server took a mail for some only: who has it, from now or before, and
    how the others get it without anybody having it twice."""
    have = [
        mail
        for mail in dict.fromkeys((*known.to, *done.to))
        if mail != BY_HAND and mail not in done.refused
    ]
    others = (
        f"{', '.join(have)} {'has' if len(have) == 1 else 'have'} it" if have else "nobody has it"
    )
    again: Hint = Do(
        "send", name, "--to", "ADDRESS", when="check the address, then", does="sends it there"
    )
    if all(mail in known.lacking for mail in done.refused):
        again = Do(
            "send", name, when="check the address, then", does="sends it to the refused ones alone"
        )
    if all(_FOR_NOW.search(reason) for reason in done.refused.values()):
        again = ("the server refuses it for now", Do("send", name, when="try later"))
    return Refused("; ".join(done.refused.values()), hint=(others, *parts(again)))


def nobody_can_act(game: Ledger, to: Sequence[str], sender: int) -> str:
    """Why none of these addresses lets the game go on, and what the sender (a seat) can do; nothing
    if one may."""

    known = {player.mail for player in game.players if player is not None and player.mail}
    turn = game.to_act()
    if turn is None or any(mail not in known for mail in to):
        return ""
    name = short_name(game)
    passer = passes_on(game)
    if passer is None:
        player = game.player_of(turn)
        if player.mail in to or game.seat_of(game.entries[-1]) == turn:
            return ""
        if turn == sender:
            return f"the game waits for you: {Do('play', name)}"
        stuck = f"none of them can go on: the game waits for {player_names(game)[turn]}"
        if player.mail:
            return f"{stuck}: {Do('send', name, '--to', player.mail)}"
        give = Do("send", name, "--to", "ADDRESS")
        return f"{stuck}, who gave no address; give them the file, or: {give}"
    inviter = game.player_of(passer)
    if inviter.mail in to:
        return (
            f"the game waits for somebody to take the next seat: {inviter.name} passes the file on"
        )
    return (
        "none of them can go on: the game waits for somebody to take the next seat; send it there:"
        f" {Do('send', name, '--to', 'ADDRESS')}"
    )
