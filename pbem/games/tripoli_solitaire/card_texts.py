"""What the cards of the solitaire game do, in our words: the American's as between two, the bot's
with what the bot needs to play them.

They stand apart from the descriptor, which every command reads: these words are made from the
rules, which it does not load.
"""

from __future__ import annotations

from engine.tripoli.battle_cards import MOMENTS
from engine.tripoli.cards import BATTLE, TABLE
from engine.tripoli.tables import TRIPOLITAN
from engine.tripoli_solitaire.reactions import PLAYED
from engine.tripoli_solitaire.requirements import REQUIRED, WAITING, never
from pbem.english import listed
from pbem.games.tripoli.cards import CARD_TEXTS as FOR_TWO
from pbem.games.tripoli.cards import EFFECTS


def _played_by_the_bot(card: int) -> str:
    """A card's text, one line for its effect and one for when the bot plays it."""
    entry = TABLE[card]
    if entry.kind == BATTLE:
        return (
            f"At {MOMENTS[card].words}: {EFFECTS[entry.name]}\nThe bot plays it at {PLAYED[card]}."
        )
    event = f"Event: {EFFECTS[entry.name]}"
    required = REQUIRED[card]
    if never in required:
        return f"{event}\nThe bot never plays it: it spends the card for Raid or Build."
    if not required:
        return f"{event}\nThe bot plays it whenever it turns it over."
    needs = f"To play it the bot needs {listed(requirement.words for requirement in required)}"
    if card in WAITING:
        return f"{event}\n{needs}; turned over too early, it joins the event card line."
    return f"{event}\n{needs}."


CARD_TEXTS = {
    entry.name: _played_by_the_bot(card) if entry.owner == TRIPOLITAN else FOR_TWO[entry.name]
    for card, entry in enumerate(TABLE)
}
"""What each card does, by its name."""
