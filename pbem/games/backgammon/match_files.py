"""A match for other programs: as Jellyfish and most others write it (`.mat`), and in the Smart Game
Format as GNU Backgammon reads and writes it (`.sgf`)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.backgammon.notation import point
from engine.backgammon.plays import Play
from engine.backgammon.position import NOBODY
from engine.backgammon.tables import BAR, BLACK, OFF, WHITE, read_stakes
from engine.flow import Seat
from pbem import __version__
from pbem.games.backgammon.match_games import Action, MatchGame, games_of, plain_names
from pbem.games.record import GameRecord

_COLUMN = 34
"""Letters of the first player's column in a `.mat`."""
_COLOURS = "WB"


def mat(record: GameRecord) -> str:
    """The match in two columns, white's at the left."""
    names, stakes = plain_names(record), read_stakes(record.settings)
    lines = [f'; [EventDate "{record.date.replace("-", ".")}"]', "", f" {stakes.match} point match"]
    for game in games_of(record):
        heads = [f"{name} : {score}" for name, score in zip(names, game.score, strict=True)]
        lines += [
            "",
            f" Game {game.number}",
            f" {heads[WHITE]:{_COLUMN + 4}} {heads[BLACK]}",
            *_rows(game),
        ]
    return "\n".join([*lines, ""])


def _rows(game: MatchGame) -> Iterator[str]:
    """One line for what both did in turn. What follows a beaver says whether it was taken: GNU
    Backgammon has taken it there already, and counts the cube twice where a take is written
    besides."""
    before = [None, *game.actions]
    cells = [
        (action.seat, _move_text(action))
        for action, last in zip(game.actions, before, strict=False)
        if not (action.kind == "take" and last is not None and last.kind == "beaver")
    ]
    if game.winner != NOBODY:
        cells.append((game.winner, f" Wins {game.points} point{'s' if game.points != 1 else ''}"))
    row, number = ["", ""], 1
    for at, (seat, moves_text) in enumerate(cells):
        row[seat] = moves_text
        is_last = at + 1 == len(cells)
        if is_last or cells[at + 1][0] == WHITE or seat == BLACK:
            yield f"{number:3}) {row[WHITE]:{_COLUMN}} {row[BLACK]}".rstrip()
            row, number = ["", ""], number + 1


def _move_text(action: Action) -> str:
    match action.kind:
        case "play":
            dice = "".join(str(die) for die in sorted(action.dice, reverse=True))
            return f"{dice}: {_moves(action.play) or 'Cannot Move'}"
        case "double":
            return f" Doubles => {action.value}"
        case "beaver":
            return f" Beavers => {action.value}"
        case "take":
            return " Takes"
    return " Drops"


def _moves(play: Play) -> str:
    """Each man's step by itself, as all programs read it."""
    return " ".join(
        f"{point(step.source)}/{point(step.target)}{'*' if step.hits else ''}" for step in play
    )


def sgf(record: GameRecord) -> str:
    """A collection of the games, each a line of moves."""
    names, stakes = plain_names(record), read_stakes(record.settings)
    moves_text = []
    for game in games_of(record):
        rules = []
        if stakes.match:
            rules.append("Crawford")
        elif stakes.jacoby:
            rules.append("Jacoby")
        if game.crawford:
            rules.append("CrawfordGame")
        head = (
            f"(;FF[4]GM[6]CA[UTF-8]AP[pbem:{__version__}]"
            f"MI[length:{stakes.match}][game:{game.number - 1}][ws:{game.score[WHITE]}][bs:{game.score[BLACK]}]"  # noqa: E501
            f"PW[{names[WHITE]}]PB[{names[BLACK]}]DT[{record.date}]"
        )
        head += f"RU[{':'.join(rules)}]" if rules else ""
        has_dropped = bool(game.actions) and game.actions[-1].kind == "drop"
        dropped = "R" if has_dropped or game.is_resigned else ""
        head += (
            f"RE[{_COLOURS[game.winner]}+{game.points}{dropped}]" if game.winner != NOBODY else ""
        )
        moves_text.append(
            "\n".join([head, *(f";{_COLOURS[one.seat]}[{_node(one)}]" for one in game.actions)])
            + ")"
        )
    return "\n".join([*moves_text, ""])


def _node(action: Action) -> str:
    """An action as GNU Backgammon writes it; a beaver is a double of the one who was doubled."""
    if action.kind != "play":
        return "double" if action.kind == "beaver" else action.kind
    steps = "".join(_letter(action.seat, place) for step in action.play for place in step[:2])
    return "".join(map(str, action.dice)) + steps


def _letter(seat: Seat, place: int) -> str:
    """A point as a letter: from white's point 1 on, the bar `y`, and `z` for men that are off."""
    if place in (BAR, OFF):
        return "y" if place == BAR else "z"
    return chr(ord("a") + (place if seat == WHITE else BAR - place) - 1)
