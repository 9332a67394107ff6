"""What a page asks of its home beside the table: links, backups, moves; here as the page's Python
does it."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from examples.correspondence import Player
from pbem.fileformat import armor, link
from pbem.home import home_pack, place
from pbem.home.identity import is_encrypted
from pbem.web import door
from tests.support.golden_words import Golden
from tests.support.homes import go_to_another_computer, make_home, seed_of
from tests.support.web_kit import NodePage

FORGOTTEN = "/remember"
Ask = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "six words")
    monkeypatch.setattr(home_pack, "MEMORY", 8192)
    monkeypatch.setattr(door, "WRITTEN", tmp_path / "out")
    monkeypatch.setattr(door, "_tables", {})
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What the page's scripts ask: the status, and the text of the answer."""

    def asks(path: str, home: str = "page", **fields: str) -> tuple[int, str]:
        monkeypatch.setenv("PBEM_HOME", str(tmp_path / home))
        status, _, body = door.answer("POST", path, "", [], urlencode(fields).encode())
        return status, body.decode()

    return asks


@pytest.fixture
def desktop(tmp_path: Path) -> Player:
    """Ann at her computer, with one game."""
    folder = tmp_path / "mails"
    folder.mkdir()
    make_home(tmp_path / "ann", seed=seed_of("Ann"))
    ann = Player("Ann", tmp_path / "ann", folder, True)
    ann.does("new", "tripoli")
    return ann


def facts(told: tuple[int, str], status: int = 200) -> dict[str, object]:
    assert told[0] == status, told[1]
    made: dict[str, object] = json.loads(told[1])
    return made


def test_a_home_goes_from_the_page_to_the_desktop_and_back(ask: Ask, tmp_path: Path) -> None:
    facts(ask("/web/introduce", name="Ann", mail="ann@example.org"))
    status, text = ask("/web/move", passphrase="six words")
    assert status == 200 and text.startswith(armor.BEGIN_HOME)
    assert facts(ask("/web/start"))["kind"] == "moved"
    assert "moved away" in facts(ask("/web/move", passphrase="six words"), 400)["error"]  # type: ignore[operator]
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "ann.txt").write_text(text)
    there = Player("Ann", tmp_path / "there", tmp_path / "mails", True)
    assert there.does("home", "open", "ann.txt")["moves"] == 1
    assert is_encrypted((there.home / "identity.pem").read_bytes()), (
        "its passphrase is asked for anew"
    )
    assert there.types("new", "tripoli")[0] == 0
    there.does("home", "move", "back.home")
    packed = (there.folder / "back.home").read_bytes()
    told = facts(ask("/web/open", passphrase="six words", file=base64.b64encode(packed).decode()))
    assert (told["kind"], told["name"]) == ("open", "Ann")
    assert not is_encrypted((tmp_path / "page" / "identity.pem").read_bytes())
    assert place.read(tmp_path / "page").locked is True, "and again where it goes next"  # type: ignore[union-attr]


