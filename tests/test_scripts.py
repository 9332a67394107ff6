"""The scripts of a page share one scope and nothing looks at their names before a browser runs the
line: a linter reads what each page loads as one text, and every name in it is somebody's."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pbem.replay import page
from tests.support.browsers import FOLDER

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates"
LINTER = FOLDER / "node_modules" / ".bin" / "oxlint"
RULES = {
    "plugins": [],
    "categories": {"correctness": "off"},
    "env": {"browser": True, "serviceworker": True, "commonjs": True, "es2024": True},
    "globals": {
        "webxdc": "readonly",
        "pbem": "readonly",
        "process": "readonly",
        "__dirname": "readonly",
    },
    "rules": {
        "no-undef": "error",
        "no-redeclare": ["error", {"builtinGlobals": False}],
        "no-const-assign": "error",
    },
}
"""What it looks for. The verifier's scripts run under node too, where they are in a file."""
START = (TEMPLATES / "web" / "start.js").read_text(encoding="utf-8")


def listed(name: str, text: str = START) -> list[str]:
    """The scripts that start.js, or another one, lists under a name."""
    found = re.search(rf"\b{name}(?: =|:) \[(.*?)\]", text)
    assert found is not None
    return re.findall(r'"([a-z_]+\.js)"', found[1])


def of_page(place: str) -> str:
    """All scripts of the page, with those of the place that it runs in."""
    host = (TEMPLATES / place / "host.js").read_text(encoding="utf-8")
    names = ["start.js", *listed("PAGE"), *listed("scripts", host), *listed("TABLE")]
    return host + together(names, tuple({place: 0, "web": 0, "table": 0, "stage": 0}))


def of_table() -> list[str]:
    frame = (TEMPLATES / "table" / "frame.j2").read_text(encoding="utf-8")
    return re.findall(r"/static/([a-z_]+\.js)", frame)


def together(names: list[str], folders: tuple[str, ...]) -> str:
    """Their texts, one after the other."""
    paths = [next(TEMPLATES.joinpath(one).glob(name), None) for name in names for one in folders]
    texts = [path.read_text(encoding="utf-8") for path in paths if path is not None]
    assert len(texts) == len(names)
    return "\n".join(texts)


PAGES = {
    "table": lambda: together(of_table(), ("table", "stage")),
    "page": lambda: of_page("web"),
    "messenger": lambda: of_page("messenger"),
    "worker": lambda: (
        "const VERSION = '', FOLDER = '', HAS_LOCK = true, HAS_FILES = true;\n"
        "const NEVER = new Set(), PLACE = {};\n" + together(listed("WORKER"), ("web",))
    ),
    "service worker": lambda: together(["sw.js"], ("web",)),
    "check": lambda: page.script(has_game=False),
    "replay": lambda: page.script(has_game=True),
}


needs_linter = pytest.mark.skipif(
    not LINTER.exists(), reason="oxlint is not installed: npm ci in tests/browser"
)


@needs_linter
@pytest.mark.parametrize("name", PAGES)
def test_every_name_in_a_script_is_declared_once(name: str, tmp_path: Path) -> None:
    assert complaints(PAGES[name](), tmp_path) == []


@needs_linter
def test_the_linter_sees_a_name_that_nobody_declares(tmp_path: Path) -> None:
    (said,) = complaints(PAGES["page"]() + "\n() => nobody_knows();\n", tmp_path)
    assert "nobody_knows" in said


@needs_linter
@pytest.mark.parametrize("twice", ["const again = 1; let again = 2;", "function again() {}\n" * 2])
def test_the_linter_sees_a_name_that_two_scripts_give(twice: str, tmp_path: Path) -> None:
    """A constant that is there twice keeps both scripts from starting, a function replaces the
    other."""
    (said,) = complaints(f"{PAGES['worker']()}\n{twice}\n", tmp_path)
    assert "again" in said


def complaints(text: str, folder: Path) -> list[str]:
    (folder / "rules.json").write_text(json.dumps(RULES), encoding="utf-8")
    (folder / "all.js").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [LINTER, "-c", "rules.json", "--format", "unix", "all.js"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    return re.findall(r"^.*all\.js:\d.*$", run.stdout, re.MULTILINE)


def test_scripts_of_both_places_speak_of_neither() -> None:
    """The page in a browser and the app in a messenger share them: their words name the place as
    host.js does."""
    names = [*listed("WORKER"), "start.js", *listed("PAGE")]
    for name in names:
        text = (TEMPLATES / "web" / name).read_text(encoding="utf-8")
        code = re.sub(r"^\s*//.*$|\s//\s.*$", "", text, flags=re.MULTILINE)
        said = re.findall(r'"[^"\n]* [^"\n]*"|`[^`]* [^`]*`', code)
        named = re.compile(r"\b(?:browsers?|tabs?|messenger|chat|(?:this|the) (?:page|app))\b")
        assert [one for one in said if named.search(one)] == [], name
