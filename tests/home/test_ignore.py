"""Games that a player does not want to see: hidden from lists and news, and known all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import CONFLICT, USAGE
from pbem.fileformat import armor
from pbem.fileformat.encoding import b64, fingerprint
from pbem.home.home import Home
from pbem.mail import fetch
from pbem.report import render
from pbem.turn import inbox, joining
from tests.mail.test_mail_servers import NEEDS_DOVECOT, write_settings
from tests.support.begun_game import BegunGame, begin
from tests.support.homes import another_computer, make_home
from tests.support.mail_servers import dovecot
from tests.support.table_kit import Client, served
from tests.support.watch_kit import correspondent

FLOOD = 400


@pytest.fixture
def begun(tmp_path: Path) -> BegunGame:
    (tmp_path / "begun").mkdir()
    return begin(tmp_path / "begun")


@pytest.fixture
def eve(tmp_path: Path) -> Home:
    return make_home(tmp_path / "eve", "Eve", "eve@example.org")


def short(file: str) -> str:
    return file.rpartition("-")[0]


def invitations(home: Home, number: int, folder: Path) -> Path:
    """A folder with so many invitations by the player of a home."""
    folder.mkdir()
    for one in range(number):
        (folder / f"{one:03}.toml").write_bytes(joining.invite(home, joining.NewGame("tripoli")))
    return folder


def listed(player: Player) -> list[str]:
    return [game["short"] for game in player.asks("inbox")["games"]]


def mail(data: bytes, sender: str) -> bytes:
    return f"From: {sender}\r\nSubject: play\r\n\r\n{armor.wrap(data)}".encode()


def test_a_game_is_hidden_and_shown_again(begun: BegunGame) -> None:
    ann, ours = begun.ann, short(begun.last)
    ann.types("inbox", *begun.files)
    code, out, err = ann.types("ignore", ours)
    assert code == 0 and any(ours in line and "Ben" in line for line in out.splitlines())
    assert ours in err, "it waits for Ann"
    code, out, _ = ann.types("inbox")
    assert code == 0 and out.startswith("1 ") and "pbem ignore" in out and ours not in out
    assert ann.asks("inbox") == {"games": [], "files": [], "hidden": 1, "silence": ""}
    assert ann.types("show", ours)[0] == 0 and ann.types("verify", ours)[0] == 0, (
        "every command takes it"
    )
    assert ours not in ann.types("complete", "--", "show", "trip")[1].splitlines()
    assert ann.types("complete", "--", "ignore", "--back", "")[1].splitlines() == [ours]
    assert ann.does("ignore", ours, "--back") == {"games": [], "players": [], "strangers": False}
    assert (
        listed(ann) == [ours]
        and ours in ann.types("complete", "--", "show", "trip")[1].splitlines()
    )
    assert ours not in ann.types("ignore")[1]


def test_a_player_is_ignored_by_their_key(begun: BegunGame, eve: Home, tmp_path: Path) -> None:
    ann, key = begun.ann, eve.identity().public
    flood = invitations(eve, 3, tmp_path / "flood")
    assert len(ann.asks("inbox", str(flood), *begun.files)["games"]) == 4
    for name in ("Eve", "eve@example.org", b64(key), fingerprint(key).replace(" ", "")[:9]):
        facts = ann.does("ignore", name)
        assert facts["players"] == [
            {"name": "Eve", "key": b64(key), "fingerprint": fingerprint(key)}
        ], name
        assert {game["why"] for game in facts["games"]} == {"player"} and len(facts["games"]) == 3
        assert listed(ann) == [short(begun.last)]
        assert ann.does("ignore", name, "--back")["games"] == []
    ann.does("ignore", "Eve")
    code, out, err = ann.types("ignore", "tripoli")
    assert code == 1 and " 4 " in f" {err}" and out == ""
    assert ann.types("ignore", "Nobody")[0] == 2 and ann.types("ignore", "Ben", "--back")[0] == 2
    assert ann.types("complete", "--", "ignore", "--back", "")[1].split() == [
        fingerprint(key).replace(" ", "")
    ]
    facts = ann.does("inbox", str(invitations(eve, 2, tmp_path / "more")))
    assert facts["hidden"] == 5 and len(facts["games"]) == 1
    assert "new" not in {one["kind"] for one in facts["files"]}


def test_a_game_with_others_stays_where_one_of_them_is_ignored(tmp_path: Path, eve: Home) -> None:
    ann, ben, cleo = (
        Player(name, tmp_path / f"home-of-{name}", tmp_path, True)
        for name in ("Ann", "Ben", "Cleo")
    )
    for player in (ann, ben, cleo):
        player.does("id", "--name", player.name)
    first = ann.does("new", "loot", "--option", "players=3")["file"]
    second = ben.does("join", first)["file"]
    third = cleo.does("join", second)["file"]
    for player in (ann, ben):
        player.does("inbox", third)
        player.does("ignore", "Cleo")
        assert listed(player) == [short(third)], "Ann and Ben go on"
    ann.does("ignore", "Ben")
    assert listed(ann) == [], "nobody else plays with Ann"


@pytest.mark.dear("fetches a flood of mails")
def test_strangers_are_ignored_and_known_players_are_not(
    begun: BegunGame, eve: Home, tmp_path: Path
) -> None:
    ann, ben, ours = begun.ann, begun.ben, short(begun.last)
    flood = invitations(eve, 30, tmp_path / "flood")
    ann.types("inbox", *begun.files, str(flood))
    facts = ann.does("ignore", "--strangers")
    assert facts["strangers"] is True and len(facts["games"]) == 30
    again = ben.does("new", "tripoli")["file"]
    cleo = make_home(tmp_path / "cleo", "Cleo", "")
    ann.does("contacts", "Cleo", "--add", b64(cleo.identity().public))
    known = invitations(cleo, 1, tmp_path / "of-cleo")
    ann.types("inbox", again, str(known), str(flood))
    games = listed(ann)
    assert len(games) == 3 and ours in games and short(again) in games, (
        "Ben, and a contact that was entered by hand"
    )
    taken = ann.does("join", str(flood / "000.toml"))["file"]
    assert len(listed(ann)) == 33, "whom one plays with is no stranger"
    assert short(Path(taken).name) in listed(ann)
    ann.does("ignore", "--strangers", "--back")
    assert (
        ann.types("ignore", "--strangers", "Ben")[0] == 2 and ann.types("ignore", "--back")[0] == 2
    )


def test_a_hidden_game_is_remembered_and_looked_at_before_signing(
    begun: BegunGame, tmp_path: Path
) -> None:
    ann, before = begun.ann, begun.copied(tmp_path / "before")
    ours = short(begun.last)
    ann.types("inbox", *begun.files)
    ann.does("ignore", ours)
    mine = ann.answers(begun.last, lambda options: options[0])
    others = ann.answers(begun.last, lambda options: options[-1])
    ann.does("play", begun.last, "; ".join(mine), "--no-mail")
    with another_computer():
        path = str(
            before.folder
            / before.write("american", "play", begun.last, "; ".join(others), "--no-mail")["file"]
        )
    code, out, _ = ann.types("inbox", path)
    assert code == 4 and out.count("conflict") == 1 and "1 game hidden" in out, (
        "two versions are told all the same"
    )
    code, _, err = ann.types("show", path)
    assert code == CONFLICT and err.count("\n") == 1


def test_nothing_is_told_of_a_hidden_game(tmp_path: Path) -> None:
    ann = correspondent(tmp_path, "Ann", ["Eve"])
    eve = correspondent(tmp_path, "Eve", ["Ann"])
    assert ann.look().news == []
    ann.receive(joining.invite(eve.home, joining.NewGame("tripoli")))
    assert [one.kind for one in ann.look().news] == ["invitation"]
    typed = Player("Ann", ann.home.folder, tmp_path, True)
    typed.does("ignore", "--strangers")
    ann.receive(joining.invite(eve.home, joining.NewGame("tripoli")))
    assert ann.look().news == [] and len([*ann.home.folder.glob("games/*")]) == 2
    assert len(typed.does("auto")["games"]) == 0, "and no list has it"
    (ann.home.folder / "ignore.toml").write_text("strangers = 3\n")
    ann.receive(joining.invite(eve.home, joining.NewGame("tripoli")))
    told = ann.look()
    assert {one.kind for one in told.news} == {"problem", "invitation"}
    assert any("ignore.toml" in text for text in told.failed)
    ann.restart()


def test_a_damaged_list_hides_nothing_and_is_not_written_over(begun: BegunGame) -> None:
    ann = begun.ann
    ann.types("inbox", *begun.files)
    ann.does("ignore", "--strangers")
    for wrong in ("games = ['x']\n", "keys = ['AAAA']\n", "other = 1\n", "strangers = true"[:-2]):
        (ann.home / "ignore.toml").write_text(wrong)
        code, out, _ = ann.types("inbox")
        assert code == USAGE and short(begun.last) in out and "ignore.toml" in out
        code, _, err = ann.types("ignore", "Ben")
        assert code == USAGE and str(ann.home / "ignore.toml") in err
        assert (ann.home / "ignore.toml").read_text() == wrong


def test_the_table_hides_them_too(begun: BegunGame, eve: Home, tmp_path: Path) -> None:
    begun.ann.types("inbox", *begun.files, str(invitations(eve, 2, tmp_path / "flood")))
    begun.ann.does("ignore", "--strangers")
    with served(Home(begun.ann.home), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        page = client.ask("GET", "/").body.decode()
    assert page.count('class="game') - page.count('class="games') == 1
    assert "2 games hidden: <code>pbem ignore</code> lists them" in page


@pytest.mark.dear("fetches a flood of mails")
@NEEDS_DOVECOT
def test_fetch_is_bounded_and_tells_it(
    eve: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = (
        Player("Ann", tmp_path / "ann", tmp_path, True),
        make_home(tmp_path / "ben", "Ben", ""),
    )
    ann.does("id", "--name", "Ann")
    ann.does("contacts", "Ben", "--add", b64(ben.identity().public))
    with dovecot() as (_, tls, cert, mails):
        write_settings(Home(ann.home), "fetch", tls, "tls", cert)
        for number in range(FLOOD):
            (mails / "new" / f"{number:03}.host").write_bytes(
                mail(
                    joining.invite(eve, joining.NewGame("tripoli")),
                    "eve@example.org",
                )
            )
        (mails / "new" / f"{FLOOD}.host").write_bytes(
            mail(joining.invite(ben, joining.NewGame("loot")), "ben@example.org")
        )
        code, out, _ = ann.types("fetch")
        assert code == 2 and f"{FLOOD + 1} new mails, {FLOOD + 1} with turns\n" in out
        refused = FLOOD - inbox.MOST_INVITATIONS
        told = (
            f"{inbox.MOST_INVITATIONS} new games by strangers have come today already: pbem inbox"
            " takes it in"
        )
        assert (
            f"unkept    {refused} files: {told}, or tomorrow\n" in out
            and len(out.splitlines()) < 100
        )
        assert len(listed_without_inbox(ann)) == inbox.MOST_INVITATIONS + 1, "and Ben's"
        assert "Loot" in out
        code, out, _ = ann.types("fetch")
        assert code == 2 and out.startswith("0 new mails") and f"{refused} files: {told}" in out, (
            "until it changes"
        )
        ann.does("ignore", "--strangers")
        code, out, _ = ann.types("fetch")
        assert code == 0 and "unkept" not in out and f"{inbox.MOST_INVITATIONS} games hidden" in out
        ann.does("ignore", "--strangers", "--back")
        assert len(listed(ann)) == FLOOD + 1, "pbem inbox takes them in"
        monkeypatch.setattr(fetch, "MOST_MAIL", 1000)
        (mails / "new" / "500.host").write_bytes(
            mail(joining.invite(eve, joining.NewGame("loot")), "eve@example.org")
        )
        facts = ann.asks("fetch")
        assert (facts["looked_at"], facts["fetched"], facts["left"]) == (1, [], 1)
        assert [(one["kind"], one["where"]) for one in facts["files"]] == [
            ("unkept", str(ann.home / "inbox"))
        ]


def listed_without_inbox(player: Player) -> list[str]:
    """The games in the memory of a home."""
    return [path.name for path in (player.home / "games").iterdir()]


def test_what_the_list_says_fits_a_screen(begun: BegunGame, eve: Home, tmp_path: Path) -> None:
    begun.ann.types("inbox", str(invitations(eve, 30, tmp_path / "flood")))
    begun.ann.does("ignore", "--strangers")
    lines = begun.ann.types("ignore")[1].splitlines()
    assert len(lines) == 23 and "10" in lines[-1] and "pbem ignore --json" in lines[-1]
    assert len(json.loads(begun.ann.types("ignore", "--json")[1])["games"]) == 30
    assert render.plain("Eve") in lines[3]
