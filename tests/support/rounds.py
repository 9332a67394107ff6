"""Rounds of people who want to play one game, by mails that take their time or are lost: with the
real homes, inboxes and memories. What is asked of a round is that it ends at one table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.joins import goes_before, has_gone_on, is_full
from pbem.home.shelf import kept_in
from pbem.ledger.evidence import Evidence, evidence, signed_chain
from pbem.mail.find_turns import Found
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.inbox import Inbox, seat_open_to


class Person:
    """Somebody with a home. `faults` is whatever kept them from playing where it was theirs."""

    def __init__(self, folder: Path, name: str, chance: random.Random) -> None:
        self.name, self.chance = name, chance
        self.home = Home(folder / f"{name} {chance.randbytes(4).hex()}")
        self.home.create(name, "", chance.randbytes(32), "")
        self.key = self.home.identity().public
        self.inbox: list[bytes] = []
        self.faults: list[str] = []
        self.known: set[bytes] = set()
        self.signed: list[bytes] = []

    def read(self) -> None:
        """Take in what has come."""
        inbox = Inbox(self.home, confirmed=None, watches=True)
        inbox.take([Found("a mail", data) for data in self.inbox])
        self.faults += [item.reason for item in inbox.items if item.kind in ("invalid", "fork")]
        self.inbox = []

    def invite(self, seats: int, keys: Sequence[str]) -> bytes:
        """Entry 0 of a game, whose first seats are kept for these keys."""
        new = joining.NewGame("lots", options={"players": seats}, opponents=keys)
        return joining.invite(self.home, new)

    def files(self) -> list[bytes]:
        """All files of the game that have come."""
        (folder,) = game_folders(self.home)
        return [path.read_bytes() for path in sorted((folder / "read").iterdir())]

    def newest(self) -> bytes | None:
        """The file that a command means which is given the game's name."""
        shelves = [kept_in(folder).shelf for folder in game_folders(self.home)]
        return shelves[0].file.data if shelves and shelves[0] is not None else None

    def join(self, data: bytes) -> bytes:
        """The file with this person's join. Raises kinds of `PbemError`."""
        return joining.join(open_game.open_file(data, self.home), self.home)

    def act(self, data: bytes | None) -> bytes | None:
        """Join or play on this file if it is theirs to do so; the file that they sign."""
        if data is None:
            return None
        try:
            opened = open_game.open_file(data, self.home)
            memory = opened.memory
            assert memory is not None
            if opened.seat is None and seat_open_to(opened.ledger, self.key) is not None:
                if memory.newest_signed() is None or memory.gives_way(opened.file):
                    return joining.join(opened, self.home)
            elif (playing := opened.to_play()) is not None:
                request = playing.referee.turn.request
                is_asked = getattr(request, "seat", None) == opened.seat
                answers = ["show 1 call 2"] if is_asked else []
                return take_turn.next_entry(opened, Intent(answers))
        except PbemError as error:
            self.faults.append(str(error))
        return None


class Stranger(Person):
    """Joins where they can, under new keys, and never writes again; one who grinds tries keys until
    theirs goes before what there is."""

    tries = 0

    def another(self) -> Person:
        """The same person under another key."""
        return Person(self.home.folder.parent, self.name, self.chance)

    def act(self, data: bytes | None) -> bytes | None:
        if data is None or is_full(turnfile.read(data)) or has_gone_on(turnfile.read(data)):
            return None
        best: bytes | None = None
        for _ in range(1 + self.tries):
            with suppress(PbemError):
                own = self.another().join(data)
                if best is None or goes_before(turnfile.read(own), turnfile.read(best)):
                    best = own
        return best


class Grinder(Stranger):
    """The same, and never lets anybody else go first."""

    tries = 6


@dataclass
class Round:
    """Who invites, who wants to play (more than there are seats, if so), and strangers. Mails take
    up to `slow` steps, and of a hundred so many are lost; later they are sent again."""

    people: Sequence[Person]
    seats: int
    chance: random.Random
    strangers: Sequence[Stranger] = ()
    slow: int = 8
    lost: int = 20
    files: set[bytes] = field(default_factory=set)
    on_the_way: list[tuple[int, Person, bytes]] = field(default_factory=list)
    chosen: bytes | None = None
    joins: int = 0
    now: int = 0

    def play(self, kept: bool = False) -> None:
        """From the invitation to where nobody has anything to do or to send again."""
        inviter, *others = self.people
        keys = [b64(other.key) for other in others[: self.seats - 1]] if kept else []
        self.send(inviter, inviter.invite(self.seats, keys))
        for self.now in range(10_000):
            came = [mail for mail in self.on_the_way if mail[0] <= self.now]
            self.on_the_way = [mail for mail in self.on_the_way if mail[0] > self.now]
            for _, person, data in came:
                person.inbox.append(data)
                person.known.add(data)
            everybody = [*self.people, *self.strangers]
            is_quiet = not self.on_the_way and not any(person.inbox for person in everybody)
            if is_quiet and not self.remind():
                return
            for person in self.chance.sample(everybody, k=len(everybody)):
                if person.inbox and self.chance.random() < 0.6:
                    person.read()
                    self.goes_on(person)
        raise AssertionError("a round does not end")

    def goes_on(self, person: Person) -> None:
        """Somebody looks at the game, and signs and sends what is theirs."""
        data = self.table() if person is self.people[0] else person.newest()
        if (signed := person.act(data)) is None:
            return
        self.joins += not has_gone_on(turnfile.read(signed))
        if person is self.people[0]:
            self.chosen = self.chosen or signed
        self.send(person, signed)

    def table(self) -> bytes | None:
        """What the inviter goes on with: of full tables one without strangers, if there is one."""
        newest = self.people[0].newest()
        if newest is None or has_gone_on(turnfile.read(newest)) or not self.strangers:
            return newest
        known = {person.key for person in self.people}
        for file in map(turnfile.read, self.people[0].files()):
            keys = {entry.blob("key", 32) for entry in file.entries if "key" in entry.fields}
            if is_full(file) and keys <= known:
                return file.data
        return newest if not self.on_the_way else None

    def send(self, sender: Person, data: bytes) -> None:
        self.files.add(data)
        sender.known.add(data)
        sender.signed.append(data)
        for person in (*self.people, *self.strangers):
            if person is not sender and self.chance.randrange(100) >= self.lost:
                self.on_the_way.append((self.now + self.chance.randint(1, self.slow), person, data))

    def remind(self) -> bool:
        """Whoever has something that others lack sends it again, and it arrives. Whether anybody
        had; if nobody, the inviter goes on with what there is."""
        found = False
        for person in self.people:
            for data in {*person.signed, person.newest() or b""} - {b""}:
                for other in (*self.people, *self.strangers):
                    if other is not person and data not in other.known:
                        found = True
                        other.known.add(data)
                        self.on_the_way.append((self.now + 1, other, data))
        if not found and self.chosen is None:
            self.goes_on(self.people[0])
            return self.chosen is not None
        return found

    def evidence(self) -> list[Evidence]:
        """What all files together prove of any key."""
        return evidence(signed_chain(data) for data in sorted(self.files))
