"""A result of dice that the player entered by hand is unproven wherever it is told (paradise ruling
26): in words and in JSON, one test for each place. Roots are all there, so that nothing else keeps
it from being proven."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.library import archive
from pbem.report import render, verification
from pbem.report.facts import report
from pbem.turn import signing
from tests.support.paradise_kit import by_verb
from tests.support.paradise_match import invite
from tests.support.solitaire_kit import home_of, play_on
from tests.table.test_table_request import Reader

IN_A_LIST = "; unproven, with dice entered by hand"
IN_A_REPORT = "It is unproven: the dice were thrown at the table and entered"
ENTERED = "unproven: the player threw the dice at the table and entered them"


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home_of(tmp_path_factory.mktemp("homes"), "Ann")


@pytest.fixture(scope="module")
def data(ann: Home) -> bytes:
    return play_on(invite(ann, own_dice=1), [ann], by_verb(random.Random(4)))


@pytest.fixture(scope="module")
def game(data: bytes) -> Ledger:
    return replay(turnfile.read(data))


@pytest.fixture
def player(ann: Home, data: bytes, tmp_path: Path) -> Player:
    """Ann with the file, and a folder of it."""
    (tmp_path / "games").mkdir()
    for path in (tmp_path / "turn.toml", tmp_path / "games" / "turn.toml"):
        path.write_bytes(data)
    return Player("Ann", ann.folder, tmp_path, in_process=True)


def test_it_is_over_with_nothing_left_to_do(game: Ledger) -> None:
    assert (
        game.is_over()
        and game.to_act() is None
        and not game.begun().unrevealed()
        and not game.is_proven()
    )


def test_verify(player: Player, data: bytes) -> None:
    facts, failure = verification.verify(data)
    assert failure is None and ENTERED in verification.in_words(facts)
    code, said, _ = player.types("verify", "turn.toml")
    assert code == 0 and ENTERED in said and "is proven" not in said
    told = player.does("verify", "turn.toml")["result"]
    assert (told["proven"], told["by_hand"], told["unproven"]) == (False, True, [])


def test_verify_of_a_folder(player: Player) -> None:
    code, said, _ = player.types("verify", "games")
    names, numbers = (line.split() for line in said.splitlines()[:2])
    counted = dict(zip(names[1:], numbers[1:], strict=True))
    assert code == 0 and (counted["ended"], counted["proven"]) == ("1", "0")
    line = json.loads(player.types("verify", "games", "--json")[1].splitlines()[0])
    assert line["verification"]["result"]["proven"] is False


def test_inbox(player: Player, game: Ledger) -> None:
    said = player.types("inbox", "turn.toml")[1]
    assert IN_A_LIST in said
    (told,) = (one for one in player.does("inbox")["games"] if one["game_id"] == game.game_id.hex())
    assert (told["over"]["proven"], told["over"]["by_hand"]) == (False, True)


@pytest.mark.parametrize("how", [["show"], ["show", "--format", "md"], ["log"]], ids=" ".join)
def test_show_and_log(player: Player, how: list[str]) -> None:
    said = player.types(how[0], "turn.toml", *how[1:])[1]
    assert IN_A_REPORT in said and "and proven" not in said


def test_show_as_json(player: Player) -> None:
    told = player.does("show", "turn.toml")["over"]
    assert (told["proven"], told["by_hand"]) == (False, True)


def test_the_pages_of_the_table(ann: Home, game: Ledger, tmp_path: Path) -> None:
    reader, name = Reader(ann, tmp_path / "files"), short_name(game)
    assert IN_A_LIST in reader.ask("GET", "/").body.decode()
    page = reader.ask("GET", f"/game/{name}").body.decode()
    assert IN_A_REPORT in page and "and proven" not in page


def test_what_play_says_and_mails(data: bytes, game: Ledger) -> None:
    """Nobody else plays, so there is no mail of it; a template of the player's own that makes one
    says it as well."""
    assert "unproven, with dice that were entered by hand" in signing.next_step(game)
    facts = report(game, None, {}, 0)
    for template in ("report.txt.j2", "report.md.j2"):
        text = render.render(template, facts)
        assert IN_A_REPORT in text and "and proven" not in text


def test_archive_and_library(player: Player, data: bytes, tmp_path: Path) -> None:
    archived = archive.archive(data, tmp_path / "archive")
    assert archived.by_hand and not archived.proven and ENTERED in archive.in_words(archived)
    for page in ("index.html", "index.md"):
        assert "(unproven)" in (tmp_path / "archive" / page).read_text(encoding="utf-8")
    player.does("library", "games")
    with closing(sqlite3.connect(tmp_path / "games" / "library.sqlite")) as tables:
        assert tables.execute("SELECT proven FROM games").fetchall() == [(0,)]
