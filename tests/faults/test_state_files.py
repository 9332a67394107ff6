"""The files in which a home keeps its state are read and written by type (`pbem.home.store`)."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import pbem
from pbem.errors import Damaged, Usage, parts
from pbem.home import outbox
from pbem.home.home import Home
from pbem.home.store import StateFile, digest
from pbem.turn import game_list
from pbem.turn.game_list import GameSummary, summary
from tests.support.begun_game import BegunGame


class Pair(NamedTuple):
    number: int
    text: str


@dataclasses.dataclass(frozen=True)
class Hold:
    """Something of each kind that state files hold."""

    name: str
    key: bytes = b"\x00\xff"
    pairs: tuple[Pair, ...] = (Pair(1, "Ann"),)
    by_name: dict[str, list[int]] = dataclasses.field(default_factory=lambda: {"Ben": [3]})

    def __post_init__(self) -> None:
        if not self.name:
            raise Usage("the name is empty")


JSON = StateFile("held.json", Hold, 2000, hint="make it anew")
TOML = StateFile("held.toml", Hold, 2000, damage="this is no Held", hint="make it anew")
BOTH = pytest.mark.parametrize("file", [JSON, TOML], ids=["json", "toml"])


@BOTH
def test_what_was_written_is_read(tmp_path: Path, file: StateFile[Hold]) -> None:
    assert file.read(tmp_path) is None
    held = Hold("Cleo", pairs=(Pair(7, 'a "b" \\ \n c'), Pair(-1, "ä")))
    file.write(tmp_path, held)
    assert file.read(tmp_path) == held == file.read_if_whole(tmp_path)
    assert (tmp_path / file.name).stat().st_mode & 0o777 == 0o600


NOT_JSON = [
    b"",
    b"{",
    b"null",
    b"{}",
    b'{"name": 3}',
    b'{"name": ""}',
    b'{"name": "a", "key": "?"}',
    b"[" * 1900,
]
NOT_JSON += [
    b'{"name": "\xff"}',
    b'{"name": "\\ud800"}',
    b'{"name": "a", "pairs": [[1]]}',
    b'{"name": "a"} x',
    b"x" * 2001,
]
NOT_TOML = [
    b"",
    b"name =",
    b"name = 3",
    b'name = ""',
    b'name = "\xff"',
    b'name = "a"\npairs = [[1, 2]]',
    b"\x00",
]
NOT_TOML += [b"x = " + b"[" * 1900, b"x" * 2001]


@pytest.mark.parametrize(
    ("file", "data"), [*((JSON, data) for data in NOT_JSON), *((TOML, data) for data in NOT_TOML)]
)
def test_what_was_not_written_is_damaged(
    tmp_path: Path, file: StateFile[Hold], data: bytes
) -> None:
    (tmp_path / file.name).write_bytes(data)
    with pytest.raises(Damaged) as caught:
        file.read(tmp_path)
    said = str(caught.value)
    assert (
        str(tmp_path / file.name) in said
        and said.endswith(f"(hint: {file.hint})")
        and "\n" not in said
    )
    assert len(data) > 2000 or said.startswith(f"{tmp_path / file.name}: {file.damage}")
    assert file.read_if_whole(tmp_path) is None


@BOTH
def test_what_is_no_file_is_damaged(tmp_path: Path, file: StateFile[Hold]) -> None:
    path = tmp_path / file.name
    path.symlink_to("nowhere-at-all")
    with pytest.raises(Damaged, match=re.escape(str(path))) as caught:
        file.read(tmp_path)
    assert caught.value.hint == parts(file.hint)
    path.unlink()
    path.mkdir()
    with pytest.raises(Damaged, match=re.escape(str(path))) as caught:
        file.read(tmp_path)
    assert caught.value.hint == parts(file.hint)
    with pytest.raises(Usage, match=r"cannot write .*held"):
        file.write(tmp_path, Hold("Ann"))


def test_a_layout_follows_from_the_fields_at_any_depth() -> None:
    def of(depth: type) -> str:
        inner = dataclasses.make_dataclass("Inner", [("text", depth)], frozen=True)
        outer = dataclasses.make_dataclass("Outer", [("all", list[inner])], frozen=True)  # type: ignore[valid-type]
        return StateFile("x.json", outer, 100).layout()

    assert of(str) == of(str) != of(int)
    assert digest(Hold("a")) == digest(Hold("a")) != digest(Hold("b"))


def test_a_summary_with_a_new_field_is_made_anew_in_an_old_home(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a default, an old file would be read as if it said so."""
    home = Home(begun.ann.home)
    before = game_list.games(home, home.identity()).games
    (path,) = home.folder.glob("games/*/summary.json")
    old = path.read_bytes()
    wider = dataclasses.make_dataclass(
        "GameSummary", [("mood", str, "unknown")], bases=(GameSummary,), frozen=True
    )
    held = dataclasses.make_dataclass(
        "KeptSummary", [("summary", wider)], bases=(game_list.KeptSummary,), frozen=True
    )
    monkeypatch.setattr(game_list, "_SUMMARY", StateFile("summary.json", held, 10_000))
    monkeypatch.setattr(game_list, "KeptSummary", held)
    monkeypatch.setattr(
        game_list, "summary", lambda *given: wider(**vars(summary(*given)), mood="calm")
    )
    assert msgspec.json.decode(old, type=held).summary.mood == "unknown"
    (told,) = game_list.games(home, home.identity()).games
    assert vars(told) == {**vars(before[0]), "mood": "calm"}
    assert path.read_bytes() != old
    monkeypatch.setattr(game_list, "summary", lambda *given: pytest.fail("it is remembered"))
    assert game_list.games(home, home.identity()).games == [told]


