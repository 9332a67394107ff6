"""What the referee asks of an entry (`EntrySource`), and the entry of a file that answers
(`FileEntry`); `pbem.turn.draft_entry` answers for an entry that is being written.

Each part of an entry is used exactly where it is owed, and nothing may be left over.

docs/format.md, section 4."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from engine.cards import Deck, read_handle, write_handle
from engine.flow import Answer, Ask, Card, Handle, Illegal, Option, Refusal, Seal, Seat
from engine.options import Notation
from engine.orders import Order
from engine.rules import Game, Rules, words_of
from pbem.errors import Malformed, RulesBroken, failing_as
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import Entry, blob
from pbem.ledger.common_deck_fields import CommonDeckFields
from pbem.ledger.sealed_choices import (
    Commitment,
    OpenedChoice,
    SealedChoice,
    commitments,
    read_choice_opening,
)

if TYPE_CHECKING:
    from pbem.ledger.common_deck import EntryPart  # only a game with a common deck needs it


class NotInEntry(Exception):
    """Not an error: the rules wait for something that the present entry does not hold."""


class NoEntry:
    """No entry: what the rules can go on with is what everybody computes (docs/format.md, section
    8)."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.seat = -1
        self.draw = ""
        self.resigns = False

    @property
    def common(self) -> EntryPart:
        raise AssertionError("nobody shuffles or gives shares here")

    def proof(self, alpha: bytes) -> bytes | None:
        return None

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None:
        return None

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:
        return None

    def answer(self, position: Game, ask: Ask) -> Answer | None:
        return None

    def choice(self, position: Game, ask: Ask) -> Commitment | None:
        return None

    def choice_opening(self, choice: SealedChoice) -> OpenedChoice | None:
        return None

    def orders(self) -> list[Order]:
        return []

    def root(self) -> bytes | None:
        return None


class EntrySource(Protocol):
    """What one entry holds, asked for piece by piece; None where it holds no such thing. `draw` is
    what it says of a draw ("offer", "accept", "decline" or nothing), `resigns` whether its seat
    resigns. An answer is asked for at a `position` of the game."""

    number: int
    seat: Seat
    draw: str
    resigns: bool

    @property
    def common(self) -> EntryPart: ...

    def proof(self, alpha: bytes) -> bytes | None: ...

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None: ...

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None: ...

    def answer(self, position: Game, ask: Ask) -> Answer | None: ...

    def choice(self, position: Game, ask: Ask) -> Commitment | None: ...

    def choice_opening(self, choice: SealedChoice) -> OpenedChoice | None: ...

    def orders(self) -> list[Order]: ...

    def root(self) -> bytes | None: ...


_LAST_WORD = re.compile(r"(.*) ([a-z][1-9][0-9]{0,2})\Z")


def write_opening(
    decks: Sequence[Deck], names: Sequence[str], handle: Handle, card: Card, salt: bytes
) -> str:
    """`a14 <salt> CARD`"""
    return f"{write_handle(decks, handle)} {b64(salt)} {names[card]}"


def read_opening(
    decks: Sequence[Deck], names: Sequence[str], text: str, where: str
) -> tuple[Handle, Card, bytes]:
    """The opposite of `write_opening`. Raises `Malformed`."""
    parts = text.split(" ", 2)
    handle = read_handle(decks, parts[0])
    if len(parts) != 3 or handle is None or parts[2] not in names:
        raise Malformed(f'"{text}" opens no card of this game', where=where)
    return handle, names.index(parts[2]), blob(parts[1], 32, where, parts[0])


def write_answer(decks: Sequence[Deck], words: str, handle: Handle | None) -> str:
    """The answer as a file holds it, by the words of its option: a hidden card by its handle, a
    card that has to be opened by both."""
    if handle is None:
        return words
    back = write_handle(decks, handle)
    return words.replace("{}", back) if "{}" in words else f"{words} {back}"


def read_answer(
    words: Callable[[Option], str],
    decks: Sequence[Deck],
    ask: Ask,
    text: str,
    face: Mapping[Handle, Card],
) -> Answer | None:
    """The opposite of `write_answer` among what is legal, or None. `words` are those of an option
    in this position, `face` the cards known to everybody and those that this entry opens."""
    if match := _LAST_WORD.match(text):
        handle = read_handle(decks, match[2])
        if handle is not None and handle in ask.hand:
            options: tuple[Option, ...] = ask.spend
            if handle in face:
                options += ask.allows(face[handle])
            return next(
                (
                    Answer(option, handle)
                    for option in options
                    if write_answer(decks, words(option), handle) == text
                ),
                None,
            )
    if isinstance(ask.options, Notation):
        written = ask.options.spelled(text)
        return None if written is None else Answer(written)
    return next(
        (Answer(option) for option in chain(ask.options, ask.mends) if words(option) == text),
        None,
    )


def write_order(decks: Sequence[Deck], order: Order) -> str:
    """The order as a file holds it: the card it would play by its handle."""
    return (
        order.words
        if order.handle is None
        else order.words.replace("{}", write_handle(decks, order.handle))
    )


