"""The turn mail: what it holds, what it never holds, and that nobody's words break out of it."""

from __future__ import annotations

import email
import random
import re
from dataclasses import replace
from email.header import decode_header, make_header
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Usage
from pbem.fileformat import armor
from pbem.fileformat.turnfile import read
from pbem.mail import compose, find_turns, heads
from pbem.report import render
from pbem.report.lines import DiceLine, OrderLine
from pbem.turn import carried, joining, open_game, own_report, signing
from tests.support import read_game
from tests.support.effort import examples
from tests.support.mail_kit import (
    Played,
    attachment,
    body,
    go_on,
    mail_of,
    mail_once,
    make_home,
    one_entry,
    parsed,
    start,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "{{ 8191 * 131071 }}{% raw %}",
    '"; Bcc: eve@example.org',
    "=?utf-8?q?Eve?= <eve@example.org>",
    "Ann, Eve <eve@example.org>, (x",
    "</td></table><img src=http://example.org/x>",
    "Zoë 🚢 Ærøskøbing " * 4,
    "-----BEGIN PBEM TURN-----",
    "a\\nb %s %(x)s ${x} `x` &amp; &#60;b&#62;",
]


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name in ("src", "href", "background", "action"):
                self.links.append(value or "")


def tags_of(html: str) -> Tags:
    found = Tags()
    found.feed(html)
    return found


PLAIN_TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "table",
    "tr",
    "td",
    "img",
    "b",
    "i",
    "br",
    "ul",
    "ol",
    "li",
    "pre",
    "div",
    "span",
}


def test_a_mail_has_the_parts_that_readers_expect(played: Played) -> None:
    message = parsed(mail_of(played.newest, "tripoli-1234-0015.toml"))
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/octet-stream",
    ]
    assert message["X-Unsent"] == "1"
    assert (
        str(message["To"]) == "Ben <ben@example.org>"
        or str(message["To"]) == "Ann <ann@example.org>"
    )
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert f"cid:{image['Content-ID'][1:-1]}" in body(message, "html")
    (file,) = message.iter_attachments()
    assert file.get_filename() == "tripoli-1234-0015.toml"
    assert file["Content-Transfer-Encoding"] == "base64"


def test_the_turn_travels_byte_for_byte_twice(played: Played) -> None:
    armored = []
    for data in played.files:
        made = mail_once(data)
        message = parsed(made)
        assert attachment(message) == data
        text = body(message, "plain")
        if "BEGIN PBEM TURN" in text:
            assert armor.unwrap(text.encode()) == data
            armored.append(data)
        else:  # there was no room for it beside the narrower picture
            assert len(made) + len(armor.wrap(data)) > compose.MAX_MAIL
        assert [found.data for found in find_turns.turns_in(made, "")] == [data]
        assert carried.turn_or_whole(made, "") == data
    assert armored, "the first turns are short enough"


def test_every_line_is_short_enough_for_mail(played: Played) -> None:
    made = mail_once(played.newest)
    assert max(len(line) for line in made.split(b"\r\n")) <= 998
    assert b"\n" not in made.replace(b"\r\n", b"")
    assert made.isascii()
    text = body(parsed(made), "plain")
    assert max(len(line) for line in text.split("\n") if "pbem " not in line) <= 79


def test_the_text_tells_everything(played: Played) -> None:
    message = parsed(mail_once(played.newest))
    text, html = body(message, "plain"), body(message, "html")
    game, seen = compose.follow(read(played.newest))
    facts, _ = compose.facts_of(game, seen)
    for place in facts.report.position.view["board"]:
        assert place in text
        assert place in html
    for words in (
        "Good luck!",
        "And fair winds.",
        "gold",
        "hand",
        "pile",
        "discard",
        "pbem verify",
    ):
        assert words in text
        assert words in html
    for player in facts.report.position.players:
        assert player.name in text
        assert player.fingerprint in text


