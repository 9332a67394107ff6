"""A match of backgammon in progress, and its rules as the rest of the program sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.backgammon import notation, orders, view
from engine.backgammon.plays import as_play, board_after, play_options
from engine.backgammon.position import NOBODY, Position, SealedDouble
from engine.backgammon.tables import (
    ACCEPT,
    BEAVER,
    BEFORE_THE_ROLL,
    BLACK,
    CUBE,
    DOUBLED,
    DROP,
    NEWEST,
    NEXT,
    OPENING,
    PLAY,
    PLAY_ON,
    REASONS,
    RESIGN,
    RESIGNATIONS,
    RESIGNED,
    ROLL,
    SEAL,
    SEALING,
    SEATS,
    SETTINGS,
    SINGLE,
    TAKE,
    TURN,
    UNLESS_ORDERED,
    WAIT,
    WHITE,
    read_stakes,
    stakes_in_words,
)
from engine.cards import Deck
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Reveal, Roll, Seat
from engine.orders import HandleOf, Order, Orders
from engine.rules import Game, MailWay, Rules, Settings


class Backgammon(Position):
    """One match, or games for points."""

    def flow(self) -> Flow[Outcome]:
        while not self.is_over():
            yield from self._game()
        winners = tuple(seat for seat in (WHITE, BLACK) if self.score[seat] == max(self.score))
        if len(winners) > 1:
            return Outcome((), f"both have {self.score[0]} points", tuple(self.score))
        score = f"{max(self.score)} to {min(self.score)}"
        how = f"won the match, {score}" if self.stakes.match else f"won by {score}"
        return Outcome(winners, how, tuple(self.score))

    def prompt(self, ask: Ask) -> str:
        return notation.prompt(self, ask)

    def respelled(self, ask: Ask, text: str) -> str:
        return notation.respelled(self, ask, text)

    def why_refused(self, ask: Ask, text: str) -> str:
        return notation.why_refused(self, ask, text)

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return view.view(self, viewer)

    def obey(self, ask: Ask, given: Orders) -> Answer | None:
        return orders.obey(self, ask, given)

    def tally(self) -> dict[str, int]:
        return {"turns": self.turns, "games": self.game}

    def spread(self) -> dict[str, int]:
        return {"turns": self.turns}

    # One game

    def _game(self) -> Flow[None]:
        """A game from its opening throw to its points."""
        self.turn = NOBODY
        self.set_up()
        yield from self._opening()
        while True:
            if (yield from self._play_throw()):
                return
            if self.has_won(self.turn):
                self._win(self.turn, self.worth(self.turn))
                return
            yield from self._seal_next_double(self.turn)
            self.turn = 1 - self.turn
            self.turns += 1
            self.refused = 0
            if self.may_double(self.turn) and (yield from self._offer_double()):
                return
            self.dice = yield Roll(self.turn, 2, f"{SEATS[self.turn]}'s throw", reason=TURN)

    def _opening(self) -> Flow[None]:
        """Both throw a die, again while they are equal; the player with the higher one plays both
        first (backgammon ruling 1)."""
        while True:
            white, black = yield Roll(
                WHITE, 2, "who begins: the first die is white's, the second black's", reason=OPENING
            )
            self.note("opening", white, black)
            if white != black:
                break
        self.turn = WHITE if white > black else BLACK
        self.turns += 1
        self.dice = (white, black)

    def _play_throw(self) -> Flow[bool]:
        """The player chooses a play if the throw can lead to more than one position; otherwise the
        only play is made. Returns whether they gave the game up instead."""
        seat, (first, second) = self.turn, self.dice
        self.note("throws", seat, first, second)
        options = play_options(self.board(seat), first, second)
        option = options[0]
        if len(options) > 1:
            option = yield from self._asked_or_resigned(seat, PLAY, options)
            if option[0] == RESIGN:
                return True
        self.dice = ()
        self.put(seat, board_after(self.board(seat), as_play(option)))
        forced = "must play" if len(option) > 1 else "cannot move"
        kind = "plays" if len(options) > 1 else forced
        self.note(kind, seat, first, second, *option[1:])
        return False

    def _asked_or_resigned(self, seat: Seat, rule: str, options: Sequence[Option]) -> Flow[Option]:
        """The answer of a player who may give the game up instead, and who goes on where that is
        not accepted (backgammon ruling 15). With the answer `RESIGN` the game is over."""
        while True:
            offers = RESIGNATIONS[self.refused : self.cost(seat)]
            answer: Answer = yield Ask(seat, rule, options, mends=offers)
            if answer.option[0] != RESIGN:
                return answer.option
            worth = RESIGNATIONS.index(answer.option) + 1
            self.resigned = worth
            self.note("resigns", seat, worth)
            if worth < self.cost(seat):
                reply: Answer = yield Ask(1 - seat, RESIGNED, (ACCEPT, PLAY_ON))
                if reply.option == PLAY_ON:
                    self.resigned, self.refused = 0, worth
                    self.note("plays on", 1 - seat)
                    continue
            self.resigned = 0
            self._win(1 - seat, worth)
            return answer.option

    def _offer_double(self) -> Flow[bool]:
        """Before a throw: the player rolls or doubles, and a double is answered. Returns whether
        the game ended with that (backgammon ruling 8)."""
        seat: Seat = self.turn
        option = yield from self._before_the_throw(seat)
        if option[0] == RESIGN:
            return True
        if option == ROLL:
            return False
        self.doubled = 2 * self.cube
        self.note("doubles", seat, self.doubled)
        other: Seat = 1 - seat
        answer: Answer = yield Ask(
            other, DOUBLED, (TAKE, DROP, BEAVER) if self.stakes.beavers else (TAKE, DROP)
        )
        taker = other
        if answer.option == DROP:
            return self._drop(other)
        if answer.option == BEAVER:
            self.cube = self.doubled
            self.doubled = 2 * self.doubled
            self.beaver = True
            self.note("beavers", other, self.doubled)
            answer = yield Ask(seat, DOUBLED, (TAKE, DROP))
            if answer.option == DROP:
                return self._drop(seat)
            taker = seat
        self.cube = self.doubled
        self.owner = other
        self.doubled = 0
        self.beaver = False
        self.note("takes", taker, self.cube)
        return False

    def _seal_next_double(self, seat: Seat) -> Flow[None]:
        """Together with a play, the player seals whether to double before their next throw, without
        knowing the opponent's reply; a public order of theirs can make that unnecessary (backgammon
        ruling 13)."""
        if not self.stakes.sealed or not self.may_double(seat):
            return
        if self.stakes.sealed == UNLESS_ORDERED:
            answer: Answer = yield Ask(seat, SEALING, (SEAL, WAIT))
            seals = answer.option == SEAL
        else:
            seals = True
        if seals:
            token: int = yield Ask(seat, NEXT, BEFORE_THE_ROLL, sealed=True)
            self.sealed[seat] = SealedDouble(token, self.cube, self.owner)

    def _before_the_throw(self, seat: Seat) -> Flow[Option]:
        """Roll or double: as sealed for this turn if the cube has not moved since, otherwise by
        asking now."""
        sealed = self.sealed.pop(seat, None)
        if sealed is not None and (sealed.cube, sealed.owner) == (self.cube, self.owner):
            options: tuple[Option, ...] = yield Reveal((sealed.token,))
            return options[0]
        return (yield from self._asked_or_resigned(seat, CUBE, BEFORE_THE_ROLL))

    def _drop(self, seat: Seat) -> bool:
        """The player who was doubled gives up the game for the cube's old value (backgammon ruling
        7). Always true: the game is over."""
        self.doubled, self.beaver = 0, False
        self.note("drops", seat)
        self._win(1 - seat, SINGLE)
        return True

    def _win(self, seat: Seat, worth: int) -> None:
        """The game is over: `seat` scores the cube's value times `worth`."""
        points = self.cube * worth
        self.score[seat] += points
        self.turn, self.dice = NOBODY, ()
        self.note("won", seat, points, worth)


# ---- the rules -----------------------------------------------------------------------------------


class BackgammonRules(Rules):
    """The rules of tournaments."""

    name = "backgammon"
    version = NEWEST
    title = "Backgammon"
    cards = ()
    settings = SETTINGS
    reasons = REASONS

    def seats(self, settings: Settings) -> tuple[str, ...]:
        read_stakes(settings)
        return SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return ()

    def begin(self, settings: Settings) -> Game:
        return Backgammon(read_stakes(settings), self.version)

    def seals_choices(self, settings: Settings) -> bool:
        return read_stakes(settings).sealed > 0

    def words(self, option: Option) -> str:
        return notation.words(option)

    def vocabulary(self) -> frozenset[str]:
        return notation.vocabulary()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def settings_in_words(self, settings: Settings) -> list[str]:
        return stakes_in_words(read_stakes(settings))

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        return orders.TOPICS

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        return orders.read_order(text)

    def ways_by_mail(self) -> Mapping[str, MailWay]:
        return orders.WAYS_BY_MAIL

    def accepts_draw(self, given: Orders) -> bool:
        return orders.accepts_draw(given)


RULES = BackgammonRules()
