"""A refusal with its reason: why the card that was named cannot be used now, and what is being asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.flow import Ambiguous, Answer, Ask, Card, Handle, Illegal, Refusal, Seat
from engine.notation import NEAREST, understand
from engine.requirements import Use, why_not
from engine.rules import Game, Rules
from engine.words import meant_cards, tokens

_MOST_CARDS = 3
"""Cards that a refusal explains; words that could be more of them name none."""


def understand_answer(
    rules: Rules, game: Game, ask: Ask, text: str, legal: Mapping[str, Answer], faces: Mapping[Handle, Card]
) -> Answer:
    """The legal answer that `text` means. Raises a `Refusal` that tells what the rules say against it, or why a card
    cannot be used, by the predicates that they ask, and repeats the question. `faces` are the cards that the asked
    seat knows."""
    try:
        return understand(rules, game.respelled(ask, text), legal)
    except Refusal as refusal:
        reason = game.why_refused(ask, text)
        is_fact = bool(reason) and not reason.startswith("(")
        reasons = [reason] if is_fact else []
        if not is_fact and not isinstance(refusal, Ambiguous) and _is_about_cards(rules, text):
            reasons = _reasons(rules, game, ask, text, faces)
        told = [str(refusal), *reasons]
        if reasons and isinstance(refusal, Illegal):  # it stands against the answer that is meant: others are no help
            told = reasons
        elif reason and not is_fact:
            told[0] = f"{told[0].partition(NEAREST)[0]} {reason}"
        question = game.prompt(ask)
        if not any(question in line for line in told):
            told.append(f"you are asked: {question}")
        whole = type(refusal)("; ".join(told))
        whole.strange = refusal.strange
        raise whole from None


def _reasons(rules: Rules, game: Game, ask: Ask, text: str, faces: Mapping[Handle, Card]) -> list[str]:
    names, first = _named(rules)
    cards = meant_cards(text, names)
    if len(cards) > _MOST_CARDS:
        return []
    held = held_cards(game, ask, ask.seat, faces)
    told = []
    for card in cards:
        uses = game.card_uses(ask, ask.seat, first + card, held)
        meant = [use for use in uses if use.what in tokens(text)] or list(uses[:1])
        told += [_reason(names[card], use) for use in meant if use.unmet][:1]
    return told


def _named(rules: Rules) -> tuple[Sequence[str], Card]:
    """The cards that players of the game name in their answers, and the number of the first: where cards lie with the
    players, those."""
    on_table = tuple(rules.table_cards())
    return (on_table, len(rules.cards)) if on_table else (rules.cards, 0)


def _is_about_cards(rules: Rules, text: str) -> bool:
    """Whether the words can name a card: of cards that lie with the players only those that say "card"."""
    return not rules.table_cards() or "card" in tokens(text)


def _reason(name: str, use: Use) -> str:
    """Why not; of a card that cannot be had at all nothing but that."""
    first = use.unmet[0]
    return f"not now: {why_not(name, use.unmet if first.needs else (first,))}"


def held_cards(game: Game, ask: Ask | None, seat: Seat, faces: Mapping[Handle, Card]) -> set[Card]:
    """The cards that a seat could use at this question: those that it names, else those of the hand."""
    handles = ask.hand if ask is not None and ask.seat == seat and ask.hand else game.hand(seat)
    return {faces[handle] for handle in handles if handle in faces}