def test_every_die_and_who_witnessed_it(tmp_path: Path) -> None:
    game = start(tmp_path)
    for seed in range(40):
        go_on(game, 1, seed=seed)
        followed, seen = compose.follow(read(game.newest))
        facts, _ = compose.facts_of(followed, seen)
        dice = [
            line
            for turn in facts.report.position.entries
            for line in turn.lines
            if isinstance(line, DiceLine)
        ]
        if not dice:
            continue
        made = parsed(mail_of(game.newest))
        text, html = (
            re.sub(r"\s+", " ", body(made, "plain")),
            re.sub(r"\s+", " ", body(made, "html")),
        )
        for line in dice:
            name = {"american": "Ann", "tripolitan": "Ben"}[line.witnesses[0]]
            for told in (
                " ".join(map(str, line.dice)) + " (",
                f"turn {line.entry} and the secret part of {name}",
            ):
                assert told in text
                assert told in html
        return
    pytest.fail("no die was ever rolled")


def test_html_is_what_mail_services_let_through(played: Played) -> None:
    for data in played.files:
        html = body(parsed(mail_once(data)), "html")
        assert len(html.encode()) < 90_000
        found = tags_of(html)
        assert found.tags <= PLAIN_TAGS
        assert all(link.startswith("cid:") for link in found.links)
        assert "url(" not in html
        assert "http" not in html or data == played.files[0], (
            "an invitation says where Python comes from"
        )
        assert "data:" not in html


def test_one_thread_without_a_store(played: Played) -> None:
    mails = [parsed(mail_once(data)) for data in played.files]
    subjects = [str(message["Subject"]) for message in mails]
    code = subjects[0].rpartition(" ")[2]
    assert subjects[0] == f"The Shores of Tripoli: Ann invites you, {code}"
    turns = {
        re.sub(r"(Spring|Summer|Fall|Winter) 180\d", "WHEN", subject) for subject in subjects[1:]
    }
    assert turns == {f"The Shores of Tripoli: your turn, WHEN, {code}"}
    ids = [str(message["Message-ID"]) for message in mails]
    assert len(set(ids)) == len(ids)
    assert mails[0]["In-Reply-To"] is None
    for number in range(1, len(mails)):
        assert mails[number]["In-Reply-To"] == ids[number - 1]
        references = str(mails[number]["References"]).split()
        assert references[0] == ids[0]
        assert references[-1] == ids[number - 1]
        assert len(references) == len(set(references))


def test_the_same_file_makes_the_same_mail(played: Played) -> None:
    assert mail_of(played.newest) == mail_once(played.newest)


def test_nothing_that_only_one_seat_knows(tmp_path: Path) -> None:
    game = go_on(start(tmp_path), 9, seed=2)
    for data in game.files[2:]:
        message = parsed(mail_once(data))
        shown = re.sub(
            r"\s+", " ", body(message, "plain").split(armor.BEGIN)[0] + body(message, "html")
        )
        public = read_game.replay_bytes(data)
        faces = public.begun().referee.game.faces()
        for home in game.homes.values():
            opened = open_game.open_file(data, home)
            assert opened.seat is not None
            known = own_report.own_faces(opened)
            hand = set(public.begun().referee.game.hand(opened.seat))
            open_names = {public.rules.cards[card] for card in faces.values()}
            hidden = {
                public.rules.cards[known[handle]] for handle in hand if handle not in faces
            } - open_names
            assert hidden
            for name in hidden:
                assert name not in shown
            secrets = opened.secrets()
            assert secrets.root.hex() not in shown


@pytest.mark.parametrize(
    ("name", "other"), [*zip(HOSTILE[::2], [*HOSTILE[1::2], "Ben"], strict=True)]
)
def test_no_name_breaks_out(tmp_path: Path, name: str, other: str) -> None:
    mails = (name[:60] + "@example.org", other[:60] + "@example.org")
    game = go_on(
        start(tmp_path, names=(name[:80], other[:80]), mails=mails), 2, message="\n".join(HOSTILE)
    )
    for data in game.files:
        made = mail_once(data)
        raw = email.message_from_bytes(made)
        assert set(raw.keys()) <= {
            "Subject", "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "X-Unsent", "X-PBEM-Game",  # noqa: E501
            "MIME-Version", "Content-Type",
        }  # fmt: skip
        for header in ("From", "To"):
            shown = str(make_header(decode_header(raw.get(header, ""))))
            assert "eve@example.org" not in shown
            assert shown.count("@") <= 1
        message = parsed(made)
        html = body(message, "html")
        found = tags_of(html)
        assert found.tags <= PLAIN_TAGS
        assert all(link.startswith("cid:") for link in found.links)
        assert "1073602561" not in html
        assert "1073602561" not in body(message, "plain")
        assert attachment(message) == data
        assert carried.turn_or_whole(made, "") == data


