"""Writes the entries of a league: what its director signs (docs/format.md, section 26). Nothing is
signed that the gate would not admit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from pbem.errors import Refused
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.league import gate, league_file, pairing
from pbem.league.join_form import Join
from pbem.league.league import League, OpenLeague, Pairs
from pbem.league.swiss import Effort
from pbem.league.terms import LeagueTerms


class Signer(Protocol):
    """Who signs: an `Identity`."""

    @property
    def public(self) -> bytes:
        """The public key."""

    def sign(self, message: bytes) -> bytes:
        """The signature of a message."""


class LeagueResult(NamedTuple):
    """What came of a game that was verified, for whoever is named first, and the digest of the
    entry with which that was so."""

    game: int
    result: str
    digest: bytes


class DirectorsDecision(NamedTuple):
    """What the director decides about a game without one, and why."""

    game: int
    result: str
    reason: str


@dataclass
class LeagueNews:
    """What the next entry of a league says. `left` and `absent` are players with a reason; `pairs`
    are those of the next round, `by_hand` why they are not those of the method."""

    players: list[Join] = field(default_factory=list)
    results: list[LeagueResult] = field(default_factory=list)
    decided: list[DirectorsDecision] = field(default_factory=list)
    left: dict[int, str] = field(default_factory=dict)
    absent: dict[int, str] = field(default_factory=dict)
    pairs: Pairs | None = None
    by_hand: str = ""
    ends: bool = False
    message: str = ""

    def __bool__(self) -> bool:
        return self != LeagueNews()

    def fields(self, league: League) -> Fields:
        """As an entry has them."""
        found: Fields = {
            "players": [join.line() for join in self.players],
            "results": [f"{one.game} {one.result} {b64(one.digest)}" for one in self.results],
            "decided": [f"{one.game} {one.result} {one.reason}" for one in self.decided],
            "left": [f"{player} {reason}" for player, reason in self.left.items()],
            "absent": [f"{player} {reason}" for player, reason in self.absent.items()],
        }
        if self.pairs is not None:
            found["round"] = len(league.rounds) + 1
            found["pairings"] = [
                *(f"{one} {other}" for one, other in self.pairs.games),
                *(f"{player} -" for player in self.pairs.byes),
            ]
            found["by-hand"] = self.by_hand
        found["end"] = "yes" if self.ends else ""
        found["message"] = self.message
        return found


def new_league(terms: LeagueTerms, date: str, nonce: bytes, signer: Signer) -> OpenLeague:
    """A league with entry 0. Raises kinds of `Invalid`, and `Refused` for a signer who is not its
    director."""
    fields: Fields = {"director": _director(terms, signer), "date": date, "nonce": b64(nonce)}
    data = league_file.append(b"", fields | terms.fields(), signer.sign)
    return OpenLeague(data, gate.read(data))


def next_entry(
    data: bytes, news: LeagueNews, date: str, nonce: bytes, signer: Signer
) -> OpenLeague:
    """A league with one entry more than its file has. Raises kinds of `Invalid` for what does not
    hold, and `Refused` for a signer who is no director."""
    league = gate.read(data)
    head: Fields = {"director": _director(league.terms, signer), "date": date, "nonce": b64(nonce)}
    made = league_file.append(data, head | news.fields(league), signer.sign)
    return OpenLeague(made, gate.admit(league, league_file.read(made).entries[-1]))


def after(data: bytes, news: LeagueNews) -> League:
    """The league as it would be when this was signed, to pair what follows in the same entry. The
    games of a round that it begins have other ids then."""
    signer, league = _Nobody(), gate.read(data)
    news = replace(news, absent={})  # they concern the round that is to be paired
    if not news:
        return league
    fields: Fields = {"director": 1, "date": league.entries[-1].date, "nonce": b64(bytes(32))}
    made = league_file.append(data, fields | news.fields(league), signer.sign)
    gate.admit(league, league_file.read(made).entries[-1], Effort(0), is_signed=False)
    return league


class _Nobody:
    """Signs nothing: what is tried needs no signature."""

    public = bytes(32)

    def sign(self, _message: bytes) -> bytes:
        return bytes(64)


def _director(terms: LeagueTerms, signer: Signer) -> int:
    if signer.public not in terms.directors:
        raise Refused("your key is not that of a director of this league")
    return terms.directors.index(signer.public) + 1


def pairs_now(league: League, absent: Iterable[int] = ()) -> Pairs:
    """The pairs of the round that may begin now. Raises `Refused`, which says why none can."""
    if why := pairing.cannot_begin(league, absent):
        raise Refused(why)
    pairs = pairing.pairs_of(league, absent)
    if pairs is None:
        raise Refused("all who could meet have met: pair this round by hand")
    return pairs
