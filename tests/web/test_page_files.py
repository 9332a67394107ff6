"""What the page is made of, without a browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_scripts_of_the_table_run_in_the_order_of_the_table() -> None:
    table = re.findall(
        r'/static/(\w+\.js)"', (ROOT / "templates/table/frame.j2").read_text(encoding="utf-8")
    )
    start = (ROOT / "templates/web/start.js").read_text(encoding="utf-8")
    listed = re.search(r"const TABLE = \[(.*)\];", start)
    assert listed is not None
    # which the page has a port of its own for
    assert ["ask.js", *re.findall(r'"(\w+\.js)"', listed[1])] == table


def test_every_script_of_the_page_is_run() -> None:
    begun = ("host.js", "start.js")  # in one file, which names the others
    texts = [(ROOT / "templates/web" / name).read_text(encoding="utf-8") for name in begun]
    own = {path.name for path in (ROOT / "templates/web").glob("*.js")}
    assert {name for name in own if f'"{name}"' not in "".join(texts)} == {*begun}


class Controls(HTMLParser):
    """What can be pressed, chosen or written in a document: each as the ways to name it in a test,
    by its id or another attribute, or by its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[set[str]] = []
        self._words: set[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("a", "button", "input", "textarea", "summary"):
            return
        known = {name: value or "" for name, value in attrs}
        names = {f"#{known['id']}"} if "id" in known else set()
        names |= {f"[{name}={known[name]}]" for name in ("data-shows", "value") if name in known}
        names |= {f".{known['class']}"} if known.get("class") == "skip" else set()
        self.found.append(names)
        self._words = names if tag in ("a", "button", "summary") else None

    def handle_data(self, data: str) -> None:
        if self._words is not None:
            self._words.add(" ".join(data.split()))
            self._words = None


PRESSED = re.compile(
    r"""\b(?:click|click_on|fill|upload|drop|focus|saves|way|copied)\((?:ben, |tab, )?f?(["'])(.+?)\1"""  # noqa: E501
)


MADE = re.compile(r"\b(?:button|link)\((.*)|\bways\.push\(\[(.*)")
# what else stands there as a text: a class, and why the page has ended
NO_WORDS = {"main", "taken", "small", "span"}
# in `test_page_controls`: no mouse reaches them there
BY_KEYS = {"Open it by itself", "To the page"}


def is_named(pressed: str, names: set[str]) -> bool:
    """Whether what a test presses is the control of these names: a selector may have more around an
    id or attribute."""
    return pressed in names or any(
        pressed.endswith(one) or pressed.startswith(f"{one} ") for one in names if one[0] in "#["
    )


def test_every_control_of_the_page_is_pressed_by_a_test() -> None:
    """As a person does: by the driver of a browser. A control that has another name or words since
    is found here."""
    sources = ROOT / "templates/web"
    support = [ROOT / f"tests/support/{name}.py" for name in ("web_tabs", "web_states")]
    drivers = [*(ROOT / "tests/web").glob("test_page*.py"), *support]
    drivers.append(ROOT / "tests/web/test_messenger.py")  # presses what is said before a signature
    tests = "".join(path.read_text("utf-8") for path in drivers)
    pressed = {found[2] for found in PRESSED.finditer(tests)} | BY_KEYS
    controls = Controls((sources / "index.html").read_text("utf-8")).found
    for path in sources.glob("*.js"):
        for made in MADE.finditer(path.read_text("utf-8")):
            words = re.findall(r'"([A-Za-z][a-z ]+)"', (made[1] or made[2]).split("=>")[0])
            controls += [{one} for one in words if one not in NO_WORDS]
    assert len(controls) > 50
    assert [names for names in controls if not any(is_named(one, names) for one in pressed)] == []
