"""Whole solitaire games in memory: no stall, no rule broken, the same story on every machine."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine import automaton
from engine.automaton import Verdict, break_tie, is_legal, played_by
from engine.flow import Answer, Ask, Card, Flow, Handle, Open, Roll, Seal, Seat
from engine.rules import legal_answers
from engine.table import OpenTable
from engine.tripoli.cards import NAMES, NEEDS
from engine.tripoli.pieces import ALLIED, CORSAIR, FRIGATE, LIMITS
from engine.tripoli.places import ALLIES, SUNK, SUPPLY, TRIPOLI, Place
from engine.tripoli.position import Board
from engine.tripoli.tables import TRIPOLITAN
from engine.tripoli_solitaire import RULES, sequence
from engine.tripoli_solitaire.game import Solitaire
from engine.tripoli_solitaire.position import BotPosition
from pbem.games import registry
from tests.solitaire.golden_solitaire import DATA, SEEDS, transcript
from tests.support.compiled_engine import CHANGES_RULES
from tests.support.solitaire_kit import careful, careless, table


@pytest.mark.dear("plays a thousand games")
@pytest.mark.parametrize("policy", [careless, careful])
def test_a_thousand_games_end(policy: Any) -> None:
    """Half of them by either policy, to be sure of long wars as well; each ends for a reason of the
    rulebook."""
    ends: Counter[str] = Counter()
    for seed in range(500):
        played = table(seed, policy, told=True)
        story = played.game.story
        assert story is not None and story[-1][0] == "over"
        ends[story[-1][2]] += 1
        assert 0 <= played.game.gold <= 12
    assert sum(ends.values()) == 500 and len(ends) > 1


def test_simulations_find_the_game_by_its_name() -> None:
    rules = registry.newest("tripoli-solitaire")
    chance = random.Random(1)
    assert OpenTable(rules, {}, chance).play(lambda _game, _ask, answers: answers[0]).how


def test_the_bot_is_never_asked_and_never_hides_a_card() -> None:
    """No question, no sealed pile and no opening concerns the bot's seat."""
    for seed in range(50):
        chance = random.Random(seed)
        open_table = OpenTable(RULES, {}, chance)
        choose = careful(chance)
        flow, faces, value = open_table.game.flow(), open_table.faces, None
        while True:
            try:
                request = flow.send(value)
            except StopIteration:
                break
            if isinstance(request, Ask):
                assert request.seat != TRIPOLITAN
                value = choose(open_table.game, request, legal_answers(request, faces))
            elif isinstance(request, Roll):
                value = tuple(chance.randint(1, 6) for _ in range(request.number))
            elif isinstance(request, Open):
                assert request.handle < 1000
                value = faces[request.handle]
            else:
                assert not isinstance(request, Seal) or request.deck == 0
                value = open_table._cards(request)


@CHANGES_RULES
def test_the_bot_keeps_the_rules_of_a_tripolitan_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each event meets the card's own need, each raid has a corsair; pieces never exceed what there
    are. Answers in the middle of a play are held against the legal ones by `played_by` itself."""
    seen: Counter[str] = Counter()
    carry_out, pirate_raid, shift = sequence.carry_out, sequence.pirate_raid, Board._shift

    def checked_event(
        game: BotPosition, seat: Seat, card: Card, handle: Handle | None
    ) -> Flow[None]:
        assert seat == TRIPOLITAN and NEEDS[card](game), NAMES[card]
        seen[NAMES[card]] += 1
        return carry_out(game, seat, card, handle)

    def checked_raid(game: BotPosition, harbor: Place) -> Flow[None]:
        assert harbor == TRIPOLI or harbor in ALLIES
        assert game.pieces[CORSAIR if harbor == TRIPOLI else ALLIED][harbor] > 0
        seen["raid"] += 1
        return pirate_raid(game, harbor)

    def checked_shift(self: Board, kind: int, source: Place, target: Place, count: int) -> int:
        moved = shift(self, kind, source, target, count)
        row = self.pieces[kind]
        assert min(row) >= 0 and sum(row) == LIMITS[kind] and (kind == FRIGATE or not row[SUNK])
        seen["built"] += source == SUPPLY and kind == CORSAIR
        return moved

    monkeypatch.setattr(sequence, "carry_out", checked_event)
    monkeypatch.setattr(sequence, "pirate_raid", checked_raid)
    monkeypatch.setattr(Board, "_shift", checked_shift)
    for seed in range(300):
        table(seed, careful)
    assert {"raid", "built", "Storms", "Yusuf Qaramanli", "Sweden Pays Tribute"} < set(seen)


def test_the_cards_are_all_there_at_every_end() -> None:
    """Line, battle line, pile, discard and what left the game make up the bot's 28 cards, none
    twice."""
    for seed in range(200):
        game = table(seed, careful).game
        assert isinstance(game, Solitaire)
        open_cards = [
            game.opened[handle] for handle in (*game.piles[1], *game.discards[1], *game.hands[1])
        ]
        assert len([*open_cards, *game.event_line(), *game.removed[1]]) == 28


@pytest.mark.parametrize("seed", SEEDS)
def test_golden_game(seed: int) -> None:
    """Regenerate with `python -m tests.solitaire.golden_solitaire` when the game was changed on
    purpose."""
    assert (
        transcript(seed) == (DATA / f"golden-{seed}.txt").read_text(encoding="utf-8").splitlines()
    )


# ---- what is common to opponents made of rules ---------------------------------------------------


def test_an_illegal_answer_of_the_table_is_not_taken() -> None:
    game = Solitaire({})

    def flow() -> Flow[None]:
        yield Ask(TRIPOLITAN, "zone", (("zone", 9),))

    def wrong(_ask: Ask) -> Flow[Answer]:
        yield from ()
        return Answer(("zone", 10))

    with pytest.raises(AssertionError):
        next(played_by(game, TRIPOLITAN, wrong, flow()))


def test_legal_answers_of_a_table() -> None:
    ask = Ask(1, "play", (("pass",),), (1001,), (("raid",),), lambda card: (("event", card),))
    faces = {1001: 7, 1002: 8}
    legal = [Answer(("pass",)), Answer(("raid",), 1001), Answer(("event", 7), 1001)]
    wrong = [
        Answer(("raid",)),
        Answer(("pass",), 1001),
        Answer(("event", 8), 1001),
        Answer(("raid",), 1002),
    ]
    assert all(is_legal(ask, answer, faces) for answer in legal)
    assert not any(is_legal(ask, answer, faces) for answer in wrong)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_ties_are_fair(number: int) -> None:
    """Each of the things has as many faces; on the others the die is thrown again."""
    counted: Counter[int] = Counter()
    again = 0
    for die in range(1, 7):
        flow = break_tie(Solitaire({}), 1, range(number), "which", str)
        assert next(flow) == Roll(1, 1, "which", reason="tie")
        try:
            again += flow.send((die,)) == Roll(1, 1, "which", reason="tie")
        except StopIteration as end:
            counted[end.value] += 1
    assert set(counted.values()) == {6 // number} and len(counted) == number and again == 6 % number


def test_nothing_is_put_into_words_when_nobody_listens() -> None:
    game = Solitaire({})
    assert automaton.says(game, 1, "a line", Verdict(True, "so it is")) and game.story is None
