"""docs/json.md is made from the types, and names every key of the golden answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from release import json_page

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
        lines = case["json"] if isinstance(case["json"], list) else [case["json"]]
        missing = [key for line in lines for key in line if f"| `{key}` |" not in page]
        assert not missing, (case["command"], missing)


def test_every_link_of_the_page_leads_to_a_heading_of_it() -> None:
    page = json_page.page()
    headings = {line.lstrip("# ").lower() for line in page.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\(#([^)]*)\)", page)) <= headings
