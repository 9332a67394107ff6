"""Answers that a player prepares to turns to come, in games without chance and hidden cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.turn import preparing
from tests.support.hex_match import HexMatch, hex_installed

REFUSED = 1
TREE = "if swap then a1; if ... b2 then b3; if then b4 then d2"
THREE = ["if swap then a1", "if b2 then b3; if then b4 then d2"]


@pytest.fixture
def match(tmp_path: Path) -> Iterator[HexMatch]:
    """Ben has joined, and it is Ann's turn."""
    with hex_installed(tmp_path / "site-packages"):
        yield HexMatch(tmp_path / "hex").begin()


@pytest.fixture
def prepared(match: HexMatch) -> HexMatch:
    """Ann has laid the first stone and prepared her answers."""
    match.write(match.ann, "play", match.last, "c3", "--if", TREE)
    return match


def items(facts: dict[str, Any]) -> dict[str, str]:
    """What the inbox told, by kind."""
    return {item["kind"]: item["reason"] for item in facts["files"]}


def shown(match: HexMatch) -> list[str]:
    found: list[str] = match.ann.does("show", match.game)["prepared"]
    return found


# ---- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("e5 then Nf3", [(("e5",), ("Nf3",))]),
        ("if ... e5 then Nf3", [(("e5",), ("Nf3",))]),
        ("IF e5 THEN Nf3;", [(("e5",), ("Nf3",))]),
        ("e5 then Nf3 then if Nc6 then Bb5", [(("e5",), ("Nf3",), ("Nc6",), ("Bb5",))]),
        (
            "e5 then Nf3; if then ... Nc6 then Bb5; d5 then exd5",
            [
                (("e5",), ("Nf3",)),
                (("e5",), ("Nf3",), ("Nc6",), ("Bb5",)),
                (("d5",), ("exd5",)),
            ],
        ),
        ("a1-a4 and b4 then h1-h2 and h5", [(("a1-a4", "b4"), ("h1-h2", "h5"))]),
    ],
)
def test_what_a_player_says_is_read(text: str, branches: list[object]) -> None:
    assert preparing.branches_in(text) == branches


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "if",
        "e5",
        "e5 then",
        "then Nf3",
        "if then Nf3 then x",
        "a then b then c",
        "x" * 9999,
    ],
)
def test_what_is_no_answer_to_anything_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        preparing.branches_in(text)


@pytest.mark.parametrize("game", ["backgammon", "tripoli", "loot", "paradise", "any"])
def test_games_with_chance_or_hidden_cards_have_none(game: str) -> None:
    rules = registry.newest(game)
    assert rules.dice or rules.cards, "its descriptor says so"


def test_a_game_with_dice_says_why_it_has_none(match: HexMatch) -> None:
    for player in (match.ann, match.ben):
        assert player.home.exists()
    invitation = match.ann.does("new", "backgammon", "--no-mail")["file"]
    joined = match.ben.does("join", invitation, "--no-mail")["file"]
    for one in (match.ann, match.ben):
        code, _, said = one.types("play", joined, "--if", "6/5 then 8/7")
        assert code == REFUSED and "dice" in said


@pytest.mark.parametrize("options", [(), ("--shuffled",)])
def test_chess_has_them_whoever_set_it_up(tmp_path: Path, options: tuple[str, ...]) -> None:
    with hex_installed(tmp_path / "site-packages", "chess"):
        match = HexMatch(tmp_path / "chess").begin("chess", *options)
        assert match.ann.types("play", match.last, "e4", "--if", "e5 then e5")[0] == REFUSED
        tree = "... e5 then d3; if then d6 then h3; if ... a6 then a3"
        match.write(match.ann, "play", match.last, "e4", "--if", tree)
        match.write(match.ben, "play", match.last, "e5")
        match.ann.does("inbox", match.last)
        assert shown(match) == ["if d6 then h3"]
        match.write(match.ann, "play", match.game)
        match.write(match.ben, "play", match.last, "d6")
        assert "h3" in items(match.ann.does("inbox", match.last))["answered"]
        fields = turnfile.read(match.newest(match.ann)).entries[-1].fields
        assert "proof" not in fields and fields["answers"] == ["h3"]