addresses = st.one_of(
    st.text(max_size=60), st.from_regex(r"[a-z,<>@ \"().;:]{1,40}", fullmatch=True), st.emails()
)


@pytest.mark.dear("draws pictures of long turns")
@examples(50)
@given(st.text(max_size=60), addresses)
def test_an_address_is_plain_or_left_out(name: str, text: str) -> None:
    found = heads.address(name, text)
    if found is not None:
        assert f"{found.username}@{found.domain}" == text
        assert not re.search(r"[\r\n<>,;]", str(found).removesuffix(f"<{text}>"))


def test_without_addresses_there_is_still_a_draft(tmp_path: Path) -> None:
    game = go_on(start(tmp_path, mails=("", "")), 1)
    message = parsed(mail_of(game.newest))
    assert message["To"] is None
    assert message["From"] is None
    assert message["X-Unsent"] == "1"
    assert attachment(message) == game.newest


def test_a_long_file_is_attached_only(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "MAX_MAIL", 200_000)
    usual = mail_of(played.newest)
    monkeypatch.setattr(compose, "MAX_MAIL", 10_000)
    made = mail_of(played.newest)
    assert armor.BEGIN not in body(parsed(made), "plain")
    assert [found.data for found in find_turns.turns_in(made, "")] == [played.newest]
    for kind in ("plain", "html"):
        short, long = (" ".join(body(parsed(data), kind).split()) for data in (usual, made))
        assert " too long " in long and " too long " not in short


