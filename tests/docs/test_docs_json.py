"""docs/json.md is made from the types, and names every key of the golden answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs import json_page

GOLDEN = Path(__file__).parents[1] / "cli" / "json"


def test_the_page_is_what_the_types_say() -> None:
    """`./run golden` writes it anew."""
    assert json_page.PAGE.read_text(encoding="utf-8") == json_page.page()


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_every_key_of_a_golden_answer_is_on_the_page(file: Path) -> None:
    page = json_page.page()
    cases: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    assert cases
    for case in cases:
        missing = [key for key in case["json"] if f"| `{key}` |" not in page]
        assert not missing, (case["typed"], missing)
