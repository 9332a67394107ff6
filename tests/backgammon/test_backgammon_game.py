"""Turns, the cube, the points: games played with dice that a test has chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import pytest

from engine.backgammon import RULES
from engine.backgammon.game import Backgammon
from engine.backgammon.notation import words
from engine.backgammon.tables import BLACK, MEN, OFF, WHITE, read_stakes
from engine.flow import Answer, Ask, Illegal, NotUnderstood, Option, Outcome, Request, Roll
from engine.orders import Order

Setup = Callable[[Backgammon], None]


class Played:
    """A game that is led to where a test wants it: `say` answers with words, `throw` with dice."""

    def __init__(self, **settings: int) -> None:
        self.game = Backgammon(read_stakes(settings))
        self.game.story = []
        self.flow = self.game.flow()
        self.asked: Request = next(self.flow)
        self.outcome: Outcome | None = None

    def _send(self, value: object) -> Played:
        try:
            self.asked = self.flow.send(value)
        except StopIteration as end:
            self.outcome = end.value
        return self

    def throw(self, *dice: int) -> Played:
        assert isinstance(self.asked, Roll), self.asked
        return self._send(dice)

    def say(self, text: str) -> Played:
        return self._send(Answer(self.option(text)))

    def option(self, text: str) -> Option:
        assert isinstance(self.asked, Ask), self.asked
        (found,) = [option for option in self.asked.options if words(option) == text]
        return found

    def questions(self) -> list[str]:
        return (
            [words(option) for option in self.asked.options] if isinstance(self.asked, Ask) else []
        )

    def events(self) -> list[tuple[object, ...]]:
        assert self.game.story is not None
        return list(self.game.story)


def nearly_won(game: Backgammon, winner: int, loser: Sequence[int] = ()) -> None:
    """One man of the winner is left on 1; the loser's men stand as they are told, or stand at the
    beginning."""
    game.men[winner] = (14, 1, *([0] * 24))
    if loser:
        game.men[1 - winner] = tuple(loser)


def standing(**men: int) -> list[int]:
    places = {"bar": 25, "off": 0}
    found = [0] * 26
    for name, count in men.items():
        found[places.get(name, 0) if name in places else int(name[1:])] = count
    return found


def test_the_higher_die_begins_and_plays_both_and_equal_dice_are_thrown_again() -> None:
    played = Played().throw(4, 4).throw(2, 5)
    assert isinstance(played.asked, Ask) and (played.asked.seat, played.asked.rule) == (
        BLACK,
        "play",
    )
    assert played.game.dice == (2, 5) and "13/8 6/4" in played.questions()
    assert [event[0] for event in played.events()] == ["game", "opening", "opening", "throws"]


def result(played: Played) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Who has won, and the points."""
    outcome = played.outcome
    assert outcome is not None
    return outcome.winners, outcome.points


def test_before_a_throw_whoever_may_turn_the_cube_is_asked_and_nobody_before_the_first() -> None:
    played = Played().throw(3, 1).say("8/5 6/5")
    assert isinstance(played.asked, Ask) and (played.asked.seat, played.asked.rule) == (
        BLACK,
        "cube",
    )
    assert " 2 " in played.game.prompt(played.asked)
    played.say("double")
    assert (
        isinstance(played.asked, Ask)
        and played.asked.seat == WHITE
        and played.questions() == ["take", "drop"]
    )
    played.say("take").throw(6, 5).say(
        "24/18 18/13" if "24/18 18/13" in played.questions() else "24/13"
    )
    assert isinstance(played.asked, Ask) and played.asked.rule == "cube", (
        "whoever took owns the cube"
    )
    played.say("roll").throw(2, 1).say(played.questions()[0])
    assert isinstance(played.asked, Roll), "and the other one is not asked any more"
    assert played.game.cube == 2 and played.game.owner == WHITE


def test_a_drop_costs_what_the_cube_showed_before() -> None:
    played = Played().throw(3, 1).say("8/5 6/5").say("double").say("drop")
    assert result(played) == ((BLACK,), (0, 1))
    assert played.events()[-1] == ("won", BLACK, 1, 1)


def test_a_beaver_doubles_back_and_keeps_the_cube() -> None:
    begun = Played(beavers=1).throw(3, 1).say("8/5 6/5").say("double")
    assert begun.questions() == ["take", "drop", "beaver"]
    begun.say("beaver")
    assert (
        isinstance(begun.asked, Ask)
        and begun.asked.seat == BLACK
        and begun.questions() == ["take", "drop"]
    )
    assert {"4", "2"} <= set(re.findall(r"\d+", begun.game.prompt(begun.asked)))
    begun.say("take")
    assert (begun.game.cube, begun.game.owner) == (4, WHITE) and isinstance(begun.asked, Roll)
    dropped = Played(beavers=1).throw(3, 1).say("8/5 6/5").say("double").say("beaver").say("drop")
    assert result(dropped) == ((WHITE,), (2, 0))


