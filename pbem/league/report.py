"""What is told of leagues: facts for programs, and words for players. Whatever others wrote is
shown without what a terminal would obey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.fileformat.encoding import b64
from pbem.games import registry
from pbem.league import pairing, verify
from pbem.league.league import League, LeagueGame
from pbem.league.ratings import ratings
from pbem.league.table import TableLine, table
from pbem.league.verify import Verdict
from pbem.report import render

HALF = "½"


@dataclass(frozen=True)
class LeaguePlayerFacts:
    """A line of the table: place and player, what they have; the values of the league's tie-breaks
    in its order; the Glicko-2 rating and its deviation. `decided` counts games that the director
    decided, `left` is their reason if the player plays no more."""

    place: int
    number: int
    name: str
    key: str
    points: int
    won: int
    drawn: int
    lost: int
    byes: int
    decided: int
    breaks: Sequence[str]
    rating: int
    deviation: int
    left: str


@dataclass(frozen=True)
class LeagueGameFacts:
    """A game: its number, its round, the players by their numbers, the first one first; its id in
    hexadecimal; `result` as the first one's (null: none yet); `state` says what is known of it
    (docs/league.md), `why` what is wrong with it, `decided` the director's reason."""

    number: int
    round: int
    first: int
    second: int
    game: str
    result: str | None
    state: str
    why: str
    decided: str


@dataclass(frozen=True)
class LeagueRoundFacts:
    """A round: who has a bye, who is absent, and why its pairs were made by hand (empty: they were
    not)."""

    number: int
    byes: Sequence[int]
    absent: Sequence[int]
    by_hand: str


@dataclass(frozen=True)
class LeagueForkFacts:
    """Another file of the same league that goes on differently from this entry on; `directors` are
    those who signed the two."""

    file: str
    entry: int
    directors: Sequence[int]


@dataclass(frozen=True)
class LeagueFacts:
    """A league: what it is, its table, games and rounds. `compared`: whether the pairs of Swiss
    rounds were computed again. `forks`, `longer` (a file that goes on from this one; null: none was
    found), `strangers` (games between its players that are none of it) and `problems` tell what was
    found beside it. `holds`: nothing that was checked contradicts it. `places` is the most players,
    `until` the day on which the first round begins with fewer, `mail` the address for joins and
    `message` the director's first word (null: they said none)."""

    league: str
    name: str
    directors: Sequence[str]
    game: str
    options: Sequence[str]
    clock: str | None
    method: str
    rounds_planned: int
    entries: int
    date: str
    ended: bool
    compared: bool
    tie_breaks: Sequence[str]
    players: Sequence[LeaguePlayerFacts]
    rounds: Sequence[LeagueRoundFacts]
    games: Sequence[LeagueGameFacts]
    forks: Sequence[LeagueForkFacts]
    longer: str | None
    strangers: int
    problems: Sequence[str]
    holds: bool
    places: int
    until: str | None
    mail: str | None
    message: str | None


def facts_of(verdict: Verdict) -> LeagueFacts:
    """What a verdict says of a league."""
    league = verdict.league
    rated = ratings(league)
    terms = league.terms
    return LeagueFacts(
        league.id.hex(),
        terms.name,
        [b64(key) for key in terms.directors],
        terms.game,
        terms.options,
        terms.clock or None,
        str(terms.method),
        pairing.rounds_planned(league),
        len(league.entries),
        league.entries[-1].date,
        league.ended,
        league.compared,
        terms.tie_breaks,
        [_player(league, line, rated[line.player - 1].whole()) for line in table(league)],
        [
            LeagueRoundFacts(one.number, one.byes, [*one.absent], one.by_hand)
            for one in league.rounds
        ],
        [_game(one.game, one.state, one.why) for one in verdict.games],
        [LeagueForkFacts(one.where, one.entry, one.directors) for one in verdict.forks],
        verdict.longer or None,
        verdict.strangers,
        verdict.problems,
        not verdict.is_bad(),
        terms.places,
        terms.until[:10] or None,
        terms.mail or None,
        terms.message or None,
    )


def _player(league: League, line: TableLine, rating: tuple[int, int]) -> LeaguePlayerFacts:
    one = league.player(line.player)
    return LeaguePlayerFacts(
        line.place,
        one.number,
        one.name,
        b64(one.key),
        line.points,
        line.won,
        line.drawn,
        line.lost,
        line.byes,
        line.decided,
        [halves(value) for value in line.breaks],
        *rating,
        one.left,
    )


def _game(game: LeagueGame, state: str, why: str) -> LeagueGameFacts:
    return LeagueGameFacts(
        game.number,
        game.round,
        game.first,
        game.second,
        game.game_id.hex(),
        game.result or None,
        state,
        why,
        game.reason,
    )


def halves(value: int) -> str:
    """A number that is counted in halves, in words of figures: 3, 3½."""
    whole, half = divmod(value, 2)
    return f"{whole or ''}{HALF}" if half else str(whole)


def words(facts: LeagueFacts) -> dict[str, object]:
    """What the templates of a league are given."""
    states = dict.fromkeys((*STATES, *verify.BAD), 0)
    for game in facts.games:
        states[game.state] += 1
    return {
        "facts": facts,
        "title": registry.title_or_name(facts.game),
        "names": {one.number: one.name for one in facts.players},
        "short": facts.league[:8],
        "begun": len(facts.rounds),
        "states": states,
        "bad": [game for game in facts.games if game.state in verify.BAD],
        "by_hand": [one for one in facts.rounds if one.by_hand],
        "decided": [game for game in facts.games if game.decided],
        "gone": [one for one in facts.players if one.left],
        "newest": [game for game in facts.games if game.round == len(facts.rounds)],
        "marks": MARKS,
    }


STATES = (
    verify.CHECKED,
    verify.CLAIMED,
    verify.DECIDED,
    verify.PLAYED,
    verify.WAITING,
    verify.OPEN,
)
MARKS = {"won": ("1", "0"), "drawn": (HALF, HALF), "lost": ("0", "1"), "none": ("-", "-")}
"""A result as the first one's and the second one's share."""


def in_words(facts: LeagueFacts, *, is_check: bool = False) -> str:
    """The table for a terminal; `is_check`: what was checked besides."""
    name = "league/check.txt.j2" if is_check else "league/table.txt.j2"
    return render.render(name, words(facts)).rstrip("\n")
