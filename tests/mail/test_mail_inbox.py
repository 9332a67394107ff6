"""What comes in: found wherever it lies, however it was mangled, verified, kept, and named with the
reason."""

from __future__ import annotations

import json
import mailbox as standard
import random
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli import app
from pbem.cli import inbox as command
from pbem.errors import CONFLICT, DONE, INVALID, Conflict, Malformed, Usage
from pbem.fileformat import armor
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail import find_turns, turn_files
from pbem.turn import carried, game_list, inbox, joining, named_file, open_game, questions, signing
from tests.support import read_game
from tests.support.effort import examples
from tests.support.homes import another_computer
from tests.support.mail_kit import Played, go_on, mail_of, make_home, one_entry, start


def turns(data: bytes) -> list[bytes | None]:
    return [found.data for found in find_turns.turns_in(data, "x")]


def letter(text: str, subtype: str = "plain") -> bytes:
    message = EmailMessage()
    message["Subject"] = "Re: your move"
    message.set_content(text, subtype=subtype)
    return message.as_bytes()


prefixes = st.lists(st.sampled_from(["> ", ">", "  ", "\t", "| ", "Ben> "]), max_size=4).map(
    "".join
)


@examples(50)
@given(
    st.binary(min_size=1, max_size=900),
    prefixes,
    st.integers(20, 200),
    st.booleans(),
    st.booleans(),
)
def test_quoted_and_wrapped_anew(
    data: bytes, prefix: str, width: int, crlf: bool, joined: bool
) -> None:
    text = armor.wrap(data)
    begin, *lines, end = text.strip().split("\n")
    block = "".join(lines)
    wrapped = [block[at : at + width] for at in range(0, len(block), width)] if joined else lines
    quoted = "\n".join(prefix + line for line in (begin, *wrapped, end))
    mangled = f"Hello,\nhere it is:\n\n{quoted}\n\nBye\n"
    raw = mangled.replace("\n", "\r\n" if crlf else "\n").encode()
    assert turns(raw) == [data]
    assert turns(letter(mangled)) == [data]


def test_marks_may_be_wrapped_too() -> None:
    text = armor.wrap(b"turn" * 30).replace(" ", "\n> > ")
    assert turns(text.encode()) == [b"turn" * 30]


def test_html_only(played: Played) -> None:
    lines = armor.wrap(played.newest).strip().split("\n")
    page = (
        "<div>Hi &amp; hello<br>"
        + "<br>\n".join(f"<span>&gt;&nbsp;{line}</span>" for line in lines)
        + "</div>"
    )
    assert turns(letter(page, "html")) == [played.newest]


def test_forwarded_and_answered_mails(played: Played) -> None:
    inner = EmailMessage()
    inner["Subject"] = "turn"
    inner.set_content("see attachment")
    inner.add_attachment(played.newest, "text", "plain; charset=utf-8", filename="a.toml")
    outer = EmailMessage()
    outer["Subject"] = "Fwd: turn"
    outer.set_content("look")
    outer.add_attachment(inner)
    assert turns(outer.as_bytes()) == [played.newest]
    old, new = played.files[-2:]
    answer = letter(
        armor.wrap(new) + "\nOn Monday you wrote:\n> " + armor.wrap(old).replace("\n", "\n> ")
    )
    assert turns(answer) == [new, old]
    assert carried.turn_or_whole(answer, "x") == new


def test_line_ends_and_marks_of_mail_programs(played: Played) -> None:
    crlf = played.newest.replace(b"\n", b"\r\n")
    assert turns(b"\xef\xbb\xbf" + crlf) == [crlf]
    assert turns(mail_of(played.newest).replace(b"\r\n", b"\n")) == [played.newest]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00" * 500,
        b"Subject: x\n" * 3000,
        b"Content-Type: multipart/mixed; boundary=\n\n--\n--\n",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2000)
        ),
        b"Content-Type: text/plain; charset=nothing\nContent-Transfer-Encoding: base64\n\n!!!!",
        b"Subject: =?x?q?=?=\nContent-Type: text/html\n\n" + b"<" * 90_000,
        armor.BEGIN.encode() * 60_000,
        b"Subject: x\n\n" + (armor.BEGIN + "\nA\n" + armor.END + "\n").encode() * 3000,
    ],
    ids=range(9),
)
def test_hostile_mails_are_quick_and_quiet(raw: bytes) -> None:
    assert [found for found in find_turns.turns_in(raw, "x") if found.data] == []


def test_damaged_armor_is_named(played: Played) -> None:
    text = armor.wrap(played.newest).replace("\n", "!\n", 5)
    (found,) = find_turns.turns_in(letter(text), "x")
    assert found.data is None
    assert "damaged" in found.problem
    with pytest.raises(Malformed, match="damaged"):
        carried.turn_or_whole(letter(text), "x")


