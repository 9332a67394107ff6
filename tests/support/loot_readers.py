"""How much of the common deck some seats can read together."""

from __future__ import annotations

from pbem.crypto import elgamal
from pbem.crypto.group import mul
from pbem.ledger.common_deck import secrets_of
from tests.support.loot_match import Match


def secret(match: Match, seat: int) -> int:
    return secrets_of(match.secrets(seat).root).x


def readable(match: Match, seats: tuple[int, ...]) -> int:
    """How many cards of the pile these seats read with their secrets and the shares in the file."""
    layers, playing = match.checker.layers, match.checker.playing
    assert layers is not None
    cards = {elgamal.card_point(name) for name in match.rules.cards}
    given = (
        playing.referee.common.shares
        if playing is not None and playing.referee.common is not None
        else {}
    )
    count = 0
    for place, pair in enumerate(layers.pile):
        shares = {
            **given.get(place + 1, {}),
            **{seat: mul(secret(match, seat), pair.a) for seat in seats},
        }
        count += elgamal.card_in(pair, list(shares.values())) in cards
    return count
