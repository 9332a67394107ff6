"""Golden answers with `--json`: every command once or more, in tests/cli/json/, one file a command.

`python -m tests.cli.golden_json` writes them anew; read the difference, for programs read these
keys (docs/json.md). Keys, nonces and dates follow from a seed, and paths stand without their
folder.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.games.descriptor import Distribution
from pbem.home.home import Home
from pbem.library import runner
from tests.support.fixed import FixedRandom
from tests.support.fixed import fixed as held_still
from tests.support.homes import seed_of

HERE = Path(__file__).parent / "json"
EXAMPLES = Path(__file__).parents[2] / "examples"
ROLLS = 2
MEASURED = {
    "verified",
    "games_per_second",
    "seconds",
    "slow",
    "decisions_per_second",
    "write_ms",
    "verify_ms",
    "bytes",
}
Case = dict[str, Any]
"""One call: `command`, `exit` and `json`."""


@contextmanager
def fixed(seed: str) -> Iterator[None]:
    """Inside, nonces and dates follow from the seed."""
    with held_still(FixedRandom(seed)), patch.object(registry, "OWN", Distribution("pbem", "0.0")):
        yield


class Script:
    """Commands entered one after the other, each with its answer kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cases: dict[str, list[Case]] = {}
        self.players = {}
        (folder / "mails").mkdir()
        for name in ("Ann", "Ben"):
            Home(folder / name).create(name, f"{name.lower()}@example.org", seed_of(name), "")
            self.players[name] = Player(name, folder / name, folder / "mails", in_process=True)

    def types(self, who: str, command: str, *arguments: str, exits: int = 0) -> dict[str, Any]:
        """Run one command; its JSON. The call is kept as a case."""
        said = self._said(who, command, *arguments, exits=exits)
        facts: dict[str, Any] = json.loads(said)
        self._keep(who, command, arguments, exits, _plain(json.loads(self._without_folder(said))))
        return facts

    def types_many(self, who: str, command: str, *arguments: str, exits: int = 0) -> None:
        """The same with an answer of several lines."""
        said = self._without_folder(self._said(who, command, *arguments, exits=exits))
        self._keep(who, command, arguments, exits, [json.loads(line) for line in said.splitlines()])

    def beside(self) -> None:
        """Whatever is asked in this form of answers alone."""

    def _said(self, who: str, command: str, *arguments: str, exits: int) -> str:
        code, said, _ = self.players[who].types(command, *arguments, "--json")
        assert code == exits, (command, arguments, said)
        return said

    def _without_folder(self, said: str) -> str:
        return said.replace(f"{self.folder.resolve()}/", "").replace(f"{self.folder}/", "")

    def _keep(
        self, who: str, command: str, arguments: Sequence[str], code: int, shown: object
    ) -> None:
        entered = " ".join([command, *(_quoted(argument) for argument in arguments)])
        self.cases.setdefault(command, []).append(
            {"command": f"{who}$ pbem {entered}", "exit": code, "json": shown}
        )


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    """Without what differs from run to run (times), and long lists of rolls cut short."""
    shown = {key: "(measured)" if key in MEASURED else value for key, value in facts.items()}
    return {
        key: value[:ROLLS] if key == "rolls" and isinstance(value, list) else value
        for key, value in shown.items()
    }


def _quoted(argument: str) -> str:
    argument = argument.removeprefix(f"{EXAMPLES.parent}/")
    return f'"{argument}"' if " " in argument else argument


def cases(folder: Path, kind: type[Script] = Script) -> dict[str, list[Case]]:
    """Every command of the program with its answers, by command."""
    script = kind(folder)
    state, one = (
        {"PBEM_STATE": str(folder / "state")},
        patch.object(runner, "count_processors", return_value=1),
    )
    with fixed("golden json"), patch.dict(os.environ, state), one:
        _play(script)
        _watch(script)
        _look(script)
        _verify(script)
        _end(script)
        _library(script)
        _questions(script)
        with fixed("golden seeks"):
            _seeks(script)
        with fixed("golden leagues"):
            _league(script)
        with fixed("golden series"):
            _series(script)
        script.beside()
    script.types("Ann", "simulate", "tripoli", "--games", "3")
    script.types("Ann", "simulate", "tripoli", "--games", "1", "--by-mail")
    script.types("Ann", "simulate", "tripoli", "--games", "x", exits=2)
    _tools(script)
    return script.cases


