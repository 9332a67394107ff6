"""Reports that are taken back, and dice that the players throw themselves."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.flow import Answer, Ask, Option, Pick, Request, Roll
from engine.paradise import RULES
from engine.paradise.game import Paradise
from engine.paradise.tables import AGAIN, MOST_UNDOS, UNDO
from engine.table import OpenTable
from engine.words import tokens
from tests.support.golden_words import Golden
from tests.support.paradise_kit import by_verb, game_of, table


class Play:
    """A whole game, report by report, with dice that count up: 1, 2 … 6, 1 …"""

    def __init__(self, **settings: int) -> None:
        self.game = RULES.begin({name.replace("_", "-"): value for name, value in settings.items()})
        assert isinstance(self.game, Paradise)
        self.game.story = []
        self.thrown: list[int] = []
        self.flow = self.game.flow()
        self.request: Request | None = next(self.flow)

    def say(self, *texts: str) -> None:
        for text in texts:
            while not isinstance(self.request, Ask):
                self._chance()
            found = [
                option
                for option in self.request.options
                if tokens(RULES.words(option)) == tokens(text)
            ]
            assert found, text
            self._send(Answer(found[0]))
        while self.request is not None and not isinstance(self.request, Ask):
            self._chance()

    def _chance(self) -> None:
        if isinstance(self.request, Roll):
            dice = tuple((len(self.thrown) + at) % 6 + 1 for at in range(self.request.number))
            self.thrown += dice
            self._send(dice)
        else:
            assert isinstance(self.request, Pick)
            self._send((self.request.handles[0],))

    def _send(self, value: Any) -> None:
        try:
            self.request = self.flow.send(value)
        except StopIteration:
            self.request = None

    def asks(self) -> str:
        assert isinstance(self.request, Ask)
        return self.game.prompt(self.request)

    def options(self) -> list[Option]:
        assert isinstance(self.request, Ask)
        return list(self.request.options)

    def kinds(self) -> list[str]:
        assert self.game.story is not None
        return [event[0] for event in self.game.story]


START = ("samoa has 4 boxes", "samoa starts with nothing")


def test_an_undone_report_leaves_no_trace_but_the_count() -> None:
    play, other = Play(), Play()
    play.say(*START, "exploration complete", "undo", "exploration complete", "movement complete")
    other.say(*START, "exploration complete", "movement complete")
    assert play.game.realm.position() == other.game.realm.position()
    assert (play.game.undos, play.game.undos_after_chance) == (1, 0)
    assert play.game.position() != other.game.position() and "undos 1 0" in play.game.position()


def test_dice_after_the_undone_report_are_used_first() -> None:
    """The die 1 of the wrong distance is the die of the right one; a new die comes only where more
    are needed."""
    play = Play()
    play.say(*START, "discover 1 from tonga 2 from samoa: 3 boxes 3 green")
    assert (
        play.thrown == [1]
        and not play.game.realm.groups[play.game.realm.data.names.index("group 1")].canoe
    )
    play.say("undo", "discover 2 from tonga 1 from samoa: 3 boxes 3 green")
    assert play.thrown == [1, 2, 3, 4, 5, 6]  # Samoa's now: three boxes, two villages
    assert (play.game.undos, play.game.undos_after_chance) == (1, 1)
    assert "kept" in play.kinds() and "undone" in play.kinds()


def test_dice_that_are_left_over_wait() -> None:
    play = Play()
    play.say(
        *START,
        "discover 2 from tonga 1 from samoa: 3 boxes 3 green",
        "undo",
        "exploration complete",
    )
    assert (
        play.game.dice_used == 0
        and len(play.game.dice) == 6
        and "dice 1,2,3,4,5,6 of 0" in play.game.position()
    )
    play.say("undo", "discover 1 from tonga 2 from samoa: atoll")
    assert play.game.dice_used == 1 and len(play.thrown) == 6


def test_drawn_chits_are_kept_in_order() -> None:
    play = Play()
    found = "discover 1 from tonga 2 from samoa: 4 boxes 3 green"
    play.say(*START, found, found, "exploration complete", "undo")
    drawn = list(play.game.chits)
    assert drawn and play.game.undos_after_chance == 1
    play.say(found, "exploration complete")
    assert play.game.chits[: len(drawn)] == drawn


def test_several_reports_are_taken_back_one_by_one() -> None:
    play = Play()
    play.say(*START, "exploration complete", "movement complete", "undo", "undo", "undo", "undo")
    assert not play.game.said and isinstance(play.request, Ask) and UNDO not in play.request.options
    play.say("samoa has 5 boxes")
    assert play.game.undos == 4


def test_the_story_of_what_stands_is_told_once() -> None:
    play = Play()
    play.say(*START, "discover 2 from tonga 1 from samoa: atoll", "exploration complete", "undo")
    assert play.kinds().count("turn") == 1


def test_undos_are_bounded() -> None:
    """Ruling 22."""
    play = Play()
    for _ in range(MOST_UNDOS):
        play.say("samoa has 4 boxes", "undo")
    play.say("samoa has 4 boxes")
    assert isinstance(play.request, Ask) and UNDO not in play.request.options


WRONG = (
    "discover 1 from tonga 2 from samoa: 3 boxes 1 green",
    "discover 2 from tonga 2 from samoa: 3 boxes 0 green",
)
LATER = ("discover 5 from tonga 5 from samoa: atoll", "off course among 3", "exploration complete")


def test_reports_after_a_late_undo_are_confirmed_one_by_one(golden: Golden) -> None:
    """The second discovery was another one, which is found three reports later."""
    play = Play()
    play.say(*START, *WRONG, *LATER, *["undo"] * 4)
    assert play.asks().endswith(WRONG[1])
    golden(play.asks())
    play.say("discover 3 from tonga 3 from samoa: 2 boxes 0 green")
    assert [RULES.words(one.option) for one in play.game.unsaid] == list(LATER)
    assert play.game.view(None, {})["to_confirm"] == list(LATER)
    play.say("again", "again", "again")
    right = Play()
    right.say(*START, WRONG[0], "discover 3 from tonga 3 from samoa: 2 boxes 0 green", *LATER)
    assert play.game.realm.position() == right.game.realm.position()
    assert play.game.unsaid == [] and AGAIN not in play.options()
    assert play.kinds().count("confirmed") == 3


def test_a_report_is_confirmed_only_where_it_fits() -> None:
    """What is asked in between is answered by hand, and what the report of now makes impossible is
    passed over."""
    play = Play()
    play.say(*START, WRONG[0], "exploration complete", "movement complete", *["undo"] * 3)
    play.say(WRONG[1])  # stands in place of the first
    assert play.asks().endswith("exploration complete")
    play.say("off course among 2")  # in place of that one: what is left belongs to the next step
    assert AGAIN not in play.options() and len(play.game.unsaid) == 1
    play.say("exploration complete", "again", "victory 4")
    assert play.game.realm.turn == 2 and play.game.unsaid == []
    assert AGAIN not in play.options(), "another turn"


LATE = (
    "card",
    "battle",
    "canoe gone",
    "canoe at sea gone",
    "take",
    "cut off",
    "malaria",
    "arioi",
    "retreat",
    "reach",
)
"""Reports that no correction states anew: they are taken back with all that came after them in
their turn."""


def test_whatever_was_wrong_is_told_otherwise_and_the_reports_after_it_are_confirmed() -> None:
    """At random tables: all reports of a turn back to one of `LATE` are taken back, another answer
    is given there, and the rest is confirmed as far as it still fits; confirmed all, the table
    stands as it stood."""
    mended: set[str] = set()
    for seed in range(40):
        chance, play = random.Random(seed), Play()
        policy = by_verb(chance)
        while isinstance(play.request, Ask) and len(play.game.said) < 120:
            options = [
                one
                for one in (*play.request.options, *play.request.mends)
                if one not in (UNDO, AGAIN)
            ]
            play._send(policy(play.game, play.request, [Answer(one) for one in options]))
            play.say()
            late = [one for one in play.game.said if one.turn == play.game.realm.turn]
            wrong = next(
                (
                    at
                    for at, one in enumerate(late)
                    if one.option[0] in LATE and one.option[0] not in mended
                ),
                None,
            )
            if wrong is None or len(late) - wrong < 3 or not isinstance(play.request, Ask):
                continue
            before, back, waiting = (
                play.game.realm.position(),
                len(late) - wrong,
                list(play.game.unsaid),
            )
            play.say(*["undo"] * back, *["again"] * back)
            assert play.game.realm.position() == before and play.game.unsaid == waiting
            play.say(*["undo"] * back)
            others = [one for one in play.options() if one[0] in LATE and one != late[wrong].option]
            if not others:
                play.say(*["again"] * back)
                continue
            play._send(Answer(others[0]))
            play.say()
            while (
                play.game.unsaid and isinstance(play.request, Ask) and AGAIN in play.request.options
            ):
                play.say("again")
            assert others[0] in [one.option for one in play.game.said[-back:]]
            mended.add(str(late[wrong].option[0]))
    assert mended >= {"card", "battle", "canoe at sea gone", "take", "reach", "retreat"}, mended


def test_what_was_taken_back_is_part_of_the_position() -> None:
    play, other = Play(), Play()
    play.say(*START, "exploration complete", "undo")
    other.say(*START, "off course among 2", "undo")
    assert (
        play.game.realm.position() == other.game.realm.position()
        and play.game.position() != other.game.position()
    )


def test_where_nothing_was_taken_back_there_is_nothing_to_confirm(golden: Golden) -> None:
    play = Play()
    assert isinstance(play.request, Ask) and AGAIN not in play.options()
    golden(play.game.why_refused(play.request, "again"))


def test_a_game_with_undos_is_the_game_of_its_reports() -> None:
    """Replaying only what stands, with the same dice and chits, gives the same realm."""
    for seed in range(12):
        played = game_of(table(seed))
        again = RULES.begin({})
        assert isinstance(again, Paradise)
        said, dice, chits = list(played.said), list(played.dice), list(played.chits)
        flow, value = again.flow(), None
        try:
            while True:
                request = flow.send(value)
                if isinstance(request, Ask):
                    value = Answer(said.pop(0).option)
                elif isinstance(request, Roll):
                    value = tuple(dice.pop(0) for _ in range(request.number))
                else:
                    value = (chits.pop(0),)
        except StopIteration:
            pass
        assert not said and again.realm.position() == played.realm.position()


# ---- own dice ------------------------------------------------------------------------------------


def test_own_dice_are_typed_and_nothing_is_thrown() -> None:
    """Ruling 26."""
    play = Play(own_dice=1)
    play.say(*START, "discover 2 from tonga 1 from samoa: 1 box 1 green")
    assert isinstance(play.request, Ask) and play.request.rule == "die"
    assert play.game.prompt(play.request).endswith("is Samoa's on 1 to 3")
    play.say(
        "die 2", "die 4", "die 3", "discover 1 from tonga 2 from samoa: 4 boxes 0 green", "die 6"
    )
    play.say("exploration complete", "drew 1 War Canoe / Build")
    assert not play.thrown and play.game.realm.groups[0].war_canoes == 1


def test_a_typed_die_is_taken_back_like_a_report() -> None:
    play = Play(own_dice=1)
    play.say(*START, "discover 2 from tonga 1 from samoa: 1 box 1 green", "die 2", "undo", "die 6")
    assert not play.game.realm.groups[play.game.realm.data.names.index("group 1")].canoe


def test_a_tie_shows_which_face_means_what_before_the_throw() -> None:
    play = Play(own_dice=1)
    play.say(*START, "discover 2 from tonga 1 from samoa: 2 boxes 1 green", "die 1", "die 1")
    play.say("exploration complete", "movement complete", "victory 1", "drew 1 Village / Explore!")
    assert isinstance(play.request, Ask)
    assert play.asks().endswith(": 1 to 3 Samoa, 4 to 6 group 1")


def test_own_dice_games_end() -> None:
    for seed in range(5):
        chance = random.Random(seed)
        played = OpenTable(RULES, {"own-dice": 1}, chance)
        assert played.play(by_verb(chance)).winners


def test_own_dice_need_no_witness() -> None:
    with pytest.raises(ValueError, match="witness"):
        RULES.seats({"own-dice": 1, "witness": 1})


def test_own_dice_taken_back_are_counted() -> None:
    """An entered die or chit that is taken back is a report after chance (ruling 20)."""
    play = Play(own_dice=1)
    play.say(*START, "discover 2 from tonga 1 from samoa: 1 box 1 green", "die 5", "undo", "undo")
    assert (play.game.undos, play.game.undos_after_chance) == (2, 1)
    play.say(
        "exploration complete", "movement complete", "victory 1", "drew 1 War Canoe / Build", "undo"
    )
    assert (play.game.undos, play.game.undos_after_chance) == (3, 2)


def test_equal_chits_are_offered_once() -> None:
    """Nobody can tell them apart: the practice set has eleven chits of eleven kinds, this one has
    two kinds."""
    lines = (
        ["chits: 1 Village / Build"] * 6
        + ["chits: 1 Card / Explore!"] * 5
        + ["chits: 1 Card / Attack!"] * 4
    )
    game = RULES.with_data(lines).begin({"own-dice": 1})
    assert isinstance(game, Paradise)
    flow = game.flow()
    request = flow.send(None)
    said = ["samoa boxes", "starts", "exploration complete", "movement complete", "victory", "chit"]
    for verb in [*said, *said[2:]]:
        assert isinstance(request, Ask)
        options = [option for option in request.options if option[0] == verb]
        if verb == "chit":
            assert len(options) == 2
            assert [game.data.chits[option[1] - 1].sides() for option in options] == [
                "1 Village / Build",
                "1 Card / Explore!",
            ]
        request = flow.send(Answer(options[0]))
    assert game.realm.drawn == [1, 2]


def test_points_that_would_end_the_game_are_taken_back(golden: Golden) -> None:
    play = Play()
    play.say(*START, "exploration complete", "movement complete", "victory 33")
    assert isinstance(play.request, Ask) and play.request.rule == "over"
    golden(play.game.prompt(play.request))
    play.say("undo", "victory 3")
    assert play.game.realm.turn == 2 and play.game.undos_after_chance == 0


def test_the_practice_chits_of_an_own_cup_are_called_unofficial() -> None:
    play = Play(own_dice=1)
    play.say(*START, "exploration complete", "movement complete", "victory 3")
    assert isinstance(play.request, Ask) and "unofficial" in play.game.prompt(play.request)
