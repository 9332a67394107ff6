"""The Shores of Tripoli: how fast it plays, what it costs by mail, how long a player waits."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from engine.flow import Answer, Ask
from engine.rules import Game
from engine.table import Table
from pbem import archive, games, simulate, turnfile, vrf
from pbem.home import Home
from pbem.mailgame import MailGame, _Player, play_by_mail
from pbem.policies import RandomPolicy

Figure = tuple[str, str, str]
IMPORTS = "import typer, jinja2; from cryptography.hazmat.primitives.asymmetric import ed25519"


def figures() -> list[Figure]:
    return [*random_play(), *on_a_server(), *by_mail(), *waiting()]


def random_play() -> list[Figure]:
    rules, speeds, decisions = games.newest("tripoli"), [], 0
    for _ in range(5):
        start, decisions = process_time(), 0
        for number in range(150):
            rng = random.Random(f"{number}")
            table = Table(rules, {}, rng)
            table.play(RandomPolicy(rules, rng).choose)
            decisions += table.decisions
        speeds.append(150 / (process_time() - start))
    speed = median(speeds)
    return [
        ("random games a second, one process", f"{speed:.0f}", "about 500, of 90 decisions"),
        ("decisions a second (legal answers listed at each)", f"{speed * decisions / 150:.0f}", ""),
    ]


def on_a_server() -> list[Figure]:
    """What a server that everybody trusts would need: the turn passes when another seat is asked."""
    rules, passes, seasons = games.newest("tripoli"), 0, 0
    for number in range(400):
        rng = random.Random(f"server {number}")
        policy, asked = RandomPolicy(rules, rng), [0]

        def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
            asked.append(ask.seat)  # noqa: B023
            return policy.choose(game, ask, answers)  # noqa: B023

        table = Table(rules, {}, rng)
        table.play(choose)
        passes += sum(seat != before for before, seat in pairwise(asked))
        seasons += table.game.period()
    return [("a server would pass the turn, a season", f"{passes / seasons:.2f}", "")]


def by_mail() -> list[Figure]:
    facts = simulate.simulate("tripoli", 100, "bench", by_mail=True)
    goals = {"entries_per_season_with_orders": "2.55", "entries_per_season_declining": "2.1", "final_bytes": "100000"}
    names = (*simulate.LEVELS, "final_bytes", "write_ms", "verify_ms")
    return [(name.replace("_", " "), str(facts[name]), goals.get(name, "")) for name in names]


def waiting() -> list[Figure]:
    seed, played = longest()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        home = Home(place / "home")
        home.found("Ann", "", _Player(0, seed).private, "")
        (place / "whole.toml").write_bytes(played.data)
        file = turnfile.read(played.data)
        number = max(e.number for e in file.entries if e.seat == "american" and "answers" in e.fields)
        (place / "cut.toml").write_bytes(file.prefix(number))
        environment = {**os.environ, "PBEM_HOME": str(home.folder)}
        command = [sys.executable, "-m", "pbem"]
        subprocess.run(
            [*command, "show", "cut.toml", "--i-have-no-newer-file"],
            cwd=place,
            env=environment,
            capture_output=True,
            check=True,
        )
        times = {
            "imports": whole([sys.executable, "-c", IMPORTS], place, environment),
            "start": whole([*command, "--version"], place, environment),
            "verify": whole([*command, "verify", "whole.toml"], place, environment),
            "play": whole([*command, "resign", "cut.toml", "--dir", "."], place, environment),
        }
    inside = median(once(played.data) for _ in range(5))
    count = len(file.entries)
    return [
        (f"verify {count} entries, in memory, ms", f"{inside:.0f}", f"{count} (1 an entry)"),
        ("imports of typer, jinja2 and ed25519 alone, ms", f"{times['imports']:.0f}", ""),
        ("pbem --version, whole process, ms", f"{times['start']:.0f}", ""),
        ("pbem verify, whole process beyond pbem --version, ms", f"{times['verify'] - times['start']:.0f}", "100"),
        (
            f"pbem writes entry {number}, whole process beyond these imports, ms",
            f"{times['play'] - times['imports']:.0f}",
            "150",
        ),
    ]


def longest() -> tuple[str, MailGame]:
    rules = games.newest("tripoli")
    played = [(f"{n}", play_by_mail(rules, {}, RandomPolicy, f"{n}")) for n in range(12)]
    return max(played, key=lambda pair: pair[1].entries)


def once(data: bytes) -> float:
    vrf.verify.cache_clear()
    start = perf_counter()
    archive.verify(data)
    return (perf_counter() - start) * 1000


def whole(command: list[str], place: Path, environment: dict[str, str]) -> float:
    """Milliseconds of a whole process, median of 7 after one to warm up."""
    times = []
    for _ in range(8):
        start = perf_counter()
        subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
        times.append((perf_counter() - start) * 1000)
    return median(times[1:])
