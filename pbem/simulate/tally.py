"""What is counted over the games of a series, in one process or in many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.flow import Outcome
from engine.rules import Game, Rules
from pbem.simulate.by_mail import MailGame
from pbem.simulate.figures import PLAIN, WayFacts


@dataclass
class SeriesTally:
    """What was counted over some games. Lists are in the order of the games."""

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
    served: int = 0
    final_bytes: list[int] = field(default_factory=list)
    write: list[float] = field(default_factory=list)
    verify: list[float] = field(default_factory=list)

    def count(
        self, rules: Rules, names: tuple[str, ...], game: Game, outcome: Outcome, decisions: int
    ) -> None:
        """One more game is over."""
        self.wins[" and ".join(names[seat] for seat in outcome.winners) or "draw"] += 1
        self.how[outcome.how] += 1
        self.length.append(game.period())
        self.decisions += decisions
        for name, number in game.tally().items():
            self.counts[name] = self.counts.get(name, 0) + number
        for name, number in game.spread().items():
            self.spread.setdefault(name, []).append(number)

    def count_mail(self, figure: str, played: MailGame) -> None:
        """One more game by mail is over."""
        self.entries[figure] += played.entries
        self.seasons[figure] += played.seasons
        self.mails[figure] += played.mails
        self.idle[figure] += played.idle
        self.servings[figure] += played.served
        if figure == PLAIN:
            self.served += played.served
            self.final_bytes.append(len(played.data))
            self.write += played.write
            self.verify += played.verify

    def per_season(self, figure: str) -> float:
        """Entries a season; those of games without orders where this figure was not played."""
        played = figure if self.seasons[figure] else PLAIN
        return round(self.entries[played] / self.seasons[played], 3)

    def per_game(self, figure: str) -> float:
        """All mails a game, in the same way."""
        played = figure if self.seasons[figure] else PLAIN
        return round(self.mails[played] / len(self.length), 2)

    def per_game_idle(self, figure: str) -> float:
        """The mails a game that decide nothing, in the same way."""
        played = figure if self.seasons[figure] else PLAIN
        return round(self.idle[played] / len(self.length), 2)

    def way(self, name: str) -> WayFacts:
        """What one way to play by mail costs."""
        return WayFacts(
            self.per_season(name),
            self.per_game(name),
            self.per_game_idle(name),
            round(self.servings[name] / len(self.length), 2),
        )

    def add(self, other: SeriesTally) -> None:
        """Take over what another process counted."""
        self.wins += other.wins
        self.how += other.how
        self.entries += other.entries
        self.seasons += other.seasons
        self.mails += other.mails
        self.idle += other.idle
        self.servings += other.servings
        self.served += other.served
        self.decisions += other.decisions
        self.length += other.length
        self.final_bytes += other.final_bytes
        self.write += other.write
        self.verify += other.verify
        for name, number in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + number
        for name, numbers in other.spread.items():
            self.spread.setdefault(name, []).extend(numbers)
