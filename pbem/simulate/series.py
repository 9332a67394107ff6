"""Series of many games in memory: who wins and how, how fast, and what they cost by mail, counted
in one process or in several.

The same seed gives the same games on every machine and with any number of processes, since each
game has its own random numbers, made from the seed and the game's place in the series.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from statistics import median
from time import perf_counter

from engine.flow import Outcome
from engine.rules import Game, MailWay, Rules, Settings
from engine.table import OpenTable
from pbem import files
from pbem.errors import Conflict, Typed, Usage
from pbem.games import game_data, registry
from pbem.games.game_data import DataLine
from pbem.simulate import by_mail as mail_games
from pbem.simulate.by_mail import MailGame, play_by_mail
from pbem.simulate.figures import (
    LEVELS,
    PLAIN,
    MailSeriesFacts,
    SeriesFacts,
    WayFacts,
    milliseconds,
    spread_of,
)
from pbem.simulate.policies import Keeping, Policy, find_policy


@dataclass
class SeriesTally:
    """The counts over some games. Lists are in the order of the games."""

    wins: Counter[str] = field(default_factory=Counter)
    how: Counter[str] = field(default_factory=Counter)
    length: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    spread: dict[str, list[int]] = field(default_factory=dict)
    decisions: int = 0
    entries: Counter[str] = field(default_factory=Counter)
    seasons: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    idle: Counter[str] = field(default_factory=Counter)
    servings: Counter[str] = field(default_factory=Counter)
    server_messages: int = 0
    final_bytes: list[int] = field(default_factory=list)
    write: list[float] = field(default_factory=list)
    verify: list[float] = field(default_factory=list)

    def count(
        self, rules: Rules, names: tuple[str, ...], game: Game, outcome: Outcome, decisions: int
    ) -> None:
        """Count a game that is over."""
        self.wins[" and ".join(names[seat] for seat in outcome.winners) or "draw"] += 1
        self.how[outcome.how] += 1
        self.length.append(game.period())
        self.decisions += decisions
        for name, number in game.tally().items():
            self.counts[name] = self.counts.get(name, 0) + number
        for name, number in game.spread().items():
            self.spread.setdefault(name, []).append(number)

    def count_mail(self, figure: str, mail_game: MailGame) -> None:
        """Count a game by mail that is over."""
        self.entries[figure] += mail_game.entries
        self.seasons[figure] += mail_game.seasons
        self.mails[figure] += mail_game.mails
        self.idle[figure] += mail_game.idle
        self.servings[figure] += mail_game.server_messages
        if figure == PLAIN:
            self.server_messages += mail_game.server_messages
            self.final_bytes.append(len(mail_game.data))
            self.write += mail_game.write
            self.verify += mail_game.verify

    def per_season(self, figure: str) -> float:
        """Entries for each season; those of games without orders if this figure was not played."""
        source = figure if self.seasons[figure] else PLAIN
        return round(self.entries[source] / self.seasons[source], 3)

    def per_game(self, figure: str) -> float:
        """All mails of a game, likewise."""
        source = figure if self.seasons[figure] else PLAIN
        return round(self.mails[source] / len(self.length), 2)

    def per_game_idle(self, figure: str) -> float:
        """The mails of a game that decide nothing, likewise."""
        source = figure if self.seasons[figure] else PLAIN
        return round(self.idle[source] / len(self.length), 2)

    def way(self, name: str) -> WayFacts:
        """What one way to play by mail costs."""
        return WayFacts(
            self.per_season(name),
            self.per_game(name),
            self.per_game_idle(name),
            round(self.servings[name] / len(self.length), 2),
        )

    def add(self, other: SeriesTally) -> None:
        """Add what another process counted."""
        self.wins += other.wins
        self.how += other.how
        self.entries += other.entries
        self.seasons += other.seasons
        self.mails += other.mails
        self.idle += other.idle
        self.servings += other.servings
        self.server_messages += other.server_messages
        self.decisions += other.decisions
        self.length += other.length
        self.final_bytes += other.final_bytes
        self.write += other.write
        self.verify += other.verify
        for name, number in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + number
        for name, numbers in other.spread.items():
            self.spread.setdefault(name, []).extend(numbers)


BATCH = 20
"""Games that one process takes at a time."""


@dataclass(frozen=True)
class Job:
    """A part of a series that one process plays."""

    game: str
    settings: tuple[tuple[str, int], ...]
    policy: str
    seed: str
    numbers: range
    by_mail: bool
    data: tuple[str, ...] = ()
    keep: Path | None = None

    def rules(self) -> Rules:
        """The newest rules, with the data that players have filled in."""
        rules = registry.newest(self.game)
        return rules.with_data(self.data) if self.data else rules


def simulate(
    game: str,
    number: int,
    seed: str,
    *,
    policy: str = "random",
    settings: Settings | None = None,
    by_mail: bool = False,
    jobs: int = 1,
    data: Sequence[DataLine] = (),
    keep: Path | None = None,
    progress: Callable[[int], None] = lambda _played: None,
) -> SeriesFacts:
    """Play a series and sum it up. `progress` is called with how many games are counted. `keep` is
    a folder that gets the turn file of each game by mail: these games are played once, without
    standing orders, by the members of a club (`pbem.simulate.by_mail`). Raises `Usage`, with file
    and line where the data are wrong."""
    rules = game_data.rules_with(registry.newest(game), data)
    find_policy(policy)
    options = tuple(sorted(registry.chosen_settings(rules, settings or {}).items()))
    if number < 1 or jobs < 1:
        raise Usage("a series has at least one game, and at least one process plays it")
    if not seed.isascii() and any("\ud800" <= letter <= "\udfff" for letter in seed):
        raise Usage("the seed is no text", hint="take letters and digits")
    if keep is not None:
        if not by_mail:
            raise Usage("only games by mail have files to keep", hint=Typed("add --by-mail"))
        files.make_folder(keep)
    parts = [range(first, min(first + BATCH, number)) for first in range(0, number, BATCH)]
    lines = tuple(one.line for one in data)
    work = [Job(game, options, policy, seed, part, by_mail, lines, keep) for part in parts]
    total, start = SeriesTally(), perf_counter()
    for tally in _spread(work, jobs):
        total.add(tally)
        progress(len(tally.length))
    return _summary(rules, total, number, perf_counter() - start, by_mail)


def _keep(folder: Path, mail_game: MailGame) -> None:
    """Write the turn file of a game; the same file again is no conflict. Raises `Conflict` or
    `Usage`."""
    path = folder / f"{mail_game.name}.toml"
    try:
        files.write_new(path, mail_game.data)
    except Conflict as error:
        raise Conflict(
            f"{files.printable(path)} is another game",
            hint=Typed("choose another folder with --keep"),
        ) from error


def _spread(work: list[Job], jobs: int) -> Iterator[SeriesTally]:
    """The tallies of all jobs, in their order, from so many processes."""
    if jobs == 1:
        yield from map(_play, work)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(_play, work)
        except BaseException:
            for worker in active_children():
                worker.terminate()  # nobody waits for their games any more
            raise


def _play(job: Job) -> SeriesTally:
    """Play the games of one job; by mail, each of them at every level of orders too."""
    rules, tally = job.rules(), SeriesTally()
    settings = dict(job.settings)
    names = rules.seats(settings)
    policy = find_policy(job.policy)
    shorter = {
        option.name: option.value
        for option in registry.descriptor(job.game).options
        if option.spares_mails
    }
    ways = rules.ways_by_mail() if job.keep is None else {}
    # without any topic for orders all levels would be the same game
    takes_orders = any(rules.order_topics(seat) for seat in range(len(names)))
    levels = LEVELS if takes_orders and job.keep is None and not ways else {PLAIN: ""}
    for number in job.numbers:
        seed = f"{job.seed}/{number}"
        if not job.by_mail:
            rng = random.Random(seed)
            table = OpenTable(rules, settings, rng)
            outcome = table.play(policy(rules, rng).choose)
            tally.count(rules, names, table.game, outcome, table.decisions)
            continue
        for figure, level in levels.items():
            options = {**settings, **(shorter if level else {})}
            meeting = None
            if job.keep is not None:
                meeting = mail_games.members(job.seed, number, len(names))
                # so that games in one folder have names of their own
                seed += f"/{job.game} {sorted(options.items())}"
            mail_game = play_by_mail(rules, options, policy, seed, level, job.data, meeting)
            if job.keep is not None:
                _keep(job.keep, mail_game)
            tally.count_mail(figure, mail_game)
            if not level:
                tally.count(rules, names, mail_game.game, mail_game.outcome, mail_game.decisions)
        for name, way in ways.items():
            kept = partial(_keeping, policy, way)
            tally.count_mail(
                name, play_by_mail(rules, {**settings, **way.settings}, kept, seed, data=job.data)
            )
    return tally


def _keeping(policy: type[Policy], way: MailWay, rules: Rules, rng: random.Random) -> Keeping:
    return Keeping(rules, policy(rules, rng), way)


def _summary(
    rules: Rules, tally: SeriesTally, number: int, seconds: float, by_mail: bool
) -> SeriesFacts:
    facts = SeriesFacts(
        game=rules.name,
        measure=rules.measure,
        games=number,
        games_per_second=round(number / seconds, 1),
        decisions_per_second=round(tally.decisions / seconds),
        results={
            "wins": dict(sorted(tally.wins.items())),
            "how": dict(sorted(tally.how.items())),
            "length": round(sum(tally.length) / number, 2),
            **{name: round(total / number, 3) for name, total in sorted(tally.counts.items())},
            **{name: spread_of(numbers) for name, numbers in sorted(tally.spread.items())},
        },
    )
    if not by_mail:
        return facts
    return MailSeriesFacts(
        **vars(facts),
        entries_per_season=tally.per_season(PLAIN),
        entries_per_season_with_orders=tally.per_season("entries_per_season_with_orders"),
        entries_per_season_declining=tally.per_season("entries_per_season_declining"),
        entries_per_season_ordering_all=tally.per_season("entries_per_season_ordering_all"),
        mails_per_game=tally.per_game(PLAIN),
        mails_per_game_with_orders=tally.per_game("entries_per_season_with_orders"),
        mails_per_game_declining=tally.per_game("entries_per_season_declining"),
        mails_per_game_ordering_all=tally.per_game("entries_per_season_ordering_all"),
        mails_deciding_nothing=tally.per_game_idle(PLAIN),
        mails_deciding_nothing_with_orders=tally.per_game_idle("entries_per_season_with_orders"),
        mails_deciding_nothing_declining=tally.per_game_idle("entries_per_season_declining"),
        mails_deciding_nothing_ordering_all=tally.per_game_idle("entries_per_season_ordering_all"),
        ways={name: tally.way(name) for name in rules.ways_by_mail() if tally.seasons[name]},
        mails_per_game_with_a_trusted_server=round(tally.server_messages / number, 2),
        orders=any(tally.seasons[figure] for figure in LEVELS if figure != PLAIN),
        final_bytes=round(median(tally.final_bytes)),
        write_ms=milliseconds(tally.write),
        verify_ms=milliseconds(tally.verify),
    )
