"""The answers of commands with `--json` are a public interface: they change only on purpose."""

from __future__ import annotations

import pytest

from tests.cli import golden_json
from tests.cli.golden_json import HERE, Case, text


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    return golden_json.cases(tmp_path_factory.mktemp("json"))


@pytest.mark.dear("runs every command")
def test_every_command_has_a_golden_answer(cases: dict[str, list[Case]]) -> None:
    assert {path.stem for path in HERE.glob("*.json")} == set(cases)


@pytest.mark.parametrize("command", sorted(path.stem for path in HERE.glob("*.json")))
def test_an_answer_is_the_golden_one(cases: dict[str, list[Case]], command: str) -> None:
    """`python -m tests.cli.golden_json` writes them anew: read the difference first."""
    assert text(cases[command]) == (HERE / f"{command}.json").read_text(encoding="utf-8")
