"""The setup of any game is written in the table's form where a game is begun."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from tests.any.test_any_setup import WAR
from tests.support.homes import make_home
from tests.support.table_kit import Client, served


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Client]:
    with served(make_home(tmp_path / "ann"), tmp_path / "out") as server:
        client = Client(server)
        client.enter()
        yield client


def invitation(folder: Path) -> turnfile.Entry:
    (path,) = folder.glob("any-*.toml")
    return turnfile.read(path.read_bytes()).entries[0]


def test_a_setup_is_written_and_its_seats_are_those_of_the_form(
    ann: Client, tmp_path: Path
) -> None:
    text = "# ours\r\n" + "\r\n".join(WAR) + "\r\nroll ?\r\n"
    fields = {"any.setup": text, "any.seat": "second"}
    answer = ann.post("/new", game="any", **fields)
    assert answer.status == 303
    first = invitation(tmp_path / "out")
    assert first.list("data") == [f"setup: {line}" for line in WAR]
    page = ann.ask("GET", answer.headers["location"]).body.decode()
    assert "Wilderness War" in page and "britain: " in page


def test_the_text_as_it_stands_there_is_no_setup(ann: Client, tmp_path: Path) -> None:
    page = unescape(ann.ask("GET", "/").body.decode())
    text = page.partition('name="any.setup"')[2].partition(">")[2].partition("</textarea>")[0]
    assert "seats ?" in text
    assert ann.post("/new", game="any", **{"any.setup": text}).status == 303
    assert invitation(tmp_path / "out").list("data") == []


def test_a_line_that_does_not_hold_is_named_and_what_was_written_stays(ann: Client) -> None:
    text = "seats ann, ben\ncounter gold: 5 to 1\n"
    answer = ann.post("/new", game="any", **{"any.setup": text})
    body = unescape(answer.body.decode())
    assert "line 2" in body and "counter gold: 5 to 1" in body
