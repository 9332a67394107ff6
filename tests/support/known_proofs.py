"""Each shuffle of the common deck is made once and checked once in a process, however many tests meet it; so is each
proof of chance. Each signature is checked once, and no point is multiplied or added twice in the same way.

Games that follow from a seed begin with the same shuffles, and the attacks on a game look at the same honest start a
hundred times: nearly all the time of the tests of Loot went into them. Making such a thing and checking it are
functions of their arguments alone, so that the same arguments give what they gave before; what any test changes (a
point, a response, a key, another seat's or file's context) is another argument, and is checked. Only what was found
true is remembered. `tests/shuffle` calls the proofs of shuffle themselves, which are not touched.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from nacl import bindings

from pbem.crypto import shuffle_proof, vrf
from pbem.crypto.elgamal import Pair
from pbem.crypto.shuffle_proof import Step
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import Entry
from pbem.ledger import signature
from pbem.ledger.common_deck import joining
from pbem.player.common_draft import DraftPart

KEPT = 1024
"""Shuffles and checks that are remembered; one takes about 20 kB."""

_layer = DraftPart.layer


@lru_cache(KEPT)
def _verify(_version: Callable[..., Any], step: Step, after: tuple[Pair, ...], proof: bytes) -> None:
    shuffle_proof.verify(step, after, proof)


def _verify_once(step: Step, after: tuple[Pair, ...], proof: bytes) -> None:
    _verify(shuffle_proof.verify, step, after, proof)  # tests put other functions there, whose word is not mixed


_made: dict[tuple[Any, ...], tuple[tuple[bytes, bytes], Fields]] = {}


def _layer_once(part: DraftPart, step: Step) -> tuple[bytes, bytes]:
    asked = (shuffle_proof.prove, step, part._root)
    if asked not in _made:
        made = _layer(part, step)
        _made[asked] = made, {name: part.fields[name] for name in ("pile", "shuffle")}
    made, fields = _made[asked]
    part.fields.update({name: list(value) if isinstance(value, list) else value for name, value in fields.items()})
    return made


_check_signature = signature._verify
_signed: set[tuple[bytes, bytes, bytes]] = set()


def _check_signature_once(key: bytes, entry: Entry) -> None:
    asked = key, entry.digest, entry.signature
    if asked not in _signed:
        _check_signature(key, entry)
        _signed.add(asked)


def install() -> None:
    """From now on, in this process."""
    vrf.prove, vrf.verify = lru_cache(8 * KEPT)(vrf.prove), lru_cache(8 * KEPT)(vrf.verify)
    for name in ("crypto_scalarmult_ed25519_noclamp", "crypto_core_ed25519_add"):
        setattr(bindings, name, lru_cache(64 * KEPT)(getattr(bindings, name)))
    signature._verify = _check_signature_once
    joining.shuffle_proof = SimpleNamespace(verify=_verify_once)  # type: ignore[assignment]
    DraftPart.layer = _layer_once  # type: ignore[method-assign]
