"""Writes `leagues.json`: leagues and joins, and changed copies that are refused; pairs, tables and
ratings that follow from a league.

    python -m tests.vectors.make_leagues

They are made once and kept, as those of `make.py` are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pbem.fileformat.encoding import b64
from pbem.league import gate, league_file
from pbem.league.join_form import read_join
from pbem.league.league import DRAWN, LOST, NONE, WON, League, Pairs
from pbem.league.ratings import ratings
from pbem.league.table import table
from pbem.league.write import DirectorsDecision, LeagueNews
from tests.league.leagues import DATE, DORA, Club, person
from tests.vectors.make import refusals, sample

HERE = Path(__file__).parent
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def swiss() -> Club:
    """A Swiss league of five, with a bye, an absence, a decision, pairs by hand, a late join, one
    who has left, and its end."""
    club = Club(
        "swiss 3",
        NAMES,
        options=("match 3",),
        clock="30+3",
        leave_days=20,
        until="2026-12-10T00:00:00Z",
        message='Slow and "friendly"',
    )
    club.begin()
    club.results(WON, DRAWN)
    pairs = Pairs(((1, 4), (5, 3)), ())
    club.add(LeagueNews(absent={2: "on a journey"}, pairs=pairs, by_hand="they met in person"))
    club.results(LOST)
    club.add(
        LeagueNews(decided=[DirectorsDecision(4, NONE, "nobody wrote")], left={5: "has no time"})
    )
    club.add(LeagueNews(players=[club.join("Finn")]))
    club.begin()
    club.results(WON, WON)
    club.add(LeagueNews(ends=True, message="Well played"))
    return club


def groups() -> Club:
    """Two groups of two, and a knock-out of the first one of each."""
    club = Club("groups 2 first 1", NAMES[:4])
    club.begin()
    club.results(DRAWN, LOST)
    club.begin()
    return club


def facts(league: League) -> dict[str, Any]:
    """What everybody computes from a league."""
    return {
        "id": league.id.hex(),
        "players": [[one.number, one.name, one.key.hex()] for one in league.players],
        "games": [
            [game.number, game.round, game.first, game.second, game.nonce.hex(), game.game_id.hex()]
            for game in league.games
        ],
        "results": [game.result for game in league.games],
        "table": [[line.place, line.player, line.points, *line.breaks] for line in table(league)],
        "ratings": [[str(value) for value in one] for one in ratings(league)],
    }


CHANGES: dict[str, dict[str, Any]] = {
    "three directors": {"directors": [b64(person(name).public) for name in ("Dora", "Ann", "Ben")]},
    "a director twice": {"directors": [b64(DORA.public)] * 2},
    "a key that is no point": {"directors": [b64(DORA.public), b64(bytes(32))]},
    "an address in its name": {"league": "see https://example.com"},
    "a mail address that is none": {"mail": "dora at example.org"},
    "a game in capitals": {"game": "Backgammon"},
    "options out of order": {"options": ["match 5", "at-once"]},
    "a method that is none": {"method": "by lot"},
    "thirty-one rounds": {"method": "swiss 31"},
    "one group": {"method": "groups 1 first 1"},
    "one place": {"places": 1},
    "a draw that is worth more than a win": {"points": ["1", "2", "0", "1", "0"]},
    "four points": {"points": ["2", "1", "0", "2"]},
    "a tie-break twice": {"tie-breaks": ["wins", "wins"]},
    "a tie-break that is none": {"tie-breaks": ["luck"]},
    "leave without a clock": {"leave-days": 20},
    "a date that is none": {"until": "2026-12-10"},
    "a round in entry 0": {"round": 1},
}
"""What entry 0 must not say, by what is wrong."""


def refused() -> Iterator[tuple[str, bytes]]:
    """Files that are refused, by what is wrong with them."""
    fields = Club("swiss 3").league.terms.fields()
    head = {"director": 1, "date": DATE, "nonce": b64(sample("league"))}
    for about, changed in CHANGES.items():
        yield about, league_file.append(b"", {**head, **fields, **changed}, DORA.sign)
    whole = groups().data
    yield "a byte of a name changed", whole.replace(b" Ann", b" Anm")
    yield "a result changed", whole.replace(b"1 drawn ", b"1 won ")
    yield "its last line torn", whole[:-20]
    yield "a comment", whole.replace(b"\n\n[[entry]]", b"\n# league\n[[entry]]", 1)
    yield "another format", whole.replace(b"pbem-league/1", b"pbem-league/2")
    yield "entries changed about", b"".join(_turned(whole))
    join = Club("swiss 3").join("Ann").file()
    yield "a join in the place of a league", join


def _turned(data: bytes) -> list[bytes]:
    """The file with its last two entries changed about."""
    ends = [entry.end for entry in league_file.read(data).entries]
    return [data[: ends[-3]], data[ends[-2] :], data[ends[-3] : ends[-2]]]


def leagues() -> dict[str, Any]:
    """What `leagues.json` holds."""
    joins = [Club("swiss 3").join(name) for name in ("Ann", "Ben")]
    return {
        "read": [
            {"file": club.data.decode(), **facts(club.league)} for club in (swiss(), groups())
        ],
        "joins": [
            {
                "file": join.file().decode(),
                "league": join.league.hex(),
                "key": join.key.hex(),
                "line": read_join(join.file()).line(),
            }
            for join in joins
        ],
        "refused": refusals(refused(), partial(gate.read, compare=True)),
    }


def main() -> None:
    text = json.dumps(leagues(), indent=1, ensure_ascii=False) + "\n"
    (HERE / "leagues.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
