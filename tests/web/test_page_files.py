"""What the page is made of, without a browser."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.support.browsers import NODE
from tests.support.second_verifier import needs_node

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


@needs_node
def test_no_two_scripts_of_a_place_give_one_name(tmp_path: Path) -> None:
    """They share it, in the page as in the worker: a name that is there twice keeps both from starting."""
    start = (ROOT / "templates/web/start.js").read_text(encoding="utf-8")
    for place, also in (("WORKER", ()), ("PAGE", ("TABLE",))):
        listed = [re.search(rf"const {name} = \[(.*?)\];", start, re.DOTALL) for name in (place, *also)]
        folders = [ROOT / "templates/web", ROOT / "templates/table"]
        names = [
            (folder, re.findall(r'"(\w+\.js)"', one[1])) for folder, one in zip(folders, listed, strict=False) if one
        ]
        assert sum(len(found) for _, found in names) > 5, place
        joined = tmp_path / f"{place}.js"
        joined.write_text(
            "\n".join((folder / name).read_text("utf-8") for folder, found in names for name in found), "utf-8"
        )
        run = subprocess.run([str(NODE), "--check", joined], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