def _play(script: Script) -> None:
    """An invitation, a join, and turns."""
    script.types("Ann", "id")
    script.types("Ann", "games")
    invitation = script.types("Ann", "new", "tripoli", "--hidden-discard")["file"]
    script.types("Ann", "new", "chess", exits=2)
    joined = script.types("Ben", "join", invitation)["file"]
    script.types("Ben", "join", joined, exits=1)
    script.types("Ann", "show", joined)
    script.types("Ann", "moves", joined)
    script.types("Ann", "moves", joined, "--after", "event thomas jefferson")
    script.types("Ann", "play", joined, "event thomas jefferson", exits=1)
    script.types(
        "Ann", "play", joined, "event thomas jefferson; 2 gibraltar > tunis", "--dry-run", exits=1
    )
    turn = "event thomas jefferson; 3 gibraltar > tripoli zone; done"
    script.types("Ann", "play", joined, turn, "--dry-run")
    script.newest = script.types("Ann", "play", joined, turn, "--message", "To sea!")["file"]
    script.types("Ann", "play", script.newest, "--if", "event murad then done", exits=1)
    script.types("Ann", "play", script.newest, "--drop-if", "all")


def _seeks(script: Script) -> None:
    """Ann looks for somebody, Ida answers, and she says that she has found somebody."""
    Home(script.folder / "Ida").create("Ida", "ida@example.org", seed_of("Ida"), "")
    mails = script.folder / "mails"
    script.players["Ida"] = Player("Ida", script.folder / "Ida", mails, in_process=True)
    script.types("Ann", "seek")
    terms = ("--match", "5", "--clock", "30+3", "--language", "en", "--weekly", "3")
    made = script.types("Ann", "seek", "backgammon", *terms, "-m", "Slow and friendly")["file"]
    script.types("Ann", "seek", "loot", "--players", "4", exits=1)
    script.types("Ida", "seeks", made)
    script.types("Ida", "seeks", "nowhere", exits=2)
    script.types("Ida", "seeks", made, "--answer", "zz", exits=1)
    short = Path(made).stem.removeprefix("seek-")
    script.types("Ida", "seeks", made, "--answer", short)
    script.types("Ida", "seeks", made)
    script.types("Ann", "seek", "--taken", short)
    script.types("Ann", "seek", "--taken", "zz", exits=1)
    script.types("Ann", "seek")
    script.types("Ida", "seeks", made, f"taken-{short}.toml")


def _series(script: Script) -> None:
    """The first game of a series, which Ann resigns, and the invitation to the second."""
    invited = script.types("Ann", "new", "backgammon", "--series", "best of 3")["file"]
    script.types("Ann", "new", "backgammon", "--series", "best of 1", exits=2)
    joined = script.types("Ida", "join", invited)["file"]
    script.types("Ann", "rematch", joined, exits=1)
    over = script.types("Ann", "resign", joined, "--yes")["file"]
    script.types("Ida", "show", over)
    script.types("Ida", "rematch", over, exits=1)
    again = script.types("Ann", "rematch", over)["file"]
    script.types("Ida", "join", again)
    script.types("Ida", "series", again.rpartition("-")[0])
    script.types("Ida", "series", over, again)
    script.types("Ida", "series", script.newest, exits=1)
    script.types("Ida", "series", "nowhere", exits=2)


