"""Homes that watch: mails go from one's outgoing program into the other's Maildir, and every look
is one call."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import Refused
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import read
from pbem.home import outside
from pbem.home.home import Home
from pbem.mail.compose import turn_mail
from pbem.turn import game_list, joining, open_game, signing, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch.switch import switch_on
from pbem.watch.watcher import Round, Watcher
from tests.support import read_game
from tests.support.homes import complete_answers, make_home


@dataclass
class Correspondent:
    """A player with a home, a Maildir, and a program that sends to the others' Maildirs."""

    name: str
    home: Home
    maildir: Path
    sent: Path
    watcher: Watcher | None = None

    def look(self) -> Round:
        """One round of a watcher that answers; the same watcher as long as nobody ends it."""
        if self.watcher is None:
            self.watcher = Watcher(self.home, answers=True)
        return self.watcher.round()

    def restart(self) -> None:
        """End the watcher; the next look begins a new one."""
        if self.watcher is not None:
            self.watcher.close()
        self.watcher = None

    def mails(self) -> list[bytes]:
        """Every mail this home has sent, the first one first."""
        return [path.read_bytes() for path in sorted(self.sent.iterdir())]

    def receive(self, data: bytes, name: str = "") -> None:
        """A mail or a turn file comes into the Maildir."""
        number = len([*(self.maildir / "new").iterdir()])
        (self.maildir / "new" / (name or f"{number:04}.host")).write_bytes(data)

    def newest(self, number: int = 0) -> bytes:
        """The newest file that the home holds of its only game, or of another one."""
        found = game_list.games(self.home, self.home.identity()).games
        return Path(found[number].file).read_bytes()


def correspondent(folder: Path, name: str, others: list[str]) -> Correspondent:
    """A home in this folder whose mails reach the Maildirs of these others, in the same folder."""
    home = make_home(folder / f"home-of-{name.lower()}", name)
    maildir, sent = folder / f"mail-of-{name.lower()}", folder / f"sent-by-{name.lower()}"
    for below in ("cur", "new", "tmp"):
        (maildir / below).mkdir(parents=True)
    sent.mkdir()
    program = folder / f"send-for-{name.lower()}"
    copies = "\n".join(
        'cp "$f"'
        f" {shlex.quote(str(folder / f'mail-of-{other.lower()}'))}/new/{name.lower()}-$n.host"
        for other in others
    )
    program.write_text(
        f"#!/bin/sh\nset -e\nn=$(printf %04d $(ls {shlex.quote(str(sent))} | wc -l))\n"
        f'f={shlex.quote(str(sent))}/$n\ncat > "$f"\n{copies}\n'
    )
    program.chmod(0o755)
    (home.folder / "mail.toml").write_text(
        f'inbox = ["{maildir}"]\n[send]\nprogram = ["{program}"]\n'
    )
    return Correspondent(name, home, maildir, sent)


def moved(stage: Path, folder: Path, name: str) -> Path:
    """The home of this name in a copy of a stage, with its program, Maildir and notify command in
    the copy too."""
    home = folder / f"home-of-{name.lower()}"
    for path in (home / "mail.toml", folder / f"send-for-{name.lower()}"):
        path.write_text(path.read_text().replace(str(stage), str(folder)))
    return home


@dataclass
class Stage:
    """Two correspondents in one game, and the dice that choose their answers."""

    one: Correspondent
    other: Correspondent
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def write(self, who: Correspondent, data: bytes, *, order: tuple[str, ...] = ()) -> bytes:
        """An entry by hand, which is not sent."""
        opened = open_game.open_file(data, who.home)
        return take_turn.next_entry(
            opened, Intent(complete_answers(opened, self.dice.choice), orders=order)
        )

    def chosen(self, who: Correspondent, data: bytes) -> list[str]:
        """Answers by chance that make an entry."""
        return complete_answers(open_game.open_file(data, who.home), self.dice.choice)

    def to_a_proof(self, data: bytes) -> tuple[bytes, Correspondent]:
        """Play by hand until somebody owes a proof and decides nothing: that file, and who owes it.
        Where a game is over before, the same two play another one."""
        by_hand: set[str] = set()
        for _ in range(120):
            game = read_game.replay_bytes(data)
            if game.is_over():
                data, by_hand = _joined(self.one, self.other), set()
                continue
            who = self.one if game.to_act() == 0 else self.other
            if who.name in by_hand and decides_nothing(who, data):
                return data, who
            data = self.write(who, data)
            by_hand.add(who.name)
        raise AssertionError("no proof was ever due alone")

    def send(self, who: Correspondent, data: bytes) -> None:
        """By hand, into the Maildir of the other one."""
        made = turn_mail(read(data), "turn.toml", None)
        assert made is not None
        (self.other if who is self.one else self.one).receive(
            made, f"hand-{len(read(data).entries):04}.host"
        )


def decides_nothing(who: Correspondent, data: bytes) -> bool:
    """Whether the next entry may be written without a decision of its player, who has not had the
    file yet, and at once: one with which the game ends waits for a day."""
    known = {*who.home.folder.glob("games/*/read/*")}
    try:
        made = take_turn.draft(open_game.open_file(data, who.home))
    except Refused:
        return False
    finally:
        for path in {*who.home.folder.glob("games/*/read/*")} - known:
            path.unlink()
    return "root" not in made.contents()


def solitaire(folder: Path) -> tuple[Stage, bytes]:
    """Ann plays solitaire, and Ben is her witness, who has joined; both homes are switched on for
    it."""
    ann, ben = correspondent(folder, "Ann", ["Ben"]), correspondent(folder, "Ben", ["Ann"])
    key = b64(ben.home.identity().public)
    data = joining.invite(
        ann.home,
        joining.NewGame("tripoli-solitaire", options={"witness": 1}, witnesses=[key]),
    )
    data = joining.join(open_game.open_file(data, ben.home), ben.home)
    for who in (ann, ben):
        open_game.open_file(data, who.home)
        switch_on(who.home, signing.stem(read_game.replay_bytes(data))[:-5], notes=False)
    return Stage(ann, ben), data


def tripoli(folder: Path) -> tuple[Stage, bytes]:
    """Ann and Ben play The Shores of Tripoli; both have joined, and both homes are switched on."""
    return of_two(folder, "tripoli", {})


def of_two(folder: Path, game: str, settings: dict[str, int]) -> tuple[Stage, bytes]:
    """The same with another game."""
    ann, ben = correspondent(folder, "Ann", ["Ben"]), correspondent(folder, "Ben", ["Ann"])
    data = _joined(ann, ben, game, settings)
    for who in (ann, ben):
        open_game.open_file(data, who.home)
        switch_on(who.home, None, notes=False)
    return Stage(ann, ben), data


def _joined(
    ann: Correspondent,
    ben: Correspondent,
    game: str = "tripoli",
    settings: dict[str, int] | None = None,
) -> bytes:
    """A game that both have joined, The Shores of Tripoli unless another one is named."""
    data = joining.invite(ann.home, joining.NewGame(game, options=settings or {}))
    return joining.join(open_game.open_file(data, ben.home), ben.home)


def state_of(who: Correspondent) -> Path:
    """Where the switches of this home are kept."""
    return outside.folder_of(who.home.identity().public)
