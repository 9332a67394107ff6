"""Sealed plans at the table: written, left out, signed, opened, and read by the others once they
are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.home.home import Home
from tests.any.test_any_mail import begun as begun
from tests.any.test_any_mail import played, players
from tests.mail.test_files_with_turns import Table
from tests.mail.test_files_with_turns import table as table
from tests.support.table_kit import served
from tests.table.test_table_files import Anns

__all__ = ["begun", "players"]
TEXT = "I attack Derne <b>at dawn</b>"


@pytest.fixture
def anns(table: Table, tmp_path: Path) -> Iterator[Anns]:
    with served(Home(table.ann.home), tmp_path / "out") as server:
        yield Anns(server, Home(table.ann.home), table.game)


def sealed(anns: Anns) -> list[str]:
    """The plans that the turn seals, as the page says them."""
    raw = anns.client.ask("GET", f"/game/{anns.game}").body.decode()
    return re.findall(r"Sealed with this turn[^<]*<bdi>(.*?)</bdi>", raw)


def test_a_plan_is_written_left_out_and_written_again(anns: Anns) -> None:
    anns.does(plan=TEXT, **{"seal-plan": "yes"})
    anns.does(plan="the coast", group="winter", **{"seal-plan": "yes"})
    assert sealed(anns) == ["I attack Derne &lt;b&gt;at dawn&lt;/b&gt;", "winter: the coast"]
    anns.does(**{"drop-plans": "yes"})
    assert sealed(anns) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"plan": " "}, "empty"),
        ({"plan": "é" * 200}, "256 bytes"),
        ({"plan": "the coast", "group": "Not A Word!"}, "small letters"),
    ],
)
def test_what_cannot_be_sealed_is_said_and_stays_written(
    anns: Anns, fields: dict[str, str], words: str
) -> None:
    answer = anns.does(**fields, **{"seal-plan": "yes"})
    assert words in answer.body.decode()
    assert sealed(anns) == []


def test_a_plan_that_is_not_there_is_not_opened(anns: Anns) -> None:
    assert "no sealed plan" in anns.does(**{"open-plan": "7"}).body.decode()


def test_a_plan_is_opened_with_a_turn_and_the_others_read_it(
    players: dict[str, Player], begun: str, tmp_path: Path
) -> None:
    waits = players["Ann"].does("verify", begun)["to_act"]
    file = played(players, begun, *([("Ann", "")] if waits == "france" else []))
    file = players["Ben"].does("play", file, "France's turn", "--seal", TEXT, "--no-mail")["file"]
    file = played(players, file, ("Ann", "Britain's turn"))
    with served(Home(players["Ben"].home), tmp_path / "out", tmp_path / file) as server:
        game = server.url.partition("/game/")[2].partition("?")[0]
        bens = Anns(server, Home(players["Ben"].home), game)
        assert re.search(rf"Plan 1, sealed in file \d+: <bdi>{TEXT}", bens.page())
        assert "opens with this turn" in bens.does(**{"open-plan": "1"}).body.decode()
        assert "open it with this turn" in bens.does(**{"open-plan": "1"}).body.decode()
        bens.does(**{"open-plan": "1"})
        bens.does(answer="france's turn")
        bens.does(sign="yes")
        newest = max((tmp_path / "out").glob("*.toml"))
        assert TEXT in bens.page(), "and the log has it"
    assert TEXT in players["Ann"].types("show", str(newest))[1]