def _league(script: Script) -> None:
    """Ann directs a league of two, in which Ida and Ben play. What is written for it is no part of
    what the other commands find."""
    before = {*(script.folder / "mails").iterdir()}
    script.types("Ann", "league", "new", "backgammon", exits=2)
    terms = ("--name", "Autumn league", "--places", "2", "--method", "swiss 1", "-m", "Welcome")
    file = script.types("Ann", "league", "new", "backgammon", *terms)["file"]
    join = script.types("Ida", "league", "join", file)
    for name in (join["file"], join["text"], join["mail"]):  # Ben's are called the same
        (script.folder / "mails" / name).rename(script.folder / "mails" / f"ida-{name}")
    script.types("Ann", "league", "begin", file, exits=1)
    script.types("Ann", "league", "run", ".")
    script.types("Ben", "league", "join", file)
    script.types("Ann", "league", "run", ".")
    script.types("Ann", "league", "round", file, exits=1)
    script.types("Ida", "league", "begin", file)
    script.types("Ann", "league", "table", file)
    script.types("Ann", "league", "round", file, "--decide", "1 won: Ben has not written")
    script.types("Ann", "league", "end", file)
    script.types("Ann", "league", "verify", file)
    script.types("Ann", "league", "run", ".")
    for path in {*(script.folder / "mails").iterdir()} - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _tools(script: Script) -> None:
    """What helps around games: data, the test bench, completion, man pages, the table where there
    is no such game."""
    script.types("Ann", "data", "paradise", "data")
    script.types("Ann", "data", "tripoli", "data", exits=2)
    script.types("Ann", "check-game", "tripoli-solitaire", "--games", "1")
    script.types("Ann", "table", "tripoli-12345678", exits=2)
    shells = {
        name: str(script.folder / "share") for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    }
    with patch.dict(os.environ, shells):
        script.types("Ann", "completion", "bash", "--install")
        script.types("Ann", "completion", "nothing", exits=2)
        script.types("Ann", "man", "--install")


def _watch(script: Script) -> None:
    """Ben watches the folder of the mails, and lets entries be written by themselves."""
    settings = script.players["Ben"].home / "mail.toml"
    settings.write_text(f"inbox = ['{script.folder / 'mails'}']\n")
    game = script.newest.rpartition("-")[0]
    script.types("Ben", "auto")
    script.types("Ben", "auto", "on")
    script.types("Ben", "watch", "--once", "--answer")
    script.types("Ben", "watch", "--once")
    script.types("Ben", "auto", "by-hand", game)
    script.types("Ben", "auto", "off", game, exits=2)
    script.types("Ben", "auto", "off")
    script.types("Ben", "witness")
    settings.unlink()


def _library(script: Script) -> None:
    """The games of a folder as tables: a game, an earlier version of it, and a file that does not
    hold."""
    folder, newest = (
        script.folder / "mails" / "games",
        Path(script.folder / "mails" / script.newest).read_bytes(),
    )
    folder.mkdir()
    (folder / "newest.toml").write_bytes(newest)
    (folder / "earlier.toml").write_bytes(turnfile.read(newest).prefix(2))
    (folder / "torn.toml").write_bytes(newest[:-9])
    script.types("Ann", "library", "games", "--jobs", "1")
    script.types("Ann", "library", "nowhere", exits=2)


def _questions(script: Script) -> None:
    """What a library is asked: one with a game that has ended and one that goes on."""
    mails = script.folder / "mails"
    folder, newest = mails / "club", (mails / script.newest).read_bytes()
    folder.mkdir()
    (folder / "newest.toml").write_bytes(newest)
    (folder / "ended.toml").write_bytes(max((EXAMPLES / "tripoli").glob("*.toml")).read_bytes())
    script.types("Ann", "library", "club", "--jobs", "1")
    for command in ("luck", "stats"):
        script.types("Ann", command, "--library", "club")
        script.types("Ann", command, "chess", "--library", "club", exits=2)
    script.types("Ann", "luck", exits=2)
    script.types("Ann", "stats", "--own", "--library", "club", "--html", "stats.html")
    script.types("Ann", "explore", "tripoli", "--library", "club")
    script.types(
        "Ann",
        "explore",
        "tripoli",
        "--after",
        "event thomas jefferson",
        "--own",
        "--library",
        "club",
    )
    script.types("Ann", "explore", "tripoli", "--after", "castle", "--library", "club", exits=1)
    script.types("Ann", "explore", script.newest, "--library", "club")
    script.types(
        "Ann",
        "explore",
        script.newest,
        "--after",
        "event naval movement",
        "--library",
        "club",
        exits=4,
    )
    script.types("Ben", "explore", script.running, "--library", "club", "--after", "event murad")


