"""A page has no command line: what is refused or told there names no command, and says what can be
done there.

What can be done is a value (`pbem.errors.Do`), which each interface words. These tests hold the
values against the commands and options that the program has, and the words of the table against its
buttons.
"""

from __future__ import annotations

import ast
import html
import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import pytest

from examples.correspondence import Player
from pbem.errors import Do, Refused, Typed, advice, worded_by
from pbem.home import home_pack
from pbem.table.clicked import WORDS, clicked, clicked_or_typed
from pbem.web import door
from tests.support.golden_words import Golden
from tests.support.homes import make_home, seed_of

ROOT = Path(__file__).parents[2]
ELSEWHERE = ("cli", "watch", "simulate", "library")
"""Packages that no page reaches."""
# which is made from the program
_REFERENCE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
_CHAPTERS = dict(
    re.findall(r"^### `pbem ([a-z-]+)(.*?)(?=^##|\Z)", _REFERENCE, re.MULTILINE | re.DOTALL)
)
"""What the reference says of each command."""
_OPTIONS = {"--help", "--option", *re.findall(r"^\| `.*?(--[a-z-]+)", _REFERENCE, re.MULTILINE)}
KNOWN = re.compile(
    r"\bpbem"
    rf" (?:{'|'.join(_CHAPTERS)})\b|(?<![\w-])(?:{'|'.join(_OPTIONS)})\b|\bPBEM_[A-Z]+|mail\.toml"
)
"""A command, an option, or what else is only of use where commands are."""


# What the sources say


def _words(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression may give, with an X for what is put into them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)  # type: ignore[misc]
    elif isinstance(node, ast.IfExp):
        yield from (*_words(node.body), *_words(node.orelse))
    elif isinstance(node, ast.Tuple):
        yield from (words for part in node.elts for words in _words(part))


def _named(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """What is given under a name, by keyword or by assignment; and the second half of
    `with_hint`."""
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "with_hint":
            yield "hint", node.args[1]


@cache
def _nodes(elsewhere: tuple[str, ...] = ELSEWHERE) -> list[ast.AST]:
    """All that the sources are made of, but for those of these packages."""
    paths = [
        path
        for path in ROOT.glob("pbem/**/*.py")
        if path.parts[len(ROOT.parts) + 1] not in elsewhere
    ]
    return [
        node
        for path in sorted(paths)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]


def test_the_words_of_a_hint_name_no_command() -> None:
    """Whoever writes `pbem show` into them writes it for a command line alone."""
    named = list(_named(_nodes()))
    assigned = {name: value for name, value in named if name.isupper()}
    asked = [value for name, value in named if name == "hint"]
    found = [assigned.get(value.id) if isinstance(value, ast.Name) else value for value in asked]
    read = [words for value in found for words in _words(value)]
    assert len(read) > 150
    assert [words for words in read if KNOWN.search(words)] == []


def _deeds() -> Iterator[tuple[str, list[str]]]:
    """The command and the arguments of each value that names one, with an X for what is put in."""
    for node in _nodes(elsewhere=()):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Do":
            command, *arguments = (next(_words(one), "X") for one in node.args)
            yield command, arguments


def test_what_can_be_done_can_be_typed() -> None:
    deeds = list(_deeds())
    assert len(deeds) > 90
    for command, arguments in deeds:
        chapter = _CHAPTERS[command.split(" ", 1)[0]]
        for option in re.findall(r"--[a-z-]+", " ".join(arguments)):
            assert option == "--help" or re.search(rf"`.*?{option}\b", chapter), (command, option)


def test_a_deed_is_typed_with_its_arguments_and_its_case() -> None:
    deed = Do("send", "loot-12", "--to", "ADDRESS", when="if you must", does="sends it there")
    assert str(deed) == "if you must: pbem send loot-12 --to ADDRESS sends it there"
    assert advice(("wait", deed, Typed("or --force"))) == f"wait; {deed}; or --force"
    assert str(Refused("no", hint=Do("show", "FILE"))) == "no (hint: pbem show FILE)"


def test_each_interface_has_its_own_words() -> None:
    hint = ("wait", Do("show", "FILE", when="or"), Do("stats"), Typed("--force"))
    with worded_by(clicked):
        assert advice(hint) == f"wait; or: {WORDS['show']}"
        assert str(Refused("no", hint=Do("stats"))) == "no"
        kept = advice(Do("show", "GAME", "--i-have-no-newer-file"))
        assert kept == WORDS["show --i-have-no-newer-file"]
    with worded_by(clicked_or_typed):
        assert advice(hint) == f"wait; or: {WORDS['show']}; pbem stats; --force"
    assert advice(hint) == "wait; or: pbem show FILE; pbem stats; --force"


def test_the_words_of_the_table_are_those_of_its_buttons() -> None:
    deeds = {
        key
        for command, arguments in _deeds()
        for key in (command, *(f"{command} {one}" for one in arguments))
    }
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "templates/table").iterdir()
    )
    for key, words in WORDS.items():
        assert key in deeds and not KNOWN.search(words), key
        for label in re.findall("“(.*?)”", words):
            assert re.search(rf"<(?:button|a)\b[^>]*>{label}", pages), label