def read_order(rules: Rules, decks: Sequence[Deck], seat: Seat, text: str, where: str) -> Order:
    """The opposite of `write_order`. Raises `Malformed`."""

    def handle_of(_card: Card) -> Handle:
        found = [
            handle for word in text.split() if (handle := read_handle(decks, word)) is not None
        ]
        if len(found) != 1:
            raise Illegal("an order that plays a card names one handle")
        return found[0]

    try:
        order = rules.read_order(seat, text, handle_of)
    except Refusal as error:
        raise Malformed(f'"{text}" is no standing order: {error}', where=where) from error
    if write_order(decks, order) != text:
        raise Malformed(f'"{text}" is not how this order is written', where=where)
    return order


class FileEntry:
    """What one entry of a file holds."""

    def __init__(self, entry: Entry, seat: Seat, rules: Rules, decks: Sequence[Deck]) -> None:
        self.number = entry.number
        self.seat = seat
        self.where = entry.where
        self.common = CommonDeckFields(entry, self.where)
        self._rules = rules
        self._decks = decks
        self._proof = entry.blob("proof", 80) if "proof" in entry.fields else None
        self._answers = entry.list("answers")
        self._openings = [
            read_opening(decks, rules.cards, text, self.where) for text in entry.list("openings")
        ]
        self._choice_openings = [
            read_choice_opening(text, self.where) for text in entry.list("chosen")
        ]
        self._seals = entry.list("seals")
        self._choices = commitments(entry)
        self._orders = entry.list("orders")
        self.draw = entry.text("draw")
        if entry.text("resign") not in ("", "yes"):
            raise Malformed("a resignation is written yes", where=self.where)
        self.resigns = entry.text("resign") == "yes"
        self._root = entry.blob("root", 32) if "root" in entry.fields else None
        self._answers_read = 0
        self._openings_read = 0

    def proof(self, alpha: bytes) -> bytes | None:
        """The VRF proof over `alpha`."""
        proof, self._proof = self._proof, None
        return proof

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None:
        """The next opening, which must be of this card."""
        if self._openings_read == len(self._openings):
            return None
        found, card, salt = self._openings[self._openings_read]
        if found != handle:
            wanted, other = (write_handle(self._decks, back) for back in (handle, found))
            raise RulesBroken(f"opens {other} where {wanted} is to be opened")
        self._openings_read += 1
        return card, salt

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:
        """The next seals, one for each card of the pile."""
        if not self._seals:
            return None
        taken, self._seals = self._seals[: len(seal.handles)], self._seals[len(seal.handles) :]
        return tuple(
            read_seal(text, write_handle(self._decks, handle), self.where)
            for text, handle in zip(taken, seal.handles, strict=False)
        )

    def answer(self, position: Game, ask: Ask) -> Answer | None:
        """The next answer, which must be legal as far as public facts and the entry's own openings
        tell."""
        if self._answers_read == len(self._answers):
            return None
        text = self._answers[self._answers_read]
        face = dict(position.faces())
        face.update((handle, card) for handle, card, _ in self._openings[self._openings_read :])
        words = partial(words_of, self._rules, position)
        answer = read_answer(words, self._decks, ask, text, face)
        if answer is None:
            raise Illegal(f'"{text}" (answer {self._answers_read + 1}) is not legal there')
        self._answers_read += 1
        return answer

    def choice(self, position: Game, ask: Ask) -> Commitment | None:
        """The next choice that is sealed."""
        return self._choices.pop(0) if self._choices else None

    def choice_opening(self, choice: SealedChoice) -> OpenedChoice | None:
        """The next choice that is opened."""
        return self._choice_openings.pop(0) if self._choice_openings else None

    def orders(self) -> list[Order]:
        """The standing orders, once; each in its canonical words."""
        taken, self._orders = self._orders, []
        with failing_as("rules", wholly=True):
            return [
                read_order(self._rules, self._decks, self.seat, text, self.where) for text in taken
            ]

    def root(self) -> bytes | None:
        """The seat's root."""
        root, self._root = self._root, None
        return root

    def check_all_used(self) -> None:
        """Raise `RulesBroken` if the entry holds something that was not owed."""
        if self._proof is not None:
            raise RulesBroken("a proof that is not owed", where=self.where, layer="proof")
        if self._openings_read < len(self._openings):
            back = write_handle(self._decks, self._openings[self._openings_read][0])
            raise RulesBroken(
                f"an opening of {back} that is not owed", where=self.where, layer="seal"
            )
        if self._choice_openings:
            raise RulesBroken("opens a choice that is not owed", where=self.where, layer="seal")
        if self._answers_read < len(self._answers):
            text = self._answers[self._answers_read]
            raise RulesBroken(
                f'the answer "{text}" to nothing that was asked', where=self.where, layer="rules"
            )
        if self._orders:
            raise RulesBroken("orders that nothing asks for", where=self.where, layer="rules")
        if self._seals:
            raise RulesBroken("seals that nothing asks for", where=self.where, layer="seal")
        if self._choices:
            raise RulesBroken(
                "a sealed choice that nothing asks for", where=self.where, layer="seal"
            )
        if self._root is not None:
            what = "a root is revealed when the game is over, and then always"
            raise RulesBroken(what, where=self.where, layer="root")
        self.common.check_all_used()


def write_seal(back: str, commitment: bytes) -> str:
    """`a14 <commitment>`"""
    return f"{back} {b64(commitment)}"


def read_seal(text: str, back: str, where: str) -> bytes:
    """The opposite of `write_seal`. Raises `Malformed`."""
    found, _, rest = text.partition(" ")
    if found != back:
        raise Malformed(f'"{found[:20]}" is sealed where {back} belongs', where=where)
    return blob(rest, 32, where, f"the seal of {back}")
