"""A turn in the address of a page: its length, how it comes out of whatever carried it, and what a
forged one does."""

from __future__ import annotations

import base64
import random
import zlib
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.correspondence import Player
from pbem.errors import Malformed, PbemError
from pbem.fileformat import link, turnfile
from pbem.fileformat.link import TurnLink
from pbem.fileformat.turnfile import TurnFile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.mail import find_turns, links, turn_files
from pbem.table import home_page
from pbem.turn import carried, inbox, open_game
from pbem.watch.intake import Intake
from tests.support.effort import examples
from tests.support.homes import make_home, seed_of
from tests.support.mail_kit import Played, go_on, one_entry, start

PAGE = "https://ann.example.org/pbem/"
ARCHIVE = Path(__file__).parents[1] / "archive"


def game_id(file: TurnFile) -> bytes:
    return replay(TurnFile(file.prefix(1), file.entries[:1])).game_id


def turn_link(data: bytes) -> str:
    """The link with the newest entry of a file."""
    file = turnfile.read(data)
    return link.turn_link(PAGE, game_id(file), file)


def read(text: str) -> bytes | TurnLink:
    (found,) = link.links_in(text.encode())
    return link.read(found)


def found_in(text: str | bytes) -> list[find_turns.Found]:
    return list(find_turns.turns_in(text.encode() if isinstance(text, str) else text, "x"))


@pytest.fixture(scope="session")
def invitations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """An invitation to each game, with an address and a name of usual length."""
    folder = tmp_path_factory.mktemp("invitations")
    make_home(folder / "ann", "Ann", "ann@example.org", seed_of("Ann"))
    ann = Player("Ann", folder / "ann", folder, True)
    games = ("tripoli", "backgammon", "paradise", "loot")
    return {game: (folder / ann.does("new", game)["file"]).read_bytes() for game in games}


def test_an_invitation_fits_a_link_but_for_loot(invitations: dict[str, bytes]) -> None:
    longest = {"tripoli": 1900, "backgammon": 700, "paradise": 1000}
    for game, data in invitations.items():
        text = link.join_link(PAGE, data)
        assert bool(text) == (game in longest), game
        if text:
            assert len(text) <= longest[game] and text.startswith(PAGE + "#join=1")
            assert read(text) == data