@pytest.mark.parametrize(
    ("loser", "settings", "cube", "points"),
    [
        (standing(p6=14, off=1), {}, 1, 1),
        (standing(p6=15), {}, 1, 2),
        (standing(p6=15), {}, 4, 8),
        (standing(p6=14, bar=1), {}, 1, 3),
        (standing(p6=14, p19=1), {}, 1, 3),
        (standing(p6=14, p18=1), {}, 1, 2),
        (standing(p6=15), {"jacoby": 1}, 1, 1),
        (standing(p6=14, bar=1), {"jacoby": 1}, 2, 6),
    ],
)
def test_what_a_game_is_won_as(
    loser: list[int], settings: dict[str, int], cube: int, points: int
) -> None:
    played = Played(**settings).throw(3, 1)
    nearly_won(played.game, BLACK, loser)
    if cube > 1:
        played.game.cube, played.game.owner = cube, WHITE
    assert played.game.worth(BLACK) * played.game.cube == points


def lead(played: Played, score: tuple[int, int]) -> Played:
    played.game.score[:] = score
    return played


def win_quickly(played: Played, winner: int) -> Played:
    """The next throw ends the game for this player, who is to throw or to decide on the cube."""
    nearly_won(played.game, winner, standing(p6=14, off=1))
    if isinstance(played.asked, Ask) and played.asked.rule == "cube":
        played.say("roll")
    return played.throw(2, 1)


def test_crawfords_game_comes_once_and_afterwards_the_cube_is_back() -> None:
    played = lead(Played(match=3).throw(3, 1).say("8/5 6/5"), (0, 1))
    played = win_quickly(played, BLACK)
    assert played.game.score == [0, 2] and played.game.crawford
    played.throw(3, 1).say("8/5 6/5")
    assert isinstance(played.asked, Roll) and played.asked.seat == BLACK, (
        "in Crawford's game nobody doubles"
    )
    played.throw(2, 1).say(played.questions()[0])
    assert isinstance(played.asked, Roll) and played.asked.seat == WHITE
    played = win_quickly(played, WHITE)
    assert played.game.score == [1, 2] and not played.game.crawford and played.game.had_crawford
    played.throw(1, 3).say("8/5 6/5")
    assert isinstance(played.asked, Ask) and (played.asked.seat, played.asked.rule) == (
        WHITE,
        "cube",
    )
    played.say("double").say("take")
    played = win_quickly(played, WHITE)
    assert result(played) == ((WHITE,), (3, 2))


def test_a_cube_that_can_win_nothing_is_not_asked_about() -> None:
    """Black lacks one point of three, white three: for black every win is enough."""
    played = lead(Played(match=3), (0, 2))
    played.game.had_crawford = True
    played.throw(3, 1).say("8/5 6/5")
    assert isinstance(played.asked, Roll) and played.asked.seat == BLACK
    played.throw(2, 1).say(played.questions()[0])
    assert isinstance(played.asked, Ask) and (played.asked.seat, played.asked.rule) == (
        WHITE,
        "cube",
    )
    alone = Played(match=1).throw(3, 1).say("8/5 6/5")
    assert isinstance(alone.asked, Roll), "a match to one point has no cube"


def test_a_throw_that_leads_to_one_position_is_played_by_itself() -> None:
    played = Played().throw(3, 1).say("8/5 6/5").say("roll")
    played.game.men[BLACK] = tuple(standing(bar=2, p6=13))
    played.game.men[WHITE] = tuple(standing(p6=2, p5=2, p3=2, p2=2, p1=2, p8=5))
    played.throw(4, 6)
    assert ("must play", BLACK, 4, 6, 25, 21, 0) in played.events()
    assert isinstance(played.asked, Ask) and (played.asked.seat, played.asked.rule) == (
        WHITE,
        "cube",
    )
    played.say("roll").throw(1, 1)
    assert isinstance(played.asked, Ask) and played.asked.rule == "play"


def test_games_for_points_end_with_the_last_one_and_may_be_drawn() -> None:
    played = Played(games=2).throw(3, 1).say("8/5 6/5").say("double").say("drop")
    assert played.outcome is None and played.game.game == 2
    played.throw(1, 3).say("8/5 6/5").say("double").say("drop")
    assert result(played) == ((), (1, 1))