def test_what_is_wrong_is_said_without_commands() -> None:
    """For the first half of an error is shown whole wherever it is read."""
    raised = [
        words
        for node in _nodes()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _ERRORS
        and node.args
        for words in _words(node.args[0])
    ]
    assert len(raised) > 250
    assert [words for words in raised if KNOWN.search(words)] == ALLOWED


_ERRORS = {
    "Refused",
    "Usage",
    "Damaged",
    "Invalid",
    "Malformed",
    "Forged",
    "RulesBroken",
    "Conflict",
    "Forgotten",
}
ALLOWED = [
    "this home has its key already, and --passphrase protects a new one",
    "pbem watch has this home and may sign in it",
]
"""Of `pbem id` and of a home that a watcher has: no page gets there."""


def test_no_hint_is_put_together_by_hand() -> None:
    """Else the page would show it whole."""
    texts = [words for node in _nodes() for words in _constants(node) if "(hint: " in words]
    assert [text for text in texts if KNOWN.search(text)] == []


def _constants(node: ast.AST) -> Iterator[str]:
    yield from _words(node) if isinstance(node, (ast.Constant, ast.JoinedStr)) else ()


# What the page shows


Say = Callable[..., str]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """What a request shows: the refusals and notices of a page, or all of what scripts are
    answered."""
    monkeypatch.setenv("PBEM_PASSPHRASE", "six words")
    monkeypatch.setattr(home_pack, "MEMORY", 8192)
    monkeypatch.setattr(door, "WRITTEN", tmp_path / "out")
    monkeypatch.setattr(door, "_tables", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "page"))

    def asked(path: str, data: bytes | None = None, **fields: str) -> str:
        body = data if data is not None else urlencode(fields).encode()
        method = "GET" if path.startswith("?") else "POST"
        _, named, made = door.answer(method, path.lstrip("?"), "name=came", [], body)
        text = made.decode()
        if not named.get("content-type", "").startswith("text/html"):
            return text
        shown = re.findall(
            r'<(?:p|section)[^>]*class="(?:refusal|notice|ask-again)[^>]*>(.*?)</p>',
            text,
            re.DOTALL,
        )
        return html.unescape(re.sub(r"<[^>]*>", "", "\n".join(shown)))

    return asked


@pytest.fixture
def desktop(tmp_path: Path) -> Player:
    """Ben at his computer, with a game of tripoli to which the page is invited."""
    (tmp_path / "mails").mkdir()
    make_home(tmp_path / "ben", "Ben", seed=seed_of("Ben"))
    ben = Player("Ben", tmp_path / "ben", tmp_path / "mails", True)
    ben.does("new", "tripoli", "--seat", "tripolitan")
    return ben


def holds(said: str, *wanted: str) -> None:
    assert not KNOWN.search(said), said
    assert all(words in said for words in wanted), said


def test_a_newcomer_reads_of_no_command(say: Say, desktop: Player) -> None:
    holds(say("/web/introduce", name=" "), "name is empty")
    holds(say("/web/introduce", name="A\u200bnn"), "characters that nobody sees")
    holds(say("/web/introduce", name="Ann", mail="no address"), "as in ann@example.org")
    holds(
        say("/web/open", passphrase="x", file="a letter"), "no packed home", "choose the file again"
    )
    holds(say("/web/open", passphrase="x", file=""), "no packed home")
    desktop.does("home", "backup", "ben.txt")
    holds(
        say("/web/open", passphrase="x", file=(desktop.folder / "ben.txt").read_text()),
        "passphrase is wrong",
    )
    holds(say("/web/backup", passphrase="x"), "no identity yet")
    holds(say("/new", game="tripoli"), "")
    holds(say("?/help/nothing"), "no page about")
    holds(say("?/game/tripoli-00"), "")


def test_a_player_reads_of_no_command(say: Say, desktop: Player, tmp_path: Path) -> None:
    facts = json.loads(say("/web/introduce", name="Ann", mail="ann@example.org"))
    assert facts["kind"] == "open"
    holds(say("/new", game="chess"), "")
    holds(say("/new", game="loot", **{"loot.players": "9"}), "")
    holds(say("/new", game="loot", **{"loot.players": "x"}), "no number")
    holds(say("/new", game="tripoli", opponents="Cleo"), "nobody you know", "ask them for it")
    key = json.loads(json.dumps(desktop.does("id")))["key"]
    holds(say("/new", game="tripoli", opponents=f"{key}\n{key[::-1]}"), "")
    holds(say("/new", game="tripoli", opponents=f"{key}, {key}"), "opponents for", "name fewer")
    holds(say("/take", b"a letter"), "no turn in it")
    holds(say("/take", b'format = "pbem/1"\n\n[[entry]]\nx'), "")
    (invitation,) = desktop.folder.glob("*.toml")
    data = invitation.read_bytes()
    holds(say("/take", data[:-40]), "incomplete")
    holds(say("/take", data.replace(b"american", b"amerikan")), "")
    holds(say("/web/arrived", fragment="turn=1AAAA"), "")
    game = f"/game/{json.loads(say('/take', data))['game']}"
    mark = re.compile(r'data-mark="(\w+)"')

    def press(**fields: str) -> str:
        page = door.answer("GET", game, "", [], b"")[2].decode()
        return say(f"{game}/do", mark=mark.findall(page)[0], **fields)

    holds(press(sign="yes"), "not your turn")
    holds(press(join="yes"), "")
    holds(press(sign="yes"), "not your turn")
    holds(press(join="yes"), "")
    joined = next(path for path in (tmp_path / "page").glob("games/*/signed/0001.toml"))
    (desktop.folder / "joined.toml").write_bytes(joined.read_bytes())
    answered = desktop.does("play", "joined.toml")["file"]
    holds(say("/take", (desktop.folder / answered).read_bytes()), "taken in")
    for fields in (
        {"type": "event nonsense"},
        {"type": "roll 7"},
        {"sign": "yes"},
        {"order": ""},
        {"drop-line": "7"},
    ):
        holds(press(**fields), "")
    holds(press(order="nonsense: yes", **{"give-order": "yes"}), "")
    holds(press(message="a\u202eb", say="yes"), "")
    holds(press(draw="accept"), "")
    holds(press(resign="ask"), "")
    holds(press(sent="yes"), "")
    holds(say(f"{game}/do", mark="0"), "behind")


