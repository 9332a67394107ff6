"""Prints what the cryptography of the shared deck costs: medians for the deck of Loot on this
machine.

python -m tests.crypto.shuffle.measure
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from engine.loot import RULES
from pbem.crypto import decryption_shares, elgamal, sealed_box, shuffle_proof
from tests.support.shuffle_table import Seats


def median(what: str, run: Callable[[], object], goal: str = "", times: int = 9) -> None:
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        run()
        spent.append(1000 * (time.perf_counter() - begun))
    print(f"{what:48}{statistics.median(spent):8.1f} ms  {goal}")


def main() -> None:
    names = [RULES.cards[card] for card in RULES.decks({})[0].contents]
    seats = Seats(2, names)
    ctx, step = seats.ctx(0), seats.step(1, seats.joined(1))
    pile, proof = seats.shuffle(1, step.pile)
    data = elgamal.write_pile(pile)
    print(f"proof {len(proof)} bytes, with its deck {len(proof) + len(data)}")
    median("join: shuffle 78 cards and prove it", lambda: seats.shuffle(1, step.pile), "150")
    median("read the shuffled deck", lambda: elgamal.read_pile(data, 78))
    median("verify a join", lambda: shuffle_proof.verify(step, pile, proof), "250")
    for count in (1, 5, 42):
        spots = list(range(count))
        given = seats.shares(0, pile, spots, "shuffle")
        median(f"make {count} shares", lambda spots=spots: seats.shares(0, pile, spots))  # type: ignore[misc]
        median(
            f"check {count} shares",
            lambda spots=spots, given=given: decryption_shares.check_shares(
                ctx, seats.keys[0], pile, spots, given
            ),  # type: ignore[misc]
        )
    secret, public = sealed_box.box_keys(seats.derived[1])
    spots = list(range(6))
    given = seats.shares(0, pile, spots, "shuffle")
    cards = [(spot, None) for spot in spots]
    sealed = sealed_box.seal_box(ctx, public, cards, given, seats.derived[0])
    median(
        "seal a box of 6 cards",
        lambda: sealed_box.seal_box(ctx, public, cards, given, seats.derived[0]),
    )
    median("open it", lambda: sealed_box.open_box(ctx, secret, seats.keys[0], pile, spots, sealed))


if __name__ == "__main__":
    main()
