"""What a command loads: nothing that it does not need, so that it starts at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pbem.cli.app import SECTIONS
from tests.support import known_templates
from tests.support.begun_game import BegunGame
from tests.support.effort import PATIENCE

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="the process that has begun is forked"
)

LOADED = """
import json, os, sys
from pbem.cli.app import run

for line in sys.stdin:
    if os.fork():
        os.wait()
        continue
    os.environ["PBEM_HOME"], os.environ["PBEM_STATE"], folder, *entered = json.loads(line)
    os.chdir(folder)
    sys.argv[1:] = entered
    answers = os.dup(1)
    for stream in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    try:
        run()
    except SystemExit as end:
        os.write(answers, (json.dumps([end.code, sorted(sys.modules)]) + chr(10)).encode())
    os._exit(0)
"""
"""Loads what each command begins with, and tells of commands, each in a process of its own, what
they have loaded."""


class Loads:
    """The modules that a process of its own has loaded when a command of Ann's is done. Tests that
    ask for the same command share its process."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], set[str]] = {}
        self._begun: subprocess.Popen[str] | None = None

    def __call__(self, begun: BegunGame, *entered: str) -> set[str]:
        if entered not in self._found:
            self._found[entered] = self._ask(begun, entered)
        return self._found[entered]

    def _ask(self, begun: BegunGame, entered: tuple[str, ...]) -> set[str]:
        known_templates.lay_in(begun.ann.home)
        if self._begun is None:
            pipe = subprocess.PIPE
            self._begun = subprocess.Popen(
                [sys.executable, "-c", LOADED], stdin=pipe, stdout=pipe, text=True
            )
        assert self._begun.stdin is not None and self._begun.stdout is not None
        places = [str(begun.ann.home), os.environ["PBEM_STATE"], str(begun.folder)]
        self._begun.stdin.write(json.dumps([*places, *entered]) + "\n")
        self._begun.stdin.flush()
        code, loaded = json.loads(self._begun.stdout.readline())
        assert code == 0, entered
        assert "pbem.cli.app" in loaded
        return set(loaded)

    def close(self) -> None:
        if self._begun is not None:
            self._begun.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def loads() -> Iterator[Loads]:
    made = Loads()
    yield made
    made.close()


@pytest.mark.dear("starts a program for each command")
@pytest.mark.parametrize(
    "command", ["--version", "verify", "show", "moves", "dice", "play", "resign"]
)
def test_typed_words_are_read_without_pydantic(
    loads: Loads, begun: BegunGame, command: str
) -> None:
    entered = {
        "--version": ["--version"],
        "play": ["play", begun.last, "event swedish"],
        "resign": ["resign", begun.last, "--no-mail", "--yes"],
    }
    loaded = loads(begun, *entered.get(command, [command, begun.last]))
    assert "typer" in loaded
    assert loaded & {"pydantic", "pydantic_core"} == set()


COMMON_DECK = {
    *("pbem.ledger.common_deck", "pbem.ledger.common_deck"),
    *(
        f"pbem.crypto.{name}"
        for name in ("elgamal", "decryption_shares", "shuffle_proof", "sealed_box")
    ),
}
PICTURES = {"pbem.report.picture", "resvg", "resvg_py", "PIL", "rich"}
MAIL = {"pbem.mail.compose", "pbem.mail.find_turns", "email", "html", "smtplib", "imaplib"}
OTHER_GAMES = {"engine.loot", "engine.tripoli_solitaire"}
PLUGINS = {"pbem.games.plugins", "pbem.games.check", "pbem.games.sample"}
MANY = {"pebble", "multiprocessing", "sqlite3"}
PASSPHRASE = {"cryptography.hazmat.primitives.serialization", "getpass"}
LIBSODIUM, OPENSSL = {"nacl", "pbem.crypto.group"}, {"cryptography"}
MODULES = {f"pbem.cli.{one.module}" for found in SECTIONS.values() for one in found.values()}
"""Those that hold a command."""
STATE = {"pbem.home.home", "pbem.home.store", "msgspec"}


