"""Whatever says that all is well says so only as long as what it rests on is there: each thing in
the table of docs/mail.md is broken alone, and told."""

from __future__ import annotations

import json
import re
import shutil
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.home import clock, outbox, outside, place
from pbem.home.home import Home
from pbem.table import home_page
from pbem.turn import joining
from pbem.version import exact
from pbem.watch.doctor import FINE, HAND, LEAST_SPACE, UNKNOWN
from tests.mail.test_mail_servers import NEEDS_DOVECOT
from tests.support.homes import make_home
from tests.support.mail_servers import HOST, PASSWORD, USER, dovecot, free_port
from tests.watch.test_watch_silence import Days

DOCS = Path(__file__).parents[2] / "docs" / "mail.md"
SEND = '[send]\nprogram = ["true"]\n'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Ann's home, with a game and automatic turns on."""
    home = make_home(tmp_path / "home", "Ann", "ann@example.org")
    joining.invite(home, joining.NewGame("tripoli"))
    outside.change(home.identity().public, lambda kept: replace(kept, home=True))
    return home


@pytest.fixture
def ann(home: Home, tmp_path: Path) -> Player:
    return Player("Ann", home.folder, tmp_path, in_process=True)


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    monkeypatch.setattr(clock, "datetime", datetime)
    return Days(monkeypatch)


# ---- the four places where one looks -------------------------------------------------------------


def states(ann: Player) -> set[tuple[str, str]]:
    """What each line of the check-up is about, and its state."""
    return {(one["about"], one["state"]) for one in ann.asks("doctor")["findings"]}


def the_four(ann: Player) -> dict[str, str]:
    """What is said of what has stopped; empty where all is well."""
    code, said, _ = ann.types("doctor")
    return {
        "inbox": ann.asks("inbox")["silence"],
        "auto": ann.asks("auto")["silence"],
        "page": home_page.page(Home(ann.home)).silence,
        "doctor": said if code else "",
    }


def fetching(port: int, cert: Path, **other: str) -> str:
    table = {
        "host": HOST,
        "security": "tls",
        "user": USER,
        "ca-file": str(cert),
        **other,
    }
    password = other.pop("password", PASSWORD)
    lines = [f'{key} = "{value}"' for key, value in table.items() if key != "password"]
    lines.append(f'port = {port}\npassword-command = ["echo", "{password}"]')
    return "[fetch]\n" + "\n".join(lines) + "\n"


@pytest.fixture
def server(home: Home) -> Iterator[Callable[..., str]]:
    """Fetching is set up and works; what the table in mail.toml is with something changed."""
    with dovecot() as (_, port, cert, _mails):

        def table(**other: str) -> str:
            return fetching(int(other.pop("port", port)), cert, **other)

        (home.folder / "mail.toml").write_text(table() + SEND)
        yield table


BROKEN: dict[str, tuple[Callable[[Callable[..., str]], str], str]] = {
    "the password expired": (lambda table: table(password="old") + SEND, HOST),
    "the folder is gone": (lambda table: table(folder="Games") + SEND, HOST),
    "nobody answers": (lambda table: table(port=str(free_port())) + SEND, HOST),
    "the password command hangs up": (
        lambda table: table().replace('"echo"', '"false"') + SEND,
        "password",
    ),
    "mail.toml is empty": (lambda _table: "", "mail.toml"),
    "[fetch] is lost": (lambda _table: SEND, "[fetch]"),
    "[send] is lost": (lambda table: table(), "[send]"),
    "mail.toml is no TOML": (lambda _table: "[fetch", "mail.toml"),
}


@NEEDS_DOVECOT
@pytest.mark.dear("signs in to a real server again and again")
@pytest.mark.parametrize("what", BROKEN)
def test_what_has_stopped_is_told_wherever_one_looks(
    home: Home, ann: Player, server: Callable[..., str], days: Days, what: str
) -> None:
    broken, named = BROKEN[what]
    assert ann.types("watch", "--once", "--answer")[0] == 0
    assert not any(the_four(ann).values()), the_four(ann)
    assert ("fetching", FINE) in states(ann), "the server has answered"
    (home.folder / "mail.toml").write_text(broken(server))
    ann.types("watch", "--once", "--answer")
    told = the_four(ann)
    assert all(told.values()), told
    assert all(named in told[place] for place in ("inbox", "auto", "page")), told
    assert HOST not in told["doctor"]
    days.pass_by(9)
    ann.types("watch", "--once", "--answer")
    told = the_four(ann)
    assert all(told.values()), told
    if named == HOST:
        assert all(" 9 days" in said for said in told.values()), "since it began"
    (home.folder / "mail.toml").write_text(server() + SEND)
    ann.types("watch", "--once", "--answer")
    assert not any(the_four(ann).values()), the_four(ann)


