"""Nonsense in the fields of the common deck, signed by its seat: always refused with exit 3, never
a traceback."""

from __future__ import annotations

import pytest

from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from tests.support.loot_forging import play_card
from tests.support.loot_match import Match

NAMES = (
    "elgamal",
    "boxkey",
    "pile",
    "shuffle",
    "shares",
    "box",
    "openings",
    "answers",
    "proof",
    "seals",
)
VALUES: tuple[str | list[str], ...] = (
    "AAAA",
    "!",
    b64(bytes(32)),
    b64(bytes(64)),
    b64(bytes(96)),
    b64(bytes(148)),
    ["AAAA"],
    [f"c1 {b64(bytes(32))} blue 1"],
    [f"c900 {b64(bytes(32))} blue 1"],
    ["draw", "draw"],
    [b64(bytes(720))] * 7,
    ["A" * 960],
)


@pytest.mark.parametrize(
    ("entries", "partners"), [pytest.param(1, 1, marks=pytest.mark.slow), (3, 1), (6, 1), (7, 0)]
)
def test_nonsense(entries: int, partners: int) -> None:
    forge = Match(4, partners=partners).until(entries).forging(play_card)
    assert forge(lambda fields: None) == (0, ""), "an honest entry is taken"
    for name in NAMES:
        for value in VALUES:
            code, words = forge(lambda fields, name=name, value=value: fields.update({name: value}))  # type: ignore[misc]
            assert code == 3 and words, (name, value)


def test_every_field_is_needed() -> None:
    for entries in (2, 3, 5, 7):
        forge = Match(4, partners=1).until(entries).forging(play_card)
        present: list[str] = []
        forge(lambda fields, present=present: present.extend(k for k in fields if fields[k]))  # type: ignore[misc]
        for name in set(present) - {"mail"}:

            def drop(fields: Fields, name: str = name) -> None:
                del fields[name]

            assert forge(drop)[0] == 3, name