def test_a_home_that_signs_nothing_says_so_without_commands(say: Say, desktop: Player) -> None:
    say("/web/introduce", name="Ann", mail="ann@example.org")
    pack = say("/web/backup", passphrase="six words")
    assert door.answer("POST", "/new", "", [], b"game=tripoli")[0] == 303
    (game,) = [path.name for path in (Path(os.environ["PBEM_HOME"]) / "games").iterdir()]
    page = f"/game/tripoli-{game}"
    moved = say("/web/move", passphrase="six words")
    assert pack.startswith("-----") and moved.startswith("-----")
    holds(
        say("/new", game="tripoli"),
        "moved away",
        "bring it back, or go on here if it was opened nowhere",
    )
    holds(say("/web/move", passphrase="x"), "moved away")
    holds(
        say("/web/open", passphrase="six words", file=moved), "move it back from where it is used"
    )
    for path in (page, "/"):
        text = door.answer("GET", path, "", [], b"")[2].decode()
        assert not re.search(r'name="(?:sign|join|sent)"|action="/new"|name="resign"', text), (
            "a button that would fail"
        )
    holds(say("/web/open", passphrase="six words", file=pack), "put back from the backup")
    holds(say("/web/backup", passphrase="x"), "confirm that you signed nothing that is not here")
    holds(say("/web/keep"), "say that you use it nowhere else")
    (Path(os.environ["PBEM_HOME"]) / "place.toml").write_text("nonsense")
    holds(say("/web/start"), "where this home is in use cannot be read")
    holds(say("/new", game="tripoli"), "confirm that you use this home nowhere else")


def test_a_damaged_home_says_so_without_commands(say: Say) -> None:
    say("/web/introduce", name="Ann", mail="ann@example.org")
    assert door.answer("POST", "/new", "", [], b"game=tripoli")[0] == 303
    home = Path(os.environ["PBEM_HOME"])
    (signed,) = home.glob("games/*/signed/0000.toml")
    name = f"tripoli-{signed.parent.parent.name}"
    for path, noise in (
        (home / "contacts.toml", "x"),
        (signed, ""),
        (home / "player.toml", "x"),
        (home / "mail.toml", "x"),
    ):
        before = path.read_bytes() if path.exists() else None
        path.write_text(noise)
        for asked in ("?/", f"?/game/{name}"):
            holds(say(asked), "")
        holds(say("/new", game="tripoli", opponents="Ben"), "")
        # else it is for the others, who may have commands
        if '"turn"' not in (told := say("/web/out", game=name)):
            holds(told, "")
        path.unlink() if before is None else path.write_bytes(before)


def test_a_clock_that_is_doubted_is_confirmed_in_the_page(say: Say) -> None:
    say("/web/introduce", name="Ann", mail="ann@example.org")
    (Path(os.environ["PBEM_HOME"]) / "clock.json").write_text(
        json.dumps({"signed": "2999-01-01T00:00:00Z"})
    )
    holds(say("/new", game="tripoli"), "set the clock, or say that it is right")
    page = door.answer("POST", "/new", "", [], b"game=tripoli")[2].decode()
    assert 'action="/clock"' in page
    status, named, _ = door.answer(
        "POST", "/clock", "", [], urlencode({"to": "/game/x\r\ny"}).encode()
    )
    assert (status, named["location"]) == (303, "/")
    assert door.answer("POST", "/new", "", [], b"game=tripoli")[0] == 303


def test_words_of_help_are_said_to_be_those_of_a_computer(say: Say, golden: Golden) -> None:
    say("/web/introduce", name="Ann", mail="")
    for topic in ("tripoli", "paradise", "trust"):
        page = door.answer("GET", f"/help/{topic}", "", [], b"")[2].decode()
        golden(*re.findall(r'<p class="notice">.*?</p>', page))
        assert "<pre>Con" not in page and "<code>pbem" in page
