"""A series: several games of the same two players, and what entry 0 of each says of the others
(docs/format.md, section 25).

The nonce of a later game's entry 0 follows from the first game and from its number, and so its id
does. A game that is begun anew is a second version of one entry then (section 9).

Points are counted in halves: a game gives two to whoever has won it, or one to each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.flow import Outcome, Seat
from pbem import FORMAT
from pbem.errors import Malformed, RulesBroken
from pbem.fileformat.encoding import b64, tagged_hash
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import Entry, blob

MOST_GAMES = 99
MOST_POINTS = 50
"""So a series to points has 99 games at most as well."""
GAMES, AT_ONCE, BEST_OF, POINTS = "{} games", "{} games at once", "best of {}", "{} points"
_SPELLINGS = (GAMES, AT_ONCE, BEST_OF, POINTS)
_NUMBER = "([1-9][0-9]?)"
_TERMS = [(kind, re.compile(kind.format(_NUMBER) + r"\Z")) for kind in _SPELLINGS]

GameResult = Literal["won", "lost", "drawn"]
"""How a game ended, as the inviter of the series says it."""
_HALVES: Mapping[str, tuple[int, int]] = {"won": (2, 0), "lost": (0, 2), "drawn": (1, 1)}
"""Half points of the inviter and of the other one."""
_RESULTS: Mapping[str, GameResult] = {"won": "won", "lost": "lost", "drawn": "drawn"}
_SPELLED = '"series" is "2 games", "2 games at once", "best of 5" or "3 points"'


class SeriesTerms(NamedTuple):
    """How long a series goes on: one of the four spellings, and its number."""

    kind: str
    number: int

    def __str__(self) -> str:
        return self.kind.format(self.number)

    @property
    def most(self) -> int:
        """Games that it has at most."""
        return 2 * self.number - 1 if self.kind == POINTS else self.number

    @property
    def at_once(self) -> bool:
        """Whether a later game may begin before an earlier one is over."""
        return self.kind == AT_ONCE

    def is_over(self, results: Sequence[str]) -> bool:
        """Whether a series is at its end with these results of its first games."""
        halves = max(tally(results))
        if self.kind == BEST_OF and halves > self.number:
            return True
        if self.kind == POINTS and halves >= 2 * self.number:
            return True
        return len(results) >= self.most


def tally(results: Sequence[str]) -> tuple[int, int]:
    """Half points of the inviter and of the other one."""
    pairs = [_HALVES[one] for one in results]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def in_points(halves: int) -> str:
    """Half points as points: `1½`."""
    whole = str(halves // 2) if halves != 1 else ""
    return whole + ("½" if halves % 2 else "")


def read_terms(text: str) -> SeriesTerms:
    """The terms in one of their spellings. Raises `ValueError`."""
    for kind, spelling in _TERMS:
        if match := spelling.match(text):
            terms = SeriesTerms(kind, int(match[1]))
            if (terms.number > 1 or kind == POINTS) and terms.most <= MOST_GAMES:
                return terms
    raise ValueError(_SPELLED)


class EarlierGame(NamedTuple):
    """How an earlier game ended, as entry 0 of a later one says: the digest of the entry with which
    nothing more was owed in it, and the result for the inviter."""

    digest: bytes
    result: GameResult


@dataclass(frozen=True)
class SeriesPlace:
    """Which game of which series this is. `first` is the id of the first game, empty in that one;
    `earlier` what entry 0 says of the games before, in their order."""

    terms: SeriesTerms
    number: int = 1
    first: bytes = b""
    earlier: Sequence[EarlierGame] = ()

    def nonce(self) -> bytes:
        """The nonce of entry 0; empty in the first game, where it is random."""
        return nonce_of(self.first, self.number) if self.first else b""

    def fields(self) -> Fields:
        """What entry 0 holds of it."""
        if not self.first:
            return {"series": str(self.terms)}
        return {
            "series": str(self.terms),
            "series-game": self.number,
            "series-first": b64(self.first),
            "earlier": [f"{b64(one.digest)} {one.result}" for one in self.earlier],
        }


def nonce_of(first: bytes, number: int) -> bytes:
    """The nonce of entry 0 of a later game, by the id of the first game and its number."""
    return tagged_hash(f"{FORMAT} series", first, str(number).encode())


def result_of(outcome: Outcome, inviter: Seat, other: Seat) -> GameResult:
    """How a game ended for the inviter: drawn if both have won it, or neither."""
    wins, loses = inviter in outcome.winners, other in outcome.winners
    if wins == loses:
        return "drawn"
    return "won" if wins else "lost"


def read_place(entry: Entry, deciding: int, keyed: int) -> SeriesPlace | None:
    """What entry 0 says of a series; None if it says nothing. `deciding` and `keyed` are how many
    seats decide, and have a key. Raises `Malformed` or `RulesBroken`."""
    fields = entry.fields
    if not any(name in fields for name in ("series", "series-game", "series-first", "earlier")):
        return None
    try:
        terms = read_terms(entry.text("series"))
    except ValueError as error:
        raise Malformed(str(error), layer="grammar") from error
    place = _read_later(entry, terms)
    if not deciding == keyed == 2:
        raise RulesBroken("a series is for two players, and nobody else has a key in its games")
    if not place.first:
        return place
    if len(entry.list("invites")) != 1:
        raise RulesBroken("a later game of a series is kept for the key of the other player")
    if entry.blob("nonce", 32) != place.nonce():
        raise RulesBroken("the nonce is not that of this game of the series")
    results = [one.result for one in place.earlier]
    if any(terms.is_over(results[:end]) for end in range(1, place.number)):
        raise RulesBroken("this series was at its end before this game")
    return place


def _read_later(entry: Entry, terms: SeriesTerms) -> SeriesPlace:
    """The place of a game with its number, first game and earlier ones, if it has them. Raises
    `Malformed` or `RulesBroken`."""
    fields, texts = entry.fields, entry.list("earlier")
    later = "series-game" in fields
    if later != ("series-first" in fields) or (texts and not later):
        raise RulesBroken('"series-game", "series-first" and "earlier" stand in a later game')
    if not later:
        return SeriesPlace(terms)
    number, first = fields["series-game"], entry.blob("series-first", 32)
    if not isinstance(number, int) or not 2 <= number <= terms.most:
        raise Malformed(f'"series-game" is 2 to {terms.most} in such a series', layer="grammar")
    earlier = [_read_earlier(text, entry.where) for text in texts]
    if len(earlier) != (0 if terms.at_once else number - 1):
        raise RulesBroken("entry 0 says of each game before how it ended")
    return SeriesPlace(terms, number, first, earlier)


def _read_earlier(text: str, where: str) -> EarlierGame:
    digest, _, word = text.partition(" ")
    result = _RESULTS.get(word)
    if result is None:
        raise Malformed('a string of "earlier" ends with won, lost or drawn', layer="grammar")
    return EarlierGame(blob(digest, 32, where, "earlier"), result)
