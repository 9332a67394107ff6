"""What a resignation, or a word about a draw, would do, show and cost, told to its author before
anything is signed (docs/format.md, section 8)."""

from __future__ import annotations

from engine.flow import Seat
from pbem.english import counted, listed
from pbem.games.registry import goes_on_without, players_of
from pbem.ledger.playing import Playing
from pbem.turn.open_game import OpenFile
from pbem.turn.own_report import own_faces

SIGNS_THE_END = (
    "the game is over, and nothing is asked of you. This signs that your program has verified how"
    " it ended; whoever has the file can see that then, and nothing else comes of it."
)
"""What it is to sign the end of a game (docs/format.md, section 8)."""


def consequences(opened: OpenFile) -> str:
    """What comes of it if the player of this home resigns now, and what everybody can read then.
    Empty where the command is refused anyhow, or writes again what was signed before."""
    game, seat = opened.to_play(), opened.seat
    if game is None or seat is None or game.is_over():
        return ""
    stays = _stays(game, seat)
    if (
        not goes_on_without(game.rules, game.settings)
        or len({_side(game, other) for other in stays}) < 2
    ):
        who = f"{_named(game, stays)} {_verb(stays, 'wins')}"
        return f"this ends the game: {who}. {_root(opened, game, seat)}"
    partners = [game.seats[other] for other in stays if _side(game, other) == _side(game, seat)]
    alone = f" {listed(partners)} plays on alone for your side." if partners else ""
    return (
        f"you leave this game for good, and the others play on.{alone} Your key for the deck is"
        " published with this turn: whoever has the file can read your hand from then on"
        f" ({_hand(opened, game, seat)})."
    )


def _side(game: Playing, seat: Seat) -> int:
    return game.rules.side(game.settings, seat)


def _stays(game: Playing, seat: Seat) -> list[Seat]:
    """Who wins, or plays on: all others who still play, but for the partners of one who ends the
    game."""
    if not goes_on_without(game.rules, game.settings):
        others = [
            other
            for other in range(len(game.seats))
            if other not in game.rules.bystanders(game.settings)
        ]
        return [other for other in others if _side(game, other) != _side(game, seat)]
    playing = players_of(game.rules, game.settings)
    return [
        other for other in playing if other != seat and other not in game.referee.randomness.left
    ]


def _named(game: Playing, seats: list[Seat]) -> str:
    return listed(game.seats[seat] for seat in seats)


def _hand(opened: OpenFile, game: Playing, seat: Seat) -> str:
    """The hand by name, as far as its owner can read it."""
    draft = opened.draft()  # the entry deals first what is due before it, so that this is read too
    faces = own_faces(opened, draft)
    hand = (game if draft is None else draft.ledger.begun()).referee.game.hand(seat)
    known = sorted(game.rules.cards[faces[handle]] for handle in hand if handle in faces)
    unread = (
        [f"{len(hand) - len(known)} that you cannot read yet"] if len(hand) > len(known) else []
    )
    return ", ".join([*known, *unread]) or "no card"


def _root(opened: OpenFile, game: Playing, seat: Seat) -> str:
    """What the root shows that is revealed at once."""
    if not game.owes_root(seat):
        return "Nothing of yours is hidden."
    shows = "whoever has the file can read your hand from then on"
    if game.referee.common is not None and game.referee.common.partners[seat]:
        shows += ", and what your partner has shown you"
    notes = sum(note.seat == seat for note in opened.ledger.notes.sealed)
    noted = f" So are your private notes: {counted(notes, 'note')}." if notes else ""
    return (
        f"Your cards are opened for checking with this turn: {shows}"
        f" ({_hand(opened, game, seat)}).{noted}"
    )


def consequences_of_draw(opened: OpenFile, draw: str) -> str:
    """What comes of what the player of this home says of a draw now ("offer", "accept" or
    "decline"), and what it costs. Empty where the command is refused anyhow."""
    game, seat = opened.to_play(), opened.seat
    if game is None or seat is None or game.is_over():
        return ""
    others = [
        other
        for other in players_of(game.rules, game.settings)
        if other not in (seat, *game.referee.randomness.left)
    ]
    if (
        not others
        or seat not in players_of(game.rules, game.settings)
        or (draw != "offer" and game.offer is None)
    ):
        return ""
    if game.offer is None:
        who = _named(game, others)
        first = "each answer" if len(others) > 1 else "answers"
        with_turn = (
            ""
            if len(others) > 1
            else "; pbem play GAME --offer-draw offers it with your turn, and costs none"
        )
        return (
            f"an offer alone takes a turn and a round trip: {who} {first} it before you"
            f" play{with_turn}."
        )
    if draw == "offer":
        return ""
    if draw == "decline":
        return (
            f"the draw that {game.seats[game.offer.seat]} has offered is declined, and the game"
            " goes on."
        )
    left = [other for other in game.offer.open_to(others) if other != seat]
    if left:
        return (
            f"you accept the draw; it ends the game when {_named(game, left)}"
            f" {_verb(left, 'accepts')} it too."
        )
    return f"this ends the game as a draw. {_root(opened, game, seat)}"


def _verb(seats: list[Seat], one: str) -> str:
    return one if len(seats) == 1 else one.removesuffix("s")
