"""How each die and each card of a game can be checked, entry by entry: what the look back tells of
a click on one.

Dice and draws follow from the proofs over E (docs/format.md, section 6), cards of own decks from
their seals (section 7), cards of the common deck from its shuffles and shares (section 13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cards import deck_of, number_of, write_handle
from engine.flow import Card, Handle, Roll, Seat
from pbem.ledger.events import ChanceUse
from pbem.ledger.file_entry import read_opening
from pbem.ledger.ledger import Ledger
from pbem.ledger.own_decks import SealedPile
from pbem.ledger.referee import Referee
from pbem.report.dice_count import ChanceFacts, GivenBy, RollFacts, chance_of, roll

if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


@dataclass(frozen=True)
class SealProof:
    """A card of an own deck. `sealed` is the entry with its seal and those of `count` cards in all,
    `seal` and `salt` are in hexadecimal (the salt once it is open), `by_root` the entry that
    revealed the owner's root."""

    sealed: int
    count: int
    generation: int
    seal: str
    salt: str
    chance: ChanceFacts | None
    by_root: int | None


@dataclass(frozen=True)
class ShareProof:
    """A card of the common deck. `place` counts from the top of `count` cards; `shares` are those
    of the other seats, `own` is that of who drew it, `missing` those that are not there yet,
    `readers` those who may see it besides. The seats in `known` gave none: their keys are public,
    so that everybody computes it. `pair` is the encrypted card, in hexadecimal."""

    place: int
    count: int
    shuffles: Sequence[GivenBy]
    shares: Sequence[GivenBy]
    own: GivenBy | None
    missing: Sequence[str]
    known: Sequence[str]
    readers: Sequence[str]
    pair: str


@dataclass(frozen=True)
class CardProof:
    """A card that an entry drew or opened. `name` is None where the viewer does not know it;
    `drawn` and `opened` are entries. One of `seal` and `shares` is there."""

    back: str
    name: str | None
    seat: str
    drawn: int | None
    opened: int | None
    seal: SealProof | None
    shares: ShareProof | None


class Proofs:
    """What proves the chance and the cards of a game. `watch` is called after each of its
    entries."""

    def __init__(self, game: Ledger) -> None:
        self._game = game
        self._drawn: dict[Handle, int] = {}
        self._opened: dict[Handle, int] = {}
        self._chance: dict[Handle, list[ChanceUse]] = {}
        self._rolls: dict[int, list[ChanceUse]] = {}
        self._given: dict[Handle, dict[Seat, int]] = {}
        self._told = 0

    def watch(self) -> None:
        """Note what the newest entry did."""
        if self._game.playing is None:
            return
        referee = self._game.playing.referee
        for number, _, facts in referee.record[self._told :]:
            if isinstance(facts, ChanceUse):
                self._note_chance(number, facts)
        for number, kind, facts in referee.record[self._told :]:
            if kind == "opened":
                self._opened[facts[0]] = number
        self._told = len(referee.record)
        newest = len(self._game.entries) - 1
        for handle, shares in referee.common.shares.items() if referee.common is not None else ():
            self._drawn.setdefault(handle, newest)
            given = self._given.setdefault(handle, {})
            given.update({seat: newest for seat in shares if seat not in given})

    def _note_chance(self, number: int, chanced: ChanceUse) -> None:
        if isinstance(chanced.request, Roll):
            self._rolls.setdefault(number, []).append(chanced)
            return
        for handle in chanced.result or ():
            self._drawn[handle] = number
            self._chance.setdefault(handle, []).append(chanced)

    def rolls(self, number: int) -> list[RollFacts]:
        """The rolls whose dice came with entry `number`."""
        return [roll(self._game.begun(), chanced) for chanced in self._rolls.get(number, ())]

    def cards(self, number: int, faces: Mapping[Handle, Card]) -> list[CardProof]:
        """The cards that entry `number` opened, then those that were drawn with it. `faces` are the
        cards that the viewer knows."""
        opened = [handle for handle, entry in self._opened.items() if entry == number]
        drawn = [
            handle
            for handle, entry in self._drawn.items()
            if entry == number and handle not in opened
        ]
        return [self._card(handle, faces) for handle in (*opened, *sorted(drawn))]

    def _card(self, handle: Handle, faces: Mapping[Handle, Card]) -> CardProof:
        game, referee = self._game, self._game.begun().referee
        common = (
            referee.common if referee.common is not None and referee.common.has(handle) else None
        )
        seat = (
            common.drawers[handle] if common is not None else referee.decks[deck_of(handle)].owner
        )
        assert seat is not None
        return CardProof(
            back=write_handle(game.decks, handle),
            name=game.rules.cards[faces[handle]] if handle in faces else None,
            seat=game.seats[seat],
            drawn=self._drawn.get(handle),
            opened=self._opened.get(handle),
            seal=self._seal(handle, seat, referee) if common is None else None,
            shares=self._shares(handle, seat, common) if common is not None else None,
        )

    # Own decks

    def _seal(self, handle: Handle, seat: Seat, referee: Referee) -> SealProof | None:
        piles = [pile for pile in referee.own_decks.piles if handle in pile.handles]
        if not piles:
            return None
        pile: SealedPile = piles[0]
        return SealProof(
            sealed=pile.entry,
            count=len(pile.handles),
            generation=pile.generation,
            seal=pile.commitment(handle).hex(),
            salt=self._salt(handle),
            chance=self._taken(handle),
            by_root=self._root_of(seat) if handle in referee.opened.revealed else None,
        )

    def _taken(self, handle: Handle) -> ChanceFacts | None:
        """The first draw of a card: later ones may have taken it from a hand."""
        first = next(iter(self._chance.get(handle, ())), None)
        return None if first is None else chance_of(self._game.begun(), first)

    def _salt(self, handle: Handle) -> str:
        """What opens the seal, from the entry that opened it; nothing if the root did or nobody
        has."""
        for entry in self._game.entries:
            for text in entry.list("openings"):
                found, _, salt = read_opening(self._game.decks, self._game.rules.cards, text, "")
                if found == handle:
                    return salt.hex()
        return ""

    def _root_of(self, seat: Seat) -> int | None:
        name = self._game.seats[seat]
        return next(
            (one.number for one in self._game.entries if one.seat == name and "root" in one.fields),
            None,
        )

    # The common deck

    def _shares(self, handle: Handle, drawer: Seat, common: CommonDeck) -> ShareProof:
        names, given = self._game.seats, self._given[handle]
        others = [seat for seat in range(len(names)) if seat != drawer]
        by_hand = {
            seat: GivenBy(names[seat], number)
            for seat, number in given.items()
            if self._is_given(seat, number)
        }
        return ShareProof(
            place=number_of(handle),
            count=len(common.pile),
            shuffles=[
                GivenBy(entry.seat, entry.number)
                for entry in self._game.entries
                if "pile" in entry.fields
            ],
            shares=[by_hand[seat] for seat in others if seat in by_hand],
            own=by_hand.get(drawer),
            missing=[names[seat] for seat in others if seat not in given],
            known=[names[seat] for seat in given if seat not in by_hand],
            readers=[names[seat] for seat in common.partners[drawer]],
            pair=b"".join(common.pair(handle)).hex(),
        )

    def _is_given(self, seat: Seat, number: int) -> bool:
        """Whether a seat gave its share with this entry; else everybody computes it from a key that
        is public."""
        entry = self._game.entries[number]
        return entry.seat == self._game.seats[seat] and "shares" in entry.fields
