"""A game in progress: the script of `engine.paradise.sequence`, and reports that are taken back.

A slip at the table is taken back with `undo`: the last report is dropped and the script runs again from the start with
the reports that are left. Dice that were thrown and chits that were drawn are kept in their order and used first, so
that nothing is thrown again; new ones come under the corrected report (paradise ruling 20).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.cards import number_of
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Pick, Request, Roll, Seat
from engine.options import Chain
from engine.paradise.data import Data
from engine.paradise.notation import words
from engine.paradise.options import FACES
from engine.paradise.position import HANDLES, Realm
from engine.paradise.sequence import whole_game
from engine.paradise.tables import MOST_UNDOS, NEWEST, TONGA, UNDO
from engine.rules import Game, Settings, is_on

_UNDOING: Final = (UNDO,)
BY_HAND: Final = ("die", "chit")
"""Reports of a die or a chit of the player's own."""


class Reported(NamedTuple):
    """A report, how many dice and chits had been used when it was given, and how the position tells it."""

    option: Option
    dice: int
    chits: int
    told: str


class Paradise(Game):
    """The public position: all of it, for nothing is hidden from anybody."""

    def __init__(self, data: Data, settings: Settings, version: int = NEWEST) -> None:
        self.version = version
        self.data = data
        self.settings = settings
        self.own_dice = is_on(settings, "own-dice")
        self.realm = Realm(data, settings, version)
        self.said: list[Reported] = []
        self.dice: list[int] = []
        self.chits: list[Handle] = []
        """Every die thrown and every chit drawn, in order; the first `dice_used` and `chits_used` count so far."""
        self.dice_used = 0
        self.chits_used = 0
        self.undos = 0
        self.undos_after_chance = 0
        """Reports that were taken back, and those of them under which dice or chits had come."""
        self._at = 0
        self._telling = True

    # ---- the script and what is taken back

    def flow(self) -> Flow[Outcome]:
        """The script, from the start again after each undo."""
        while True:
            outcome = yield from self._run()
            if outcome is not None:
                return outcome

    def _run(self) -> Flow[Outcome | None]:
        """The script once; None if a report was taken back."""
        realm = self.realm = Realm(self.data, self.settings, self.version)
        script = whole_game(realm)
        self.dice_used = self.chits_used = self._at = 0
        value: Any = None
        try:
            while True:
                realm.story = self.story if self._telling else None
                request: Request = script.send(value)
                realm.story = self.story if self._telling else None
                if isinstance(request, Ask):
                    option = yield from self._answered(request)
                    value = None if option == UNDO else Answer(option)
                elif self.own_dice:
                    value = yield from self._by_hand(request)
                elif isinstance(request, Roll):
                    value = yield from self._thrown(request)
                else:
                    assert isinstance(request, Pick)
                    value = yield from self._drawn(request)
                if value is None:
                    return None
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    def _answered(self, ask: Ask) -> Flow[Option]:
        """The answer to a question: the one that was given before the script began again, or a new one."""
        self._at += 1
        if self._at <= len(self.said):
            return self.said[self._at - 1].option
        self._telling = True
        option: Option = yield from self._fresh(ask)
        return option

    def _fresh(self, ask: Ask) -> Flow[Option]:
        """A question that nobody has answered yet. An undo takes the last report back at once."""
        may_undo = bool(self.said) and self.undos < MOST_UNDOS
        answer: Answer = yield ask._replace(options=Chain(ask.options, _UNDOING)) if may_undo else ask
        if answer.option != UNDO:
            told = f"{' '.join(map(str, answer.option))}@{self.dice_used},{self.chits_used}"
            self.said.append(Reported(answer.option, self.dice_used, self.chits_used, told))
            return answer.option
        taken = self.said.pop()
        chanced = self.dice_used > taken.dice or self.chits_used > taken.chits or taken.option[0] in BY_HAND
        self.undos += 1
        self.undos_after_chance += chanced
        if self.story is not None:
            self.story.append(("undone", words(self.data, taken.option), chanced))
        self._telling = False
        return UNDO

    # ---- dice and chits: those that are kept first

    def _thrown(self, roll: Roll) -> Flow[tuple[int, ...]]:
        start, end = self.dice_used, self.dice_used + roll.number
        kept = self.dice[start:end]
        if kept and self._telling:
            self.realm.note("kept", roll.why, tuple(kept))
        if len(kept) < roll.number:
            fresh: tuple[int, ...] = yield roll._replace(number=roll.number - len(kept))
            self.dice += fresh
        self.dice_used = end
        return tuple(self.dice[start:end])

    def _drawn(self, pick: Pick) -> Flow[tuple[Handle, ...]]:
        """The cup holds the same chits at the nth draw whatever was reported, so a kept one is always in it."""
        if self.chits_used == len(self.chits):
            fresh: tuple[Handle, ...] = yield pick
            self.chits += fresh
        handle = self.chits[self.chits_used]
        assert handle in pick.handles
        self.chits_used += 1
        return (handle,)

    def _by_hand(self, request: Request) -> Flow[tuple[int, ...] | None]:
        """Dice that the player throws and chits that they draw at the table: entered, and taken back like any report
        (paradise ruling 26). None if something was taken back."""
        if isinstance(request, Pick):
            sides = {self.data.chits[number_of(chit) - 1]: chit for chit in reversed(request.handles)}
            chits = sorted(sides.values())  # equal ones once, as nobody can tell them apart
            option = yield from self._answered(Ask(TONGA, "chit", tuple(("chit", chit) for chit in chits)))
            return None if option == UNDO else (option[1],)
        assert isinstance(request, Roll)
        dice: list[int] = []
        for number in range(1, request.number + 1):
            which = f", die {number} of {request.number}" if request.number > 1 else ""
            self.realm.about = (f"{request.why}{which}",)
            option = yield from self._answered(Ask(TONGA, "die", FACES))
            if option == UNDO:
                return None
            dice.append(option[1])
        return tuple(dice)

    # ---- what every game offers

    def position(self) -> str:
        """Samoa's realm; and every report, die and chit, on which the game goes on after an undo."""
        reports = ";".join([one.told for one in self.said])
        chance = f"{_row(self.dice)} of {self.dice_used} chits {_row(self.chits)} of {self.chits_used}"
        undone = f"undos {self.undos} {self.undos_after_chance}"
        return f"{self.realm.position()} | {undone} | dice {chance} | said {reports}"

    def when(self) -> str:
        return f"turn {self.realm.turn}" if self.realm.turn else "set-up"

    def period(self) -> int:
        return self.realm.turn

    def may_pause(self) -> bool:
        """With dice of the player's own nothing else ever ends an entry (paradise ruling 26); a fact that was stated
        anew can have an entry of its own (paradise ruling 27)."""
        return self.own_dice or (self.version > 2 and self.realm.has_corrected)

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return ()

    def faces(self) -> Mapping[Handle, Card]:
        return FACES_OF_CHITS


def _row(numbers: list[int]) -> str:
    return ",".join(map(str, numbers)) or "-"


FACES_OF_CHITS: Mapping[Handle, Card] = {handle: number for number, handle in enumerate(HANDLES)}
