"""An invitation says where the program comes from, in one way that works, and names exactly the
file or the address that it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem.mail.links
from examples.correspondence import Player
from pbem.home.home import Home
from pbem.mail import settings
from pbem.mail.program import wheel_name
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
    assert f"pbem program writes it as one file, {FILE}, to give them" in said
    assert f"it is one file, {FILE}, which does not come with this mail" in mail
    assert f"pipx install ./{FILE}" in mail and f"sha256sum {FILE}" in mail
    assert "whether it is theirs" in mail


def test_what_the_mail_brings_is_its_second_attachment(ann: Player) -> None:
    said, mail = invites(ann, "--with-program")
    assert f"The mail brings the program, {FILE} (1." in said
    assert f"it comes with this mail, the attachment {FILE}." in mail
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
    assert "They need pbem too" not in said
    assert f"Get the program, pbem-9.8.7-py3-none-any.whl, from {ADDRESS}" in mail
    assert "pipx install ./pbem-9.8.7-py3-none-any.whl" in mail


def test_a_page_of_the_release_is_in_every_mail(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pbem.mail.links, "PAGE_ADDRESS", PAGE)
    said, mail = invites(ann)
    assert "This link says it in a message of any kind" in said
    assert f"{PAGE}#join=" in mail and "pipx" not in mail


def test_a_mail_without_a_link_says_how_to_get_one(ann: Player, tmp_path: Path) -> None:
    """The one thing that Ann does sends the same game, and as a link."""
    _, mail = invites(ann)
    (file,) = ann.folder.glob("*.toml")
    short = file.stem[:-5]
    assert "Ann can also make a link" in mail
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