def test_one_written_passphrase_opens_a_pack_here_and_there(
    ask: Ask, desktop: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A telephone adds a blank, and composes letters in another way."""
    monkeypatch.setenv("PBEM_PASSPHRASE", "six words\u00e9")
    desktop.does("home", "backup", "ann.txt")
    text = (desktop.folder / "ann.txt").read_text()
    assert (
        facts(ask("/web/open", passphrase=" six wordse\u0301 \n", file=text))["kind"] == "restored"
    )
    facts(ask("/web/keep", nowhere_else="yes"))
    status, text = ask("/web/move", passphrase="six wordse\u0301 ")
    assert status == 200
    (desktop.folder / "back.txt").write_text(text)
    there = Player("Ann", desktop.home.parent / "there", desktop.folder, True)
    assert there.does("home", "open", "back.txt")["moves"] == 1


@pytest.mark.parametrize("is_late", [False, True])
def test_turns_that_a_backup_lacks_are_remembered_when_its_player_says_so(
    ask: Ask, desktop: Player, is_late: bool
) -> None:
    """With the home, or afterwards with the game, where its newest file comes late."""
    desktop.does("home", "backup", "ann.txt")
    ben = Player("Ben", make_home(desktop.home.parent / "ben", "Ben").folder, desktop.folder, True)
    (invitation,) = desktop.folder.glob("*.toml")
    played = desktop.does("play", ben.does("join", invitation.name)["file"], "event swedish")[
        "file"
    ]
    go_to_another_computer()
    facts(ask("/web/open", passphrase="six words", file=(desktop.folder / "ann.txt").read_text()))
    (game,) = [path.name for path in (Path(os.environ["PBEM_HOME"]) / "games").iterdir()]

    def asked(method: str, path: str, data: bytes = b"") -> str:
        return door.answer(method, path, "", [], data)[2].decode()

    if is_late:
        facts(ask("/web/keep", nowhere_else="yes"))
    assert "remember" in asked("POST", "/take", (desktop.folder / played).read_bytes())
    assert FORGOTTEN in asked("GET", f"/game/tripoli-{game}")
    if is_late:
        assert ask(f"/game/tripoli-{game}/remember")[0] == 303
        assert FORGOTTEN in asked("GET", f"/game/tripoli-{game}"), "not without their word"
        assert ask(f"/game/tripoli-{game}/remember", sure="yes")[0] == 303
    else:
        facts(ask("/web/keep", nowhere_else="yes"))
    assert FORGOTTEN not in asked("GET", f"/game/tripoli-{game}")


def test_a_backup_of_the_desktop_opens_in_the_page_and_signs_nothing(
    ask: Ask, desktop: Player, golden: Golden
) -> None:
    desktop.does("home", "backup", "ann.txt")
    text = (desktop.folder / "ann.txt").read_text()
    assert "wrong" in facts(ask("/web/open", passphrase="seven words", file=text), 400)["error"]  # type: ignore[operator]
    assert facts(ask("/web/start"))["kind"] == "new"
    told = facts(ask("/web/open", passphrase="six words", file=f"Hello me,\n{text}"))
    assert told["kind"] == "restored" and told["name"] == "Ann"
    assert told["restored"] == place.read(Path(os.environ["PBEM_HOME"])).restored  # type: ignore[union-attr]
    assert "pbem" not in str(told["warning"])
    golden(re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", "(date)", str(told["warning"])))
    assert facts(ask("/web/backup", passphrase="x"), 400)["error"]
    status, page = ask("/new", game="tripoli", seat="american")
    assert "backup" in page and status == 200
    assert facts(ask("/web/keep"), 400)["error"]
    assert facts(ask("/web/keep", nowhere_else="yes"))["kind"] == "open"
    assert ask("/new", game="tripoli", seat="american")[0] == 303


def test_a_pack_opens_only_where_nobody_plays(ask: Ask, desktop: Player) -> None:
    desktop.does("home", "backup", "ann.txt")
    text = (desktop.folder / "ann.txt").read_text()
    facts(ask("/web/introduce", name="Cleo", mail=""))
    assert "in use" in str(facts(ask("/web/open", passphrase="six words", file=text), 400)["error"])
    assert facts(ask("/web/start"))["name"] == "Cleo"


@pytest.mark.parametrize(
    "file", ["", "a letter", "*", "-----BEGIN PBEM HOME-----\nAAAA", "cGJlbQ=="]
)
def test_what_is_no_pack_is_told(ask: Ask, file: str, golden: Golden) -> None:
    golden(str(facts(ask("/web/open", passphrase="x", file=file), 400)["error"]))


def test_no_pack_without_a_passphrase(ask: Ask) -> None:
    facts(ask("/web/introduce", name="Ann", mail=""))
    for path in ("/web/backup", "/web/move"):
        assert "passphrase" in str(facts(ask(path), 400)["error"])
    assert facts(ask("/web/start"))["kind"] == "open"


def test_what_stood_in_the_address_is_taken_in_as_pasted_text_is(ask: Ask, desktop: Player) -> None:
    (invitation,) = desktop.folder.glob("*.toml")
    fragment = link.join_link("", invitation.read_bytes()).removeprefix("#")
    facts(ask("/web/introduce", name="Ben", mail=""))
    told = facts(ask("/web/arrived", fragment=fragment))
    assert str(told["game"]).startswith("tripoli-") and told["told"] and told["new"]
    assert not facts(ask("/web/arrived", fragment=fragment))["new"]
    for noise in ("", "join=1", "turn=1AAAA", "x" * 9000, "join=2abc"):
        told = facts(ask("/web/arrived", fragment=noise))
        assert told["game"] == "" and told["told"], noise


def test_a_turn_goes_out_with_a_link_to_the_page_that_it_was_made_in(ask: Ask) -> None:
    facts(ask("/web/introduce", name="Ann", mail="ann@example.org"))
    status, page = ask("/new", game="backgammon", seat="white")
    assert status == 303, page
    (game,) = [path.name for path in (Path(os.environ["PBEM_HOME"]) / "games").iterdir()]
    here = "https://ann.example.org/pbem/"
    facts(ask("/web/start", page=here))
    told = facts(ask("/web/out", game=f"backgammon-{game}"))
    assert str(told["link"]).startswith(f"{here}#join=1")
    assert here in str(told["mail"]), "its mail has the same"
    for page in ("", "javascript:alert(1)", "https://x.example/?a=b"):
        facts(ask("/web/start", page=page))
        assert facts(ask("/web/out", game=f"backgammon-{game}"))["link"] == told["link"]


@pytest.mark.dear("looks at the built page")
def test_the_page_itself_makes_packs_that_the_desktop_opens(page: NodePage, tmp_path: Path) -> None:
    """By the page's own libsodium, at the full cost."""
    page.post("/web/introduce", name="Ann", mail="ann@example.org")
    made = page.post("/web/backup", passphrase="six words")
    assert made.status == 200
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "ann.txt").write_text(made.text)
    home_pack.MEMORY = 64 * 1024 * 1024
    there = Player("Ann", tmp_path / "there", tmp_path / "mails", True)
    assert there.does("home", "open", "ann.txt")["restored"]
    there.does("home", "keep", "--nowhere-else")
    there.does("home", "move", "back.txt")
    assert page.post("/web/move", passphrase="x").status == 200
    back = (there.folder / "back.txt").read_text()
    assert page.post("/web/open", passphrase="six words", file=back).status == 400, (
        "as old as the move from here"
    )
    told = page.post("/web/open", passphrase="six words", file=back, nowhere_else="yes").facts
    assert (told["kind"], told["name"]) == ("open", "Ann")
