"""`tests/bench/peers.py`: a peer that is there is played against, one that is not is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bench import peers

MODULE = """
exports.scenarios = [ "Standard" ]
exports.roles = [ "Red", "Blue" ]
exports.setup = (seed) => ({ seed, left: 9, active: "Both", state: "take" })
const actions = { undo: 1, pass: 0, wait: 1, take: [ 1, 2 ] }
exports.view = (game, role) => role === "Blue" && game.left % 2 ? {} : { actions }
exports.action = (game, role, verb, noun) => {
    if (verb === "undo" || verb === "pass") throw new Error(verb)
    if (verb === "take" && (noun !== 1 && noun !== 2)) throw new Error("take what?")
    game.left -= noun ?? 0
    return game.left > 0 ? game : { state: "game_over" }
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_rules_of_rally_the_troops_are_played_at_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.js").write_text(MODULE, encoding="utf-8")
    monkeypatch.setenv("RALLY_TRIPOLI", str(tmp_path))
    monkeypatch.setattr(peers, "ROUNDS", 1)
    monkeypatch.setitem(peers.GAMES, "tripoli", (3, 1))
    _, times, speeds = peers.rally_the_troops()
    assert float(times) >= 0 and speeds.endswith(" a second")


def test_a_peer_that_is_not_here_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RALLY_TRIPOLI", str(tmp_path))
    monkeypatch.setattr(peers, "find_spec", lambda _: None)
    assert [(figure, "Tripoli" in what) for what, figure, _ in peers.figures()] == [
        ("skipped", False),
        ("skipped", True),
    ]
