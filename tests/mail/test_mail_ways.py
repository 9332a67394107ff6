"""Ways of a turn: passed on to who is to join, sent again to who lost it, written and not sent; and
what a mail says of the turn that was taken out of it."""

from __future__ import annotations

import email.policy
import email.utils
import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli import inbox as command
from pbem.cli import mail
from pbem.english import aged, local
from pbem.errors import INVALID, Refused, Usage
from pbem.home import outbox, taken_in
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.mail import find_turns, lost_turns, transport, turn_files
from pbem.report import render
from pbem.turn import game_list, inbox, joining, named_file, outgoing, signing
from pbem.turn.open_game import open_file
from tests.support import read_game
from tests.support.mail_kit import Played, body, mail_of, make_home, parsed, start
from tests.support.plain_shuffles import take_plain_shuffles


@pytest.fixture(autouse=True)
def plain_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told and where it goes does not depend on how well a pile is shuffled."""
    take_plain_shuffles(monkeypatch)


def taking(home: Home, folder: Path) -> Path:
    """Let the home send by a program that writes what it is given to a file."""
    (home.folder / "mail.toml").write_text(
        f"[send]\nprogram = ['/bin/sh', '-c', 'cat > {folder}/taken']\n"
    )
    return folder / "taken"


def three(tmp_path: Path, mails: tuple[str, str, str]) -> tuple[list[Home], list[bytes]]:
    """Three homes, an invitation to Loot by the first, and the join of the second."""
    homes = [
        make_home(tmp_path / name, name, mail)
        for name, mail in zip(("Ann", "Ben", "Cleo"), mails, strict=True)
    ]
    data = [joining.invite(homes[0], joining.NewGame("loot", options={"players": 3}))]
    data.append(joining.join(open_file(data[0], homes[1]), homes[1]))
    return homes, data


ADDRESSES = ("ann@example.org", "ben@example.org", "cleo@example.org")


def test_an_invitation_goes_to_an_address(tmp_path: Path) -> None:
    (ann, *_), (invitation, _) = three(tmp_path, ADDRESSES)
    taken = taking(ann, tmp_path)
    path = tmp_path / "invitation.toml"
    path.write_bytes(invitation)
    with pytest.raises(Usage) as caught:
        mail.send(ann, path)
    assert "--to ADDRESS" in str(caught.value)
    with pytest.raises(Usage, match=r"ben\.example"):
        mail.send(ann, path, ["ben.example"])
    assert not taken.exists()
    assert mail.send(ann, path, ["ben@example.org"]) == (["ben@example.org"], "")
    message = parsed(taken.read_bytes())
    assert (str(message["From"]), str(message["To"])) == (
        "Ann <ann@example.org>",
        "ben@example.org",
    )
    assert "pbem join " in body(message, "plain")


def test_a_join_says_who_passes_it_on_and_they_can(tmp_path: Path) -> None:
    (ann, ben, cleo), (_, joined) = three(tmp_path, ADDRESSES)
    made = parsed(mail_of(joined))
    assert str(made["To"]) == "Ann <ann@example.org>"
    for kind in ("plain", "html"):
        words = " ".join(body(made, kind).split())
        assert " third " in words
        assert re.search(r" pbem send loot-\w{8} --to THEIR-ADDRESS", words)
    assert "Ann" in signing.next_step(read_game.replay_bytes(joined))
    taken = taking(ben, tmp_path)
    path = tmp_path / "joined.toml"
    path.write_bytes(joined)
    went, note = mail.send(ben, path)
    assert went == ["ann@example.org"] and "Ann" in note
    facts, text, _ = command.look(ann, [path])
    short = facts.games[0].short
    assert f"pbem send {short} --to ADDRESS" in text
    waits_for = command.look(ben, [])[0].games[0].passes_on
    assert waits_for is not None and waits_for.name == "Ann"
    taken = taking(ann, tmp_path)
    with pytest.raises(Refused, match=r"not yours.*--to ADDRESS"):
        mail.send(ann, Path(short))
    assert mail.send(ann, Path(short), ["cleo@example.org"]) == (["cleo@example.org"], "")
    passed = parsed(taken.read_bytes())
    assert str(passed["From"]) == "Ann <ann@example.org>"
    assert passed["Message-ID"] != made["Message-ID"]
    assert "Ann" in str(passed["Subject"]) and "Ann" not in str(made["Subject"])
    assert command.look(cleo, [taken])[0].games[0].yours
    with pytest.raises(Refused, match="no seat"):
        mail.send(cleo, path, ["ann@example.org"])


def test_who_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (_, ben, _), (_, joined) = three(tmp_path, ("", "ben@example.org", ""))
    taking(ben, tmp_path)
    path = tmp_path / "joined.toml"
    path.write_bytes(joined)
    with pytest.raises(Usage):
        mail.send(ben, path)
    homes, data = three(tmp_path / "more", ("ann@example.org", "", "cleo@example.org"))
    game = read_game.replay_bytes(joining.join(open_file(data[1], homes[2]), homes[2]))
    turn = game.to_act()
    assert turn is not None
    if not game.player_of(turn).mail:
        assert outgoing.nobody_can_act(game, ["ann@example.org"], 0)
    assert outgoing.nobody_can_act(game, ["somebody@example.org"], 0) == ""


def test_who_passes_a_file_on_is_told_whom_the_game_waits_for(tmp_path: Path) -> None:
    """A turn once more to somebody who has to wait: the sender's own turn, or an address that is in
    the file."""
    game = read_game.replay_bytes(start(tmp_path).newest)
    turn = game.to_act()
    assert turn is not None
    waits_for, other = game.player_of(turn), game.player_of(1 - turn)
    assert waits_for.mail and other.mail
    author = game.seat_of(game.entries[-1])
    assert author == 1 - turn, "the last join; now the inviter plays"
    assert "pbem play tripoli-" in outgoing.nobody_can_act(game, [other.mail], turn)
    told = outgoing.nobody_can_act(game, [other.mail], 1 - turn)
    assert told.endswith(f"--to {waits_for.mail}")
    assert outgoing.nobody_can_act(game, [waits_for.mail], 1 - turn) == ""


def test_a_turn_that_was_not_sent_is_told_until_it_is(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    short = short_name(read_game.replay_bytes(game.newest))
    facts, text, _ = command.look(ben, [])
    assert facts.games[0].not_sent
    assert f": pbem send {short}\n" in text
    taking(ben, tmp_path)
    mail.send(ben, Path(short))
    facts, text, _ = command.look(ben, [])
    assert not facts.games[0].not_sent
    assert "not sent" not in text
    ann = game.homes["american"]
    path = tmp_path / "turn.toml"
    path.write_bytes(game.newest)
    assert "not sent" not in command.look(ann, [path])[1]


def test_what_was_sent_another_way_is_noted_and_not_told_again(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben, ann = game.homes["tripolitan"], game.homes["american"]
    short = short_name(read_game.replay_bytes(game.newest))
    assert f"pbem sent {short}\n" in command.look(ben, [])[1]
    older, newest = tmp_path / "older.toml", tmp_path / "newest.toml"
    older.write_bytes(game.files[0])
    newest.write_bytes(game.newest)
    command.look(ann, [newest])
    with pytest.raises(Refused, match="not yours"):
        outgoing.sent_by_hand(ann, named_file.find(Path(short), ann).turn)
    with pytest.raises(Refused, match=rf"pbem sent {short}"):
        outgoing.sent_by_hand(ann, named_file.find(older, ann).turn)
    with pytest.raises(Refused, match="no seat"):
        outgoing.sent_by_hand(
            make_home(tmp_path / "eve", "Eve", ""),
            named_file.find(newest).turn,
        )
    assert (
        outgoing.sent_by_hand(ben, named_file.find(Path(short), ben).turn).game_id
        == read_game.replay_bytes(game.newest).game_id
    )
    facts, text, _ = command.look(ben, [])
    assert (
        not facts.games[0].not_sent
        and short in text
        and "not sent" not in text
        and "pbem sent" not in text
    )
    taken = taking(ben, tmp_path)
    assert mail.send(ben, Path(short)) == (["ann@example.org"], ""), "should it be lost"
    assert taken.exists()


def test_a_refused_address_that_was_written_to_another_way_lacks_nothing(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben, short = game.homes["tripolitan"], short_name(read_game.replay_bytes(game.newest))
    folder = ben.folder / "games" / read_game.replay_bytes(game.newest).game_id.hex()[:32]
    number, refused = len(game.files) - 1, {"ann@example.org": "refused"}
    outbox.note(
        folder, number, game.newest, lambda turn: turn.went_to(["cleo@example.org"], refused)
    )
    assert command.look(ben, [])[0].games[0].not_taken == ["ann@example.org"]
    assert not outbox.sent_turn(folder, game.newest).is_sent()
    outgoing.sent_by_hand(ben, named_file.find(Path(short), ben).turn)
    assert command.look(ben, [])[0].games[0].not_taken == []
    assert outbox.sent_turn(folder, game.newest).is_sent()
    assert outbox.sent_turn(folder, game.newest).missing(["ann@example.org"]) == []


def test_an_invitation_that_was_passed_on_another_way_is_not_asked_for_again(
    tmp_path: Path,
) -> None:
    (ann, _, _), (_, joined) = three(tmp_path, ADDRESSES)
    path = tmp_path / "joined.toml"
    path.write_bytes(joined)
    facts, text, _ = command.look(ann, [path])
    short = facts.games[0].short
    assert f"pbem send {short} --to ADDRESS" in text and f"pbem sent {short}" in text
    outgoing.sent_by_hand(ann, named_file.find(Path(short), ann).turn)
    assert "pbem send" not in command.look(ann, [])[1]


def without_turn(data: bytes, sender: str = "Ben <ben@example.org>") -> bytes:
    """The mail of a turn after a filter has taken out its attachment and cut its text."""
    whole = parsed(mail_of(data))
    stripped = EmailMessage(policy=email.policy.SMTP)
    for name in ("Subject", "X-PBEM-Game", "Message-ID"):
        stripped[name] = str(whole[name])
    stripped["From"] = sender
    stripped.set_content("[an attachment was removed]")
    return stripped.as_bytes()


@pytest.mark.parametrize("taken_out", ["Message-ID", "X-PBEM-Game", ""])
def test_a_mail_without_its_turn_says_what_is_missing(tmp_path: Path, taken_out: str) -> None:
    game = start(tmp_path / "game")
    ann = game.homes["american"]
    short = short_name(read_game.replay_bytes(game.newest))
    letter = email.message_from_bytes(without_turn(game.newest))
    del letter[taken_out]
    path = tmp_path / "mail.eml"
    path.write_bytes(letter.as_bytes())
    facts, text, code = command.look(ann, [path])
    assert code == INVALID
    assert [(file.kind, file.game, file.entry) for file in facts.files] == [("lost", short, 1)]
    assert "ask ben@example.org" in text
    (tmp_path / "turn.toml").write_bytes(game.newest)
    command.look(ann, [tmp_path / "turn.toml"])
    facts, _, code = command.look(ann, [path])
    assert code == 0 and facts.files[0].kind == "duplicate"


def test_what_is_missing_of_a_game_that_is_not_here(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    path = tmp_path / "mail.eml"
    path.write_bytes(without_turn(played.newest, "Ben\x1b[31m <ben@example.org\x1b[31m>"))
    facts, text, _ = command.look(home, [path])
    assert [file.kind for file in facts.files] == ["lost"] and facts.games == []
    assert "\x1b" not in text


@pytest.mark.parametrize(
    "sender",
    [
        "nobody; type pbem resign instead",
        '"pbem resign" <type pbem resign>',
        "<pbem-resign>",
        '"\\"' * 50_000,
        "@" * 100_000 + " <ben@example.org>",
    ],
)
def test_who_sent_a_lost_turn_is_a_plain_address_or_nobody(
    sender: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words are put into a sentence that tells the reader what to do; and a long sender costs
    no time."""
    read: list[int] = []
    ours = email.utils.parseaddr
    monkeypatch.setattr(email.utils, "parseaddr", lambda text: read.append(len(text)) or ours(text))
    data = f"From: {sender}\nX-PBEM-Game: {'0' * 64} 1\n\nhello\n".encode()
    (found,) = find_turns.turns_in(data, "x")
    assert found.lost is not None and found.lost.sender == ""
    assert read and max(read) <= lost_turns.MAX_FROM
    (tmp_path / "mail.eml").write_bytes(data)
    _, text, _ = command.look(make_home(tmp_path / "eve", "Eve", ""), [tmp_path / "mail.eml"])
    assert "lost" in text and "resign" not in text


