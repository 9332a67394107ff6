"""Shuffles of the common deck that hide and prove nothing, for tests of what does not depend on
it."""

from __future__ import annotations

import pytest

from pbem.crypto import shuffle_proof

_arrange = shuffle_proof.arrange


def take_plain_shuffles(patch: pytest.MonkeyPatch) -> None:
    """From now on each seat adds its key and puts the pile in its secret order, but nothing random
    goes into a card, and the proof is zeros that are taken for true. Decryption shares and the
    check of a root are as ever."""
    patch.setattr(
        shuffle_proof, "arrange", lambda *given: (_arrange(*given)[0], [0] * len(given[0].pile))
    )
    patch.setattr(
        shuffle_proof, "prove", lambda step, *_: bytes(shuffle_proof.proof_size(len(step.pile)))
    )
    patch.setattr(shuffle_proof, "verify", lambda *_: None)
