"""A turn in the making: tried, taken back, tried otherwise, kept over a restart, and signed as
entered answers are."""

from __future__ import annotations

import email
import email.policy
import random
import time as clocks
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.cli.guided import words
from pbem.cli.guided.display import TurnDisplay
from pbem.cli.guided.steps import COMMANDS, Steps
from pbem.english import day_end
from pbem.errors import Conflict, Refused, Usage
from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.mail.compose import preview_mail, turn_mail
from pbem.turn import extras, take_turn
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import Intent
from tests.support.fixed import FixedRandom, fixed
from tests.support.golden_words import Golden
from tests.support.players import AMERICAN, Pair, last_fields

EVENT, MOVE = "event jefferson", "3 gib > trip zone"
CANONICAL = ("event Thomas Jefferson", "3 gibraltar > tripoli zone")


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """The first turn of the American, in the spring of 1801."""
    return Pair(tmp_path, 3).play(2)


def begun(pair: Pair) -> Draft:
    seat = pair.turn()
    assert seat is not None
    return Draft(pair.open(seat))


def tried_file(pair: Pair, seat: int = AMERICAN) -> Path:
    """Where the home of a seat keeps what was tried."""
    return pair.homes[seat].folder / "games" / pair.ledger().game_id.hex()[:32] / "tried.json"


def test_a_turn_is_led_from_question_to_question(pair: Pair) -> None:
    turn = begun(pair)
    first = turn.point()
    assert first.question and not first.may_sign and CANONICAL[0] in first.choices
    assert turn.answer(EVENT) == CANONICAL[:1]
    assert turn.answer(MOVE) == CANONICAL[1:]
    assert turn.line.answers == CANONICAL and "done" in turn.point().choices
    assert turn.answer("done")
    last = turn.point()
    assert last.may_sign and not last.question and not last.choices
    data = turn.sign()
    assert last_fields(data)["answers"] == [*CANONICAL, "done"]
    replay(turnfile.read(data))


def test_what_if_changes_nothing(pair: Pair) -> None:
    turn = begun(pair)
    turn.answer(EVENT)
    before = turn.point()
    there = turn.what_if(MOVE)
    assert (
        there.line.answers == CANONICAL
        and there.entry.ledger.begun().referee.game.position()
        != pair.ledger().begun().referee.game.position()
    )
    assert turn.point() is before and turn.line.answers == CANONICAL[:1]


def test_a_copy_that_was_made_ready_serves_one_draft_and_changes_nothing(pair: Pair) -> None:
    turn = begun(pair)
    spare = turn.opened.spare
    turn.opened.make_spare()
    (ready,) = spare
    turn.opened.make_spare()
    assert spare == [ready], "one is enough"
    turn.answer(EVENT)
    assert turn.point().entry.ledger is ready and not spare
    assert turn.back() == CANONICAL[:1] and not turn.line.answers
    assert turn.answer(EVENT, MOVE) == CANONICAL
    turn.opened.make_spare()
    turn.answer("done")
    signed = turn.sign()
    assert last_fields(signed)["answers"] == [*CANONICAL, "done"]
    replay(turnfile.read(signed))


def test_a_refused_answer_leaves_the_line_as_it_was(pair: Pair) -> None:
    turn = begun(pair)
    turn.answer(EVENT)
    for wrong in ("9 gibraltar > tripoli zone", "tomfoolery", "", "3"):
        with pytest.raises(Refused):
            turn.answer(wrong)
        assert turn.line.answers == CANONICAL[:1]
    with pytest.raises(Refused, match='"done"'):
        turn.answer(MOVE, "done", "done")
    assert turn.line.answers == CANONICAL[:1]


def test_answers_are_taken_back_one_by_one_or_several_at_once(pair: Pair) -> None:
    turn = begun(pair)
    turn.answer(EVENT, MOVE, "done")
    assert turn.back() == ("done",)
    assert turn.back(5) == CANONICAL
    with pytest.raises(Refused):
        turn.back()
    assert turn.line.answers == ()


def test_several_lines_are_tried_and_one_is_signed(pair: Pair) -> None:
    turn = begun(pair)
    turn.answer(EVENT)
    turn.begin_line()
    other = turn.answer(next(choice for choice in turn.point().choices if choice != CANONICAL[0]))
    assert [line.answers for line in turn.lines] == [CANONICAL[:1], tuple(other)]
    turn.choose_line(0)
    assert turn.line.answers == CANONICAL[:1]
    with pytest.raises(Refused):
        turn.choose_line(2)
    assert turn.line.answers == CANONICAL[:1] and len(turn.lines) == 2
    turn.answer(MOVE, "done")
    assert last_fields(turn.sign())["answers"] == [*CANONICAL, "done"]


