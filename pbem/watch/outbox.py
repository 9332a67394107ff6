"""What a program sends by itself: the mails of what it wrote in a game, until everybody has them,
and friendly reminders.

The order keeps every promise if the program is killed anywhere: an entry is noted in the outbox of
its game (`pbem.home.outbox`) with its digest, then signed for good (`pbem.home.memory`), then its
mail is written to `outgoing/`, sent, and noted as sent. So a mail is sent again only with the same
bytes, and what was noted and never signed is nothing. Who lacks it is tried again, nobody else
is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.home import attached_files, outbox
from pbem.home.game_index import short_name, short_name_in
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.outbox import SentTurn
from pbem.home.shelf import kept_in
from pbem.mail import compose, links, transport
from pbem.mail.settings import MailSettings
from pbem.mail.transport import Delivery, MailedTurn
from pbem.turn import game_list, outgoing, prepared, remind
from pbem.turn.game_list import GameSummary
from pbem.turn.remind import RemindFacts
from pbem.watch.failing import LOOK, Failing
from pbem.watch.sending import Sending

MAX_MAIL = 30_000_000
_SEND, _REMIND, _LACKING = "send:", "remind:", f"{LOOK}lacking:"
"""How the names of failures begin: that a game's mails cannot be sent, or nobody reminded, which is
not tried in every round, and that somebody lacks a turn."""


@dataclass(frozen=True)
class SentEntry:
    """An entry that was written and sent by itself: the game's short name, the entry's number, the
    addresses, the answers in it (none: it decides nothing), which its player had prepared, and what
    is prepared still."""

    game: str
    entry: int
    to: Sequence[str]
    answers: Sequence[str] = ()
    prepared: Sequence[str] = ()


@dataclass
class Post:
    """How a watcher sends: what hands the mails over, what does not work, and what has gone out
    since somebody asked."""

    sending: Sending
    failing: Failing
    sent: list[SentEntry] = field(default_factory=list)
    reminded: list[RemindFacts] = field(default_factory=list)

    def take_sent(self) -> tuple[list[SentEntry], list[RemindFacts]]:
        """The turns and reminders that have gone out; from now on they count as told."""
        sent, self.sent, reminded, self.reminded = self.sent, [], self.reminded, []
        return sent, reminded


class Outbox:
    """What was written by itself in one game and is to be sent. `has_failed`: the last attempt
    reached nobody. Raises `Damaged` if the game's outbox cannot be read."""

    def __init__(self, home: Home, folder: Path, settings: MailSettings, post: Post) -> None:
        self.home = home
        self.folder = folder
        self.settings = settings
        self.has_failed = False
        self._post, self._failing = post, post.failing
        self._read()

    def _read(self) -> None:
        self.turns = [turn for turn in outbox.read(self.folder) if turn.written]

    def begin(self, number: int, data: bytes) -> None:
        """Note an entry before it is signed for good. Raises `Usage`."""
        outbox.begin(self.folder, number, data, time.time())
        self._read()

    def due(self) -> list[SentTurn]:
        """Those of which a mail is still to be sent."""
        return [turn for turn in self.turns if turn.is_due]

    def count_since(self, when: float) -> int:
        """How many mails went out by themselves since then, or are to."""
        return sum(turn.count_since(when) for turn in self.turns)

    def tidy(self) -> None:
        """Remove mails that are not to be sent any more: those of a program that was killed after
        it had sent them."""
        due = {self._mail_path(turn) for turn in self.due()}
        for path in files.listed(self.folder / "outgoing"):
            if path.suffix == ".eml" and path not in due:
                path.unlink(missing_ok=True)

    def look(self) -> None:
        """Report that an address refused the newest entry, until the player has sent it there
        themselves or the entry is answered."""
        if not self.due():
            self._failing.works(f"{_SEND}{self.folder.name}")
        for turn in self.turns[-1:]:
            missing = turn.missing(turn.lacking)
            data = self._signed_file(turn) if missing else None
            if data is None or self._is_answered(data):
                continue
            name = self._name_of(data)
            whom = "; ".join(turn.lacking[mail] for mail in missing)
            rest = (
                f"it is not tried again: pbem send {name}"
                if turn.is_given_up
                else "it is tried again later"
            )
            has_it = f"{', '.join(turn.to)} took it; " if turn.to else ""
            what = f"{name}: turn {turn.number}: {whom}; {has_it}{rest}"
            self._failing.fails(f"{_LACKING}{self.folder.name}", what)

    def deliver(self) -> None:
        """Send what was written and not sent yet, each time with the bytes that were made at first,
        unless another mail is still under way."""
        for turn in self.due():
            data = self._signed_file(turn)
            if data is None:
                outbox.drop(self.folder, turn)
            elif self._is_answered(data):
                outbox.note(self.folder, turn.number, data, SentTurn.everybody_has)
            elif turn.again <= time.time() and not self._post.sending.is_busy():
                self._attempt(turn, data)
            self._read()
        self.tidy()

    def _attempt(self, turn: SentTurn, data: bytes) -> None:
        """Send one mail, to all or to those who lack it."""
        thing, name = f"{_SEND}{self.folder.name}", self._name_of(data)

        def fails(error: PbemError) -> None:
            self.has_failed = True
            self._failing.fails(thing, f"{name}: turn {turn.number} was not sent: {error}")

        try:
            mail, way = self._mail(turn, data), transport.way_of(self.settings)
        except PbemError as error:
            fails(error)
            return

        def hand_over() -> Delivery | None:
            with outgoing.alone(self.folder):
                # the player may have sent it by hand since this look has begun
                now = outbox.sent_turn(self.folder, data)
                if not now.is_due:
                    return None
                lacking = now.missing(now.lacking)
                posted = MailedTurn(self.folder, turn.number, data)
                return transport.post(posted, mail, way, lacking or None, automatic=True)

        def then(result: Callable[[], Delivery | None]) -> None:
            try:
                done = result()
            except PbemError as error:
                fails(error)
                return
            self._failing.works(thing)
            self._failing.works(f"{_LACKING}{self.folder.name}")
            self._read()
            self.look()
            if done is not None and done.to:
                self._post.sent.append(self._sent(turn, data, done.to))

        self._post.sending.hand_over(hand_over, then)

    def _sent(self, turn: SentTurn, data: bytes, to: Sequence[str]) -> SentEntry:
        """What is told of an entry that has gone out."""
        file = turnfile.read(data)
        memory = Memory(self.home, bytes.fromhex(self.folder.name))
        return SentEntry(
            self._name_of(data),
            turn.number,
            tuple(to),
            file.entries[-1].list("answers"),
            prepared.in_words(prepared.left_in(memory, file)),
        )

    def _mail(self, turn: SentTurn, data: bytes) -> bytes:
        """The mail of an entry: it is made once and kept until it is sent."""
        path = self._mail_path(turn)
        if path.exists():
            return files.read_own(path, MAX_MAIL)
        game, last_seen = self.home.checks.follow(data)
        name = f"{short_name(game)}-{turn.number:04}.toml"
        templates, page = (
            self.home.folder / "templates",
            links.page_for(self.home, game, data),
        )
        files_of = attached_files.contents_with(self.folder, game.entries[-1])
        draft = compose.compose(data, game, last_seen, name, templates, page=page, files=files_of)
        if draft is None:
            raise Usage("nobody else plays this game, so there is no mail of it")
        self.home.make_folder("games", path.parent.parent.name, "outgoing")
        files.write_new(path, draft, mode=0o600)
        return draft

    def _mail_path(self, turn: SentTurn) -> Path:
        """Where its mail lies as long as it is to be sent."""
        return self.folder / "outgoing" / f"{turn.number:04}-{turn.file[:16]}.eml"

    def _name_of(self, data: bytes) -> str:
        return short_name_in(turnfile.read(data), self.folder.name)

    def _signed_file(self, turn: SentTurn) -> bytes | None:
        """The file that ends with an entry, as it was signed; None if it was never signed, or
        another entry was in its place."""
        return Memory(self.home, bytes.fromhex(self.folder.name)).signed_as(turn.number, turn.file)

    def _is_answered(self, data: bytes) -> bool:
        """Whether somebody has continued this file, so that it need not be sent any more."""
        shelf = kept_in(self.folder).shelf
        return (
            shelf is not None
            and len(shelf.file.data) > len(data)
            and shelf.file.data.startswith(data)
        )


