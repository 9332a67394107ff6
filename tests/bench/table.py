"""From a click at the table to the painted answer, in a real browser, and the pictures that a film
draws in a second: the middle and the 95th percentile."""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path

from pbem.home.home import Home
from pbem.turn import joining, open_game, take_turn
from pbem.turn.intent import Intent
from tests.support.browsers import CHROMIUM
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, browser, served

CLICKS = 60
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
_MEASURE = """async (button) => {
  const before = performance.now();
  const main = document.querySelector("main"), old = main.dataset.mark;
  button.click();
  while (main.dataset.mark === old) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
  return performance.now() - before;
}"""
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
    return [line for case in cases for line in _measured(*case)]


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
            times = sorted(_clicks(visitor))
    what = f"{game}, {count} players, entry {data.count(b'[[entry]]') - 1}: click to painted answer"
    middle, late = statistics.median(times), times[int(len(times) * 0.95)]
    film = f"{1000 / statistics.median(frames):.0f}, {frames[int(len(frames) * 0.95)]:.0f} ms"
    return [
        (what, f"{middle:.0f} ms", "50 ms"),
        ("  95th percentile", f"{late:.0f} ms", "50 ms"),
        ("  its film: pictures a second, and the 95th percentile of one", film, "60, 17 ms"),
    ]


def _clicks(visitor: Visitor) -> list[float]:
    """The milliseconds of answers and steps back, in turn."""
    times: list[float] = []
    while len(times) < CLICKS:
        answers = visitor.page.locator("[data-answer]")
        wanted = answers.first if answers.count() else visitor.page.locator('[data-action="back"]')
        times.append(float(wanted.evaluate(_MEASURE)))
        if len(visitor.line()) > 3:
            times.append(float(visitor.page.locator('[data-action="back"]').evaluate(_MEASURE)))
    return times


def played(
    folder: Path, game: str, count: int, entries: int, settings: dict[str, int]
) -> tuple[Home, bytes]:
    """A game that chance has played for so many entries and on to a question, and the home that is
    asked."""
    for seed in range(20):
        homes = [make_home(folder / f"{seed}{name}", name) for name in NAMES[:count]]
        found = _until(homes, random.Random(seed), game, entries, settings)
        if found is not None:
            return found
    raise RuntimeError("no game is so long")


def _until(
    homes: list[Home], chance: random.Random, game: str, entries: int, settings: dict[str, int]
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
        moves = open_game.moves(opened, given)
        if number >= entries and len(moves.options) > 3:
            return homes[turn], data
        while not moves.complete:
            kept = [option for option in moves.options if not option.startswith("resign")]
            given.append(chance.choice(kept or moves.options))
            moves = open_game.moves(opened, given)
        data = take_turn.next_entry(opened, Intent(given))
    return None
