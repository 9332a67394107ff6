"""Play a match of backgammon and write its end down in examples/backgammon/.

Ann and Ben, a home each, type the real commands from `pbem new backgammon --match 3 --sealed` to
the proven end: Ann seals her doubles, Ben leaves his to a standing order from his second turn on.
They have small wit; keys and dice are as real as in any game, so every run writes another match.
`match.mat` is what `pbem export` makes of it.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from itertools import pairwise
from pathlib import Path

from engine.backgammon.plays import Board, Step, board_after_step, pips
from engine.backgammon.position import Position
from engine.backgammon.tables import BAR, HOME, OFF
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.ledger.gate import replay

HERE = Path(__file__).parent
SEATS = {"white": "Ann", "black": "Ben"}
ORDERS = {
    "white": ("doubled: take if behind 30", "race: play it"),
    "black": ("cube: double if ahead 15", "doubled: take if behind 30", "race: play it"),
}
"""Given with each player's second turn."""
AHEAD = 15
"""Pips by which Ann has to be ahead to double."""
_PART = re.compile(r"([a-z0-9]+)((?:/[a-z0-9]+\*?)+)(?:\((\d)\))?")
_NAMES = {"bar": BAR, "off": OFF}


def after(board: Board, play: str) -> Board:
    """Where a play leads."""
    for source, targets, number in _PART.findall(play):
        path = [source, *targets.replace("*", "").split("/")[1:]]
        for _ in range(int(number or 1)):
            for one, other in pairwise(
                _NAMES.get(name) if name in _NAMES else int(name) for name in path
            ):
                assert one is not None and other is not None
                hits = other != OFF and board.other[BAR - other] == 1
                board = board_after_step(board, Step(one, other, hits))
    return board


def worth(board: Board) -> float:
    """What a player of small wit thinks of their men: points held are good, men alone within the
    other's reach are not, and men of the other on the bar are best."""
    own, other = board
    last = max((BAR - place for place in range(1, BAR + 1) if other[place]), default=BAR)
    held = sum(2.0 + (place <= HOME) for place in range(1, BAR) if own[place] > 1)
    alone = sum(
        place / 6 for place in range(1, BAR) if own[place] == 1 and BAR - place < BAR - last + 12
    )
    return held - alone + 4 * other[BAR] - pips(own) / 12 + 3 * own[OFF]


def answer(game: Position, seat: int, options: list[str]) -> str:
    """Their choice among the legal answers."""
    if "roll" in options:
        return "double" if game.ahead(seat) >= AHEAD else "roll"
    if "take" in options:
        return "take" if game.ahead(seat) > -2 * AHEAD else "drop"
    board = game.board(seat)
    return max(options, key=lambda play: worth(after(board, play)))


def play(folder: Path) -> tuple[Path, list[dict[str, str]], list[Player]]:
    """One match; the folder of its files, and what each command said."""
    mails = folder / "mails"
    mails.mkdir()
    players = {
        seat: Player(name, folder / f"home-of-{name.lower()}", mails, True)
        for seat, name in SEATS.items()
    }
    for player in players.values():
        player.does("id", "--name", player.name)
    new = ("backgammon", "--match", "3", "--sealed", "--seat", "white")
    written = [players["white"].does("new", *new, "--no-mail")]
    written.append(players["black"].does("join", written[0]["file"], "--no-mail"))
    turns = dict.fromkeys(SEATS, 0)
    while seat := written[-1]["to_act"]:
        last = str(written[-1]["file"])
        written.append(_turn(players[seat], seat, mails / last, turns))
    return mails, written, list(players.values())


def _turn(player: Player, seat: str, file: Path, turns: dict[str, int]) -> dict[str, str]:
    """One entry: with the second that holds a play, the orders too."""
    game = replay(turnfile.read(file.read_bytes())).begun().referee.game
    assert isinstance(game, Position)
    answers = player.answers(
        file.name, lambda options: answer(game, list(SEATS).index(seat), list(options))
    )
    plays = [text for text in answers if "/" in text]
    turns[seat] += bool(plays)
    orders = ORDERS[seat] if plays and turns[seat] == 2 else ()
    if any(order.startswith("cube") for order in orders):
        answers = plays  # the order stands in place of the seal
    more = [word for order in orders for word in ("--order", order)]
    said: dict[str, str] = player.does(
        "play", file.name, *(["; ".join(answers)] if answers else []), *more, "--no-mail"
    )
    return said


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--into", type=Path, default=HERE / "backgammon", help="folder for what is written"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mails, written, (ann, _) = play(Path(folder))
        shutil.rmtree(chosen.into, ignore_errors=True)
        chosen.into.mkdir(parents=True)
        last, middle = str(written[-1]["file"]), len(written) // 2
        for name in (last, *(str(facts["summary"]) for facts in (written[middle], written[-1]))):
            shutil.copy(mails / name, chosen.into)
        match = ann.types("export", last, "--format", "mat")[1]
        (chosen.into / "match.mat").write_text(match, encoding="utf-8", newline="\n")
    print(f"{len(written)} entries in {chosen.into.name}/")


if __name__ == "__main__":
    main()
