"""What entry 0 of a league settles for good: its game, how pairs are made, what a game is worth
(docs/format.md, section 26)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from pbem.crypto import group
from pbem.errors import Forged, Malformed
from pbem.fileformat.encoding import b64
from pbem.fileformat.signed_table import are_options, is_word, may_name
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import Entry, blob
from pbem.home.identity import is_mail_address
from pbem.league.league_file import ASK
from pbem.ledger.clock import read_terms

ALL_PLAY_ALL, SWISS, GROUPS, KNOCK_OUT = "all-play-all", "swiss", "groups", "knock-out"
HEAD_TO_HEAD, SONNEBORN, BUCHHOLZ, WINS = "head-to-head", "sonneborn-berger", "buchholz", "wins"
TIE_BREAKS = (HEAD_TO_HEAD, SONNEBORN, BUCHHOLZ, WINS)
USUAL_BREAKS = {
    ALL_PLAY_ALL: (SONNEBORN, HEAD_TO_HEAD, WINS),
    SWISS: (BUCHHOLZ, SONNEBORN, HEAD_TO_HEAD),
    GROUPS: (SONNEBORN, HEAD_TO_HEAD, WINS),
    KNOCK_OUT: (),
}
"""The tie-breaks of a league whose director names none, by how its pairs are made."""
MOST_ROUNDS = 30
_METHOD = re.compile(
    r"(all-play-all)( twice)?\Z|(swiss) ([1-9][0-9]?)\Z"
    r"|(groups) ([2-9]|1[0-6]) first ([1-8])\Z|(knock-out)\Z"
)


class Method(NamedTuple):
    """How pairs are made: `rounds` of a Swiss league, `groups` and how many of each go on
    (`first`), or whether all play all `twice`."""

    kind: str
    twice: bool = False
    rounds: int = 0
    groups: int = 0
    first: int = 0

    def __str__(self) -> str:
        if self.kind == SWISS:
            return f"{SWISS} {self.rounds}"
        if self.kind == GROUPS:
            return f"{GROUPS} {self.groups} first {self.first}"
        return f"{self.kind} twice" if self.twice else self.kind


def read_method(text: str) -> Method:
    """Raises `ValueError`."""
    match = _METHOD.match(text)
    if match is None or int(match[4] or 0) > MOST_ROUNDS:
        raise ValueError(
            "pairs are made by all-play-all, all-play-all twice, swiss 7 (rounds, at most 30),"
            " groups 2 first 2, or knock-out"
        )
    kind = next(found for found in (match[1], match[3], match[5], match[8]) if found)
    return Method(kind, bool(match[2]), int(match[4] or 0), int(match[6] or 0), int(match[7] or 0))


class Points(NamedTuple):
    """What a player has for a game, a bye, and a round in which they are absent."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    absence: int = 0


USUAL_POINTS = Points()


@dataclass(frozen=True)
class LeagueTerms:
    """What a league is: see docs/format.md, section 26. `rules` is the least version of the rules,
    `until` is empty where nothing begins by itself."""

    name: str
    directors: tuple[bytes, ...]
    game: str
    rules: int
    method: Method
    places: int
    mail: str = ""
    options: tuple[str, ...] = ()
    clock: str = ""
    leave_days: int = 0
    until: str = ""
    points: Points = USUAL_POINTS
    tie_breaks: tuple[str, ...] = ()
    message: str = ""

    def fields(self) -> Fields:
        """As they stand in entry 0."""
        return {
            "league": self.name,
            "directors": [b64(key) for key in self.directors],
            "mail": self.mail,
            "game": self.game,
            "rules": self.rules,
            "options": [*self.options],
            "clock": self.clock,
            **({"leave-days": self.leave_days} if self.leave_days else {}),
            "method": str(self.method),
            "places": self.places,
            "until": self.until,
            "points": [str(one) for one in self.points],
            "tie-breaks": [*self.tie_breaks],
            "message": self.message,
        }


def read_terms_of(entry: Entry) -> LeagueTerms:
    """What entry 0 says. Raises `Malformed` or `Forged`."""
    directors = tuple(blob(text, 32, "", "directors") for text in entry.list("directors"))
    if len(directors) > 2 or len(set(directors)) < len(directors):
        raise _wrong("a league has one director or two, with different keys")
    if not all(map(group.is_point, directors)):
        raise Forged("the key of a director is no point of prime order", layer="signature")
    name, mail = entry.text("league"), entry.text("mail")
    if not may_name(name):
        raise _wrong("the name of a league is one line that can be seen, without / \\ @ and :")
    if mail and not is_mail_address(mail):
        raise _wrong("the mail address is no plain one")
    game, options = entry.text("game"), tuple(entry.list("options"))
    if not is_word(game):
        raise _wrong('"game" is no name of a game')
    if not are_options(options):
        raise _wrong("options are names, each with a number or none, in order and each once")
    clock, leave = entry.text("clock"), _number(entry, "leave-days")
    if leave and not clock:
        raise _wrong("leave stops a clock, and there is none")
    try:
        method = read_method(entry.text("method"))
        if clock:
            read_terms(clock)
    except ValueError as error:
        raise _wrong(str(error)) from error
    breaks = tuple(entry.list("tie-breaks"))
    if len(set(breaks)) < len(breaks) or not set(breaks) <= set(TIE_BREAKS):
        raise _wrong(f"tie-breaks are {', '.join(TIE_BREAKS)}, each once")
    return LeagueTerms(
        name,
        directors,
        game,
        _number(entry, "rules"),
        method,
        _number(entry, "places"),
        mail,
        options,
        clock,
        leave,
        entry.text("until"),
        _points(entry.list("points")),
        breaks,
        entry.text("message"),
    )


def _points(texts: list[str]) -> Points:
    if len(texts) != 5 or not all(len(one) == 1 and one in "0123456789" for one in texts):
        raise _wrong("points are five digits: a win, a draw, a loss, a bye, an absence")
    points = Points(*map(int, texts))
    if not points.win >= points.draw >= points.loss:
        raise _wrong("a win is worth no less than a draw, and that no less than a loss")
    return points


def _number(entry: Entry, key: str) -> int:
    value = entry.fields.get(key, 0)
    return value if isinstance(value, int) else 0


def _wrong(what: str) -> Malformed:
    return Malformed(what, hint=ASK)
