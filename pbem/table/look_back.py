"""The game entry by entry: the board after each of them, what it brought, and how each die and card
is proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.errors import Usage
from pbem.home import known_names
from pbem.ledger.ledger import Ledger
from pbem.replay.film import FilmStep
from pbem.report import verdict_card
from pbem.report.dice_count import RollFacts
from pbem.report.facts import report
from pbem.report.lines import GameData
from pbem.report.model import EntryFacts, Report, names_of
from pbem.table import drawing
from pbem.table.board_picture import until
from pbem.table.film import watch
from pbem.table.open_games import OpenGame
from pbem.table.proofs import CardProof, Proofs
from pbem.turn.open_game import HomeFile
from pbem.turn.own_report import own_faces, with_files


@dataclass(frozen=True)
class EntryPage:
    """One entry of a game, looked back at: the `report` is of the position after it, and of whom
    the game waited for then. `brought` is the entry. `rolls` are those whose dice came with it;
    `cards_proven` are the cards that it drew or opened; each has its proof. `verdict` has the rows
    of the card about the whole file, and `known` what this home knows of the players' keys, by
    seat."""

    report: Report
    name: str
    number: int
    last: int
    brought: EntryFacts
    drawn: drawing.PageBoard
    rolls: Sequence[RollFacts]
    cards_proven: Sequence[CardProof]
    verdict: Sequence[tuple[str, str]]
    known: Sequence[tuple[str, str]]


class Story:
    """A whole game as its player saw it, with its film and its proofs. It is made once for each
    file. `own` is the folder of the player's own templates."""

    def __init__(self, game: OpenGame, own: Path) -> None:
        opened = game.opened
        self.data, self._opened = game.data, opened
        self._when: list[str | None] = []
        self._proofs: Proofs
        self.watched = watch(game, own, each=self._note)
        ledger = self.watched.ledger
        self._at = {step.entry: number for number, (step, _) in enumerate(self.watched.steps)}
        self._faces = own_faces(opened)
        self._card = verdict_card.card(ledger, game.data)
        self._keys = None
        if isinstance(opened, HomeFile):
            self._keys = known_names.keys_of(opened.identity, opened.compared)
        self._report = report(opened.ledger, opened.seat, self._faces, len(opened.file.entries) - 1)

    def _note(self, ledger: Ledger) -> None:
        if len(ledger.entries) == 1:
            self._proofs = Proofs(ledger)
        self._proofs.watch()
        is_played = ledger.playing is not None
        self._when.append(ledger.begun().referee.game.when() if is_played else None)

    def _last_step(self, number: int) -> FilmStep | None:
        """The last step of an entry."""
        return self.watched.steps[self._at[number]][0] if number in self._at else None

    def page(self, name: str, number: int, *, with_picture: bool) -> EntryPage:
        """The page of entry `number`. `with_picture`: the board is a picture as well, since the
        page may be read without scripts. Raises `Usage` if the file has no entry of that number."""
        last = len(self._when) - 1
        if not 0 <= number <= last:
            raise Usage(f"there is no such turn: the file has turns 0 to {last}")
        entry, before = self.watched.entries[number], self._last_step(number - 1)
        step = self._last_step(number)
        report = self._report_at(number, step)
        view = report.position.view
        return EntryPage(
            report=report,
            name=name,
            number=number,
            last=last,
            brought=with_files(self._opened, entry),
            drawn=drawing.draw(
                report.about.game,
                view,
                None if before is None else before.view,
                [line for line in entry.lines if isinstance(line, Mapping)],
                report.turn.asked,
                names_of(report.position.players),
                () if step is None else step.told,
                with_picture=with_picture,
                lies_on=until(self.watched.pictures, number),
            )
            if view
            else drawing.PageBoard(),
            rolls=self._proofs.rolls(number),
            cards_proven=self._proofs.cards(number, self._faces),
            verdict=verdict_card.rows(self._card),
            known=self._known(),
        )

    def _report_at(self, number: int, step: FilmStep | None) -> Report:
        """The report after an entry, of which this is the last step."""
        facts, is_last = self._report, number == len(self._when) - 1
        view: GameData = {} if step is None or step.view is None else step.view
        board = view.get("board", view)
        return replace(
            facts,
            position=replace(facts.position, when=self._when[number], view=view, board=board),
            turn=replace(facts.turn, asked=None if step is None else step.waiting),
            progress=facts.progress if is_last else replace(facts.progress, over=None),
        )

    def _known(self) -> list[tuple[str, str]]:
        keys, seats = self._keys, self._card.seats
        return (
            []
            if keys is None
            else [(one.seat, keys.of(one.fingerprint)) for one in seats if one.fingerprint]
        )
