"""Backgammon at its pace: thrown at once unless somebody asks to be asked, and a game given up for
what it may still cost. Version 2 of the rules; version 1 stays as it was."""

from __future__ import annotations

import re

import pytest

from engine.backgammon import RULES
from engine.backgammon.game import Backgammon
from engine.backgammon.orders import read_order
from engine.backgammon.tables import ACCEPT, BAR, BLACK, DOUBLE, OFF, PLAY_ON, ROLL, WHITE
from engine.flow import Answer, Ask, Flow, Option, Outcome, Roll
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.games.backgammon import pace
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.report import render
from pbem.turn import open_game
from pbem.turn.draft import Draft
from tests.backgammon.test_backgammon_mail import begun, players, step, to_act
from tests.report.test_report_story import ARCHIVE, facts_from_the_start
from tests.support.golden_words import Golden

__all__ = ["players"]


class Board:
    """A game in which the test is asked everything, and throws the dice it likes."""

    def __init__(self, **settings: int) -> None:
        game = RULES.begin(settings)
        assert isinstance(game, Backgammon)
        self.game = game
        game.story = []
        self.flow: Flow[Outcome] = game.flow()
        self.request = next(self.flow)
        self.outcome: Outcome | None = None

    def throws(self, *dice: int) -> Board:
        assert isinstance(self.request, Roll)
        return self._send(dice)

    def says(self, option: Option) -> Board:
        assert isinstance(self.request, Ask)
        assert option in (*self.request.options, *self.request.mends), option
        return self._send(Answer(option))

    def _send(self, result: object) -> Board:
        try:
            self.request = self.flow.send(result)
        except StopIteration as ended:
            self.outcome = ended.value
        return self

    def offered(self) -> list[str]:
        assert isinstance(self.request, Ask)
        return [RULES.words(option) for option in self.request.mends]


def opened() -> Board:
    return Board(match=5).throws(6, 1)


def test_a_game_may_be_lost_for_all_that_it_could_cost_without_asking() -> None:
    board = opened()
    assert board.offered() == ["resign single", "resign gammon", "resign backgammon"]
    board.says(("resign", "backgammon"))
    assert board.game.score == [0, 3] and board.game.game == 2


def test_less_is_accepted_or_played_on_and_then_more_may_be_offered(golden: Golden) -> None:
    board = opened().says(("resign", "single"))
    assert isinstance(board.request, Ask)
    assert (board.request.seat, board.request.options) == (BLACK, (ACCEPT, PLAY_ON))
    golden(board.game.prompt(board.request))
    before = board.game.position()
    board.says(PLAY_ON)
    assert board.offered() == ["resign gammon", "resign backgammon"], "nothing less"
    assert before != board.game.position() and "refused 1" in board.game.position()
    board.says(("resign", "gammon")).says(ACCEPT)
    assert board.game.score == [0, 2]
    told = [RULES.tell(event) for event in board.game.story or ()]
    assert [line["kind"] for line in told][2:] == [
        *("throws", "resigns", "plays on", "resigns", "won", "game")
    ]


def test_what_it_could_cost_follows_from_the_men_and_the_cube() -> None:
    game = opened().game
    assert game.cost(WHITE) == 3, "a man may still be hit"
    men = (0, 0, 0, 15, *(0 for _ in range(4, BAR + 1)))
    game.men = [men, men]
    assert game.is_race() and game.cost(WHITE) == 2
    game.men[WHITE] = (1, 0, 0, 14, *men[4:])
    assert game.men[WHITE][OFF] == 1 and game.cost(WHITE) == 1
    money = Board(games=1, jacoby=1).throws(6, 1).game
    assert money.cost(WHITE) == 1, "with Jacoby's rule, until the cube is turned"


def test_before_the_throw_a_game_may_be_given_up_too() -> None:
    board = opened()
    assert isinstance(board.request, Ask)
    board.says(board.request.options[0])
    assert isinstance(board.request, Ask) and board.request.options == (ROLL, DOUBLE)
    board.says(("resign", "backgammon"))
    assert board.game.score == [3, 0]