def test_a_tried_line_is_kept_over_a_restart_and_gone_when_the_turn_is_signed(pair: Pair) -> None:
    turn = begun(pair)
    assert not tried_file(pair).exists(), "looking leaves nothing behind"
    turn.answer(EVENT)
    turn.say("Good luck!")
    turn.begin_line()
    turn.say("Bad luck!")
    again = begun(pair)
    assert [(line.answers, line.message) for line in again.lines] == [
        (CANONICAL[:1], "Good luck!"),
        ((), "Bad luck!"),
    ]
    assert again.chosen == 1 and not again.warnings
    again.choose_line(0)
    again.answer(MOVE, "done")
    again.drop_line(1)
    assert [line.answers for line in begun(pair).lines] == [(*CANONICAL, "done")]
    data = again.sign()
    assert not tried_file(pair).exists()
    assert last_fields(data)["message"] == "Good luck!"


def test_typed_answers_end_what_was_tried_too(pair: Pair) -> None:
    begun(pair).answer(EVENT)
    assert tried_file(pair).exists()
    take_turn.next_entry(pair.open(AMERICAN), Intent([EVENT, MOVE, "done"]))
    assert not tried_file(pair).exists()


def test_the_late_one_of_two_windows_signs_nothing(pair: Pair) -> None:
    early, late = begun(pair), begun(pair)
    late.answer(EVENT)
    early.answer(EVENT, MOVE, "done")
    early.sign()
    for act in (lambda: late.answer(MOVE), late.sign, lambda: late.say("Hello")):
        with pytest.raises(Conflict, match="turn 2"):
            act()
    assert not tried_file(pair).exists()
    assert pair.open(AMERICAN).stale
    with pytest.raises(Conflict):
        begun(pair)


def test_two_windows_keep_their_lines_beside_each_other(pair: Pair) -> None:
    one, two = begun(pair), begun(pair)
    one.answer(EVENT)
    two.say("Hello")
    one.answer(MOVE)
    two.say("Hello there")
    lines = begun(pair).lines
    assert sorted((line.answers, line.message) for line in lines) == [
        ((), "Hello there"),
        (CANONICAL, ""),
    ]


def test_an_order_tells_what_the_others_will_read(pair: Pair) -> None:
    turn = begun(pair)
    (told,) = turn.order("hits: spread")
    assert told.text.startswith("hits: ") and told.giveaway == ""
    with pytest.raises(Refused, match="changes nothing"):
        turn.order("hits: spread")
    with pytest.raises(Refused, match="order"):
        turn.order("weather: nice")
    assert len(turn.line.orders) == 1
    assert all(not one.giveaway for one in turn.order("all: decline")[:-1])
    turn.drop_order(1)
    (other,) = turn.order("hits: damage frigate")
    assert len(turn.line.orders) == 1, "of two orders about one topic the later one counts"
    assert not turn.order("hits: ask") and not turn.line.orders
    assert turn.order("hits: spread") == [told] != [other]
    assert [one.text for one in turn.public_orders()] == [told.text]
    turn.answer(EVENT, MOVE, "done")
    assert last_fields(turn.sign())["orders"] == [told.text]


def test_a_preview_signs_nothing_and_tells_what_the_entry_would_say(pair: Pair) -> None:
    turn = begun(pair)
    with pytest.raises(take_turn.MoreNeeded):
        turn.preview()
    turn.answer(EVENT, MOVE, "done")
    turn.say("Here we go")
    for _ in range(2):
        seen = turn.preview()
        assert len(seen.game.entries) == 3 and seen.game.entries[-1].text("message") == "Here we go"
        assert not seen.warnings
    assert pair.open(AMERICAN).stale is False
    assert turn.sign()


def test_a_message_that_no_file_may_hold_is_refused_at_once_and_kept(pair: Pair) -> None:
    turn = begun(pair)
    for wrong in ("\x1b[2J", "x" * 4001, "\u202e"):
        with pytest.raises(Refused, match="the message"):
            turn.say(wrong)
        assert turn.line.message == begun(pair).line.message == wrong
    with pytest.raises(Refused, match="not kept"):
        turn.say("x" * 20_001)
    turn.answer(EVENT, MOVE, "done")
    with pytest.raises(Refused, match="RIGHT-TO-LEFT OVERRIDE"):
        turn.sign()
    turn.say("a\ttab\r\nand a line")
    assert turn.line.message == "a tab\nand a line"
    assert last_fields(turn.sign())["message"] == "a tab\nand a line"


