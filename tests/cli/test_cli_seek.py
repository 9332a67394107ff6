"""Strangers meet by commands: from empty homes, by a folder, a list and a mailbox
(docs/seek.md)."""

from __future__ import annotations

import json
import random
import re
import shlex
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import unb64
from pbem.fileformat.link import seek_link
from pbem.ledger.gate import replay
from pbem.seek import find_seeks
from tests.support.homes import make_home
from tests.vectors.make_seeks import FULL, made

CLOCK = ("--clock", "30+3", "--leave", "20")


def player(folder: Path, name: str) -> Player:
    make_home(folder / name, name)
    (folder / "club").mkdir(exist_ok=True)
    return Player(name, folder / name, folder / "club", in_process=True)


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    return player(tmp_path, "Ann")


@pytest.fixture
def ben(tmp_path: Path) -> Player:
    return player(tmp_path, "Ben")


@pytest.fixture
def cleo(tmp_path: Path) -> Player:
    return player(tmp_path, "Cleo")


def test_two_strangers_meet_by_a_folder(ann: Player, ben: Player, cleo: Player) -> None:
    wanted = ("backgammon", "--match", "3", "--seat", "black", *CLOCK)
    seek = ann.does("seek", *wanted)
    short = seek["seek"][:8]
    (listed,) = ben.does("seeks", ".")["seeks"]
    assert (listed["seek"], listed["fits"], listed["seats"]) == (seek["seek"], True, ["white"])
    answered = ben.does("seeks", ".", "--answer", short)
    mail = message_from_bytes((ben.folder / answered["mail"]).read_bytes())
    assert mail["To"] == "ann@example.org"
    answer = answered["file"]
    begun = turnfile.read((ben.folder / answer).read_bytes()).entries[0]
    assert begun.fields["options"] == listed["options"] and begun.seat == "white"
    assert (begun.fields["clock"], begun.fields["leave-days"]) == ("30+3", 20)
    (kept_for,) = begun.list("invites")
    assert kept_for.split(" ")[0] == "black" and kept_for.split(" ")[1] == listed["key"]
    assert cleo.types("join", answer)[0] == 1
    _, _, told = ann.types("join", answer)
    assert f"pbem seek --taken {short}" in told
    joined = max(ann.folder.glob("backgammon-*-0001.toml"))
    game = replay(turnfile.read(joined.read_bytes()))
    assert [one.name for one in game.players if one is not None] == ["Ben", "Ann"]
    ann.does("seek", "--taken", short)
    board = cleo.does("seeks", ".")
    assert board["seeks"] == [] and board["left_out"]["taken"] == 1
    assert [one["state"] for one in ann.does("seek")["own"]] == ["taken"]


def test_the_list_ends_with_how_one_answers(ann: Player, ben: Player, cleo: Player) -> None:
    """What it says is typed as it stands there: for the first that fits and has no answer yet, in a
    folder with a blank in its name; and where the line would be long, in words."""
    club = ann.folder / "our club"
    club.mkdir()
    shorts = [one.does("seek", "backgammon", "--dir", str(club))["seek"][:8] for one in (ann, cleo)]
    narrowed = ("--game", "backgammon", "--language", "en")
    said = []
    for _ in shorts:
        code, out, _ = ben.types("seeks", "our club", *narrowed)
        told = re.fullmatch(r"To invite (Ann|Cleo): pbem (seeks .*)", out.splitlines()[-1])
        assert code == 0 and told is not None, out
        words = shlex.split(told[2])
        assert words[:-2] == ["seeks", "our club", *narrowed]
        made = ben.does(*words)
        (invited,) = (
            turnfile.read((ben.folder / made["file"]).read_bytes()).entries[0].list("invites")
        )
        listed = ben.does("seeks", "our club")["seeks"]
        (answered,) = (one for one in listed if one["seek"].startswith(words[-1]))
        assert invited.split(" ")[1] == answered["key"] and answered["name"] == told[1]
        said.append(words[-1])
    assert sorted(said) == sorted(shorts)
    assert "--answer" not in ben.types("seeks", "our club")[1], "both are answered"
    files = [f"our club/seek-{short}.toml" for short in shorts]
    _, out, _ = ann.types("seeks", *files, *("../club/" * 12 + file for file in files))
    assert f"To invite Cleo: the same line once more, with --answer {shorts[1]}" in out
    whole = seek_link("https://ann.example.org/pbem/", (ann.folder / files[1]).read_bytes())
    assert f"once more, with --answer {shorts[1]}" in ann.types("seeks", whole)[1]


def test_by_a_mail_a_mailbox_and_a_list(ann: Player, ben: Player) -> None:
    file = ann.does("seek", "backgammon")
    text = (ann.folder / file["text"]).read_text()
    data = (ann.folder / file["file"]).read_bytes()
    mail, quoting = EmailMessage(), EmailMessage()
    for one in (mail, quoting):
        one["From"], one["To"], one["Subject"] = "ann@example.org", "club@example.org", "A game?"
    mail.set_content(text)
    mail.add_attachment(data, "application", "octet-stream", filename=file["file"])
    (ann.folder / "mail.eml").write_bytes(bytes(mail))
    quoted = "> " + text.replace("\n", "\n> ")
    quoting.set_content(quoted, cte="quoted-printable")
    begin = b"From club@example.org Sat Nov 21 09:30:00 2026\n"
    (ann.folder / "club.mbox").write_bytes(b"".join([begin, bytes(quoting), b"\n"] * 3))
    (ann.folder / "seeks.json").write_text(json.dumps({"seeks": [data.decode()]}))
    (ann.folder / "seeks.txt").write_bytes(b"Our board\n\n" + data + data)
    boxed = (ann.folder / "club.mbox").read_bytes()
    assert len(list(find_seeks.seeks_in(boxed))) == 3
    for place in ("mail.eml", "club.mbox", "seeks.json", "seeks.txt", file["text"], "."):
        board = ben.does("seeks", place)
        assert [one["seek"] for one in board["seeks"]] == [file["seek"]], place
        assert not any(board["left_out"].values())


