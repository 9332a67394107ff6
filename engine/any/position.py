"""What lies on the table of one game in progress: counters, cards, whose turn it is, what was
asked, and how the game is said to have ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.any import acts, card_acts
from engine.any.acts import NOBODY
from engine.any.cards import Cards
from engine.any.dice import Dice
from engine.any.setup import Setup
from engine.flow import Card, Handle, Option, Outcome, Seat
from engine.rules import Game


class Question(NamedTuple):
    """What one player asks another in the middle of their turn."""

    asker: Seat
    asked: Seat
    text: str


class Claim(NamedTuple):
    """How a player says that the game ended, and who has yet to agree."""

    by: Seat
    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    waits: tuple[Seat, ...]


class Throw(NamedTuple):
    """The newest dice on the table."""

    seat: Seat
    name: str
    dice: Dice
    thrown: tuple[int, ...]


class Position(Game):
    """The public position. The rules of the players' game are theirs: it keeps what they count and
    where their cards lie, and says who acts."""

    def __init__(self, setup: Setup) -> None:
        self.setup: Final = setup
        self.turn: Seat = setup.first
        self.turns = 1
        self.values = {
            (number, owner): setup.counters[number].start for number, owner in setup.counted()
        }
        self.cards = Cards(setup)
        self.question: Question | None = None
        self.claim: Claim | None = None
        self.throw: Throw | None = None
        self.outcome: Outcome | None = None
        self.left: list[Seat] = []

    def position(self) -> str:
        """One line of ASCII; texts of players are escaped."""
        setup = self.setup
        counted = ",".join(str(value) for value in self.values.values()) or "-"
        parts = [f"turn {self.turns} {setup.seats[self.turn]}", f"counters {counted}"]
        if self.throw is not None:
            thrown = ",".join(map(str, self.throw.thrown))
            seat, name = setup.seats[self.throw.seat], self.throw.name or "-"
            parts.append(f"thrown {seat} {name} {self.throw.dice.die.name} {thrown}")
        if self.question is not None:
            asker, asked, text = self.question
            parts.append(f"asks {setup.seats[asker]} {setup.seats[asked]} {json.dumps(text)}")
        if self.claim is not None:
            by, winners, points, waits = self.claim
            said = acts.claim_words(setup, winners, points)
            parts.append(f"ends {setup.seats[by]} {json.dumps(said)} {len(waits)}")
        parts += self.cards.position()
        if self.left:
            parts.append(f"left {','.join(setup.seats[seat] for seat in self.left)}")
        return "; ".join(parts)

    def when(self) -> str:
        return f"turn {self.turns}"

    def period(self) -> int:
        return self.turns

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return self.cards.hand(seat)

    def faces(self) -> Mapping[Handle, Card]:
        return self.cards.opened

    def acts_now(self) -> Seat:
        """Who is asked: whoever has to agree to the end, then whoever was asked a question, then
        whose turn it is."""
        if self.claim is not None:
            return self.claim.waits[0]
        return self.turn if self.question is None else self.question.asked

    def playing(self, seat: Seat) -> bool:
        return 0 <= seat < len(self.setup.seats) and seat not in self.left

    def others(self, seat: Seat) -> list[Seat]:
        """Everybody else who still plays, round the table."""
        count = len(self.setup.seats)
        round_table = [(seat + step) % count for step in range(1, count)]
        return [other for other in round_table if self.playing(other)]

    # What an act does

    def pass_to(self, seat: Seat) -> None:
        """The next turn is this player's."""
        self.turn = seat
        self.turns += 1
        self.note("turn", self.turns, self.setup.seats[seat])

    def count(self, counter: int, owner: Seat, value: int) -> None:
        """The counter stands at this number now."""
        before, self.values[counter, owner] = self.values[counter, owner], value
        name = acts.counter_words(self.setup, counter, owner)
        self.note("counts", name, before, value)

    def leave(self, seat: Seat) -> None:
        """A player has left: their turn goes to the next, and what they asked or said is void."""
        self.left.append(seat)
        self.note("left", self.setup.seats[seat])
        if self.question is not None and seat in self.question[:2]:
            self.question = None
        if self.claim is not None and seat == self.claim.by:
            self.claim = None
        if self.claim is not None:
            self._waits(tuple(one for one in self.claim.waits if one != seat))
        if self.turn == seat and self.others(seat):
            self.pass_to(self.others(seat)[0])

    def _waits(self, waits: tuple[Seat, ...]) -> None:
        """So many have yet to agree; if nobody has, the game is over."""
        assert self.claim is not None
        by, winners, points, _ = self.claim
        self.claim = Claim(by, winners, points, waits)
        if not waits:
            self.outcome = Outcome(winners, "as all agreed", points)

    def say_end(self, seat: Seat, winners: tuple[Seat, ...], points: tuple[int, ...]) -> None:
        """A player says how it ended; the others are asked."""
        self.claim = Claim(seat, winners, points, tuple(self.others(seat)))
        said = acts.claim_words(self.setup, winners, points)
        self.note("says end", self.setup.seats[seat], said)

    def agree(self, seat: Seat, agrees: bool) -> None:
        """A player agrees to how it ended, or does not, and the game goes on."""
        assert self.claim is not None
        self.note("agrees" if agrees else "disagrees", self.setup.seats[seat])
        if agrees:
            self._waits(tuple(one for one in self.claim.waits if one != seat))
        else:
            self.claim = None

    def answer(self, text: str) -> None:
        """The question is answered, or declined without a text, and the turn goes on."""
        assert self.question is not None
        seat = self.setup.seats[self.question.asked]
        self.note(*(("answers", seat, text) if text else ("declines", seat)))
        self.question = None

    # What is refused

    def why_not(self, seat: Seat, option: Option) -> str:
        """Why this act cannot be taken now; empty if it can."""
        verb = option[0]
        if self.claim is not None:
            return "" if verb in ("agree", "disagree") else "first agree or disagree how it ended"
        if verb in ("agree", "disagree"):
            return "nobody has said that the game is over"
        if self.question is not None and verb in ("turn", "ask", "end"):
            return "you were asked: answer or decline first"
        if self.question is None and verb in ("answer", "decline"):
            return "nobody has asked you anything"
        match option:
            case ("roll", thrown, name, then):
                return self._why_not_rolled(seat, thrown, name, then)
            case ("count", counter, owner, by):
                return self._why_not_counted(counter, owner, self.values[counter, owner] + by)
            case ("set", counter, owner, to):
                return self._why_not_counted(counter, owner, to)
            case ("draw", deck, number, then):
                reason = card_acts.why_not(self.cards, seat, option)
                return reason or self._why_not_then(seat, then, deck, number)
            case ("turn", other):
                return self._why_not_to(seat, other) or self.cards.why_not_ended(seat)
            case ("ask", other, _):
                return self._why_not_to(seat, other)
            case ("end", winners, _):
                if any(not self.playing(winner) for winner in winners):
                    return "who has left does not win"
                if len(winners) == len(self.setup.seats):
                    return "where all win it is a draw"
        return card_acts.why_not(self.cards, seat, option)

    def _why_not_rolled(self, seat: Seat, thrown: Dice, name: str, then: Seat) -> str:
        named = self.setup.roll(name)
        if named is not None and named.dice not in (None, thrown):
            return f"{name} is always rolled with the dice that the setup names"
        return self._why_not_then(seat, then)

    def _why_not_then(self, seat: Seat, then: Seat, deck: int = NOBODY, drawn: int = 0) -> str:
        """Why the turn cannot go on to this player after dice, or so many cards of a deck."""
        if then == NOBODY:
            return ""
        if self.question:
            return "you were asked: answer or decline first"
        return self._why_not_to(seat, then) or self.cards.why_not_ended(seat, deck, drawn)

    def _why_not_counted(self, counter: int, owner: Seat, value: int) -> str:
        one = self.setup.counters[counter]
        name = acts.counter_words(self.setup, counter, owner)
        if value == self.values[counter, owner]:
            return f"{name} is {value} already"
        if not one.least <= value <= one.most:
            return f"{name} goes from {one.least} to {one.most}, and {value} is beyond"
        return ""

    def _why_not_to(self, seat: Seat, other: Seat) -> str:
        if other == seat:
            return "that is you"
        return "" if self.playing(other) else f"{self.setup.seats[other]} has left the game"
