"""What a player is told before a resignation is signed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pbem.report import verification
from pbem.turn import leaving, own_report, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.golden_words import Golden
from tests.support.loot_homes import Table
from tests.support.loot_match import Match
from tests.support.terminal import at_a_terminal

ARCHIVED = (Path(__file__).parents[3] / "tests/archive/loot-1.toml").read_bytes()


def test_what_a_resignation_shows_is_said_before_it_is_signed(
    tmp_path: Path, golden: Golden
) -> None:
    """Leaving, being left alone, and ending a game of two sides; and an old file says nothing."""
    table = Table.of(Match(3).until(3), tmp_path / "three")
    while not (asked := table.moves):
        table.step(lambda _seat, options: options[0])
    seat = table.game().to_act()
    assert seat is not None and asked
    hand = leaving.consequences(table.opened(seat))
    golden(hand)
    names = own_report.facts_for(table.opened(seat), public=False)[0].position.hand
    assert names is not None
    assert f"({', '.join(names)}" in hand
    assert leaving.consequences(table.opened((seat + 1) % 3)) == "", "not their turn"
    table.data = take_turn.next_entry(table.opened(seat), Intent(resign=True))
    turn = table.game().to_act()
    assert turn is not None
    costs = leaving.consequences(table.opened(turn))
    assert f" {table.game().seats[3 - seat - turn]} wins" in costs
    golden(costs)
    pairs = Table.of(Match(4, partners=1).until(4), tmp_path / "pairs")
    while not pairs.moves:
        pairs.step(lambda _seat, options: options[0])
    turn = pairs.game().to_act()
    assert turn is not None
    said = leaving.consequences(pairs.opened(turn))
    assert ("third and fourth" if turn < 2 else "first and second") in said
    golden(said)


def test_at_a_terminal_a_resignation_is_asked_for(tmp_path: Path) -> None:
    table = Table.of(Match(2).until(2), tmp_path)
    while not table.moves:
        table.step(lambda _seat, options: options[0])
    seat = table.game().to_act()
    assert seat is not None
    (tmp_path / "turn.toml").write_bytes(table.data)
    home = tmp_path / f"home{seat}"
    before = sorted(path.name for path in tmp_path.iterdir())
    shown = at_a_terminal(home, tmp_path, ["resign", "turn.toml"], ["n"], columns=300)
    assert "Sign it? [y/N]:" in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    signed = at_a_terminal(home, tmp_path, ["resign", "turn.toml"], ["y"], columns=300)
    assert len([*tmp_path.glob("loot*.toml")]) == 1 and "Sign it? [y/N]:" in signed


def test_verify_does_not_count_the_root_of_one_who_left(golden: Golden) -> None:
    """The words alone: a game of Loot that holds, ended as if a third player had left it."""
    facts, _ = verification.verify(ARCHIVED)
    assert isinstance(facts, verification.VerifiedGame) and facts.result is not None
    left = replace(facts, result=replace(facts.result, unaudited=["third"]))
    golden(
        *(
            line
            for line in verification.in_words(left).splitlines()
            if "stayed" in line or " left: " in line
        )
    )
