"""Play the example game and write it down: `./run examples`.

Two homes in a temporary folder play a whole game through the real commands, to a victory. The
choices follow a seed and a few wishes; dice and cards are as real as in any game, so every run
writes another game.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from examples import make_pages
from examples.correspondence import Choose, Player, two_players
from examples.walkthrough import page
from pbem.report import dice_count

HERE = Path(__file__).parent
WISHES = {
    "american": (
        "event",
        "fight",
        "3 gib",
        "2 gib",
        "1 gib",
        "done",
        "move with",
        "build with",
        "decline",
        "damage",
    ),
    "tripolitan": ("event", "raid with", "raid from", "build with", "decline"),
}
GREETINGS = {
    2: "Good luck! The squadron has orders to be patient.",
    3: "The Bashaw thanks you and is not patient.",
}


@dataclass
class Written:
    """One command that wrote an entry."""

    seat: str
    who: str
    command: tuple[str, ...]
    facts: dict[str, Any]


@dataclass
class Played:
    """A whole game as it was entered."""

    mails: Path
    entries: list[Written] = field(default_factory=list)

    @property
    def last(self) -> str:
        """Name of the newest turn file."""
        return str(self.entries[-1].facts["file"])


def wishing(wishes: Sequence[str], chance: random.Random) -> Choose:
    """Mostly what is wished for first, sometimes anything."""

    def choose(options: Sequence[str]) -> str:
        for wish in wishes:
            fitting = [option for option in options if option.startswith(wish)]
            if fitting and chance.random() < 0.75:
                return chance.choice(fitting)
        return chance.choice(list(options))

    return choose


def play(folder: Path, seed: int) -> Played:
    """One game, from two new identities to the last root."""
    players = two_players(folder, in_process=True)
    game = Played(folder / "mails")

    def write(seat: str, *command: str) -> None:
        player: Player = players[seat]
        game.entries.append(Written(seat, player.name, command, player.does(*command)))

    for player in players.values():
        player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
    write("american", "new", "tripoli", "--seat", "american")
    write("tripolitan", "join", game.last)
    chance = random.Random(seed)
    chosen = {seat: wishing(wishes, chance) for seat, wishes in WISHES.items()}
    while seat := game.entries[-1].facts["to_act"]:
        answers = players[seat].answers(game.last, chosen[seat])
        command = ["play", game.last, *(["; ".join(answers)] if answers else [])]
        if greeting := GREETINGS.get(len(game.entries)):
            command += ["--message", greeting]
        write(seat, *command)
    return game


def keep(game: Played, into: Path) -> None:
    """Copy the summaries, the turn file after the first season, and the last one."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    for entered in game.entries:
        shutil.copy(game.mails / entered.facts["summary"], into)
    shutil.copy(game.mails / game.last, into)
    shutil.copy(game.mails / game.entries[first_season(game)].facts["file"], into)


def first_season(game: Played) -> int:
    """Number of the entry with which the first season ends."""
    for number, entered in enumerate(game.entries):
        if "- Summer 1801 begins\n" in (game.mails / entered.facts["summary"]).read_text(
            encoding="utf-8"
        ):
            return number
    raise RuntimeError("there was no second season")


def rolls_early(game: Played) -> bool:
    """Whether dice fall in the first season."""
    after = game.mails / game.entries[first_season(game)].facts["file"]
    return any(not roll.pending for roll in dice_count.dice(after.read_bytes()).rolls)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--seed", type=int, default=1801, help="for the choices; chance is real anyway"
    )
    options.add_argument(
        "--into", type=Path, default=HERE, help="folder for tripoli/ and README.md"
    )
    options.add_argument(
        "--archive", type=Path, help="only copy the last turn file there; nothing is overwritten"
    )
    chosen = options.parse_args()
    for seed in range(chosen.seed, chosen.seed + 50):
        with tempfile.TemporaryDirectory() as folder:
            game = play(Path(folder), seed)
            result = Player("Cleo", Path(folder) / "home-of-cleo", game.mails, True).does(
                "verify", game.last
            )["result"]
            if not (
                result["winners"]
                and result["proven"]
                and len(game.entries) > 60
                and rolls_early(game)
            ):
                continue  # a short game, or a first season without dice: too little to show
            if chosen.archive is not None:
                with chosen.archive.open("xb") as file:
                    file.write((game.mails / game.last).read_bytes())
            else:
                keep(game, chosen.into / "tripoli")
                make_pages.write(
                    chosen.into / "tripoli", chosen.into / "tripoli" / make_pages.KEPT.name
                )
                commands = [
                    (t.who, t.command, t.facts) for t in game.entries[: first_season(game) + 1]
                ]
                text = page(commands, game.mails, game.last)
                (chosen.into / "README.md").write_text(text, encoding="utf-8", newline="\n")
            print(
                f"{len(game.entries)} entries; {' and '.join(result['winners'])} won:"
                f" {result['how']}"
            )
            return


if __name__ == "__main__":
    main()
