"""Anything at all under a right signature: an entry that the gate takes, or a refusal that a player
can read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.errors import Forged, PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields, Value
from pbem.fileformat.turnfile import KEYS as EVERY_FIELD
from pbem.report import verification
from tests.support.players import AMERICAN, Pair, last_fields, retouch

STRANGE = [
    "",
    "x",
    "yes",
    "offer",
    "accept",
    "decline",
    "a1",
    "t24",
    "a999",
    "pass",
    "event Storms t1",
    "hidden-discard",
]
STRANGE += [
    "a1 " + b64(bytes(32)),
    "a1 " + b64(bytes(32)) + " Storms",
    b64(bytes(32)),
    b64(bytes(80)),
    "\n",
    "ß“𝄞",
    "a1 a1",
]
STRANGE += [
    "done",
    "roll",
    "decline",
    "american",
    "tripolitan x",
    "move with a1",
    "move with t1",
    "{}",
    "event {}",
    "%s",
]


def bent_text(text: str, chance: random.Random) -> str:
    kind = chance.randrange(6)
    place = chance.randrange(len(text) + 1)
    if kind == 0:
        return chance.choice(STRANGE)
    if kind == 1:
        return text[:place] + text[place + 1 :]
    if kind == 2:
        return text[:place] + chance.choice('a1 t9=\n\\"') + text[place:]
    if kind == 3:
        return " ".join(chance.sample(text.split(" "), len(text.split(" "))))
    if kind == 4:
        return text.swapcase()
    return text + " " + chance.choice(STRANGE)


def bent(value: Value, chance: random.Random) -> Value | None:
    if isinstance(value, int):
        return chance.choice([0, 2, 999999999])
    if isinstance(value, str):
        return bent_text(value, chance)
    kind = chance.randrange(5)
    place = chance.randrange(len(value))
    if kind == 0:
        return value[:place] + value[place + 1 :]
    if kind == 1:
        return [*value, value[place]]
    if kind == 2:
        return chance.sample(value, len(value))
    if kind == 3:
        return [*value[:place], chance.choice(STRANGE), *value[place:]]
    return [*value[:place], bent_text(value[place], chance), *value[place + 1 :]]


def invented(key: str, chance: random.Random) -> Value:
    kind = EVERY_FIELD[key][0]
    if kind is int:
        return chance.randrange(3)
    return chance.choice(STRANGE) if kind is str else chance.sample(STRANGE, chance.randrange(1, 4))


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pair, list[bytes]]:
    """Files of one game from its invitation to its end, one for every entry."""
    pair = Pair(tmp_path_factory.mktemp("nonsense"), 71).play(14)
    pair.step([], resign=True)
    pair.step([])
    file = turnfile.read(pair.data)
    return pair, [file.prefix(count) for count in range(1, len(file.entries) + 1)]


@pytest.mark.dear("tries every place of whole games")
def test_nonsense(versions: tuple[Pair, list[bytes]]) -> None:
    pair, files = versions
    chance = random.Random(72)
    taken = 0
    for _ in range(300):
        data = chance.choice(files)
        fields = last_fields(data)
        seat = ("american", "tripolitan").index(str(fields["seat"]))
        changes: dict[str, Value | None] = {}
        for _ in range(chance.choice([1, 1, 2, 3])):
            key = chance.choice(list(fields))
            changes[key] = bent(fields[key], chance) if chance.random() < 0.8 else None
        if chance.random() < 0.3:
            key = chance.choice(list(EVERY_FIELD))
            changes[key] = invented(key, chance)
        try:
            forged = retouch(data, pair.identities[seat], **changes)
        except ValueError:  # what cannot be written in the grammar at all
            continue
        facts, failure = verification.verify(forged)
        assert facts.ok == (failure is None)
        assert failure is None or (isinstance(failure, PbemError) and failure.exit_code == 3)
        taken += failure is None
    assert taken < 125


def test_a_game_of_another_program(tmp_path: Path) -> None:
    """Rules this program does not have: refused as such, with what to do, and not as a forgery."""
    pair = Pair(tmp_path, 73)
    newer, unknown = "made with a newer pbem; update yours", "which is not installed here"
    changes: list[tuple[Fields, str]] = [
        ({"rules": 2}, newer),
        ({"rules": 0}, newer),
        ({"game": "chess"}, unknown),
        ({"game": "Tripoli"}, unknown),
    ]
    for change, words in changes:
        facts, failure = verification.verify(
            retouch(pair.data, pair.identities[AMERICAN], **change)
        )
        assert failure is not None and failure.exit_code == 3 and not isinstance(failure, Forged)
        assert words in str(failure)
        assert not facts.ok
