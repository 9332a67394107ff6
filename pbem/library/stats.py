"""`pbem stats`: results by game, options, seat, length and pace; first answers; how games ended.
Games without a result are counted separately, since players who lose are more likely to stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.library import extract
from pbem.library.asking import OpenLibrary, list_in
from pbem.library.explore import EndingFacts


@dataclass(frozen=True)
class SeatResult:
    """How the games that have ended went for a seat."""

    seat: str
    won: int
    drew: int
    lost: int


@dataclass(frozen=True)
class FirstAnswer:
    """How so many games that have ended went for a seat that began with this answer, to the
    question with which the game begins. It names the card that it used if everybody can know that
    (else `…`)."""

    seat: str
    answer: str
    games: int
    won: int
    drew: int
    lost: int


@dataclass(frozen=True)
class Range:
    """A figure over the games that have ended: the smallest, the quartiles and the largest."""

    least: float
    quarter: float
    median: float
    three_quarters: float
    most: float


@dataclass(frozen=True)
class LengthCount:
    """How many games that have ended took so many of the game's seasons or turns."""

    length: int
    games: int


@dataclass(frozen=True)
class GamesWithoutResult:
    """Games without a result: how many, the median number of their answers, and the date of the
    newest entry in any of them."""

    games: int
    decisions: float
    last: str


@dataclass(frozen=True)
class GroupStats:
    """The games of one kind with the same options. `games` have ended; `length` is in the game's
    seasons or turns, `entries` is a game's number of entries, `days` the time from its first entry
    to its last, and `days_a_move` that time divided by the entries after the first."""

    game: str
    options: Sequence[str]
    games: int
    seats: Sequence[SeatResult]
    endings: Sequence[EndingFacts]
    length: Range | None
    entries: Range | None
    days: Range | None
    days_a_move: Range | None
    lengths: Sequence[LengthCount]
    openings: Sequence[FirstAnswer]
    unfinished: GamesWithoutResult | None


@dataclass(frozen=True)
class StatsFacts:
    """What `pbem stats` reports of a library: how many `games` have ended and how many are
    `unfinished`, of one `game` (null: of all), of the player who asks (`own`) or of everybody."""

    folder: str
    game: str | None
    own: bool
    games: int
    unfinished: int
    groups: Sequence[GroupStats]


@dataclass(frozen=True)
class _Game:
    """The columns of a game that are counted."""

    number: int
    over: bool
    ended: str | None
    how: str | None
    periods: int
    entries: int
    decisions: int
    days: float
    last: str


def stats(library: OpenLibrary, game: str | None = None, *, own: str | None = None) -> StatsFacts:
    """All figures, by game and options; with `own`, a key, only of games in which it has a seat."""
    only = library.name_of_game(game)
    which, values = "1", list[object]()
    if only is not None:
        which, values = f"{which} AND game = ?", [*values, only]
    if own is not None:
        which, values = (
            f"{which} AND id IN (SELECT id FROM player_rows WHERE key = ?)",
            [*values, own],
        )
    groups: dict[tuple[str, str], list[_Game]] = {}
    for name, options, *rest in library.rows(
        "SELECT game, options, id, over, ended, how, periods, entries, decisions, days, last FROM"
        f" games WHERE {which} ORDER BY game, options",
        values,
    ):
        groups.setdefault((name, options), []).append(_Game(*rest))
    results, answers = _results(library), _first_answers(library)
    with library.row_errors():
        found = [
            _group(name, options, games, results, answers)
            for (name, options), games in sorted(
                groups.items(), key=lambda group: (group[0][0], -len(group[1]))
            )
        ]
    over = sum(bool(one.over) for games in groups.values() for one in games)
    total = sum(map(len, groups.values()))
    return StatsFacts(str(library.folder), only, own is not None, over, total - over, found)


_Ending = tuple[str | None, str | None]
_Results = dict[int, list[tuple[str, str]]]
"""For each game, by its number: each seat and its result."""


def _results(library: OpenLibrary) -> _Results:
    found: _Results = {}
    for number, seat, result in library.stream(
        "SELECT id, seat, result FROM player_rows WHERE result != 'open' ORDER BY id, number"
    ):
        found.setdefault(number, []).append((seat, result))
    return found


def _first_answers(library: OpenLibrary) -> dict[tuple[int, str], str]:
    """The first answer by the number of a game and the seat."""
    return {
        (number, seat): move if card is None else move.replace(extract.HIDDEN, card)
        for number, seat, move, card in library.stream(
            "SELECT p.id, p.seat, r.move, r.card FROM player_rows p JOIN position_rows r ON r.id ="
            " p.id AND r.number = (SELECT number FROM position_rows f WHERE f.id = p.id AND f.seat"
            " = p.seat AND f.question = (SELECT question FROM position_rows b WHERE b.id = p.id AND"
            " b.number = 0) ORDER BY f.number LIMIT 1)"
        )
    }


def _group(
    name: str,
    options: str,
    games: Sequence[_Game],
    results: _Results,
    answers: dict[tuple[int, str], str],
) -> GroupStats:
    """The figures of the games of one kind with the same options."""
    over, open_games = [one for one in games if one.over], [one for one in games if not one.over]
    seats: dict[str, Counter[str]] = {}
    openings: dict[tuple[str, str], Counter[str]] = {}
    for one in over:
        for seat, result in results.get(one.number, ()):
            seats.setdefault(seat, Counter())[result] += 1
            if (answer := answers.get((one.number, seat))) is not None:
                openings.setdefault((seat, answer), Counter())[result] += 1
    endings = Counter((one.ended, one.how) for one in over)
    length = range_of(one.decisions for one in open_games)
    return GroupStats(
        game=name,
        options=list_in(options, str),
        games=len(over),
        seats=[SeatResult(seat, *_three(counter)) for seat, counter in seats.items()],
        endings=[
            EndingFacts(*ending, games)
            for ending, games in sorted(endings.items(), key=lambda pair: (-pair[1], str(pair[0])))
        ],
        length=range_of(one.periods for one in over),
        entries=range_of(one.entries for one in over),
        days=range_of(one.days for one in over),
        days_a_move=range_of(one.days / (one.entries - 1) for one in over if one.entries > 1),
        lengths=[
            LengthCount(*pair) for pair in sorted(Counter(one.periods for one in over).items())
        ],
        openings=_openings(openings),
        unfinished=(
            None
            if length is None
            else GamesWithoutResult(
                len(open_games), length.median, max(one.last for one in open_games)
            )
        ),
    )


def _openings(found: dict[tuple[str, str], Counter[str]]) -> list[FirstAnswer]:
    """First answers, by seat in the order in which seats were met, the most frequent first."""
    order = {seat: place for place, seat in enumerate(dict.fromkeys(seat for seat, _ in found))}
    facts = [FirstAnswer(*key, counter.total(), *_three(counter)) for key, counter in found.items()]
    return sorted(facts, key=lambda one: (order[one.seat], -one.games, one.answer))


def _three(counter: Counter[str]) -> tuple[int, int, int]:
    return counter["won"], counter["drew"], counter["lost"]


def range_of(figures: Iterable[float]) -> Range | None:
    """The range of some figures, with quartiles by linear interpolation; None if there are none."""
    found = sorted(figures)
    if not found:
        return None
    quartiles = []
    for part in range(5):
        place = part / 4 * (len(found) - 1)
        low = int(place)
        high = min(low + 1, len(found) - 1)
        quartiles.append(round(found[low] + (found[high] - found[low]) * (place - low), 2))
    return Range(*quartiles)