@pytest.mark.parametrize(
    ("entered", "without"),
    [
        (
            ["verify"],
            COMMON_DECK
            | PICTURES
            | MAIL
            | OTHER_GAMES
            | PLUGINS
            | PASSPHRASE
            | OPENSSL
            | STATE
            | MANY
            | {"jinja2"},
        ),
        (["show"], COMMON_DECK | PICTURES | MAIL | OTHER_GAMES | PLUGINS | PASSPHRASE | MANY),
        # mails of the game lie there, which may hold an own entry that a restored home has
        # forgotten
        (
            ["play", "event swedish", "--no-mail"],
            COMMON_DECK
            | PICTURES
            | OTHER_GAMES
            | PLUGINS
            | PASSPHRASE
            | {"pbem.mail.compose", "smtplib", "imaplib"},
        ),
        (
            ["play", "event swedish"],
            COMMON_DECK | OTHER_GAMES | PLUGINS | PASSPHRASE | {"rich", "smtplib"},
        ),
    ],
    ids=["verify", "show", "play without mail", "play"],
)
def test_a_command_loads_only_what_this_game_needs(
    loads: Loads, begun: BegunGame, entered: list[str], without: set[str]
) -> None:
    loaded = loads(begun, entered[0], begun.last, *entered[1:])
    assert {"engine.tripoli", "pbem.crypto.vrf"} <= loaded
    assert loaded & without == set()


@pytest.mark.parametrize("entered", ["--help", "--version", "complete -- sh"])
def test_what_looks_at_no_game_loads_no_cryptography_and_no_state(
    loads: Loads, begun: BegunGame, entered: str
) -> None:
    assert not loads(begun, *entered.split()) & (LIBSODIUM | OPENSSL | STATE)


def test_what_play_takes_is_told_without_what_signs(loads: Loads, begun: BegunGame) -> None:
    """Its help asks every game for the topics of its orders, and no home."""
    signs = LIBSODIUM | OPENSSL | STATE | {"pbem.turn.take_turn", "pbem.mail.find_turns", "jinja2"}
    loaded = loads(begun, "play", "--help")
    assert not loaded & signs and {"engine.tripoli", "engine.paradise"} <= loaded
    assert loads(begun, "play", begun.last, "event swedish") >= signs - {"jinja2"}


def test_a_list_of_commands_imports_none(loads: Loads, begun: BegunGame) -> None:
    assert not loads(begun, "--help") & MODULES


def test_cryptography_is_loaded_where_it_is_needed(loads: Loads, begun: BegunGame) -> None:
    """So that the tests above do not look for modules under names that nobody uses any more."""
    assert loads(begun, "verify", begun.last) >= LIBSODIUM
    assert loads(begun, "play", begun.last, "event swedish") >= LIBSODIUM | OPENSSL | STATE


def test_a_common_deck_is_loaded_where_it_is_played(loads: Loads, begun: BegunGame) -> None:
    """So that the test above does not look for modules under names that nobody uses any more."""
    assert loads(begun, "new", "loot", "--players", "3") >= COMMON_DECK


def test_plug_ins_are_looked_for_where_no_game_is_built_in(loads: Loads, begun: BegunGame) -> None:
    """So that the test above does not look for modules under names that nobody uses any more."""
    assert loads(begun, "games") >= {"pbem.games.plugins", "importlib.metadata"}
    assert "pbem.games.plugins" in loads(begun, "new", "--help")
    assert not loads(begun, "new", "loot", "--players", "3") & PLUGINS


def test_many_files_are_verified_by_processes_that_a_library_keeps(
    loads: Loads, begun: BegunGame
) -> None:
    """So that the test above does not look for modules under names that nobody uses any more."""
    assert loads(begun, "verify", begun.last, begun.last, "--jobs", "1") >= {
        "pebble",
        "multiprocessing",
    }
    assert "pebble" not in loads(begun, "stats", "--help")


def test_a_command_loads_the_module_that_adds_it_and_no_other(
    loads: Loads, begun: BegunGame
) -> None:
    loaded = loads(begun, "verify", begun.last)
    assert loaded & MODULES == {"pbem.cli.verify"}
    assert not loaded & {"pbem.report.model", "pbem.report.facts"}, (
        "it tells how the game stands, and no more of it"
    )
    assert loads(begun, "log", begun.last) & MODULES == {"pbem.cli.log"}
