"""The end of The Shores of Tripoli and of its solitaire: once nobody is asked any more the rules
say so, and the game ends in as few mails as docs/format.md, section 8, promises."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from engine.flow import Answer, Ask, Draw, Pick, Roll
from engine.rules import Game
from engine.tripoli import position
from engine.tripoli.tables import LAST_YEAR, WINTER
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.playthrough import Dealer, Playthrough
from pbem.simulate.policies import RandomPolicy
from tests.support.compiled_engine import CHANGES_RULES

SOLITAIRE = "tripoli-solitaire"
RAIDS = ("raid", "raid from")
pytestmark = CHANGES_RULES


@pytest.fixture(autouse=True)
def _more_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve gold end nearly every game against the bot years before the last play."""
    monkeypatch.setattr(position, "GOLD_TO_WIN", 99)


class Patient(RandomPolicy):
    """Tripolitania raids in the last season only, so that the game gets there; both sides keep out
    of battles."""

    def choose(self, game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        return super().choose(game, ask, patient(game, answers))


def patient(game: Game, answers: Sequence[Answer]) -> list[Answer]:
    is_last = game.period() == 4 * (LAST_YEAR - 1801) + WINTER + 1
    raids = [answer for answer in answers if answer.option[0] in RAIDS]
    quiet = [
        answer for answer in answers if answer.option[0] in ("build", "discard", "decline", "pass")
    ]
    return (
        (raids or list(answers))
        if is_last
        else (quiet or [a for a in answers if a not in raids] or list(answers))
    )


def played(name: str, seed: int, *, calm: bool) -> tuple[Playthrough, list[tuple[object, bool]]]:
    """A random game, and at each request whether the rules had said that nothing is left to
    decide."""
    rules = registry.newest(name)
    dealer, seen = Dealer(seed), list[tuple[object, bool]]()

    def respond(table: Playthrough, request: object) -> object:
        seen.append((request, table.game.is_played_out()))
        if calm and isinstance(request, Ask):
            return random.Random(seed + len(seen)).choice(patient(table.game, table.legal))
        return dealer(table, request)

    table = Playthrough(rules, registry.completed(rules, {}), respond)
    for _ in table.steps():
        pass
    return table, seen


@pytest.mark.parametrize("games", [40, pytest.param(80, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["tripoli", SOLITAIRE])
def test_nobody_is_asked_once_the_rules_have_said_that_nothing_is_left(
    name: str, games: int
) -> None:
    said: Counter[tuple[int, ...]] = Counter()
    for seed in range(games):
        table, seen = played(name, seed, calm=seed % 4 != 0)
        assert table.outcome is not None
        flags = [is_out for _, is_out in seen]
        assert flags == sorted(flags), "what was said is never taken back"
        assert not any(isinstance(request, Ask) for request, is_out in seen if is_out)
        said[table.outcome.winners] += flags[-1]
    assert said[()] > 10, "nobody has won by the end of 1806"


@pytest.mark.dear("plays whole games")
@pytest.mark.parametrize("games", [5, pytest.param(16, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "settings"), [("tripoli", {}), (SOLITAIRE, {}), (SOLITAIRE, {"witness": 1})]
)
def test_the_game_ends_n_minus_1_mails_after_its_last_decision(
    name: str, settings: dict[str, int], games: int
) -> None:
    """Where the dice cannot lead to another question: n - 1 mails of the n seats that owe a root,
    at least one where chance waits for a proof."""
    found: Counter[str] = Counter()
    for seed in range(games):
        data = play_by_mail(registry.newest(name), settings, Patient, f"the last {seed}").data
        found[ending(data)] += 1
    assert set(found) <= {"known", "by dice"} and found["known"] > 1, found


def ending(data: bytes) -> str:
    """How the game ended after its last decision; checks how many entries came then."""
    file, game = turnfile.read(data), Ledger()
    last = max(entry.number for entry in file.entries if entry.list("answers"))
    for entry in file.entries[: last + 1]:
        gate.admit(game, entry)
    play = game.begun()
    seats, after = (
        [seat for seat, player in enumerate(game.players) if player is not None],
        len(file.entries) - 1 - last,
    )
    if play.is_over():
        proofs = isinstance(play.referee.turn.request, Roll | Pick | Draw)
        assert "root" in file.entries[last].fields
        # a mere witness has no deck, and owes none
        owing = sum(play.owes_root(seat) for seat in seats)
        assert after == max(owing - 1, int(proofs)), (after, owing, proofs)
        return "known"
    assert after <= len(seats) + 1
    return "by dice"
