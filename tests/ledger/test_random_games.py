"""Whole random games between two identities, in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.report import dice_count, verification
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.players import AMERICAN, TRIPOLITAN, Pair, accepted

GAMES = [
    (1, {}),
    (2, {}),
    (11, {"hidden_discard": 1}),
    (14, {"quick_hand_limit": 1, "hidden_discard": 1}),
]
MORE = [
    pytest.param(*one, marks=pytest.mark.slow)
    for one in ((3, {}), (4, {}), (13, {"quick_hand_limit": 1}))
]


@pytest.mark.dear("plays whole games")
@pytest.mark.parametrize(("seed", "options"), [*GAMES, *MORE])
def test_a_whole_game(seed: int, options: dict[str, int], tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed, host=seed % 2, **options)
    machines = [Ledger(), Ledger()]
    while True:
        entry = turnfile.read(pair.data).entries[-1]
        for machine in machines:
            gate.admit(machine, entry)
        assert (
            machines[0].position_digest()
            == machines[1].position_digest()
            == entry.blob("position", 32)
        )
        assert machines[0].to_act() == machines[1].to_act()
        if machines[0].to_act() is None:
            break
        assert entry.number < 400, "the game does not end"
        pair.step()
    assert machines[0].is_proven()
    facts, failure = verification.verify(pair.data)
    assert failure is None and facts.result.proven and facts.to_act == []
    assert facts.rolls == len(dice_count.dice(pair.data).rolls)
    last_two = turnfile.read(pair.data).entries[-2:]
    assert {entry.seat for entry in last_two} == {"american", "tripolitan"}
    assert all("root" in entry.fields for entry in last_two)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    assert Pair(tmp_path / "a", 3).play(9).data == Pair(tmp_path / "b", 3).play(9).data


@pytest.mark.parametrize("host", [AMERICAN, TRIPOLITAN])
def test_either_seat_may_invite(host: int, tmp_path: Path) -> None:
    pair = Pair(tmp_path, 1, host=host)
    assert pair.turn() == 1 - host
    pair.play(5)
    accepted(pair.data)


def owing(game: Ledger) -> bool:
    """The one who writes next owes a proof."""
    return game.playing is not None and game.playing.referee.turn.pending()


def test_a_resignation_pays_what_is_owed_and_takes_effect(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 2).play(4).until(owing)
    seat = pair.turn()
    assert seat is not None
    pair.step([], resign=True)
    entry = turnfile.read(pair.data).entries[-1]
    assert {"proof", "resign", "root"} <= set(entry.fields)
    game = pair.ledger()
    assert game.outcome is not None and game.outcome.winners == (1 - seat,) and not game.is_proven()
    assert pair.turn() == 1 - seat
    pair.step([])
    assert pair.ledger().is_proven() and pair.turn() is None
    with pytest.raises(Refused, match="over"):
        take_turn.next_entry(pair.open(seat), Intent())


def standing(pair: Pair) -> tuple[str, str]:
    """What every position covers but the trace: the board, and what is waited for."""
    referee = pair.ledger().begun().referee
    return referee.game.position(), referee.waits()


def asked(game: Ledger) -> bool:
    """The one who writes next is asked something as the file stands: an offer by them would stand
    alone."""
    return (
        game.playing is not None
        and not game.playing.referee.turn.pending()
        and len(game.entries) > 4
    )


def test_a_draw_offered_alone_and_accepted(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3).until(asked)
    seat = pair.turn()
    assert seat is not None
    pair.step([], draw="answer")
    assert pair.turn() == 1 - seat
    pair.step([], draw="answer")
    game = pair.ledger()
    assert game.outcome is not None and game.outcome.winners == () and not game.is_proven()
    pair.step([])
    assert pair.ledger().is_proven()
    accepted(pair.data)


def test_a_draw_offered_alone_and_declined(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3).until(asked)
    seat = pair.turn()
    before = standing(pair)
    pair.step([], draw="answer")
    with pytest.raises(Refused):
        take_turn.next_entry(pair.open(pair.turn() or 0), Intent())
    pair.step([], draw="decline")
    assert pair.turn() == seat and pair.ledger().offer is None
    assert standing(pair) == before
    pair.play(30)
    accepted(pair.data)


def free_to_offer(pair: Pair) -> bytes | None:
    """A complete entry that leaves no roll open and another seat to act, with a draw offered beside
    it."""
    seat, before = pair.turn(), pair.random.getstate()
    try:
        data = pair.next(draw="offer")
    except Refused:  # it would lapse
        pair.random.setstate(before)
        return None
    return None if open_game.open_file(data, None).ledger.to_act() == seat else data


def test_a_draw_offered_with_a_move(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 4).play(4)
    while (data := free_to_offer(pair)) is None:
        pair.step()
    pair.step(draw="offer")
    assert pair.data == data
    with pytest.raises(Refused, match="offered already"):
        pair.next(draw="offer")
    lapsed = Ledger()
    for entry in turnfile.read(pair.next()).entries:
        gate.admit(lapsed, entry)
    assert lapsed.offer is None and not lapsed.is_over()
    agreed = pair.next(draw="accept")
    facts, failure = verification.verify(agreed)
    assert failure is None and facts.result.winners == [] and not facts.result.proven


def test_an_offer_lapses_when_a_roll_is_pending(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 5).play(4)
    while not owing(open_game.open_file(pair.next(), None).ledger):
        pair.step()
    seat = pair.turn()
    assert seat is not None
    answers = pair.choose(seat)
    with pytest.raises(Refused, match="lapse"):
        pair.next(answers, draw="offer")
    opened = pair.open(seat)
    draft = take_turn.answer(opened, Intent(answers))
    draft.fields["draw"] = "offer"  # as a program writes it that does not warn its player
    pair.data = take_turn.finish(opened, draft)
    assert turnfile.read(pair.data).entries[-1].text("draw") == "offer"
    assert pair.ledger().offer is None
    with pytest.raises(Refused):
        pair.next(draw="accept")


def test_players_are_refused_what_nobody_asked_for(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 6).until(asked)
    seat = pair.turn()
    assert seat is not None
    for draw in ("accept", "decline"):
        with pytest.raises(Refused):
            pair.next(draw=draw)
    with pytest.raises(Refused, match="not your turn"):
        take_turn.next_entry(pair.open(1 - seat), Intent())
    with pytest.raises(take_turn.MoreNeeded):
        take_turn.next_entry(pair.open(seat), Intent())
    with pytest.raises(Refused):
        take_turn.next_entry(pair.open(seat), Intent(["castle"]))