def state_files() -> dict[str, StateFile[Any]]:
    """Every kind of state file that a module of the program names."""
    found: dict[str, StateFile[Any]] = {}
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if module.name == "pbem.web.chat" or not module.name.startswith(
            ("pbem.web.", "pbem.cli", "pbem.__main__")
        ):
            names = vars(importlib.import_module(module.name)).values()
            found |= {one.name: one for one in names if isinstance(one, StateFile)}
    return found


def test_each_state_file_that_is_emptied_counts_as_damaged(tmp_path: Path) -> None:
    kinds = state_files()
    assert len(kinds) > 20 and {"contacts.toml", "ignore.toml", "place.toml", "mail.toml"} <= {
        *kinds
    }
    for one in kinds.values():
        for rest in (b"", b"\n", b" \n\t\n"):
            (tmp_path / one.name).write_bytes(rest)
            with pytest.raises(Damaged, match="empty"):
                one.read(tmp_path)


def test_what_holds_nothing_is_not_written_empty(tmp_path: Path) -> None:
    nothing = StateFile("held.toml", dict[str, int], 100)
    nothing.write(tmp_path, {})
    assert (tmp_path / "held.toml").read_bytes() and nothing.read(tmp_path) == {}


@pytest.mark.parametrize(
    "name", ["contacts.toml", "ignore.toml", "mail.toml", "outbox.json", "called.json"]
)
def test_what_its_player_entered_and_is_emptied_is_told(begun: BegunGame, name: str) -> None:
    ann, short = begun.ann, "-".join(begun.last.split("-")[:2])
    ann.does("contacts", "Ben", "--compared")
    ann.does("name", short, "Winter league")
    ann.types("ignore", "--strangers")
    if not (ann.home / "mail.toml").exists():
        (ann.home / "mail.toml").write_text("inbox = []\n")
    (game,) = (ann.home / "games").iterdir()
    outbox.note_by_hand(game, 1, b"turn", 0.0)
    path = game / name if name.endswith(".json") else ann.home / name
    path.write_bytes(b"")
    code, out, _ = ann.types("inbox")
    assert code == 2 and f"damaged   {path}: " in out, out
    if name == "contacts.toml":
        code, out, err = ann.types("contacts")
        assert code == 2 and str(path) in err and "never" not in out
        code, out, err = ann.types("contacts", "Ben", "--compared")
        assert code == 2 and path.read_bytes() == b"", "what is lost is not written over"
