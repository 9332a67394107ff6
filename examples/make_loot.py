"""Play a game of Loot for three and write its end down in examples/loot/.

Ann, Ben and Cleo, a home each, type the real commands from `pbem new loot --players 3` to the proven end. Their choices
follow a seed; keys and shuffles are as real as in any game, so every run writes another game.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from pathlib import Path

from examples import make_pages
from examples.correspondence import Player

HERE = Path(__file__).parent
SEATS = {"first": "Ann", "second": "Ben", "third": "Cleo"}
WISHES = ("captain", "admiral", "merchant", "blue", "green", "purple", "gold")


def play(folder: Path, seed: int) -> tuple[Path, str, list[str]]:
    """One game; the folder of its files, the last of them, and all summaries in order."""
    mails, chance = folder / "mails", random.Random(seed)
    mails.mkdir()
    players = {seat: Player(name, folder / f"home-of-{name.lower()}", mails, True) for seat, name in SEATS.items()}
    keys = [str(player.does("id", "--name", player.name)["key"]) for player in players.values()]

    def choose(options: list[str]) -> str:
        eager = [option for option in options if option.startswith(WISHES)]
        return chance.choice(eager if eager and chance.random() < 0.8 else options)

    invited = [word for key in keys[1:] for word in ("--opponent", key)]
    written = [players["first"].does("new", "loot", "--players", "3", *invited, "--no-mail")]
    while seat := written[-1]["to_act"]:
        last, player = str(written[-1]["file"]), players[seat]
        if len(written) < len(SEATS):
            written.append(player.does("join", last, "--no-mail"))
        else:
            answers = player.answers(last, lambda options: choose(list(options)))
            written.append(player.does("play", last, *(["; ".join(answers)] if answers else []), "--no-mail"))
    return mails, str(written[-1]["file"]), [str(facts["summary"]) for facts in written]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1992, help="for the choices; chance is real anyway")
    options.add_argument("--into", type=Path, default=HERE / "loot", help="folder for the turn file and summaries")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mails, last, summaries = play(Path(folder), chosen.seed)
        shutil.rmtree(chosen.into, ignore_errors=True)
        chosen.into.mkdir(parents=True)
        middle = len(summaries) // 2
        for name in (last, *summaries[middle : middle + 3], summaries[-1]):
            shutil.copy(mails / name, chosen.into)
    make_pages.write(chosen.into)
    print(f"{len(summaries)} entries in {chosen.into.name}/")


if __name__ == "__main__":
    main()