@NEEDS_DOVECOT
def test_a_fetch_by_hand_that_works_is_an_answer_too(
    home: Home, ann: Player, server: Callable[..., str], days: Days
) -> None:
    (home.folder / "mail.toml").write_text(server(password="old") + SEND)
    ann.types("watch", "--once", "--answer")
    assert HOST in the_four(ann)["auto"]
    (home.folder / "mail.toml").write_text(server() + SEND)
    assert ann.types("fetch")[0] == 0
    assert not any(the_four(ann).values()), the_four(ann)


@NEEDS_DOVECOT
def test_what_is_meant_so_is_told_no_more_once_that_is_said(
    home: Home, ann: Player, server: Callable[..., str], tmp_path: Path, days: Days
) -> None:
    ann.types("watch", "--once", "--answer")
    (home.folder / "mail.toml").write_text(f'inbox = ["{tmp_path}"]\n{SEND}')
    ann.types("watch", "--once", "--answer")
    assert "pbem auto on" in the_four(ann)["inbox"]
    ann.types("auto", "on")
    ann.types("watch", "--once", "--answer")
    assert not any(the_four(ann).values()), the_four(ann)


def test_where_nothing_goes_on_by_itself_nothing_has_stopped(
    home: Home, ann: Player, days: Days
) -> None:
    outside.change(home.identity().public, lambda kept: replace(kept, home=False))
    (home.folder / "mail.toml").write_text(
        fetching(free_port(), home.folder / "identity.pem").replace("ca-file", "# ca-file")
    )
    ann.types("watch", "--once")
    assert HOST in the_four(ann)["inbox"], "a watcher has looked a moment ago"
    days.pass_by(2)
    assert the_four(ann)["inbox"] == "", "and looks no more"


# ---- each line of the check-up -------------------------------------------------------------------


def full_disk(_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(1, 1, LEAST_SPACE - 1))


def write(text: str) -> Callable[[Home, pytest.MonkeyPatch], None]:
    return lambda home, _patch: (home.folder / "mail.toml").write_text(text) and None


def failing(name: str) -> Callable[[Home, pytest.MonkeyPatch], None]:
    """The last look found that something of this name failed."""

    def break_it(home: Home, _patch: pytest.MonkeyPatch) -> None:
        path = home.folder / "watch" / "heartbeat.json"
        beat = json.loads(path.read_text())
        path.write_text(json.dumps({**beat, "failing": {name: ["it fails", beat["looked"]]}}))

    return break_it


def refuse(home: Home, _patch: pytest.MonkeyPatch) -> None:
    [game] = home.folder.glob("games/*")
    outbox.note(game, 0, b"x", lambda turn: turn.went_to([], {"ben@example.org": "nobody"}))


def leave(home: Home, _patch: pytest.MonkeyPatch) -> None:
    left = {"uid": 7, "size": 1, "sender": "ben@example.org", "is_here": True}
    account = {"validity": "1", "last": 9, "again": [], "left": [left]}
    (home.make_folder("inbox") / "fetched.json").write_text(
        json.dumps({"ann@x:993/INBOX": account})
    )


def damage(data: bytes) -> Callable[[Home, pytest.MonkeyPatch], None]:
    def break_it(home: Home, _patch: pytest.MonkeyPatch) -> None:
        for path in home.folder.glob("games/*/*/*.toml"):
            path.write_bytes(data or path.read_bytes().replace(b'"pbem/1"', b'"pbem/2"'))

    return break_it


def old(home: Home, _patch: pytest.MonkeyPatch) -> None:
    path = home.folder / "watch" / "heartbeat.json"
    beat = json.loads(path.read_text())
    path.write_text(json.dumps({**beat, "answered": beat["answered"] - 200_000}))


