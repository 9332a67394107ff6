"""The page that replays a game, in Chromium and Firefox: it checks, shows, stops at a failure, and
asks for nothing."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from pbem.fileformat import armor
from pbem.fileformat.encoding import fingerprint
from pbem.fileformat.packed import packed
from pbem.fileformat.turnfile import read
from pbem.ledger import trace_file as trace
from pbem.ledger.evidence import NO_ACCUSATION
from pbem.replay.page import empty_page, page
from pbem.replay.scenes import Replayed
from pbem.report.picture import DATA
from release import letters
from tests.support.browsers import needs_puppeteer
from tests.support.mutations import Kind, played
from tests.support.packed_pages import unpacked
from tests.support.web_tabs import Browsers
from tests.vectors.make_verdicts import Base, put

ROOT = Path(__file__).parents[2]
TRIPOLI = ROOT / "tests" / "archive" / "tripoli-1.toml"
GIVEN, OTHER = (
    ROOT / "tests" / "vectors" / "verdicts" / f"{name}.toml" for name in ("tripoli", "solitaire")
)
"""Short games, which the empty page is given."""
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
LARGEST = {"tripoli": 350_000, "backgammon": 350_000, "loot": 490_000}
"""What a page may hold of a whole game in bytes, of Loot with five."""


def written(folder: Path, name: str, data: bytes) -> str:
    path = folder / f"{name}.html"
    path.write_text(page_of(data), encoding="utf-8", newline="\n")
    return path.as_uri()


@cache
def page_of(data: bytes) -> str:
    return page(data, Replayed(data))


def hostile() -> bytes:
    """A game whose players are called and write what a browser might run."""
    game = Base(played(Kind("tripoli"), "hostile"))
    return game.signed(0, {**game.entries[0].fields, "name": HOSTILE[:80], "message": HOSTILE})


def other_version() -> bytes:
    """The game that the empty page is given, up to a turn which its author signed once more."""
    return Base(played(Kind("tripoli"), "vectors")).changed(
        6, put("message", "another one"), position=False
    )


def first_changed() -> int:
    """The entry whose first answer is another one on the bad page: the first with answers after
    entry 30."""
    entries = read(TRIPOLI.read_bytes()).entries
    return next(entry.number for entry in entries[31:] if entry.list("answers"))


LAST = len(read(GIVEN.read_bytes()).entries) - 1


@cache
def rolling() -> int:
    """An entry of the given game whose first steps are several, and the first of them with a
    roll."""
    film, _ = Replayed(GIVEN.read_bytes()).film()
    return next(
        number for number, steps in enumerate(film) if len(steps) > 2 and steps[0].rolls == 1
    )


LIE = "Computed here: all of it is proven."
GREEN_BADGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" overflow="visible"'
    ' width="400" height="300"><g id="strip" pointer-events="none"><rect x="-900" y="-900"'
    ' width="3000" height="3000" fill="#cfc"/><text x="-60" y="-90" id="verdict" fill="#14602f">'
    f"{LIE}</text></g></svg>"
)


def with_green_badge(text: str, ground: str) -> str:
    """The page with scenes that paint a verdict of their own, far beyond their edges: what lies
    under the board, or (without `ground`) a picture, and all that stands on it."""
    found = re.search(r'id="data">([^<]*)<', text)
    assert found is not None
    data = json.loads(unpacked(found[1]))
    place = {"name": LIE, "label": LIE, "at": [200, -400], "look": "strip told", "note": LIE}
    board = {"whole": [0, 0, 9, 9], "places": [place], "strip": [{"label": LIE, "value": "✓"}]}
    elements = [json.dumps(board) if ground else GREEN_BADGE]
    data["told"]["boards"] = {"elements": elements, "changes": [[[0, 0, [0]]]] + [None] * 999}
    data["told"]["ground"] = ground
    data["told"]["film"] = [[{"lines": [LIE]}]] * 99
    again = packed(json.dumps(data).encode())
    return text[: found.start(1)] + again + text[found.end(1) :]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    tripoli = TRIPOLI.read_bytes()
    cut = read(tripoli).entries[first_changed() - 1].end
    bad = tripoli[:cut] + tripoli[cut:].replace(b'answers = [\n  "', b'answers = [\n  "x', 1)
    empty = folder / "empty.html"
    empty.write_text(empty_page(), encoding="utf-8", newline="\n")
    (folder / "trace.json").write_text(
        trace.write(trace.trace(GIVEN.read_bytes()).trace), encoding="utf-8"
    )
    made = {"tripoli": written(folder, "tripoli", tripoli), "bad": written(folder, "bad", bad)}
    given = written(folder, "given", GIVEN.read_bytes())
    for number, lie in enumerate(PAGE_LIES.values()):
        lied = page_of(GIVEN.read_bytes()).replace("<body>\n", f"<body>\n{lie}", 1)
        (folder / f"lie{number}.html").write_text(lied, encoding="utf-8", newline="\n")
        made[f"lie{number}"] = (folder / f"lie{number}.html").as_uri()
    for name, ground in (("green", GREEN_BADGE), ("picture", "")):
        green = with_green_badge(page_of(GIVEN.read_bytes()), ground)
        (folder / f"{name}.html").write_text(green, encoding="utf-8", newline="\n")
        made[name] = (folder / f"{name}.html").as_uri()
    loot = next((ROOT / "examples" / "loot").glob("*.toml")).read_bytes()
    return {
        **made,
        "given": given,
        "loot": written(folder, "loot", loot),
        "hostile": written(folder, "hostile", hostile()),
        "empty": empty.as_uri(),
        "trace": str(folder / "trace.json"),
    }


def is_quiet(found: dict[str, Any]) -> None:
    """No request but the page itself, no error, nothing that the policy refused, nothing that axe
    objects to."""
    assert [url for url in found["requests"] if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in found["requests"] if url.startswith("file:")]) <= 1
    assert found["bad"] == []
    assert all(seen["violations"] == [] and not seen["wide"] for seen in found["seen"])
    assert [one for one in found.get("axe", []) if one.startswith(("serious", "critical"))] == []


@dataclass(frozen=True)
class Found:
    """What a browser found on each page that it was led through."""

    shown: list[dict[str, Any]]
    placed: list[dict[str, Any]]
    lies: list[dict[str, Any]]
    film: list[dict[str, Any]]
    dropped: list[dict[str, Any]]
    decks: list[dict[str, Any]]


WIDTHS = {390: 844, 768: 1024, 1000: 700, 1366: 768, 1920: 1080}
"""Windows in which the verdict is looked for, and how high they are."""
WON = "Ann has won, and all of it is proven"
PAGE_LIES = {
    "a second verdict": f'<p id="verdict" style="color: green">{WON}</p><p id="verdict">{WON}</p>',
    "a section above the true one": f"<section><h1>{WON}</h1><p>Checked</p></section>",
    "the true one in a fold": f"<h1>{WON}</h1><details><summary>All that was computed</summary>",
    "the true one hidden": f"<h1>{WON}</h1><div hidden>",
}
"""What is put into a page before all that is to be seen; its data, script and policy stay."""
BROWSERS = ["chrome", "firefox", pytest.param("chromium", marks=pytest.mark.slow)]
"""In `./run test` Chromium's headless shell where it is installed, in `./run slow` the whole
browser."""


@pytest.fixture(scope="module", params=BROWSERS)
def found(
    request: pytest.FixtureRequest,
    pages: dict[str, str],
    browsers: Browsers,
    tmp_path_factory: pytest.TempPathFactory,
) -> Found:
    """All that is looked at in one browser."""
    keys = ["ArrowRight", "End", "ArrowLeft", "choose ", "Home"]
    files = {"choose-trace": pages["trace"], "choose-file": str(GIVEN)}
    shown: list[dict[str, Any]] = [
        {"url": pages["tripoli"], "keys": keys, "axe": True},
        {
            "url": pages["tripoli"] + "#entry-17",
            "width": 360,
            "dark": True,
            "calm": True,
            "touch": True,
            "axe": True,
        }
        | {"keys": ["swipe left", "swipe left", "swipe right"]},
        {"url": pages["bad"], "keys": ["End"]},
        {"url": pages["hostile"], "keys": ["Home"]},
        {"url": pages["empty"], "axe": True, "files": files},
    ]
    placed: list[dict[str, Any]] = [
        {"url": url, "width": width, "height": height, "files": chosen, "sizes": others}
        for url, chosen in ((pages["given"], {}), (pages["empty"], files))
        for (width, height), *others in [list(WIDTHS.items())]
    ]
    lies: list[dict[str, Any]] = [
        {"url": pages[f"lie{number}"]} for number in range(len(PAGE_LIES))
    ]
    film: list[dict[str, Any]] = [
        {
            "url": pages["given"],
            "keys": [f"#entry-{rolling() - 1}", *["ArrowRight"] * 3, f"#entry-{LAST - 1}", "film"],
        },
        *(
            {"url": pages[name], "strip": [0, 120], "height": high, "width": wide}
            for wide, high in ((1280, 500), (390, 844))
            for name in ("given", "green", "picture")
        ),
    ]
    drops = [[pages["trace"]], [str(GIVEN)], [str(OTHER)], [str(GIVEN), pages["trace"]]]
    two, lure = (tmp_path_factory.mktemp("two") / name for name in ("two.toml", "a\u202egnp.toml"))
    two.write_text(f"Hello\n{armor.wrap(other_version())}\nBen\n")
    lure.write_bytes(b"no turn at all")
    many = [
        [str(GIVEN)],
        [str(two)],
        [pages["trace"]],
        [str(lure)],
        [str(GIVEN), str(two), pages["trace"]],
    ]
    named = {name: url2pathname(urlsplit(pages[name]).path) for name in ("empty", "given", "bad")}
    saved = tmp_path_factory.mktemp("saved") / "a page that was saved"
    saved.write_text(Path(named["given"]).read_text(encoding="utf-8"), encoding="utf-8")
    thread = saved.with_name("thread.html")
    thread.write_text(f"<html><pre>{armor.wrap(GIVEN.read_bytes())}</pre>", encoding="utf-8")
    with_games = [
        [named["empty"]],
        [named["given"]],
        [str(OTHER)],
        [named["bad"], named["empty"]],
        [str(saved)],
        [str(thread)],
    ]
    dropped = [
        {"url": pages["empty"], "drops": drops},
        {"url": pages["empty"], "drops": many, "axe": True},
        {"url": pages["empty"], "drops": with_games},
    ]
    decks = (
        [{"url": pages["loot"], "keys": ["End", "choose first"]}]
        if request.param != "firefox"
        else []
    )
    steps = [*shown, *placed, *lies, *film, *dropped, *decks]
    seen = iter(browsers.look_at(request.param, steps))
    return Found(
        *([next(seen) for _ in part] for part in (shown, placed, lies, film, dropped, decks))
    )


@needs_puppeteer
def test_a_game_is_checked_and_shown(found: Found) -> None:
    game, link, bad, hostile, empty = found.shown
    for one in found.shown:
        is_quiet(one)
    begin, right, end, known, left, home = game["seen"]
    last = len(read(TRIPOLI.read_bytes()).entries) - 1
    assert (begin["checks"], begin["failedEntry"]) == ("ok", None)
    assert [one["title"].split(":")[0] for one in (begin, right, end, known, home)] == [
        f"Turn {number} of the file" for number in (1, 2, last, last - 1, 0)
    ]
    assert right["hash"] == "#entry-2" and right["board"] > 60 and begin["entries"] == last + 1
    shown = Replayed(TRIPOLI.read_bytes()).whole_game()
    hidden = [back for backs in shown.scenes[last - 1].hands.values() for back in backs]
    # whoever has opened theirs by then is seen
    assert any(
        backs and all(back in left["hands"] for back in backs)
        for backs in shown.scenes[last - 1].hands.values()
    ), "everybody then"
    assert all(shown.faces[back] in known["hands"] for back in hidden), (
        "a game that is over opens as seen in the end"
    )
    for one in game["seen"]:
        assert one["folded"] == [
            "check",
            "result-box",
            "ticks-box",
        ], "the verdict is a badge that opens its card"
    assert link["seen"][0]["title"].startswith("Turn 17 of the file:")
    proofs = [words for one in game["seen"] + link["seen"] for words in one["proofs"]]
    assert any(words.startswith('american ("Ann")\'s proof') for words in proofs), proofs
    assert not any(words.startswith(("american'", "tripolitan'")) for words in proofs)
    stopped = bad["seen"][-1]
    wrong = first_changed()
    assert (stopped["checks"], stopped["failedEntry"]) == ("failed", str(wrong))
    assert stopped["title"].split(":")[0] == f"Turn {wrong - 1} of the file"
    assert "signature" in stopped["verdict"] and stopped["entries"] == wrong
    assert (
        hostile["seen"][-1]["message"].startswith("<img src=x")
        and hostile["seen"][-1]["images"] == 0
    )
    assert hostile["seen"][-1]["checks"] == "ok"
    assert empty["seen"][0]["checks"] == "ok"


@needs_puppeteer
def test_a_finger_goes_through_the_game(found: Found) -> None:
    swiped = found.shown[1]["seen"]
    assert [seen["title"].split(":")[0] for seen in swiped] == [
        f"Turn {n} of the file" for n in (17, 18, 19, 18)
    ]


@needs_puppeteer
def test_files_are_dropped_on_the_empty_page(found: Found) -> None:
    dropped, _, _ = found.dropped
    is_quiet(dropped)
    alone, whole, other, both = dropped["seen"][:4]
    assert "Now the turn file" in alone["verdict"] and alone["checks"] == "waiting"
    assert whole["checks"] == "ok"
    assert other["checks"] == "waiting"
    assert "The trace is missing" in other["open"]  # not held against the trace before
    assert "pbem verify FILE --trace" in other["open"] and "--html" in other["open"]
    assert both["checks"] == "ok"


@needs_puppeteer
def test_a_page_with_a_game_is_dropped_on_the_empty_page(found: Found) -> None:
    """File and trace are in it; a page with none is named, and one with a turn's text is a turn."""
    *_, dropped = found.dropped
    is_quiet(dropped)
    none, given, other, bad, saved, thread = dropped["seen"][:6]
    assert none["verdict"].startswith("empty.html: no game is in this page")
    assert none["checks"] == "waiting"
    assert given["checks"] == saved["checks"] == "ok"
    assert given["judged"] == "Judged: given.html." and "dice" not in given["open"]
    assert saved["judged"].startswith("Judged: a page that was saved.")
    assert other["checks"] == "waiting", "the trace of a page is no other file's"
    assert bad["checks"] == "failed" and bad["failedEntry"] == str(first_changed())
    assert "empty.html: no game is in this page" in bad["judged"]
    assert thread["judged"].startswith("Judged: thread.html.") and thread["checks"] == "waiting"


