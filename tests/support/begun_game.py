"""Two players at their keyboards: homes in temporary folders, commands run in this process or in
one of their own."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from examples.correspondence import Player, two_players
from pbem.home.home import Home
from pbem.turn import open_game
from tests.support.homes import (
    complete_answers,
    copy_homes,
    go_to_another_computer,
    make_home,
    seed_of,
)


@dataclass(frozen=True)
class BegunGame:
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
        """Every file in the folder and in the homes, but for what is remembered of files that were
        read, and of templates."""
        files = [path for path in self.folder.parent.rglob("*") if path.is_file()]
        return sorted(
            path
            for path in files
            if path.parent.name not in ("read", "cache") and path.name != "checked.bin"
        )

    def copied(self, to: Path) -> BegunGame:
        """The same game with its folder and homes in another place."""
        copy_homes(self.folder.parent, to)
        go_to_another_computer()
        players = {
            seat: Player(player.name, to / player.home.name, to / self.folder.name, True)
            for seat, player in self.players.items()
        }
        return BegunGame(players, list(self.files))

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
        seat = self.ann.does("show", self.last)["to_act"]
        for _ in range(entries):
            if not seat:
                return
            opened = open_game.open_file(
                (self.folder / self.last).read_bytes(), Home(self.players[seat].home)
            )
            answers = complete_answers(opened, chance.choice)
            seat = self.write(seat, "play", self.last, "; ".join(answers), "--no-mail")["to_act"]


def begin(folder: Path, *options: str, seed: str = "") -> BegunGame:
    """Two new identities, an invitation with these options, and a join. With a seed their keys
    follow from it, so that the game is the same on every run where nonces are too
    (`tests.support.fixed`)."""
    begun = BegunGame(two_players(folder, in_process=True), [])
    for player in begun.players.values():
        if seed:
            make_home(player.home, player.name, seed=seed_of(f"{seed} {player.name}"))
        else:
            player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
    begun.write("american", "new", "tripoli", "--seat", "american", *options)
    begun.write("tripolitan", "join", begun.last)
    return begun