# ---- kept at home --------------------------------------------------------------------------------


def test_what_is_prepared_is_in_no_file(prepared: HexMatch) -> None:
    assert shown(prepared) == THREE
    assert prepared.prepared_file(prepared.ann).exists()
    for path in prepared.ann.folder.glob("*-0002.md"):
        assert not re.search(r"\b(b3|b4|d2|prepared)\b", path.read_text()), path.name
    entry = turnfile.read((prepared.ann.folder / prepared.last).read_bytes()).entries[-1]
    assert set(entry.fields) == {"seat", "date", "nonce", "answers", "position"}
    assert prepared.ben.does("show", prepared.last)["prepared"] == []
    assert prepared.ann.does("show", prepared.game, "--public")["prepared"] == []


def test_one_that_cannot_be_played_signs_nothing(match: HexMatch) -> None:
    for wrong in ("c3 then b2", "b2 then b2", "b2 then z9", "b2 then swap", "a1 then a2 then a1"):
        assert match.ann.types("play", match.last, "c3", "--if", wrong)[0] == REFUSED, wrong
        assert match.signed(match.ann) == ["0000.toml"] and not shown(match)
    code, _, said = match.ann.types("play", match.last, "c3", "--if", "b2 then b3; b2 then b4")
    assert code == REFUSED and "b2" in said


def test_no_more_than_thirty_are_kept(match: HexMatch) -> None:
    fields = [f"{letter}{row}" for letter in "abde" for row in range(1, 6)]
    many = "; ".join(f"{one} then c{number % 2 + 1}" for number, one in enumerate(fields))
    assert match.ann.does("play", match.last, "c3", "--if", many, "--no-mail")
    more = "; ".join(f"a1 then c1 then {one} then d5" for one in fields[1:13])
    assert match.ann.types("play", match.game, "--if", more)[0] == REFUSED
    assert len(shown(match)) == 20
    fewer = "; ".join(f"a1 then c1 then {one} then d5" for one in fields[1:11])
    assert len(match.ann.does("play", match.game, "--if", fewer)["prepared"]) == 29, (
        "one of them goes on where a shorter one ended"
    )