@needs_puppeteer
def test_the_verdict_is_in_view_at_every_width(found: Found) -> None:
    """Measured, on a page with a game and on the empty one that was given it: words alone were
    there once at a width of nothing."""
    all_seen = [seen for one in found.placed for seen in one["seen"]]
    for seen, (width, height) in zip(all_seen, [*WIDTHS.items()] * 2, strict=True):
        assert seen["verdict"].startswith("Computed here: ") and seen["checks"] == "ok"
        shape = seen["shape"]
        assert shape is not None, (width, "it is covered or out of view")
        assert (
            shape["left"] >= 0
            and shape["top"] >= 0
            and shape["right"] <= width
            and shape["bottom"] <= height
        )
        assert shape["right"] - shape["left"] >= 300, (width, shape)


@needs_puppeteer
def test_what_is_put_into_a_page_is_not_seen(found: Found) -> None:
    """The script takes all of it away, and says so where two elements have one name."""
    for about, one in zip(PAGE_LIES, found.lies, strict=True):
        (seen,) = one["seen"]
        assert WON not in seen["rest"] + seen["tab"] and seen["shape"] is not None, about
        is_twice = about == "a second verdict"
        assert seen["checks"] == ("failed" if is_twice else "ok"), about
        assert ("somebody has changed this page" in seen["verdict"]) is is_twice
        assert not (is_twice and seen["green"])


