"""A libsodium that does not tell the subgroup from the curve: nothing runs with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from nacl import bindings

from pbem.crypto import primitives
from pbem.errors import USAGE, Unsafe
from tests.support import slow_ed25519 as slow

OLD_LIBRARY = """
import sys
from nacl import bindings
sound = bindings.crypto_core_ed25519_is_valid_point
taken = bytes.fromhex(sys.argv.pop(1))
bindings.crypto_core_ed25519_is_valid_point = lambda point: point == taken or sound(point)
from pbem.__main__ import main
main()
"""
"""A `pbem` whose libsodium takes one point that it should refuse."""


def test_the_points_tried_are_of_the_orders_that_they_should_be() -> None:
    found = []
    for data in primitives.OUTSIDE:
        point = slow.decode(data)
        assert point is not None and slow.encode(point) == data
        factors = (1, 2, 4, 8, slow.ORDER, 2 * slow.ORDER, 4 * slow.ORDER, 8 * slow.ORDER)
        found.append(next(order for order in factors if slow.times(order, point) == (0, 1)))
    assert found == [2, 2 * slow.ORDER, 4 * slow.ORDER, 8 * slow.ORDER]


def test_the_library_at_hand_is_sound() -> None:
    primitives.check_library()


@pytest.mark.parametrize("taken", primitives.OUTSIDE, ids=["2", "2L", "4L", "8L"])
def test_a_library_that_takes_a_wrong_point(taken: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = bindings.crypto_core_ed25519_is_valid_point
    monkeypatch.setattr(
        bindings, "crypto_core_ed25519_is_valid_point", lambda point: point == taken or sound(point)
    )
    with pytest.raises(Unsafe, match="libsodium"):
        primitives.check_library()


def test_a_library_that_refuses_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda _point: False)
    with pytest.raises(Unsafe):
        primitives.check_library()


@pytest.mark.parametrize(
    "entered", [["verify", "game.toml"], ["new", "loot"], ["id", "--name", "Ann"], ["inbox"]]
)
def test_no_command_runs_with_an_older_library(entered: list[str], tmp_path: Path) -> None:
    order_2l = primitives.OUTSIDE[1].hex()
    command = [sys.executable, "-c", OLD_LIBRARY, order_2l, *entered]
    (tmp_path / "game.toml").write_text('format = "pbem/1"\n')
    environment = {
        "PBEM_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert re.fullmatch(
        r"pbem: the libsodium library .*\(hint: install PyNaCl .*\)\n", done.stderr
    ), done.stderr
    assert not (tmp_path / "home").exists()
