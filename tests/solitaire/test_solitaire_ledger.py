"""Solitaire games by ledger: alone, with a witness, two players who witness each other; and what
they show."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.flow import Answer, Ask
from engine.rules import Game
from pbem.cli.errors import plain
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.report import dice_count, render, verification
from pbem.report.facts import report
from pbem.report.lines import DiceLine
from pbem.report.model import Report
from pbem.simulate.series import simulate
from pbem.turn import open_game, own_report
from tests.support.golden_words import Golden
from tests.support.solitaire_kit import (
    Choose,
    careful,
    careless,
    home_of,
    invite,
    join,
    play_on,
    write,
)


def opened(data: bytes) -> Ledger:
    return replay(turnfile.read(data))


def shown(
    data: bytes, home: Home, *, public: bool = False, template: str = "report.txt.j2"
) -> tuple[str, Report]:
    facts, _ = own_report.facts_for(open_game.open_file(data, home), public=public)
    return render.render(template, facts), facts


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Home, Home]:
    folder = tmp_path_factory.mktemp("homes")
    return home_of(folder, "Ann"), home_of(folder, "Ben"), home_of(folder, "Cleo")


# ---- alone ---------------------------------------------------------------------------------------


def test_alone_the_game_starts_at_once(homes: tuple[Home, Home, Home]) -> None:
    ann = homes[0]
    data = invite(ann)
    game = opened(data)
    assert game.playing is not None and game.to_act() == 0 and len(game.entries) == 1
    assert b'options = [\n  "unwitnessed",\n]' in data
    _, facts = shown(data, ann)
    assert (
        len(facts.position.hand or ()) == 6
        and facts.turn.asked
        and facts.turn.asked.what == "answer"
    )


def test_alone_to_the_end(homes: tuple[Home, Home, Home]) -> None:
    """Every roll is settled by the player's own proof over the entry before; a third home verifies
    it all."""
    ann, _, cleo = homes
    data = play_on(invite(ann), [ann], careful(random.Random(11)))
    game = opened(data)
    assert {entry.seat for entry in game.entries} == {"american"} and game.is_proven()
    assert game.begun().referee.chance_uses
    for chanced in game.begun().referee.chance_uses:
        assert chanced.witnesses == () and chanced.sources == (0,)
        assert (chanced.entry, 0) in game.begun().referee.randomness.proofs
    for entry in game.entries[1:]:
        assert "proof" in entry.fields or entry is game.entries[-1]
    assert open_game.open_file(data, cleo).seat is None
    facts, failure = verification.verify(data)
    assert failure is None and facts.witnessed is False and facts.result.proven
    assert "Unwitnessed" in verification.in_words(facts)


def test_every_report_says_unwitnessed(homes: tuple[Home, Home, Home]) -> None:
    ann = homes[0]
    data = invite(ann)
    for number in range(4):
        for template in ("report.txt.j2", "report.md.j2"):
            for public in (True, False):
                assert "nwitnessed" in shown(data, ann, public=public, template=template)[0], number
        data = write(ann, data, careful(random.Random(number)))
    rolled = dice_count.dice(data).rolls
    assert rolled and all(roll.witness == "nobody" for roll in rolled)
    assert [proof.seat for roll in rolled for proof in roll.chance.proofs] == ["american"] * sum(
        not roll.pending for roll in rolled
    )
    assert "witness nobody" in dice_count.dice_in_words(dice_count.dice(data), proofs=True)


def test_what_the_player_sees_is_what_his_entry_will_bring(
    homes: tuple[Home, Home, Home], golden: Golden
) -> None:
    """The position shown is settled by the proof they are about to write."""
    ann = homes[0]
    data = write(ann, invite(ann), careful(random.Random(5)))
    text, facts = shown(data, ann)
    assert facts.turn.asked and facts.turn.asked.seat == "american"
    golden(*(line for line in text.splitlines() if "next decision" in line))
    after = opened(write(ann, data, careful(random.Random(5))))
    told = [
        line for turn in facts.position.entries for line in turn.lines if isinstance(line, DiceLine)
    ]
    made = [
        list(c.result or ())
        for c in after.begun().referee.chance_uses
        if type(c.request).__name__ == "Roll"
    ]
    assert [line.dice for line in told] == made[: len(told)]


def test_alone_resigns(homes: tuple[Home, Home, Home], golden: Golden) -> None:
    ann = homes[0]
    data = write(ann, write(ann, invite(ann), careful(random.Random(2))), resign=True)
    game = opened(data)
    assert game.outcome is not None and game.outcome.winners == (1,) and game.is_proven()
    golden(
        *(
            line
            for line in verification.in_words(verification.verify(data)[0]).splitlines()
            if line.startswith("Result")
        )
    )


def test_nobody_agrees_to_a_draw(homes: tuple[Home, Home, Home]) -> None:
    ann = homes[0]
    with pytest.raises(Refused, match="nobody"):
        write(ann, invite(ann), draw="offer")


def test_standing_orders_of_the_player(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, _ = homes
    opened_file = open_game.open_file(join(ben, invite(ann, ben)), ann)
    assert "hits" in opened_file.ledger.rules.order_topics(0)
    assert not opened_file.ledger.rules.order_topics(
        1
    ) and not opened_file.ledger.rules.order_topics(2)


@pytest.mark.dear("plays whole games by mail")
def test_a_declined_window_is_not_asked_in_the_bots_turn(homes: tuple[Home, Home, Home]) -> None:
    """The order settles the interception within the bot's turn, for the player alone and before a
    witness."""
    ann, ben, _ = homes
    for data in (invite(ann), join(ben, invite(ann, ben))):
        asked: list[str] = []
        policy = careful(random.Random(6))

        def choose(game: Game, ask: Ask, answers: list[Answer], policy: Choose = policy) -> Answer:
            asked.append(ask.rule)  # noqa: B023
            return policy(game, ask, answers)

        data = write(ann, data, choose, orders=["Lieutenant Sterett in Pursuit: decline"])
        data = play_on(data, [ann, ben], choose)
        dice = [roll.reason for roll in dice_count.dice(data).rolls]
        assert "American frigates intercept" in dice and "interception" not in asked


# ---- with a witness ------------------------------------------------------------------------------


def test_with_a_witness_to_the_end(homes: tuple[Home, Home, Home]) -> None:
    """Every roll after a decision of the player is settled by the witness, who writes nothing
    else."""
    ann, ben, _ = homes
    data = play_on(join(ben, invite(ann, ben)), [ann, ben], careful(random.Random(8)))
    game = opened(data)
    assert game.is_proven() and game.playing is not None
    own = [entry for entry in game.entries if entry.seat == "witness"]
    for entry in own[1:]:
        assert set(entry.fields) == {"seat", "date", "nonce", "proof", "position"}
    assert all(
        chanced.witnesses == (2,)
        for chanced in game.begun().referee.chance_uses
        if chanced.entry > 1
    )
    facts, failure = verification.verify(data)
    assert failure is None and facts.witnessed is True
    assert "nwitnessed" not in verification.in_words(facts) + shown(data, ann)[0]
    assert b"unwitnessed" not in data


def test_one_entry_of_the_witness_settles_all_up_to_the_next_decision(
    homes: tuple[Home, Home, Home],
) -> None:
    ann, ben, _ = homes
    chance = random.Random(4)
    data = join(ben, invite(ann, ben))
    while (game := opened(data)).to_act() is not None:
        seat = game.to_act()
        data = write(ann if seat == 0 else ben, data, careful(chance))
        after = opened(data)
        if seat == 2:
            assert after.to_act() in (0, None)
            if not after.is_over():
                facts = shown(data, ann)[1]  # her own forced openings may end the game
                assert facts.turn.asked and facts.turn.asked.what == (
                    "root" if facts.progress.over else "answer"
                )


def test_nothing_to_compute_before_the_witness_has_written(homes: tuple[Home, Home, Home]) -> None:
    """With the file and the player's secrets: the pending roll has one source, and it is not
    theirs."""
    ann, ben, _ = homes
    data = join(ben, invite(ann, ben))
    while opened(data).to_act() == 0:
        data = write(ann, data, careful(random.Random(6)))
    referee = opened(data).begun().referee
    assert (
        referee.turn.pending()
        and referee.randomness.sources() == (2,)
        and not referee.randomness.outputs
    )


def test_the_witness_sees_no_hand(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, _ = homes
    data = join(ben, invite(ann, ben))
    _, mine = shown(data, ann)
    text, theirs = shown(data, ben)
    assert theirs.position.hand is None and len(mine.position.hand or ()) == 6
    assert not theirs.position.view["american"]["hand"] and "Your hand" not in text


def test_two_players_witness_each_other(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, _ = homes
    for player, witness in ((ann, ben), (ben, ann)):
        data = play_on(
            join(witness, invite(player, witness)), [player, witness], careless(random.Random(1))
        )
        assert verification.verify(data)[0].witnessed and opened(data).is_proven()


def test_only_the_invited_witness_joins(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, cleo = homes
    with pytest.raises(Refused, match="somebody else"):
        join(cleo, invite(ann, ben))


def test_the_witness_ends_nothing(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, _ = homes
    data = join(ben, invite(ann, ben))
    while opened(data).to_act() == 0:
        data = write(ann, data, careful(random.Random(6)))
    for what in ({"resign": True}, {"draw": "offer"}):
        with pytest.raises(Refused, match="witness"):
            write(ben, data, **what)


def test_the_player_resigns_before_a_witness(homes: tuple[Home, Home, Home]) -> None:
    ann, ben, _ = homes
    data = write(ann, join(ben, invite(ann, ben)), resign=True)
    game = opened(data)
    assert game.outcome is not None and game.outcome.winners == (1,) and game.to_act() is None


def test_simulated_by_mail() -> None:
    for settings in ({}, {"witness": 1}):
        facts = simulate("tripoli-solitaire", 2, "1", settings=settings, by_mail=True)
        assert json.dumps(plain(facts))


def test_explanations_are_in_the_report(
    homes: tuple[Home, Home, Home], tmp_path: Path, golden: Golden
) -> None:
    ann = homes[0]
    data = invite(ann)
    for number in range(6):
        data = write(ann, data, careless(random.Random(number)))
        if opened(data).is_over():
            break
    for template in ("report.txt.j2", "report.md.j2"):
        game = opened(data)
        faces = game.public_faces()
        facts = report(game, None, faces, 0)
        text = render.render(template, facts)
        golden(
            *(
                line
                for line in text.splitlines()
                if "event card line: " in line or "Sends Aid needs" in line
            )
        )
