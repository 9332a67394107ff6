"""The entry that a player is about to write. What is due in it is computed from their secrets; what
they choose is read from the words that they entered.

The draft answers the referee exactly as the finished entry will when others replay it
(`pbem.ledger.file_entry`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from engine.cards import write_handle
from engine.flow import Answer, Ask, Card, Handle, Illegal, NotUnderstood, Refusal, Seal, Seat
from engine.notation import say, sentences, understand_answer, with_card
from engine.options import LegalAnswers, Notation
from engine.orders import ALL, OTHERS, Order, short_topic, split_order
from engine.rules import Game, words_of
from engine.words import pick_sentence
from pbem.crypto import vrf
from pbem.crypto.randomness import SeatSecrets
from pbem.errors import Refused
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.file_entry import write_answer, write_opening, write_order, write_seal
from pbem.ledger.ledger import Ledger
from pbem.ledger.own_decks import OpenPile, first_seals, open_piles, seal_pile
from pbem.ledger.playing import Playing
from pbem.ledger.referee import Referee
from pbem.ledger.sealed_choices import Commitment, OpenedChoice, SealedChoice, write_choice_opening
from pbem.turn.extras import given_away, given_by_orders, left_open
from pbem.turn.own_cards import DraftPart, EqualCards
from pbem.turn.plans import PlanText


class Hand:
    """The cards and salts behind a player's own backs, as their root gives them."""

    def __init__(self, ledger: Ledger, seat: Seat, root: bytes) -> None:
        self._ledger = ledger
        self._seat = seat
        self._root = root
        self.faces: dict[Handle, Card] = {}
        self.salts: dict[Handle, bytes] = {}
        """What opens a card: its salt, or the own share for a card of the common deck."""
        self.warnings: list[str] = []
        if ledger.playing is not None:
            self._read(ledger.playing)

    def _read(self, game: Playing) -> None:
        """Read the own cards of a game that is played: those of the common deck by the shares that
        are there."""
        referee = game.referee
        if referee.common is not None:
            from pbem.turn.common_hand import read_cards  # only a game with a common deck needs it

            known = read_cards(referee.common, self._seat, self._root)
            self.faces.update(known.faces)
            self.salts.update(known.own)
            self.warnings = known.warnings
        piles = [*referee.own_decks.piles, *referee.own_decks.early_piles.values()]
        game_id = game.invitation.game_id
        for pile, opened in open_piles(
            piles, game.decks, self._seat, self._root, game_id, game.rules.cards
        ):
            self._learn(pile.handles, opened)

    def seal(self, seal: Seal, generation: int, entry: int) -> tuple[bytes, ...]:
        """Shuffle and seal a pile with entry number `entry`; the commitments."""
        ledger, deck = self._ledger, self._ledger.decks[seal.deck]
        cards = (
            [self.faces[handle] for handle in seal.sources] if seal.sources else list(deck.contents)
        )
        opened = seal_pile(
            self._root,
            ledger.game_id,
            deck,
            generation,
            seal.handles,
            cards,
            entry,
            ledger.rules.cards,
        )
        self._learn(seal.handles, opened)
        return opened.commitments

    def _learn(self, handles: Sequence[Handle], opened: OpenPile) -> None:
        self.faces.update(zip(handles, opened.cards, strict=True))
        self.salts.update(zip(handles, opened.salts, strict=True))


class PublicOrder(NamedTuple):
    """A standing order as the others will read it, and what it tells them about the hand ("" if
    nothing)."""

    text: str
    giveaway: str


