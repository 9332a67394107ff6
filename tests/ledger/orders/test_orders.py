"""Standing orders: what they say, what they answer, and that they bend neither chance nor the
rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.flow import Ambiguous, Answer, Ask, Flow, Illegal, NotUnderstood, Open, Refusal, Roll
from engine.orders import Order
from engine.tripoli import RULES
from engine.tripoli.battle_cards import DECLINE, _playing
from engine.tripoli.cards import HAPPY_HUNTING, MERCHANT_CONVERTED, NAMES, SIGNAL_BOOKS
from engine.tripoli.combat import assault, naval_battle
from engine.tripoli.game import Tripoli
from engine.tripoli.movement import place_options
from engine.tripoli.pieces import ALLIED, CORSAIR, FRIGATE, GUNBOAT
from engine.tripoli.places import (
    DERNE,
    GIBRALTAR_ZONE,
    MALTA,
    TRACK,
    TRIPOLI,
    TRIPOLI_ZONE,
    TUNIS,
    ZONE_OF,
)
from engine.tripoli.position import GameOver
from engine.tripoli.raids import break_out, pirate_raid
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from pbem.errors import Refused, RulesBroken
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.ledger import gate
from pbem.ledger.events import GivenAnswer
from pbem.ledger.file_entry import read_order, write_order
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.simulate import by_mail
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.policies import RandomPolicy
from pbem.turn import own_report
from tests.support.players import Pair
from tests.support.tripoli_kit import Stage

STERETT = "Lieutenant Sterett in Pursuit: play {} when at least 8 frigates intercept"
DECKS = RULES.decks({})


def held(card: int) -> int:
    return 1000 + card


def order(seat: int, text: str) -> Order:
    return RULES.read_order(seat, text, held)


@pytest.mark.parametrize(
    ("seat", "entered", "meant"),
    [
        (AMERICAN, "hits: spread", "hits: damage frigate, sink gunboat, sink damaged frigate"),
        (TRIPOLITAN, "HITS: sink corsairs, damage frigate", "hits: sink corsair, damage frigate"),
        (AMERICAN, "losses: arab, marine", "losses: arab infantry, marine"),
        (AMERICAN, "battles: derne, trip, tun", "battles: derne, tripoli, tunis"),
        (TRIPOLITAN, "raids: tripoli", "raids: tripoli"),
        (AMERICAN, "draw: accept", "draw: accept"),
        (TRIPOLITAN, "happy: decline", "Happy Hunting: decline"),
        (TRIPOLITAN, "merch: play", "Merchant Ship Converted: play {}"),
        (TRIPOLITAN, "happy: play when at least 4 corsairs", "Happy Hunting: play {} when at least 4 corsairs raid"),  # noqa: E501
        (TRIPOLITAN, "guns: play when it is the assault", "The Guns of Tripoli: play {} when it is the assault"),  # noqa: E501
        (AMERICAN, "sterett: play when at least 8 frigates", STERETT),
        (AMERICAN, "hits: ask", "hits: ask"),
    ],
)  # fmt: skip
def test_orders_are_read_forgivingly_and_written_in_one_spelling(
    seat: int, entered: str, meant: str
) -> None:
    found = order(seat, entered)
    assert found.words == meant
    handle = 2 if seat == AMERICAN else 1002
    given = found if found.handle is None else found._replace(handle=handle)
    text = write_order(DECKS, given)
    assert read_order(RULES, DECKS, seat, text, "here") == given


@pytest.mark.parametrize(
    ("seat", "entered", "refusal"),
    [
        (AMERICAN, "hits", NotUnderstood),
        (AMERICAN, "raids: tripoli", NotUnderstood),
        (AMERICAN, "happy hunting: decline", NotUnderstood),
        (AMERICAN, "losses: marine, marine", NotUnderstood),
        (AMERICAN, "battles: malta", NotUnderstood),
        (AMERICAN, "battles: t", Ambiguous),
        (AMERICAN, "hits: damage", Ambiguous),
        (AMERICAN, "hits: damaged frigate", Ambiguous),
        (AMERICAN, "hits: spread, sink gunboat", NotUnderstood),
        (AMERICAN, "marine: decline", Ambiguous),
        (AMERICAN, "sterett: play when at least 3", Ambiguous),
        (AMERICAN, "sterett: play when at least 9 frigates intercept", Illegal),
        (TRIPOLITAN, "happy: play when at least 10 corsairs raid", Illegal),
        (TRIPOLITAN, "guns: play when", Ambiguous),
        (TRIPOLITAN, "happy: play when at least n corsairs raid", NotUnderstood),
        (TRIPOLITAN, "happy: play when at least corsairs raid", Ambiguous),
        (TRIPOLITAN, "happy: play 4 corsairs", NotUnderstood),
        (TRIPOLITAN, "happy: play t5", Illegal),
        (TRIPOLITAN, "happy: decline t5", NotUnderstood),
        (TRIPOLITAN, "happy hunting: play when at least 0 corsairs raid", Refusal),
        (TRIPOLITAN, "merchant: burn", NotUnderstood),
        (AMERICAN, "hits: ", NotUnderstood),
    ],
)
def test_what_is_no_order_is_refused(seat: int, entered: str, refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        order(seat, entered)


def game_with(pieces: dict[tuple[int, int], int]) -> Tripoli:
    game = Tripoli({})
    for (kind, place), count in pieces.items():
        game.pieces[kind][place] = count
    game.place = TRIPOLI
    return game


def test_preferences_take_the_first_that_is_possible() -> None:
    given = {"hits": order(AMERICAN, "hits: sink gunboat, damage frigate")}
    both = Ask(AMERICAN, "hits", (("sink", GUNBOAT), ("damage", FRIGATE)))
    neither = Ask(AMERICAN, "hits", (("sink damaged", FRIGATE),))
    game = game_with({})
    assert game.obey(both, given) == Answer(("sink", GUNBOAT))
    assert game.obey(neither, given) is None
    assert game.obey(both, {}) is None


def test_battles_are_fought_in_the_order_given_and_asked_for_where_none_fits() -> None:
    given = {"battles": order(AMERICAN, "battles: tunis, tripoli")}
    game = game_with({})
    ask = Ask(AMERICAN, "battle", place_options("fight", (TRIPOLI, TUNIS)))
    assert game.obey(ask, given) == Answer(("fight", TUNIS))
    assert game.obey(Ask(AMERICAN, "battle", place_options("fight", (DERNE,))), given) is None


def window(*cards: int) -> Ask:
    return Ask(
        TRIPOLITAN, "raid", DECLINE, (held(HAPPY_HUNTING), held(SIGNAL_BOOKS)), (), _playing(cards)
    )


def test_a_window_is_declined_only_if_every_card_it_is_for_is_declined() -> None:
    game = game_with({(CORSAIR, TRIPOLI): 3})
    happy, books = order(1, "happy: decline"), order(1, "signal: decline")
    assert game.obey(window(HAPPY_HUNTING), {happy.topic: happy}) == Answer(("decline",))
    assert game.obey(window(HAPPY_HUNTING, SIGNAL_BOOKS), {happy.topic: happy}) is None
    both = {happy.topic: happy, books.topic: books}
    assert game.obey(window(HAPPY_HUNTING, SIGNAL_BOOKS), both) == Answer(("decline",))


@pytest.mark.parametrize(
    ("corsairs", "answer"),
    [(3, ("decline",)), (4, ("play", HAPPY_HUNTING)), (9, ("play", HAPPY_HUNTING))],
)
def test_a_card_is_played_when_its_condition_holds(
    corsairs: int, answer: tuple[object, ...]
) -> None:
    game = game_with({(CORSAIR, TRIPOLI): corsairs})
    given = order(1, "happy: play when at least 4 corsairs raid")
    found = game.obey(window(HAPPY_HUNTING), {given.topic: given})
    assert found is not None
    assert found.option == answer


def test_frigates_are_counted_where_they_intercept() -> None:
    given = order(1, "us signal: play when at least 2 frigates intercept")
    for frigates, verb in ((1, "decline"), (2, "play")):
        game = game_with({(FRIGATE, TRIPOLI_ZONE): frigates})
        found = game.obey(window(SIGNAL_BOOKS), {given.topic: given})
        assert found is not None
        assert found.option[0] == verb


def obeyed(stage: Stage, flow: Flow[None], seat: int, text: str) -> list[str]:
    """Play a stretch of rules with one order in force and dice that never hit: each window of the
    card, and what the order does in it."""
    order = RULES.read_order(seat, text, lambda card: handle_of(stage, card))
    told: list[str] = []
    request = next(flow)
    try:
        while True:
            if isinstance(request, Ask):
                card = NAMES.index(order.topic)
                answer = stage.game.obey(request, {order.topic: order})
                if request.allows(card):
                    assert answer is not None
                    told.append(answer.option[0])
                request = flow.send(answer or Answer(request.options[0]))
            elif isinstance(request, Roll):
                request = flow.send((1,) * request.number)
            else:
                assert isinstance(request, Open)
                request = flow.send(stage.faces[request.handle])
    except (StopIteration, GameOver):
        return told


def handle_of(stage: Stage, card: int) -> int:
    return next(handle for handle, face in stage.faces.items() if face == card)


@pytest.mark.parametrize(("least", "verb"), [(1, "play"), (2, "play"), (3, "decline")])
@pytest.mark.parametrize(
    ("seat", "name"),
    [(AMERICAN, "Lieutenant Sterett in Pursuit"), (TRIPOLITAN, "US Signal Books Overboard")],
)
def test_corsairs_that_break_out_with_murad_reis_count(
    seat: int, name: str, least: int, verb: str
) -> None:
    """Two corsairs lie in Gibraltar, four in Tripoli, and one frigate waits outside."""
    stage = Stage().put(FRIGATE, GIBRALTAR_ZONE, 1).deal(seat, name)
    flow = break_out(stage.game)
    assert obeyed(stage, flow, seat, f"{name}: play when at least {least} corsairs raid") == [verb]


@pytest.mark.parametrize(("least", "verb"), [(2, "play"), (3, "decline")])
def test_frigates_that_meet_murad_reis_count(least: int, verb: str) -> None:
    stage = Stage().put(FRIGATE, GIBRALTAR_ZONE, 2).put(FRIGATE, TRIPOLI_ZONE, 3)
    stage.deal(AMERICAN, "Lieutenant Sterett in Pursuit")
    text = f"sterett: play when at least {least} frigates intercept"
    assert obeyed(stage, break_out(stage.game), AMERICAN, text) == [verb]


@pytest.mark.parametrize(("least", "verb"), [(3, "play"), (4, "decline")])
def test_corsairs_of_an_ally_count_in_a_raid_from_its_harbor(least: int, verb: str) -> None:
    stage = (
        Stage()
        .put(ALLIED, TUNIS, 3)
        .put(FRIGATE, ZONE_OF[TUNIS], 1)
        .deal(AMERICAN, "Lieutenant Sterett in Pursuit")
    )
    text = f"sterett: play when at least {least} corsairs raid"
    assert obeyed(stage, pirate_raid(stage.game, TUNIS), AMERICAN, text) == [verb]


@pytest.mark.parametrize(("least", "verb"), [(1, "play"), (2, "play"), (3, "decline")])
@pytest.mark.parametrize(
    ("seat", "name"), [(AMERICAN, "Preble's Boys Take Aim"), (TRIPOLITAN, "The Guns of Tripoli")]
)
@pytest.mark.parametrize("in_assault", [False, True])
def test_frigates_that_attack_count(
    seat: int, name: str, least: int, verb: str, in_assault: bool
) -> None:
    """Two frigates attack Tripoli, the Assault gathers them from the map; gunboats are no
    frigates."""
    stage = (
        Stage().clear().put(CORSAIR, TRIPOLI, 1).put(FRIGATE, MALTA if in_assault else TRIPOLI, 2)
    )
    stage.put(GUNBOAT, MALTA if in_assault else TRIPOLI, 3).put(FRIGATE, TRACK, 2).deal(seat, name)
    flow = assault(stage.game) if in_assault else naval_battle(stage.game, TRIPOLI, AMERICAN)
    flow = up_to_first_dice(flow)
    assert obeyed(stage, flow, seat, f"{name}: play when at least {least} frigates attack") == [
        verb
    ]


@pytest.mark.parametrize(
    ("seat", "name"), [(AMERICAN, "Preble's Boys Take Aim"), (TRIPOLITAN, "The Guns of Tripoli")]
)
@pytest.mark.parametrize(("in_assault", "verb"), [(False, "decline"), (True, "play")])
def test_an_order_for_the_assault_waits_for_it(
    seat: int, name: str, in_assault: bool, verb: str
) -> None:
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 1).put(FRIGATE, TRIPOLI, 2).deal(seat, name)
    flow = assault(stage.game) if in_assault else naval_battle(stage.game, TRIPOLI, AMERICAN)
    flow = up_to_first_dice(flow)
    assert obeyed(stage, flow, seat, f"{name}: play when it is the assault") == [verb]


def up_to_first_dice(flow: Flow[None]) -> Flow[None]:
    """The same stretch until dice are due: a battle to the end with dice that never hit would have
    none."""
    request = next(flow)
    while not isinstance(request, Roll):
        request = flow.send((yield request))


def test_an_order_for_a_card_that_left_the_hand_leaves_the_question_open() -> None:
    given = order(1, "merchant: play")
    ask = Ask(
        TRIPOLITAN,
        "after raid",
        DECLINE,
        (held(HAPPY_HUNTING),),
        (),
        _playing((MERCHANT_CONVERTED,)),
    )
    assert game_with({}).obey(ask, {given.topic: given}) is None


def test_an_order_to_play_a_card_that_is_not_in_hand_is_refused() -> None:
    def nothing(card: int) -> int:
        raise Illegal(NAMES[card])

    with pytest.raises(Illegal):
        RULES.read_order(TRIPOLITAN, "happy: play", nothing)


def games_by_mail(level: str, count: int) -> list[Ledger]:
    rules = registry.newest("tripoli")
    played = [
        play_by_mail(rules, {"quick-hand-limit": 1}, RandomPolicy, f"orders {n}", level)
        for n in range(count)
    ]
    return [replay(turnfile.read(game.data)) for game in played]


@pytest.fixture(scope="module")
def ordered() -> list[Ledger]:
    return games_by_mail("all", 8)


def test_games_by_orders_are_verified_by_others_and_end(ordered: list[Ledger]) -> None:
    assert all(game.is_proven() for game in ordered)
    said = [
        h.facts
        for game in ordered
        for h in game.begun().referee.record
        if isinstance(h.facts, GivenAnswer)
    ]
    assert sum(answer.by_order for answer in said) > 20
    assert any(answer.by_order and answer.answer.handle is not None for answer in said)


def test_an_answer_by_order_never_moves_the_newest_decision(ordered: list[Ledger]) -> None:
    """Replays entry by entry: E is an entry that entered an answer, sealed, joined or gave an
    order."""
    for game in ordered:
        again = Ledger()
        for entry in game.entries:
            gate.admit(again, entry)
            if again.playing is None or again.is_over():
                continue
            newest = game.entries[again.begun().referee.randomness.newest].fields
            assert {"answers", "seals", "orders", "key"} & set(newest)


def test_a_card_played_by_order_is_opened_in_its_owners_next_entry(ordered: list[Ledger]) -> None:
    seen = 0
    for game in ordered:
        again, owed = Ledger(), set()
        for entry in game.entries:
            opened = {text.split()[0] for text in entry.list("openings")}
            due = {back for seat, back in owed if seat == entry.seat}
            assert due <= opened
            owed -= {(entry.seat, back) for back in due}
            gate.admit(again, entry)
            if again.playing is not None:
                fresh = {
                    (
                        again.seats[again.begun().referee.turn.owner(h)],
                        f"{'at'[h // 1000]}{h % 1000}",
                    )
                    for h in again.begun().referee.book.promises
                }
                seen += len(fresh - owed)
                owed |= fresh
    assert seen > 0


def test_a_player_who_does_not_open_the_card_an_order_played_cannot_go_on() -> None:
    """Signs the owner's next entry anew without the opening, with their own key."""
    for number in range(40):
        seed = f"cheat {number}"
        played = play_by_mail(registry.newest("tripoli"), {}, RandomPolicy, seed, "all")
        game, file = Ledger(), turnfile.read(played.data)
        for entry in file.entries:
            due = game.playing.referee.book.promises if game.playing else {}
            if any(game.begun().referee.turn.owner(back) == game.seat_of(entry) for back in due):
                fields = {key: value for key, value in entry.fields.items() if key != "openings"}
                body = turnfile.write_body(fields)
                digest = turnfile.digest_of(file.prefix(entry.number), body)
                author = by_mail.stranger(seed, game.seat_of(entry))
                signature = author.sign(SIGNATURE_TAG + digest)
                with pytest.raises(RulesBroken, match="is not opened"):
                    gate.admit(game, turnfile.Entry(entry.number, fields, digest, signature, 0))
                return
            gate.admit(game, entry)
    pytest.fail("no order played a card in forty games")


