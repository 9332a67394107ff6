"""The game entry by entry: the board after each of them, what it brought, and how each die and card
is proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.errors import Usage
from pbem.home import known_names
from pbem.ledger import gate
from pbem.ledger.gate import public_view
from pbem.ledger.ledger import Ledger
from pbem.report import picture, verdict_card
from pbem.report.dice_count import RollFacts
from pbem.report.facts import asked, report
from pbem.report.history import entries
from pbem.report.lines import GameData
from pbem.report.model import Ending, EntryFacts, PlayerFacts, Waiting, names_of
from pbem.table.open_games import OpenGame
from pbem.table.proofs import CardProof, Proofs
from pbem.turn.open_game import own_faces


@dataclass(frozen=True)
class EntryPage:
    """One entry of a game, looked back at. `rolls` are those whose dice came with it, `cards` those
    that it drew or opened, each with its proof. `verdict` has the rows of the card on the whole
    file, `known` what only this home knows of its keys, by seat."""

    name: str
    title: str
    game: str
    game_id: str
    measure: str
    when: str | None
    common_deck: bool
    has_cards: bool
    witnessed: bool
    seat: str | None
    players: Sequence[PlayerFacts]
    number: int
    last: int
    entry: EntryFacts
    view: GameData
    board: object
    drawing: str
    rolls: Sequence[RollFacts]
    cards: Sequence[CardProof]
    over: Ending | None
    verdict: Sequence[tuple[str, str]]
    known: Sequence[tuple[str, str]]


class Story:
    """The public positions of a game after each of its entries, and the rolls; made once for a
    file."""

    def __init__(self, game: OpenGame) -> None:
        opened = game.opened
        ledger = Ledger(opened.checks.verifier if opened.checks is not None else None)
        self.data = game.data
        self._views: list[GameData] = []
        self._when: list[str | None] = []
        self._asked: list[Waiting | None] = []
        self._proofs = Proofs(ledger)
        for entry in opened.file.entries:
            gate.admit(ledger, entry)
            self._proofs.watch()
            self._views.append(public_view(ledger.playing) if ledger.playing is not None else {})
            self._when.append(
                ledger.playing.referee.game.when() if ledger.playing is not None else None
            )
            self._asked.append(asked(ledger))
        self._faces = own_faces(opened)
        self._entries = entries(opened.ledger, 0, self._faces)
        self._card = verdict_card.card(ledger, game.data)
        own = opened.identity
        self._keys = None if own is None else known_names.keys_of(own, opened.compared)
        self._report = report(opened.ledger, opened.seat, self._faces, len(opened.file.entries) - 1)

    def page(self, name: str, number: int) -> EntryPage:
        """The page of entry `number`. Raises `Usage` if the file has none of that number."""
        last = len(self._views) - 1
        if not 0 <= number <= last:
            raise Usage(f"there is no such turn: the file has turns 0 to {last}")
        facts, view, entry = self._report, self._views[number], self._entries[number]
        before = self._views[number - 1] if number else None
        lines = [line for line in entry.lines if isinstance(line, Mapping)]
        names, waiting = names_of(facts.players), self._asked[number]
        drawing = (
            picture.svg(facts.game, view, before or None, lines, waiting=waiting, called=names)
            if view
            else None
        )
        return EntryPage(
            name=name,
            title=facts.title,
            game=facts.game,
            game_id=facts.game_id,
            measure=facts.measure,
            when=self._when[number],
            common_deck=facts.common_deck,
            has_cards=facts.has_cards,
            witnessed=facts.witnessed,
            seat=facts.seat,
            players=facts.players,
            number=number,
            last=last,
            entry=entry,
            view=view,
            board=view.get("board", view),
            drawing=drawing or "",
            rolls=self._proofs.rolls(number),
            cards=self._proofs.cards(number, self._faces),
            over=facts.over if number == last else None,
            verdict=verdict_card.rows(self._card),
            known=self._known(),
        )

    def _known(self) -> list[tuple[str, str]]:
        keys, seats = self._keys, self._card.seats
        return (
            []
            if keys is None
            else [(one.seat, keys.of(one.fingerprint)) for one in seats if one.fingerprint]
        )