@pytest.mark.dear("draws pictures of long turns")
@pytest.mark.usefixtures("true_pictures")
def test_the_picture_is_always_there_and_the_armor_as_long_as_there_is_room(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Less and less room: a wide picture and the armor, a narrow one and the armor, the wide one
    alone."""
    wide = compose.WIDTHS[0]
    monkeypatch.setattr(
        compose.picture, "png", lambda _drawing, width: bytes(20_000 if width == wide else 9_000)
    )
    seen = []
    for room in range(80_000, 2_000, -2_000):
        monkeypatch.setattr(compose, "MAX_MAIL", room)
        made = mail_of(played.newest)
        message = parsed(made)
        (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
        text, html = body(message, "plain"), body(message, "html")
        assert f"cid:{image['Content-ID'][1:-1]}" in html and attachment(message) == played.newest
        assert (armor.BEGIN in text) == (" too long " not in text)
        assert len(made) <= room or armor.BEGIN not in text
        state = (len(image.get_payload(decode=True)), armor.BEGIN in text)  # type: ignore[arg-type]
        if state not in seen:
            seen.append(state)
    assert seen == [(20_000, True), (9_000, True), (20_000, False)]


@pytest.mark.usefixtures("true_pictures")
def test_a_picture_of_a_players_own_template_becomes_narrower_until_it_is_small_enough(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose.picture, "png", lambda _drawing, width: bytes(500 * width))
    (image,) = [
        part
        for part in parsed(mail_of(played.newest)).walk()
        if part.get_content_type() == "image/png"
    ]
    assert 40_000 < len(image.get_payload(decode=True)) <= compose.MAX_PICTURE  # type: ignore[arg-type]


@pytest.mark.usefixtures("true_pictures")
def test_a_mail_without_a_library_for_pictures_needs_none(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_drawing: str, _width: int) -> bytes:
        raise ImportError

    monkeypatch.setattr(compose.picture, "png", missing)
    for room in (compose.MAX_MAIL, 2_000):
        monkeypatch.setattr(compose, "MAX_MAIL", room)
        message = parsed(mail_of(played.newest))
        assert "cid:" not in body(message, "html") and (armor.BEGIN in body(message, "plain")) == (
            room > 2_000
        )
        assert "image/png" not in [part.get_content_type() for part in message.walk()]


def test_a_long_story_is_cut_in_html_only(played: Played) -> None:
    game, seen = compose.follow(read(played.newest))
    facts, _ = compose.facts_of(game, seen)
    lines = [OrderLine("american", f"{number}" + "'" * 100) for number in range(300)]
    turn = replace(facts.report.position.entries[-1], message="&" * 4000, number=3, lines=lines)
    long = facts.report.with_entries([turn] * 9)
    html = compose.html_part(replace(facts, report=long, message="<" * 4000, file="x.toml"), None)
    assert len(html.encode()) <= compose.MAX_HTML
    assert "Shortened here" in html


def test_an_own_template_takes_the_place_of_ours(played: Played, tmp_path: Path) -> None:
    own = tmp_path / "home" / "templates"
    own.mkdir(parents=True)
    (own / "subject.txt.j2").write_text("{{ title }}\nInjected: {{ game_id[:4] }}")
    (own / "mail.html.j2").write_text("<p>{{ message }}</p>{{ '<b>' }}")
    message = parsed(mail_of(played.newest, own=own))
    assert str(message["Subject"]).startswith("The Shores of Tripoli Injected: ")
    assert message["Injected"] is None
    assert body(message, "html").strip() == "<p>Good luck!\nAnd fair winds.</p>&lt;b&gt;"
    (own / "mail.html.j2").write_text("{{ nothing.at.all }}")
    with pytest.raises(Usage, match=r"mail\.html\.j2"):
        mail_of(played.newest, own=own)


@pytest.mark.usefixtures("true_templates")
@pytest.mark.parametrize(
    "reach", ["''.__class__.__mro__", "cycler.__init__.__globals__.os", "'{0.__class__}'.format(1)"]
)
def test_an_own_template_reaches_nothing_of_python(
    played: Played, tmp_path: Path, reach: str
) -> None:
    """A home that comes out of a pack brings its templates along, and any other player may have
    packed it."""
    own = tmp_path / "home" / "templates"
    own.mkdir(parents=True)
    for _ in range(2):  # compiled, and read back
        render._environment.cache_clear()
        (own / "subject.txt.j2").write_text(f"{{{{ {reach} }}}}")
        with pytest.raises(Usage, match=r"subject\.txt\.j2"):
            mail_of(played.newest, own=own)


def test_a_broken_template_does_not_cost_the_turn(tmp_path: Path) -> None:
    game = start(tmp_path)
    home = game.homes["american"]
    (home.folder / "templates").mkdir()
    (home.folder / "templates" / "mail.txt.j2").write_text("{% broken")
    written = signing.write_turn(game.newest, tmp_path, home)
    assert written.file.read_bytes() == game.newest
    assert written.mail is None
    assert written.note
    assert signing.write_turn(game.newest, tmp_path, home, mail=False).note == ""


def test_writing_twice_is_no_conflict(tmp_path: Path) -> None:
    game = start(tmp_path)
    first = signing.write_turn(game.newest, tmp_path, game.homes["american"])
    assert first.mail is not None
    before = first.mail.read_bytes()
    again = signing.write_turn(game.newest, tmp_path, game.homes["american"])
    assert again.mail == first.mail
    assert first.mail.read_bytes() == before


def test_an_invitation_is_a_mail_too(tmp_path: Path) -> None:
    ann = make_home(tmp_path / "ann")
    data = joining.invite(ann, joining.NewGame("tripoli"))
    message = parsed(mail_once(data))
    assert message["To"] is None
    assert "pbem join" in body(message, "plain")
    assert attachment(message) == data


def test_a_real_entry_is_quoted_line_by_line(tmp_path: Path) -> None:
    game = start(tmp_path)
    data = one_entry(
        game, game.newest, random.Random(1), message="one\n.\nFrom here\n--\n" + "long " * 100
    )
    text = body(parsed(mail_once(data)), "plain")
    assert "  | From here" in text
    assert "\nFrom here" not in text
    assert "\n.\n" not in text
