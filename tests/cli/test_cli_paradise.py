"""Conquest of Paradise from the command line: half-filled data, what `new` tells, and what `play`
prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP
from tests.support.starter import types


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "mails").mkdir()
    assert (
        types(
            tmp_path / "home",
            tmp_path / "mails",
            "id",
            "--name",
            "Ann",
            "--mail",
            "ann@example.org",
        )[0]
        == 0
    )
    return tmp_path / "home"


def newest(folder: Path) -> str:
    return max(path.name for path in folder.glob("paradise-*.toml"))


def test_data_that_are_begun_are_looked_through_and_left_out(
    home: Path, tmp_path: Path, golden: Golden
) -> None:
    mails = tmp_path / "mails"
    assert types(home, mails, "data", "paradise", "copy")[0] == 0
    some = "\n".join(line.removeprefix("map: ") for line in SMALL_MAP)
    (mails / "copy" / "map.txt").write_text(some, encoding="utf-8")
    code, out, err = types(home, mails, "data", "paradise", "copy")
    assert (code, err) == (0, "") and "chits.txt" in out
    facts = json.loads(types(home, mails, "data", "paradise", "copy", "--json")[1])
    (missing,) = facts["incomplete"].items()
    assert missing[0] == "copy/map.txt" and missing[1].startswith("14 hexes") and missing[1] in out
    assert (mails / "copy" / "map.txt").read_text(encoding="utf-8") == some
    code, _, err = types(home, mails, "new", "paradise", "--data", "copy", "--no-mail")
    assert code == 0
    golden(err)
    assert b"hex samoa" not in (mails / newest(mails)).read_bytes()
    (mails / "copy" / "map.txt").write_text(f"{some}\ncomplete\n", encoding="utf-8")
    code, _, err = types(home, mails, "new", "paradise", "--data", "copy", "--no-mail")
    assert code == 0 and "map.txt" not in err and " map, cards" in err
    assert any(b"hex samoa" in path.read_bytes() for path in mails.glob("*.toml"))


def test_every_file_of_data_is_looked_at_whatever_is_wrong_with_another(
    home: Path, tmp_path: Path
) -> None:
    mails = tmp_path / "mails"
    assert types(home, mails, "data", "paradise", "copy")[0] == 0
    copy = mails / "copy"
    (copy / "chits.txt").write_bytes(b"\xff\xfe no text")
    (copy / "map.txt").write_text(
        "hex samoa 0 0 known\nhex tonga 0 one known\nhex niue far off\n", encoding="utf-8"
    )
    (copy / "tiles.txt").write_text(
        "rarotonga: 3 boxes 2 green\npukapuka: 9 boxes 9 green\n", encoding="utf-8"
    )
    (copy / "cards.txt").write_text("hula: other\npoi: movement\n", encoding="utf-8")
    (copy / "setup.txt").write_text("boxes 4\n", encoding="utf-8")
    code, out, err = types(home, mails, "data", "paradise", "copy")
    told = dict(line.split(": ", 1) for line in out.splitlines() if line.startswith("copy"))
    assert (code, err) == (2, "")
    assert "UTF-8" in told["copy/chits.txt"]
    assert '"hex tonga 0 one known"' in told["copy/map.txt, line 2"]
    assert "1 to 4 boxes" in told["copy/tiles.txt, line 2"]
    assert (told["copy/cards.txt"], told["copy/setup.txt"]) == ("2 lines", "1 line")
    assert set(told) & {"copy/map.txt", "copy/tiles.txt"} == set(), "a file is told once"
    facts = json.loads(types(home, mails, "data", "paradise", "copy", "--json")[1])
    assert sorted(facts["wrong"]) == ["copy/chits.txt", "copy/map.txt", "copy/tiles.txt"]
    code, _, err = types(home, mails, "new", "paradise", "--data", "copy", "--no-mail")
    assert code == 2 and "copy/chits.txt: " in err, "a game needs all of it"


def test_play_prints_what_came_of_the_answers(home: Path, tmp_path: Path) -> None:
    """Dice, the chit, and each step with its section and ruling; a refusal names the ruling."""
    mails = tmp_path / "mails"
    types(home, mails, "new", "paradise", "--no-mail")
    answers = (
        "samoa has 4 boxes; samoa starts with nothing; discover 1 from tonga 1 from samoa: atoll"
    )
    code, out, _ = types(home, mails, "play", newest(mails), answers)
    assert code == 0 and all(word in out for word in ("Group 1", "die ", "ruling 17"))
    code, out, _ = types(
        home, mails, "play", newest(mails), "exploration complete; movement complete; victory 3"
    )
    assert code == 0 and " chit " in out and "practice set" in out
    code, _, err = types(
        home, mails, "play", newest(mails), "discover 5 from tonga 2 from samoa: atoll"
    )
    assert code != 0 and "ruling" in err
