"""A chat of a messenger in memory: members with a home each, and the updates that go to all of
them, as `pbem/web/chat.py` makes and takes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem import files
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home.game_index import game_folders
from pbem.home.shelf import shelf_of
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.turn import joining, open_game
from pbem.turn.inbox import seat_open_to
from pbem.web import chat
from tests.support.web_players import AtDesktop

Payload = Mapping[str, Any]


class Member(AtDesktop):
    """Somebody in the chat. `held` are updates that have come and were not read, `shown` the lines
    that the chat shows of theirs, `lines` what their app has said, `pages` the games that have gone
    on there."""

    def __init__(self, folder: Path, name: str, **more: Any) -> None:
        super().__init__(folder, name, **more)
        self.table = Table(OpenGames(self.home, folder), in_page=True)
        self.address = f"{name}@example.org"
        self.held: list[Payload] = []
        self.serial = 0
        self.shown: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.pages: list[str] = []

    def read(self) -> list[Mapping[str, Any]]:
        """Read what has come, to the end; the updates that go out then."""
        pairs = []
        for payload in self.held:
            self.serial += 1
            pairs.append([self.serial, payload])
        self.held = []
        return self.take_in(pairs)

    def take_in(self, pairs: list[list[Any]]) -> list[Mapping[str, Any]]:
        """Hand over serial numbers and payloads, to the end; the updates that go out then."""
        while True:
            fields = {"updates": json.dumps(pairs), "address": self.address}
            facts: Any = chat.page(self.table, fields)
            self.lines += facts["lines"]
            self.pages += facts["games"]
            if not facts["left"]:
                return list(facts["sends"])
            pairs = []

    def newest(self) -> dict[str, bytes]:
        """The newest file of each game."""
        found = (shelf_of(folder) for folder in game_folders(self.home))
        return {shelf.number: shelf.file.data for shelf in found if shelf is not None}

    def act(self) -> bool:
        """Join or play wherever it is theirs to do so; whether anything was signed."""
        done = False
        for data in self.newest().values():
            opened = open_game.open_file(data, self.home)
            if (
                opened.seat is None
                and seat_open_to(opened.ledger, self.home.identity().public) is not None
            ):
                memory = opened.memory
                if (
                    memory is None
                    or memory.newest_signed() is None
                    or memory.gives_way(opened.file)
                ):
                    joining.join(opened, self.home)
                    done = True
            elif opened.to_play() is not None:
                self.play(data)
                done = True
        return done


class Chat:
    """The members of a chat. `way` says which updates reach whom, and how often: everybody once,
    unless it is another one."""

    def __init__(self, *members: Member) -> None:
        self.members = members
        self.way: Callable[[Member, Payload], int] = lambda _member, _payload: 1
        self.sent: list[Payload] = []

    def send(self, sender: Member, update: Mapping[str, Any]) -> None:
        payload = json.loads(json.dumps(update["payload"]))
        self.sent.append(payload)
        if "info" in update:
            sender.shown.append((update["info"], update["summary"]))
        for member in self.members:
            member.held += [payload] * (1 if member is sender else self.way(member, payload))

    def settle(self, *members: Member) -> None:
        """Let these members read and send until nothing is left; all of them if none is named."""
        while True:
            sent = [(member, one) for member in members or self.members for one in member.read()]
            for member, one in sent:
                self.send(member, one)
            if not sent:
                return

    def play(self, most: int = 1000) -> None:
        """Everybody joins and plays until nobody has anything to do."""
        for _ in range(most):
            self.settle()
            acted = [member.act() for member in self.members]  # each of them
            if not any(acted):
                return


def kept(member: Member, below: str) -> list[bytes]:
    """The files of a folder of the member's only game."""
    (folder,) = game_folders(member.home)
    return [files.read_own(path, MAX_FILE) for path in sorted(files.listed(folder / below))]