def _no_card(_card: int) -> int:
    raise AssertionError


@pytest.mark.parametrize(
    ("options", "written"),
    [
        (("--match", "3"), ["match 3", "at-once"]),
        ((), ["at-once"]),
        (("--match", "3", "--asked"), ["match 3"]),
        (("--match", "3", "--sealed"), ["match 3", "sealed 2"]),
        (("--match", "1"), ["match"]),
    ],
)
def test_an_invitation_says_how_the_cube_is_played(
    players: dict[str, Player], options: tuple[str, ...], written: list[str]
) -> None:
    ann = players["Ann"]
    file = ann.does("new", "backgammon", *options, "--no-mail")["file"]
    first = turnfile.read((ann.folder / str(file)).read_bytes()).entries[0]
    assert sorted(first.list("options")) == sorted(written) and first.fields["rules"] == 2


def test_a_turn_is_one_mail_until_somebody_wants_to_be_asked(players: dict[str, Player]) -> None:
    file = begun(players, "--match", "5")
    while _turns(players, file) < 4:
        file = step(players, file)
    before, turns = _entries(players, file), _turns(players, file)
    for _ in range(4):
        assert "/" in to_act(players, file).does("moves", file)["options"][0]
        file = step(players, file)
    assert _entries(players, file) - before == _turns(players, file) - turns == 4
    player = to_act(players, file)
    file = _plays(player, file, "--order", "cube: ask")
    file = step(players, file)
    assert to_act(players, file) is player
    assert player.does("moves", file)["options"][:2] == ["roll", "double"], "asked before the throw"
    file = str(player.does("play", file, "roll", "--no-mail")["file"])
    file = step(players, file)
    file = _plays(player, file, "--order", "cube: roll")
    file = step(players, file)
    assert "/" in player.does("moves", file)["options"][0]


def _plays(player: Player, file: str, *more: str) -> str:
    answer = player.does("moves", file)["options"][0]
    return str(player.does("play", file, answer, *more, "--no-mail")["file"])


def _entries(players: dict[str, Player], file: str) -> int:
    return len(turnfile.read((players["Ann"].folder / file).read_bytes()).entries)


def _turns(players: dict[str, Player], file: str) -> int:
    data = (players["Ann"].folder / file).read_bytes()
    return replay(turnfile.read(data)).begun().referee.game.period()


def test_a_rematch_keeps_how_it_was_played(players: dict[str, Player]) -> None:
    file = begun(players, "--match", "3", "--asked")
    file = step(players, file) if to_act(players, file).name == "Ann" else file
    over = str(players["Ben"].does("resign", file, "--yes", "--no-mail")["file"])
    again = str(players["Ann"].does("rematch", over, "--no-mail")["file"])
    first = turnfile.read((players["Ann"].folder / again).read_bytes()).entries[0]
    assert first.list("options") == ["match 3"]


def test_the_choice_stands_beside_a_play_and_is_signed_as_an_order(
    players: dict[str, Player], golden: Golden
) -> None:
    """What a led turn and the table show beside the signature."""
    file = begun(players, "--match", "5")
    if len(to_act(players, file).does("moves", file)["options"]) == 0:
        file = step(players, file)
    player = to_act(players, file)
    data = (player.folder / file).read_bytes()
    turn = Draft(open_game.open_file(data, Home(player.home)))
    assert turn.order_choices() == (), "nothing is decided yet"
    turn.answer(next(iter(turn.point().choices)))
    (choice,) = turn.order_choices()
    assert [order for _, order in choice.ways] == ["cube: roll", "cube: ask"]
    assert choice.chosen == 0
    golden(choice.title, *(words for words, _ in choice.ways))
    turn.order(choice.ways[1][1])
    assert turn.order_choices()[0].chosen == 1
    assert turnfile.read(turn.sign()).entries[-1].list("orders") == ["cube: ask"]


