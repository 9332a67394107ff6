"""The order of work inside an entry, the same for one in a file, one that is being written, and one that is simulated.

docs/format.md, section 4. Laws:

1. First what the seat owes: the cards that its orders have played, its proof, what it opens.
2. Then its answers, in the order in which the rules ask; then its shares of the common deck.
3. Then the decisions that nobody asked for: standing orders, and seals of piles that will be needed.
4. Then what it says of ending the game or leaving it.
5. The entry ends where another seat or chance comes in; when nothing is left to decide it reveals the seat's root.

Whoever writes an entry runs the same two halves as everybody who reads it, on a game of their own.
"""

from __future__ import annotations

from pbem.errors import RulesBroken
from pbem.ledger.entry_source import EntrySource
from pbem.ledger.playing import Playing


class Unfinished(RulesBroken):
    """The entry stops before its seat has done all that is asked of it."""


def run_entry(game: Playing, source: EntrySource) -> None:
    """Let a whole entry take effect. Raises kinds of `Invalid` and `engine.flow.Refusal`."""
    is_open = game.outcome is None
    answer_rules(game, source)
    if is_open and game.referee.turn.owes(source.seat) and not game.referee.turn.waits_beyond(source.number):
        raise RulesBroken("the entry leaves out what its seat owes")
    close_entry(game, source)


def answer_rules(game: Playing, source: EntrySource) -> None:
    """Laws 1 and 2: settle what the seat owes, and answer the rules as far as the entry goes."""
    game.referee.trace.enter(source.number)
    if game.outcome is None:
        game.referee.take(source)
        game.outcome = game.outcome or game.referee.outcome
    else:
        game.referee.open_promised(source)


def close_entry(game: Playing, source: EntrySource) -> None:
    """Laws 3 to 5: what the entry decides unasked, how it ends, and the root. Raises `Unfinished` if it stops short."""
    if not game.is_over():
        game.referee.apply_orders(source)
        if source.draw != "accept":
            game.referee.seal_early(source)
    game.end_by_consent(source, source.draw, source.resigns)
    if not game.may_end(source.seat, source.number):
        raise Unfinished("the entry stops before its seat has done all that is asked of it")
    if game.is_over() and game.is_root_due(source.seat):
        root = source.root()
        if root is None:
            raise RulesBroken("a root is revealed when the game is over, and then always", layer="root")
        game.reveal(source.seat, root, source.number)