@pytest.mark.parametrize(
    "settings",
    [
        {"match": 0},
        {"match": 100},
        {"match": 3, "games": 2},
        {"match": 3, "jacoby": 1},
        {"match": 3, "beavers": 1},
        {"games": 0},
        {"jacoby": 2},
        {"cube": 1},
    ],
)
def test_options_that_make_no_game_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        RULES.seats(settings)


# Orders


def order(text: str) -> Order:
    def no_card(_card: int) -> int:
        raise AssertionError("there are no cards")

    return RULES.read_order(WHITE, text, no_card)


@pytest.mark.parametrize(
    ("entered", "meant"),
    [
        ("cube: roll", "cube: roll"),
        ("CUBE: Double if ahead 12", "cube: double if ahead 12"),
        ("cube: ask if ahead 8 and race", "cube: ask if ahead 8 and race"),
        ("cube: ask", "cube: ask"),
        ("doubled: take if behind 10 and trailing", "doubled: take if behind 10 and trailing"),
        ("doubled: drop", "doubled: drop"),
        ("race: play it", "race: play it"),
        ("race: ask", "race: ask"),
        ("draw: accept", "draw: accept"),
    ],
)
def test_orders_are_read_and_written_alike(entered: str, meant: str) -> None:
    assert order(entered).words == meant and order(order(entered).words) == order(entered)


@pytest.mark.parametrize(
    "text",
    [
        "cube: fly",
        "cube: double if lucky",
        "cube: double if ahead",
        "cube: roll if race and race",
        "moon: up",
        "cube",
    ],
)
def test_orders_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises((NotUnderstood, Illegal)):
        order(text)


def obeyed(played: Played, *texts: str) -> str | None:
    assert isinstance(played.asked, Ask)
    given = {one.topic: one for one in map(order, texts)}
    answer = played.game.obey(played.asked, given)
    return None if answer is None else words(answer.option)


def test_orders_about_the_cube_follow_what_everybody_can_count() -> None:
    played = Played().throw(3, 1).say("8/5 6/5")
    assert played.game.ahead(BLACK) == -4
    assert obeyed(played) is None and obeyed(played, "cube: ask") is None
    assert obeyed(played, "cube: roll") == "roll" and obeyed(played, "cube: double") == "double"
    assert (
        obeyed(played, "cube: double if ahead 1")
        == "roll"
        == obeyed(played, "cube: double if race")
    )
    assert (
        obeyed(played, "cube: double if behind 4") == "double"
        and obeyed(played, "cube: double if behind 3") == "roll"
    )
    assert (
        obeyed(played, "cube: ask if behind 4") is None
        and obeyed(played, "cube: ask if leading") == "roll"
    )
    played.say("double")
    assert obeyed(played, "doubled: take") == "take" and obeyed(played, "doubled: drop") == "drop"
    assert (
        obeyed(played, "doubled: take if behind 1") == "take"
        and obeyed(played, "doubled: take if race") is None
    )


def test_a_race_is_played_by_order_once_the_men_have_passed() -> None:
    played = Played().throw(3, 1).say("8/5 6/5").say("roll")
    played.game.men[BLACK] = tuple(standing(p8=1, p6=5, p5=5, p4=4))
    assert obeyed(Played().throw(3, 1), "race: play it") is None
    played.game.men[WHITE] = tuple(standing(p6=8, p5=7))
    played.throw(6, 2)
    assert obeyed(played, "race: play it") == "8/off"
    assert obeyed(played, "race: ask") is None


def every_event(played: Played) -> Iterator[dict[str, object]]:
    return (RULES.tell(event) for event in played.events())


def test_each_event_is_told_with_its_names() -> None:
    played = (
        Played(beavers=1)
        .throw(3, 1)
        .say("8/5 6/5")
        .say("double")
        .say("beaver")
        .say("take")
        .throw(6, 4)
    )
    played.say(played.questions()[0])
    told = list(every_event(played))
    kinds = ["game", "opening", "throws", "plays", "doubles", "beavers", "takes", "throws", "plays"]
    assert [one["kind"] for one in told] == kinds
    chosen = {
        "kind": "plays",
        "seat": "white",
        "dice": [3, 1],
        "play": "8/5 6/5",
        "hits": 0,
        "hit_on": [],
        "steps": [[8, 5], [6, 5]],
    }
    assert told[3] == {**chosen, "ways": [["8", "5"], ["6", "5"]]}
    assert told[6] == {"kind": "takes", "seat": "black", "value": 4}
    view = played.game.view(None, {})
    assert [side["pips"] for side in view["sides"]] == [163, 157] and view["cube"] == 4
    assert (
        sum(view["sides"][0]["points"]) + view["sides"][0]["bar"] + played.game.men[WHITE][OFF]
        == MEN
    )
