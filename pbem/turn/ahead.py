"""Answers to turns to come, prepared by playing them (`pbem.turn.prepared`): theirs, the player's
own, theirs again, on a copy of the game that nobody signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.flow import Refusal
from pbem.errors import Refused
from pbem.ledger.playing import close_entry
from pbem.turn import prepared, preparing
from pbem.turn.draft import Draft
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent, new_name
from pbem.turn.open_game import SeatedFile
from pbem.turn.prepared import Branch, Turn
from pbem.turn.questions import Point, check_answers, open_question, options, refused
from pbem.turn.signing import unsigned


class AheadDraft(Draft):
    """A branch in the making, one answer after the other as in a turn: `line` holds the answers of
    all its turns. It follows the game of an opened file or, with `own`, the player's turn in the
    making, which is complete. Nothing of it is signed or kept but by `keep`.

    Raises `Refused` where no answers can be prepared, or that turn is not complete."""

    is_ahead = True

    def __init__(self, opened: SeatedFile, own: Draft | None) -> None:
        preparing.check_may(opened)
        if own is not None and not own.point().may_sign:
            raise Refused("first comes your whole turn, then what you answer to theirs")
        self.opened, self.own = opened, own
        self.number = len(opened.file.entries) + (own is not None)
        self.warnings: list[str] = []
        self._heard = 0
        self._is_trial = True  # nothing of it is kept in the home before it is whole
        self._before = Intent() if own is None else own.line
        self._runs: dict[tuple[str, ...], tuple[Branch, Point]] = {}
        self._name = new_name()
        self._tried: dict[str, Intent] = {self._name: Intent()}

    def start(self) -> Point:
        return self._at(Intent())

    def may_keep(self) -> bool:
        """Whether the branch ends with an answer of the player's."""
        turns, point = self._run(self.line.answers)
        is_whole = sum(map(len, turns)) == len(point.line.answers)
        return bool(turns) and len(turns) % 2 == 0 and is_whole

    def is_theirs(self) -> bool:
        """Whether the other player's turn is being played."""
        return self.point().entry.seat != self.opened.seat

    def keep(self) -> Sequence[str]:
        """Prepare what was played; all that is prepared now, in words. Raises `Refused` for what
        does not end with an answer of the player's, or is too much."""
        if not self.may_keep():
            raise Refused("it ends with a turn of theirs: what do you answer?")
        branch = self._run(self.line.answers)[0]
        if self.own is not None:
            return self.own.prepare(prepared.in_words([branch])[0])
        prepared.leave(self.opened.memory, self.opened.file, [branch])
        return prepared.in_words(prepared.left_in(self.opened.memory, self.opened.file))

    def sign(self, *, resign: bool = False) -> bytes:
        raise Refused("this is not signed: it is played ahead")

    def _at(self, line: Intent) -> Point:
        point = self._run(line.answers)[1]
        self._runs[point.line.answers] = self._runs[line.answers]
        return point

    def _run(self, answers: tuple[str, ...]) -> tuple[Branch, Point]:
        """The whole turns among these answers, and where all of them lead. Raises `Refused` at one
        that is not taken."""
        if answers not in self._runs:
            try:
                self._runs[answers] = self._played(answers)
            except Refusal as error:
                raise refused(error) from error
        return self._runs[answers]

    def _played(self, answers: Sequence[str]) -> tuple[Branch, Point]:
        game = preparing.game_before(self._fresh(), self._before)
        turns: list[Turn] = []
        said: list[str] = []
        left = list(answers)
        entry: DraftEntry | None = None
        while (seat := game.to_act()) is not None and not game.is_over():
            entry = replace(self._fresh(), seat=seat).draft_on(game, left, ())
            said += entry.said
            if open_question(entry) is not None:
                break
            left = entry.remaining
            close_entry(entry.ledger.begun(), entry)
            turns.append(tuple(entry.said))
            game = unsigned(entry, self.opened.file.data, bytes(32))
        if entry is None or (left and open_question(entry) is None):
            raise Refused("the game is over by then")
        check_answers(entry)
        return tuple(turns), self._point(entry, tuple(said))

    @staticmethod
    def _point(entry: DraftEntry, said: tuple[str, ...]) -> Point:
        ask = open_question(entry)
        prompt = "" if ask is None else entry.ledger.begun().referee.game.prompt(ask)
        return Point(
            line=Intent(answers=said),
            entry=entry,
            question=prompt,
            choices=options(entry),
            may_sign=False,
            offer="",
        )
