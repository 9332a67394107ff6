"""Each field at its bound, one beyond, and in a wrong place, through both verifiers: `fields.json`,
written by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import KEYS
from pbem.ledger.signatures import Verifier
from release import doc_pages
from tests.support.mutations import TRIPOLI, played
from tests.support.second_verifier import Verdict, by_node, by_pbem, needs_node
from tests.vectors.make_verdicts import Base

CASES: dict[str, list[tuple[int, dict[str, Any], str | None]]] = json.loads(
    Path(__file__).with_name("fields.json").read_text(encoding="utf-8")
)


def spelled(value: Any) -> Any:
    """`x*20` is twenty times that letter; what follows stands after it."""
    if isinstance(value, list):
        return [spelled(one) for one in value]
    match = re.fullmatch(r"(\w)\*(\d+)(=?)", str(value))
    return match[1] * int(match[2]) + match[3] if match and isinstance(value, str) else value


def test_every_field_is_tried_at_its_bound_and_one_beyond() -> None:
    assert list(CASES) == list(KEYS), "in their order"
    for key, cases in CASES.items():
        kind, longest = KEYS[key]
        sizes = set()
        for _, fields, layer in cases:
            value = spelled(fields[key])
            texts = value if isinstance(value, list) else [value]
            sizes |= {(len(text), layer == "limit") for text in texts if isinstance(text, str)}
        if kind is not int:
            assert {(longest, False), (longest + 1, True)} <= sizes, key


def test_the_table_of_the_specification_is_the_one_that_is_read() -> None:
    page = doc_pages.FORMAT.read_text(encoding="utf-8")
    assert doc_pages.with_table(page) == page, "./run golden"


def test_a_field_without_words_is_told() -> None:
    page = doc_pages.FORMAT.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=r"\bgrant\b"):
        doc_pages.with_table(re.sub(r"\| `grant` .*\n", "", page))


@needs_node
def test_both_verifiers_say_what_is_written_of_each() -> None:
    game, verifier = Base(played(TRIPOLI, "vectors")), Verifier()
    cases = [(key, *case) for key, found in CASES.items() for case in found]
    files = []
    for _, number, changes, _ in cases:
        fields: Fields = {
            **game.entries[number].fields,
            **{key: spelled(value) for key, value in changes.items()},
        }
        signer = game.entries[number].seat
        files.append(game.signed(number, fields, signer))
    ours = [by_pbem(data, verifier) for data in files]
    theirs = by_node((data, made) for data, (_, made) in zip(files, ours, strict=True))
    wrong = []
    for (key, number, changes, layer), (mine, _), (other, reason) in zip(
        cases, ours, theirs, strict=True
    ):
        right = Verdict(layer is None, None if layer is None else number, layer)
        if mine != right or (other != right and layer != "rules"):
            wrong.append((key, number, str(changes)[:60], right, mine, other, reason))
    assert wrong == []
