"""What a page shows as signed, with the genuine file and our scripts and all else changed, in
Chromium and Firefox.

What each change is stands in `tests/vectors/make_lies.py`; those of the trace are in
`tests/replay/test_lies.py` too.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.fileformat.turnfile import read
from pbem.ledger import trace_file
from pbem.ledger.trace import Step
from pbem.replay.page import empty_page, page
from pbem.replay.scenes import Replayed
from tests.replay.test_lies import ended_by_its_last_entry, false_winner, signed_anew
from tests.support.browsers import needs_puppeteer
from tests.support.lies import GENUINE, LIES, changed, file_of, genuine_page, page_with, trace_of
from tests.support.mutations import SOLITAIRE, played
from tests.support.packed_pages import unpacked
from tests.support.web_tabs import Browsers
from tests.vectors import make_lies

KEYS = ["#entry-5", "#entry-20", "End"]
"""Where each page is looked at, besides where it opens: two entries of which something else is
told, and the last."""
OLDER = "tests/replay/untraced.toml"
ALL: list[dict[str, Any]] = LIES["page"]
BROWSERS = [("chrome", ALL), pytest.param(("firefox", ALL), marks=pytest.mark.slow)]
"""Which lies a browser is shown: Firefox the same ones, in `./run slow`."""


@dataclass(frozen=True)
class Made:
    """Files for the browsers: the genuine page and each page with a lie, by what the lie is; the
    empty page; and what falls on it, a turn file with its trace each."""

    pages: dict[str, str]
    empty: str
    rolls: list[list[str]]
    unsigned: list[list[str]]
    last: bytes
    looks: list[dict[str, Any]]


@dataclass(frozen=True)
class Found:
    """What one browser found on all of them."""

    lies: list[dict[str, Any]]
    pages: list[dict[str, Any]]
    rolls: dict[str, Any]
    unsigned: dict[str, Any]
    looks: list[dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("lies")

    def written(name: str, text: str) -> str:
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        return (folder / name).as_uri()

    def dropped(name: str, data: bytes, trace: Step) -> list[str]:
        (folder / f"{name}.toml").write_bytes(data)
        written(f"{name}.json", trace_file.write(trace))
        return [str(folder / f"{name}.{end}") for end in ("toml", "json")]

    texts = {"": genuine_page(), **{lie["about"]: page_with(lie) for lie in ALL}}
    rolls = [
        dropped(
            f"roll{number}", file_of(lie["file"]), changed(trace_of(lie["file"]), lie["changes"])
        )
        for number, lie in enumerate(LIES["rolls"])
    ]
    cases = [(file_of(OLDER), changed(trace_of(OLDER), make_lies.rolls(OLDER)[0]["changes"]))]
    last, alone = ended_by_its_last_entry(), played(SOLITAIRE, "all keys")
    for game in (last, alone):
        number, lies, _ = false_winner(game)
        cases.append(signed_anew(game, lies, number))
    older = written("older.html", page(file_of(OLDER), Replayed(file_of(OLDER))))
    pages = {
        about: written(f"{number}.html", text) for number, (about, text) in enumerate(texts.items())
    }
    looks = [
        {"url": url, "width": width, "height": height, "axe": True, "dark": width == 390}
        for url in (pages[""], older)
        for width, height in ((390, 844), (1400, 900))
    ]
    return Made(
        pages=pages,
        empty=written("empty.html", empty_page()),
        rolls=rolls,
        unsigned=[dropped(f"unsigned{number}", *case) for number, case in enumerate(cases)],
        last=last.data,
        looks=looks,
    )


@pytest.fixture(scope="module", params=BROWSERS, ids=lambda param: f"{param[0]} {len(param[1])}")
def found(request: pytest.FixtureRequest, made: Made, browsers: Browsers) -> Found:
    browser, lies = request.param
    pages = [
        {"url": made.pages[about], "keys": KEYS, "calm": True}
        for about in ("", *(lie["about"] for lie in lies))
    ]
    drops = [{"url": made.empty, "drops": drops} for drops in (made.rolls, made.unsigned)]
    seen = iter(browsers.look_at(browser, [*pages, *drops, *made.looks]))
    return Found(lies, [next(seen) for _ in pages], next(seen), next(seen), list(seen))


@needs_puppeteer
def test_no_change_of_a_page_reaches_what_is_signed(found: Found) -> None:
    """All that stands outside the frame of what is told is the same as on the genuine page; or the
    page finds what is wrong. A page that finds it, or is not done, has nothing green."""
    genuine, *lied = found.pages
    assert {seen["checks"] for seen in genuine["seen"]} == {"ok"} and genuine["seen"][0][
        "signed"
    ] == "all"
    assert "verdict" in genuine["seen"][0]["green"]
    wrong = []
    for lie, page_found in zip(found.lies, lied, strict=True):
        for seen, true in zip(page_found["seen"], genuine["seen"], strict=True):
            if "layer" in lie:
                found_out = (seen["checks"], seen["failedEntry"]) == ("failed", str(lie["entry"]))
                as_it_should = found_out and not seen["green"]
            else:
                as_it_should = all(
                    seen[key] == true[key] for key in ("rest", "tab", "checks", "signed", "verdict")
                )
            if not as_it_should or seen["images"] or seen["wide"]:
                wrong.append((lie["about"], seen["title"], seen["verdict"]))
        assert [
            url for url in page_found["requests"] if not url.startswith(("file:", "data:"))
        ] == []
    assert wrong == []


@needs_puppeteer
def test_each_roll_made_longer_is_found_on_the_empty_page(found: Found) -> None:
    for lie, seen in zip(LIES["rolls"], found.rolls["seen"], strict=False):
        assert (seen["checks"], seen["failedEntry"], seen["green"]) == (
            "failed",
            str(lie["entry"]),
            [],
        ), lie


@needs_puppeteer
def test_where_nobody_honest_signed_on_nothing_is_green(found: Found, made: Made) -> None:
    """An older file with a longer roll, the last entries of one writer, and one person with all
    keys."""
    older, one_writer, one_key = found.unsigned["seen"][:3]
    assert [seen["checks"] for seen in (older, one_writer, one_key)] == ["ok"] * 3
    assert [seen["signed"] for seen in (older, one_writer, one_key)] == ["none", "part", "none"]
    assert [seen["green"] for seen in (older, one_writer, one_key)] == [[]] * 3
    assert "An older file" in older["verdict"] and "are told, not signed" in older["verdict"]
    newest = len(read(made.last).entries) - 1
    assert (
        f"Both signed on up to turn {newest - 1}; the rest stands on the word of"
        in one_writer["verdict"]
    )
    assert (
        "on the word of" in one_writer["result"]
        and "one person holds all keys" in one_writer["open"]
    )
    assert "No second player signed on: all of it stands on the word of" in one_key["verdict"]


@needs_puppeteer
def test_the_doubter_sees_first_what_was_computed_and_what_was_not(
    found: Found, made: Made
) -> None:
    """On a telephone too, both lines of the verdict and who tells the pictures stand above the
    fold, in one size."""
    for step, look in zip(made.looks, found.looks, strict=True):
        (seen,) = look["seen"]
        assert seen["fold"] <= step["height"] and len(set(seen["sizes"])) == 1 and not seen["wide"]
        assert seen["verdict"].startswith("Computed here:") and seen["open"].startswith(
            "Not computed here:"
        )
        assert (
            "Pictures and story are told by the page, not computed" in seen["rest"]
            and "pbem verify" in seen["told"]
        )
        assert seen["fold"] <= step["height"] / 5 and seen["boardEnd"] <= step["height"], (
            "the game comes first"
        )
        assert seen["boardHigh"] >= step["height"] / 2
        assert ("verdict" in seen["green"]) is (step["url"] == made.pages[""])
        assert "open" not in seen["green"] and "told-by" not in seen["green"]
        assert [one for one in look["axe"] if one.startswith(("serious", "critical"))] == []


def test_what_a_page_tells_is_not_what_it_shows_as_signed() -> None:
    """The page's own data hold no name, no message, no date and no card by its name beside the
    trace."""
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', genuine_page())
    assert found is not None
    told = json.loads(unpacked(found[1]))
    assert set(told) == {"told", "trace"}
    assert told["told"].pop("pictures") == {}, "nobody made one"
    assert set(told["told"]) == {"title", "when", "film", "hands", "ending", "boards"} | {"ground"}
    assert GENUINE.startswith("tests/archive/")
