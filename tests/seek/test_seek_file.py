"""The bytes of seeks against the vectors, read once more without `pbem`, and changed at random
(docs/format.md, section 24)."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from pbem.errors import Forged, Invalid, Malformed
from pbem.seek.find_seeks import seeks_in
from pbem.seek.seek_file import (
    MAX_SEEK,
    SEEK_FIELDS,
    TAKEN_FIELDS,
    Seek,
    Taken,
    read,
    signed,
    write_seek,
    write_taken,
)
from tests.vectors.make_seeks import ANN, DATE, FULL, SMALL, changed, made, seeks

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, Any] = json.loads(
    (ROOT / "tests" / "vectors" / "seeks.json").read_text(encoding="utf-8")
)


def second_reading(text: str) -> tuple[str, dict[str, Any], bytes]:
    """Kind, fields and digest of a file, as section 24 tells it: with a common TOML library, and
    with no line of `pbem`. Raises `BadSignatureError`."""
    parsed = tomllib.loads(text)
    assert parsed.pop("format") == "pbem-seek/1"
    ((kind, fields),) = parsed.items()
    signature = base64.b64decode(fields.pop("signature")["ed25519"])
    body = text[: text.index(f"[{kind}.signature]")].encode()
    digest = hashlib.sha256(body).digest()
    key = VerifyKey(base64.b64decode(fields["key"]))
    key.verify(f"pbem/1 {kind}\n".encode() + digest, signature)
    return kind, fields, digest


@pytest.mark.parametrize("case", VECTORS["read"], ids=lambda case: case["kind"])
def test_vectors_that_are_read(case: dict[str, Any]) -> None:
    kind, fields, digest = second_reading(case["file"])
    assert (kind, digest.hex()) == (case["kind"], case["digest"])
    one = read(case["file"].encode())
    assert isinstance(one, Seek if kind == "seek" else Taken)
    assert one.digest == digest and one.key.hex() == case["key"]
    assert one.signature.hex() == case["signature"] and one.data == case["file"].encode()
    if isinstance(one, Seek):
        assert one.wish.name == fields["name"] and one.wish.until == fields["until"]
        assert list(one.wish.options) == fields.get("options", [])
        assert one.wish.message == fields.get("message", "")
    else:
        assert base64.b64encode(one.seek).decode() == fields["seek"]


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["about"])
def test_vectors_that_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        read(case["file"].encode())
    assert refused.value.layer == case["layer"]
    if case["layer"] == "signature":
        with pytest.raises((BadSignatureError, ValueError)):
            second_reading(case["file"])


def test_vectors_are_what_is_written_now() -> None:
    assert seeks() == VECTORS


def test_the_specification_has_the_same_fields() -> None:
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (string|number|list) \| ([0-9 to]+) \| (.*?) \|",
        text.partition("\n## 24. ")[2].partition("\n## 25. ")[0],
        re.M,
    )
    kinds = {"string": str, "number": int, "list": list}
    told = [(key, kinds[kind], bounds, stands == "always") for key, kind, bounds, stands in rows]
    ours = [
        (key, row.kind, f"{row.least} to {row.most}" if row.most else f"{row.longest}", row.always)
        for key, row in SEEK_FIELDS.items()
    ]
    assert told == ours
    assert list(TAKEN_FIELDS) == ["date", "seek", "key"]


def test_what_is_written_is_read_again() -> None:
    one = write_seek(FULL, DATE, bytes(32), ANN.public, ANN.sign)
    assert one.wish == FULL and one.key == ANN.public and len(one.data) <= MAX_SEEK
    assert read(one.data) == one and read(one.data.replace(b"\n", b"\r\n")) == one
    ended = write_taken(one, DATE, ANN.sign)
    assert (ended.seek, ended.key) == (one.digest, one.key)


def test_a_seek_and_its_end_sign_different_things() -> None:
    """The signature of the one cannot stand for the other."""
    ended = write_taken(made(SMALL, "small"), DATE, ANN.sign)
    fields = second_reading(ended.data.decode())[1]
    body, _, _ = ended.data.partition(b"[taken.signature]")
    as_seek = signed(
        "taken", fields, lambda _: ANN.sign(b"pbem/1 seek\n" + hashlib.sha256(body).digest())
    )
    with pytest.raises(Forged):
        read(as_seek)


def test_one_changed_byte_is_refused() -> None:
    data = made(FULL, "full").data
    for place in range(len(data)):
        with pytest.raises(Invalid):
            read(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


@pytest.mark.parametrize("case", VECTORS["mutants"], ids=lambda case: case["change"])
def test_mutants_that_are_kept(case: dict[str, Any]) -> None:
    """Of the layer signature also by the reading that has no line of `pbem`."""
    good = VECTORS["read"][case["of"]]["file"].encode()
    insert = base64.b64decode(case["insert"])
    data = good[: case["at"]] + insert + good[case["at"] + case["remove"] :]
    assert hashlib.sha256(data).hexdigest() == case["sha256"]
    try:
        layer = None if read(data).data == good else "another seek"
    except Invalid as error:
        layer = error.layer
    assert layer == case["layer"]
    if layer is None:
        assert second_reading(data.replace(b"\r", b"").decode())
    elif layer == "signature":
        with pytest.raises((BadSignatureError, ValueError)):
            second_reading(data.decode())


def test_mutants_of_every_layer_are_kept() -> None:
    layers = [case["layer"] for case in VECTORS["mutants"]]
    assert {"grammar", "limit", "signature", None} <= set(layers) and len(layers) > 30


def test_mutants() -> None:
    """Whatever is changed, a file is refused in words, or is the same seek."""
    rng, whole = random.Random("mutants of seeks"), [made(SMALL, "small"), made(FULL, "full")]
    layers = set[tuple[type, str]]()
    for _ in range(4000):
        one = rng.choice(whole)
        data = one.data
        for _ in range(rng.randint(1, 3)):
            data = changed(data, rng)[1] or b"\n"
        for piece in [data, *seeks_in(data)]:
            try:
                found = read(piece)
            except Invalid as error:
                layers.add((type(error), error.layer))
            else:
                assert found.data == one.data
    assert layers == {(Malformed, "grammar"), (Malformed, "limit"), (Forged, "signature")}


def test_a_long_file_is_refused() -> None:
    whole = made(SMALL, "small").data
    for data in (whole + b"#" * 26_000_000, whole.replace(b'"Ann"', b'"' + b"A" * 5000 + b'"')):
        with pytest.raises(Malformed) as refused:
            read(data)
        assert refused.value.layer == "limit"
