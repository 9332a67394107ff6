"""Contacts: who is known by which key, and names that come with another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Damaged, Refused, Usage
from pbem.fileformat import characters
from pbem.fileformat.characters import is_same, looks_like
from pbem.fileformat.encoding import b64
from pbem.home.contacts import Contact, Contacts, Met
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.known_names import Names
from tests.support.effort import examples
from tests.support.homes import key_of, make_home, seed_of

DAY = "2026-11-22"


def key(name: str) -> bytes:
    return key_of(name)


def met(name: str, mail: str = "", whose: str = "") -> Met:
    return Met(name, mail, key(whose or name))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home", seed=seed_of("Ann"))


def known(home: Home, *players: Met, game: str = "0" * 32) -> Contacts:
    """The contacts of the home after a game with these players."""
    Contacts(home).meet(game, players, DAY)
    return Contacts(home)


def test_whom_a_game_brought_is_known_with_the_number_of_games(home: Home) -> None:
    ben, cleo = met("Ben", "ben@example.org"), met("Cleo")
    for game in ("1" * 32, "2" * 32, "2" * 32):
        known(home, ben, game=game)
    contacts = known(home, cleo)
    assert [(one.name, one.mail, len(one.games), one.met) for one in contacts.known.values()] == [
        ("Ben", "ben@example.org", 2, DAY),
        ("Cleo", "", 1, DAY),
    ]


def test_a_known_name_with_another_key_is_told_until_it_is_compared(home: Home) -> None:
    contacts = known(home, met("Ben"))
    other = met("ben ", whose="an impostor")
    (doubt,) = contacts.doubts([met("Ben"), other])
    assert doubt.key == other.key and str(doubt).startswith('ANOTHER KEY: "ben "')
    contacts = known(home, other)  # to have played with them makes it no better
    assert [doubt.key for doubt in contacts.doubts([met("Ben"), other])] == [other.key]
    contacts.compare(b64(other.key), DAY)
    assert [doubt.key for doubt in Contacts(home).doubts([other])] == []


def test_who_was_compared_counts_more_than_who_came_first(home: Home) -> None:
    """An impostor who was met before the true Ben is told all the same, once Ben's fingerprint was
    compared."""
    impostor = met("Ben", whose="an impostor")
    contacts = known(home, impostor, met("Ben"))
    contacts.compare(b64(key("Ben")), DAY)
    (doubt,) = contacts.doubts([impostor, met("Ben")])
    assert doubt.key == impostor.key and doubt.known is not None and doubt.known.compared == DAY


@pytest.mark.parametrize("written", ["BEN@example.org", "ben@EXAMPLE.org"])
def test_a_known_address_with_another_key_is_told(home: Home, written: str) -> None:
    contacts = known(home, met("Ben", "ben@example.org"))
    assert len(contacts.doubts([met("Somebody", written)])) == 1
    assert contacts.doubts([met("Somebody", ""), met("Nobody", "ben@example.com")]) == []


@pytest.mark.parametrize("written", ["Ann", "ANN", "\uff21nn", "A\u030ann"[:1] + "nn"])
def test_the_own_name_with_another_key_is_told(home: Home, written: str) -> None:
    own = home.identity()
    (doubt,) = Contacts(home).doubts(
        [met(written, whose="an impostor"), Met("Ann", "", own.public)], own
    )
    assert doubt.known is None and doubt.player.name == written


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoë", "Zoe\u0308"), ("Ben  Hur", "ben hur"), ("ＢＥＮ", "Ben"), ("Straße", "STRASSE")],
)
def test_names_that_look_alike_are_one(home: Home, one: str, other: str) -> None:
    assert known(home, met(one)).doubts([met(other, whose="an impostor")])


def test_a_contact_is_found_by_name_address_key_and_digits(home: Home) -> None:
    contacts = known(home, met("Ben", "ben@example.org"), met("Cleo"))
    ben = contacts.known[key("Ben")]
    for who in (
        "ben",
        "Ben@example.org",
        b64(ben.key),
        ben.fingerprint,
        ben.fingerprint.replace(" ", "")[:7],
    ):
        assert contacts.find(who) == ben
    for who in ("", "@", "1", "Benjamin"):
        with pytest.raises(Usage):
            contacts.find(who)
    known(home, met("Ben", whose="an impostor"))
    with pytest.raises(Refused, match="2 contacts fit"):
        Contacts(home).find("Ben")


def test_what_another_process_wrote_meanwhile_stays(home: Home) -> None:
    """Two programs that have both read the contacts: neither undoes what the other one wrote."""
    first = known(home, met("Ben"))
    second = Contacts(home)
    first.compare("Ben", DAY)
    second.meet("3" * 32, [met("Ben"), met("Cleo")], DAY)
    ben = Contacts(home).known[key("Ben")]
    assert ben.compared == DAY and len(ben.games) == 2 and key("Cleo") in Contacts(home).known


@pytest.mark.parametrize(
    "content",
    [
        b"\xff",
        b"contact = 5",
        b"[[contact]]\n",
        b"[[contact]]\nkey = 'x'\nname = 'Ben'\nmet = '2026-11-22'\n",
        b"[[contact]]\nkey = '@'\nname = 'Be\xe2\x80\xaen'\nmet = '2026-11-22'\n",
        b"[[contact]]\nkey = '@'\nname = 'Ben'\nmet = 'today'\n",
        b"[[contact]]\nkey = '@'\nname = 'Ben'\nmet = '2026-11-22'\ncompared = 1\n",
        b"[[contact]]\nkey = '@'\nname = 'Ben'\nmet = '2026-11-22'\ngames = ['../..']\n",
        b"[other]\n",
        b"a = " + b"[" * 5000,
        b"#" * 3_000_000,
    ],
    ids=range(11),
)
def test_damaged_contacts_are_said_and_never_written_over(home: Home, content: bytes) -> None:
    path = home.folder / "contacts.toml"
    path.write_bytes(content.replace(b"@", b64(key("Ben")).encode()))
    before = path.read_bytes()
    with pytest.raises(Damaged):
        Contacts(home)
    names = Names(home, home.identity())
    assert names.problem is not None and path.read_bytes() == before


def test_contacts_that_are_no_file_are_damaged(home: Home) -> None:
    path = home.folder / "contacts.toml"
    path.symlink_to(home.folder / "nothing")
    with pytest.raises(Damaged):
        Contacts(home)
    path.unlink()
    path.mkdir()
    with pytest.raises(Damaged):
        Contacts(home)


@examples(25)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["Ben", "Cleo", "Dan"]), st.booleans()),
        max_size=12,
    )
)
def test_no_two_keys_of_one_name_are_both_beyond_doubt_unless_compared(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, bool]]
) -> None:
    home = make_home(tmp_path_factory.mktemp("home") / "ann", seed=seed_of("Ann"))
    for whose, name, compares in steps:
        contacts = known(home, met(name, whose=whose))
        if compares:
            contacts.compare(b64(key(whose)), DAY)
    contacts = Contacts(home)
    for name in ("Ben", "Cleo", "Dan"):
        trusted = [
            one
            for one in contacts.known.values()
            if one.name == name and not contacts.doubts([_as_met(one)])
        ]
        assert len([one for one in trusted if not one.compared]) <= 1
        assert all(one.compared for one in trusted) or len(trusted) <= 1


def _as_met(one: Contact) -> Met:
    return Met(one.name, one.mail, one.key)


def test_a_contact_is_entered_by_hand(home: Home) -> None:
    contacts = Contacts(home)
    for name, mail, text in (
        ("", "", b64(key("Ben"))),
        ("Ben", "no address", b64(key("Ben"))),
        ("Ben", "", "Ben"),
    ):
        with pytest.raises(Usage):
            contacts.add(name, mail, text, DAY)
    assert contacts.add("Ben", "", b64(key("Ben")), DAY).games == ()
    known(home, met("Ben", "ben@example.org"))
    (one,) = Contacts(home).known.values()
    assert (one.mail, len(one.games)) == ("ben@example.org", 1)
    assert isinstance(home.identity(), Identity)


@pytest.mark.parametrize(
    ("true", "false", "letter"),
    [
        ("Ben", "\u0412en", "CYRILLIC CAPITAL LETTER VE"),
        ("Ann", "Аnn", "CYRILLIC CAPITAL LETTER A"),
        ("ann", "\uff41nn", ""),
        ("Cleo", "C\u217ceo", ""),
        ("Cleo", "Cl\u0435\u043e", "CYRILLIC SMALL LETTER IE"),
        ("Ian", "lan", "other letters"),
        ("Bob", "B0b", "other letters"),
        ("Hermine", "Herrnine", "other letters"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043da", "other letters"),
        ("PAUL", "\u03a1\u0391UL", "GREEK CAPITAL LETTER RHO"),
    ],
)
def test_a_name_that_only_looks_like_a_known_one_is_told(
    home: Home, true: str, false: str, letter: str
) -> None:
    (doubt,) = known(home, met(true)).doubts([met(false, whose="an impostor")])
    assert doubt.known is not None and doubt.known.name == true
    assert str(doubt).startswith("ANOTHER KEY") and letter in str(doubt)
    contacts = Contacts(home)
    contacts.compare(true, DAY)
    (doubt,) = contacts.doubts([met(false, whose="an impostor"), met(true)])
    assert f"compared on {DAY}" in str(doubt)


def test_an_address_and_the_own_name_that_are_imitated_are_told(home: Home) -> None:
    contacts, own = known(home, met("Ben", "ben@example.org")), home.identity()
    (doubt,) = contacts.doubts([met("Somebody", "ben@examp1e.org")])
    assert doubt.known is not None and doubt.known.mail == "ben@example.org"
    (doubt,) = contacts.doubts([met("\u0410nn", whose="an impostor")], own)
    assert doubt.known is None and "CYRILLIC" in str(doubt)


def test_of_two_new_players_of_one_look_the_later_is_told_at_once(home: Home) -> None:
    (doubt,) = Contacts(home).doubts(
        [met("Ben"), met("\u0412en", whose="an impostor"), met("Cleo")]
    )
    assert doubt.player.name == "\u0412en" and doubt.known is not None
    assert (doubt.known.name, doubt.known.met) == ("Ben", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Ben", "Benn"), ("Zoe", "Zoë"), ("Max", "Mac"), ("Ann", "Ben")],
)
def test_names_that_can_be_told_apart_are_two(home: Home, one: str, other: str) -> None:
    assert known(home, met(one)).doubts([met(other)]) == []


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=12), st.text(max_size=12))
def test_looking_alike_is_the_same_from_both_sides(one: str, other: str) -> None:
    assert looks_like(one, other) == looks_like(other, one)
    assert looks_like(one, one) == bool(one)
    assert not is_same(one, other) or not other or looks_like(one, other)


def test_what_ascii_looks_like_is_that_of_the_table() -> None:
    """Names in ASCII are compared without the table being read."""
    of_ascii = {code: look for code, look in characters._looks().items() if code < 128}
    assert of_ascii == characters._PLAIN