@needs_puppeteer
def test_a_film_goes_step_by_step_with_the_dice_that_were_computed(found: Found) -> None:
    film, *_ = found.film
    is_quiet(film)
    _, before, first, second, third, _, end = film["seen"]
    steps = Replayed(GIVEN.read_bytes()).film()[0][rolling()]
    assert [one["title"].split(":")[0] for one in (before, first, second)] == [
        f"Turn {number} of the file" for number in (rolling() - 1, rolling(), rolling())
    ]
    said = [len(step.lines) for step in steps]
    assert [(one["step"], one["told_lines"]) for one in (first, second, third)] == [
        (said[place], sum(said[: place + 1])) for place in range(3)
    ]
    traced = trace.trace(GIVEN.read_bytes()).trace["entries"][rolling()]["steps"]
    dice = next(step["rolled"] for step in traced if "rolled" in step)
    assert first["thrown"] == [f"dice {' '.join(map(str, dice))}: how it was computed"]
    assert (end["title"].split(":")[0], end["playing"]) == (
        f"Turn {LAST} of the file",
        False,
    ), "played to its end"


@needs_puppeteer
def test_no_scene_paints_over_the_verdict(found: Found) -> None:
    """Compared dot by dot, on a telephone too: the strip is that of the genuine page, and what the
    scene says of itself stands in the frame of what is told and nowhere else."""
    _, *windows = found.film
    for genuine, *green in (windows[:3], windows[3:]):
        for one in green:
            assert one["seen"][0]["board"] >= 3 and LIE in one["seen"][0]["told"], "it is there"
            assert LIE not in one["seen"][0]["rest"] and LIE not in one["seen"][0]["tab"]
            assert len(one["strips"]) == 2 == len(genuine["strips"])
            assert one["strips"] == genuine["strips"]
            assert one["bad"] == [] and one["seen"][0]["checks"] == "ok"


