"""The page in which whoever gets a mail may play: named once, and in every mail of the game from
then on."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Usage
from pbem.home.home import Home
from pbem.mail import settings
from tests.support.homes import make_home, seed_of
from tests.support.mail_kit import body

PAGE = "https://ann.example.org/pbem/"
_LINK = re.compile(r"https://ann\.example\.org/pbem/#(?:join|turn)=[A-Za-z0-9_-]+")


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    make_home(tmp_path / "ann", "Ann", "ann@example.org", seed_of("Ann"))
    return Player("Ann", tmp_path / "ann", tmp_path, True)


@pytest.fixture
def ben(tmp_path: Path) -> Player:
    make_home(tmp_path / "ben", "Ben", "ben@example.org", seed_of("Ben"))
    return Player("Ben", tmp_path / "ben", tmp_path, True)


def mail_beside(player: Player, file: str) -> EmailMessage:
    data = (player.folder / file).with_suffix(".eml").read_bytes()
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def links_of(message: EmailMessage) -> tuple[list[str], list[str]]:
    """The links in the text and in the HTML of a mail."""
    html = re.findall(r'href="([^"]+)"', body(message, "html"))
    return _LINK.findall(body(message, "plain")), html


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_invitation_says_open_this_link_write_your_name_play(ann: Player, ben: Player) -> None:
    code, said, _ = ann.types("new", "tripoli", "--web", PAGE)
    assert code == 0 and "pbem program" not in in_one_line(said)
    (file,) = [path.name for path in ann.folder.glob("*.toml")]
    message = mail_beside(ann, file)
    text, html = links_of(message)
    assert (
        len(text) == 1 and html == text and text[0].startswith(PAGE + "#join=1") and text[0] in said
    )
    words = in_one_line(body(message, "plain"))
    assert "pipx" not in words and f"pbem join {file}" in words
    assert ben.does("join", text[0])["file"].endswith("-0001.toml")


def test_every_later_mail_of_the_game_has_its_link(ann: Player, ben: Player) -> None:
    """The page was named with the invitation; Ben, who plays at a computer too, has named none."""
    invitation = ann.does("new", "tripoli", "--web", PAGE)["file"]
    joined = ben.does("join", invitation)["file"]
    assert links_of(mail_beside(ben, joined)) == ([], [])
    ann.does("inbox", joined)
    ann.does("resign", joined, "--yes")
    (file,) = ann.folder.glob("*-0002.toml")
    message = mail_beside(ann, file.name)
    text, html = links_of(message)
    assert (
        len(text) == 1
        and html == text
        and text[0].startswith(PAGE + "#turn=1")
        and len(text[0]) < 800
    )
    assert "pbem " not in body(message, "plain").partition("HOW TO GO ON")[0], (
        "whoever has a page has no commands"
    )
    for part in list(message.iter_attachments()):
        part.clear()
    without = re.sub(
        r"-----BEGIN PBEM TURN.*?END PBEM TURN-----", "", body(message, "plain"), flags=re.DOTALL
    )
    letter = EmailMessage()
    letter["Subject"], letter["From"] = "the same, without its file", "ann@example.org"
    letter.set_content(without)
    (ann.folder / "came.eml").write_bytes(letter.as_bytes())
    assert [item["kind"] for item in ben.does("inbox", "came.eml")["files"]] == ["new"]
    assert ben.does("show", "tripoli")["entry"] == 2


def test_a_turn_that_fits_no_link_says_to_choose_the_file(ann: Player) -> None:
    file = ann.does("new", "loot", "--web", PAGE)["file"]
    message = mail_beside(ann, file)
    text, html = links_of(message)
    assert text == [] and html == [PAGE]
    words = in_one_line(body(message, "plain"))
    assert f" {file}, " in words and f" {PAGE} " in words


def test_mail_toml_names_the_page_for_every_game(ann: Player) -> None:
    (ann.home / "mail.toml").write_text(f'web = "{PAGE}"\n')
    file = ann.does("new", "backgammon")["file"]
    assert links_of(mail_beside(ann, file))[0][0].startswith(PAGE + "#join=1")
    other = ann.does("new", "backgammon", "--web", "https://b.example/")["file"]
    assert "https://b.example/#join=1" in body(mail_beside(ann, other), "plain")


def test_without_a_page_mails_speak_of_none(ann: Player) -> None:
    message = mail_beside(ann, ann.does("new", "tripoli")["file"])
    words = in_one_line(body(message, "plain"))
    assert links_of(message) == ([], []) and "Open this link" not in words and "pipx" in words


def test_a_page_changes_no_subject_and_no_thread(ann: Player, tmp_path: Path) -> None:
    heads = []
    for more in ((), ("--web", PAGE)):
        message = mail_beside(ann, ann.does("new", "tripoli", *more)["file"])
        subject = str(message["Subject"]).rpartition(",")[0]
        heads.append((subject, sorted(message.keys()), str(message["To"])))
    assert heads[0] == heads[1]


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000/",
        "http://127.0.0.1:8000/pbem/",
        "http://[::1]:8000/",
        "https://example.org",
        "https://a.example:8443/x/~ann/index.html",
    ],
)
def test_addresses_of_pages(address: str) -> None:
    assert settings.check_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "http://example.org/",
        "http://127.0.0.1.example.org/",
        "ftp://example.org/",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://example.org/?a=b",
        "https://example.org/#turn=1",
        "https://ann:pw@example.org/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://exa mple.org/",
        'https://example.org/"onclick="x',
        "https://example.org/<b>",
        "https://example.org/" + "x" * 121,
    ],
)
def test_what_is_no_address_of_a_page_is_refused_before_anything_is_signed(
    ann: Player, address: str
) -> None:
    with pytest.raises(Usage):
        settings.check_address(address)
    if address:
        assert ann.types("new", "tripoli", "--web", address)[0] == 2
        (ann.home / "mail.toml").write_text(f"web = {address!r}\n")
        if "\n" not in address and '"' not in address:
            with pytest.raises(Usage, match=r"\bweb\b"):
                settings.read(Home(ann.home))
    assert not list(ann.folder.glob("*.toml")) and not (ann.home / "games").exists()


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        (" https://example.org/\n", "https://example.org/"),
        ("https://bücher.example/pbem/", "https://xn--bcher-kva.example/pbem/"),
    ],
)
def test_an_address_of_a_page_is_taken_as_people_write_it(typed: str, address: str) -> None:
    assert settings.check_address(typed) == address