class DraftEntry:
    """One entry in the making, for a seat whose secrets are at hand: one run of a line of a draft
    (`pbem.turn.draft`)."""

    def __init__(
        self,
        ledger: Ledger,
        seat: Seat,
        secrets: SeatSecrets,
        answers: Sequence[str] = (),
        ordered: Sequence[str] = (),
    ) -> None:
        self.number = len(ledger.entries)
        self.seat = seat
        self.ledger = ledger
        self.secrets = secrets
        self.hand = Hand(ledger, seat, secrets.root)
        self.common = DraftPart(ledger, seat, secrets.root)
        self.remaining = list(answers)
        self.ordered = list(ordered)
        self.said: list[str] = []
        """The answers given so far, as the player would type them."""
        self.giveaways: list[str] = []
        """What the orders of this entry tell everybody about the hand, for the player to read
        before it is signed."""
        self.given: list[tuple[Order, str]] = []
        """The standing orders of this entry, without those in force already, each with what it
        tells ("": nothing)."""
        self.repeated: list[str] = []
        """Answers that were entered and that an order of the player's own had given before."""
        self.draw = ""
        self.resigns = False
        self.note = ""
        """A private note, sealed when the entry is signed: its place depends on the nonce."""
        self.plans: list[PlanText] = []
        """Plans, sealed as the note is."""
        self.opens: list[int] = []
        """The plans that the player opens, besides those that are due."""
        self.prepared: tuple[tuple[tuple[str, ...], ...], ...] = ()
        """What the player answers to turns yet to come: kept once this entry is signed
        (`pbem.turn.prepared`)."""
        self.fields: Fields = {}
        self._openings: list[str] = []
        self._answers: list[str] = []
        self._seals: list[str] = []
        self._orders: list[str] = []
        self._orders_taken = False
        self._chosen: list[str] = []
        self.only: set[int] = set()
        """Which of the answers so far came by themselves, as the only legal ones."""
        self._alone = not ledger.invitation.is_witnessed()
        self.choices: list[str] = []
        """The answers that this entry seals, in their words: its place and its nonce belong to the
        seals."""

    # What the game asks for

    def root(self) -> bytes:
        """The seat's root, and its field."""
        self.fields["root"] = b64(self.secrets.root)
        return self.secrets.root

    def proof(self, alpha: bytes) -> bytes:
        """The seat's VRF proof: its part of the chance that waits."""
        proof = vrf.prove(self.secrets.vrf_seed, alpha)
        self.fields["proof"] = b64(proof)
        return proof

    def opening(self, handle: Handle) -> tuple[Card, bytes]:
        """The card behind one of the seat's own backs."""
        card, salt = self.hand.faces[handle], self.hand.salts[handle]
        self._openings.append(
            write_opening(self.ledger.decks, self.ledger.rules.cards, handle, card, salt)
        )
        return card, salt

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:
        """The seals of a pile that is made anew."""
        return self._sealed(seal, self.ledger.begun().referee.own_decks.generation(seal.deck))

    def _sealed(self, seal: Seal, generation: int) -> tuple[bytes, ...]:
        commitments = self.hand.seal(seal, generation, self.number)
        backs = [write_handle(self.ledger.decks, handle) for handle in seal.handles]
        self._seals += [
            write_seal(back, sealed) for back, sealed in zip(backs, commitments, strict=True)
        ]
        return commitments

    def answer(self, position: Game, ask: Ask) -> Answer | None:
        """The next answer. Raises an `engine.flow.Refusal` if what was entered is none of the legal
        ones."""
        answer = self.choose(position, ask)
        if answer is not None:
            words = self._note_said(position, answer)
            self._answers.append(write_answer(self.ledger.decks, words, answer.handle))
        return answer

    def choice(self, position: Game, ask: Ask) -> Commitment | None:
        """The next answer, which is sealed when the entry is signed. Raises an
        `engine.flow.Refusal`."""
        answer = self.choose(position, ask)
        if answer is None:
            return None
        self.choices.append(self._note_said(position, answer))
        return Commitment(words=self.choices[-1])

    def _note_said(self, position: Game, answer: Answer) -> str:
        """Add the sentence of an answer to what the player has said; the words of its option."""
        rules = self.ledger.rules
        words = words_of(rules, position, answer.option)
        self.said.append(with_card(rules, words, answer.handle, self.faces()))
        return words

    def choice_opening(self, choice: SealedChoice) -> OpenedChoice:
        """The opening of one of the seat's own choices."""
        opened = self.ledger.begun().referee.choices.opening(self.secrets.root, choice)
        self._chosen.append(write_choice_opening(opened))
        return opened

    def choose(self, position: Game, ask: Ask) -> Answer | None:
        """What the player decides: the next of the entered answers, None when there is none left.
        Whoever plays alone is not asked where one answer is legal."""
        is_listed = not isinstance(ask.options, Notation)
        if (
            self._alone
            and is_listed
            and len(only := LegalAnswers(self.arranged(ask), self.faces())) == 1
        ):
            return self._only(only[0], position, ask)
        legal = (
            sentences(self.ledger.rules, position, self.arranged(ask), self.faces())
            if self.remaining
            else {}
        )
        while self.remaining:
            try:
                answer = understand_answer(
                    self.ledger.rules, position, ask, self.remaining[0], legal, self.faces()
                )
            except (NotUnderstood, Illegal):
                if not self.take_as_said():
                    raise
                continue
            del self.remaining[0]
            return answer
        return None

    def _only(self, answer: Answer, position: Game, ask: Ask) -> Answer:
        """Take the only legal answer. If the player entered it as well, it is removed from what
        they entered."""
        rules, faces = self.ledger.rules, self.faces()
        if self.remaining:
            with suppress(Refusal):
                understand_answer(
                    rules,
                    position,
                    ask,
                    self.remaining[0],
                    {say(rules, position, answer, faces): answer},
                    faces,
                )
                del self.remaining[0]
                return answer
        self.only.add(len(self.said))
        return answer

    def take_as_said(self) -> bool:
        """Pass over the next entered answer if it only repeats one that an order of the player's
        own has given in this entry; an answer may be repeated once. Returns whether one was passed
        over."""
        if not self.remaining:
            return False
        by_order = Counter(
            given_by_orders(self.ledger.begun(), self.seat, self.number, self.faces())
        )
        for sentence in (by_order - Counter(self.repeated)).elements():
            with suppress(Refusal):
                self.repeated.append(pick_sentence(self.remaining[0], [sentence]))
                del self.remaining[0]
                return True
        return False

    def order_texts(self) -> Sequence[str]:
        """The standing orders that the player gave."""
        return self.ordered

    def orders(self) -> list[Order]:
        """The standing orders to give, once; those in force already are not repeated. Raises
        `Refused` at one that is not understood."""
        if self._orders_taken:
            return []
        self._orders_taken = True
        referee = self.ledger.begun().referee
        hand = self._equal_cards().arranged(referee.game.hand(self.seat))
        known = [handle for handle in reversed(hand) if handle in self.hand.faces]
        held = {self.hand.faces[handle]: handle for handle in known}

        def handle_of(card: Card) -> Handle:
            if card not in held:
                raise Illegal(f"{self.ledger.rules.cards[card]} is not in your hand")
            return held[card]

        texts = self.order_texts()
        try:
            orders = [
                self.ledger.rules.read_order(self.seat, text, handle_of)
                for text in texts
                if not short_topic(text)
            ]
            shorts = {short_topic(text) for text in texts} - {""}
            if short := ALL if ALL in shorts else "".join(shorts):
                orders += self._for_many(referee, short, held, [order.topic for order in orders])
        except Refusal as error:
            raise Refused(
                f"the order is not taken: {error}", hint=f"orders are about: {self._topics()}"
            ) from error
        in_force = referee.book.by_seat[self.seat]
        fresh = [
            order
            for order in orders
            if (in_force.get(order.topic) != order if order.value else order.topic in in_force)
        ]
        self.given += [(order, given_away(self.ledger.decks, order, in_force)) for order in fresh]
        self.giveaways += [giveaway for _, giveaway in self.given if giveaway]
        self._orders += [write_order(self.ledger.decks, order) for order in fresh]
        return fresh

    def public_orders(self) -> list[PublicOrder]:
        """The orders of this entry; what several of them tell together stands last, without a
        text."""
        orders = [
            PublicOrder(write_order(self.ledger.decks, order), giveaway)
            for order, giveaway in self.given
        ]
        known = {order.giveaway for order in orders}
        return [
            *orders,
            *(PublicOrder("", giveaway) for giveaway in self.giveaways if giveaway not in known),
        ]

    def without_topic(self, orders: Sequence[str], text: str) -> tuple[str, ...]:
        """These orders but for those about the topic of another one: of two in one entry only one
        can count."""
        topic = self._topic(text)
        return tuple(order for order in orders if not topic or self._topic(order) != topic)

    def _topic(self, text: str) -> str:
        """The topic of an order as the game spells it; empty for one that is not understood."""
        try:
            topics = self.ledger.rules.order_topics(self.seat)
            return short_topic(text) or split_order(text, topics)[0]
        except Refusal:
            return ""

    def _topics(self) -> str:
        """What the player may give orders about, for a hint."""
        rules = self.ledger.rules
        topics = [
            *rules.order_topics(self.seat),
            *([ALL, OTHERS] if rules.card_topics(self.seat) else []),
        ]
        return "; ".join(topics) or "nothing in this game"

    def _for_many(
        self, referee: Referee, short: str, held: Collection[Card], ordered: Collection[str]
    ) -> list[Order]:
        """The orders that `all: decline` or `others: decline` stands for, but for the topics in
        `ordered`, which have an order of their own."""
        rules = self.ledger.rules
        silent = [
            card for card in referee.silent_cards(self.seat) if rules.cards[card] not in ordered
        ]
        declined = [card for card in silent if short == ALL or card not in held]
        if not declined:
            which = "you" if short == ALL else "you neither hold nor"
            raise Illegal(f"there is no card left that {which} have given no order about")
        if short == OTHERS:
            self.giveaways.append(left_open([rules.cards[card] for card in silent if card in held]))
        return [
            rules.read_order(self.seat, f"{rules.cards[card]}: decline", lambda _card: 0)
            for card in declined
        ]

    def arranged(self, ask: Ask) -> Ask:
        """The question with equal cards of the hand in the order in which they are used
        (docs/format.md, section 7): the first one that holds a card is the one to use."""
        return ask._replace(hand=self._equal_cards().arranged(ask.hand))

    def _equal_cards(self) -> EqualCards:
        referee = self.ledger.begun().referee
        named, opened = referee.book.claims, referee.game.faces().keys()
        return EqualCards(self.secrets.root, self.ledger.decks, self.faces(), named, opened)

    # What the player's program does around it

    def faces(self) -> Mapping[Handle, Card]:
        """Every card this player knows: those opened for everybody and their own."""
        return {**self.ledger.public_faces(), **self.hand.faces}

    def first_seals(self) -> list[tuple[Seal, tuple[bytes, ...]]]:
        """The seals of a first entry."""
        return [(seal, self._sealed(seal, 1)) for seal in first_seals(self.ledger.decks, self.seat)]

    def contents(self) -> Fields:
        """The fields gathered so far."""
        lists = {
            "openings": self._openings,
            "seals": self._seals,
            "answers": self._answers,
            "orders": self._orders,
        }
        lists["chosen"] = self._chosen
        said = {
            **({"draw": self.draw} if self.draw else {}),
            **({"resign": "yes"} if self.resigns else {}),
        }
        return {**self.fields, **said, **self.common.fields, **lists}
