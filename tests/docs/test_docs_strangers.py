"""Two strangers: one has README and the folder, the other nothing but a mail and the file of the
program.

Each types what is printed there, to the letter, and every command has to end well."""

from __future__ import annotations

import email
import email.policy
import re
import shutil
import subprocess
import venv
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from tests.support.built import PARTS, ROOT, copy_parts, wheel_of
from tests.support.strangers import AtAnEmptyAccount, AtTheCheckout, Person, people

README = (ROOT / "README.md").read_text(encoding="utf-8")
ANY_GAME = (ROOT / "docs" / "any.md").read_text(encoding="utf-8")
ALONE, BY_MAIL = "tripoli-solitaire-", "tripoli-[0-9a-f]"
"""What the files of the two games begin with."""


def section(title: str, page: str = README) -> str:
    """What stands below a title of a page."""
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return str(found)


def blocks(title: str, page: str = README) -> list[tuple[str, str]]:
    """The lines to type of a section, in their order, each with who types it: a name of the page,
    or nothing."""
    listed = re.findall(r"```console\n(.*?)```", section(title, page), re.DOTALL)
    found = [re.fullmatch(r"(\w*)\$ (.+)", line) for block in listed for line in block.splitlines()]
    assert found and all(found), f"{title}: a line of a block is no command"
    return [(one[1], one[2]) for one in found if one]


def plays_alone(ann: Person) -> None:
    """ "Play now, alone": to a signed turn."""
    new, play = [line for _, line in blocks("Play now, alone")]
    ann.does(new)
    assert "Your turn 1" in ann.does(play)
    assert ann.signed == 1 and ann.newest(ALONE) is not None


def plays_a_friend(ann: Person, ben: Person) -> None:
    """ "Play a friend": an invitation, a game that is joined, and the first turn of it."""
    game = ""
    for name, line in blocks("Play a friend"):
        person, other = (ann, ben) if name == "Ann" else (ben, ann)
        if (came := other.newest(BY_MAIL)) is not None:
            person.has(came)
        person.does(line.replace("tripoli-1a2b3c4d", game).replace("tripoli-1a2b", game[:-4]))
        game = game or name_of(person)
    assert joined(ben) == (3, {"Ann", "Ben"})


def name_of(person: Person, game: str = BY_MAIL) -> str:
    """The short name of the game that somebody plays by mail."""
    file = person.newest(game)
    assert file is not None
    return file.stem[:-5]


def joined(person: Person, game: str = BY_MAIL) -> tuple[int, set[str]]:
    """How many turns the game by mail has, and who plays it."""
    file = person.newest(game)
    assert file is not None
    ledger = replay(turnfile.read(file.read_bytes()))
    return len(ledger.entries), {player.name for player in ledger.players if player is not None}


def uses_it_every_day(ann: Person, ben: Person) -> None:
    """ "Every day" and "Trust", once Ben has answered: each command that needs neither a mail
    account nor a browser."""
    ben.does(f"pbem play {name_of(ben)}")
    answer = ben.newest(BY_MAIL)
    assert answer is not None
    ann.has(answer)
    listed = re.findall(r"`(pbem [^`]*)`", section("Every day") + section("Trust"))
    elsewhere = {"pbem send GAME", "pbem table GAME", "pbem remind GAME"}
    assert elsewhere <= {*listed} and len(listed) > 10, listed
    for line in listed:
        if line not in elsewhere:
            ann.does(line.replace("GAME", name_of(ann)).replace("FOLDER", "."))


@pytest.mark.dear("plays a whole evening by commands")
def test_the_commands_of_readme_run_as_printed(tmp_path: Path) -> None:
    """All but the installing, with the program of this checkout."""
    ann, ben = (AtTheCheckout(name, tmp_path / name / "mails") for name in ("Ann", "Ben"))
    plays_alone(ann)
    plays_a_friend(ann, ben)
    uses_it_every_day(ann, ben)


@pytest.mark.dear("plays an evening by commands")
def test_the_first_die_of_a_game_from_ones_shelf(tmp_path: Path) -> None:
    """The beginning of docs/any.md, to the letter: the dice are thrown, and both files have
    come."""
    ann, ben = (AtTheCheckout(name, tmp_path / name / "mails") for name in ("Ann", "Ben"))
    (ann.folder / "bridge.vsav").write_bytes(b"counters")
    (ann.folder / "bridge.png").write_bytes((ROOT / "docs/pictures/film.png").read_bytes())
    title, short, told = "The first die, in a quarter of an hour", "", {}
    for name, line in blocks(title, ANY_GAME):
        person, other = (ann, ben) if name == "Ann" else (ben, ann)
        if (came := other.newest("any-")) is not None:
            person.has(came, *other.folder.glob("bridge.*"))
        told[line] = person.does(line.replace("any-1a2b3c4d", short).replace("any-1a2b", short))
        short = short or name_of(person, "any-")
    assert joined(ann, "any-") == (4, {"Ann", "Ben"}) and len(told) == 9
    assert (
        "decides nothing" not in told[next(line for line in told if line.startswith("pbem play"))]
    )
    assert "1 roll" in told["pbem verify any-1a2b3c4d-0003.toml"]
    (came,) = [said for line, said in told.items() if line == "pbem inbox any-1a2b3c4d-0002.toml"]
    assert came.count("file ") >= 2 and "missing" not in came


