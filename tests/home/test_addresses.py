"""Addresses as people write them, wherever they write one: blanks around it are left out, and a
domain is kept in its ASCII form, as mails write it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Usage
from pbem.fileformat.encoding import b64
from pbem.home import make_identity
from pbem.home.contacts import Contacts
from pbem.home.home import Home
from pbem.mail import settings
from pbem.mail.settings import check_address
from pbem.table import home_page
from pbem.turn import joining
from tests.support.homes import make_home
from tests.support.mail_kit import parsed
from tests.support.watch_kit import correspondent

GIVEN = " ben@b\xfccher.example\t"
KEPT = "ben@xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" ann@example.org ", "ann@example.org"),
        ("ann@b\xfccher.example", "ann@xn--bcher-kva.example"),
        ("\u3000ann@example.org\xa0", "ann@example.org"),
        ("  ", ""),
        ("ann@m\xfcller.b\xf6se.example\n", "ann@xn--mller-kva.xn--bse-sna.example"),
    ],
)
def test_blanks_and_letters_of_a_domain_are_taken(tmp_path: Path, given: str, kept: str) -> None:
    home = Home(tmp_path / "home")
    make_identity.identify(home, "Ann", given, False, None, None)
    assert home.identity().mail == kept


def test_a_letter_before_the_at_is_refused_with_the_word_for_it(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="ASCII") as refused:
        make_identity.identify(
            Home(tmp_path / "home"), "Ann", "j\xfcrg@example.org", False, None, None
        )
    assert "ann@example.org" in str(refused.value)


@pytest.mark.parametrize("domain", ["stra\xdfe.example", "\u03b2\u03cc\u03bb\u03bf\u03c2.example"])
def test_a_domain_of_two_ascii_forms_is_never_guessed(tmp_path: Path, domain: str) -> None:
    """Mails would go to whoever has the other one."""
    with pytest.raises(Usage, match=re.escape(domain)) as refused:
        make_identity.identify(Home(tmp_path / "home"), "Ann", f"a@{domain}", False, None, None)
    assert "xn--" in str(refused.value)


def test_contacts_take_and_find_it(tmp_path: Path) -> None:
    known = Contacts(make_home(tmp_path / "ann", "Ann"))
    ben = make_home(tmp_path / "ben", "Ben").identity()
    assert known.add("Ben", GIVEN, b64(ben.public), "2026-11-28").mail == KEPT
    assert known.add("Ben", " ", b64(ben.public), "2026-11-28").mail == KEPT
    for who in (GIVEN, KEPT, "BEN@B\xdcCHER.example"):
        assert known.find(who).name == "Ben"
    for wrong in ("ben", "b\xebn@example.org", "ben @example.org", "ben@b\xfccher..example"):
        with pytest.raises(Usage, match=f'"{wrong}" '):
            known.add("Ben", wrong, b64(ben.public), "2026-11-28")


def test_send_takes_it_and_says_to_whom_it_went(tmp_path: Path) -> None:
    ann = correspondent(tmp_path, "Ann", [])
    joining.write(ann.home, joining.invite(ann.home, joining.NewGame("tripoli")), tmp_path)
    (file,) = tmp_path.glob("*.toml")
    player = Player("Ann", ann.home.folder, tmp_path, in_process=True)
    sent = player.does("send", str(file), "--to", GIVEN, "--to", "cleo@example.org ")
    assert sent["to"] == [KEPT, "cleo@example.org"]
    assert parsed(ann.mails()[-1])["To"] == f"{KEPT}, cleo@example.org"
    code, _, said = player.types("send", str(file), "--to", "b\xebn@example.org")
    assert code == 2 and "ASCII" in said
    assert len(ann.mails()) == 1


def test_the_form_of_the_table_and_the_page_takes_it(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with pytest.raises(Usage):
        home_page.introduce(home, {"name": "Ben", "mail": " ben@b\xfcro "})
    home_page.introduce(home, {"name": "Ben", "mail": GIVEN})
    assert home.identity().mail == KEPT


def test_mail_toml_takes_it() -> None:
    read = settings.parse(
        f"""
        web = " https://b\xfccher.example:8080/pbem/ "
        program = "https://b\xfccher.example "
        heartbeat = " https://b\xfccher.example/ok"
        [send]
        host = " b\xfccher.example "
        user = "{GIVEN.strip()} "
        [fetch]
        host = "imap.example.org "
        user = " ann"
        """.encode()
    )
    domain = KEPT.partition("@")[2]
    assert read.web == f"https://{domain}:8080/pbem/"
    assert (read.address_of_program, read.heartbeat) == (
        f"https://{domain}",
        f"https://{domain}/ok",
    )
    assert read.send is not None and (read.send.host, read.send.user) == (domain, KEPT)
    assert read.fetch is not None
    assert (read.fetch.host, read.fetch.user) == ("imap.example.org", "ann")
    with pytest.raises(Usage):
        check_address("https://stra\xdfe.example/")
