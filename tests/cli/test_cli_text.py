"""What commands say to people is compared here, each word of it once: tests elsewhere say what is
true."""

from __future__ import annotations

import pytest

from tests.cli import golden_json, golden_text
from tests.cli.golden_json import Case
from tests.cli.golden_text import HERE, MAIL, text


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    return golden_text.cases(tmp_path_factory.mktemp("text"))


def test_every_command_has_a_golden_text(cases: dict[str, list[Case]]) -> None:
    made = {path.stem for path in HERE.glob("*.txt")}
    assert made == set(cases)
    assert made - {MAIL} == {path.stem for path in golden_json.HERE.glob("*.json")}


@pytest.mark.parametrize("command", sorted(path.stem for path in HERE.glob("*.txt")))
def test_a_text_is_the_golden_one(cases: dict[str, list[Case]], command: str) -> None:
    """`python -m tests.cli.golden_text` writes them anew: read the difference first."""
    assert text(cases[command]) == (HERE / f"{command}.txt").read_text(encoding="utf-8")
