"""Signatures have one verdict everywhere: in pbem, in plain integers, in libsodium's JavaScript,
and in the second verifier. OpenSSL, which checked them before libsodium did, agrees on all of them,
given a key that is a point of prime order."""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.crypto import group, primitives
from pbem.crypto.group import IDENTITY, ORDER
from pbem.fileformat import turnfile
from pbem.ledger.signatures import SIGNATURE_TAG, holds
from tests.replay.test_multiples import in_node
from tests.support import slow_ed25519 as slow
from tests.support.bad_points import BAD, torsion
from tests.support.browsers import FOLDER
from tests.support.second_verifier import NODE, VERIFIER, needs_node

ROOT = Path(__file__).parents[2]
HAS_SODIUM = (FOLDER / "node_modules" / "libsodium-wrappers-sumo").is_dir()
needs_sodium = pytest.mark.skipif(
    NODE is None or not HAS_SODIUM,
    reason="libsodium-wrappers-sumo is not installed: npm ci --ignore-scripts in tests/browser",
)


class Case(NamedTuple):
    """A signature that someone claims to be the key's for a message; `about` says what it is."""

    about: str
    key: bytes
    message: bytes
    signature: bytes

    def statement(self) -> tuple[bytes, bytes, bytes]:
        return self.key, self.message, self.signature


def vectors() -> dict[Case, bool]:
    listed = json.loads(
        (ROOT / "tests" / "vectors" / "signatures.json").read_text(encoding="utf-8")
    )["cases"]
    return {
        Case(
            one["name"], *(bytes.fromhex(one[part]) for part in ("key", "message", "signature"))
        ): one["holds"]
        for one in listed
    }


def entries() -> list[Case]:
    """Signed entries of a game of each kind."""
    found = []
    for name in ("tripoli-1", "loot-1-two", "paradise-4-witnessed"):
        file = turnfile.read((ROOT / "tests" / "archive" / f"{name}.toml").read_bytes())
        keys = {str(e.fields["seat"]): e.blob("key", 32) for e in file.entries if "key" in e.fields}
        chosen = file.entries[:2] + file.entries[-2:]
        found += [
            Case(name, keys[one.seat], SIGNATURE_TAG + one.digest, one.signature) for one in chosen
        ]
    return found


def changed(one: Case, rng: random.Random) -> Iterator[Case]:
    """The signature of an entry, and every way to spoil it."""
    _, key, message, signature = one
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    yield one
    for about, place in (("key", 0), ("message", 1), ("R", 2), ("s", 3)):
        for _ in range(4):
            parts = [bytearray(part) for part in (key, message, r, signature[32:])]
            parts[place][rng.randrange(len(parts[place]))] ^= 1 << rng.randrange(8)
            yield Case(
                f"a bit of {about} turned", *map(bytes, (parts[0], parts[1], parts[2] + parts[3]))
            )
    for times in range(1, 16):
        yield Case(f"s + {times} L", key, message, r + (s + times * ORDER).to_bytes(32, "little"))
    for value in (0, 1, ORDER - s, ORDER - 1, ORDER, 2**253, 2**255, 2**256 - 1):
        yield Case(f"s = {value}", key, message, r + value.to_bytes(32, "little"))
    for about, point in BAD.items():
        yield Case(f"R is {about}", key, message, point + signature[32:])
        yield Case(f"the key is {about}", point, message, signature)
    for point in torsion():
        yield Case("small order added to R", key, message, group.add(r, point) + signature[32:])
        yield Case("small order added to the key", group.add(key, point), message, signature)
    yield Case("R negated", key, message, group.sub(IDENTITY, r) + signature[32:])
    yield Case("another's key", group.BASE, message, signature)


