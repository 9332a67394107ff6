"""The game as the entries of a file tell it: who settles each roll, who opens each card, and whose
turn it is.

The referee runs the rules (`engine/`) and answers what they ask from one entry after the other. Its
laws, from docs/format.md, sections 6 and 7:

- Chance is settled under E, the newest decision (`pbem.ledger.whose_turn`); proofs settle first,
  and all else in a witness's entry counts afterwards.
- Cards are opened by their owners (`pbem.ledger.own_decks`).
- Exactly one seat is waited for, the same on every machine (`pbem.ledger.whose_turn`).
- Sealed choices (section 19) are opened by their author in a later entry than the one that sealed
  them, as soon as everything that is shown with them is sealed, and by a seat that leaves the game.

It reads no file, checks no signature and knows no secret: `pbem.ledger.gate` and
`pbem.turn.draft_entry` give it what entries hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Handle,
    Open,
    Outcome,
    Pick,
    Request,
    Reveal,
    Roll,
    Seal,
    Seat,
)
from engine.rules import Game, Rules, Settings, words_of
from pbem import FORMAT
from pbem.errors import RulesBroken, failing_as
from pbem.fileformat.encoding import tagged_hash
from pbem.ledger.events import (
    ChanceUse,
    ChoiceEvent,
    Event,
    GivenAnswer,
    Reply,
    RequestContext,
    ShownChoices,
)
from pbem.ledger.file_entry import EntrySource, NoEntry, NotInEntry
from pbem.ledger.order_book import OrderBook
from pbem.ledger.own_decks import GameParts, OpenedCards, OwnDecks
from pbem.ledger.sealed_choices import SealedChoice, SealedChoices
from pbem.ledger.signatures import Verifier
from pbem.ledger.trace import Trace
from pbem.ledger.whose_turn import Randomness, WhoseTurn

Tell: TypeAlias = Callable[[EntrySource, ChoiceEvent], None]
"""Who is told of a choice that the entry sealed or opened."""


class OpenedChoices:
    """The choices of a game in progress, taken from one entry after the other."""

    def __init__(self, game: Game, turn: WhoseTurn, choices: SealedChoices, tell: Tell) -> None:
        self._game = game
        self._turn = turn
        self._choices = choices
        self._tell = tell

    def seal(self, ask: Ask, source: EntrySource) -> int:
        """The token of the choice that the entry seals. Raises `NotInEntry` if it seals none."""
        if (commitment := source.choice(self._game, ask)) is None:
            raise NotInEntry
        token = self._choices.seal(self._game, ask, source.number, commitment)
        self._tell(source, ChoiceEvent(ask.seat, self._choices.all[token].label))
        return token

    def reveal(self, tokens: tuple[int, ...], source: EntrySource) -> ShownChoices:
        """The choices behind these tokens, once they are opened, or follow from roots. Raises
        `NotInEntry`, `Forged` or `RulesBroken`."""
        wanted = [self._choices.all[token] for token in tokens]
        if self._turn.is_played_out():
            if not all(choice.words or choice.by_root for choice in wanted):
                raise NotInEntry
            return _shown(wanted)
        while due := self._turn.choices_due():
            if due[0].seat != source.seat or any(choice.entry == source.number for choice in due):
                raise NotInEntry
            for choice in due:
                self._open(choice, source)
        return _shown(wanted)

    def open_all(self, source: EntrySource) -> None:
        """A seat that leaves opens all its choices, for nobody will see its root. Raises `Forged`,
        `RulesBroken`."""
        for choice in self._choices.unopened(source.seat):
            if choice.entry == source.number:
                raise RulesBroken("who leaves the game seals no choice in the same entry")
            try:
                self._open(choice, source)
            except NotInEntry:
                raise RulesBroken(
                    "a seat that leaves opens all its choices", layer="seal"
                ) from None

    def _open(self, choice: SealedChoice, source: EntrySource) -> None:
        """The entry opens one of its seat's choices."""
        if (opened := source.choice_opening(choice)) is None:
            raise NotInEntry
        self._choices.open(choice, opened)
        if opened.words not in choice.options:
            what = f'"{opened.words[:40]}" was sealed, and is no answer to what was asked'
            raise RulesBroken(what, layer="rules")
        choice.words = opened.words
        self._tell(source, ChoiceEvent(choice.seat, choice.label, choice.words))