def orders_given(pair: Pair, *texts: str) -> dict[str, Order]:
    seat = pair.turn()
    assert seat is not None
    pair.step(orders=texts)
    referee = pair.ledger().begun().referee
    return referee.book.by_seat[seat]


def hand_of(pair: Pair, seat: int) -> set[str]:
    opened = pair.open(seat)
    faces = own_report.own_faces(opened)
    return {NAMES[faces[back]] for back in opened.ledger.begun().referee.game.hand(seat)}


def test_others_declines_each_battle_card_that_is_not_held_and_has_no_order(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 8).play(4)
    held = hand_of(pair, AMERICAN)
    topics = set(RULES.order_topics(AMERICAN)) - {"hits", "losses", "battles", "draw"}
    named = sorted(topics - held)[0]
    given = orders_given(pair, f"{named}: decline", "Others : DECLINE", "hits: spread")
    assert topics & held
    assert set(given) == {*(topics - held), "hits"}
    assert all(
        order.words.endswith(": decline") for topic, order in given.items() if topic != "hits"
    )


def test_others_is_refused_where_nothing_is_left_to_decline(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 8).play(4)
    held = hand_of(pair, AMERICAN).intersection(RULES.order_topics(AMERICAN))
    orders_given(pair, "others: decline", *(f"{name}: decline" for name in sorted(held)))
    pair.step()
    assert pair.turn() == AMERICAN
    with pytest.raises(Refused):
        orders_given(pair, "others: decline")
