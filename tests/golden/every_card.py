"""Golden games in which every card of every game is played: `./run golden` writes `cards/` anew.

What is answered, told and thrown stands line by line, with the digest of the position at every
question: a card that does something else changes a line. Cards of two sides are played by both,
where both can hold them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.flow import Answer, Ask, Card
from engine.notation import say
from engine.rules import Game
from engine.table import Choose, OpenTable
from pbem.games import registry
from tests.support.paradise_kit import by_verb

HERE = Path(__file__).parent / "cards"
MOST = 400
"""Answers of a question that are weighed, where there are more."""
WISHES = {
    "tripoli": ("event", "play"),
    "tripoli-solitaire": ("event treaty", "event general", "event hamet", "event", "play"),
}
"""What a player likes best to say, by its beginning: a card is played for what it says rather than
spent."""
KEPT = (
    "Treaty of Peace and Amity",
    "Tripoli Attacks",
    "General Eaton Attacks Derne",
    "Hamet Recruits Bedouins",
)
"""Cards that a player of solitaire does not part with otherwise: what they need comes late."""


class GoldenGame(NamedTuple):
    """A game that is played by itself from this seed, with the rules of this version."""

    game: str
    version: int
    seed: int
    settings: Mapping[str, int] = {}

    @property
    def path(self) -> Path:
        return HERE / f"{self.game}-{self.version}-{self.seed}.txt"


GAMES = (
    *(GoldenGame("tripoli", 1, seed) for seed in (6, 59, 105, 179)),
    *(GoldenGame("tripoli-solitaire", 1, seed) for seed in (59, 143, 190, 813, 1617, 2314)),
    *(GoldenGame("loot", 1, seed, {"players": 2}) for seed in (2, 4, 18)),
    *(GoldenGame("paradise", 4, seed) for seed in (1, 3, 5, 9, 20, 22, 24)),
)


def lines(golden: GoldenGame) -> Iterator[str]:
    """The whole game."""
    rules, chance = registry.find(golden.game, golden.version), random.Random(golden.seed)
    table = OpenTable(rules, {**rules.defaults, **golden.settings}, chance)
    seats, choose_by = (
        rules.seats({**rules.defaults, **golden.settings}),
        _policy(golden, table, chance),
    )
    story = table.game.story = []
    told: list[str] = []

    def tell() -> None:
        for event in story:
            line = rules.tell(event)
            told.append(
                " | ".join([line.pop("kind"), *(f"{key} {value}" for key, value in line.items())])
            )
        story.clear()

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        tell()
        answer = choose_by(game, ask, answers)
        assert answer is not None
        used = card_used(ask, answer, table)
        plays = "" if used is None else f" | plays {rules.cards[used]}"
        told.append(
            f"{hashlib.sha256(game.position().encode()).hexdigest()[:16]} {len(answers)} answers"
        )
        told.append(f"{seats[ask.seat]}> {say(rules, game, answer, table.faces)}{plays}")
        return answer

    outcome = table.play(choose)
    tell()
    return iter(
        [
            *told,
            (
                f"{' and '.join(seats[seat] for seat in outcome.winners) or 'nobody'} won:"
                f" {outcome.how}"
            ),
        ]
    )


def card_used(ask: Ask, answer: Answer, table: OpenTable) -> Card | None:
    """The card of the hand that is opened for what it says, if any is."""
    return (
        None if answer.handle is None or answer.option in ask.spend else table.faces[answer.handle]
    )


def _policy(golden: GoldenGame, table: OpenTable, chance: random.Random) -> Choose:
    """Whims, but for what a game is played for here."""
    if golden.game == "paradise":
        whims = by_verb(chance)
        return lambda game, ask, answers: whims(game, ask, list(answers))
    wishes = WISHES.get(golden.game, ())
    kept = (
        {table.rules.cards.index(name) for name in KEPT}
        if golden.game == "tripoli-solitaire"
        else set()
    )

    def choose(game: Game, _ask: Ask, answers: Sequence[Answer]) -> Answer:
        count = len(answers)
        places = range(count) if count <= MOST else sorted(chance.sample(range(count), MOST))
        some = [answers[place] for place in places]
        said = (
            [say(table.rules, game, answer, table.faces).lower() for answer in some]
            if wishes
            else []
        )
        for wish in wishes:
            liked = [
                answer for answer, words in zip(some, said, strict=True) if words.startswith(wish)
            ]
            if liked and chance.random() < 0.9:
                return liked[int(chance.random() * len(liked))]
        parted = [
            answer
            for answer in some
            if answer.handle is None or table.faces[answer.handle] not in kept
        ]
        return (parted or some)[int(chance.random() * len(parted or some))]

    return choose


def text(golden: GoldenGame) -> str:
    """The whole file."""
    return "\n".join(lines(golden)) + "\n"


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for one in GAMES:
        one.path.write_text(text(one), encoding="utf-8", newline="\n")
        print(f"{one.path.name}: {one.path.stat().st_size} bytes")
