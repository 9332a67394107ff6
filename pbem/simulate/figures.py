"""The figures of a series of games: the facts of `pbem simulate`, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median, quantiles

from pbem.english import counted

LEVELS = {
    "entries_per_season": "",
    "entries_per_season_with_orders": "losses",
    "entries_per_season_declining": "declining",
    "entries_per_season_ordering_all": "all",
}
"""The figures of games by mail, and how much their players settle in advance by standing orders
(`pbem.simulate.policies`)."""

PLAIN = "entries_per_season"
"""The figure of games without orders."""

MAILS = {figure: figure.replace("entries_per_season", "mails_per_game") for figure in LEVELS}
"""For each of these figures, the name of the one that counts all mails of a game, the invitation,
joins and roots included."""

IDLE = {figure: figure.replace("entries_per_season", "mails_deciding_nothing") for figure in LEVELS}
"""For each of these figures, the name of the one that counts the mails that decide nothing, which
`pbem watch --answer` may write."""

SERVED = "mails_per_game_with_a_trusted_server"
"""What a server that everybody trusts would need: one message whenever another player decides."""


@dataclass(frozen=True)
class Quartiles:
    """The range of a number over all games: half of the games lie between the first and the third
    quartile."""

    lowest: int
    first_quartile: float
    median: float
    third_quartile: float
    highest: int


@dataclass(frozen=True)
class SeriesFacts:
    """A series of games. `results` has `wins` and `how` (how often each side won, and how often
    games ended in each way), `length` (in the game's own measure, on average), and what the game
    itself counts: averages and ranges."""

    game: str
    measure: str
    games: int
    games_per_second: float
    decisions_per_second: int
    results: Mapping[str, Mapping[str, int] | float | Quartiles]


@dataclass(frozen=True)
class WayFacts:
    """One of the ways of playing by mail that a game compares, each of which settles something in
    advance to save mails. It was played in games of its own: entries for each unit of the measure,
    all mails of a game, how many of these decide nothing, and what a server that everybody trusts
    would need."""

    entries_per_season: float
    mails_per_game: float
    mails_deciding_nothing: float
    mails_per_game_with_a_trusted_server: float


@dataclass(frozen=True)
class MailSeriesFacts(SeriesFacts):
    """A series by mail. Entries for each unit of the game's measure, joins and roots left out,
    without standing orders and with more and more of them (`orders`: whether this game takes any);
    all mails of a game; how many of these decide nothing; the ways by mail that the game compares,
    by name; what a server that everybody trusts would need, one message whenever another player
    decides; the median size of a final file; and the median milliseconds that it took to write an
    entry and to verify it."""

    entries_per_season: float
    entries_per_season_with_orders: float
    entries_per_season_declining: float
    entries_per_season_ordering_all: float
    mails_per_game: float
    mails_per_game_with_orders: float
    mails_per_game_declining: float
    mails_per_game_ordering_all: float
    mails_deciding_nothing: float
    mails_deciding_nothing_with_orders: float
    mails_deciding_nothing_declining: float
    mails_deciding_nothing_ordering_all: float
    ways: Mapping[str, WayFacts]
    mails_per_game_with_a_trusted_server: float
    orders: bool
    final_bytes: int
    write_ms: float
    verify_ms: float


def spread_of(numbers: list[int]) -> Quartiles:
    """The range of some numbers."""
    first, middle, third = (
        quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else numbers * 3
    )
    return Quartiles(min(numbers), first, middle, third, max(numbers))


def milliseconds(times: Iterable[float]) -> float:
    """The median of some times in seconds, in milliseconds."""
    return round(median(times) * 1000, 3)


def in_words(facts: SeriesFacts) -> str:
    """What `pbem simulate` prints."""
    first = (
        f"{counted(facts.games, 'game')} of {facts.game}, {facts.games_per_second} games a second, "
    )
    lines = [
        first + f"{counted(facts.decisions_per_second, 'decision')} a second",
        *_results(facts),
    ]
    if isinstance(facts, MailSeriesFacts):
        levels = list(LEVELS if facts.orders else (PLAIN,))
        mails = [kind[level] for kind in (MAILS, IDLE) for level in levels]
        names = [*levels, *mails, SERVED, "final_bytes", "write_ms", "verify_ms"]
        titles = {name: name.replace("_", " ").replace("season", facts.measure) for name in names}
        lines += [f"{titles[name]:40}{getattr(facts, name)}" for name in names]
        lines += _ways(facts)
    return "\n".join(lines)


def _ways(facts: MailSeriesFacts) -> Iterator[str]:
    if facts.ways:
        yield (
            f"{'way by mail':16}{'a ' + facts.measure:>10}{'a game':>10}{'automatic':>12}{'by a server':>14}"  # noqa: E501
        )
    for name, way in facts.ways.items():
        columns = (
            f"{way.entries_per_season:>10}{way.mails_per_game:>10}{way.mails_deciding_nothing:>12}"
        )
        yield f"{name:16}{columns}{way.mails_per_game_with_a_trusted_server:>14}"


def _results(facts: SeriesFacts) -> Iterator[str]:
    for name, value in facts.results.items():
        if isinstance(value, Mapping):
            yield from (f"  {count:>6}  {what}" for what, count in value.items())
        elif name == "length":
            yield f"  {value:>6}  {facts.measure}s on average"
        elif isinstance(value, Quartiles):
            yield _spread_line(name, value)
        else:
            yield f"  {value:>6}  {name} on average"


def _spread_line(name: str, spread: Quartiles) -> str:
    """`54  points of the winner (median; half of the games 51 to 60, all 43 to 77)`."""
    half = f"half of the games {spread.first_quartile:g} to {spread.third_quartile:g}"
    return (
        f"  {spread.median:>6g}  {name} (median; {half}, all {spread.lowest:g} to"
        f" {spread.highest:g})"
    )
