"""Decks of one player, face down in the file, and every card that becomes public (docs/format.md,
section 7).

A deck is sealed by one commitment a card, in an order only its owner knows. A card is opened by its
owner against the seal that they gave before anybody could know the draw; one of the common deck by
the shares of all (section 13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine.cards import Deck, deck_of, handles_of, number_of, write_handle
from engine.flow import Card, Handle, Seal, Seat
from engine.rules import Game, Rules
from pbem import FORMAT
from pbem.crypto.randomness import Stream, from_root
from pbem.errors import Forged, RulesBroken, failing_as
from pbem.fileformat.encoding import tagged_hash
from pbem.ledger.file_entry import EntrySource, NotInEntry
from pbem.ledger.order_book import OrderBook
from pbem.ledger.whose_turn import Randomness, WhoseTurn


class SealedPile(NamedTuple):
    """One sealing of a deck as everybody sees it: the backs, what they were made from, the
    commitments, and the entry that published them. `generation` counts the shuffles of the deck
    from 1."""

    deck: Deck
    generation: int
    handles: tuple[Handle, ...]
    sources: tuple[Handle, ...]
    commitments: tuple[bytes, ...]
    entry: int

    def is_for(self, seal: Seal) -> bool:
        """Whether this is the sealing that the rules ask for."""
        return self.handles == seal.handles and self.sources == seal.sources

    def commitment(self, handle: Handle) -> bytes:
        return self.commitments[handle - self.handles[0]]


@dataclass(frozen=True, slots=True, repr=False)
class OpenPile:
    """A sealing as its owner sees it: the card and the salt behind each back."""

    cards: tuple[Card, ...]
    salts: tuple[bytes, ...]
    commitments: tuple[bytes, ...]


def commitment(
    game_id: bytes, deck: Deck, generation: int, handle: Handle, card: str, salt: bytes
) -> bytes:
    """The 32 bytes that stand for a card until it is opened."""
    number = str(number_of(handle)).encode()
    parts = (deck.letter.encode(), str(generation).encode(), number, card.encode(), salt)
    return tagged_hash(f"{FORMAT} seal", game_id, *parts)


def seal_pile(
    root: bytes,
    game_id: bytes,
    deck: Deck,
    generation: int,
    handles: Sequence[Handle],
    cards: Sequence[Card],
    entry: int,
    names: Sequence[str],
) -> OpenPile:
    """Shuffle these cards by the owner's root and seal them in that order, one behind each back.

    Everything depends on the root, the deck, its generation and the entry that publishes the seals,
    so that no salt serves twice.
    """
    context = (deck.letter, str(generation), str(entry))
    shuffled = Stream(from_root(root, "order", *context), game_id).pick(cards, len(cards))
    salts = tuple(from_root(root, "salt", *context, str(number_of(handle))) for handle in handles)
    seals = tuple(
        commitment(game_id, deck, generation, handle, names[card], salt)
        for handle, card, salt in zip(handles, shuffled, salts, strict=True)
    )
    return OpenPile(shuffled, salts, seals)


def may_still_be(
    pile: SealedPile, card: Card, faces: Mapping[Handle, Card], old_backs: Set[Handle]
) -> bool:
    """Whether one more card of this pile can be `card`, as far as what is face up tells.

    A deck holds each card a known number of times, counted without the backs that were shuffled
    into a later pile (`old_backs`). A pile made anew holds the cards of its sources: those that are
    face up are known, any other may be anything.
    """
    deck = deck_of(pile.handles[0])
    seen = sum(
        1
        for back, face in faces.items()
        if face == card and deck_of(back) == deck and back not in old_backs
    )
    if seen >= pile.deck.contents.count(card):
        return False
    possible = sum(1 for back in pile.sources if faces.get(back, card) == card)
    return not pile.sources or sum(1 for back in pile.handles if faces.get(back) == card) < possible


def first_seals(decks: tuple[Deck, ...], seat: Seat) -> list[Seal]:
    """The piles that a seat seals in its first entry: every deck of its own, whole."""
    own = [number for number, deck in enumerate(decks) if deck.owner == seat]
    return [Seal(number, handles_of(number, 1, len(decks[number].contents))) for number in own]


def open_piles(
    piles: list[SealedPile],
    decks: tuple[Deck, ...],
    seat: Seat,
    root: bytes,
    game_id: bytes,
    names: tuple[str, ...],
) -> list[tuple[SealedPile, OpenPile]]:
    """Every pile that a seat sealed, beside what its root makes of it."""
    faces: dict[Handle, Card] = {}
    opened: list[tuple[SealedPile, OpenPile]] = []
    for pile in piles:
        deck = decks[deck_of(pile.handles[0])]
        if deck.owner != seat:
            continue
        cards = [faces[handle] for handle in pile.sources] if pile.sources else list(deck.contents)
        ours = seal_pile(
            root, game_id, deck, pile.generation, pile.handles, cards, pile.entry, names
        )
        faces.update(zip(pile.handles, ours.cards, strict=True))
        opened.append((pile, ours))
    return opened


class OwnDecks:
    """The own decks of one game: the piles that the rules use, and those that were sealed ahead."""

    def __init__(self, game_id: bytes, decks: tuple[Deck, ...], names: Sequence[str]) -> None:
        self._game_id = game_id
        self._decks = decks
        self._names = names
        self.piles: list[SealedPile] = []
        self.early_piles: dict[int, SealedPile] = {}
        """Seals that wait until the rules ask for them, by deck."""
        self._old_backs: set[Handle] = set()

    def offer(self, pile: SealedPile) -> None:
        """Keep seals until the rules ask for them."""
        self.early_piles[deck_of(pile.handles[0])] = pile

    def is_sealed_early(self, seal: Seal) -> bool:
        """Whether this very pile was sealed ahead."""
        return (pile := self.early_piles.get(seal.deck)) is not None and pile.is_for(seal)

    def use_early(self, seal: Seal) -> bool:
        """Use the pile if it was sealed ahead; seals for another one are void now."""
        pile = self.early_piles.pop(seal.deck, None)
        if pile is None or not pile.is_for(seal):
            return False
        self.use(pile)
        return True

    def use(self, pile: SealedPile) -> None:
        """The rules use this pile from here on."""
        self.piles.append(pile)
        self._old_backs.update(pile.sources)

    def generation(self, deck: int) -> int:
        """The number of the next shuffle of this deck, from 1."""
        return 1 + sum(1 for pile in self.piles if deck_of(pile.handles[0]) == deck)

    def check(self, handle: Handle, card: Card, salt: bytes, seen: Mapping[Handle, Card]) -> None:
        """One back turned face up beside those that were `seen`. Raises `Forged` if it was sealed
        as another card, `RulesBroken` if the deck cannot hold it as well."""
        pile = next(pile for pile in self.piles if handle in pile.handles)
        name, back = self._names[card], write_handle(self._decks, handle)
        sealed = commitment(self._game_id, pile.deck, pile.generation, handle, name, salt)
        if sealed != pile.commitment(handle):
            raise Forged(f"{back} was not sealed as {name}")
        faces = {back: face for back, face in seen.items() if back != handle}
        if not may_still_be(pile, card, faces, self._old_backs):
            raise RulesBroken(f"{back} cannot be {name} as well: the deck was stacked")

    def new_pile(self, seal: Seal, commitments: tuple[bytes, ...], number: int) -> SealedPile:
        """The sealing that these commitments make. Raises `RulesBroken` if there is not one for
        each card."""
        if len(commitments) != len(seal.handles):
            raise RulesBroken(f"{len(commitments)} seals for a pile of {len(seal.handles)} cards")
        deck = self._decks[seal.deck]
        return SealedPile(
            deck, self.generation(seal.deck), seal.handles, seal.sources, commitments, number
        )


if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


class GameParts(NamedTuple):
    """The parts of a game in progress that say what a card is and who opens it."""

    rules: Rules
    decks: tuple[Deck, ...]
    game: Game
    turn: WhoseTurn
    randomness: Randomness
    book: OrderBook
    own_decks: OwnDecks
    common: CommonDeck | None


class OpenedCards:
    """The cards of a game in progress that everybody knows. `count` are those that were opened,
    `revealed` those of own decks that follow from their owner's root."""

    def __init__(self, table: GameParts) -> None:
        self.count = 0
        self.revealed: dict[Handle, Card] = {}
        self._table = table

    def faces(self) -> dict[Handle, Card]:
        """Every card that everybody can read: opened, or with all shares there, as in the hand of a
        seat that left."""
        game, common = self._table.game, self._table.common
        faces = dict(game.faces())
        for handle in (
            handle for seat in self._table.randomness.left for handle in game.hand(seat)
        ):
            if common is not None and (card := common.readable(handle)) is not None:
                faces[handle] = card
        return faces

    def learn(self, faces: Mapping[Handle, Card]) -> None:
        """The cards of own decks that a root has revealed."""
        self.revealed.update(faces)

    @failing_as("seal")
    def open_promised(self, source: EntrySource) -> list[tuple[Handle, Card]]:
        """The first thing an entry does: open the cards that its seat's orders have played since;
        they are returned. Raises `Forged` or `RulesBroken`."""
        table, opened = self._table, []
        for handle in [
            handle for handle in table.book.promises if table.turn.owner(handle) == source.seat
        ]:
            opening, card = source.opening(handle), table.book.promises.pop(handle)
            back = write_handle(table.decks, handle)
            if opening is None:
                raise RulesBroken(f"{back}, which an order has played, is not opened")
            if self._check_opening(handle, opening) != card:
                raise RulesBroken(
                    f"{back} is not the {table.rules.cards[card]} that an order has played"
                )
            opened.append((handle, card))
        return opened

    @failing_as("seal")
    def open(self, handle: Handle, source: EntrySource) -> tuple[Card, bool]:
        """The card that the rules open now, and whether that opens it for the first time: an order
        that has played it told it before. Raises `NotInEntry` where the entry does not hold it,
        `Forged` or `RulesBroken`."""
        turn, promises = self._table.turn, self._table.book.promises
        if turn.is_played_out() or turn.owner(handle) in self._table.randomness.left:
            return self._compute(handle), True
        is_own = turn.owner(handle) == source.seat
        if not is_own and handle in promises:
            return promises[handle], False
        if not is_own or turn.seats_owing_shares() or (opening := source.opening(handle)) is None:
            raise NotInEntry
        promises.pop(handle, None)
        return self._check_opening(handle, opening), True

    def _compute(self, handle: Handle) -> Card:
        """A card that no entry opens: everybody computes it from roots and from keys of seats that
        left."""
        common = self._table.common
        is_common = common is not None and common.has(handle)
        card = common.readable(handle) if is_common and common else self.revealed.get(handle)
        if card is None:
            raise NotInEntry
        self.count += 1
        return card

    def _check_opening(self, handle: Handle, opening: tuple[Card, bytes]) -> Card:
        (card, salt), common = opening, self._table.common
        if common is not None and common.has(handle):
            with failing_as("share"):
                common.open(handle, self._table.rules.cards[card], salt)
        else:
            self._table.own_decks.check(handle, card, salt, self._table.game.faces())
        self.count += 1
        return card
