"""Leagues with players whose names give their keys, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.home.identity import Identity
from pbem.league import gate, write
from pbem.league.join_form import Join, write_join
from pbem.league.league import League, Pairs
from pbem.league.terms import USUAL_BREAKS, LeagueTerms, read_method
from pbem.league.write import LeagueNews, LeagueResult
from tests.support.homes import seed_of
from tests.vectors.make import sample

DATE = "2026-11-21T09:30:00Z"


def person(name: str) -> Identity:
    """Somebody of this name, whose key follows from it."""
    return Identity(name, f"{name.lower()}@example.org", seed_of(name))


DORA = person("Dora")
"""The director."""


class Club:
    """A league as its director writes it; `data` is its file."""

    def __init__(self, method: str, names: Iterable[str] = (), **other: object) -> None:
        made = read_method(method)
        terms = {
            "name": "Autumn league",
            "directors": (DORA.public,),
            "game": "backgammon",
            "rules": 2,
            "method": made,
            "places": 512,
            "mail": "dora@example.org",
            "tie_breaks": USUAL_BREAKS[made.kind],
        }
        settled = LeagueTerms(**(terms | other))  # type: ignore[arg-type]
        self.data = write.new_league(settled, DATE, sample("league 0"), DORA).data
        if names := [*names]:
            self.add(LeagueNews(players=[self.join(name) for name in names]))

    @property
    def league(self) -> League:
        """The league as everybody reads it."""
        return gate.read(self.data, compare=True)

    def join(self, name: str) -> Join:
        """The join of somebody of this name."""
        one = person(name)
        return write_join(self.league.id, DATE, one.public, one.mail, name, one.sign)

    def add(self, news: LeagueNews, signer: Identity = DORA) -> None:
        """Sign one more entry."""
        nonce = sample(f"league {len(self.data)}")
        self.data = write.next_entry(self.data, news, DATE, nonce, signer).data

    def begin(self, pairs: Pairs | None = None, by_hand: str = "") -> None:
        """Begin the next round, with these pairs or by the method."""
        self.add(LeagueNews(pairs=pairs or write.pairs_now(gate.read(self.data)), by_hand=by_hand))

    def results(self, *results: str) -> None:
        """Results of the games without one, in their order."""
        games = self.league.open_games()
        self.add(
            LeagueNews(
                results=[
                    LeagueResult(game.number, result, sample(f"end {game.number}"))
                    for game, result in zip(games, results, strict=False)
                ]
            )
        )
