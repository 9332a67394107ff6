"""Leaving a game of three sides or more: one test for each clause of docs/format.md, section 8 (the
number is in the name), in games of the ledger with real keys."""

from __future__ import annotations

import random
from functools import cache

import pytest

from engine.flow import Outcome
from pbem.errors import RulesBroken
from pbem.report import verification
from pbem.report.facts import report
from tests.support.golden_words import Golden
from tests.support.loot_left import (
    begun,
    draws,
    finished,
    given_up,
    say_of_draw,
    steady,
    table,
    turn_of,
)
from tests.support.loot_match import Match, anything


@pytest.mark.parametrize(("count", "partners"), [(2, 0), (4, 1)])
def test_01_with_two_sides_a_resignation_ends_the_game(count: int, partners: int) -> None:
    match = begun(count, partners=partners)
    loser = match.maker.to_act()
    assert loser is not None
    entry = match.step(resign=True)
    assert "root" in entry.fields and "decryption" not in entry.fields
    side = (2 * (loser // 2), 2 * (loser // 2) + 1) if partners else (loser,)
    game = finished(match)
    assert game.outcome == Outcome(
        tuple(seat for seat in range(count) if seat not in side), f"{match.names[loser]} resigned"
    )
    assert game.is_proven() and game.begun().unaudited() == []


@pytest.mark.dear("plays Loot with its true deck")
@pytest.mark.parametrize(("count", "partners"), [(3, 0), (6, 1)])
def test_02_with_three_sides_the_seat_leaves_and_publishes_its_key(
    count: int, partners: int
) -> None:
    match = begun(count, partners=partners)
    entry = match.step(resign=True)
    assert {"resign", "decryption"} <= set(entry.fields) and "root" not in entry.fields
    assert not match.checker.is_over() and match.checker.to_act() is not None
    assert finished(match).is_proven()


def test_02_the_entry_gives_the_shares_it_owes() -> None:
    match = begun(3)
    owing = match.maker.begun().referee
    assert owing.common is not None
    seat = match.maker.to_act()
    assert seat is not None and owing.common.owed(seat)
    assert "shares" in match.step(resign=True).fields


def test_03_without_dice_a_seat_may_leave_in_an_entry_that_only_helps() -> None:
    match = Match(4)
    match.until(5)  # the inviter has written since the last join
    helper = match.maker.to_act()
    assert helper is not None and match.maker.begun().referee.turn.reader() != helper
    match.step(resign=True)
    assert table(match.checker).left == [helper]
    assert given_up(match).is_proven()


def test_03_without_dice_a_seat_may_leave_after_its_answer() -> None:
    match = begun(3)
    seat = match.maker.to_act()
    entry = match.step(draws, resign=True)
    assert entry.list("answers") == ["draw"]
    assert table(match.checker).left == [seat]
    assert len(table(match.checker).hands[seat or 0]) == 7


def test_03_leaving_is_a_decision() -> None:
    match = begun(3)
    entry = match.step(resign=True)
    referee = match.checker.begun().referee
    assert referee.randomness.newest == entry.number


def test_03_nobody_leaves_in_a_first_entry(golden: Golden) -> None:
    for number in (1, 2):
        match = Match(3).until(number, draws)
        code, words = match.forge(lambda fields: fields.update(resign="yes"))
        assert code == 3
        golden(words)


@pytest.mark.parametrize(("count", "partners"), [(3, 0), (6, 1)])
def test_04_seats_of_one_side_only_have_won(count: int, partners: int) -> None:
    match = begun(count, partners=partners)
    stays = (4, 5) if partners else (2,)
    while not match.maker.is_over():
        seat = match.maker.to_act()
        entry = match.step(draws, resign=seat not in stays)
        assert ("root" in entry.fields) == match.maker.is_over()
    assert "decryption" not in entry.fields and entry.fields["resign"] == "yes"
    game = finished(match)
    assert game.outcome is not None and game.outcome.winners == stays
    assert game.is_proven()


def test_04_the_winners_are_those_who_still_play() -> None:
    match = begun(6, partners=1)
    while not match.maker.is_over():
        match.step(draws, resign=match.maker.to_act() != 5)
    game = finished(match)
    assert game.outcome is not None and game.outcome.winners == (5,)


def test_05_a_pair_has_lost_when_both_have_left_and_not_before() -> None:
    match = begun(6, partners=1)
    turn_of(match, 2)
    match.step(resign=True)
    turn_of(match, 3)
    match.step(resign=True)
    game = finished(match, anything(random.Random(5)))
    assert (
        game.outcome is not None and game.outcome.winners and not {2, 3} & set(game.outcome.winners)
    )
    assert table(game).gone == {1}


def test_06_nobody_waits_for_shares_of_one_who_left() -> None:
    match = begun(4)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    common = match.checker.begun().referee.common
    assert common is not None
    assert all(gone in shares for shares in common.shares.values())
    match.step(draws)
    assert all(gone in shares for shares in common.shares.values()), (
        "for cards drawn afterwards too"
    )
    assert given_up(match).is_proven()


def test_07_the_hand_is_readable_by_everybody_and_opened_at_the_end() -> None:
    match = begun(3)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    for _ in range(2):
        match.step(draws)
    referee = match.checker.begun().referee
    hand = table(match.checker).hand(gone)
    assert len(hand) == 6
    assert set(hand) <= set(referee.faces()) and not set(hand) & set(referee.game.faces())
    facts = report(match.checker, None, referee.faces(), 0)
    hands = facts.position.view["hands"]
    assert isinstance(hands, list)
    shown = hands[gone]
    assert shown["left"] and shown["shown"] and shown["unread"] == 0
    assert all(card["card"] for card in shown["cards"])
    known = {handle: referee.faces()[handle] for handle in hand}
    game = finished(match)
    opened = table(game).open
    assert {handle: opened[handle] for handle in hand} == known
    assert not any(
        text.startswith(tuple(f"c{h} " for h in hand))
        for e in game.entries
        for text in e.list("openings")
    )


def test_08_a_partner_who_left_gets_no_more_boxes() -> None:
    match = begun(6, partners=1)
    turn_of(match, 2).step(resign=True)
    before = len(match.maker.entries)
    game = finished(match)
    later = [entry for entry in game.entries[before:] if entry.seat == "fourth"]
    assert later and not any("box" in entry.fields for entry in later)
    assert any("box" in entry.fields for entry in game.entries[before:] if entry.seat == "fifth")


def test_08_one_who_left_is_asked_nothing_and_draws_nothing() -> None:
    match = begun(4)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    hand = table(match.checker).hand(gone)
    game = finished(match)
    assert table(game).hand(gone) == hand
    newest = next(entry.number for entry in game.entries if "decryption" in entry.fields)
    assert all(entry.seat != match.names[gone] for entry in game.entries[newest + 1 :])


def test_08_a_draw_needs_only_those_who_still_play() -> None:
    match = begun(4)
    gone = match.maker.to_act()
    match.step(resign=True)
    offering = match.maker.to_act()
    say_of_draw(match, "offer")
    assert match.checker.offer is not None and match.checker.offer.alone
    answered = []
    while not match.checker.is_over():
        answered.append(match.checker.to_act())
        say_of_draw(match, "accept")
    assert gone not in answered and offering not in answered and len(answered) == 2
    assert match.checker.outcome is not None and match.checker.outcome.winners == ()
    assert finished(match).is_proven()


def test_10_one_who_left_owes_no_root() -> None:
    match = begun(3)
    gone = match.maker.to_act()
    assert gone is not None
    match.step(resign=True)
    game = finished(match)
    assert game.is_proven() and game.player_of(gone).root is None
    assert [seat for seat in range(3) if game.player_of(seat).root is None] == [gone]


def test_11_an_offer_lapses_when_a_seat_leaves() -> None:
    match = begun(4)
    asked = match.maker.to_act()
    say_of_draw(match, "offer")
    gone = match.maker.to_act()
    assert match.checker.offer is not None and gone != asked
    draft = match.bare()
    draft.fields["resign"] = "yes"
    match.maker.begun().end_by_consent(draft, "", True)
    match.keep(draft)
    assert match.checker.offer is None and match.checker.to_act() == asked
    say_of_draw(match, "offer")
    assert match.checker.offer is not None, "the question is a new one"


def test_12_the_rules_go_on_in_the_same_entry() -> None:
    """The leaver was asked; the next seat is asked now."""
    match = begun(3)
    seat = match.maker.to_act()
    assert seat is not None
    match.step(resign=True)
    assert table(match.checker).active == (seat + 1) % 3


def test_13_the_report_says_which_shuffle_stays_unaudited_and_the_game_is_proven() -> None:
    match = begun(3)
    gone = match.maker.to_act()
    assert gone is not None
    name = match.names[gone]
    match.step(resign=True)
    finished(match)
    facts, failure = verification.verify(match.data)
    assert failure is None and isinstance(facts, verification.VerifiedGame)
    assert facts.result is not None and facts.result.proven and facts.result.unaudited == [name]
    assert name in verification.in_words(facts)


@cache
def played_out() -> Match:
    """A game up to the entry after which nothing is left to decide."""
    match = Match(3)
    while not match.maker.is_over():
        match.step(steady(match))
    return match


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_once_nothing_is_left_to_decide_nobody_resigns_or_offers_a_draw(
    kind: str, golden: Golden
) -> None:
    match = played_out().fork()
    assert match.maker.outcome is None, "the hands are still closed"
    value = {"resign": "yes", "draw": "offer"}[kind]
    code, words = match.forge(lambda fields: fields.update({kind: value}))
    assert code == 3
    golden(words)
    draft = match.draft()
    with pytest.raises(RulesBroken):
        match.maker.begun().end_by_consent(
            draft, "offer" if kind == "draw" else "", kind == "resign"
        )


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_nor_in_the_entry_of_the_last_decision(kind: str, golden: Golden) -> None:
    last = played_out().fork(len(played_out().maker.entries) - 1)
    value = {"resign": "yes", "draw": "offer"}[kind]
    code, words = last.forge(lambda fields: fields.update({kind: value}), steady(last))
    assert code == 3
    golden(words)
