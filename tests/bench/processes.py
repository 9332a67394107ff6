"""How long a player of The Shores of Tripoli waits: whole processes, late in a long game.

The home has read the file up to that turn, as a player's has: what it has checked before it need
not check again, but for `pbem verify`, which always checks everything. Every command runs once a
round, one after the other, and figures "beyond" something are the median of the differences in a
round: so they hold on a machine whose speed changes. Times are the processor's, which other work
changes little; each command is one thread, so on a machine with nothing else to do they are what
the player waits.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from pbem.crypto import vrf
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.home.home import Home
from pbem.ledger.gate import follow
from pbem.report import picture, verification
from pbem.simulate.by_mail import MailGame, _Player, play_by_mail
from pbem.simulate.policies import RandomPolicy

Figure = tuple[str, str, str]
IMPORTS = "import typer, jinja2; from cryptography.hazmat.primitives.asymmetric import ed25519"
ROUNDS = 9


def figures() -> list[Figure]:
    seed, played = longest()
    file = turnfile.read(played.data)
    number = max(e.number for e in file.entries if e.seat == "american" and "answers" in e.fields)
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(
            Path(folder), played.data, file.prefix(number), _Player(0, seed).identity.seed
        )
        turn = ["play", "cut.toml", "; ".join(place.answers()), "--dir", "out"]
        took = place.in_turn(
            {
                "imports": [sys.executable, "-c", IMPORTS],
                "start": place.pbem("--version"),
                "verify": place.pbem("verify", "whole.toml"),
                "play": place.pbem(*turn),
                "without": place.pbem(*turn, "--no-mail"),
            }
        )
    inside = median(once(played.data) for _ in range(5))
    count = len(file.entries)
    return [
        (f"verify {count} entries, in memory, ms", f"{inside:.0f}", f"{count} (1 an entry)"),
        ("pbem --version, whole process, ms", f"{median(took['start']):.0f}", ""),
        (
            f"pbem verify, {count} entries, beyond pbem --version, ms",
            f"{beyond(took, 'verify', 'start'):.0f}",
            "100",
        ),
        ("imports of typer, jinja2 and ed25519 alone, ms", f"{median(took['imports']):.0f}", ""),
        (
            f"pbem play --no-mail, entry {number}, beyond these imports, ms",
            f"{beyond(took, 'without', 'imports'):.0f}",
            "150",
        ),
        (
            "pbem play, with its mail, beyond these imports, ms",
            f"{beyond(took, 'play', 'imports'):.0f}",
            "150",
        ),
        ("of that to draw the picture (PNG), ms", f"{drawing(file):.0f}", ""),
    ]


class Workplace:
    """A folder with a whole game, the same game before one of its last turns, and the home of who
    writes that turn."""

    def __init__(self, place: Path, whole: bytes, cut: bytes, own: bytes) -> None:
        self.place = place
        self.home, self.kept = place / "home", place / "kept"
        # As an installed program runs: bytecode is compiled once, whatever this shell asks for.
        self.environment = {
            **os.environ,
            "PBEM_HOME": str(self.home),
            "PYTHONPYCACHEPREFIX": str(place / "bytecode"),
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        (place / "whole.toml").write_bytes(whole)
        (place / "cut.toml").write_bytes(cut)
        Home(self.home).create("Ann", "", own, "")
        self.run(self.pbem("show", "cut.toml", "--i-have-no-newer-file"))
        shutil.copytree(self.home, self.kept)

    def pbem(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "pbem", *arguments]

    def run(self, command: list[str]) -> str:
        ran = subprocess.run(
            command,
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return ran.stdout

    def answers(self) -> list[str]:
        """A turn: each time the first answer that is legal."""
        given: list[str] = []
        while not (
            facts := json.loads(
                self.run(self.pbem("moves", "cut.toml", "--after", "; ".join(given), "--json"))
            )
        )["complete"]:
            given.append(facts["options"][0])
        return given

    def in_turn(self, commands: dict[str, list[str]]) -> dict[str, list[float]]:
        """Milliseconds of whole processes, one command after the other, some rounds after one to
        warm up; a turn is signed and written anew each time."""
        took: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(ROUNDS + 1):
            for name, command in commands.items():
                shutil.copytree(self.kept, self.home, dirs_exist_ok=True)
                (self.place / "out").mkdir()
                start = used()
                self.run(command)
                if number:
                    took[name].append((used() - start) * 1000)
                shutil.rmtree(self.place / "out")
                shutil.rmtree(self.home / "games")
        return took


def used() -> float:
    """Seconds that the processes started here have used; seconds of the clock where the system does
    not count them."""
    try:
        import resource
    except ImportError:  # Windows
        return perf_counter()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def beyond(took: dict[str, list[float]], command: str, base: str) -> float:
    """By how much one command takes longer than another that ran in the same round."""
    return median(whole - part for whole, part in zip(took[command], took[base], strict=True))


def drawing(file: turnfile.TurnFile) -> float:
    game, seen = follow(file)
    view = seen[game.seat_of(file.entries[-1])][1]
    assert view
    drawn = picture.svg(game.rules.name, view)
    return median(spent(lambda: picture.png(drawn)) for _ in range(5))


def longest() -> tuple[str, MailGame]:
    rules = registry.newest("tripoli")
    played = [(f"{n}", play_by_mail(rules, {}, RandomPolicy, f"{n}")) for n in range(12)]
    return max(played, key=lambda pair: pair[1].entries)


def once(data: bytes) -> float:
    vrf.output.cache_clear()
    return spent(lambda: verification.verify(data))


def spent(work: Callable[[], object]) -> float:
    """Milliseconds."""
    start = process_time()
    work()
    return (process_time() - start) * 1000
