"""Play the witnessed example of Conquest of Paradise and write it down in examples/paradise/.

Ann plays Tonga at a table that is made up (`examples.paradise_board`), with the unofficial practice
chits, and writes where new groups lie; Ben witnesses the dice and the chits. The real commands run
from `pbem new paradise --witness KEY` to the end; every run writes another game.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from examples import paradise_turns
from examples.correspondence import Player
from examples.keeping import keep, options
from examples.paradise_board import Board

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Played:
    """A whole game: the folder of its files, the newest turn file, all summaries, and how many
    mails each turn took."""

    mails: Path
    last: str
    summaries: tuple[str, ...]
    mails_by_turn: Counter[int]


def play(folder: Path, seed: int) -> Played:
    """One game, from two new identities to its end. Each entry is a mail from Ann to Ben or
    back."""
    mails = folder / "mails"
    mails.mkdir()
    ann, ben = (
        Player(name, folder / f"home-of-{name.lower()}", mails, True) for name in ("Ann", "Ben")
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name)
    written = [ann.does("new", "paradise", "--witness", str(ben.does("id")["key"]))]
    written.append(ben.does("join", str(written[-1]["file"])))
    board, turns = Board(random.Random(seed)), Counter[int]()
    while seat := written[-1]["to_act"]:
        last = str(written[-1]["file"])
        view = ann.does("show", last)["view"]
        turns[max(1, view["turn"])] += 1
        if seat == "witness":
            written.append(ben.does("play", last))
        else:
            board.look(view)
            answers, message = "; ".join(_answers(ann, last, board)), board.message()
            written.append(
                ann.does("play", last, answers, *(["--message", message] if message else []))
            )
    return Played(
        mails, str(written[-1]["file"]), tuple(str(facts["summary"]) for facts in written), turns
    )


def _answers(ann: Player, file: str, board: Board) -> list[str]:
    """Reports until dice or a chit are needed."""
    given: list[str] = []
    while True:
        facts: dict[str, Any] = ann.does("moves", file, "--after", "; ".join(given))
        if facts["complete"]:
            return given
        given.append(board.answer(facts["prompt"], facts["options"]))


def main() -> None:
    chosen = options(
        __doc__ or "", seed=1000, what_for="what the table shows", into=HERE / "paradise"
    ).parse_args()
    for seed in range(chosen.seed, chosen.seed + 80):
        with tempfile.TemporaryDirectory() as folder:
            game = play(Path(folder), seed)
            facts = Player("Cleo", Path(folder) / "home-of-cleo", game.mails, True).does(
                "verify", game.last
            )
            told = "".join(
                (game.mails / name).read_text(encoding="utf-8") for name in game.summaries
            )
            result = facts["result"]
            wanted = (
                "Attack!: Samoa attacks",
                "Explore! ends",
                "breaks the tie",
                "step 2",
                "is Samoa's:",
                "is free:",
                "Taken back",
                "is joined: it needs",
            )
            if result["winners"] != ["tonga"] or not all(part in told for part in wanted):
                continue  # too little to show
            keep(game.mails, game.last, game.summaries, chosen.into, chosen.archive)
            if chosen.archive is None:
                paradise_turns.put_into_page((game.mails / game.last).read_bytes(), game.last)
        turns = game.mails_by_turn
        each = ", ".join(f"turn {turn}: {count}" for turn, count in sorted(turns.items()))
        print(
            f"{len(game.summaries)} entries; {' and '.join(result['winners'])} won: {result['how']}"
        )
        print(
            f"mails with a witness: {each}; on average {sum(turns.values()) / max(turns):.1f} a"
            " turn"
        )
        return


if __name__ == "__main__":
    main()
