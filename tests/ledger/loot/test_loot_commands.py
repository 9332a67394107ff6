"""Complete games of Loot through the commands, every player with a home of their own."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from tests.support.golden_words import Golden
from tests.support.loot_homes import Commands, Onlooker, Table
from tests.support.loot_match import drawing, whole_game

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def set_up(run: Commands, count: int, *options: str, invited: int = 7) -> dict[str, Any]:
    """All have joined; the first `invited` seats to join were kept for their players' keys."""
    keys = [run(player, "id", "--name", f"Player {player}")["key"] for player in range(count)]
    kept = [word for key in keys[1 : 1 + invited] for word in ("--opponent", key)]
    made = ("new", "loot", "--players", str(count), *kept, "--dir", str(run.folder), *options)
    last: dict[str, Any] = run(0, *made)
    for player in range(1, count):
        assert last["to_act"] == SEATS[player]
        last = run(player, "join", last["file"])
    return last


def play_out(run: Commands, last: dict[str, Any], seed: int, most: int = 1000) -> dict[str, Any]:
    """To the end, roots included, or so many entries: one or two get rid of their cards, the others
    draw while they can."""
    rng, active, onlooker = random.Random(seed), SEATS[: 1 if seed == 2 else 2], Onlooker()

    def choose(seat: str, listed: list[str]) -> str:
        played = [option for option in listed if option != "draw"]
        return rng.choice(played) if (seat in active and played) or "draw" not in listed else "draw"

    for _ in range(most):
        if not last["to_act"]:
            break
        seat = last["to_act"]
        player = SEATS.index(seat)
        listed = onlooker.options(
            Path(last["file"]).read_bytes(), Home(run.folder / f"home{player}")
        )
        entered = [choose(seat, listed)] if listed else []
        reply = run(
            player,
            "play",
            last["file"],
            *(["; ".join(entered)] if entered else []),
            "--no-mail",
            code=None,
        )
        while "file" not in reply:
            listed = (
                reply.get("options")
                or run(player, "moves", last["file"], "--after", "; ".join(entered))["options"]
            )
            entered.append(choose(seat, listed))
            reply = run(player, "play", last["file"], "; ".join(entered), "--no-mail", code=None)
        last = reply
    return last


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (2, ()),
        (3, ()),
        (4, ("--partners",)),
        (5, ("--option", "captain_on_partner_ship=0")),
        (8, ("--partners",)),
    ],
)
@pytest.mark.slow
def test_a_complete_game(
    count: int,
    options: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = Commands(tmp_path, monkeypatch, capsys)
    last = set_up(run, count, *options)
    # those between pay their shares, and play begins
    assert last["to_act"] == ("first" if count == 2 else "second")
    check_the_end(run, play_out(run, last, count), count)


@pytest.mark.dear("plays Loot with its true deck")
@pytest.mark.parametrize(
    ("count", "partners"), [(2, 0), (4, 1), pytest.param(5, 0, marks=pytest.mark.slow)]
)
def test_the_end_of_a_game(
    count: int,
    partners: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The last entries through the commands, in a game that was played in memory up to there;
    `./run slow` plays all of such games through the commands, and the test below the beginning of
    one."""
    entries_of_all = len(whole_game(count, partners).maker.entries)
    match = whole_game(count, partners).fork(entries_of_all - 6)
    table, turn = Table.of(match, tmp_path), tmp_path / "game.toml"
    turn.write_bytes(table.data)
    before = {"file": str(turn), "to_act": match.names[int(str(match.maker.to_act()))]}
    run = Commands(tmp_path, monkeypatch, capsys)
    last = play_out(run, before, count)
    entries = turnfile.read((tmp_path / last["file"]).read_bytes()).entries
    assert len(entries) > entries_of_all - 4 and last["to_act"] == []
    check_the_end(run, last, count)


def check_the_end(run: Commands, last: dict[str, Any], count: int) -> None:
    facts = run("third", "verify", last["file"])
    assert facts["ok"] and facts["error"] is None and facts["result"]["proven"]
    assert (facts["rolls"], facts["draws"], facts["openings"], facts["shuffles"]) == (
        0,
        78,
        78,
        count,
    )
    assert run("third", "dice", last["file"])["rolls"] == []
    assert run("third", "show", last["file"])["over"]["winners"] == facts["result"]["winners"]
    words = run(1, "show", last["file"], "--format", "text")
    assert "Captured: Player 0" in words and " won: " in words
    markdown = (run.folder / last["file"]).with_suffix(".md").read_text()
    assert "Loot" in markdown and "Captured: Player 0" in markdown
    check_that_each_signs_the_end_once(run, last, count)


def check_that_each_signs_the_end_once(run: Commands, last: dict[str, Any], count: int) -> None:
    """Who wrote last has seen it. Where the last root made the result known the others sign in turn
    that they have; then nobody has anything left to write."""
    entries = turnfile.read((run.folder / last["file"]).read_bytes()).entries
    newest = SEATS.index(entries[-1].seat)
    run(newest, "play", last["file"], "--no-mail", code=1)
    for further in range(1, count):
        reply = run((newest + further) % count, "play", last["file"], "--no-mail", code=None)
        last = reply if "file" in reply else last
    for player in range(count):
        run(player, "play", last["file"], "--no-mail", code=1)


@pytest.mark.dear("plays Loot with its true deck")
def test_three_players_set_up_and_leave(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    golden: Golden,
) -> None:
    """What is shown before the first move; two of three leave, and the roots of the others prove
    the game."""
    run = Commands(tmp_path, monkeypatch, capsys)
    last = set_up(run, 3, invited=1)
    shown = run(1, "show", last["file"])
    assert (shown["asked"]["seat"], shown["asked"]["what"]) == ("first", "share"), (
        "who invites says who plays, before anybody else gives a share"
    )
    golden(run(1, "play", last["file"], code=1)["error"])
    last = run(0, "play", last["file"])
    assert run(1, "moves", last["file"])["complete"]
    last = run(1, "play", last["file"])
    shown = run(0, "show", last["file"])
    asked = {"seat": "third", "name": "Player 2", "what": "share", "prompt": "first", "roll": None}
    assert shown["asked"] == {**asked, "chance": None, "readers": ["first"]}
    assert shown["hand"] == [] and shown["board"]["pile"] == 60
    golden(run(0, "show", last["file"], "--format", "text").splitlines()[-1])
    last = run(2, "play", last["file"])
    shown = run(0, "show", last["file"])
    assert len(shown["hand"]) == 6 and shown["asked"]["what"] == "answer"
    assert len(run(1, "show", last["file"])["hand"]) == 6  # nobody waits for the first player's
    hand = shown["hand"]
    last = run(0, "resign", last["file"], "--message", "Sorry", "--yes")
    words = run(1, "show", last["file"], "--format", "text")
    assert f"The hand of one who left (Player 0): {', '.join(sorted(hand))}" in words
    golden(
        *(
            line.partition(": ")[0]
            for line in words.splitlines()
            if "left" in line or "leaves" in line
        )
    )
    facts = run("third", "verify", last["file"])
    assert facts["result"] is None and facts["to_act"] == "second"
    run(0, "play", last["file"], code=1)
    last = run(1, "resign", last["file"], "--yes")
    facts = run("third", "verify", last["file"])["result"]
    assert (facts["winners"], facts["unproven"], facts["unaudited"]) == (
        ["third"],
        ["third"],
        ["first"],
    )
    last = run(2, "play", last["file"])
    assert run("third", "verify", last["file"])["result"]["proven"] and last["to_act"] == []
    ended = run("third", "show", last["file"], "--format", "text")
    golden(*(line for line in ended.splitlines() if "Player 2 has won" in line))


@pytest.mark.dear("plays Loot with its true deck")
def test_four_in_pairs_set_up_and_play_some_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Commands(tmp_path, monkeypatch, capsys)
    last = play_out(run, set_up(run, 4, "--partners"), 4, 14)
    facts = run("third", "verify", last["file"])
    assert facts["ok"] and facts["shuffles"] == 4 and facts["draws"] > 24 and facts["openings"] > 0


def test_what_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Commands(tmp_path, monkeypatch, capsys)
    run(0, "id", "--name", "Ann")
    for wrong in (
        ("--players", "6"),
        ("--players", "1"),
        ("--players", "3", "--partners"),
        ("--start", "3"),
        ("--start", "0"),
        ("--option", "start=0"),
        ("--option", "nonsense=0"),
        ("--hidden-discard",),
        ("--option", "players=x"),
        ("--option", "nonsense"),
    ):
        assert run(0, "new", "loot", "--dir", str(tmp_path), *wrong, code=2)["exit"] == 2
    key = run(1, "id", "--name", "Ben")["key"]
    twice = ("--players", "3", "--opponent", key, "--opponent", key)
    refused = run(0, "new", "loot", "--dir", str(tmp_path), *twice, code=2)
    assert f'"{key}"' in refused["error"]
    assert run(0, "new", "tripoli", "--players", "3", "--dir", str(tmp_path), code=2)["exit"] == 2
    options = (
        "--option",
        "pirates_on_trumped_ship=0",
        "--start",
        "2",
        "--players",
        "2",
        "--partners",
    )
    made = run(0, "new", "loot", "--dir", str(tmp_path), *options[:4])
    text = Path(made["file"]).read_text()
    assert 'options = [\n  "pirates_on_trumped_ship 0",\n  "start 2",\n]' in text
    for old, new in (
        ('"start 2"', '"start 3"'),
        ('"start 2"', '"start"'),
        ('"start 2"', '"players 9"'),
    ):
        other = tmp_path / "other.toml"
        other.write_text(text.replace(old, new))
        assert run(0, "verify", str(other), code=3)["exit"] == 3


@pytest.mark.dear("plays Loot with its true deck")
@pytest.mark.parametrize(
    ("count", "partners", "joining"),
    [(3, 0, True), (8, 1, False), pytest.param(8, 1, True, marks=pytest.mark.slow)],
)
def test_more_homes(count: int, partners: int, joining: bool, tmp_path: Path) -> None:
    """The same by sessions: three, and eight in pairs, some turns far. Eight have joined in memory,
    with the shuffles of other tests; they join by sessions in `./run slow`."""
    table = (
        Table(tmp_path, count, partners=partners)
        if joining
        else Table.joined(tmp_path, count, partners=partners)
    )
    if joining:
        table.seat_all()
    choose = drawing(random.Random(count))
    while table.moves is None or len(table.game().entries) < table.moves + (
        10 if joining else count // 2
    ):
        assert table.step(choose)
    assert table.moves == 2 * count
