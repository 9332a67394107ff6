"""What Loot by turn files costs on this machine, beside the figures to reach; `./run bench` prints
it."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from engine.flow import Ask
from pbem.crypto import elgamal, group, shuffle_proof
from pbem.fileformat import turnfile
from pbem.ledger import common_deck
from pbem.ledger.gate import replay
from pbem.ledger.signatures import Verifier
from pbem.report import verification
from pbem.turn import common_hand, own_cards
from tests.support.loot_match import Match, anything

DECK = ("pile", "shuffle", "shares", "box")


def forget() -> None:
    """As if the program had just been started."""
    caches = (
        common_deck._read_pile,
        common_deck._starting_pile,
        common_deck._check_shares,
        common_deck._card_in,
    )
    for cached in (
        *caches,
        common_hand._own_share,
        common_hand._open_box,
        common_deck._layer_from_root,
        group.is_point,
    ):
        cached.cache_clear()


def spent(run: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    begun = time.process_time()
    run()
    return 1000 * (time.process_time() - begun)


CRYPTOGRAPHY = (
    (own_cards.DraftPart, "shares"),
    (own_cards.DraftPart, "boxes"),
    (common_deck, "_check_shares"),
    (common_deck, "_card_in"),
    (common_hand, "_own_share"),
    (common_hand, "_open_box"),
)
"""Where a turn's work on the common deck is done, once the pile is shuffled."""


class Stopwatch:
    """Adds up the time spent in these functions, each counted once where one calls another."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._inside = False

    def timed(self, work: Callable[..., object]) -> Callable[..., object]:
        def timed(*given: object) -> object:
            if self._inside:
                return work(*given)
            self._inside, begun = True, time.process_time()
            try:
                return work(*given)
            finally:
                self.spent += 1000 * (time.process_time() - begun)
                self._inside = False

        return timed

    @contextmanager
    def running(self) -> Iterator[None]:
        with ExitStack() as stack:
            for room, name in CRYPTOGRAPHY:
                stack.enter_context(patch.object(room, name, self.timed(getattr(room, name))))
            yield


FIGURES: list[tuple[str, str, str]] = []


def line(what: str, value: str, goal: str) -> None:
    FIGURES.append((what, value, goal))


def figures() -> list[tuple[str, str, str]]:
    """Everything measured: what, figure, goal."""
    FIGURES.clear()
    shuffles()
    for players, pairs in ((2, 0), (3, 0), (4, 1), (5, 0), (8, 1)):
        set_up(players, pairs)
    for players, pairs in ((2, 0), (5, 0), (8, 1)):
        game(players, pairs)
    return FIGURES


def shuffles() -> None:
    match = Match(2).until(2)
    layers = match.checker.layers
    assert layers is not None
    seat, step, after = layers.shuffles[-1]
    secret = common_deck.secrets_of(match.secrets(seat).root)
    pile, proof = shuffle_proof.shuffle(step, secret.x, secret.randomness)
    size = len(elgamal.write_pile(pile))
    line("join: proof of layer and shuffle, 78 cards", f"{len(proof)} bytes", "10,176")
    line("with its deck", f"{len(proof) + size} bytes", "15,500")
    times = [
        spent(lambda: shuffle_proof.shuffle(step, secret.x, secret.randomness)) for _ in range(5)
    ]
    line("made in", f"{statistics.median(times):.0f} ms", "150")
    times = [spent(lambda: shuffle_proof.verify(step, after, proof)) for _ in range(5)]
    line("verified in", f"{statistics.median(times):.0f} ms", "250")


def set_up(count: int, partners: int) -> None:
    """Each player's time: for every entry they write, the file read and checked anew, the entry
    made and checked."""
    match = Match(count, kept=True, partners=partners)
    mine = [0.0] * count
    remembered = [Verifier() for _ in range(count)]
    while True:
        turn = None if match.maker.playing is None else match.maker.playing.referee.turn
        if turn is not None and isinstance(turn.request, Ask) and not turn.seats_owing_shares():
            break
        seat = match.maker.to_act()
        assert seat is not None
        forget()
        if match.maker.entries:
            data = match.data
            checks = remembered[seat]
            mine[seat] += spent(
                lambda data=data, checks=checks: replay(turnfile.read(data), checks)
            )  # type: ignore[misc]
        mine[seat] += spent(match.step)
    what = f"{count} players{' in pairs' if partners else ''}"
    line(f"{what}: mails before the first move", str(len(match.maker.entries)), str(2 * count - 2))
    line(f"{what}: file before the first move", f"{len(match.data)} bytes", "190,000 (eight)")
    line(
        f"{what}: set-up, the slowest player's time in all", f"{max(mine):.0f} ms", "2,000 (eight)"
    )


def game(count: int, partners: int) -> None:
    """A game's turns after each seat's first: that one pays for the whole deal."""
    match = Match(count, seed=3, kept=True, partners=partners).until(2 * count - 2)
    choose, deck, whole, cost, proofs = anything(random.Random(2)), [], [], [], []
    moved: set[str] = set()
    while match.maker.to_act() is not None:
        watch = Stopwatch()
        with watch.running():
            took = spent(lambda: match.step(choose))
        entry, bare = match.maker.entries[-1], {}
        if entry.seat not in moved or not entry.list("answers") or "root" in entry.fields:
            moved.add(entry.seat)
            continue
        cost.append(took)
        proofs.append(watch.spent)
        bare = {key: value for key, value in entry.fields.items() if key not in DECK}
        bare["openings"] = []
        size = len(turnfile.write_body(entry.fields))
        deck.append(size - len(turnfile.write_body(turnfile.in_order(bare))))
        words = sum(len(text) for text in entry.list("answers"))
        whole.append(size + len(turnfile.write_signature(bytes(64))) - words)
    what = f"{count} players{' in pairs' if partners else ''}"
    line(f"{what}: a turn, bytes for the deck, median, 99 %, most", ranged(deck, "d"), "600 (99 %)")
    line(f"{what}: a turn, all bytes but its words, median, 99 %, most", ranged(whole, "d"), "")
    line(
        f"{what}: a turn's cryptography, ms, median, 99 %, most",
        ranged(proofs, ".1f"),
        "20 (median)",
    )
    line(f"{what}: a whole turn, made and checked, ms, median, 99 %, most", ranged(cost, ".0f"), "")
    forget()
    taken = spent(lambda: verification.verify(match.data))
    line(
        f"{what}: a complete game, {len(match.maker.entries)} entries, verified",
        f"{taken:.0f} ms",
        "5,000 (five)",
    )
    line(f"{what}: its file", f"{len(match.data)} bytes", "")


def ranged(found: Sequence[float], spelled: str) -> str:
    """Median, 99th percentile (nearest rank) and the largest."""
    ordered = sorted(found)
    rank = -(-99 * len(ordered) // 100) - 1
    values = (statistics.median_low(ordered), ordered[rank], ordered[-1])
    return ", ".join(format(value, spelled) for value in values)
