"""How players end a game that the rules have not ended, or leave it: a draw offered and accepted, a
resignation.

docs/format.md, section 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.flow import Ask, Outcome, Request, Seal, Seat
from engine.rules import Rules, Settings
from pbem.errors import Do, RulesBroken
from pbem.games.registry import goes_on_without, players_of
from pbem.ledger.events import Event
from pbem.ledger.file_entry import EntrySource
from pbem.ledger.referee import Referee

RESIGNED = "{} resigned"
"""How a game ended by the resignation of a seat."""
OVER = "the game is over: no draw is offered or answered, and nobody resigns"


class Offer(NamedTuple):
    """A draw offer that stands. `alone`: its entry held nothing else, so the others answer before
    play goes on."""

    seat: Seat
    alone: bool
    acceptors: frozenset[Seat]

    def open_to(self, seats: Iterable[Seat]) -> list[Seat]:
        """Those of the seats that have not accepted, in the order in which they are asked."""
        return [seat for seat in seats if seat not in self.acceptors]


def resignation_outcome(rules: Rules, settings: Settings, seat: Seat) -> Outcome:
    """The end of the game by a resignation: every other side wins (docs/format.md, section 8,
    clause 1)."""
    names = rules.seats(settings)
    loser = rules.side(settings, seat)
    playing = [other for other in range(len(names)) if other not in rules.bystanders(settings)]
    winners = tuple(other for other in playing if rules.side(settings, other) != loser)
    return Outcome(winners, RESIGNED.format(names[seat]))


def check_player(rules: Rules, settings: Settings, seat: Seat, draw: str) -> None:
    """Raise `RulesBroken` if this seat cannot end the game by consent: a mere witness, or a draw
    with the rules."""
    if seat in rules.bystanders(settings):
        raise RulesBroken("a witness decides nothing, and does not end the game")
    if draw and rules.played_by_rules(settings):
        raise RulesBroken("there is nobody to agree to a draw: the rules play the other side")


class Agreement:
    """The draw that is offered in one game, and how its players end it by consent."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        self._rules = rules
        self._settings = settings
        self._seats = len(rules.seats(settings))
        self._goes_on = goes_on_without(rules, settings)
        self._offers: dict[Seat, Request | None] = {}
        self.offer: Offer | None = None

    def open_to(self, referee: Referee) -> list[Seat]:
        """The seats still playing that have not accepted the draw that stands, in the order in
        which they are asked."""
        playing = [seat for seat in range(self._seats) if seat not in referee.randomness.left]
        return self.offer.open_to(playing) if self.offer is not None else []

    def apply(
        self, referee: Referee, source: EntrySource, draw: str, resigns: bool
    ) -> Outcome | None:
        """What a seat's entry says about it, after all else that it holds; how the game ended, if
        it did.

        Raises `RulesBroken`, `Forged`."""
        seat = source.seat
        if resigns or draw:
            check_player(self._rules, self._settings, seat, draw)
        if resigns:
            if draw:
                raise RulesBroken(OVER)
            return self._resign(referee, source)
        alone, pending = referee.turn.waits_for() == seat, referee.turn.pending()
        if draw == "offer" and alone:
            self._check_offer(referee, seat)
        playing = [other for other in range(self._seats) if other not in referee.randomness.left]
        self.offer, outcome = offer_after(
            self.offer, seat, draw, playing, self._seats > 2, alone, pending
        )
        return outcome or self._accept_by_order(referee)

    def _resign(self, referee: Referee, source: EntrySource) -> Outcome | None:
        """The seat ends the game, or leaves it (docs/format.md, section 8, clauses 1 to 4 and
        11)."""
        rules, settings, seat = self._rules, self._settings, source.seat
        if not self._goes_on:
            return resignation_outcome(rules, settings, seat)
        self._check_leaving(referee, seat)
        others = players_of(rules, settings)
        playing = [
            other for other in others if other != seat and other not in referee.randomness.left
        ]
        if len({rules.side(settings, other) for other in playing}) == 1:
            return Outcome(tuple(playing), RESIGNED.format(rules.seats(settings)[seat]))
        self.offer = None
        referee.leave(source)
        return referee.outcome

    def _check_leaving(self, referee: Referee, seat: Seat) -> None:
        """Clause 3: where dice are thrown a seat leaves only in place of the answer to its own
        question, so that nobody who knows what E settles moves E by leaving."""
        is_asked = (
            isinstance(referee.turn.request, Ask)
            and referee.turn.waits_for() == seat == referee.turn.request.seat
        )
        if self._rules.dice and (not is_asked or (self.offer is not None and self.offer.alone)):
            raise RulesBroken(
                "where dice are thrown a seat leaves only in place of the answer to its own"
                " question"
            )
        if isinstance(referee.turn.request, Seal):
            raise RulesBroken("nobody leaves before the deck is shuffled")

    def _check_offer(self, referee: Referee, seat: Seat) -> None:
        """A draw is offered alone once while the same question waits, whatever orders are given
        with it: nobody fills a file with offers."""
        if self._offers.get(seat) is referee.turn.request:
            raise RulesBroken(
                "a draw was offered already while this question waited for its answer"
            )
        self._offers[seat] = referee.turn.request

    def _accept_by_order(self, referee: Referee) -> Outcome | None:
        """Seats whose orders accept a draw do so at once."""
        outcome, playing = (
            None,
            [seat for seat in range(self._seats) if seat not in referee.randomness.left],
        )
        for seat in self.open_to(referee):
            if self.offer and self._rules.accepts_draw(referee.book.by_seat[seat]):
                self.offer, outcome = offer_after(
                    self.offer, seat, "accept", playing, self._seats > 2, False, False
                )
                referee.record.append(Event(len(referee.randomness.authors) - 1, "accepted", seat))
        return outcome


def offer_after(
    offer: Offer | None,
    seat: Seat,
    draw: str,
    playing: Iterable[Seat],
    many: bool,
    alone: bool,
    pending: bool,
) -> tuple[Offer | None, Outcome | None]:
    """The offer that stands after an entry of `seat`, and how the game ended if it did.

    `playing` are the seats that have not left, `many` whether the game began with more than two.
    `draw` is what the entry says: nothing, "offer", "accept" or "decline". `alone`: the entry left
    the game's question to its own seat open. `pending`: a roll waits for proofs, so that an offer
    would be answered by somebody who may know the roll; such an offer lapses. Raises `RulesBroken`.
    """
    if draw == "offer" and offer is None:
        if not alone and many:
            alone_only = "between more than two players a draw is offered in a turn of its own"
            raise RulesBroken(alone_only, hint=Do("draw", "FILE", "--offer"))
        return (None if pending else Offer(seat, alone, frozenset((seat,)))), None
    if draw == "accept" and offer is not None and seat not in offer.acceptors:
        new_offer = Offer(offer.seat, offer.alone, offer.acceptors | {seat})
        if new_offer.open_to(playing):
            return new_offer, None
        return None, Outcome((), "agreed by all players")
    if draw == "decline" and offer is not None:
        return None, None
    if draw == "offer":
        raise RulesBroken("a draw is offered already; it is accepted or declined")
    if draw:
        raise RulesBroken(f'"{draw[:10]}": no draw is offered that could be answered so')
    if offer is not None and offer.alone:
        raise RulesBroken("a draw offered in a turn of its own is accepted or declined first")
    return None, None
