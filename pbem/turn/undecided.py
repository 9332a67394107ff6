"""The draft of an entry that decides nothing, as a program may write it by itself (`pbem.watch`):
what is owed, or the word that a seat has seen the end."""

from __future__ import annotations

from engine.flow import Answer, Ask, Refusal, Seal
from engine.rules import Game
from pbem.errors import Refused, RulesBroken
from pbem.ledger.gate import SEEN, replay
from pbem.ledger.playing import answer_rules, close_entry, run_entry
from pbem.turn.draft_entry import Draft
from pbem.turn.open_game import Opened, check_turn


class Undecided(Draft):
    """A draft that seals nothing, neither what is due nor ahead, and answers and orders nothing,
    not even where one answer is legal: seals move E (docs/format.md, section 6)."""

    def choose(self, position: Game, ask: Ask) -> Answer | None:
        return None

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:  # type: ignore[override]
        return None


def draft(opened: Opened) -> Undecided:
    """The next entry of this player, complete but for its signature, with what is due and nothing
    that decides.

    Raises `Refused` if it is not this player's turn, or a decision is asked of them: a question
    with one legal answer is a question, and whether one is asked follows from what everybody can
    see after the entry.
    """
    check_turn(opened)
    if opened.stale:
        raise opened.too_old()
    assert opened.seat is not None
    if opened.to_play() is None:
        raise Refused("somebody is still to join")
    game = replay(opened.file, opened.checks.verifier if opened.checks is not None else None)
    made = Undecided(game, opened.seat, opened.secrets())
    try:
        answer_rules(game.begun(), made)
        close_entry(game.begun(), made)
    except (RulesBroken, Refusal) as error:
        raise Refused("a decision is asked of you") from error
    return made


def closing(opened: Opened) -> Undecided:
    """The entry that says that this player's program has verified the end of the game
    (docs/format.md, section 8), complete but for its signature. Raises `Refused` if it is not
    theirs to write now."""
    seat = opened.seat
    if seat is None or not opened.may_close():
        raise Refused("the end of this game is not yours to sign now")
    game = replay(opened.file, opened.checks.verifier if opened.checks is not None else None)
    made = Undecided(game, seat, opened.secrets())
    made.fields["end"] = SEEN
    run_entry(game.begun(), made)
    return made