# ---- from an empty account on --------------------------------------------------------------------


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PATH in which `sudo apt install python3 pipx` gives pipx, as the system's
    packages would."""
    folder = tmp_path_factory.mktemp("system")
    venv.create(folder / "pipx", with_pip=True)
    fetch = [
        str(folder / "pipx/bin/python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "pipx",
    ]
    done = subprocess.run(fetch, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot fetch pipx, there may be no network: {done.stderr[-300:]}")
    (folder / "bin").mkdir()
    sudo = folder / "bin" / "sudo"
    sudo.write_text(
        SUDO.format(pipx=folder / "pipx/bin/pipx", bin=folder / "bin"), encoding="utf-8"
    )
    sudo.chmod(0o755)
    return folder / "bin"


SUDO = """#!/bin/sh
case "$*" in
    "apt install pipx" | "apt install python3 pipx") ln -sf {pipx} {bin}/pipx ;;
    *) echo "not known here: $*" >&2; exit 1 ;;
esac
"""


@pytest.mark.slow
def test_from_readme_to_a_signed_turn_and_a_joined_game(
    tools: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """README and the folder: everything that it says for Linux."""
    (tools / "pipx").unlink(missing_ok=True)
    folder = copy_parts(ROOT, tmp_path / "pbem", *PARTS)
    ann = AtAnEmptyAccount("Ann", tmp_path / "ann", tools)
    ben = AtAnEmptyAccount("Ben", tmp_path / "ben", tools, tmp_path / "ann/.local/bin")
    (row,) = re.findall(r"^\| Linux \| `(.*?)`.* \| `(.*)` \|$", section("Install"), re.MULTILINE)
    with people(ann, ben):
        ann.does(row[0])
        ann.folder = folder
        ann.new_terminal()
        for line in (row[1], *(line for _, line in blocks("Install"))):
            if line == "pbem --version":
                ann.new_terminal()
            ann.does(line)
        ann.folder = tmp_path / "ann" / "mails"
        ann.folder.mkdir()
        ann.new_terminal()
        plays_alone(ann)
        entered = len(ann.entered)
        plays_a_friend(ann, ben)
        record_property(
            "figure",
            f"README: {entered} commands to a signed turn in solitaire,"
            f" {len(ann.entered) - entered} of Ann's and {len(ben.entered)} of Ben's to a joined"
            " game",
        )
        uses_it_every_day(ann, ben)


def told_in(mail: EmailMessage) -> list[tuple[str, list[str]]]:
    """The steps of an invitation, each with the lines that it prints to type on Linux or on every
    system."""
    body = mail.get_body(("plain",))
    assert body is not None
    text = (
        "\n".join(body.get_content().splitlines())
        .partition("\nHOW TO JOIN\n")[2]
        .partition("\nHOW TO ")[0]
    )
    found = []
    for step in re.split(r"^\d\. ", text, flags=re.MULTILINE)[1:]:
        words, listed, system = "", [], "every"
        for line in step.splitlines():
            if line.startswith("       "):
                listed += [line.strip()] if system == "every" or "Linux" in system else []
            elif re.match("   (Windows|macOS|Linux)", line):
                system = line
            else:
                words += f" {line.strip()}"
        found.append((words, listed))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("way", ["folder", "wheel", "attached"])
def test_from_the_mail_alone_to_a_joined_game(
    way: str, tools: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """An invitation, and what it names, which Ann writes with the command that it names: everything
    that the mail says for Linux. Ann has pbem as a folder, or from a wheel; or the mail brings it.
    The link of an invitation is tried in tests/web."""
    (tools / "pipx").unlink(missing_ok=True)
    ann: Person = AtTheCheckout("Ann", tmp_path / "ann" / "mails")
    if way == "wheel":
        shutil.copy(wheel_of(tmp_path, ROOT, *PARTS), tmp_path)
        (made,) = tmp_path.glob("*.whl")
        ann = AtAnEmptyAccount("Ann", tmp_path / "ann", tools, tmp_path / "ann/.local/bin")
        ann.does("sudo apt install pipx")
        ann.new_terminal()
        ann.does(f"pipx install {made}")
    ann.does("pbem new tripoli --seat american" + (" --with-program" * (way == "attached")))
    invitation = ann.newest(BY_MAIL)
    assert invitation is not None
    mail = email.message_from_bytes(
        invitation.with_suffix(".eml").read_bytes(), policy=email.policy.default
    )
    assert isinstance(mail, EmailMessage)
    ben = AtAnEmptyAccount("Ben", tmp_path / "ben", tools)
    downloads = ben.folder / "Downloads"
    downloads.mkdir()
    with people(ann, ben):
        for words, listed in told_in(mail):
            if "open a new terminal" in words:
                ben.new_terminal()
            if "pbem program" in words:
                ann.does("pbem program")
                (wheel,) = ann.folder.glob("*.whl")
                assert wheel.name in words
                shutil.copy(wheel, downloads)
            for attached in mail.iter_attachments():
                if str(attached.get_filename()) in words:
                    (downloads / str(attached.get_filename())).write_bytes(attached.get_content())
            for line in listed:
                ben.does(line)
        ben.folder = downloads
        assert len(ben.entered) == 7 and joined(ben) == (2, {"Ann", "Ben"})
        record_property(
            "figure", f"the mail alone, {way}: {len(ben.entered)} commands to a joined game"
        )
        answer = ben.newest(BY_MAIL)
        assert answer is not None
        ann.has(answer)
        assert "your turn" in ann.does(f"pbem inbox {answer.name}").casefold()
