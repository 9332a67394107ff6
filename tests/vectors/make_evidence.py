"""Writes `evidence/evidence.json`: several files of a game, and what they prove of a key that
signed two versions.

    python -m tests.vectors.make_evidence

Each file is one splice of `verdicts/tripoli.toml`, as a mutant is. docs/format.md, section 9.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.crypto import group, primitives
from pbem.crypto.group import ORDER
from pbem.fileformat import armor, turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.signatures import SIGNATURE_TAG
from tests.support.homes import key_of, seed_of
from tests.support.mutations import TRIPOLI, played
from tests.vectors.make_mutants import splice
from tests.vectors.make_verdicts import Base, put

HERE = Path(__file__).parent
Sign = Callable[[bytes], bytes]
TURN = 6
"""The entry of which there are two versions, unless something else is said."""


class Found(NamedTuple):
    """One piece of evidence, with the names of its files: of several with one version the first."""

    kind: str
    seat: str
    number: int
    files: tuple[str, ...]


@cache
def game() -> Base:
    return Base(played(TRIPOLI, "vectors"))


def signed_on(before: bytes, fields: Fields, sign: Sign) -> bytes:
    """The file with one entry more, which this key signs; nobody asks the rules."""
    body = turnfile.write_body(turnfile.in_order(fields))
    return (
        before
        + body
        + turnfile.write_signature(sign(SIGNATURE_TAG + turnfile.digest_of(before, body)))
    )


def going_on(before: bytes, numbers: range) -> bytes:
    """The file with the fields of these entries of the game, each signed by its own author."""
    for number in numbers:
        fields = game().entries[number].fields
        before = signed_on(before, fields, game().signers[str(fields["seat"])])
    return before


def other_signature(number: int) -> bytes:
    """The game up to an entry under another good signature of its author, with a nonce point of
    their choice."""
    base, entry = game(), game().entries[number]
    signer: Any = base.signers[entry.seat]
    digest = hashlib.sha512(signer.__self__.seed).digest()
    a = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    big_r = group.base(4711)
    k = (
        int.from_bytes(
            hashlib.sha512(big_r + group.base(a) + SIGNATURE_TAG + entry.digest).digest(), "little"
        )
        % ORDER
    )
    return base.resigned(number, lambda _s, _d: big_r + group.scalar_bytes(4711 + k * a))


def joined_by(name: str) -> bytes:
    """The invitation, joined by somebody else."""
    fields = {**game().entries[1].fields, "key": b64(key_of(name))}
    return signed_on(
        game().upto(0), fields, lambda message: primitives.sign(seed_of(name), message)
    )


def of_a_stranger(message: str, **other: str) -> bytes:
    """A game that a stranger begins with keys of their own, under the name of the other player."""
    name = game().entries[1].fields["name"]
    fields = {
        **game().entries[0].fields,
        "key": b64(key_of("Cleo")),
        "name": name,
        "message": message,
        **other,
    }
    return signed_on(game().before(0), fields, lambda text: primitives.sign(seed_of("Cleo"), text))


def other(number: int = TURN, message: str = "another one") -> bytes:
    """The game up to an entry that says something else."""
    return game().changed(number, put("message", message), position=False)


def author(number: int) -> str:
    return game().entries[number].seat


def broken(data: bytes, number: int) -> bytes:
    """One bit of the signature of an entry turned."""
    place = turnfile.read(data).entries[number].end - 60
    return data[:place] + (b"A" if data[place : place + 1] != b"A" else b"B") + data[place + 1 :]


Files = Mapping[str, bytes]


@cache
def cases() -> dict[str, tuple[Files, list[Found]]]:
    """Files, and what they prove."""
    base, whole, turn = game(), game().data, TURN
    twice = [Found("twice", author(turn), turn, ("a", "b"))]
    assert author(turn) != author(turn + 1)
    both = going_on(other(), range(turn + 1, turn + 5))
    answered = going_on(joined_by("Cleo"), range(2, 5))
    again = {"a": other_signature(turn), "b": base.upto(turn)}
    zero = signed_on(
        base.before(0), {**base.entries[0].fields, "message": "Hello"}, base.signers[author(0)]
    )
    fresh = {**base.entries[0].fields, "nonce": b64(bytes(32))}
    unread = other() + b'\n[[entry]]\nseat = "\xff"\n'
    cases: dict[str, tuple[Files, list[Found]]] = {
        "a turn signed twice": ({"a": whole, "b": other()}, twice),
        "the last turn signed twice": ({"a": base.upto(turn), "b": other()}, twice),
        "both went on in both versions": (
            {"a": whole, "b": both},
            [*twice, Found("versions", author(turn + 1), turn + 1, ("a", "b"))],
        ),
        "an inviter who answers two joins": (
            {"a": whole, "b": answered},
            [
                Found(
                    "versions",
                    author(0),
                    next(n for n in range(2, 5) if author(n) == author(0)),
                    ("a", "b"),
                )
            ],
        ),
        "a key that joins twice": (
            {"a": whole, "b": other(1)},
            [Found("twice", author(1), 1, ("a", "b"))],
        ),
        "an invitation signed twice": (
            {"a": whole, "b": zero},
            [Found("twice", author(0), 0, ("a", "b"))],
        ),
        "two joins by two keys": ({"a": base.upto(1), "b": joined_by("Cleo")}, []),
        "two invitations": (
            {"a": whole, "b": signed_on(base.before(0), fresh, base.signers[author(0)])},
            [],
        ),
        "the same file": ({"a": whole, "b": whole}, []),
        "an older file": ({"a": whole, "b": base.upto(turn)}, []),
        "another signature over the same bytes": (again, []),
        "an answer to each of two signatures": (
            {"a": going_on(other_signature(turn), range(turn + 1, turn + 2)), "b": whole},
            [Found("versions", author(turn + 1), turn + 1, ("a", "b"))],
        ),
        "three versions": (
            {"a": other(message="one"), "b": other(message="two"), "c": whole},
            [Found("twice", author(turn), turn, ("a", "b", "c"))],
        ),
        "two versions and an older file": (
            {"a": base.upto(3), "b": other(), "c": whole},
            [Found("twice", author(turn), turn, ("b", "c"))],
        ),
        "two joins answered, then a turn signed twice": (
            {"a": whole, "b": answered, "c": other()},
            [
                Found(
                    "versions",
                    author(0),
                    next(n for n in range(2, 5) if author(n) == author(0)),
                    ("a", "b"),
                ),
                Found("twice", author(turn), turn, ("a", "c")),
            ],
        ),
        "a signature that does not hold": ({"a": whole, "b": broken(other(), turn)}, []),
        "an earlier signature that does not hold": ({"a": whole, "b": broken(other(), 2)}, []),
        "somebody else signs for the seat": (
            {
                "a": whole,
                "b": signed_on(
                    base.before(turn),
                    base.entries[turn].fields,
                    lambda text: primitives.sign(seed_of("Cleo"), text),
                ),
            },
            [],
        ),
        "a stranger who uses a player's name": (
            {"a": whole, "b": of_a_stranger("one"), "c": of_a_stranger("two")},
            [Found("twice", author(0), 0, ("b", "c"))],
        ),
        "a stranger who writes a sentence as their seat": (
            {
                "a": whole,
                **{name: of_a_stranger(name, seat="Ben, who cheats") for name in ("b", "c")},
            },
            [],
        ),
        "no turn file": ({"a": whole, "b": b"Dear Ann,\n"}, []),
        "nothing": ({"a": whole, "b": b""}, []),
        "in armor": (
            {"a": whole, "b": b"Hello,\n\n" + armor.wrap(other()).encode() + b"\nAnn\n"},
            twice,
        ),
        "in quoted armor": (
            {"a": whole, "b": b"> " + armor.wrap(other()).encode().replace(b"\n", b"\n> ")},
            twice,
        ),
        "with CR before LF": ({"a": whole, "b": other().replace(b"\n", b"\r\n")}, twice),
        "with a byte order mark": ({"a": whole, "b": b"\xef\xbb\xbf" + other()}, twice),
        "without the last line end": ({"a": whole, "b": other()[:-1]}, twice),
        "the same, but for the line ends": (
            {"a": base.upto(turn), "b": base.upto(turn).replace(b"\n", b"\r\n")},
            [],
        ),
    }
    after = {
        "junk": other() + b"junk\n",
        "no text": unread,
        "a torn entry": both[: turnfile.read(both).entries[-1].end - 9],
    }
    after["an entry of a newer program"] = (
        other() + b'\n[[entry]]\nseat = "american"\nmood = "good"\n'
    )
    for what, data in after.items():
        expected = cases["both went on in both versions"][1] if what == "a torn entry" else twice
        cases[f"{what} after it"] = ({"a": whole, "b": data}, expected)
    return cases


def listed() -> dict[str, Any]:
    """What stands in the file: of each case the splices and the evidence."""
    found, good = {}, game().data
    for name, (files, proven) in cases().items():
        told = [{**one._asdict(), "files": list(one.files)} for one in sorted(proven)]
        found[name] = {
            "files": {file: spliced(good, data) for file, data in files.items()},
            "evidence": told,
        }
    return found


def spliced(good: bytes, data: bytes) -> dict[str, Any]:
    """How a file comes of the good one."""
    return {**splice(good, data), "sha256": hashlib.sha256(data).hexdigest()}


def main() -> None:
    text = json.dumps(listed(), indent=1, ensure_ascii=False) + "\n"
    (HERE / "evidence" / "evidence.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