def test_a_draw_is_offered_and_answered(pair: Pair) -> None:
    turn = begun(pair)
    turn.draw("offer")
    assert turn.point().may_sign
    pair.data = turn.sign()
    reply = begun(pair)
    assert (
        reply.point().offer == "american"
        and not reply.point().choices
        and not reply.point().may_sign
    )
    with pytest.raises(Refused):
        reply.answer("event murad")
    assert reply.line.answers == ()
    reply.draw("accept")
    assert reply.preview().game.is_over()
    pair.data = reply.sign()
    assert pair.ledger().outcome is not None


@pytest.mark.parametrize("seed", range(3))
def test_a_line_found_by_trying_is_the_same_entry_as_one_that_was_typed(
    tmp_path: Path, seed: int
) -> None:
    """Random steps forward, back and aside; the draft of the line at the end is that of its answers
    alone."""
    rng = random.Random(seed)
    pair = Pair(tmp_path, seed).play(12)
    while not begun(pair).point().question:
        pair.step()
    turn = begun(pair)
    for _ in range(25):
        point = turn.point()
        if point.choices and rng.random() < 0.75:
            turn.answer(rng.choice(list(point.choices)))
        elif turn.line.answers and rng.random() < 0.8:
            turn.back(rng.randint(1, 3))
        else:
            turn.begin_line()
    while turn.point().choices:
        turn.answer(rng.choice(list(turn.point().choices)))
    seat = pair.turn()
    assert seat is not None
    entered = take_turn.answer(pair.open(seat), Intent(turn.line.answers))
    assert entered.contents() == turn.preview().entry.contents()
    assert begun(pair).line == turn.line


def test_the_mail_is_seen_before_it_is_signed(pair: Pair) -> None:
    """Word for word the mail that is written afterwards, but for the turn itself."""
    turn = begun(pair)
    turn.answer(EVENT, MOVE, "done")
    turn.say("Here we go")
    with fixed(FixedRandom("mail")):
        seen = preview_mail(turn.preview().game, turn.opened.seen, "turn.toml")
    with fixed(FixedRandom("mail")):
        written = turn_mail(turnfile.read(turn.sign()), "turn.toml")
    assert seen is not None and written is not None
    mail = email.message_from_bytes(written, policy=email.policy.default)
    assert mail["Subject"] == seen.subject
    text = mail.get_body(("plain",)).get_content().replace("\r", "")  # type: ignore[union-attr]
    head, _, rest = seen.text.partition("HOW TO GO ON")
    assert head.strip() and text.startswith(head) and "Here we go" in head and rest
    assert "BEGIN PBEM" not in seen.text
    assert "too long" not in seen.text + seen.html, "which is not known before it is signed"
    assert pair.open(AMERICAN).stale


def test_a_note_is_kept_with_its_line_and_sealed(pair: Pair) -> None:
    turn = begun(pair)
    turn.note("They will not see this coming")
    with pytest.raises(Refused, match="the note"):
        turn.note("\x1b[2J")
    assert begun(pair).line.note == "\x1b[2J"
    turn.note("They will not see this coming")
    again = begun(pair)
    assert again.line.note == "They will not see this coming"
    again.answer(EVENT, MOVE, "done")
    data = again.sign()
    assert "note" in last_fields(data) and b"coming" not in data
    assert last_fields(data)["answers"] == [*CANONICAL, "done"]


def test_what_a_command_line_says_goes_with_the_line_or_begins_one(pair: Pair) -> None:
    for _ in range(2):
        begun(pair).take(Intent(orders=("hits: spread",), message="Hello", note="Hm"))
    assert [(line.orders, line.message, line.note) for line in begun(pair).lines] == [
        (("hits: spread",), "Hello", "Hm")
    ]
    for _ in range(2):
        begun(pair).take(Intent((EVENT,), message="Ahoy"))
    turn = begun(pair)
    assert [line.answers for line in turn.lines] == [
        (),
        CANONICAL[:1],
    ] and turn.line.message == "Ahoy"
    with pytest.raises(Refused):
        turn.take(Intent((EVENT, "nonsense")))
    with pytest.raises(Refused, match="past"):
        turn.take(Intent(leave="2001-01-01"))
    assert len(turn.lines) == 2