def places(folder: Path, files: list[bytes]) -> dict[str, Path]:
    """The same mails as a folder of files, of drafts, as an mbox, as Maildirs and as one text."""
    made = {name: folder / name for name in ("toml", "eml", "maildir", "deep", "box.mbox")}
    for name in ("toml", "eml", "deep"):
        made[name].mkdir()
    box = standard.mbox(made["box.mbox"])
    kept = standard.Maildir(made["maildir"])
    below = standard.Maildir(made["deep"] / "Games")
    for number, data in enumerate(files):
        (made["toml"] / f"t{number}.toml").write_bytes(data)
        (made["eml"] / f"t{number}.eml").write_bytes(mail_of(data))
        for where in (box, kept, below):
            where.add(mail_of(data))
    box.close()
    (made["toml"] / "picture.png").write_bytes(b"\x89PNG" + bytes(200))
    (made["toml"] / "notes.txt").write_text("nothing to see")
    return made


def test_every_kind_of_place(played: Played, tmp_path: Path) -> None:
    for path in places(tmp_path, played.files[-3:]).values():
        found = list(turn_files.look(path))
        assert sorted(one.data or b"" for one in found) == sorted(played.files[-3:]), path
    with pytest.raises(Usage, match=re.escape(str(tmp_path / "nowhere"))):
        list(turn_files.look(tmp_path / "nowhere"))
    (found_one,) = turn_files.look(tmp_path / "toml" / "notes.txt")
    assert found_one.problem == turn_files.NOTHING


def sort(home: Home, *datas: bytes) -> inbox.Inbox:
    box = inbox.Inbox(home)
    box.take(find_turns.Found(f"mail {number}", data) for number, data in enumerate(datas))
    return box


def kinds(box: inbox.Inbox) -> list[str]:
    return [item.kind for item in box.items]


def test_new_stale_duplicate_and_what_is_owed(tmp_path: Path) -> None:
    game = start(tmp_path)
    game.files.append(one_entry(game, game.newest, random.Random(3)))
    ben = game.homes["tripolitan"]
    next(ben.folder.glob("games/*/read/0000-*.toml")).unlink()
    box = sort(ben, game.files[2], game.files[0], game.files[2], game.files[1])
    assert kinds(box) == ["new", "stale", "duplicate", "duplicate"]
    assert box.items[3].reason != box.items[2].reason, "Ben wrote one of them"
    assert box.exit_code() == DONE
    (facts,) = game_list.games(ben, ben.identity()).games
    assert facts.yours == (facts.to_act == "tripolitan")
    assert facts.opponents == [game_list.SeatHolder("american", "Ann")]
    assert facts.when == "Spring 1801"
    assert facts.due
    assert game_list.games(ben, ben.identity()).games == [facts]
    assert (ben.folder / "games" / facts.game_id[:32] / "summary.json").exists()
    assert game_index.newest_path(ben, facts.short).read_bytes() == game.newest


def test_two_versions_are_named_and_both_kept(tmp_path: Path) -> None:
    game = start(tmp_path)
    cheats = [one_entry(game, game.newest, random.Random(seed), keep=False) for seed in (1, 2)]
    ben = game.homes["tripolitan"]
    box = sort(ben, *cheats)
    assert kinds(box) == ["new", "fork"]
    assert "american" in box.items[1].reason
    assert box.exit_code() == CONFLICT
    (facts,) = game_list.games(ben, ben.identity()).games
    assert len(facts.forked) == 2
    assert {Path(path).read_bytes() for path in facts.forked} == set(cheats)
    with pytest.raises(Conflict, match="two versions"):
        game_index.newest_path(ben, facts.short)


def test_a_version_that_was_answered_settles_it(tmp_path: Path) -> None:
    game = start(tmp_path)
    cheats = [one_entry(game, game.newest, random.Random(seed), keep=False) for seed in (1, 2)]
    ben = game.homes["tripolitan"]
    answered = one_entry(game, cheats[0], random.Random(1))
    box = sort(ben, cheats[1])
    assert kinds(box) == ["conflict"]
    (facts,) = game_list.games(ben, ben.identity()).games
    assert facts.forked == []
    assert game_index.newest_path(ben, facts.short).read_bytes() == answered


