"""Every rule of the procedure has a test by its name: none can go missing unnoticed."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from engine.paradise.expand import PRECEDENCE
from engine.paradise.tables import ACTIONS, EXPANDS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "paradise.md"

NAMED = {
    "Expand: 1 Card": ("test_one_card", "test_a_card_moves_nothing"),
    "Expand: Transport Canoe Chain": (
        "test_the_chain_joins_the_cheapest_first_and_asks_again",
        "test_a_chain_joins_what_can_be_joined_and_nothing_else",
        "test_a_chain_to_one_group_has_the_fewest_new_canoes",
    ),
    "Expand: 1 Village": (
        "test_a_village_goes_where_most_boxes_are_empty",
        "test_a_village_is_tied_by_die",
    ),
    "Expand: 1 Village per Island": (
        "test_a_village_per_island",
        "test_each_island_with_an_empty_box_gets_one_village",
    ),
    "Expand: 2 Warrior Bands": ("test_each_warrior_tests_all_steps_anew",),
    "Expand: 1 Warrior Band": ("test_warriors_follow_the_order_of_precedence",),
    "Expand: 1 Warrior per Village": ("test_a_warrior_per_village",),
    "Expand: 1 War Canoe": (
        "test_a_war_canoe_in_the_home_group",
        "test_no_home_no_war_canoe_and_no_chain",
    ),
    "Action: Build": ("test_pending_chits_are_drawn_one_after_the_other",),
    "Action: Defend": ("test_pending_chits_are_drawn_one_after_the_other",),
    "Action: Explore!": (
        "test_explore_until_five_knots_show",
        "test_rings_alternate_and_explored_hexes_are_skipped",
    ),
    "Action: Attack!": (
        "test_all_canoes_and_a_warrior_each_attack",
        "test_fewest_defenders_are_attacked",
    ),
    "step 1": ("test_step_1_beside_a_war_canoe", "test_step_1_beats_the_limit_of_an_atoll"),
    "step 2": ("test_step_2_most_villages_first", "test_step_2_ties_by_die"),
    "step 3": ("test_step_3_groups_with_nothing",),
    "step 4": ("test_step_4_one_warrior_an_atoll",),
    "step 5": ("test_step_5_what_is_left_over",),
    "the odds of occupation": ("test_occupation_odds",),
    "new home": (
        "test_a_new_home_is_the_group_with_the_most_villages",
        "test_a_new_home_is_tied_by_die",
    ),
    "Off Course": (
        "test_off_course_goes_to_the_farthest_hex_by_die",
        "test_the_hex_of_an_off_course_marker_stays",
    ),
    "removal and panic": (
        "test_the_order_of_casualties",
        "test_warriors_are_removed_before_war_canoes",
    ),
    "ties": ("test_ties_are_fair_and_told_before_the_throw",),
    "the end": ("test_how_a_victory_step_ends_the_game", "test_the_end_is_confirmed"),
    "each chit once": (
        "test_a_drawn_chit_never_returns",
        "test_attack_chits_join_after_the_sixth_draw",
    ),
    "supplies": ("test_villages_end_with_the_supply", "test_warriors_end_with_the_supply"),
    "random tables": ("test_random_tables_end", "test_thousands_of_random_tables_end"),
}


@cache
def functions() -> dict[str, str]:
    """The tests of this folder and their docstrings."""
    found: dict[str, str] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[node.name] = ast.get_docstring(node) or ""
    return found


def test_the_list_has_every_result_and_step() -> None:
    wanted = {f"Expand: {name}" for name in EXPANDS} | {f"Action: {name}" for name in ACTIONS}
    wanted |= {f"step {number}" for number in range(1, len(PRECEDENCE) + 1)}
    assert wanted <= NAMED.keys()


@pytest.mark.parametrize("rule", NAMED)
def test_a_rule_has_its_tests(rule: str) -> None:
    assert not [name for name in NAMED[rule] if name not in functions()]


def test_every_ruling_has_a_test_that_names_it() -> None:
    """In its docstring: `Ruling 6`, `(rulings 8 and 24)`."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## Rulings\n")[2]
    known = {int(number) for number in re.findall(r"^([0-9]+)\. ", section, re.MULTILINE)}
    tested: set[int] = set()
    for words in functions().values():
        for numbers in re.findall(
            r"[Rr]ulings? ([0-9]+(?:(?:, | and )[0-9]+)*)", " ".join(words.split())
        ):
            tested |= set(map(int, re.findall("[0-9]+", numbers)))
    assert known and known - tested == set()
    assert tested <= known