def test_they_are_taken_back_and_replaced(prepared: HexMatch) -> None:
    facts = prepared.ann.does("play", prepared.game, "--if", "b2 then b4; e5 then e4")
    assert facts["prepared"] == [THREE[0], "if b2 then b4", "if e5 then e4"]
    assert facts["gone"] == [THREE[1]]
    facts = prepared.ann.does("play", prepared.game, "--drop-if", "2")
    assert facts["prepared"] == [THREE[0], "if e5 then e4"] and facts["gone"] == ["if b2 then b4"]
    for wrong in (["--drop-if", "3"], ["a1", "--drop-if", "1"], ["--drop-if", "x"]):
        assert prepared.ann.types("play", prepared.game, *wrong)[0] == REFUSED, wrong
    assert prepared.ann.does("play", prepared.game, "--drop-if", "all")["prepared"] == []
    assert not prepared.prepared_file(prepared.ann).exists()


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{",
        b'{"after": 2, "file": "x", "branches": []}',
        b'{"after": 2, "file": "", "branches": [[["b2"], ["b3"]], [["b2"], ["b4"]]]}',
        b'{"after": 2, "file": "", "branches": [[[]]]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_told_and_answers_nothing(prepared: HexMatch, spoilt: bytes) -> None:
    prepared.prepared_file(prepared.ann).write_bytes(spoilt)
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    assert "held" in items(prepared.ann.does("inbox", prepared.last))
    assert prepared.signed(prepared.ann) == ["0000.toml", "0002.toml"] and not shown(prepared)
    assert prepared.ann.does("play", prepared.game, "--drop-if", "all")["prepared"] == []
    assert "held" not in items(prepared.ann.does("inbox"))


# ---- signed when the turn comes ------------------------------------------------------------------


def test_a_turn_that_fits_is_answered_at_once(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    told = prepared.ann.does("inbox", prepared.last)
    assert "b3" in items(told)["answered"] and "if b4 then d2" in items(told)["answered"]
    assert [game["not_sent"] for game in told["games"]] == [True], "sending is the player's"
    assert prepared.signed(prepared.ann) == ["0000.toml", "0002.toml", "0004.toml"]
    assert shown(prepared) == ["if b4 then d2"]
    prepared.write(prepared.ann, "play", prepared.game)
    entry = turnfile.read((prepared.ann.folder / prepared.last).read_bytes()).entries[-1]
    assert entry.list("answers") == ["b3"]
    assert set(entry.fields) == {"seat", "date", "nonce", "answers", "position"}
    prepared.write(prepared.ben, "play", prepared.last, "b4")
    told = prepared.ann.does("inbox", prepared.last)
    assert "nothing more" in items(told)["answered"]
    assert not prepared.prepared_file(prepared.ann).exists()
    assert replay(turnfile.read(prepared.newest(prepared.ann))).to_act() == 1


def test_a_hidden_game_is_answered_all_the_same(prepared: HexMatch) -> None:
    """It is left out of lists, and nothing else: that an answer came at once, or did not, would
    tell of it."""
    prepared.ann.does("ignore", prepared.game)
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    said = items(prepared.ann.does("inbox", prepared.last))
    assert "b3" in said["answered"] and prepared.signed(prepared.ann)[-1] == "0004.toml"


def test_one_that_fits_no_more_goes_with_a_word(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "d4")
    told = items(prepared.ann.does("inbox", prepared.last))
    assert all(words in told["gone"] for words in THREE) and "answered" not in told
    assert prepared.signed(prepared.ann) == ["0000.toml", "0002.toml"]
    assert not prepared.prepared_file(prepared.ann).exists()
    assert "gone" not in items(prepared.ann.does("inbox"))


def test_what_its_player_plays_otherwise_ends_it(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    assert shown(prepared) == THREE, "nothing has come yet"
    prepared.write(prepared.ann, "play", prepared.last, "e1")
    assert shown(prepared) == []
    prepared.write(prepared.ben, "play", prepared.last, "b4")
    assert "answered" not in items(prepared.ann.does("inbox", prepared.last))


def test_what_its_player_plays_as_prepared_goes_on(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    assert prepared.ann.does("show", prepared.last)["prepared"] == ["b3; if then b4 then d2"]
    prepared.write(prepared.ann, "play", prepared.last, "b3")
    assert shown(prepared) == ["if b4 then d2"]


def test_taken_back_on_the_own_turn(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    facts = prepared.ann.does("play", prepared.last, "--drop-if", "1")
    assert facts["gone"] == ["b3; if then b4 then d2"] and facts["prepared"] == []
    assert "answered" not in items(prepared.ann.does("inbox", prepared.last))


def test_a_turn_with_an_offer_of_a_draw_is_left_to_its_player(prepared: HexMatch) -> None:
    prepared.write(prepared.ben, "play", prepared.last, "b2", "--offer-draw")
    told = items(prepared.ann.does("inbox", prepared.last))
    assert "draw" in told["held"] and "answered" not in told
    assert prepared.signed(prepared.ann) == ["0000.toml", "0002.toml"]


def test_a_turn_that_would_open_a_plan_is_left_to_its_player(match: HexMatch) -> None:
    match.write(
        match.ann, "play", match.last, "c3", "--if", "b2 then b3", "--seal-together", "win: at b3"
    )
    match.write(match.ben, "play", match.last, "b2", "--seal-together", "win: at d4")
    told = items(match.ann.does("inbox", match.last))
    assert "opened-plans" in told["held"]
    assert match.signed(match.ann) == ["0000.toml", "0002.toml"]


def test_a_home_that_was_moved_away_answers_nothing(
    prepared: HexMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "a passphrase")
    prepared.write(prepared.ben, "play", prepared.last, "b2")
    prepared.ann.does("home", "move", "ann.home")
    assert "answered" not in items(prepared.ann.does("inbox", prepared.last))
    assert prepared.signed(prepared.ann) == ["0000.toml", "0002.toml"]
    assert Home(prepared.ann.home).has_identity()
