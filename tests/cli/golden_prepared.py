"""Scenes for the golden texts (golden_text.py): answers that are prepared to turns to come, in a
game of `examples/boards`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from examples.correspondence import Player
from tests.support.hex_match import hex_installed
from tests.support.homes import make_home, seed_of

if TYPE_CHECKING:
    from tests.cli.golden_text import TextScript


def scenes(script: TextScript) -> None:
    with hex_installed(script.folder / "packages"):
        _at_hex(script)


def _at_hex(script: TextScript) -> None:
    """Gil prepares answers to turns of Hal, who plays one that fits and one that does not."""
    gil, hal = (_player(script, name) for name in ("Gil", "Hal"))
    invitation = gil.does("new", "hex", "--size", "5")["file"]
    joined = hal.does("join", invitation)["file"]
    game = Path(joined).stem.rpartition("-")[0]
    script.says("Gil", "play", joined, "c3", "--if", "b2 then c3")
    script.says("Gil", "play", joined, "c3", "--if", "b2")
    script.says("Gil", "play", joined, "c3", "--if", "b2 then b3; if then b4 then d2")
    script.says("Gil", "play", game, "--if", "swap then a1; e5 then e4")
    script.says("Gil", "play", game, "--drop-if", "3")
    script.says("Gil", "show", game)
    turn = hal.does("play", f"{game}-0002.toml", "b2")["file"]
    script.says("Gil", "inbox", turn)
    script.says("Gil", "play", game)
    turn = hal.does("play", f"{game}-0004.toml", "e5")["file"]
    script.says("Gil", "inbox", turn)
    script.says("Gil", "auto", "on", "--prepared")
    script.says("Gil", "auto", "off", "--prepared")


def _player(script: TextScript, name: str) -> Player:
    make_home(script.folder / name, name, seed=seed_of(name))
    made = Player(name, script.folder / name, script.folder / "mails", in_process=True)
    script.players[name] = made
    return made
