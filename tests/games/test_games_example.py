"""The example plug-in (`examples/plugin`). In `tests/cli/test_cli_wheel.py` two people
play it to its end, installed in an empty environment."""

from __future__ import annotations

import pytest

from engine.flow import Refusal
from engine.orders import Order
from pbem.games import registry
from pbem.simulate import figures, series
from tests.support.plugins import EXAMPLE, Site


def test_it_is_simulated(site: Site) -> None:
    site.install()
    facts = series.simulate("goofspiel", 20, "1")
    assert "rounds" in figures.in_words(facts)
    assert series.simulate("goofspiel", 1, "1", by_mail=True)


def test_it_is_a_small_game() -> None:
    """It brings no template, no drawing and no script."""
    files = [
        path for path in EXAMPLE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    assert {path.suffix for path in files} == {".py", ".toml", ".md"}
    code = [path.read_text(encoding="utf-8") for path in files if path.suffix == ".py"]
    assert sum(len(text.splitlines()) for text in code) <= 170


def test_its_orders_are_the_words_that_its_rules_list(site: Site) -> None:
    site.install()
    rules = registry.newest("goofspiel")

    def read(text: str) -> Order:
        return rules.read_order(0, text, lambda _card: 1)

    assert read("Lay: old") == Order("lay", "lay: oldest", ("oldest",))
    assert read("lay: ask") == Order("lay", "lay: ask")
    for wrong in ("lay: anything", "lay oldest", "sell: oldest", "lay:"):
        with pytest.raises(Refusal):
            read(wrong)
    assert registry.newest("backgammon").order_topics(0) != ()