@needs_puppeteer
def test_several_files_prove_that_a_key_signed_twice(found: Found) -> None:
    """Whichever is judged, and in whichever order they come; the page says of which keys, and
    accuses nobody."""
    _, dropped, _ = found.dropped
    is_quiet(dropped)
    first, second, traced, junk, together = dropped["seen"][:5]
    assert (first["judged"], first["evidence"], first["counted"]) == (
        "Judged: tripoli.toml.",
        [],
        None,
    )
    whose = fingerprint(read(GIVEN.read_bytes()).entries[0].blob("key", 32))
    assert read(GIVEN.read_bytes()).entries[6].seat == "american"
    assert second["judged"] == "Judged: two.toml. Also here: tripoli.toml."
    for one in (second, traced, junk, together):
        assert one["counted"] == "1"
        assert one["evidence"] == [
            f'The key {whose} in the seat "american" signed turn 6 twice: tripoli.toml, two.toml.',
            NO_ACCUSATION,
        ]
    assert (second["checks"], traced["checks"]) == ("waiting", "ok")
    assert traced["judged"].startswith("Judged: tripoli.toml."), "the trace is that of this file"
    assert junk["judged"].startswith("Judged: a?gnp.toml.") and junk["checks"] == "failed"
    assert together["judged"].startswith("Judged: tripoli.toml.") and together["checks"] == "ok"


