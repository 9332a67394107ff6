"""A report in a terminal, and the names of files and games that commands take."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli import show
from pbem.turn import open_game, own_report
from tests.support.mail_kit import Played, go_on, start


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
        facts, _ = own_report.facts_for(opened, public=False)
        orders = {"american": ["hits: damage frigate"]}
        facts = replace(facts, turn=replace(facts.turn, orders=orders))
        assert show.print_position(opened, facts, home, everything=True)
        text = capsys.readouterr().out
        told += text
        assert " Supply: " in text
        _, above, below = text.rsplit("───\n", 2)
        asked = "your turn" if opened.seat == opened.ledger.to_act() else "waits for"
        order = ["Face up", "Your hand:", " of Ann: hits", asked]
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
    facts, _ = own_report.facts_for(opened, public=False)
    assert show.print_position(opened, facts, home, everything=True)
    text = capsys.readouterr().out
    for words in ("[bold red]Ann[/]", "[link=http://x]", ":smile: [blink]x[/blink]"):
        assert words in text
