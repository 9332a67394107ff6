"""What a report tells, as dataclasses: the same for templates and for `--json` (docs/json.md lists
the keys).

A report is made for a viewer, a seat or the public, and holds nothing that this viewer may not
know. What only a game knows (its position, and the lines of its story) stays in the plain mappings
that its rules give to its own templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.report.attached import AttachedFacts
from pbem.report.lines import GameData, Line
from pbem.report.parts import Part
from pbem.report.plans import OwnPlan, PlanFacts
from pbem.report.series import SeriesReport
from pbem.report.standing import Ending as Ending
from pbem.report.standing import SideTotal as SideTotal
from pbem.report.time import Absence, ClockFacts


@dataclass(frozen=True)
class PlayerFacts:
    """Who plays a seat. `by_rules`: nobody does, its answers come from the rules. `left`: they have
    left the game. `compared`: the day on which the viewer compared this fingerprint with its owner
    (null: never, or not known). `witness`: they decide nothing, and are there for their proofs.
    `called` is how sentences call them: their name, or the seat where the name is no plain one or
    not the only such."""

    seat: str
    called: str = ""
    name: str | None = None
    mail: str | None = None
    key: str | None = None
    fingerprint: str | None = None
    by_rules: bool = False
    left: bool = False
    compared: str | None = None
    witness: bool = False


def names_of(players: Iterable[PlayerFacts]) -> dict[str, str]:
    """How sentences and boards call the players, by seat."""
    return {player.seat: player.called for player in players}


@dataclass(frozen=True)
class Waiting:
    """The seat that writes next, and why. `what` is join, answer, open, seal, choice, shuffle,
    share, proof, settle, draw, root, choices, or table where the inviter says with whom they play;
    `prompt` the question in words. Where chance is asked (proof, settle), `chance` is what it gives
    (dice, choice or cards) and `roll` what for; `readers` are the seats that read cards with the
    shares that are waited for."""

    seat: str
    name: str | None
    what: str
    prompt: str | None = None
    roll: str | None = None
    chance: str | None = None
    readers: Sequence[str] = ()


@dataclass(frozen=True)
class Unread:
    """Cards of the viewer's hand that they cannot read yet, and the seats whose shares are missing
    for that."""

    count: int
    until: Sequence[str]


@dataclass(frozen=True)
class OrderOffer:
    """An order that would spare mails, and what it means to the player."""

    order: str
    words: str


@dataclass(frozen=True)
class OrderHints:
    """What the viewer may settle ahead: `topics` (preferences) and cards without an order, `others`
    those that are not held, `held` those that are; `against` are cards that are held and declined;
    `offers` are orders of which the game says that they spare mails now."""

    topics: Sequence[str]
    others: int
    held: Sequence[str]
    against: Sequence[str]
    offers: Sequence[OrderOffer] = ()


@dataclass(frozen=True)
class ShuffleFacts:
    """A shuffle of the common deck: which of how many."""

    number: int
    of: int


@dataclass(frozen=True)
class EntryFacts:
    """What one entry held. An entry in the making, which only its author sees, has no seat, name
    and date. `leave` is the last day of an announced absence, `grant` the days given to the others.
    `note` is what the author thought, null while the viewer may not read it; `no_text` says that
    what was sealed is none, `sealed_note` that a note waits for its author's root, `seen_end` that
    its author's program has verified how the game ended. `files` are those that go with it,
    `plans` what it does with sealed plans."""

    number: int
    seat: str | None
    name: str | None
    date: str | None
    message: str
    lines: Sequence[Line]
    joined: bool = False
    draw: str = ""
    resigned: bool = False
    left: bool = False
    revealed: bool = False
    shuffled: ShuffleFacts | None = None
    shares: int = 0
    leave: str | None = None
    grant: int = 0
    note: str | None = None
    no_text: bool = False
    sealed_note: bool = False
    seen_end: bool = False
    files: Sequence[AttachedFacts] = ()
    plans: Sequence[PlanFacts] = ()


@dataclass(frozen=True)
class NoteFacts:
    """A private note of the viewer, or of a player whose root is revealed. `text` is null where
    what was sealed is no text; `revealed`: everybody can read it."""

    entry: int
    seat: str
    name: str
    date: str
    text: str | None
    revealed: bool


@dataclass(frozen=True)
class Missing:
    """What a use of a card needs and does not have: the requirement ("" where the fact says it all)
    and the fact."""

    needs: str
    fact: str


@dataclass(frozen=True)
class UseFacts:
    """One use of a card, by the verb that is entered for it, and whether it is open now."""

    use: str
    now: bool
    missing: Sequence[Missing]


@dataclass(frozen=True)
class CardFacts:
    """A card of a game, in words; `uses` is None where no position is asked about, or the game
    explains none."""

    game: str
    name: str
    text: str
    uses: Sequence[UseFacts] | None = None


@dataclass(frozen=True)
class PlayedGame(Part):
    """Which game is told of, and what it is played with."""

    title: str
    game: str
    game_id: str
    entry: int
    measure: str
    options: Sequence[str]
    made_with: Sequence[str]
    dice: bool
    common_deck: bool
    has_cards: bool


@dataclass(frozen=True)
class SeenPosition(Part):
    """How the game stands for a viewer: their seat, the players, the position and their hand; and
    the entries that they are told of. The position is empty until all have joined."""

    seat: str | None
    witnessed: bool
    players: Sequence[PlayerFacts]
    when: str | None
    view: GameData
    board: object
    hand: Sequence[str] | None
    unread: Unread
    entries: Sequence[EntryFacts]


@dataclass(frozen=True)
class NextTurn(Part):
    """Who writes next and what they may say: what is asked of them, and the viewer's answers,
    newly read cards, standing orders and advice about them; and the draw that is offered."""

    asked: Waiting | None
    due: Waiting | None
    moves: Sequence[str]
    fresh: Sequence[str]
    orders: Mapping[str, Sequence[str]]
    advice: OrderHints | None
    offer: str | None


@dataclass(frozen=True)
class Progress(Part):
    """How far the game is: whether it is over, for whom it waits, and the times of its entries."""

    played_out: bool
    over: Ending | None
    to_act: str | Sequence[str]
    clock: ClockFacts | None = None
    away: Sequence[Absence] = ()
    disagree: int = 0


@dataclass(frozen=True)
class Report(Part):
    """A game as it is told to somebody. `hand` is None for a viewer who has none; `due` is what
    their entry holds without a decision, `moves` what they may answer then. `played_out`: nothing
    is left to decide, while `over` may still wait for roots. `clock`, and who is `away`, is what
    the entries claim; `disagree`: by how many days two dates contradict each other. `notes`: those
    that the viewer may read (`show --notes`). `cards`: what each card of the hand does (`show
    --cards`). `called`: the name of this one game, if it has one. `measure`: what the game counts
    itself, in one word. `sealed`: the viewer's own answers that only they can read yet.
    `plans`: their sealed plans that are not open, `prepared`: the answers to turns yet to come that
    are left in their home, in words. `may_close`: the game is over, and the viewer may
    sign that they have seen it. `series` is that of the game by its own file, if it is in one."""

    about: PlayedGame
    position: SeenPosition
    turn: NextTurn
    progress: Progress
    notes: Sequence[NoteFacts] = ()
    warnings: Sequence[str] = ()
    stale: bool = False
    cards: Sequence[CardFacts] = ()
    called: str = ""
    sealed: Sequence[str] = ()
    may_close: bool = False
    plans: Sequence[OwnPlan] = ()
    prepared: Sequence[str] = ()
    series: SeriesReport | None = None

    def with_entries(self, entries: Sequence[EntryFacts]) -> Report:
        """The same report, telling of these entries."""
        return replace(self, position=replace(self.position, entries=entries))
