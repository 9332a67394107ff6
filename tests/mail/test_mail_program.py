"""An invitation says where the program comes from, in one way that works, and names exactly the
file or the address that it is."""

from __future__ import annotations

import base64
import hashlib
import py_compile
import sys
from importlib import metadata
from pathlib import Path

import pytest

import pbem.mail.links
from examples.correspondence import Player
from pbem.errors import Usage
from pbem.home.home import Home
from pbem.mail import program, settings
from pbem.mail.program import wheel_name
from pbem.version import exact
from tests.mail.test_mail_page import PAGE, in_one_line, links_of, mail_beside
from tests.support.homes import make_home, seed_of
from tests.support.mail_kit import body

FILE = wheel_name().name
ADDRESS = "https://ann.example.org/files/pbem-9.8.7-py3-none-any.whl"


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    make_home(tmp_path / "ann", "Ann", "ann@example.org", seed_of("Ann"))
    return Player("Ann", tmp_path / "ann", tmp_path, True)


def invites(ann: Player, *more: str) -> tuple[str, str]:
    """What `pbem new` says, and what the mail says, in one line each."""
    before = {*ann.folder.glob("*.eml")}
    code, said, _ = ann.types("new", "backgammon", "--match", "1", *more)
    assert code == 0
    (mail,) = {*ann.folder.glob("*.eml")} - before
    message = mail_beside(ann, mail.name)
    assert "pipx install pbem" not in body(message, "plain") + body(message, "html")
    return in_one_line(said), in_one_line(body(message, "plain"))


def test_the_file_is_named_with_the_command_that_writes_it(ann: Player) -> None:
    said, mail = invites(ann)
    assert "pbem program " in said and f" {FILE}, " in said
    assert f"pipx install ./{FILE}" in mail and f"sha256sum {FILE}" in mail


def test_what_the_mail_brings_is_its_second_attachment(ann: Player) -> None:
    said, mail = invites(ann, "--with-program")
    assert f" {FILE} (1." in said and f" {FILE}." in mail and "pbem program " not in said
    message = mail_beside(ann, next(path.name for path in ann.folder.glob("*.eml")))
    names = [part.get_filename() for part in message.iter_attachments()]
    assert names == [next(path.name for path in ann.folder.glob("*.toml")), FILE]
    assert "-----BEGIN PBEM TURN-----" in body(message, "plain"), "there is room for the text still"


@pytest.mark.parametrize("by_release", [False, True])
def test_an_address_is_named_instead(
    ann: Player, monkeypatch: pytest.MonkeyPatch, *, by_release: bool
) -> None:
    if by_release:
        monkeypatch.setattr(settings, "PROGRAM_ADDRESS", ADDRESS)
    else:
        (Home(ann.home).folder / "mail.toml").write_text(f'program = "{ADDRESS}"\n')
    said, mail = invites(ann)
    assert "pbem program " not in said and f" {ADDRESS}" in mail
    assert "pipx install ./pbem-9.8.7-py3-none-any.whl" in mail


def test_a_page_of_the_release_is_in_every_mail(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.mail.links, "PAGE_ADDRESS", PAGE)
    said, mail = invites(ann)
    assert all(f"{PAGE}#join=" in words for words in (said, mail)) and "pipx" not in mail


def test_a_mail_without_a_link_says_how_to_get_one(ann: Player, tmp_path: Path) -> None:
    """The one thing that Ann does sends the same game, and as a link."""
    _, mail = invites(ann)
    (file,) = ann.folder.glob("*.toml")
    short = file.stem[:-5]
    line = f"pbem send {short} --to YOUR-ADDRESS --web ADDRESS-OF-THE-PAGE"
    assert line in mail
    box = tmp_path / "sent.eml"
    with (Home(ann.home).folder / "mail.toml").open("w") as out:
        out.write(f'[send]\nprogram = ["/bin/sh", "-c", "cat > {box}"]\n')
    words = line.replace("YOUR-ADDRESS", "ben@example.org").replace("ADDRESS-OF-THE-PAGE", PAGE)
    assert ann.types(*words.split()[1:])[0] == 0
    text, _ = links_of(mail_beside(ann, box.name))
    assert text and text[0].startswith(f"{PAGE}#join=")


