"""The position in a terminal, and the names of files and games that commands take."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from engine.loot.game import RULES as LOOT
from engine.table import OpenTable
from engine.tripoli import RULES as TRIPOLI
from pbem.cli import show
from pbem.games import registry
from pbem.report import terminal
from pbem.turn import open_game
from tests.support.mail_kit import Played, go_on, start


def shown(board: Any, width: int = 100) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, markup=False).print(board)
    return out.getvalue()


def test_every_piece_and_every_change() -> None:
    before = TRIPOLI.begin({}).view(None, {})
    view = {
        **before,
        "board": {**before["board"], "Tripoli Patrol Zone": {"us_frigates": 2}},
        "gold": 3,
    }
    view["board"]["Gibraltar"] = {"us_frigates": 1, "tr_corsairs": 2}
    text = shown(terminal.board("tripoli", view, before))
    for words in (
        "2 frigates (+2)",
        "1 frigate (-2)",
        "4 corsairs",
        "Gold 3 (+3) ●●●○",
        "> 1801 <",
        "Alexandria",
    ):
        assert words in text


def test_a_game_may_have_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = registry.descriptor("loot")._replace(board=None)
    monkeypatch.setattr(registry, "descriptor", lambda name: plain)
    assert terminal.board("loot", {}, None) is None


def test_loot_in_a_terminal() -> None:
    dice = random.Random(4)
    table = OpenTable(LOOT, {"players": 4}, dice)
    views: list[dict[str, Any]] = []

    def choose(game: Any, _ask: Any, legal: Any) -> Any:
        views.append(game.view(None, {}))
        return dice.choice(legal)

    table.play(choose)
    for before, view in [*zip(views, views[4:], strict=False)][::3]:
        text = shown(terminal.board("loot", view, before), 120)
        for ship in view["ships"]:
            for attacker in ship["attackers"]:
                assert f"{attacker['side']} with {attacker['strength']} skull" in text
            for trump in ship["trumps"]:
                assert f"{trump['card']} of {trump['seat']}" in text
            leads = (
                f"{ship['leader']}, taken when {ship['taken_by']} is next"
                if ship["leader"]
                else "nobody: a tie"
            )
            assert f"leads: {leads}" in text
        for side in view["captured"]:
            assert f"{side['gold']} gold" in text


def test_a_report_is_printed_whole(
    played: Played,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    told = ""
    for home in played.homes.values():
        opened = open_game.open_file(played.newest, home)
        facts, _ = open_game.facts_for(opened, public=False)
        orders = {"american": ["hits: damage frigate"]}
        facts = replace(facts, turn=replace(facts.turn, orders=orders))
        assert show.print_position(opened, facts, home, everything=True)
        text = capsys.readouterr().out
        told += text
        assert "Your hand:" in text
        assert "he game waits for" in text or "It is your turn" in text
        assert "Tripolitania has in the Supply: " in text
        above, below = text.split("╰", 1)
        last = "It is your turn" if "It is your turn" in below else "The game waits for"
        order = ["gold ", "face up, ", "Your hand:", "Standing orders of Ann: hits", last]
        assert sorted(order, key=below.index) == order, (
            "status, hand, orders, and last what is asked"
        )
        assert not [words for words in order[1:] if words in above]
        assert (facts.position.players[0].fingerprint or "?") in text
    assert "Good luck!" in told


def test_a_name_is_no_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = go_on(
        start(tmp_path, names=("[bold red]Ann[/]", "Ben [link=http://x]")),
        1,
        message=":smile: [blink]x[/blink]",
    )
    home = game.homes[game.to_act()]
    opened = open_game.open_file(game.newest, home)
    facts, _ = open_game.facts_for(opened, public=False)
    assert show.print_position(opened, facts, home, everything=True)
    text = capsys.readouterr().out
    for words in ("[bold red]Ann[/]", "[link=http://x]", ":smile: [blink]x[/blink]"):
        assert words in text
