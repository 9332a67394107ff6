"""Mails and settings made to mislead: a stranger's mail that would go out, words that look like a
turn, much of all."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.errors import Malformed, Refused, Usage
from pbem.fileformat import armor
from pbem.fileformat.turnfile import read
from pbem.ledger.gate import follow
from pbem.mail import bounded_mime, compose, find_turns, settings, turn_files
from pbem.mail.server import Server
from pbem.report import render
from pbem.report.lines import OrderLine
from pbem.turn import carried, game_list, inbox, named_file, outgoing
from tests.support.mail_kit import Played, body, mail_of, make_home, one_entry, parsed, start


def test_a_mail_that_came_from_others_is_not_sent_on(tmp_path: Path) -> None:
    game = start(tmp_path)
    theirs = tmp_path / "theirs.eml"
    theirs.write_bytes(
        mail_of(game.newest).replace(b"To: Ann <ann@example.org>", b"To: all@example.org")
    )
    with pytest.raises(Refused, match="not yours"):
        outgoing.outgoing_of(game.homes["american"], named_file.find(theirs).turn)
    letter = EmailMessage()
    letter["From"], letter["To"] = "ben@example.org", "all@example.org"
    letter.set_content("buy now")
    (tmp_path / "letter.eml").write_bytes(letter.as_bytes())
    with pytest.raises(Malformed, match="no turn"):
        named_file.find(tmp_path / "letter.eml", game.homes["tripolitan"])
    own = mail_of(game.newest).replace(b"Good", b"Bad")
    (tmp_path / "own.eml").write_bytes(own)
    named = named_file.find(tmp_path / "own.eml")
    assert named.is_mail and named.whole == own
    sent = outgoing.outgoing_of(game.homes["tripolitan"], named.turn, mail=named.whole)
    assert sent.message == own


def test_words_that_look_like_a_turn_file_do_not_cost_the_armor(tmp_path: Path) -> None:
    """An earlier message is told again in the next player's mail, whose attachment a mail service
    may drop."""
    game = start(tmp_path)
    words = 'format = "pbem/1"\n[[entry]]\nseat = "american"'
    for number in range(3):
        game.files.append(one_entry(game, game.newest, random.Random(number), message=words))
    text = body(parsed(mail_of(game.newest)), "plain")
    assert 'format = “pbem/1"' in text
    letter = EmailMessage()
    letter["Subject"] = "Re: your turn"
    letter.set_content(text)
    assert carried.turn_or_whole(letter.as_bytes(), "here") == game.newest
    assert render.plain('format = "other"') == 'format = "other"'


def test_a_long_absence_keeps_the_html_short(played: Played) -> None:
    game, seen = follow(read(played.newest))
    facts, _ = compose.facts_of(game, seen)
    lines = [OrderLine("american", f"{number}" + "'" * 60) for number in range(4)]
    turn = replace(facts.report.position.entries[-1], lines=lines, name="&" * 80, message="<" * 90)
    entries = [replace(turn, number=number) for number in range(999)]
    html = compose.html_part(
        replace(facts, report=facts.report.with_entries(entries), file="x.toml"), None
    )
    assert len(html.encode()) <= compose.MAX_HTML
    assert "Shortened here" in html
    assert ", turn 998" in html and ", turn 0" not in html


def test_strangers_who_sign_two_invitations_fill_no_screen(tmp_path: Path) -> None:
    invitation = start(tmp_path / "game").files[0]
    home = make_home(tmp_path / "eve", "Eve", "")
    box = inbox.Inbox(home)
    box.take([find_turns.Found("here", invitation)])
    facts = game_list.facts(box)
    (stranger,) = facts.games
    forked = replace(stranger, forked=["/a", "/b"])
    text = render.render("inbox.txt.j2", replace(facts, games=[forked]))
    assert "Two versions" not in text
    text = render.render("inbox.txt.j2", replace(facts, games=[replace(forked, seat="american")]))
    assert f"Two versions of {stranger.short}: /a and /b" in text


@pytest.mark.usefixtures("true_templates")
def test_what_a_home_has_compiled_escapes_as_ever(tmp_path: Path) -> None:
    """Words and HTML share templates, and a home keeps them as Python compiled them: escaping is
    part of that."""
    name = "<img src=//example.org/x.png>"
    game = start(tmp_path, (name, "Ben & Sons"))
    own = game.homes["american"].folder / "templates"
    for _ in range(2):  # compiled, and read back
        render._environment.cache_clear()
        made = parsed(mail_of(game.newest, own=own))
        assert "<img src=//" not in body(made, "html") and "&lt;img src=//" in body(made, "html")
        assert "Key of Ben &amp; Sons:" in body(made, "html")
        assert "Key of Ben & Sons:" in body(made, "plain")
    assert any(own.parent.joinpath("cache").iterdir())


def _of_parts(depth: int) -> bytes:
    heads = [
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
        for number in range(depth)
    ]
    return b"Subject: x\n" + b"".join(heads) + b"Content-Type: text/plain\n\n"


@pytest.mark.parametrize(
    "hostile",
    [
        b'Subject: x\nContent-Type: multipart/mixed; a="'
        + b";" * 60_000
        + b'"; boundary=b\n\n--b\n\n',
        b"Subject: x\nContent-Type: multipart/mixed;"
        + b" a=b;\n" * 30_000
        + b" boundary=b\n\n--b\n\n",
        b"Subject: x\n" * 30_000 + b"\n",
    ],
    ids=range(3),
)
def test_a_mail_that_would_take_hours_is_given_up(
    played: Played, hostile: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is small here and took seconds; the time grew with the square of its size. So such
    parameters are never read at all."""
    monkeypatch.setattr("email.message._parseparam", None)
    turn = armor.wrap(played.newest).encode()
    (found,) = find_turns.turns_in(hostile + turn, "here")
    assert found.data is None and found.problem not in ("", turn_files.NOTHING)


def test_parts_in_parts_are_opened_to_a_depth(played: Played) -> None:
    turn = armor.wrap(played.newest).encode()
    (found,) = find_turns.turns_in(_of_parts(bounded_mime.MAX_DEPTH - 1) + turn, "here")
    assert found.data == played.newest
    list(find_turns.turns_in(_of_parts(5000) + b"--x\n" * 1000 + turn, "here"))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[fetch]\nhost = 'a'", r"fetch\.user"),
        ("[fetch]\nhost = 'a'\nuser = 'x'\nfolder = 'Entwürfe'", r"fetch\.folder"),
        ("inbox = ['~nobody-of-this-name/Mail']", "inbox should be a path"),
        ("[send]\nhost = 'a'\nca-file = '~nobody-of-this-name/x'", r"send\.ca-file"),
        ("[send]\nprogram = ['x']\nhost = 'a'", "either a program or a server"),
    ],
)
def test_settings_that_could_not_work_are_named(tmp_path: Path, text: str, wrong: str) -> None:
    home = make_home(tmp_path / "home")
    (home.folder / "mail.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Usage, match=wrong):
        settings.read(home)


def test_a_password_that_cannot_be_sent_is_refused_and_not_shown() -> None:
    server = Server("127.0.0.1", 25, "tls", "x", ("printf", "sch\xfcssel"), None, "INBOX", 90)
    with pytest.raises(Refused, match="not in ASCII") as refused:
        server.password()
    assert not re.search("sch|ssel", str(refused.value))
