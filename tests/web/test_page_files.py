"""What the page is made of, without a browser."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_scripts_of_the_table_run_in_the_order_of_the_table() -> None:
    table = re.findall(r'/static/(\w+\.js)"', (ROOT / "templates/table/frame.j2").read_text(encoding="utf-8"))
    start = (ROOT / "templates/web/start.js").read_text(encoding="utf-8")
    listed = re.search(r"const TABLE = \[(.*)\];", start)
    assert listed is not None
    assert ["ask.js", *re.findall(r'"(\w+\.js)"', listed[1])] == table  # which the page has a port of its own for


def test_every_script_of_the_page_is_run() -> None:
    start = (ROOT / "templates/web/start.js").read_text(encoding="utf-8")
    own = {path.name for path in (ROOT / "templates/web").glob("*.js")}
    assert {name for name in own if f'"{name}"' not in start} == {"start.js"}
