"""Libraries without turn files: the rows of games played in memory, in a database as `pbem library`
makes it. Questions are asked of them; that rows of real files are right is tested where they are
made."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from engine.flow import Answer, Ask, Flow, Outcome, Roll
from engine.rules import Rules
from engine.table import OpenTable
from pbem.games import registry
from pbem.library import extract
from pbem.library.database import path_in, to_write
from pbem.library.extract import tally_rolls
from pbem.library.schema import (
    ROWS,
    GameRow,
    GameRows,
    PlayerRow,
    PositionRow,
    RollRow,
    columns,
    table_behind,
)
from pbem.simulate.policies import find_policy


def key_of(name: str) -> str:
    """A key for somebody of this name."""
    return hashlib.sha256(name.encode()).hexdigest()


def listed(texts: Sequence[object]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))


class _Noted:
    """A game in memory, with rows as they come. `most`: after so many answers the players stop."""

    def __init__(self, rules: Rules, seed: str, most: int) -> None:
        self.rules, self.most = rules, most
        self.rolls: list[RollRow] = []
        self.positions: list[PositionRow] = []
        chance = random.Random(seed)
        self.table = OpenTable(rules, {}, chance)
        self.line, self.seats = extract.start(rules.name), rules.seats({})
        self.outcome: Outcome | None = None
        played = self.table.game.flow
        self.table.game.flow = lambda: self._flow(played())  # type: ignore[method-assign]
        with suppress(_Stopped):
            self.outcome = self.table.play(find_policy("random")(rules, chance).choose)

    def _flow(self, game: Flow[Outcome]) -> Generator[Any, Any, Outcome]:
        try:
            request = next(game)
            while True:
                if isinstance(request, Ask) and len(self.positions) == self.most:
                    raise _Stopped
                before = self.table.game.position() if isinstance(request, Ask) else ""
                answer = yield request
                if isinstance(request, Ask):
                    self._answered(request, answer, before)
                elif isinstance(request, Roll):
                    self._rolled(request, answer)
                request = game.send(answer)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    def _answered(self, ask: Ask, answer: Answer, before: str) -> None:
        number, seat, move = (
            len(self.positions),
            self.seats[ask.seat],
            extract.move_of(self.rules.words(answer.option)),
        )
        digest = hashlib.sha256(f"{before} {seat} {ask.rule}".encode()).digest()[: extract.SIZE]
        card = (
            self.rules.cards[self.table.faces[answer.handle]] if answer.handle is not None else None
        )
        self.positions.append(
            PositionRow(
                number, number // 4 + 2, seat, digest, self.line, ask.rule, move, move, card, 0
            )
        )
        self.line = extract.further(self.line, move)

    def _rolled(self, roll: Roll, dice: tuple[int, ...]) -> None:
        number, kind = len(self.rolls), roll.why.partition(":")[0]
        got = sum(die in roll.hits for die in dice) if roll.hits else None
        seat, hits = self.seats[roll.seat], listed(roll.hits)
        row = (
            number,
            number + 2,
            number + 3,
            "when",
            seat,
            kind,
            roll.why,
            roll.sides,
            hits,
            listed(dice),
        )
        self.rolls.append(RollRow(*row, len(dice), got, "[]"))


class _Stopped(Exception):
    """The players stop."""


def rows_of(
    game: str, number: int, names: Sequence[str], *, seed: str = "library", most: int = -1
) -> GameRows:
    """The rows of one random game between these players; after `most` answers they stop."""
    rules = registry.newest(game)
    noted = _Noted(rules, f"{seed} {number}", most)
    outcome, seats, settings = noted.outcome, noted.seats, dict[str, int]()
    won = [] if outcome is None else [seats[seat] for seat in outcome.winners]
    day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z"
    game_id = hashlib.sha256(f"{game} {seed} {number}".encode()).hexdigest()
    entries = len(noted.positions) // 4 + 3
    row = GameRow(
        game_id, game_id[::-1], game, rules.version, "pbem 0", "[]", listed(seats), day, day, entries * 0.7, entries,  # noqa: E501
        len(noted.positions), noted.table.game.period(), 1, int(outcome is not None), int(outcome is not None),  # noqa: E501
        "rules" if outcome else None, outcome.how if outcome else None, listed(won),
    )  # fmt: skip
    alone = rules.played_by_rules(settings)
    players = []
    for seat, word in enumerate(seats):
        result: Any = (
            "open" if outcome is None else "drew" if not won else "won" if word in won else "lost"
        )
        key, name = (None, None) if seat in alone else (key_of(names[seat]), names[seat])
        role: Any = "rules" if seat in alone else "player"
        players.append(PlayerRow(seat, word, seat, role, key, name, result, None, 0))
    return GameRows(row, players, [], noted.rolls, tally_rolls(noted.rolls), [], noted.positions)


def make(folder: Path, games: Iterable[GameRows]) -> Path:
    """A library of these games in a folder; there is no turn file behind them."""
    folder.mkdir(exist_ok=True, parents=True)
    with closing(to_write(path_in(folder))) as database:
        database.execute("BEGIN")
        for number, rows in enumerate(games, 1):
            _write(database, number, rows)
        database.execute("COMMIT")
    return folder


def _write(database: sqlite3.Connection, number: int, rows: GameRows) -> None:
    marks = ", ".join("?" * (len(rows.game) + 2))
    names = ", ".join(["id", "path", *columns(type(rows.game))])
    database.execute(
        f"INSERT INTO games ({names}) VALUES ({marks})", (number, f"{number}.toml", *rows.game)
    )
    for name in ROWS:
        found = getattr(rows, name)
        if found:
            marks = ", ".join("?" * (len(found[0]) + 1))
            database.executemany(
                f"INSERT INTO {table_behind(name)} VALUES ({marks})",
                ((number, *row) for row in found),
            )
