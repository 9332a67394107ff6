"""From a click at the table to the painted answer, in a real browser, and the pictures that a film
draws in a second: the middle and the 95th percentile. Beside it stands what the same browser takes
to paint one letter that a click changes on an empty page, which is as quick as it can be."""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from pbem.home.home import Home
from pbem.turn import joining, open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.browsers import CHROMIUM
from tests.support.homes import make_home
from tests.support.table_kit import SIZE, Visitor, browser, served

CLICKS = 60
THOUGHT = 400
"""Milliseconds between an answer and the next click: less than anybody thinks."""
HELD = 80
"""Milliseconds for which a click holds a button down; by a key it is not held at all."""
EMPTY = """<main data-mark="a"><button onclick="this.textContent = this.parentElement.dataset.mark =
  this.textContent === 'a' ? 'b' : 'a'">a</button></main>"""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
_MEASURE = """([button, held]) => new Promise(async (done) => {
  if (held) {
    button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    await new Promise((go) => setTimeout(go, held));
  }
  const before = performance.now();
  const [spot, taken] = ["painted", "taken"].map((name, at) => {
    const made = document.createElement("span");
    made.setAttribute("elementtiming", name);
    made.textContent = name;
    made.style.cssText = `position: fixed; left: ${9 * at}px; top: 0; contain: strict; width: 9px`;
    made.style.height = "9px";
    return made;
  });
  let seenAt = 0;
  new MutationObserver((_, watching) => {
    watching.disconnect();
    document.body.append(spot); // after all that the click has changed, and painted with it
  }).observe(document.querySelector("main"), { attributes: true, attributeFilter: ["data-mark"] });
  new PerformanceObserver((seen, watching) => {
    const at = Object.fromEntries(seen.getEntries().map((one) => [one.identifier, one.renderTime]));
    seenAt ||= at.taken;
    if (!at.painted) return;
    const requests = performance.getEntriesByType("resource");
    const asked = requests.filter(({ name }) => name.endsWith("/do")).at(-1);
    watching.disconnect();
    spot.remove();
    taken.remove();
    performance.clearResourceTimings();
    const request = asked ? asked.responseEnd - asked.startTime : 0;
    done([at.painted - before, request, (seenAt || at.painted) - before]);
  }).observe({ type: "element" });
  button.click();
  if (document.querySelector(".taken")) document.body.append(taken);
})"""
"""When the browser says that the picture with the answer stood on the screen, how long of that the
request took, and when the picture stood there on which the click is seen to be taken."""
_FILM = """async () => {
  const times = [];
  await playFilm();
  let before = await new Promise(requestAnimationFrame);
  while (isFilming()) {
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
  }
  return times;
}"""


def figures() -> list[tuple[str, str, str]]:
    if CHROMIUM is None:
        return [("Chromium is not installed", "", "")]
    cases = (
        ("tripoli", 2, 60, {}),
        ("backgammon", 2, 60, {"match": 5}),
        ("loot", 5, 50, {"players": 5}),
    )
    return [*_floor(), *(line for case in cases for line in _measured(*case))]


def _floor() -> list[tuple[str, str, str]]:
    with browser(CHROMIUM) as chromium:
        page = chromium.new_page(viewport=SIZE)
        page.set_content(EMPTY)
        times = sorted(_clicked(page, "button", number, HELD)[0] for number in range(CLICKS))
    return _middle_and_late("an empty page: one letter changed by a click", times, "")


def _middle_and_late(what: str, times: list[float], goal: str) -> list[tuple[str, str, str]]:
    late = times[int(len(times) * 0.95)]
    return [
        (what, f"{statistics.median(times):.0f} ms", goal),
        ("  95th percentile", f"{late:.0f} ms", goal),
    ]


def _measured(
    game: str, count: int, entries: int, settings: dict[str, int]
) -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, data = played(folder, game, count, entries, settings)
        path = folder / "game.toml"
        path.write_bytes(data)
        with served(home, folder / "files", path) as server, browser(CHROMIUM) as chromium:
            visitor = Visitor(chromium, server)
            frames = sorted(visitor.page.evaluate(_FILM))
            clicked = _sorted(_clicks(visitor, HELD))
            by_key = _sorted(_clicks(visitor, 0))
    what = f"{game}, {count} players, entry {data.count(b'[[entry]]') - 1}: click to painted answer"
    film = f"{1000 / statistics.median(frames):.0f}, {frames[int(len(frames) * 0.95)]:.0f} ms"
    return [
        *_middle_and_late(what, clicked[0], "50 ms"),
        *_middle_and_late("  by a key, which nobody holds down before", by_key[0], ""),
        ("  of which the request", f"{statistics.median(by_key[1]):.0f} ms", "15 ms"),
        *_middle_and_late("  the key is seen to be taken", by_key[2], ""),
        ("  its film: pictures a second, and the 95th percentile of one", film, "60, 17 ms"),
    ]


def _sorted(clicks: list[tuple[float, float, float]]) -> list[list[float]]:
    return [sorted(some) for some in zip(*clicks, strict=True)]


def _clicks(visitor: Visitor, held: int) -> list[tuple[float, float, float]]:
    """The milliseconds of answers and steps back, in turn, of their requests, and until they were
    seen to be taken; each button is `held` for so many before. No answer is given twice in a row,
    so that each is a new one to the table."""
    times: list[tuple[float, float, float]] = []
    while len(times) < CLICKS:
        is_late = len(visitor.line()) > 3 or not visitor.page.locator("[data-answer]").count()
        wanted = '[data-action="back"]' if is_late else "[data-answer]"
        times.append(_clicked(visitor.page, wanted, len(times), held))
    return times


def _clicked(page: Any, what: str, number: int, held: int) -> tuple[float, float, float]:
    """One click on one of these buttons, after a pause and so many milliseconds down: until it was
    painted, its request, and until it was seen to be taken."""
    page.wait_for_timeout(THOUGHT)
    buttons = page.locator(what)
    button = buttons.nth(number % buttons.count()).element_handle()
    painted, request, taken = page.evaluate(_MEASURE, [button, held])
    return painted, request, taken


def played(
    folder: Path,
    game: str,
    count: int,
    entries: int,
    settings: dict[str, int],
    least: int = 4,
) -> tuple[Home, bytes]:
    """A game that chance has played for so many entries and on to a question with as many answers
    at `least`, and the home that is asked."""
    for seed in range(20):
        homes = [make_home(folder / f"{seed}{name}", name) for name in NAMES[:count]]
        found = _until(homes, random.Random(seed), game, entries, settings, least)
        if found is not None:
            return found
    raise RuntimeError("no game is so long")


def _until(
    homes: list[Home],
    chance: random.Random,
    game: str,
    entries: int,
    settings: dict[str, int],
    least: int,
) -> tuple[Home, bytes] | None:
    data = joining.invite(homes[0], joining.NewGame(game, options=settings))
    for home in homes[1:]:
        data = joining.join(open_game.open_file(data, home), home)
    for number in range(10_000):
        opened = open_game.open_file(data, homes[0])
        turn = opened.ledger.to_act()
        if turn is None:
            return None
        opened = open_game.open_file(data, homes[turn])
        given: list[str] = []
        moves = questions.moves(opened, given)
        if number >= entries and len(moves.options) >= least:
            return homes[turn], data
        while not moves.complete:
            kept = [option for option in moves.options if not option.startswith("resign")]
            given.append(chance.choice(kept or moves.options))
            moves = questions.moves(opened, given)
        data = take_turn.next_entry(opened, Intent(given))
    return None
