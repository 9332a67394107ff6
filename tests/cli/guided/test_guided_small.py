"""A terminal of 80 by 24: the question and what just happened stand on it, the rest comes on
request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.cli.guided.display import TurnDisplay
from pbem.cli.guided.narrowing import MOST, Item, Level, Narrowing
from pbem.cli.guided.screen import PlainScreen
from pbem.home.home import Home
from pbem.report.board import board_at
from pbem.turn import named_file, open_game
from pbem.turn.draft import Draft
from tests.cli.guided.test_guided_games import alone
from tests.support.screen import Seat, at_a_screen
from tests.table.test_table_loot import loot_at_sea

GROUPS = 7
EXPLORATION = "You are asked: what your exploration shows"


def visible(seat: Seat) -> str:
    """What stands on the screen now, without what has scrolled off it."""
    return " ".join(" ".join(seat._screen.display).split())


def test_seven_groups_leave_the_question_on_the_screen(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "paradise")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=24) as seat:
        seat.waits()
        assert "★ Samoa" in visible(seat) and "2 villages" in visible(seat)
        seat.types("samoa has 4").types("samoa starts with nothing")
        for number in range(1, GROUPS + 1):
            seat.types("discover 3 from tonga 2 from samoa: 2 boxes 1 green")
            seat.types("die 6")
            assert f" on group {number}: " in visible(seat) and EXPLORATION in visible(seat)
        assert f"group {GROUPS}*" in visible(seat) and "In the cup 11" in visible(seat)
        seat.types("board")
        assert "─" in visible(seat) and f"group {GROUPS}* 2 boxes 1 green" in visible(seat)
        seat.types("sign").types("yes")
        assert EXPLORATION in visible(seat) and "★ Samoa" in visible(seat)
        seat.types("quit").ends()


def test_show_has_the_question_and_what_just_happened_on_the_screen(tmp_path: Path) -> None:
    """Seven groups and a map of their own need more rows than there are: --all shows them."""
    (table := tmp_path / "table").mkdir()
    ann, discovery = (
        Player("Ann", tmp_path / "ann", table, in_process=True),
        "discover 3 from tonga 2 from samoa: atoll",
    )
    ann.does("id", "--name", "Ann")
    file = ann.does("new", "paradise", "--no-mail")["file"]
    file = ann.does(
        "play", file, f"samoa has 4; samoa starts with nothing; {discovery}", "--no-mail"
    )["file"]
    for _ in range(1, GROUPS):
        file = ann.does("play", file, discovery, "--no-mail")["file"]

    def shown(rows: int, *how: str) -> str:
        with at_a_screen(ann.home, table, "show", file, *how, columns=80, rows=rows) as seat:
            assert seat.ends() == 0
            return visible(seat)

    asked = "It is your turn: what your exploration shows"
    for rows in (24, 18):
        small = shown(rows)
        assert (
            small.startswith("Conquest of Paradise")
            and asked in small
            and "Group 7 (atoll" in small
        ), rows
        assert "pbem show FILE --all" in small and "★ Samoa" in small and "You can say" not in small
    tall, whole = shown(60), shown(60, "--all")
    assert tall == whole and asked in tall and "★ Samoa" in tall and "No room" not in tall
    assert "Set-up" not in shown(24, "--all"), "it has scrolled off"


@pytest.mark.dear("draws the boards of five games")
@pytest.mark.parametrize(
    ("game", "title", "asked", "board"),
    [
        ("tripoli", "The Shores of Tripoli", "play an event or spend a card", "Alexandria"),
        ("tripoli-solitaire", "The Shores of Tripoli", "play an event or spend", "Alexandria"),
        ("backgammon", "Backgammon", "", "13 14 15"),
        ("loot", "Loot", "play one card or draw", "Pile"),
        ("paradise", "Conquest of Paradise", "how many village boxes", "★ Samoa"),
    ],
)
def test_show_keeps_the_board_and_the_question_on_the_screen(
    game: str, title: str, asked: str, board: str, tmp_path: Path
) -> None:
    (table := tmp_path / "table").mkdir()
    ann, ben = (Player(name, tmp_path / name, table, in_process=True) for name in ("Ann", "Ben"))
    for player in (ann, ben):
        player.does("id", "--name", player.name)
    if game in ("tripoli-solitaire", "paradise"):
        file = ann.does("new", game, "--no-mail")["file"]
    else:
        key = ben.does("id")["key"]
        file = ann.does("new", game, "--no-mail", "--opponent", key)["file"]
        file = ben.does("join", file, "--no-mail")["file"]
    while not (facts := ann.does("show", file))["moves"]:
        writes = ann if facts["to_act"] == facts["seat"] else ben
        said = writes.answers(file, lambda options: options[0])
        file = writes.does("play", file, *(["; ".join(said)] if said else []), "--no-mail")["file"]
    for columns, rows in ((80, 24), (120, 40)):
        with at_a_screen(ann.home, table, "show", file, columns=columns, rows=rows) as seat:
            assert seat.ends() == 0
            small = visible(seat)
        assert small.startswith(title) and f"It is your turn: {asked}" in small, small
        assert board in small, small


def test_a_tall_terminal_shows_the_board_after_each_answer(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "paradise")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=60) as seat:
        seat.types("samoa has 4").types("samoa starts with 2 warriors 1 war canoe")
        assert "2 warriors (+2)" in visible(seat) and "no room here" not in seat.text()
        seat.types("quit").ends()


def every_level(level: Level, depth: int = 1) -> Iterator[tuple[int, Level]]:
    """A short question and all that it leads to, with how many were asked until there."""
    yield depth, level
    for item in level.items:
        if item.opens is not None:
            yield from every_level(item.opens(), depth + 1)


def test_no_question_of_paradise_has_more_than_twelve_answers(tmp_path: Path) -> None:
    """They are asked as the chart has them: what is told, how far it is from both, what lies
    there; numbers from one to another. Every answer can be come to, and the game's own way to take
    one back stands beside them."""
    home, file = alone(tmp_path, "paradise")
    turn = Draft(open_game.open_file(named_file.find(file, home).turn, home))
    asked: dict[str, list[str]] = {}
    for answer in ("samoa has 4", "samoa starts with nothing", "exploration complete", "movement"):
        narrowing = Narrowing(turn.point(), lambda answers: len(answers) <= MOST)
        levels = list(every_level(narrowing.level))
        assert all(1 < len(level.items) <= MOST for _, level in levels)
        assert max(depth for depth, _ in levels) <= 5
        reached = {item.sentence for _, level in levels for item in level.items if item.sentence}
        assert reached == set(turn.point().choices)
        asked[answer] = [item.words for item in narrowing.level.items]
        turn.answer(answer)
    assert asked["samoa starts with nothing"][0] == "samoa starts with nothing ..."
    assert asked["samoa starts with nothing"][-1] == "undo"
    assert asked["exploration complete"] == [
        *("exploration complete", "off course among ...", "discover", "correct", "undo")
    ]
    narrowing = Narrowing(turn.point(), lambda answers: len(answers) <= MOST)
    first = narrowing.level.items[0]
    assert first.words == "victory 0 to 8" and first.opens is not None
    assert [item.sentence for item in first.opens().items] == [f"victory {n}" for n in range(9)]


def test_a_discovery_is_told_in_short_questions_below_the_board(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "paradise")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=24) as seat:
        seat.waits().types("samoa has 4").types("samoa starts with nothing")
        assert "1 from Tonga" in visible(seat) and "3 discover" in visible(seat)
        seat.types("discover")
        assert "discover: which?" in visible(seat) and "12 12 from Tonga" in visible(seat)
        seat.types("3")
        assert "discover, 3 from Tonga: which?" in visible(seat)
        seat.types("back").types("back")
        assert "3 discover" in " ".join(seat.last(8).split())
        seat.types("discover").types("3").types("2").types("1")
        assert "Ann reports an atoll, 3 from Tonga" in visible(seat)
        seat.types("quit").ends()


def test_giving_the_game_up_is_one_thing_to_choose_below_the_plays(tmp_path: Path) -> None:
    """And the board says whose men are whose, and which way they go."""
    table, players = tmp_path / "table", dict[str, Player]()
    table.mkdir()
    for name in ("Ann", "Ben"):
        players[name] = Player(name, tmp_path / name, table, in_process=True)
        players[name].does("id", "--name", name)
    file = str(players["Ann"].does("new", "backgammon", "--match", "3", "--no-mail")["file"])
    file = str(players["Ben"].does("join", file, "--no-mail")["file"])
    player = players["Ann"]
    if not player.does("moves", file)["options"]:
        file = str(player.does("play", file, "--no-mail")["file"])
        player = players["Ben"]
    data = (table / file).read_bytes()
    point = Draft(open_game.open_file(data, Home(player.home))).point()
    levels = [level for _, level in every_level(Narrowing(point, lambda _: False).level)]
    assert all(len(level.items) > 1 for level in levels), "one way to go is not asked for"
    with at_a_screen(player.home, table, "play", file, columns=80, rows=24) as seat:
        seat.waits()
        sign = "O" if player.name == "Ann" else "X"
        assert f"▸{sign} {player.name}, from 24 down: score 0, pips 167" in visible(seat)
        assert "from 1 up" in visible(seat) and "resign ..." in visible(seat)
        assert "resign gammon" not in visible(seat)
        seat.types("resign ...")
        assert "1 resign single" in visible(seat) and "3 resign backgammon" in visible(seat)
        seat.types("back").types("resign gammon")
        assert "Your file" in visible(seat) and "gammon" in visible(seat)
        seat.types("quit").ends()


def test_the_board_stands_beside_the_question_after_long_news(tmp_path: Path) -> None:
    """The bot of the solitaire game does much between two questions; where a card is used at once,
    the next question has the board as well."""
    home, file = alone(tmp_path, "tripoli-solitaire")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=24) as seat:
        seat.waits()
        for answer in ("event swedish", "yes", "event thomas jefferson"):
            seat.types(answer)
            if answer != "event swedish":
                assert "sunk 0 of 4" in visible(seat), seat.text()
                assert "You are asked:" in visible(seat) and "no room" not in visible(seat)
        seat.types("quit").ends()


def test_a_hand_counts_its_copies_and_says_what_each_card_does(tmp_path: Path) -> None:
    home, path = loot_at_sea(tmp_path, 5, False, 5, 0)
    with at_a_screen(home.folder, path.parent, "play", path.name, columns=80, rows=24) as seat:
        seat.waits()
        seat.types("hand")
        told = visible(seat).partition("> hand")[2]
        assert told.count("2 × purple 3") == 1 and "purple 2" in told and "1 ×" not in told
        assert "skulls" in told, "what it does"
        seat.types("quit").ends()


def test_what_has_no_room_is_left_out_behind_the_own_action(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = alone(tmp_path, "paradise")
    draft = Draft(open_game.open_file(named_file.find(file, home).turn, home))
    lines = ["Ann attacks", "a die falls", "another one", "the game goes on"]
    for room, shown in ((4, lines), (3, [lines[0], "2 lines more: story shows all.", lines[-1]])):
        TurnDisplay(draft, home, PlainScreen())._show_folded(lines, 1, room)
        assert capsys.readouterr().out.splitlines() == shown


def test_a_card_that_ends_the_game_is_marked_where_it_is_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = alone(tmp_path, "tripoli-solitaire")
    draft = Draft(open_game.open_file(named_file.find(file, home).turn, home))
    offered = ["Assault on Tripoli", "move with Treaty of Peace and Amity", "Naval Movement"]
    level = Level("Which card?", [Item(words) for words in offered])
    TurnDisplay(draft, home, PlainScreen()).question(draft.point(), level)
    told = capsys.readouterr().out.splitlines()
    assert [line.endswith("★") for line in told if line[:1].isdecimal()] == [True, True, False]
    assert [line for line in told if line.startswith("★")], "and it is said what that means"


def test_what_the_bot_waits_for_is_told_again_only_where_it_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = alone(tmp_path, "tripoli-solitaire")
    draft = Draft(open_game.open_file(named_file.find(file, home).turn, home))
    waits = {"kind": "passed over", "seat": "tripolitan", "line": "Yusuf Qaramanli", "needs": "x"}
    year = [{**waits, "why": "it is 1801"}, {"kind": "season", "season": "Fall 1801"}]
    later = [*year, *year, {**waits, "why": "it is 1802"}]
    assert TurnDisplay(draft, home, PlainScreen())._changed(later, 2) == [year[1], later[-1]]


def test_sign_in_the_middle_of_a_turn_names_the_question_and_not_its_answers(
    tmp_path: Path,
) -> None:
    home, file = alone(tmp_path, "tripoli-solitaire")
    with at_a_screen(home.folder, file.parent, "play", "turn.toml", columns=80, rows=24) as seat:
        seat.types("sign")
        told = visible(seat).partition("> sign")[2]
        assert "play an event or spend a card" in told and "move with" not in told
        assert "quit" in told and "Sign it?" not in told
        seat.types("quit").ends()


def test_places_are_offered_in_the_order_of_the_board(tmp_path: Path) -> None:
    home, file = alone(tmp_path, "tripoli-solitaire")
    turn = Draft(open_game.open_file(named_file.find(file, home).turn, home))
    turn.answer(next(one for one in turn.point().choices if one.startswith("move with ")))
    game = turn.point().entry.ledger.begun().referee.game
    board = [place.name for place in board_at("tripoli-solitaire", game.view(None, {})).places]
    first = Narrowing(turn.point(), lambda _answers: False).level
    levels = [first, *(item.opens() for item in first.items if item.opens)]
    for level in levels:
        offered = [item.words for item in level.items if item.words in board]
        assert offered == sorted(offered, key=board.index)
    assert max(len([item for item in level.items if item.words in board]) for level in levels) > 2