def crafted(rng: random.Random) -> Iterator[Case]:
    """What the owner of a key can sign with a nonce of their choice: R of small and of mixed order,
    in each spelling, with an s that satisfies the equation up to a point of small order."""
    for about, point in [
        *BAD.items(),
        *((f"small order {n}, added", point) for n, point in enumerate(torsion())),
    ]:
        a, nonce = rng.randrange(1, ORDER), rng.randrange(1, ORDER)
        key, message = group.base(a), SIGNATURE_TAG + rng.randbytes(32)
        is_added = about.endswith("added")
        r = group.add(group.base(nonce), point) if is_added else point
        k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")
        s = ((nonce if is_added else 1 if "right point" in about else 0) + k * a) % ORDER
        yield Case(f"crafted, R is {about}", key, message, r + s.to_bytes(32, "little"))
        yield Case(
            f"crafted, s + L, R is {about}", key, message, r + (s + ORDER).to_bytes(32, "little")
        )


@cache
def cases() -> tuple[Case, ...]:
    rng = random.Random("signatures")
    spoiled = [case for one in entries() for case in changed(one, rng)]
    return (*vectors(), *spoiled, *(case for _ in range(4) for case in crafted(rng)))


@cache
def verdicts() -> tuple[bool, ...]:
    return tuple(holds(*one.statement()) for one in cases())


def different(others: Sequence[bool]) -> list[tuple[str, bool]]:
    """The cases of which somebody says something else than pbem does."""
    assert len(others) == len(cases())
    told = zip(cases(), verdicts(), others, strict=True)
    return [(one.about, mine) for one, mine, other in told if mine != other]


def test_pbem_says_of_the_vectors_what_is_listed() -> None:
    listed = vectors()
    assert len(listed) == 16 and set(listed.values()) == {True, False}
    assert {one: holds(*one.statement()) for one in listed} == listed
    assert {one: slow.is_signature(*one.statement()) for one in listed} == listed


def test_the_cases_are_of_every_kind() -> None:
    good = [one for one, held in zip(cases(), verdicts(), strict=True) if held]
    assert len(cases()) > 1500
    assert {one.about for one in good if not one.about.startswith("crafted")} >= {
        "good",
        "tripoli-1",
        "loot-1-two",
    }
    neutral = {one.about for one in good if one.signature[:32] == IDENTITY}
    assert neutral == {
        "R neutral canonical",
        "crafted, R is identity",
        "crafted, R is small order, multiple 0",
    }
    refused = {one.about for one in cases()} - {one.about for one in good}
    assert {"s+L", "R mixed order 8", "crafted, R is small order 4, added", "s + 1 L"} <= refused