@pytest.mark.parametrize(
    ("name", "first", "usual"),
    [("tripoli-1.toml", 1950, 700), ("backgammon-2-asked.toml", 700, 600), ("loot-1.toml", 0, 900)],
)
def test_a_turn_fits_a_link_but_for_the_first_entries_of_loot(
    name: str, first: int, usual: int
) -> None:
    file = turnfile.read((ARCHIVE / name).read_bytes())
    number, lengths = game_id(file), []
    for count in range(2, len(file.entries) + 1):
        part = TurnFile(file.prefix(count), file.entries[:count])
        text = link.turn_link(PAGE, number, part)
        lengths.append(len(text))
        if text:
            found = read(text)
            assert isinstance(found, TurnLink)
            assert found == TurnLink(
                number[:8].hex(), count - 1, part.entries[-1].before, found.entry
            )
            assert file.prefix(count - 1) + found.entry == part.data
    assert lengths[0] <= first and (first or lengths[0] == 0)
    assert sorted(lengths)[len(lengths) // 2] <= usual


def test_a_link_that_would_be_longer_is_not_offered() -> None:
    data = turnfile.START + random.Random(1).randbytes(2940)
    made = link.join_link("https://a.example/", data)
    assert link.MAX_LINK - 60 < len(made) <= link.MAX_LINK
    assert link.join_link("https://a.example/" + "x" * 80, data) == ""


gaps = st.sampled_from(["", "\n", "\r\n", "\n> ", "\n>> ", " \n", "\n| "])


@examples(40)
@given(
    st.integers(20, 200),
    gaps,
    st.sampled_from(["#{}=", "%23{}%3D", "%23{}%3d", "#{}%3D"]),
    st.booleans(),
)
def test_a_link_comes_out_of_what_mail_programs_make_of_it(
    played: Played, width: int, gap: str, spelled: str, is_join: bool
) -> None:
    data = played.newest
    text = turn_link(data) if is_join is False else link.join_link(PAGE, played.files[0])
    kind = "join" if is_join else "turn"
    address, _, letters = text.partition(f"#{kind}=")
    pieces = [letters[at : at + width] for at in range(0, len(letters), width)]
    mangled = (
        f"Hello,\nyour turn:\n\n{address}{spelled.format(kind)}{gap.join(pieces)}\n\nBye and good"
        " luck\nAnn\n"
    )
    assert read(mangled) == read(text)


def test_words_straight_behind_a_link_are_none_of_it(played: Played) -> None:
    text = turn_link(played.newest)
    for tail in (" then play", ".", ")", ">", "&utm_source=mail", "&data=05%7C01", '"', "\nbye"):
        assert read(text + tail) == read(text), tail


def test_a_link_in_an_html_mail(played: Played) -> None:
    message = EmailMessage()
    message["Subject"] = "your turn"
    message.set_content(
        f'<p>Hello <a href="{turn_link(played.newest)}">open this</a></p>', subtype="html"
    )
    (found,) = found_in(message.as_bytes())
    assert found.link == read(turn_link(played.newest)) and found.data is None


def test_a_link_counts_only_where_no_turn_came_otherwise(played: Played) -> None:
    message = EmailMessage()
    message["Subject"] = "your turn"
    message.set_content(turn_link(played.files[3]))
    message.add_attachment(played.newest, "application", "octet-stream", filename="a.toml")
    assert [one.data for one in found_in(message.as_bytes())] == [played.newest]


def taken(home: Home, text: str | bytes) -> inbox.Item:
    """What becomes of a text that was pasted at the table."""
    data = text.encode() if isinstance(text, str) else text
    (item,) = home_page.take(home, data, "pasted").items
    return item


def kept(home: Home) -> set[bytes]:
    return {path.read_bytes() for path in home.folder.glob("games/*/read/*.toml")}


@pytest.fixture
def waiting(tmp_path: Path) -> Played:
    """A game whose newest entry is Ann's, and has not reached Ben."""
    game = start(tmp_path)
    while game.to_act() != "american":
        go_on(game, 1)
    return go_on(game, 1)


def test_a_link_goes_on_with_the_file_that_the_home_has(waiting: Played) -> None:
    ben = waiting.homes["tripolitan"]
    assert waiting.newest not in kept(ben)
    item = taken(ben, f"Your turn: {turn_link(waiting.newest)} good luck")
    assert (item.kind, item.entry) == ("new", len(waiting.files) - 1)
    assert waiting.newest in kept(ben), "what is kept is the whole file"
    assert taken(ben, turn_link(waiting.newest)).kind == "duplicate"
    opened = open_game.open_file(waiting.newest, ben)
    assert opened.seat is not None and not opened.stale


def test_a_link_with_an_invitation_is_taken_in_and_joined(
    tmp_path: Path, invitations: dict[str, bytes]
) -> None:
    ben = Player("Ben", make_home(tmp_path / "ben", "Ben").folder, tmp_path, True)
    text = link.join_link(PAGE, invitations["tripoli"])
    listed = ben.does("inbox", text)
    assert [item["kind"] for item in listed["files"]] == ["new"]
    assert ben.does("join", text)["file"].endswith("-0001.toml")


def test_commands_take_a_link_in_place_of_a_file(waiting: Played, tmp_path: Path) -> None:
    ben = Player("Ben", waiting.homes["tripolitan"].folder, tmp_path, True)
    (tmp_path / "mail.txt").write_text(f"Your turn:\n{turn_link(waiting.newest)}\n")
    for name in (turn_link(waiting.newest), "mail.txt"):
        assert ben.types("show", name)[0] == 0
    code, _, said = ben.types("verify", "mail.txt")
    assert code == 3 and "pbem inbox " in said
    assert [item["kind"] for item in ben.does("inbox", "mail.txt")["files"]] == ["duplicate"]


def test_a_link_whose_file_is_missing_says_which_turns_to_ask_for(tmp_path: Path) -> None:
    game = go_on(start(tmp_path), 6)
    cleo = make_home(tmp_path / "cleo", "Ben", seed=game.homes["tripolitan"].seed())
    item = taken(cleo, turn_link(game.newest))
    assert item.kind == "lost" and item.entry == 7
    assert "turns 0 to 6 " in item.reason and "turn 7" in item.reason
    assert taken(cleo, link.join_link(PAGE, game.files[0])).kind == "new"
    assert item.game == ""
    for count, told in ((7, "turns 1 to 6 are"), (4, "turns 1, 2 and 3 are"), (2, "turn 1 is")):
        item = taken(cleo, turn_link(game.files[count]))
        assert f"{told} not here" in item.reason and item.kind == "early" and item.game
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message.set_content(turn_link(game.files[2]))
    assert "ask ann@example.org for" in taken(cleo, message.as_bytes()).reason
    assert len(kept(cleo)) == 1, "nothing but whole files is kept"
    with pytest.raises(Malformed, match=r"\bturn 1\b"):
        carried.turn_or_whole(turn_link(game.files[2]).encode(), "x", cleo)


def test_a_link_goes_on_with_another_version_where_the_home_has_it(tmp_path: Path) -> None:
    """Ann signed two; whoever answers one of them may send the answer as a link."""
    game = start(tmp_path)
    while game.to_act() != "american":
        go_on(game, 1)
    other = one_entry(game, game.newest, random.Random(77), "another", keep=False)
    go_on(game, 1)
    ben = game.homes["tripolitan"]
    assert taken(ben, turn_link(other)).kind == "new"
    assert taken(ben, turn_link(game.newest)).kind == "fork"
    assert {other, game.newest} <= kept(ben)


def test_an_entry_that_does_not_follow_is_refused(waiting: Played) -> None:
    ben = waiting.homes["tripolitan"]
    before = kept(ben)
    made = read(turn_link(waiting.newest))
    assert isinstance(made, TurnLink)

    def linked(entry: bytes, number: int = made.number, hashed: bytes = made.before) -> str:
        head = bytes.fromhex(made.game) + number.to_bytes(2, "big") + hashed
        return "#turn=1" + base64.urlsafe_b64encode(head + deflated(entry)).decode().rstrip("=")

    assert taken(ben, linked(made.entry)).kind == "new"
    for path in ben.folder.glob("games/*/read/*.toml"):
        if path.read_bytes() not in before:
            path.unlink()
    changed = made.entry.replace(b'position = "', b'position = "A', 1)
    cases = {
        linked(changed): "invalid",
        linked(made.entry.replace(b"seat", b"sea")): "invalid",
        linked(made.entry[:-30]): "invalid",
        linked(made.entry + made.entry): "invalid",
        linked(made.entry + b"\n# a comment\n"): "invalid",
        linked(made.entry, number=made.number + 1): "early",
        linked(made.entry, hashed=bytes(32)): "early",
        linked(made.entry, number=0): "invalid",
        linked(b"format = 3"): "invalid",
        linked(b""): "invalid",
    }
    for text, kind in cases.items():
        assert taken(ben, text).kind == kind, text
    assert kept(ben) == before


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def test_what_a_link_unpacks_to_is_bounded(waiting: Played) -> None:
    ben = waiting.homes["tripolitan"]
    for size, data in ((link.MAX_UNPACKED + 1, b" "), (2_800_000, b"\0")):
        letters = base64.urlsafe_b64encode(deflated(turnfile.START + data * size)).decode()
        assert len(letters) < link.MAX_LINK
        item = taken(ben, f"#join=1{letters}")
        assert item.kind == "invalid" and "damaged" in item.reason
    fits = turnfile.START + b" " * (link.MAX_UNPACKED - len(turnfile.START))
    assert read("#join=1" + base64.urlsafe_b64encode(deflated(fits)).decode()) == fits


def test_a_link_of_another_version_says_so(played: Played) -> None:
    (found,) = found_in(turn_link(played.newest).replace("#turn=1", "#turn=2"))
    assert "newer pbem" in found.problem


def test_a_link_that_was_cut_off_says_so(played: Played) -> None:
    text = turn_link(played.newest)
    for length in (len(text) - 1, len(text) // 2, text.index("=") + 2, text.index("=") + 1):
        (found,) = found_in(text[:length])
        assert found.problem not in ("", turn_files.NOTHING)
        assert found.data is None and found.link is None


@examples(200)
@given(
    st.sampled_from(["#join=", "#turn=", "#join=1", "#turn=1"]),
    st.one_of(st.binary(max_size=300), st.text()),
)
def test_whatever_stands_in_a_link_is_a_file_an_entry_or_an_error(
    kind: str, noise: bytes | str
) -> None:
    if isinstance(noise, bytes):
        noise = base64.urlsafe_b64encode(
            noise if kind.startswith("#t") else deflated(noise)
        ).decode()
    for found in link.links_in((kind + noise).encode("utf-8", "surrogatepass")):
        try:
            made = link.read(found)
        except PbemError:
            continue
        assert made.startswith(b"format") if isinstance(made, bytes) else made.number > 0


@examples(60)
@given(st.integers(0, 10_000), st.integers(0, 63))
def test_a_changed_letter_never_becomes_another_turn(
    played: Played, place: int, letter: int
) -> None:
    """A link is not signed, but what is in it is: whatever comes out is this entry, or does not
    verify."""
    text = turn_link(played.newest)
    start = text.index("=") + 2
    at = start + place % (len(text) - start)
    changed = (
        text[:at]
        + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[letter]
        + text[at + 1 :]
    )
    for one in links.with_files(played.homes["american"], found_in(changed)):
        if one.data is not None and one.data != played.newest:
            with pytest.raises(PbemError):
                replay(turnfile.read(one.data))


def test_many_links_take_no_time() -> None:
    found = found_in("#turn=1 " * 200_000)
    assert len(found) <= link.MAX_LINKS


def test_links_that_come_in_the_wrong_order_are_all_taken_in_at_last(tmp_path: Path) -> None:
    """As `pbem watch` and `pbem inbox` look at a folder again."""
    game = go_on(start(tmp_path), 3)
    ben = make_home(tmp_path / "other", "Ben", seed=game.homes["tripolitan"].seed())
    places = tmp_path / "mails"
    places.mkdir()
    intake = Intake(ben.folder / "watch")
    told = []
    for count in (0, 4, 3, 2, 1):
        data = game.files[count]
        (places / f"{count}.txt").write_text(
            turn_link(data) if count else link.join_link(PAGE, data)
        )
        box = inbox.Inbox(ben, confirmed="")
        intake.take(box, places)
        told.append(sorted(item.kind for item in box.items))
    assert told == [["new"], ["early"], ["early"] * 2, ["early"] * 3, ["new"] * 4]
    assert kept(ben) == set(game.files)
    box = inbox.Inbox(ben, confirmed="")
    intake.take(box, places)
    assert box.items == []
