"""Each shuffle of the common deck is made once and checked once in a process, however many tests
meet it; so is each proof of chance. Each signature is checked once, each pile of an own deck is
sealed once, and no point is multiplied or added twice in the same way.

Games that follow from a seed begin with the same shuffles, and the attacks on a game look at the
same honest start a hundred times: nearly all the time of the tests of Loot went into them. Making
such a thing and checking it are functions of their arguments alone, so that the same arguments give
what they gave before; what any test changes (a point, a response, a key, another seat's or file's
context) is another argument, and is checked. Only what was found true is remembered.
`tests/crypto/shuffle` calls the proofs of shuffle themselves, which are not touched.

What the program's own prover made here is true for the checker of a game too, but for the first
shuffle and the first shares of a kind, which are checked: that honest proofs pass is what
`tests/crypto/shuffle` shows, the vectors, and every archived game and example, whose proofs nobody
made in this process. It is true for this very statement: a game that does not come to the same
pile, key, positions and context as its maker did has its proof checked and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from engine.cards import Deck
from engine.flow import Card, Handle
from pbem.crypto import decryption_shares, elgamal, primitives, shuffle_proof, vrf
from pbem.crypto.decryption_shares import Shares
from pbem.crypto.elgamal import Pair, Pile
from pbem.crypto.group import IDENTITY
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.shuffle_proof import ShuffleStep
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import Entry
from pbem.ledger import common_deck, own_decks, signatures
from pbem.ledger.own_decks import OpenPile
from pbem.turn import draft_entry
from pbem.turn.own_cards import DraftPart
from tests.support.effort import UNAIDED

KEPT = 1024
"""Shuffles and checks that are remembered; one takes about 20 kB."""

_layer = DraftPart.layer


@lru_cache(KEPT)
def _verify(
    _version: Callable[..., Any], step: ShuffleStep, after: tuple[Pair, ...], proof: bytes
) -> None:
    shuffle_proof.verify(step, after, proof)


def _verify_once(step: ShuffleStep, after: tuple[Pair, ...], proof: bytes) -> None:
    if (step, elgamal.write_pile(after), proof) not in _true:
        # tests put other functions there, whose word is not mixed
        _verify(shuffle_proof.verify, step, after, proof)


_prover, _verifier, _shares_prover = (
    shuffle_proof.prove,
    shuffle_proof.verify,
    decryption_shares.make_shares,
)
_kinds: set[tuple[Any, ...]] = set()
_true: set[tuple[Any, ...]] = set()
"""Statements with proofs that the program's own prover made here."""


def _remember(kind: tuple[Any, ...], *statement: Any) -> None:
    """The statement is true, unless it is the first of its kind, which is left to be checked."""
    if kind in _kinds:
        _true.add(statement)
    _kinds.add(kind)


_made: dict[tuple[Any, ...], tuple[tuple[bytes, bytes], Fields]] = {}


def _layer_once(part: DraftPart, step: ShuffleStep) -> tuple[bytes, bytes]:
    asked = (shuffle_proof.prove, step, part._root)
    if asked not in _made:
        made = _layer(part, step)
        if (shuffle_proof.prove, shuffle_proof.verify) == (_prover, _verifier):
            _remember(("shuffle", len(step.pile), step.before == IDENTITY), step, *made)
        _made[asked] = made, {name: part.fields[name] for name in ("pile", "shuffle")}
    made, fields = _made[asked]
    part.fields.update(
        {name: list(value) if isinstance(value, list) else value for name, value in fields.items()}
    )
    return made


def _make_shares(
    ctx: bytes, x: int, pile: Pile, positions: Sequence[int], derived: DerivedRandom
) -> Shares:
    made = _shares_prover(ctx, x, pile, positions, derived)
    statement = ctx, elgamal.seat_key(x), tuple(pile), tuple(positions), made
    _remember(("shares", len(positions) == 1), *statement)
    return made


def _check_shares(
    ctx: bytes, key: bytes, pile: tuple[Pair, ...], positions: tuple[int, ...], shares: Shares
) -> None:
    if (ctx, key, pile, positions, shares) not in _true:
        decryption_shares.check_shares(ctx, key, pile, positions, shares)


_check_signature = signatures._verify
_signed: set[tuple[bytes, bytes, bytes]] = set()


def _check_signature_once(key: bytes, entry: Entry) -> None:
    asked = key, entry.digest, entry.signature
    if asked not in _signed:
        _check_signature(key, entry)
        _signed.add(asked)


_seal_pile = own_decks.seal_pile


@lru_cache(2 * KEPT)
def _sealed(_parts: tuple[Callable[..., Any], ...], arguments: tuple[Any, ...]) -> OpenPile:
    return _seal_pile(*arguments)


def _seal_once(
    root: bytes,
    game_id: bytes,
    deck: Deck,
    generation: int,
    handles: Sequence[Handle],
    cards: Sequence[Card],
    entry: int,
    names: Sequence[str],
) -> OpenPile:
    parts = (own_decks.commitment, own_decks.from_root)  # tests put other functions there too
    return _sealed(
        parts, (root, game_id, deck, generation, tuple(handles), tuple(cards), entry, tuple(names))
    )


class _Proofs:
    """The module of the proof of shuffle, but for its check."""

    verify = staticmethod(_verify_once)

    def __getattr__(self, name: str) -> Any:
        return getattr(shuffle_proof, name)


def install() -> None:
    """From now on, in this process, unless the run is unaided."""
    if UNAIDED:
        return
    vrf.prove, vrf.verify = lru_cache(8 * KEPT)(vrf.prove), lru_cache(8 * KEPT)(vrf.verify)
    for name in ("multiply_point", "add_points"):
        setattr(primitives, name, lru_cache(64 * KEPT)(getattr(primitives, name)))
    signatures._verify = _check_signature_once
    common_deck.make_shares, common_deck.check_shares = _make_shares, _check_shares  # type: ignore[assignment]
    own_decks.seal_pile = draft_entry.seal_pile = _seal_once
    common_deck.shuffle_proof = _Proofs()  # type: ignore[assignment]
    DraftPart.layer = _layer_once  # type: ignore[method-assign]
