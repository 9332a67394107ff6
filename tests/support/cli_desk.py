"""Two players at their keyboards: homes in temporary folders, commands typed in this process or in one of their own."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from examples.correspondence import Player, two_players


@dataclass(frozen=True)
class Desk:
    """A game that has begun: its players by seat, and the names of its turn files in order."""

    players: dict[str, Player]
    files: list[str]

    @property
    def ann(self) -> Player:
        return self.players["american"]

    @property
    def ben(self) -> Player:
        return self.players["tripolitan"]

    @property
    def folder(self) -> Path:
        return self.ann.folder

    @property
    def last(self) -> str:
        return self.files[-1]

    def listing(self) -> list[Path]:
        """Every file in the folder and in the homes, but for what is remembered of files that were read."""
        files = [path for path in self.folder.parent.rglob("*") if path.is_file()]
        return sorted(path for path in files if path.parent.name != "read" and path.name != "checked.bin")

    def stranger(self, name: str = "cleo") -> Player:
        """Somebody with an empty home."""
        return Player(name, self.folder.parent / f"home-of-{name}", self.folder, True)

    def stranger_with_key(self) -> Player:
        """Somebody with an identity, who sits in no seat."""
        cleo = self.stranger()
        if not cleo.home.exists():
            cleo.does("id", "--name", "Cleo")
        return cleo

    def write(self, seat: str, *command: str) -> dict[str, Any]:
        """Let a player type a command that writes a turn file."""
        facts = self.players[seat].does(*command)
        self.files.append(facts["file"])
        return facts

    def go_on(self, chance: random.Random, entries: int) -> None:
        """Play so many entries more, or to the end of the game."""
        for _ in range(entries):
            seat = self.ann.does("verify", self.last)["to_act"]
            if not seat:
                return
            answers = self.players[seat].answers(self.last, chance.choice)
            self.write(seat, "play", self.last, "; ".join(answers), "--no-mail")


def begin(folder: Path, *options: str) -> Desk:
    """Two new identities, an invitation with these options, and a join."""
    desk = Desk(two_players(folder, in_process=True), [])
    for player in desk.players.values():
        player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
    desk.write("american", "new", "tripoli", "--seat", "american", *options)
    desk.write("tripolitan", "join", desk.last)
    return desk
