"""Writes `vectors.json`: one small case of everything about the shared deck, with every
intermediate value.

    python -m tests.crypto.shuffle.make_vectors

Three cards, two seats: one after the other adds its key and shuffles; then both give their shares
for two positions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support import transcript
from tests.support.transcript import Nonces

HERE = Path(__file__).parent
PATH = HERE / "vectors.json"
NAMES = ("merchant 2", "blue 1", "admiral")
SECRETS = (bytes(range(32)), bytes(range(32, 64)))
CTX = ("pbem/1", "a game", "a digest", "first", "a proof")
POSITIONS = (0, 2)


def case(group: Any, derived: Any) -> dict[str, Any]:
    """Everything, with the arithmetic of `group` and the random values of the class `derived`."""
    ctx = b"".join(len(part).to_bytes(8, "big") + part.encode() for part in CTX)
    streams = [derived(secret, b"deck") for secret in SECRETS]
    x = [stream.scalar(b"key") for stream in streams]
    start = new = transcript.start(group, NAMES)
    joint, joins = group.IDENTITY, []
    for stream, mine in zip(streams, x, strict=True):
        made = _join(group, ctx, stream, mine, joint, new)
        joint, new = made["proof"]["Y'"], made["new"]
        joins.append(made)
    shares: list[dict[str, Any]] = []
    for stream, mine in zip(streams, x, strict=True):
        # A and D do not depend on w
        before = transcript.shares(group, ctx, mine, new, POSITIONS, 1)
        w = stream.bind(b"shares", ctx, group.base(mine), before["A"], before["D"]).scalar(b"w")
        shares.append({"w": w, **transcript.shares(group, ctx, mine, new, POSITIONS, w)})
    cards = [
        group.sub(new[p][1], group.total([share["d"][i] for share in shares]))
        for i, p in enumerate(POSITIONS)
    ]
    return {
        "ctx": ctx,
        "cards": {name: group.Hp(transcript.TAG + b"/card/" + name.encode()) for name in NAMES},
        "pile": start,
        "joins": joins,
        "positions": list(POSITIONS),
        "shares": shares,
        "opened": cards,
    }


def _join(
    group: Any, ctx: bytes, stream: Any, x: int, before: bytes, pile: Sequence[tuple[bytes, bytes]]
) -> dict[str, Any]:
    """One seat adds its key to the pile that it finds under the joint key `before`, and
    shuffles."""
    key = group.base(x)
    flat = b"".join(a + b for a, b in pile)
    bound = stream.bind(b"shuffle", ctx, key, before, flat)
    places, rho = bound.permutation(len(pile)), bound.scalars(b"rho", len(pile))
    new = transcript.layered(group, x, group.add(before, key), pile, places, rho)
    secret = b"".join(transcript.scalar_bytes(r, group.ORDER) for r in rho)
    secret = (
        transcript.scalar_bytes(x, group.ORDER) + b"".join(map(transcript.number, places)) + secret
    )
    fresh = stream.bind(b"proof", ctx, key, before, flat, b"".join(a + b for a, b in new), secret)
    labels = (b"r", b"r hat", b"w", b"w hat", b"w prime")
    nonces = Nonces(*(fresh.scalars(label, 5 if label == b"w" else len(pile)) for label in labels))
    matrix = transcript.matrix_of(places)
    proof = transcript.proof_of_shuffle(group, ctx, key, before, x, pile, new, matrix, rho, nonces)
    random = {"order": places, "rho": rho, "nonces": vars(nonces)}
    return {"x": x, "X": key, "Y": before, **random, "new": new, "proof": proof}


def plain(value: Any) -> Any:
    """Bytes in hexadecimal; long numbers as the 32 bytes of a scalar."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int):
        return value if value < 1000 else value.to_bytes(32, "little").hex()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value]


def text() -> str:
    from pbem.crypto import group
    from pbem.crypto.randomness import DerivedRandom

    return json.dumps(plain(case(group, DerivedRandom)), indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
