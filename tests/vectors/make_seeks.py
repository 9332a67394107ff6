"""Writes `seeks.json`: seeks and what ends one, and changed copies that are refused.

    python -m tests.vectors.make_seeks

They are made once and kept, as those of `make.py` are."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.errors import Invalid
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.home.identity import Identity
from pbem.seek.seek_file import Result, Seek, Taken, Wish, read, signed, write_seek, write_taken
from tests.support.homes import seed_of
from tests.vectors.make import refusals, sample
from tests.vectors.make_mutants import splice

HERE = Path(__file__).parent
ANN = Identity("Ann", "ann@example.org", seed_of("Ann"))
DATE, UNTIL = "2026-11-21T09:30:00Z", "2026-12-05T09:30:00Z"
SMALL = Wish("backgammon", 2, "Ann", UNTIL, mail="ann@example.org")
FULL = Wish(
    "tripoli",
    3,
    "Ann of the club",
    "2026-12-21T09:30:00Z",
    ("hidden-discard", "start 2"),
    "american",
    "30+3",
    20,
    3,
    ("en", "pt-br"),
    "ann@example.org",
    "https://example.org/club",
    'ann in the club\'s "room"',
    40,
    (Result(sample("game"), sample("digest")), Result(sample("another game"), sample("digest"))),
    "Slow and friendly.\nA turn on most evenings 🙂",
)


def made(wish: Wish, name: str) -> Seek:
    """A seek with a nonce that follows from a name."""
    return write_seek(wish, DATE, sample(f"seek {name}"), ANN.public, ANN.sign)


def _fields(**changed: Any) -> Fields:
    """The fields of the small seek, some of them others; None leaves one out."""
    fields: Fields = {
        "date": DATE,
        "until": UNTIL,
        "nonce": b64(sample("seek small")),
        "game": "backgammon",
        "rules": 2,
        "options": [],
        "seat": "",
        "clock": "",
        "leave-days": 0,
        "languages": [],
        "name": "Ann",
        "mail": "ann@example.org",
        "page": "",
        "chat": "",
        "key": b64(ANN.public),
        "finished": 0,
        "results": [],
        "message": "",
    }
    for key, value in changed.items():
        fields[key.replace("_", "-")] = "" if value is None else value
    return fields


CHANGES: dict[str, dict[str, Any]] = {
    "no name": {"name": None},
    "no way to reach anybody": {"mail": None},
    "an address in a name": {"name": "see https://example.com"},
    "a mail address in a name": {"name": "ann@example.com"},
    "a name of blanks": {"name": "  "},
    "a mail address that is none": {"mail": "ann at example.org"},
    "a page without encryption": {"page": "http://example.org"},
    "a page with a script": {"page": "javascript:alert(1)"},
    "until its own date": {"until": DATE},
    "31 days": {"until": "2026-12-22T09:30:00Z"},
    "a second more than 30 days": {"until": "2026-12-21T09:30:01Z"},
    "a date that is none": {"date": "2026-11-21"},
    "a name that is too long": {"name": "A" * 81},
    "a message that is too long": {"message": "A" * 301},
    "an option twice": {"options": ["match 3", "match 5"]},
    "options out of order": {"options": ["match 5", "at-once"]},
    "more options than 20": {"options": [f"a{'b' * number}" for number in range(21)]},
    "leave without a clock": {"leave_days": 20},
    "a clock that is none": {"clock": "30"},
    "a language in capitals": {"languages": ["EN"]},
    "six languages": {"languages": ["de", "en", "es", "fr", "it", "pt"]},
    "a game in capitals": {"game": "Backgammon"},
    "more results than games": {"results": [f"{b64(bytes(32))} {b64(bytes(32))}"]},
    "a result twice": {"finished": 2, "results": [f"{b64(bytes(32))} {b64(bytes(32))}"] * 2},
    "an unknown field": {"rank": 3},
    "a key that is no point": {"key": b64(bytes(32))},
    "another key": {"key": b64(Identity("Ben", "", seed_of("Ben")).public)},
    "more than 4,096 bytes": {
        "finished": 20,
        "results": [f"{b64(sample(f'game {n}'))} {b64(sample('digest'))}" for n in range(20)],
        "options": [f"{'a' * 10}{chr(98 + n)}" + "c" * 29 for n in range(20)],
        "message": "é" * 300,
        "chat": "é" * 100,
        "name": "é" * 80,
        "page": "https://example.org/" + "a" * 180,
    },
}
"""Seeks that are signed well and say what none says, by what is wrong."""


def refused() -> Iterator[tuple[str, bytes]]:
    """Files that are refused, by what is wrong with them."""
    for name, changed in CHANGES.items():
        yield name, signed("seek", _fields(**changed), ANN.sign)
    whole, ended = made(SMALL, "small").data, write_taken(made(SMALL, "small"), DATE, ANN.sign)
    yield "a byte of the name changed", whole.replace(b'"Ann"', b'"Anm"')
    yield "a byte of the end changed", whole.replace(b"2026-12-05", b"2026-12-06")
    yield "its last line torn", whole[:-20]
    yield "a second seek behind it", whole + whole
    yield "a comment", whole.replace(b"\n\n[seek]", b"\n# seek\n[seek]")
    yield "another format", whole.replace(b"pbem-seek/1", b"pbem-seek/2")
    yield "a seek signed as its end", whole.replace(b"[seek", b"[taken")
    yield "the end of one signed as a seek", ended.data.replace(b"[taken", b"[seek")
    yield (
        "the end of another seek",
        ended.data.replace(b64(ended.seek).encode(), b64(bytes(32)).encode()),
    )


def changed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """The data with a byte, or a line, changed, put in, left out, moved or made long; and how."""
    place = rng.randrange(len(data))
    lines = data.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.choice(
        ["change", "insert", "remove", "cut", "swap", "double", "drop", "join", "long", "ends"]
    )
    if how == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif how == "double":
        lines.insert(other, lines[one])
    elif how == "drop":
        del lines[one]
    elif how == "long":
        lines[one] += b"x" * 5000
    elif how == "ends":
        return how, data.replace(b"\n", b"\r\n")
    elif how == "join":
        lines[one : one + 2] = [b"".join(lines[one : one + 2])]
    else:
        keep = {"change": 1, "remove": 1, "insert": 0, "cut": len(data)}[how]
        new = bytes([rng.randrange(256)]) if how in ("change", "insert") else b""
        return how, data[:place] + new + data[place + keep :]
    return how, b"\n".join(lines)


def mutants(whole: list[Seek | Taken]) -> Iterator[dict[str, Any]]:
    """Changed copies of the files that are read, each a splice of one; of those alike in change,
    file and layer the first is kept."""
    rng, seen = random.Random("mutants of seeks"), set()
    for number in range(600):
        of = number % len(whole)
        how, data = changed(whole[of].data, rng)
        try:
            layer = None if read(data).data == whole[of].data else "another"
        except Invalid as error:
            layer = error.layer
        if data == whole[of].data or (how, of, layer) in seen:
            continue
        assert layer != "another", "a change that is signed by nobody"
        seen.add((how, of, layer))
        sha256 = hashlib.sha256(data).hexdigest()
        spliced = splice(whole[of].data, data)
        yield {"change": f"{how}, {of}", "of": of, **spliced, "sha256": sha256, "layer": layer}


def seeks() -> dict[str, Any]:
    """What `seeks.json` holds."""
    small, full = made(SMALL, "small"), made(FULL, "full")
    whole: list[Seek | Taken] = [small, full, write_taken(small, UNTIL, ANN.sign)]
    return {
        "read": [
            {
                "file": one.data.decode(),
                "kind": "seek" if isinstance(one, Seek) else "taken",
                "digest": one.digest.hex(),
                "key": one.key.hex(),
                "signature": one.signature.hex(),
            }
            for one in whole
        ],
        "refused": refusals(refused(), read),
        "mutants": list(mutants(whole)),
    }


def main() -> None:
    text = json.dumps(seeks(), indent=1, ensure_ascii=False) + "\n"
    (HERE / "seeks.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
