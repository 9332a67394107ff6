"""What the tests put other things in the place of (`tests.conftest`) works as the program has it: a
program of its own, in which nothing is replaced, plays by the commands that a player enters and
comes through each of these parts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.effort import PATIENCE

ROOT = Path(__file__).parents[1]
REPLACED = {
    "os:fsync",
    *("pbem.report.picture:png", "pbem.mail.compose:_png", "pbem.report.render:_environment"),
    *(f"pbem.report.render:_TemplateCache.{name}" for name in ("load_bytecode", "dump_bytecode")),
    *(
        "pbem.home.make_identity:random_source",
        "pbem.turn.joining:random_source",
        "pbem.turn.take_turn:random_source",
    ),
    *("pbem.home.clock:datetime", "pbem.crypto.vrf:prove", "pbem.crypto.vrf:verify"),
    *("pbem.crypto.primitives:multiply_point", "pbem.crypto.primitives:add_points"),
    *(
        "pbem.ledger.signatures:_verify",
        "pbem.ledger.own_decks:seal_pile",
        "pbem.turn.draft_entry:seal_pile",
    ),
    *("pbem.ledger.common_deck:make_shares", "pbem.ledger.common_deck:check_shares"),
    *("pbem.ledger.common_deck:shuffle_proof", "pbem.turn.own_cards:DraftPart.layer"),
}
"""Each part by its module and its name there."""

PLAYED = """
import json, sys
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import FunctionType

from examples.correspondence import preferring, two_players

used = set()


class Noted:
    def __init__(self, name, part):
        self.name, self.part = name, part

    def __call__(self, *given, **more):
        used.add(self.name)
        return self.part(*given, **more)

    def __getattr__(self, name):
        used.add(self.name)
        return getattr(self.part, name)


def method(name, part):
    @wraps(part)
    def called(*given, **more):
        used.add(name)
        return part(*given, **more)

    return called


for name in json.loads(sys.argv[1]):
    module, _, path = name.partition(":")
    *owner, last = path.split(".")
    place = import_module(module)
    for part in owner:
        place = getattr(place, part)
    part = getattr(place, last)
    assert not getattr(part, "__module__", "").startswith("tests."), name
    setattr(place, last, method(name, part) if owner else Noted(name, part))

ann, ben = two_players(Path(sys.argv[2]), in_process=True).values()
for player in (ann, ben):
    player.does("id", "--name", player.name, "--mail", player.name.lower() + "@example.org")
for game, entries in (("tripoli", 3), ("loot", 2)):
    seats = ["--seat", "american"] if game == "tripoli" else ["--players", "2"]
    file = ann.does("new", game, *seats)["file"]
    told = ben.does("join", file)
    for _ in range(entries):
        file = told["file"]
        seen = [player.does("show", file) for player in (ann, ben)]
        player = ann if seen[0]["seat"] == seen[0]["to_act"] else ben
        told = player.does("play", file, "; ".join(player.answers(file, preferring("done"))))
    assert ann.does("verify", told["file"])["ok"]
print(json.dumps(sorted(used)))
"""


def changed() -> Iterator[str]:
    """The names in loaded modules of the program, and in its classes, in whose place code of the
    tests stands."""
    for name, module in list(sys.modules.items()):
        if name in ("os", "typer.main") or name.partition(".")[0] in ("pbem", "engine"):
            for path, part in vars(module).items():
                parts = [
                    part,
                    type(part),
                    *(vars(part).values() if isinstance(part, SimpleNamespace) else ()),
                ]
                if any(map(is_of_tests, parts)):
                    yield f"{name}:{path}"
                elif isinstance(part, type) and part.__module__ == name:
                    yield from (
                        f"{name}:{path}.{own}"
                        for own, method in vars(part).items()
                        if is_of_tests(method)
                    )


def is_of_tests(part: Any) -> bool:
    return str(getattr(part, "__module__", "")).partition(".")[0] == "tests"


def test_these_parts_and_no_others_are_replaced() -> None:
    for name in REPLACED:
        import_module(name.partition(":")[0])
    remembered = {name for name in REPLACED if name.startswith("pbem.crypto.")}
    assert set(changed()) == REPLACED - remembered
    assert all(
        hasattr(vars(import_module(module))[part], "cache_info")
        for module, part in map(parted, remembered)
    )


def parted(name: str) -> tuple[str, str]:
    module, _, part = name.partition(":")
    return module, part


@pytest.mark.dear("plays whole games in programs of their own")
def test_each_part_that_tests_replace_is_true_for_a_player(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, json.dumps(sorted(REPLACED)), str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == REPLACED
