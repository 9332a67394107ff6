"""Play the witnessed solitaire example and write it down in examples/solitaire/.

Ann plays the Americans against the bot, Ben witnesses the dice: two homes in a temporary folder,
the real commands, from `pbem new tripoli --solitaire --witness KEY` to the proven end. The choices
follow a seed and a few wishes; dice and cards are as real as in any game, so every run writes
another game.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from examples.correspondence import Choose, Player
from examples.keeping import keep, options

HERE = Path(__file__).parent
WISHES = (
    "event",
    "fight",
    "4 gib",
    "3 gib",
    "2 gib",
    "1 gib",
    "2 malta > tripoli zone",
    "1 malta > tripoli zone",
)
KEPT_AT_SEA = (" > tripoli zone", "done", "play ", "decline", "damage", "move with")


@dataclass(frozen=True)
class Played:
    """A whole game: the folder of its files, the names of the newest turn file and of all
    summaries."""

    mails: Path
    last: str
    summaries: tuple[str, ...]


def patrolling(chance: random.Random) -> Choose:
    """Events when there are any, and every frigate before Tripoli; sometimes anything."""

    def choose(options: Sequence[str]) -> str:
        for wish in (*WISHES, *KEPT_AT_SEA):
            fitting = [
                option for option in options if option.startswith(wish) or option.endswith(wish)
            ]
            if fitting and wish[1:5] in (" gib", " mal"):
                fitting = [option for option in fitting if option.endswith("tripoli zone")]
            if fitting and chance.random() < 0.85:
                return chance.choice(fitting)
        return chance.choice(list(options))

    return choose


def play(folder: Path, seed: int) -> Played:
    """One game, from two new identities to the player's root."""
    mails = folder / "mails"
    mails.mkdir()
    ann, ben = (
        Player(name, folder / f"home-of-{name.lower()}", mails, True) for name in ("Ann", "Ben")
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name)
    seats = {"american": ann, "witness": ben}
    written = [ann.does("new", "tripoli", "--solitaire", "--witness", str(ben.does("id")["key"]))]
    written.append(ben.does("join", str(written[-1]["file"])))
    choose = patrolling(random.Random(seed))
    while seat := written[-1]["to_act"]:
        last = str(written[-1]["file"])
        answers = seats[seat].answers(last, choose)
        # `pbem play` without answers is all a witness ever does
        assert seat == "american" or not answers
        written.append(seats[seat].does("play", last, *(["; ".join(answers)] if answers else [])))
    return Played(
        mails, str(written[-1]["file"]), tuple(str(facts["summary"]) for facts in written)
    )


def main() -> None:
    chosen = options(
        __doc__ or "", seed=1801, what_for="the choices", into=HERE / "solitaire"
    ).parse_args()
    for seed in range(chosen.seed, chosen.seed + 50):
        with tempfile.TemporaryDirectory() as folder:
            game = play(Path(folder), seed)
            facts = Player("Cleo", Path(folder) / "home-of-cleo", game.mails, True).does(
                "verify", game.last
            )
            result = facts["result"]
            if not (
                result["winners"]
                and result["proven"]
                and facts["rolls"] > 20
                and facts["openings"] > 10
            ):
                continue  # a short game, or a draw: too little to show
            keep(game.mails, game.last, game.summaries, chosen.into, chosen.archive)
        print(
            f"{len(game.summaries)} entries; {' and '.join(result['winners']) or 'nobody'} won:"
            f" {result['how']}"
        )
        return


if __name__ == "__main__":
    main()
