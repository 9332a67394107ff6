"""The commands that know players: `contacts`, and names with another key wherever names are
shown."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

from pbem.fileformat.encoding import b64
from pbem.home.clock import today
from pbem.home.contacts import Contacts
from pbem.home.home import Home
from tests.support.begun_game import BegunGame
from tests.support.homes import key_of

DAY = "2026-11-22"


def key(name: str) -> bytes:
    return key_of(name)


def test_the_commands_tell_another_key_everywhere_a_name_is_shown(begun: BegunGame) -> None:
    """Ben's name and address are known with another key: every command that names the players says
    so."""
    contacts = Contacts(Home(begun.ann.home))
    contacts.forget("Ben")
    contacts.add("Ben", "ben@example.org", b64(key("the true Ben")), today())
    for command in ("show", "log"):
        _, said, warned = begun.ann.types(command, begun.last)
        assert 'ANOTHER KEY: "Ben"' in said + warned, command
    assert "ANOTHER KEY" in begun.ann.types("inbox", begun.last)[1]
    _, _, warned = begun.ann.types("play", begun.last, "--dry-run", "event swedish frigates arrive")
    assert "ANOTHER KEY" in warned
    assert "ANOTHER KEY" in begun.ann.types("contacts")[2]


def test_nothing_of_the_contacts_goes_to_others(begun: BegunGame) -> None:
    ann = Home(begun.ann.home)
    contacts = Contacts(ann)
    contacts.compare("Ben", DAY)
    contacts.add("Ben", "", b64(key("another Ben")), DAY)
    begun.write("american", "play", begun.last, "event swedish frigates arrive")
    written = [
        path
        for path in begun.folder.iterdir()
        if path.name.startswith(begun.last.removesuffix(".toml"))
    ]
    assert len(written) == 3
    for path in written:
        assert b"ANOTHER" not in path.read_bytes() and b"compared" not in path.read_bytes()
    assert "compared on" not in begun.ann.types("show", begun.last, "--public")[1]


def test_a_new_game_takes_a_contact(begun: BegunGame) -> None:
    _, said, warned = begun.ann.types("new", "tripoli", "--opponent", "ben")
    assert "compared" in warned
    invitation = said.splitlines()[0]
    mail = message_from_bytes((begun.folder / said.splitlines()[2]).read_bytes(), policy=default)
    for kind in ("plain", "html"):
        part = mail.get_body((kind,))
        assert part is not None
        told = part.get_content()
        assert f"pbem join {invitation}" in told and "kept for your key" in told
        assert "pipx" not in told, "whoever has a key has the program"
    assert begun.stranger_with_key().types("join", invitation)[0] == 1
    assert begun.ben.types("join", invitation)[0] == 0
    code, _, warned = begun.ann.types("new", "tripoli", "--opponent", "Benjamin")
    assert code == 2 and '"Benjamin"' in warned
    ben = Contacts(Home(begun.ann.home)).find("Ben")
    code, _, warned = begun.ann.types(
        "new", "loot", "--players", "3", "--opponent", "Ben", "--opponent", b64(ben.key)
    )
    assert code == 2 and "named twice" in warned


def test_contacts_that_were_lost_come_back_from_the_games(begun: BegunGame) -> None:
    path = begun.ann.home / "contacts.toml"
    assert path.exists()
    path.unlink()
    assert [one["name"] for one in begun.ann.does("contacts")["contacts"]] == ["Ben"]
