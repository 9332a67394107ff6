"""What a game asks of the world while it is played, and the three ways an answer can be refused.

A game is a generator that reads like its rulebook. It yields a request and is resumed with the
answer:

=========  ==================================================  ===================================
request    meaning                                             resumed with
=========  ==================================================  ===================================
`Ask`      a seat decides; `sealed`: unseen until revealed     `Answer` (sealed: a token) or None
`Roll`     a seat throws dice                                  `tuple[int, ...]`
`Pick`     chance takes some of these cards, in order          `tuple[Handle, ...]`
`Draw`     a seat draws from a pile to its hand                `tuple[Handle, ...]`
`Open`     a hidden card is turned face up for everybody       `Card`
`Seal`     a pile is shuffled and laid face down               `None`
`Reveal`   sealed answers are shown to everybody               `tuple[Option, ...]`
=========  ==================================================  ===================================

A question is answered with None when a seat has left the game while it waited
(`engine.rules.Game.leave`): the rules look at the game again, and ask again if the question still
stands.

Whoever answers (the ledger of signed turn files, an open table in memory, a recorded game) is no
concern of the rules. The rules never see a hidden card: they know its `Handle` only, until it is
opened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

Seat: TypeAlias = int
"""Index of a seat, in the order of play, from 0."""

Card: TypeAlias = int
"""Index into the game's table of card names."""

Handle: TypeAlias = int
"""The back of one card: `deck * 1000 + number`, the number counted from 1 through all shuffles of
that deck."""

Option: TypeAlias = tuple[Any, ...]
"""One thing a seat may do: a verb (string) and small integers. Hashable, and shared: made once,
from tables."""


class Answer(NamedTuple):
    """What a seat decided: an option, and the handle of the card it uses if the option uses one
    from the hand."""

    option: Option
    handle: Handle | None = None


def no_card(_card: Card) -> tuple[Option, ...]:
    """An `Ask.allows` for questions in which no card of the hand can be used."""
    return ()


class Ask(NamedTuple):
    """A seat decides.

    Legal answers are: each of `options` without a card; each of `spend` with any handle of `hand`,
    whichever card that is (it need not be opened); and, with a handle of `hand` that holds card
    *c*, each of `allows(c)`. When a card is used through `allows`, the rules open it and check
    `allows` again.
    """

    seat: Seat
    rule: str
    """Key of the question ("play", "move", "hand limit" …): the game has a prompt for each."""
    options: Sequence[Option]
    """A tuple, or, where there are many, a sequence that makes only the one that is taken
    (`engine.options`)."""
    hand: tuple[Handle, ...] = ()
    spend: tuple[Option, ...] = ()
    allows: Callable[[Card], tuple[Option, ...]] = no_card
    mends: Sequence[Option] = ()
    """Options that correct an earlier report of the player, listed after all other legal answers. A
    game can always go on without them, so simulations leave them out."""
    sealed: bool = False
    """Nobody else learns the answer before a `Reveal` asks for it. The rules are resumed with a
    token, a number that stands for the answer. A sealed question has at most `MOST_SEALED` options
    and no cards, and only games whose `Rules.seals_choices` says so ask any."""


MOST_SEALED = 512
"""Options of a sealed question."""
SIDES = range(2, 101)
"""Numbers of sides that a die may have."""


class Roll(NamedTuple):
    """`number` dice (at least one) thrown by or for `seat`; `why` names the group of pieces or the
    card, in words.

    Each die has `sides` (2 to 100), numbered from 1. `hits` are the numbers that count as a hit,
    for those who show the roll; none where the game does not count hits. `reason` is what is signed
    of the purpose: one of `Rules.reasons`, or nothing where the rules name none.
    """

    seat: Seat
    number: int
    why: str
    sides: int = 6
    hits: tuple[int, ...] = ()
    reason: str = ""


class Pick(NamedTuple):
    """Chance takes `number` of these handles, each choice equally likely; answered in the order
    taken. `why` and `reason` say what for, as in a `Roll`."""

    handles: tuple[Handle, ...]
    number: int
    why: str
    reason: str = ""


class Draw(NamedTuple):
    """`seat` takes `count` cards from the pile into the hand. An own deck gives random ones, a
    common deck the next."""

    seat: Seat
    pile: tuple[Handle, ...]
    number: int


class Open(NamedTuple):
    """The owner turns this card face up for everybody."""

    handle: Handle


class Seal(NamedTuple):
    """The pile of `deck` is made anew: `handles` are the new backs. It holds the cards of
    `sources`, in an order nobody else knows; with no sources, every card of the deck."""

    deck: int
    handles: tuple[Handle, ...]
    sources: tuple[Handle, ...] = ()


class Reveal(NamedTuple):
    """The sealed answers behind these tokens are shown together, in this order. The rules ask for
    it when all of them are sealed: each seat has decided without knowing what the others chose."""

    tokens: tuple[int, ...]


Request: TypeAlias = Ask | Roll | Pick | Draw | Open | Seal | Reveal

T = TypeVar("T")
Flow: TypeAlias = Generator[Request, Any, T]
"""A stretch of play that ends with a `T`."""


class Outcome(NamedTuple):
    """How a game ended: who won (nobody: a draw), why in a few plain words, and points by seat."""

    winners: tuple[Seat, ...]
    how: str
    points: tuple[int, ...] = ()


class Refusal(Exception):
    """An answer was not taken. The game stands as before the question."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # not in the class: compiled, a subclass of Exception would not have it
        self.strange = ""
        """The first word entered that the game does not have; nothing where it has them all."""


class NotUnderstood(Refusal):
    """The words are no sentence of this game."""


class Illegal(Refusal):
    """The words are understood, and the rules do not allow it now."""


class Ambiguous(Refusal):
    """The words fit more than one legal answer."""