def test_an_absence_that_is_past_is_left_out(pair: Pair) -> None:
    turn = begun(pair)
    turn.take(Intent(leave="2999-12-31", message="Away"))
    stored = tried_file(pair).read_text()
    tried_file(pair).write_text(stored.replace("2999-12-31", "2001-12-31"))
    again = begun(pair)
    assert again.warnings == ["2001-12-31 is past"] and (again.line.leave, again.line.message) == (
        "",
        "Away",
    )


def test_a_word_about_a_draw_that_may_not_be_said_is_refused_at_once(pair: Pair) -> None:
    turn = begun(pair)
    for wrong in ("accept", "decline"):
        with pytest.raises(Refused):
            turn.draw(wrong)
        assert turn.line.draw == "" and not tried_file(pair).exists()
    turn.draw("offer")
    turn.answer(EVENT)
    assert turn.line.draw == "offer" and begun(pair).line.draw == "offer"


def test_an_absence_and_days_for_the_others_go_with_the_entry(
    tmp_path: Path, golden: Golden
) -> None:
    pair = Pair(tmp_path, 3, time={"clock": "30+3", "leave-days": 20}).play(2)
    turn = begun(pair)
    shown = Recorded()
    steps = Steps(turn, shown, shown)  # type: ignore[arg-type]
    for wrong in ("away Christmas", "away 2001-01-01", "grant x", "grant 100000", "grant 5000"):
        with pytest.raises((Refused, Usage)):
            steps.do(words.read(wrong, turn.point().choices, COMMANDS))
    for line in ("away 2999-12-31", "grant 7", "grant", "grant 5", f"{EVENT}; {MOVE}; done"):
        steps.do(words.read(line, turn.point().choices, COMMANDS))
    TurnDisplay(turn, pair.homes[AMERICAN], shown).entry(turn.preview())  # type: ignore[arg-type]
    golden(*shown.lines)
    fields = last_fields(turn.sign())
    assert (fields["leave"], fields["grant"]) == ("2999-12-31", 5)


def test_without_a_clock_there_are_no_days_to_give(pair: Pair) -> None:
    turn = begun(pair)
    with pytest.raises(Refused):
        turn.grant(7)
    assert turn.line.grant == 0
    turn.away("2999-12-31")
    turn.away("")
    assert turn.line.is_empty()


class Recorded:
    """A screen that keeps what is shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def show(self, text: str, style: str = "") -> None:
        self.lines.append(text)

    def height(self) -> int:
        return 24

    def rows_of(self, _show: Callable[[], None]) -> int:
        return 1

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_given, **_more: None


@pytest.mark.parametrize("text", ["sail ahoy", "xyzzy", "event jefferson to xyzzy"])
def test_a_word_that_no_answer_has_is_not_understood_after_the_last_answer_either(
    pair: Pair, text: str, golden: Golden
) -> None:
    turn = begun(pair)
    turn.answer(EVENT, MOVE, "done")
    for entered in (text, "decline"):
        with pytest.raises(Refused) as refused:
            turn.answer(entered)
        golden(refused.value.what)


@pytest.mark.skipif(not hasattr(clocks, "tzset"), reason="the zone is set as POSIX sets it")
@pytest.mark.parametrize(
    ("zone", "day", "signed", "told"),
    [
        ("UTC0", "2999-12-30", "2999-12-30", "2999-12-30"),
        ("XXX8", "2999-12-30", "2999-12-31", "2999-12-31 16:00"),
        ("XXX-9", "2999-12-30", "2999-12-30", "2999-12-31 09:00"),
        ("XXX-13", "9999-12-31", "9999-12-31", "9999-12-31"),
    ],
)
def test_a_day_of_absence_is_one_of_the_players_own_zone(
    monkeypatch: pytest.MonkeyPatch, zone: str, day: str, signed: str, told: str
) -> None:
    """They are away until it is over where they live, and others read when that is where they
    are."""
    monkeypatch.setenv("TZ", zone)
    clocks.tzset()
    try:
        extras.check_leave(day)
        assert extras.utc_day(day) == signed
        assert day_end(signed) == told
        today = datetime.now().date()
        extras.check_leave(today.isoformat())
        with pytest.raises(Refused, match="past"):
            extras.check_leave((today - timedelta(days=1)).isoformat())
    finally:
        monkeypatch.undo()
        clocks.tzset()
