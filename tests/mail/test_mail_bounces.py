"""Mails that come back: a notice that an own mail was not delivered is told as that, counts once,
changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home import outbox
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.outbox import Bounce, FailedDelivery
from pbem.ledger.gate import follow
from pbem.mail import bounces, compose, find_turns
from pbem.turn import joining, open_game
from tests.mail.test_mail_servers import COMMAND, NEEDS_DOVECOT
from tests.support import read_game
from tests.support.mail_kit import Played, parsed
from tests.support.mail_servers import dovecot, fetch_settings
from tests.support.notices import exchange, headers_only, postfix
from tests.support.watch_kit import Stage, correspondent


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "state"))


@dataclass
class Sender:
    """Ann, who has sent the turn after Ben's join to Ben, and the game's short name."""

    stage: Stage
    player: Player
    name: str
    data: bytes

    @property
    def home(self) -> Home:
        return self.stage.one.home

    def mail(self, number: int = -1) -> bytes:
        return self.stage.one.mails()[number]

    def looks_at(self, notice: bytes) -> list[tuple[str, str]]:
        """The kind of what was found in a notice, and what is said of it."""
        path = self.home.folder.parent / "notice.eml"
        path.write_bytes(notice)
        found = self.player.does("inbox", str(path))["files"]
        return [(item["kind"], item["reason"]) for item in found]

    def bounced(self) -> list[str]:
        """What the list says of mails that came back."""
        [game] = self.player.does("inbox")["games"]
        told: list[str] = game["bounced"]
        return told


@pytest.fixture
def ann(tmp_path: Path) -> Sender:
    stage = Stage(correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"]))
    data = joining.join(
        open_game.open_file(
            joining.invite(stage.one.home, joining.NewGame("tripoli")),
            stage.other.home,
        ),
        stage.other.home,
    )
    name = short_name(read_game.replay_bytes(data))
    data = stage.write(stage.one, data)
    player = Player("Ann", stage.one.home.folder, tmp_path, in_process=True)
    player.does("send", name)
    return Sender(stage, player, name, data)


@pytest.fixture(scope="module")
def mail_of_ann(played: Played) -> bytes:
    """A mail with a turn that Ann has written."""
    game, seen = follow(turnfile.read(played.newest))
    mail = compose.compose(played.newest, game, seen, "a.toml", None)
    assert mail is not None
    return mail


@pytest.mark.parametrize("form", [postfix, headers_only, exchange])
def test_a_mail_that_came_back_is_told_once_as_that_and_lasts_until_it_is_answered(
    ann: Sender, form: Callable[..., bytes]
) -> None:
    before = outbox.sent_turn(next(ann.home.folder.glob("games/*")), ann.data)
    [(kind, told)] = ann.looks_at(form(ann.mail(), "ben@example.org", "5.1.1"))
    assert kind == "bounce" and ann.bounced() == [told]
    assert "turn 2 " in told and "Ben" in told and "go away" not in told
    [line] = [line for line in ann.player.types("inbox")[1].splitlines() if told in line]
    assert f"pbem send {ann.name} --to ADDRESS" in line
    after = outbox.sent_turn(next(ann.home.folder.glob("games/*")), ann.data)
    assert (after.to, after.lacking, after.mails) == (
        before.to,
        before.lacking,
        before.mails,
    ), "it changes nothing"
    again = ann.looks_at(form(ann.mail(), "ben@example.org", "5.1.1"))
    assert again == [("duplicate", told)], "told before"
    ann.stage.other.receive(ann.data)
    answer = ann.home.folder.parent / "answer.toml"
    answer.write_bytes(ann.stage.write(ann.stage.other, ann.data))
    assert told not in ann.player.types("inbox", str(answer))[1]
    [(kind, void)] = ann.looks_at(form(ann.mail(), "ben@example.org", "5.1.1"))
    assert kind == "duplicate" and void != told and ann.bounced() == []


@pytest.mark.parametrize("again", [["send"], ["sent"], ["remind", "--send"]])
def test_it_is_void_once_the_turn_was_sent_again(ann: Sender, again: list[str]) -> None:
    notice = postfix(ann.mail(), "BEN@example.org", "5.1.1")
    ann.looks_at(notice)
    ann.player.does(again[0], ann.name, *again[1:])
    assert ann.bounced() == [] and [kind for kind, _ in ann.looks_at(notice)] == ["duplicate"]
    if again != ["sent"]:
        second = ann.looks_at(headers_only(ann.mail(), "ben@example.org", "5.1.1"))
        assert [kind for kind, _ in second] == ["bounce"], "the second came back too"


@pytest.mark.parametrize(
    ("status", "as_status"),
    [
        ("5.2.2", "5.2.2"),
        ("5.1.10 (null MX)", "5.1.10"),
        ("4.4.7", "4.4.7"),
        ("5.7.26", "5.7.1"),
        *((strange, "") for strange in ("5.9.9", "\x1b[31m", "5.1.1.1")),
    ],
)
def test_the_reason_is_in_our_words(ann: Sender, status: str, as_status: str) -> None:
    [(_, told)] = ann.looks_at(postfix(ann.mail(), "ben@example.org", status))
    known = Bounce("<id>", "ben@example.org", as_status)
    assert told == FailedDelivery(2, "Ben", known).in_words()


OF_BEN = b"Final-Recipient: rfc822; ben@example.org\nAction: failed\nStatus: 5.1.1\n"
OF_EVE = b"Final-Recipient: rfc822; eve@example.net\nAction: failed\nStatus: 5.2.2\n"
LATE = OF_EVE.replace(b"failed", b"delayed").replace(b"5.2.2", b"4.4.1")
ALIAS = b"Original-Recipient: rfc822; ben@example.org\nFinal-Recipient: rfc822; b.b@example.com\n"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (b"\n" + OF_BEN, [("ben@example.org", "5.1.1")]),
        (OF_BEN, [("ben@example.org", "5.1.1")]),
        (b" \t\n" + OF_BEN, [("ben@example.org", "5.1.1")]),
        (OF_BEN + OF_EVE, [("ben@example.org", "5.1.1"), ("eve@example.net", "5.2.2")]),
        (OF_EVE + OF_BEN, [("eve@example.net", "5.2.2"), ("ben@example.org", "5.1.1")]),
        (OF_EVE + b"\n" + OF_BEN, [("eve@example.net", "5.2.2"), ("ben@example.org", "5.1.1")]),
        (b"\n" + LATE + OF_BEN + LATE, [("ben@example.org", "5.1.1")]),
        (LATE + ALIAS + b"Action: failed\nStatus: 5.1.1\n", [("ben@example.org", "5.1.1")]),
        (OF_BEN.replace(b"Final-Recipient", b"FINAL-RECIPIENT"), [("ben@example.org", "5.1.1")]),
    ],
    ids=[
        "as-it-should-be",
        "in-the-first-group",
        "blanks-in-the-blank-line",
        "two-in-the-first-group",
        "ours-second",
        "ours-in-the-second-group",
        "between-two-that-are-late",
        "behind-one-that-is-late-by-two-addresses",
        "in-capitals",
    ],
)
@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r\r\n"])
def test_fields_of_recipients_are_parted_where_no_blank_line_does(
    mail_of_ann: bytes, fields: bytes, told: list[tuple[str, str]], ends: bytes
) -> None:
    whole = postfix(mail_of_ann.replace(b"\r\n", b"\n"), "nobody@example.org", "5.0.0")
    before, _, rest = whole.partition(b"\nFinal-Recipient:")
    notice = before + fields + b"\n--B\n" + rest.partition(b"\n--B\n")[2]
    found = bounces.read(notice.replace(b"\n", ends))
    assert [(one.to[0], one.status) for one in found] == told
    assert {one.id for one in found} == {str(parsed(mail_of_ann)["Message-ID"])}


@pytest.mark.parametrize("fields", [OF_BEN, OF_EVE + OF_BEN, LATE + OF_BEN + OF_EVE])
def test_a_notice_without_blank_lines_is_told(ann: Sender, fields: bytes) -> None:
    whole = postfix(ann.mail().replace(b"\r\n", b"\n"), "nobody@example.org", "5.0.0")
    before, _, rest = whole.partition(b"\nFinal-Recipient:")
    found = ann.looks_at(before + fields + b"\n--B\n" + rest.partition(b"\n--B\n")[2])
    assert [kind for kind, _ in found] == ["bounce"]


def other_id(mail: bytes) -> bytes:
    return mail.replace(
        parsed(mail)["Message-ID"].encode(), b"<0123456789abcdef.2.0123456789abcdef@pbem.invalid>"
    )


@pytest.mark.parametrize(
    "forge",
    [
        lambda mail: headers_only(mail, "ben@example.org", "4.4.1", "delayed"),
        lambda mail: headers_only(mail, "ben@example.org", "2.1.5", "delivered"),
        lambda mail: headers_only(mail, "cleo@example.org", "5.1.1"),
        lambda mail: headers_only(other_id(mail), "ben@example.org", "5.1.1"),
        lambda mail: headers_only(b"\n", "ben@example.org", "5.1.1"),
        lambda mail: headers_only(mail, "ben@example.org", "5.1.1").replace(
            b"delivery-status\n\n", b"other\n\n"
        ),
    ],
    ids=["delayed", "delivered", "another-address", "another-mail", "no-mail", "no-notice"],
)
def test_what_is_no_notice_of_an_own_mail_says_nothing(
    ann: Sender, forge: Callable[[bytes], bytes]
) -> None:
    assert "bounce" not in [kind for kind, _ in ann.looks_at(forge(ann.mail()))]
    assert ann.bounced() == []


def test_a_notice_of_many_recipients_or_a_strange_form_costs_little(ann: Sender) -> None:
    """100,000 recipients, parts in parts, fields without end: read in bounds, and nobody is named
    who was not written to."""
    one = b"Final-Recipient: rfc822; eve@example.net\nAction: failed\nStatus: 5.1.1\n\n"
    whole = headers_only(ann.mail(), "ben@example.org", "5.1.1")
    assert (
        len(bounces.read(whole.replace(b"Final-Recipient", one * 100_000 + b"Final-Recipient")))
        <= bounces.MAX_GROUPS
    )
    for strange in (
        whole.replace(b"rfc822; ben", b"rfc822; " + b"<" * 1_000_000 + b"ben"),
        whole.replace(b"Status: ", b"Status: " + b"5." * 500_000),
        whole.replace(b"text/rfc822-headers", b"multipart/mixed; boundary=B"),
        whole.replace(b"Message-ID: <", b"Message-ID: <" + b"a" * 300_000),
        whole.replace(b"Message-ID: ", b"Message-ID: =?utf-8?q?" + b"=C3" * 1000 + b"?= "),
    ):
        list(find_turns.turns_in(strange, "here"))
        ann.looks_at(strange)


def test_watch_tells_it_once(ann: Sender) -> None:
    told = ann.home.folder.parent / "told"
    path = ann.home.folder / "mail.toml"
    path.write_text(
        f'notify = ["sh", "-c", "echo \\"$0\\" >> {told}", "{{text}}"]\n{path.read_text()}'
    )
    ann.player.types("watch", "--once")
    ann.stage.one.receive(postfix(ann.mail(), "ben@example.org", "5.1.1"))
    [news] = ann.player.does("watch", "--once")["news"]
    assert ann.bounced()[0] in news["text"] and told.read_text() == f"{news['text']}\n"
    ann.stage.one.receive(headers_only(ann.mail(), "ben@example.org", "5.1.1"))
    assert ann.player.does("watch", "--once")["news"] == [], (
        "one notice counts for one mail and one address"
    )


@NEEDS_DOVECOT
def test_fetch_keeps_a_notice_of_an_own_mail_and_no_other(ann: Sender) -> None:
    with dovecot() as (_, port, cert, mails):
        (ann.home.folder / "mail.toml").write_text(fetch_settings(port, cert, COMMAND))
        notices = [
            headers_only(ann.mail(), "cleo@example.org", "5.1.1"),
            headers_only(ann.mail(), "ben@example.org", "5.1.1"),
            postfix(ann.mail(), "ben@example.org", "5.1.1"),
        ]
        for number, notice in enumerate(notices[:2]):
            (mails / "new" / f"{number}.host").write_bytes(notice)
        code, out, _ = ann.player.types("fetch", "--json")
        facts = json.loads(out)
        assert code == 0 and facts["looked_at"] == 2 and len(facts["fetched"]) == 1
        assert facts["games"][0]["bounced"] == [one["reason"] for one in facts["files"]]
        assert [one["kind"] for one in facts["files"]] == ["bounce"]
        (mails / "new" / "2.host").write_bytes(notices[2])
        assert json.loads(ann.player.types("fetch", "--json")[1])["fetched"] == [], "it is known"