@pytest.mark.parametrize(
    "header", ["x 1", "0" * 64 + " 99999", "0" * 64, "0" * 64 + " -1", "é" * 64 + " 1"]
)
def test_headers_that_name_no_game_are_no_lost_turn(header: str) -> None:
    assert (
        list(find_turns.turns_in(f"Subject: x\nX-PBEM-Game: {header}\n\nhello\n".encode(), "x"))
        == []
    )


def test_the_inbox_is_not_read_from_the_start_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(tmp_path / "game")
    ann = game.homes["american"]
    folder = ann.make_folder("inbox")
    (folder / "1.eml").write_bytes(mail_of(game.files[0]))
    (folder / "2.eml").write_bytes(mail_of(game.files[1]))
    (folder / "3.eml").write_bytes(without_turn(game.files[1]).replace(b" 1\r\n", b" 7\r\n"))
    read: list[str] = []
    ours = turn_files.look
    monkeypatch.setattr(turn_files, "look", lambda place: read.append(place.name) or ours(place))
    assert [file.kind for file in command.look(ann, [])[0].files] == ["duplicate", "new", "lost"]
    assert read == ["1.eml", "2.eml", "3.eml"]
    read.clear()
    assert [file.kind for file in command.look(ann, [])[0].files] == ["lost"]
    assert read == ["3.eml"]
    (folder / "2.eml").write_bytes(mail_of(game.files[1]) + b"\r\n")
    (folder / "4.eml").write_bytes(mail_of(game.files[1]))
    read.clear()
    command.look(ann, [])
    assert read == ["2.eml", "3.eml", "4.eml"]
    for damage in (b"", b"[]", b"[" * 100_000, b'{"1.eml": 7}'):
        (folder / taken_in._INDEX.name).write_bytes(damage)
        read.clear()
        command.look(ann, [])
        assert len(read) == 4
    (ann.folder / "games").rename(tmp_path / "gone")
    read.clear()
    command.look(ann, [])
    assert len(read) == 4


def test_a_date_is_told_in_local_time_with_its_age(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
    moment = datetime(2026, 11, 21, 23, 31, tzinfo=UTC)
    shown = moment.astimezone().strftime("%Y-%m-%d %H:%M")
    assert local("2026-11-21T23:31:00Z", now) == f"{shown}, 12 hours ago"
    assert local("2026-02-31T23:31:00Z", now) == "2026-02-31 23:31"
    assert local("0001-01-01T00:00:00Z", now)
    for age, words in (
        (timedelta(seconds=30), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(days=3, hours=7), "3 days ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(hours=-2), "in the future"),
    ):
        assert aged(age) == words
    assert "No games" in render.render("inbox.txt.j2", game_list.InboxFacts([], [], 0, ""))


def test_a_draft_to_nobody_is_a_kind_of_its_own(tmp_path: Path) -> None:
    game = start(tmp_path / "game", mails=("", ""))
    with pytest.raises(transport.NoAddress):
        transport.letter_of(mail_of(game.newest))
    assert inbox.Item("x", "lost", "").kind == "lost"
