"""The example plug-in (`examples/plugin`). In `tests/cli/test_cli_wheel.py` two people
play it to its end, installed in an empty environment."""

from __future__ import annotations

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
