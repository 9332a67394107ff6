"""Another program's pairs of a Swiss round: py4swiss, which reads a tournament as FIDE's TRF(x)
spells it. It is asked in `slow` alone, and only where it is installed."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from pathlib import Path

from pbem.league import table
from pbem.league.league import DRAWN, LOST, WON, League

_LETTER = {WON: "1", DRAWN: "=", LOST: "0"}


def trf(league: League, rounds: int, absent: Collection[int] = ()) -> str:
    """The tournament so far; `absent` are those who are not there in the next round."""
    points = table.points(league)
    lines = ["012 Club"]
    for one in league.players:
        number = one.number
        line = (
            f"001 {number:4d}      {one.name:<33} {2800 - number:4d} {'':3} {'':11} {'':10}"
            f" {points[number] / 2:4.1f} {number:4d}"
        )
        for played in league.rounds:
            game = next(
                (game for game in played.games if number in (game.first, game.second)), None
            )
            if game is None:
                line += "  0000 - U" if number in played.byes else "  0000 - Z"
            else:
                seat = "w" if game.first == number else "b"
                line += f"  {game.other(number):4d} {seat} {_LETTER[game.of(number)]}"
        lines.append(line + ("  0000 - Z" if number in absent else ""))
    return "\r\n".join([*lines, f"XXR {rounds}", "XXC white1", ""])


def theirs(
    league: League, rounds: int, absent: Collection[int] = ()
) -> list[tuple[int, int]] | None:
    """Its pairs, by number, a bye with 0; None if it finds none."""
    from py4swiss.engines.common import PairingError
    from py4swiss.engines.dutch.engine import Engine
    from py4swiss.trf.trf_parser import TrfParser

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.trf"
        path.write_text(trf(league, rounds, absent), encoding="utf-8")
        try:
            found = Engine.generate_pairings(TrfParser.parse(path))
        except PairingError:
            return None
    return sorted((pair.white, pair.black) for pair in found)