def send_reminders(home: Home, settings: MailSettings, post: Post) -> None:
    """Remind whoever is late and has given an address, where the player has chosen a number of days
    (`remind-after` in mail.toml): once for each turn that is waited for. While a mail is under way
    the others wait for the next time."""
    if not settings.remind_after or not settings.can_send:
        return
    for game in game_list.games(home, home.identity()).games:
        if not remind.is_due(home, game, settings.remind_after):
            post.failing.works(f"{_REMIND}{game.game_id[:32]}")
        elif not post.sending.is_busy():
            _remind(home, game, post)


def _remind(home: Home, game: GameSummary, post: Post) -> None:
    """Send the reminder of one game."""
    thing = f"{_REMIND}{game.game_id[:32]}"

    def hand_over() -> RemindFacts:
        # a home of its own: this one is used meanwhile
        own = Home(home.folder)
        own.unlocked = home.unlocked
        return remind.send(own, files.read_own(Path(game.file), turnfile.MAX_FILE), automatic=True)

    def then(result: Callable[[], RemindFacts]) -> None:
        try:
            post.reminded.append(result())
            post.failing.works(thing)
        except PbemError as error:
            what = f"{game.short} was not reminded of: {error}; pbem remind {game.short} writes it"
            post.failing.fails(thing, what)

    post.sending.hand_over(hand_over, then)