CHECKED: dict[str, list[Callable[[Home, pytest.MonkeyPatch], None]]] = {
    "home": [
        lambda home, _: place.write(home.folder, replace(place.NOWHERE, closed="2026-11-01")),
        lambda home, _: home.folder.chmod(0o755),
        lambda home, _: (home.folder / "identity.pem").chmod(0o644),
        lambda home, _: (home.folder / "identity.pem").unlink(),
    ],
    "free space": [full_disk],
    "clock": [
        lambda home, _: clock.note_signed(
            home.folder, clock.in_words(datetime.now(UTC) + timedelta(days=3))
        )
    ],
    "last look": [failing("look:round"), failing("notify")],
    "sending": [
        write('[send]\nprogram = ["/nowhere/sendmail"]\n'),
        failing("send:1234"),
        failing("look:lacking:1234"),
    ],
    "fetching": [],  # with real servers, above
    "mail": [
        write("[send]\nhost = 3\n"),
        write(""),
        write('inbox = ["/nowhere"]\n' + SEND),
    ],
    "room for mails": [leave, failing("store")],
    "refused mails": [refuse],
    "watcher": [old, failing("look:answers"), failing("game:1234")],
    "newer files": [damage(b"")],
    "damaged files": [damage(b"x")],
}


@pytest.mark.parametrize(
    ("about", "number"), [(about, n) for about, those in CHECKED.items() for n in range(len(those))]
)
def test_each_line_rests_on_what_it_says(
    home: Home, ann: Player, monkeypatch: pytest.MonkeyPatch, about: str, number: int
) -> None:
    (home.folder / "mail.toml").write_text(SEND)
    assert ann.types("watch", "--once", "--answer")[0] == 0
    assert {state for _, state in states(ann)} == {FINE} and ann.types("doctor")[0] == 0
    CHECKED[about][number](home, monkeypatch)
    assert (about, HAND) in states(ann) and ann.types("doctor")[0] == 1


_NOTHING_INSTALLED = """
from importlib import metadata
metadata.MetadataPathFinder.find_distributions = lambda *_: iter(())
"""


@pytest.mark.parametrize("what", ["old", "damaged", "gone"])
def test_the_versions_are_those_that_are_installed_and_claim_nothing(
    home: Home, ann: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Whether one of them is too old or is missing is told by whatever needs it."""
    (home.folder / "mail.toml").write_text(SEND)
    assert ann.types("watch", "--once", "--answer")[0] == 0
    installed = metadata.version("IMAPClient")
    before = ann.types("doctor")
    assert f"IMAPClient {installed}" in before[1] and f"pbem {exact()}" in before[1]
    found = tmp_path / "installed" / "imapclient-0.1.dist-info"
    found.mkdir(parents=True)
    if what == "gone":
        (found.parent / "sitecustomize.py").write_text(_NOTHING_INSTALLED)
    else:
        (found / "METADATA").write_text("Name: IMAPClient\nVersion: 0.1\n" * (what == "old"))
    monkeypatch.setenv("PYTHONPATH", str(found.parent))
    said = {
        "old": "IMAPClient 0.1",
        "damaged": "IMAPClient does not say its version",
        "gone": "IMAPClient is not there",
    }[what]
    # in a process of its own: what is installed is looked up once in each
    after = replace(ann, in_process=False).types("doctor")
    assert after[0] == 0
    words = " ".join(after[1].split())
    assert said in words and f"IMAPClient {installed}" not in words


def test_the_table_names_each_line(home: Home, ann: Player) -> None:
    section = DOCS.read_text(encoding="utf-8").partition("## Is everything well?")[2]
    rows = re.findall(r"^\| `([a-z ]+)` \|", section.partition("\n## ")[0], re.MULTILINE)
    assert rows == [*CHECKED, "versions"]
    assert {about for about, _ in states(ann)} <= set(rows)


def test_what_was_not_tried_is_not_called_well(home: Home, ann: Player) -> None:
    outside.change(home.identity().public, lambda kept: replace(kept, home=False))
    (home.folder / "mail.toml").write_text(
        f'[fetch]\nhost = "{HOST}"\nuser = "ann"\nport = {free_port()}\n'
    )
    assert ("fetching", UNKNOWN) in states(ann) and ann.types("doctor")[0] == 0
