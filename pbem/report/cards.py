"""What a card does, and whether it can be used now: facts as dataclasses (docs/json.md) and their
words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.flow import Ask, Card, Handle, Seat
from engine.notation import held_cards
from engine.requirements import Unmet, Use, by_reason
from engine.rules import Rules
from pbem.games import registry
from pbem.games.descriptor import load
from pbem.ledger.ledger import Ledger
from pbem.report.model import CardFacts, Missing, UseFacts


def card_names(rules: Rules) -> tuple[str, ...]:
    """Every card that can be asked about: those of the rules, and those that lie with the
    players."""
    return (*rules.cards, *rules.table_cards())


def card_text(rules: Rules, name: str) -> str:
    """What a card does; a line that says so where the game has no texts."""
    if (text := rules.table_cards().get(name)) is not None:
        return text
    reference = registry.descriptor(rules.name).card_texts
    texts: Mapping[str, str] = load(reference) if reference is not None else {}
    return texts.get(name) or "The game has no texts for its cards."


def described(rules: Rules, name: str) -> CardFacts:
    """A card without a position."""
    return CardFacts(rules.name, name, card_text(rules, name))


def described_now(
    game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], card: Card
) -> CardFacts:
    """A card for somebody who knows these faces: what its uses need now. For an onlooker what the
    hand holds stays open."""
    facts = described(game.rules, card_names(game.rules)[card])
    playing = game.playing
    if playing is None or playing.is_over():
        return facts
    referee = playing.referee
    ask = referee.turn.request if isinstance(referee.turn.request, Ask) else None
    position = referee.game
    held = None if viewer is None else held_cards(position, ask, viewer, faces)
    uses = [
        UseFacts(use.what, not use.unmet, [Missing(needs, fact) for needs, fact in use.unmet])
        for use in position.card_uses(ask, viewer, card, held)
    ]
    return CardFacts(facts.game, facts.name, facts.text, uses or None)


def described_in_hand(
    game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], hand: Iterable[str]
) -> dict[str, CardFacts]:
    """The cards with these names, each once, for somebody who knows these faces."""
    names = game.rules.cards
    return {
        name: described_now(game, viewer, faces, names.index(name)) for name in dict.fromkeys(hand)
    }


def in_words(facts: CardFacts) -> str:
    """A card as a command prints it: its name, its text, and each of its uses now."""
    lines = [facts.name, *(f"  {line}" for line in facts.text.split("\n"))]
    uses = [
        Use(use.use, tuple(Unmet(one.needs, one.fact) for one in use.missing))
        for use in facts.uses or ()
    ]
    for reason, verbs in by_reason(facts.name, uses).items():
        lines.append(
            f"  Not now ({', '.join(verbs)}): {reason}" if reason else f"  Now: {', '.join(verbs)}"
        )
    return "\n".join(lines)