def by_openssl(one: Case) -> bool:
    """The verdict of pbem before libsodium gave it."""
    if not group.is_point(one.key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(one.key).verify(one.signature, one.message)
    except InvalidSignature:
        return False
    return True


def test_openssl_says_so_too() -> None:
    assert different([by_openssl(one) for one in cases()]) == []


def test_plain_integers_say_so_too() -> None:
    """Of every seventh case, since each takes them some milliseconds."""
    some = list(zip(cases(), verdicts(), strict=True))[::7]
    assert [one.about for one, held in some if slow.is_signature(*one.statement()) != held] == []
    assert {held for _, held in some} == {True, False}


def test_libsodium_alone_refuses_what_the_rule_takes() -> None:
    """Only the neutral point: without it no rule of our own would be needed."""
    alone = [
        group.is_point(one.key) and primitives.is_signature(*one.statement()) for one in cases()
    ]
    others = different(alone)
    assert others and all(
        (held and "R neutral" in about) or "crafted, R is" in about for about, held in others
    )


@needs_sodium
def test_libsodium_in_javascript_says_so_too() -> None:
    given = json.dumps([[part.hex() for part in one.statement()] for one in cases()])
    command = [str(NODE), str(FOLDER / "signatures.mjs")]
    run = subprocess.run(command, input=given.encode(), capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert different(json.loads(run.stdout)) == []


CURVE = """
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
function holds(key, digest, signature) {
  try {
    pbem.checkSignature(bytes(key), bytes(digest), bytes(signature));
    return true;
  } catch (error) {
    if (error instanceof pbem.Failure) return false;
    throw error;
  }
}
console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf-8")).map((one) => holds(...one))));
"""  # noqa: E501


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_the_second_verifier_says_so_too() -> None:
    """Of messages as entries have them: the tag and a digest."""
    ours = [
        one.message.startswith(SIGNATURE_TAG) and len(one.message) == len(SIGNATURE_TAG) + 32
        for one in cases()
    ]
    assert sum(ours) > 1000
    given = [
        [one.key.hex(), one.message.removeprefix(SIGNATURE_TAG).hex(), one.signature.hex()]
        for one in cases()
    ]
    asked = [one for one, is_ours in zip(given, ours, strict=True) if is_ours]
    found = iter(in_node(CURVE, json.dumps(asked)))
    assert (
        different(
            [
                next(found) if is_ours else held
                for is_ours, held in zip(ours, verdicts(), strict=True)
            ]
        )
        == []
    )


def own_text(path: Path) -> str:
    """A page or script without the bundle of noble, which is one line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith("var noble="))


OURS = re.compile(
    r"pbem\.noble\.ed25519\.Point;|\\ned25519 = |get\(\"ed25519\"\)|holds ed25519 and nothing|"
    r"crypto\.getRandomValues\(|crypto\.randomUUID\(|crypto\?\.subtle\)|crypto\.subtle\.digest\("
)
"""The points of noble, the field of an entry, and random bytes and hashes in the page."""


def foreign_checks(text: str) -> list[str]:
    """What a text takes of noble's signatures, or of the browser's."""
    foreign = r"\bed25519\b.{,9}|\w*[sS]ubtle\w*|\bEd25519\b[\"']|\bcrypto\.\w+"
    return re.findall(foreign, OURS.sub("", text))


def test_no_page_checks_signatures_by_noble_or_the_browser() -> None:
    """Their rules are not ours where a point has small order (docs/format.md, section 3)."""
    scripts = [path for path in (ROOT / "templates").rglob("*.js") if path.parent.name != "noble"]
    pages = [*(ROOT / "templates").rglob("*.html.j2"), ROOT / "docs" / "check.html"]
    assert len(scripts) > 15 and "pbem.noble.ed25519.Point" in own_text(pages[-1])
    assert {path.name: foreign_checks(own_text(path)) for path in [*scripts, *pages]} == {
        path.name: [] for path in [*scripts, *pages]
    }
    for wrong in (
        "noble.ed25519.verify(",
        "const { ed25519 } = noble",
        "crypto.subtle.verify",
        'name: "Ed25519"',
    ):
        assert foreign_checks(wrong), wrong


@needs_node
def test_a_file_is_checked_without_the_signatures_of_noble_and_of_node() -> None:
    """Both are taken away, and the verdicts on a good file and on one with a wrong signature
    stay."""
    names = [
        str(ROOT / "tests" / "vectors" / "verdicts" / f"{name}.toml")
        for name in ("tripoli", "signature-bit")
    ]
    script = f"""
      const place = {json.dumps(str(VERIFIER.with_name("noble.js")))}, noble = require(place);
      const nobody = () => {{ throw new Error("asked for a signature"); }};
      require.cache[require.resolve(place)].exports = {{ ...noble, ed25519: {{ Point: noble.ed25519.Point }} }};
      Object.defineProperty(globalThis, "crypto", {{ get: nobody }});
      require({json.dumps(str(VERIFIER))});
      const read = (name) => new Uint8Array(require("node:fs").readFileSync(name));
      const none = pbem.noble.ed25519.verify === undefined && noble.ed25519.verify !== undefined;
      console.log(JSON.stringify([none, ...{json.dumps(names)}.map((name) => pbem.verify(read(name)).ok)]));
    """  # noqa: E501
    run = subprocess.run([str(NODE), "-e", script], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert json.loads(run.stdout) == [True, True, False]
