"""What a page shows as signed, with the genuine file and our scripts and all else changed, in Chromium and Firefox.

What each change is stands in `tests/vectors/make_lies.py`; those of the trace are in `tests/verifier/test_lies.py` too.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat.turnfile import read
from pbem.ledger import trace_file
from pbem.replay.page import empty_page, page
from pbem.replay.scenes import Replayed
from tests.support.browsers import drive, needs_puppeteer
from tests.support.lies import GENUINE, LIES, ROOT, changed, file_of, genuine_page, page_with, trace_of
from tests.support.mutations import KINDS, played
from tests.vectors import make_lies
from tests.verifier.test_lies import ended_by_its_last_entry, false_winner, signed_anew

KEYS = ["#entry-5", "#entry-20", "End"]
"""Where each page is looked at, besides where it opens: two entries of which something else is told, and the last."""
OLDER = "tests/archive/tripoli-1-resigned.toml"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A step for the genuine page, and one for each page with a lie."""
    folder = tmp_path_factory.mktemp("lies")
    steps = []
    for number, text in enumerate([genuine_page(), *map(page_with, LIES["page"])]):
        path = folder / f"{number}.html"
        path.write_text(text, encoding="utf-8", newline="\n")
        steps.append({"url": path.as_uri(), "keys": KEYS})
    return steps


@needs_puppeteer
@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_no_change_of_a_page_reaches_what_is_signed(browser: str, pages: list[dict[str, Any]], tmp_path: Path) -> None:
    """All that stands outside the frame of what is told is the same as on the genuine page; or the page finds what is
    wrong. A page that finds it, or is not done, has nothing green."""
    genuine, *lied = drive(browser, pages, tmp_path)
    assert {seen["checks"] for seen in genuine["seen"]} == {"ok"} and genuine["seen"][0]["signed"] == "all"
    assert "verdict" in genuine["seen"][0]["green"]
    wrong = []
    for lie, found in zip(LIES["page"], lied, strict=True):
        for seen, true in zip(found["seen"], genuine["seen"], strict=True):
            if "layer" in lie:
                found_out = (seen["checks"], seen["failedEntry"]) == ("failed", str(lie["entry"]))
                as_it_should = found_out and not seen["green"]
            else:
                as_it_should = all(seen[key] == true[key] for key in ("rest", "tab", "checks", "signed", "verdict"))
            if not as_it_should or seen["images"] or seen["wide"]:
                wrong.append((lie["about"], seen["title"], seen["verdict"]))
        assert [url for url in found["requests"] if not url.startswith(("file:", "data:"))] == []
    assert wrong == []


@needs_puppeteer
@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_each_roll_made_longer_is_found_on_the_empty_page(browser: str, tmp_path: Path) -> None:
    drops, lies = [], LIES["rolls"]
    for number, lie in enumerate(lies):
        made = tmp_path / f"{number}.json"
        made.write_text(trace_file.write(changed(trace_of(lie["file"]), lie["changes"])), encoding="utf-8")
        drops.append([str(ROOT / lie["file"]), str(made)])
    empty = tmp_path / "empty.html"
    empty.write_text(empty_page(), encoding="utf-8", newline="\n")
    (found,) = drive(browser, [{"url": empty.as_uri(), "drops": drops}], tmp_path)
    for lie, seen in zip(lies, found["seen"], strict=False):
        assert (seen["checks"], seen["failedEntry"], seen["green"]) == ("failed", str(lie["entry"]), []), lie


@needs_puppeteer
@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_where_nobody_honest_signed_on_nothing_is_green(browser: str, tmp_path: Path) -> None:
    """An older file with a longer roll, the last entries of one writer, and one person with all keys."""
    longer = changed(trace_of(OLDER), make_lies.rolls(OLDER)[0]["changes"])
    last = ended_by_its_last_entry()
    alone = played(KINDS[1], "all keys")
    cases = [(file_of(OLDER), longer)]
    for game in (last, alone):
        number, lies, _ = false_winner(game)
        cases.append(signed_anew(game, lies, number))
    drops = []
    for number, (data, made) in enumerate(cases):
        (tmp_path / f"{number}.toml").write_bytes(data)
        (tmp_path / f"{number}.json").write_text(trace_file.write(made), encoding="utf-8")
        drops.append([str(tmp_path / f"{number}.{end}") for end in ("toml", "json")])
    empty = tmp_path / "empty.html"
    empty.write_text(empty_page(), encoding="utf-8", newline="\n")
    (found,) = drive(browser, [{"url": empty.as_uri(), "drops": drops}], tmp_path)
    older, one_writer, one_key = found["seen"][:3]
    assert [seen["checks"] for seen in (older, one_writer, one_key)] == ["ok"] * 3
    assert [seen["signed"] for seen in (older, one_writer, one_key)] == ["none", "part", "none"]
    assert [seen["green"] for seen in (older, one_writer, one_key)] == [[]] * 3
    assert "An older file" in older["verdict"] and "are told, not signed" in older["verdict"]
    newest = len(read(last.data).entries) - 1
    assert f"Both signed on up to entry {newest - 1}; the rest stands on the word of" in one_writer["verdict"]
    assert "on the word of" in one_writer["result"] and "one person holds all keys" in one_writer["open"]
    assert "No second player signed on: all of it stands on the word of" in one_key["verdict"]


@needs_puppeteer
@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_the_doubter_sees_first_what_was_computed_and_what_was_not(browser: str, tmp_path: Path) -> None:
    """On a telephone too, both lines of the verdict and who tells the pictures stand above the fold, in one size."""
    made = {"genuine": genuine_page(), "older": page(file_of(OLDER), Replayed(file_of(OLDER)))}
    steps: list[dict[str, Any]] = []
    for name, text in made.items():
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8", newline="\n")
        for width, height in ((390, 844), (1400, 900)):
            look = {"url": (tmp_path / f"{name}.html").as_uri(), "width": width, "height": height, "axe": True}
            steps.append({**look, "dark": width == 390})
    for step, found in zip(steps, drive(browser, steps, tmp_path), strict=True):
        (seen,) = found["seen"]
        assert seen["fold"] <= step["height"] and len(set(seen["sizes"])) == 1 and not seen["wide"]
        assert seen["verdict"].startswith("Computed here:") and seen["open"].startswith("Not computed here:")
        assert "Told by whoever made this page" in seen["told"] and "pbem verify" in seen["told"]
        assert ("verdict" in seen["green"]) is ("genuine" in step["url"])
        assert "open" not in seen["green"] and "told-by" not in seen["green"]
        assert [one for one in found["axe"] if one.startswith(("serious", "critical"))] == []


def test_what_a_page_tells_is_not_what_it_shows_as_signed() -> None:
    """The page's own data hold no name, no message, no date and no card by its name beside the trace."""
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', genuine_page())
    assert found is not None
    told = json.loads(zlib.decompress(base64.b64decode(found[1])))
    assert set(told) == {"told", "trace"}
    assert set(told["told"]) == {"title", "when", "deeds", "hands", "ending", "boards"}
    assert GENUINE.startswith("tests/archive/")