def test_a_report_begins_with_the_play_its_throw_and_what_it_hit_then_the_cube() -> None:
    """Whoever was asked about the cube has sent the throw on themselves, so their report has it
    in the play; a man that is hit is named by the points of its owner."""
    facts = facts_from_the_start(ARCHIVE / "backgammon-2.toml")
    mail = " ".join(render.render("mail.txt.j2", facts).split())
    for told in (
        "file 4 - Ann plays 24/21* 6/5 with 1 and 1, and hits the man on Ben's 4 Ben",
        "6/5 with 1 and 5, and hits the man on Ann's 5, and is asked about the cube before the",
        "file 6 - Ann plays bar/23 24/18* with 6 and 2, and hits the man on Ben's 7 Ben",
        "file 7 - Ben leaves the cube as it is and throws Ann",
        "file 9 - Ben plays bar/21 13/9 6/2*(2) with 4 and 4, and hits the man on Ann's 23 Ann",
        "and hits the men on Ben's 5 and 24",
        "- Ben must play bar/21 with 4 and 2 - Ann plays 21/16 5/3 with 5 and 2 (by standing ",
    ):
        assert told in mail
    assert "throws (by standing order)" not in mail, "nobody has ordered what all do"


def test_an_order_is_offered_where_it_spares_mails(players: dict[str, Player]) -> None:
    """In a match in which everybody is asked: in the report, and beside the play."""
    file = begun(players, "--match", "5", "--asked")
    player = to_act(players, file)
    if not player.does("moves", file)["options"]:
        file = step(players, file)
        player = to_act(players, file)
    offer = 'spare mails: `--order "cube: roll"` (throw at once (1 mail))'
    assert offer in " ".join(player.types("show", file)[1].split())
    assert offer not in " ".join(player.types("show", file, "--public")[1].split())
    data = (player.folder / file).read_bytes()
    turn = Draft(open_game.open_file(data, Home(player.home)))
    turn.answer(next(iter(turn.point().choices)))
    (choice,) = turn.order_choices()
    assert (choice.title, choice.chosen, choice.fewest) == ("Next turn", 1, 0)
    for _ in range(3):
        file = step(
            players, file, *(["--order", "cube: roll"] if to_act(players, file) is player else [])
        )
    while to_act(players, file) is not player:
        file = step(players, file)
    assert "spare mails" not in player.types("show", file)[1]


def test_what_a_double_is_answered_is_offered_where_it_may_be_sealed(golden: Golden) -> None:
    doubled = ["doubled: ask", "doubled: take", "doubled: drop"]
    next_turn = ["cube: roll", "cube: ask"]
    for settings, orders in (
        ({"sealed": 2}, doubled),
        ({}, next_turn),
        ({"at-once": 1}, next_turn),
    ):
        game = Board(match=5, **settings).throws(6, 1).game
        (choice,) = pace.order_choices(game, WHITE, {})
        assert [order for _, order in choice.ways] == orders
        golden(choice.title, *(words for words, _ in choice.ways))


def test_a_choice_shows_what_was_ordered_last() -> None:
    game = Board(match=5).throws(6, 1).game
    for text, chosen in (("cube: roll", 0), ("cube: ask", 1), ("cube: double", None)):
        (choice,) = pace.order_choices(game, WHITE, {"cube": read_order(text)})
        assert choice.chosen == chosen


def test_the_end_names_who_has_won_and_not_their_colour() -> None:
    facts = facts_from_the_start(ARCHIVE / "backgammon-2-points.toml")
    mail = " ".join(render.render("mail.txt.j2", facts).split())
    over = re.search(r"(\w+) has won: .*? \((\w+) -?\d+, (\w+) -?\d+ points\)", mail)
    assert over is not None and {over[2], over[3]} == {"Ann", "Ben"}
    assert over[1] in (over[2], over[3])