@needs_puppeteer
@pytest.mark.parametrize("found", [one for one in BROWSERS if one != "firefox"], indirect=True)
def test_a_game_with_a_common_deck_is_checked(found: Found) -> None:
    (loot,) = found.decks
    is_quiet(loot)
    assert loot["seen"][0]["checks"] == "ok" and loot["seen"][0]["board"] > 20


def test_the_letters_of_the_page_are_those_of_the_pictures() -> None:
    """The file that release/letters.py packs, read as WOFF 1.0 says: table by table the TrueType
    file."""
    packed, plain = (DATA / f"ChartSans-Bold.{end}" for end in ("woff", "ttf"))
    data, found = packed.read_bytes(), []
    assert data[:4] == b"wOFF" and len(data) == int.from_bytes(data[8:12])
    for number in range(int.from_bytes(data[12:14])):
        tag, start, length, whole, checksum = struct.unpack_from(">4sIIII", data, 44 + 20 * number)
        table = data[start : start + length]
        found.append((tag, checksum, table if length == whole else zlib.decompress(table)))
    assert found == letters.tables(plain.read_bytes())


@pytest.mark.parametrize("game", LARGEST)
def test_a_page_is_no_larger_than_it_may_be(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    kept = (ROOT / "tests" / "archive").glob(f"{game}-[0-9]*.toml")
    example = next((ROOT / "examples" / game).glob("*[1-9][0-9].toml"))
    for path in (example, max(kept, key=lambda path: path.stat().st_size)):
        made = page_of(path.read_bytes())
        length = len(made.encode())
        record_property("figure", f"the replay page of {path.name}: {length / 1000:.1f} kB")
        assert length <= LARGEST[game]
        assert 'style="' not in made.split('<script type="text/plain"')[0]


@needs_puppeteer
@pytest.mark.slow
@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_a_game_of_five_players_is_checked(
    browser: str, tmp_path: Path, browsers: Browsers, record_property: Any
) -> None:
    data = played(Kind("loot", {"players": 5}), "five").data
    [found] = browsers.look_at(browser, [{"url": written(tmp_path, "five", data)}])
    is_quiet(found)
    record_property(
        "figure", f"the page of a Loot game of five in {browser}: checked after {found['ms']} ms"
    )
    assert found["seen"][0]["checks"] == "ok"
    assert len(page_of(data).encode()) <= LARGEST["loot"]
