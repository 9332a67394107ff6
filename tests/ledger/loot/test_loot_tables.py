"""Several want to play one game of Loot: typed with the real commands, files from home to home,
each shuffle real. It ends at one table, that of the inviter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import app
from pbem.fileformat import turnfile
from pbem.home.joins import goes_before
from tests.support.golden_words import Golden
from tests.support.loot_homes import Commands

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon", "Kay", "Leo", "Max")


class People:
    """Each with a home and a folder of their own, in which their files lie."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.run = run = Commands(folder, patch, capsys)
        self._patch, self._capsys = patch, capsys
        for player, name in enumerate(NAMES):
            run(player, "id", "--name", name)
            self.folder(player).mkdir()

    def folder(self, player: int) -> Path:
        return self.run.folder / NAMES[player]

    def does(self, player: int, *arguments: str, code: int = 0) -> Any:
        """A command in JSON that writes into the player's folder."""
        return self.run(player, *arguments, "--dir", str(self.folder(player)), code=code)

    def joins(self, player: int, file: str) -> str:
        return str(self.does(player, "join", file)["file"])

    def says(self, player: int, *arguments: str) -> str:
        """What a command prints, and is told beside it."""
        self._patch.setenv("PBEM_HOME", str(self.run.folder / f"home{player}"))
        self._capsys.readouterr()
        with pytest.raises(SystemExit):
            app.run(list(arguments))
        printed = self._capsys.readouterr()
        return f"{printed.out}\n{printed.err}"


@pytest.fixture
def they(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> People:
    return People(tmp_path, monkeypatch, capsys)


def read(file: str) -> turnfile.TurnFile:
    return turnfile.read(Path(file).read_bytes())


def takes(they: People, player: int, file: str, code: int = 0) -> dict[str, Any]:
    return dict(they.run(player, "inbox", file, code=code))


@pytest.mark.dear("types some fifty commands")
def test_four_who_fill_two_tables_play_at_one(they: People) -> None:
    """Ben and Cat join the invitation; Dan joins the file of one of them, the other one joins that
    too; the first one has not heard of it, gives way to the shorter chain and is followed there. So
    two tables are full, with the same four people."""
    invitation = they.does(0, "new", "loot", "--players", "4")["file"]
    joined = {player: they.joins(player, invitation) for player in (1, 2)}
    early, late = sorted(joined, key=lambda one: read(joined[one]).entries[-1].after)
    other = they.joins(late, joined[early])
    for dan in range(3, len(NAMES)):  # another one, where the join of the first goes before
        third = they.joins(dan, joined[late])
        if goes_before(read(other), read(third)):
            break
    else:
        raise AssertionError("all of them go before: once in a thousand times")
    full = they.joins(early, third), they.joins(dan, other)
    assert {len(read(file).entries) for file in full} == {4}
    # Ann is asked with a short name for each, and nobody else has anything to decide
    for file in (third, other, *full):
        takes(they, 0, file)
    (game,) = takes(they, 0, full[0])["games"]
    assert {table["name"].partition("@")[2] for table in game["tables"]} == {"ben", "cat"}
    asked = they.run(0, "play", game["short"], code=4)["error"]
    assert "you choose: " in asked and f"pbem play {game['short']}@" in asked
    for player in (early, late, dan):
        for file in full:
            takes(they, player, file)
        # whose join is the newest one gets it once more; which of the two tables that is hangs on
        # digests, and so on the time of day
        folder = str(they.folder(player))
        said = they.run(player, "play", game["short"], "--dir", folder, code=None)
        if "file" in said:
            again = Path(said["file"]).read_bytes()
            assert again in [Path(file).read_bytes() for file in full], "nothing new is signed"
        else:
            assert "not your turn" in said["error"]
    # she goes on with the one; everybody follows, whichever they joined last
    last = they.does(0, "play", f"{game['short']}@{NAMES[late].casefold()}")
    seats = [late, dan, early]
    for player in seats:
        found = takes(they, player, last["file"])
        assert [item["kind"] for item in found["files"]] == ["new"]
    for player in seats:
        facts = they.does(player, "play", game["short"])
        for other_player in (0, *seats):
            if other_player != player:
                takes(they, other_player, facts["file"])
    shown = they.run(0, "show", game["short"])
    assert shown["asked"]["what"] == "answer" and len(shown["hand"]) == 6
    assert [one["name"] for one in shown["players"]] == ["Ann", *(NAMES[one] for one in seats)]
    assert they.run(0, "verify", facts["file"])["ok"] is True


def test_the_inviter_is_asked_which_of_two_and_the_other_is_told(
    they: People, golden: Golden
) -> None:
    """Ben's, which Cat has joined, or Dan's; whoever joins a second seat is told so."""
    invitation = they.does(0, "new", "loot", "--players", "3")["file"]
    ben, dan = they.joins(1, invitation), they.joins(3, invitation)
    full = they.joins(2, ben)
    for file in (ben, dan, full):
        takes(they, 0, file)
    (game,) = takes(they, 0, full)["games"]
    names = [(table["name"], table["players"], table["free"]) for table in game["tables"]]
    short = game["short"]
    assert sorted(names) == [
        (f"{short}@ben", ["Ben", "Cat"], False),
        (f"{short}@dan", ["Dan"], True),
    ]
    listed = they.says(0, "inbox")
    golden(*(line for line in listed.splitlines() if f"pbem play {short}@" in line))
    asked = they.run(0, "play", short, code=4)["error"]
    golden(asked)
    assert str(they.run.folder) not in asked, "no paths"
    assert they.run(0, "show", f"{short}@dan")["asked"]["what"] == "join"
    said = they.says(0, "show", f"{short}@ben")
    assert "another version" not in said and ".toml" not in said, "two joins are no two versions"
    last = they.does(0, "play", f"{short}@ben")
    # Dan's join has come to nothing: they are told, nothing is asked of them, and theirs is no
    # game that waits for others
    takes(they, 3, last["file"])
    (left,) = takes(they, 3, last["file"])["games"]
    assert left["seat"] is None and not left["yours"]
    listed = they.says(3, "inbox")
    golden(listed)
    # a join that comes later disturbs nobody
    said = they.says(3, "show", short)
    golden(*(line for line in said.splitlines() if "no seat" in line))
    eve = they.joins(4, dan)
    (item,) = takes(they, 0, eve)["files"]
    assert item["kind"] == "rival"
    golden(item["reason"])
    assert takes(they, 0, eve)["games"][0]["tables"] == []


def test_who_joins_a_second_seat_is_told_so(they: People, golden: Golden) -> None:
    """Of two who join the invitation the one whose join comes after joins on the other's file."""
    invitation = they.does(0, "new", "loot", "--players", "3")["file"]
    joined = {player: they.joins(player, invitation) for player in (1, 2)}
    early, late = sorted(joined, key=lambda one: read(joined[one]).entries[-1].after)
    takes(they, late, joined[early])
    said = they.says(late, "join", joined[early], "--dir", str(they.folder(late)))
    golden(*(line for line in said.splitlines() if "seat second" in line))
    # and whose join goes before is told that nothing is theirs to do
    (item,) = takes(they, early, joined[late])["files"]
    assert item["kind"] == "rival"
    golden(item["reason"])