def test_the_terms_of_a_seek_are_refused_in_words(ann: Player) -> None:
    for arguments, code in (
        (("no-such-game",), 2),
        (("backgammon", "--days", "31"), 2),
        (("backgammon", "--seat", "nobody"), 1),
        (("backgammon", "--language", "English please"), 2),
        (("backgammon", "--page", "http://example.org"), 2),
        (("backgammon", "-m", "a" * 301), 2),
        (("backgammon", "--hide-mail"), 2),
        (("backgammon", "--taken", "1"), 2),
        (("loot", "--players", "3"), 1),
        (("tripoli", "--solitaire"), 1),
    ):
        said = ann.types("seek", *arguments)
        assert said[0] == code and said[2].startswith("pbem: "), (arguments, said)
    assert not list(ann.folder.iterdir()) and ann.does("seek")["own"] == []


def test_an_address_is_left_out_if_one_likes(ann: Player, ben: Player) -> None:
    file = ann.does("seek", "backgammon", "--hide-mail", "--chat", "ann, in the club's chat")
    assert "ann@example.org" not in (ann.folder / file["file"]).read_text()
    short = file["seek"][:8]
    assert ben.types("seeks", ".", "--answer", short, "--send")[0] == 1
    assert not list(ben.folder.glob("backgammon-*"))
    code, _, told = ben.types("seeks", ".", "--answer", short)
    assert code == 0 and "ann, in the club's chat" in told


def test_a_seek_is_answered_once(ann: Player, ben: Player) -> None:
    short = ann.does("seek", "backgammon")["seek"][:8]
    ben.does("seeks", ".", "--answer", short)
    assert ben.types("seeks", ".", "--answer", short)[0] == 1
    assert len(list(ben.folder.glob("backgammon-*.toml"))) == 1
    assert ann.types("seeks", ".", "--answer", short)[0] == 1


def test_whom_one_ignores(ann: Player, ben: Player, cleo: Player) -> None:
    short = ann.does("seek", "backgammon")["seek"][:8]
    answer = ben.does("seeks", ".", "--answer", short)["file"]
    ann.does("join", answer)
    ben.does("inbox", *(str(path) for path in ben.folder.glob("backgammon-*-0001.toml")))
    assert ben.does("seeks", ".")["seeks"][0]["played"] == 1
    ben.does("ignore", "Ann")
    assert ben.does("seeks", ".")["left_out"]["ignored"] == 1


def test_a_home_without_a_player_may_look(ann: Player, tmp_path: Path) -> None:
    ann.does("seek", "backgammon")
    nobody = Player("Nobody", tmp_path / "empty", ann.folder, in_process=True)
    assert len(nobody.does("seeks", ".")["seeks"]) == 1
    assert not (tmp_path / "empty").exists()


def test_a_claim_names_games_that_are_over(ann: Player, ben: Player) -> None:
    game = ann.does("new", "backgammon", "--match", "1")["file"]
    game = ben.does("join", game)["file"]
    ended = ann.does("resign", game, "--yes")["file"]
    seek = ann.does("seek", "backgammon", "--claim")
    newest = replay(turnfile.read((ann.folder / ended).read_bytes()))
    (claim,) = (
        line.strip(' ",')
        for line in (ann.folder / seek["file"])
        .read_text()
        .partition("results = [\n")[2]
        .splitlines()[:1]
    )
    game_id, digest = (unb64(word) for word in claim.split(" "))
    assert (game_id, digest) == (newest.game_id, newest.entries[-1].digest)
    (listed,) = ben.does("seeks", seek["file"])["seeks"]
    assert (listed["finished"], listed["results"]) == (1, 1)


def test_a_list_for_a_page(ann: Player, ben: Player) -> None:
    """What has ended or is damaged is not in it; an older list gives way, and nothing else does."""
    seek, ended = ann.does("seek", "backgammon"), ann.does("seek", "tripoli")
    (ann.folder / "torn.toml").write_bytes((ann.folder / seek["file"]).read_bytes()[:-9])
    ann.does("seek", "--taken", ended["seek"][:8])
    for _ in range(2):
        facts = ben.does("seeks", ".", "--list", "seeks.json")
        assert facts["listed"] == 1
        assert {name for name, count in facts["left_out"].items() if count} == {"taken", "damaged"}
    (ben.folder / "elsewhere").mkdir()
    for path in ann.folder.glob("*.to[m]l"):
        path.rename(ben.folder / "elsewhere" / path.name)
    assert [one["seek"] for one in ben.does("seeks", "seeks.json")["seeks"]] == [seek["seek"]]
    (ben.folder / "mine.json").write_text("{}")
    assert ben.types("seeks", "elsewhere", "--list", "mine.json")[0] == 4
    assert (ben.folder / "mine.json").read_text() == "{}"


def test_changed_seeks_end_in_words(ben: Player) -> None:
    """The command says what it left out, whatever is in the file."""
    rng, data = random.Random("seeks by command"), made(FULL, "full").data
    for _ in range(150):
        place = rng.randrange(len(data))
        changed = data[:place] + bytes([rng.randrange(256)]) + data[place + rng.randrange(3) :]
        (ben.folder / "given.toml").write_bytes(changed)
        code, out, err = ben.types("seeks", "given.toml", "--json")
        assert code == 0 and not err and set(json.loads(out)) >= {"seeks", "left_out"}