def test_foreign_and_invalid_files(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    broken = played.newest.replace(b"Good luck!", b"Bad luck!!", 1)
    box = sort(home, played.newest, broken, played.newest[:-40], b"format = nonsense")
    assert kinds(box) == ["foreign", "invalid", "invalid", "invalid"]
    assert "signature" in box.items[1].reason
    assert box.exit_code() == INVALID
    assert game_list.games(home, home.identity()).games == []


def test_an_invitation_waits_for_whoever_reads_it(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    sort(home, played.files[0])
    (facts,) = game_list.games(home, home.identity()).games
    assert facts.yours
    assert facts.seat is None


def test_restored_homes_stop(tmp_path: Path) -> None:
    game = go_on(start(tmp_path), 2)
    ben = game.homes["tripolitan"]
    new = Home(tmp_path / "restored")
    identity = ben.identity()
    new.create("Ben", "", identity.seed, "")
    assert kinds(sort(new, game.newest)) == ["mended", "new"], "it was signed on this computer"
    with another_computer():
        other = Home(tmp_path / "other")
        other.create("Ben", "", identity.seed, "")
        assert kinds(sort(other, game.newest)) == ["conflict"]


def run(home: Home, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setenv("PBEM_HOME", str(home.folder))
    with pytest.raises(SystemExit) as end:
        app.run(list(arguments))
    return int(end.value.code or 0)


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = start(tmp_path, names=("Ann", "Ben"))
    game.files.append(one_entry(game, game.newest, random.Random(3)))
    ben = game.homes["tripolitan"]
    folder = tmp_path / "mails"
    folder.mkdir()
    signing.write_turn(game.newest, folder, game.homes["american"])
    monkeypatch.chdir(tmp_path)
    assert run(ben, monkeypatch, "inbox", str(folder), "--json") == DONE
    facts = json.loads(capsys.readouterr().out)
    assert [file["kind"] for file in facts["files"]] == ["new", "duplicate"]
    short = facts["games"][0]["short"]
    assert run(ben, monkeypatch, "inbox") == DONE
    assert short in capsys.readouterr().out
    for name in (short, short.split("-")[1], short.split("-")[1][:4]):
        assert run(ben, monkeypatch, "show", name, "--json") == DONE
        assert json.loads(capsys.readouterr().out)["entry"] == 2
    assert run(ben, monkeypatch, "verify", short) == DONE
    assert run(ben, monkeypatch, "verify", str(next(folder.glob("*.eml")))) == DONE
    capsys.readouterr()
    assert run(ben, monkeypatch, "show", "tripoli-00000000") == 2
    assert "pbem inbox" in capsys.readouterr().err
    (folder / "bad.eml").write_bytes(mail_of(game.newest)[:2000])
    (folder / "bad.toml").write_bytes(game.newest[:-5])
    assert run(ben, monkeypatch, "inbox", str(folder)) == INVALID
    assert "bad.toml" in capsys.readouterr().out


def test_playing_by_short_name_writes_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = start(tmp_path)
    short = game_index.short_name(read_game.replay_bytes(game.newest))
    home = game.homes["american"]
    sort(home, game.newest)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    facts = questions.moves(open_game.open_file(named_file.find(Path(short), home).turn, home), [])
    code = run(home, monkeypatch, "play", short, facts.options[0], "--no-mail")
    if code == DONE:
        assert sorted(path.suffix for path in here.iterdir()) == [".md", ".toml"]


def test_the_places_of_the_settings(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    place = tmp_path / "in"
    place.mkdir()
    (place / "a.toml").write_bytes(played.files[0])
    (home.folder / "mail.toml").write_text(f"inbox = ['{place}']\n")
    facts, text, code = command.look(home, [])
    assert code == DONE
    assert len(facts.games) == 1
    assert "an invitation" in text


def test_a_name_that_fits_nothing_or_several_names_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    home = make_home(tmp_path / "ann")
    assert run(home, monkeypatch, "show", "tripoli-1a2b") == 2
    said = capsys.readouterr().err
    assert 'no file "tripoli-1a2b"' in said and "pbem inbox" in said
    shorts = []
    for number, name in enumerate(("Ben", "Eve")):
        invitation = start(tmp_path / f"game{number}", names=(name, "Zoë")).files[0]
        sort(home, invitation)
        shorts.append(game_index.short_name(read_game.replay_bytes(invitation)))
        if not number:
            assert game_index.newest_path(home, "tripoli").read_bytes() == invitation
    sort(
        home,
        *(joining.invite(home, joining.NewGame("loot", options={"players": 2})),),
    )
    for name in ("tripoli", "tripoli-"):
        assert run(home, monkeypatch, "show", name) == 2
        said = capsys.readouterr().err
        assert f'"{name}"' in said and "loot" not in said
        for short, player in zip(shorts, ("Ben", "Eve"), strict=True):
            assert f"{short} ({player})" in said
    assert run(home, monkeypatch, "show", "nonsense") == 2
    said = capsys.readouterr().err
    assert all(short in said for short in shorts) and "loot-" in said
    assert run(home, monkeypatch, "show", "loot") == 0
    assert run(home, monkeypatch, "show", "nonsense.toml") == 2
    assert "cannot read" in capsys.readouterr().err