def _shown(choices: Sequence[SealedChoice]) -> ShownChoices:
    words = tuple(choice.words or choice.by_root for choice in choices)
    options = tuple(choice.options[said] for choice, said in zip(choices, words, strict=True))
    return ShownChoices(options, words)


if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


Onlooker: TypeAlias = "Callable[[Referee, Reply], object]"
"""Whoever looks at the position where the rules have asked, before what they are answered takes
effect; and changes nothing."""


def _for_the_rules(value: Any) -> Any:
    """What the rules are resumed with, of what a trace has of it."""
    match value:
        case GivenAnswer(answer=answer):
            return answer
        case ShownChoices(options=options):
            return options
    return value


class Referee:
    """One game in progress, from the moment the last seat has joined."""

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        game_id: bytes,
        keys: tuple[bytes, ...],
        common: CommonDeck | None = None,
        verifier: Verifier | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.rules = rules
        self.decks = rules.decks(settings)
        self.game = rules.begin(settings)
        self.game.story = []
        self.common = common
        self.randomness = Randomness(game_id, keys, verifier or Verifier())
        self.choices = SealedChoices(rules, game_id, rules.seats(settings))
        self.turn = WhoseTurn(self.decks, self.game, common, self.randomness, self.choices)
        self.own_decks = OwnDecks(game_id, self.decks, rules.cards)
        self.book = OrderBook(len(keys), self.game)
        self.record: list[Event] = []
        self.chance_uses: list[ChanceUse] = []
        self.trace = trace or Trace(rules, self.decks, rules.seats(settings), 0, b"")
        self.opened = OpenedCards(
            GameParts(
                rules,
                self.decks,
                self.game,
                self.turn,
                self.randomness,
                self.book,
                self.own_decks,
                common,
            )
        )
        self.opened_choices = OpenedChoices(self.game, self.turn, self.choices, self._choice)
        self.outcome: Outcome | None = None
        self.onlooker: Onlooker | None = None
        self._flow = self.game.flow()

    # Taking an entry

    def start(self) -> None:
        """Run the rules up to their first request."""
        self._step(lambda: next(self._flow))

    def take(self, source: EntrySource) -> None:
        """Answer the rules from this entry as far as it goes."""
        if source.number == len(self.randomness.authors):
            self.randomness.authors.append(source.seat)
        self.open_promised(source)
        self._run(source)
        self.settle_shares(source)

    def _run(self, source: EntrySource) -> None:
        """Go on with the rules until they ask for something that is not there."""
        with suppress(NotInEntry):
            while self.turn.request is not None:
                request = self.turn.request
                value = self._answer_request(request, source)
                reply = Reply(request, value)
                self.trace.add("answered", reply)
                if self.onlooker is not None:
                    self.onlooker(self, reply)
                sent = _for_the_rules(value)
                self._step(lambda sent=sent: self._flow.send(sent))

    @failing_as("share")
    def settle_shares(self, source: EntrySource) -> None:
        """The last thing in an entry: what it owes to the readers of the common deck. At the end of
        the game the root stands for it (docs/format.md, section 13)."""
        if self.common is not None:
            self.common.settle(
                source.seat, source.number, source.common, reveals_root=self.turn.is_played_out()
            )

    def leave(self, source: EntrySource) -> None:
        """The entry's seat leaves, and the rules go on without it as far as they can
        (docs/format.md, section 8).

        Raises `Forged` if what it publishes is not its key for the common deck, or not what it
        sealed."""
        if self.common is not None:
            with failing_as("share"):
                self.common.leave(source.seat, source.number, source.common)
        self.opened_choices.open_all(source)
        self.randomness.left.append(source.seat)
        self.book.void(source.seat)
        self.randomness.decide(source.number)
        self.game.leave(source.seat)
        if isinstance(self.turn.request, Ask):
            self._step(lambda: self._flow.send(None))
        self._run(NoEntry(source.number))

    def learn(self, seat: Seat, x: int | None, faces: Mapping[Handle, Card], number: int) -> None:
        """Entry `number` revealed a seat's root: the secret key for the common deck, and the cards
        of the own decks. Everybody goes on with what follows from them."""
        self.opened.learn(faces)
        if self.common is not None and x is not None:
            self.common.learn(seat, x, number)
        if self.turn.is_played_out():
            self._run(NoEntry(number))

    def faces(self) -> dict[Handle, Card]:
        """Every card that everybody can read: opened, or with all shares there, as in the hand of a
        seat that left."""
        return self.opened.faces()

    def open_promised(self, source: EntrySource) -> None:
        """The first thing an entry does: open the cards that its seat's orders have played
        since."""
        for opened in self.opened.open_promised(source):
            self._note(source, "opened", opened)

    def apply_orders(self, source: EntrySource) -> None:
        """The orders of this entry are in force from here on. Raises `RulesBroken`
        (`OrderBook.give`)."""
        given = source.orders()
        if not given:
            return
        if not self.turn.may_decide(source.number):
            raise RulesBroken(
                "orders cannot be given while the game waits for another seat's proof or opening"
            )
        self.randomness.decide(source.number)
        self.trace.add("orders")
        with failing_as("rules"):
            orders = self.book.give(source.seat, given)
        for order in orders:
            self._note(source, "ordered", (source.seat, order))

    def coming_seals(self, seat: Seat) -> Iterator[Seal]:
        """Piles that `seat` will have to make anew and may seal already, as far as the position
        tells."""
        for seal in self.game.coming_seals():
            if self.decks[seal.deck].owner == seat and not self.own_decks.is_sealed_early(seal):
                yield seal

    def seal_early(self, source: EntrySource) -> None:
        """The last decision in an entry: seals of piles that will be needed and whose cards are
        known already, which costs no entry later."""
        while self.turn.may_decide(source.number) and (
            seal := next(self.coming_seals(source.seat), None)
        ):
            self.trace.add("early", seal)
            if (commitments := source.seals(seal)) is None:
                self.trace.take_back()
                return
            with failing_as("seal"):
                self.own_decks.offer(self.own_decks.new_pile(seal, commitments, source.number))
            self.randomness.decide(source.number)

    def silent_cards(self, seat: Seat) -> list[Card]:
        """Cards with a window that the seat may yet hold and has given no order about."""
        given, out = self.book.by_seat[seat], self.game.cards_out(seat)
        cards = [card for card in self.rules.card_topics(seat) if card not in out]
        return [card for card in cards if self.rules.cards[card] not in given]

    def position_digest(self) -> bytes:
        """SHA-256 that two machines compare: the public position, what is waited for, and, where
        entry 0 says so, what the rules asked during the entry."""
        board, waits = (text.encode("ascii") for text in (self.game.position(), self.waits()))
        return tagged_hash(f"{FORMAT} position", board, waits, *self.trace.digest_parts())

    def waits(self) -> str:
        """What is waited for at the end of an entry, as its position has it (docs/format.md,
        section 4)."""
        request = self.turn.request
        if request is None:
            return "over"
        return (
            "roots"
            if self.turn.is_played_out()
            else f"{type(request).__name__} {self.turn.waits_for()}"
        )

    # Answering one request

    def _step(self, resume: Any) -> None:
        story = self.game.story
        assert story is not None
        try:
            self.turn.request = resume()
        except StopIteration as end:
            self.turn.request = None
            self.outcome = end.value
        number = len(self.randomness.authors) - 1
        self.record += [Event(number, "story", event) for event in story]
        story.clear()
        self._trace_request()
        if self.turn.pending():
            request = self.turn.request
            assert isinstance(request, Roll | Pick | Draw)
            self.chance_uses.append(self.randomness.ask(request, self.game.when()))

    def _trace_request(self) -> None:
        """What the rules ask now, or how they ended, with all of the position that the gate itself
        looks at."""
        request, game = self.turn.request, self.game
        if request is None:
            self.trace.add("over", self.outcome)
            return
        hand = (
            game.hand(request.seat) if isinstance(request, Ask) and self.common is not None else ()
        )
        may_pause = isinstance(request, Ask) and game.may_pause()
        labels = (
            tuple(self.choices.all[token].label for token in request.tokens)
            if isinstance(request, Reveal)
            else ()
        )
        secret = (
            tuple(words_of(self.rules, game, option) for option in request.options)
            if isinstance(request, Ask) and request.sealed
            else ()
        )
        self.trace.add(
            "asked", RequestContext(request, hand, game.is_played_out(), may_pause, labels, secret)
        )

    def _note(self, source: EntrySource, kind: str, facts: Any) -> None:
        self.record.append(Event(source.number, kind, facts))

    def _answer_request(self, request: Request, source: EntrySource) -> Any:
        match request:
            case Ask(seat=seat):
                ordered = self._answer_by_order(request)
                if ordered is None and seat == source.seat and not self.turn.seats_owing_shares():
                    # New orders apply only to a question that is left open: an answer is a decision
                    # here anyway, so a witness who knows what E would still decide has no choice
                    # that would throw it anew.
                    self.apply_orders(source)
                    ordered = self._answer_by_order(request)
                if ordered is not None:  # it belongs to the entry at hand and is not its decision
                    if seat != source.seat:
                        self.book.promise(seat, ordered)
                    return self._note_answer(request, ordered, source, ordered=True)
                if seat != source.seat or self.turn.seats_owing_shares():
                    raise NotInEntry
                if request.sealed:
                    return self.opened_choices.seal(request, source)
                if (answer := source.answer(self.game, request)) is None:
                    raise NotInEntry
                self.randomness.decide(source.number)
                return self._note_answer(request, answer, source)
            case Open(handle=handle):
                card, is_new = self.opened.open(handle, source)
                if is_new:
                    self._note(source, "opened", (handle, card))
                return card
            case Seal():
                return None if self.turn.is_common(request) else self._seal(request, source)
            case Draw() if self.common is not None and self.turn.is_common(request):
                return self.common.draw(request)
            case Reveal(tokens=tokens):
                return self.opened_choices.reveal(tokens, source)
            case Roll() | Pick() | Draw():
                result = self.randomness.settle(self.chance_uses[-1], source)
                self._note(source, "chance", self.chance_uses[-1])
                return result

    def _note_answer(
        self, ask: Ask, answer: Answer, source: EntrySource, *, ordered: bool = False
    ) -> GivenAnswer:
        words = words_of(self.rules, self.game, answer.option)
        said = GivenAnswer(ask.seat, answer, words, ordered)
        self._note(source, "answer", said)
        return said

    def _answer_by_order(self, ask: Ask) -> Answer | None:
        """What the asked seat's orders answer; orders are public, so they seal nothing."""
        return None if ask.sealed else self.game.obey(ask, self.book.in_force(ask.seat))

    def _choice(self, source: EntrySource, choice: ChoiceEvent) -> None:
        """The entry sealed a choice, which is a decision, or opened one, which is none."""
        if choice.words is None:
            self.randomness.decide(source.number)
        else:
            self.trace.add("chosen", choice)
        self._note(source, "choice", choice)

    @failing_as("seal")
    def _seal(self, seal: Seal, source: EntrySource) -> None:
        if not self.own_decks.use_early(seal):
            owner = self.decks[seal.deck].owner
            if owner != source.seat or (commitments := source.seals(seal)) is None:
                raise NotInEntry
            self.own_decks.use(self.own_decks.new_pile(seal, commitments, source.number))
            self.randomness.decide(source.number)