def test_who_plays_already_is_sent_no_program(ann: Player) -> None:
    ann.does("new", "tripoli", "--solitaire")
    (file,) = (path.name for path in ann.folder.glob("tripoli-solitaire*.toml"))
    code, _, error = ann.types("send", file, "--to", "ben@example.org", "--with-program")
    assert code != 0 and "without --with-program" in error


class Installed:
    """An installation of one module, as an installer notes it; `more` are further files and their
    lines in the note."""

    def __init__(self, folder: Path) -> None:
        self.site, self.rows = folder / "lib" / "site", []
        self.info = self.site / f"pbem-{exact()}.dist-info"
        self.info.mkdir(parents=True)
        self.add(f"{self.info.name}/METADATA", b"Name: pbem\n")
        self.add(f"{self.info.name}/WHEEL", b"Tag: py3-none-any\n")
        self.add(f"{self.info.name}/entry_points.txt", b"[console_scripts]\npbem = pbem.cli:main\n")
        self.add("../../bin/pbem", b"#!python\n")
        self.add("../../share/man/man1/pbem.1", b"pbem\n")
        self.source = self.add("pbem/version.py", b"NUMBER = 1\n")

    def add(self, name: str, data: bytes | None, note: str | None = None) -> Path:
        """A file with its line: hash and size, unless it is noted otherwise."""
        place = self.site / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if data is not None:
            place.write_bytes(data)
        data = place.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        self.rows.append(f"{name},{f'sha256={digest},{len(data)}' if note is None else note}")
        return place

    def made_again(self) -> bytes:
        (self.info / "RECORD").write_text("\n".join(self.rows) + "\n")
        return program._made_again(metadata.PathDistribution(self.info))


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def compiled(
    installed: Installed, text: str, mode: py_compile.PycInvalidationMode, tag: str = "cpython-311"
) -> str:
    """Bytecode of this text beside the module, as if it were the module's; its name."""
    other = installed.site.parent / "other.py"
    other.write_text(text)
    name = f"pbem/__pycache__/version.{tag}.pyc"
    py_compile.compile(
        str(other), str(installed.site / name), str(installed.source), invalidation_mode=mode
    )
    return name


HASHED = py_compile.PycInvalidationMode.UNCHECKED_HASH
TIMED = py_compile.PycInvalidationMode.TIMESTAMP


def test_bytecode_that_an_installer_made_is_none_of_the_wheel(installed: Installed) -> None:
    plain = installed.made_again()
    tag = sys.implementation.cache_tag
    assert tag is not None
    for text, mode in (("NUMBER = 1\n", HASHED), ("NUMBER = 1\n", TIMED), ("x = 9\n", TIMED)):
        installed.add(compiled(installed, text, mode, tag), None, ",")
        assert installed.made_again() == plain
    (installed.site / compiled(installed, "NUMBER = 1\n", TIMED, tag)).unlink()
    assert installed.made_again() == plain, "it was thrown away since"


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("pbem/__pycache__/version.cpython-311.pyc", None),
        ("pbem/__pycache__/version.cpython-311.opt-1.pyc", None),
        ("pbem/__pycache__/other.py", None),
        ("pbem/__pycache__/other.py", ","),
        ("pbem/__PYCACHE__/version.cpython-311.pyc", None),
        ("__pycache__/sitecustomize.cpython-311.pyc", None),
        ("pbem/mail/__pycache__/deeper/program.cpython-311.pyc", None),
        ("pbem/__pycache__/version.cpython-311.pyc", ",300"),
        ("../../bin/python3", None),
        ("../../bin/pbem-helper", None),
        ("../../include/site/pbem/version.h", None),
    ],
)
def test_what_a_wheel_brought_and_no_wheel_of_pbem_holds_is_refused(
    installed: Installed, name: str, note: str | None
) -> None:
    """Else the SHA-256 of the release would be printed while other code runs."""
    installed.made_again()
    installed.add(name, b"x = 1\n", note)
    with pytest.raises(Usage):
        installed.made_again()


def test_bytecode_that_is_not_compared_with_its_source_is_looked_into(installed: Installed) -> None:
    """An installer that does not compile leaves a wheel's own where it is, and notes no hash."""
    tag = sys.implementation.cache_tag
    assert tag is not None
    installed.add(compiled(installed, "NUMBER = 2\n", HASHED, tag), None, ",")
    with pytest.raises(Usage):
        installed.made_again()