def _look(script: Script) -> None:
    """What players and onlookers see, and the list of games."""
    script.types("Ben", "show", script.newest)
    script.types("Ben", "show", script.newest, "--public")
    script.types("Ben", "show", script.newest, "--after", "event murad")
    script.types("Ben", "show", script.newest, "--cards")
    script.types("Ben", "log", script.newest, "--from", "1")
    script.types("Ben", "log", script.newest, "--from", "9", exits=2)
    script.types("Ben", "replay", script.newest, "--html", "page.html")
    script.types("Ben", "replay", script.newest, exits=2)
    script.types("Ben", "export", script.newest)
    script.types("Ben", "analyse", script.newest, exits=2)
    script.types("Ben", "help")
    script.types("Ben", "help", "nothing", exits=2)
    script.types("Ben", "card", "storms")
    script.types("Ben", "card", script.newest, "sweden pays")
    script.types("Ben", "card", script.newest, "troops", exits=1)
    script.types("Ben", "inbox", script.newest)
    script.types("Ben", "inbox", "nowhere", exits=2)
    script.types("Ben", "send", script.newest, exits=1)
    script.types("Ann", "sent", script.newest)
    script.types("Ben", "sent", script.newest, exits=1)
    script.types("Ben", "fetch", exits=2)
    script.types("Ben", "home")
    script.types("Ben", "home", "away", exits=2)
    script.types("Ben", "contacts", "ann", "--compared")
    script.types("Ben", "contacts", "Cleo", exits=2)
    script.types("Ben", "contacts")
    script.types("Ben", "ignore", "Ann")
    script.types("Ben", "ignore", "Ann", "--back")
    script.types("Ben", "ignore", "Cleo", exits=2)
    script.types("Ben", "doctor", "--log-in", exits=2)


def _verify(script: Script) -> None:
    """The archived example games, and a file with one byte changed."""
    for game in ("tripoli", "loot", "solitaire"):
        newest = str(max((EXAMPLES / game).glob("*.toml")))
        script.types("Ann", "verify", newest)
        script.types("Ann", "dice", newest)
    script.types("Ann", "archive", str(max((EXAMPLES / "tripoli").glob("*.toml"))), "archive")
    script.types("Ann", "archive", script.newest, "archive", exits=1)
    bad = script.folder / "mails" / "bad.toml"
    bad.write_bytes(
        Path(script.folder / "mails" / script.newest).read_bytes().replace(b"To sea!", b"To see!")
    )
    script.types("Ann", "verify", "bad.toml", exits=3)
    script.types_many("Ann", "verify", "bad.toml", script.newest, "gone.toml", exits=3)


def _end(script: Script) -> None:
    """A draw offered and accepted, and a resignation."""
    order = ("--order", "draw: accept")
    script.newest = script.types("Ben", "play", script.newest, "event murad", *order)["file"]
    script.types("Ann", "draw", script.newest, "--offer")
    second = script.types("Ann", "new", "tripoli", "--seat", "tripolitan")["file"]
    second = script.types("Ben", "join", second)["file"]
    script.types("Ann", "resign", second, "--yes")
    third = script.types("Ann", "new", "tripoli", "--clock", "30+3", "--leave", "20")["file"]
    third = script.types("Ben", "join", third)["file"]
    turn = "event thomas jefferson; 3 gibraltar > tripoli zone; done"
    beside = ("--note", "To Tripoli at once", "--leave-until", "2026-12-24", "--grant", "7")
    third = script.types("Ann", "play", third, turn, *beside)["file"]
    script.types("Ann", "show", third, "--notes")
    script.running = third
    script.types("Ben", "play", third, "--leave-until", "Christmas", exits=2)
    script.types("Ben", "inbox", third)
    script.types("Ann", "remind", third)
    script.types("Ben", "remind", third, exits=1)


def text(found: list[Case]) -> str:
    """One file of golden answers."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = cases(Path(folder))
    for old in HERE.glob("*.json"):
        old.unlink()
    for command, found in made.items():
        (HERE / f"{command}.json").write_text(text(found), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
