"""The example game replays: every file verifies, every summary comes out the same, and the page
quotes the files."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from examples import make_summaries, paradise_turns
from pbem.fileformat import turnfile
from pbem.games.backgammon.match_files import mat
from pbem.ledger.gate import replay
from pbem.report import dice_count, verification
from pbem.report.log import record_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "tripoli"
EARLY, LAST = sorted(FOLDER.glob("*.toml"))
PAGE = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")


def test_the_game_verifies_and_was_won() -> None:
    facts, failure = verification.verify(LAST.read_bytes())
    assert failure is None
    assert facts.result.winners and facts.result.proven is True
    assert facts.rolls > 10


def test_the_early_file_is_the_beginning_of_the_last() -> None:
    early, last = EARLY.read_bytes(), LAST.read_bytes()
    assert last.startswith(early) and len(early) < len(last)
    facts, failure = verification.verify(early)
    assert failure is None and facts.result is None


@pytest.mark.parametrize(
    ("name", "count"),
    [("tripoli", None), ("solitaire", 3), ("loot", 5), ("paradise", 3), ("backgammon", 2)],
)
def test_every_summary_comes_out_the_same(name: str, count: int | None) -> None:
    """`./run golden` writes them anew."""
    folder = ROOT / "examples" / name
    texts = make_summaries.made(folder)
    assert set(texts) == set(folder.glob("*.md"))
    assert len(texts) == (count or len(turnfile.read(LAST.read_bytes()).entries))
    for path, text in texts.items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_the_match_of_backgammon_verifies_and_its_export_is_what_it_holds() -> None:
    (path,) = (ROOT / "examples" / "backgammon").glob("*.toml")
    facts, failure = verification.verify(path.read_bytes())
    assert failure is None and facts.result.proven is True
    game = replay(turnfile.read(path.read_bytes()))
    assert (path.parent / "match.mat").read_text(encoding="utf-8") == mat(record_of(game))
    fields = [entry.fields for entry in game.entries]
    assert any("chosen" in one for one in fields) and any(
        "cube:" in str(one.get("orders")) for one in fields
    )


def test_the_page_quotes_what_is_there() -> None:
    file = turnfile.read(EARLY.read_bytes())
    sections = re.split(r"^## Entry ", PAGE, flags=re.MULTILINE)[1:]
    assert len(sections) == len(file.entries)
    text = EARLY.read_text(encoding="utf-8")
    stem = EARLY.name.rsplit("-", 1)[0]
    for number, section in enumerate(sections):
        summary = (FOLDER / f"{stem}-{number:04}.md").read_text(encoding="utf-8").splitlines()
        end = file.entries[number].end
        block = (
            EARLY.read_bytes()[file.entries[number - 1].end if number else 0 : end]
            .decode()
            .splitlines()
        )
        quotes = re.findall(r"```(\w*)\n(.*?)```", section, re.DOTALL)
        assert quotes[0][1].startswith("pbem ")
        assert [kind for kind, _ in quotes].count("toml") == 1
        for kind, quoted in quotes[1:]:
            for line in quoted.splitlines():
                assert line in (block if kind == "toml" else summary) or line == "  ...", line
        dice = re.findall(r"^- (.*?): ([1-6 ]+) \(from byte", section, re.MULTILINE)
        rolls = [
            roll for roll in dice_count.dice(text.encode()).rolls if roll.chance.entry == number
        ]
        assert dice == [(roll.reason, " ".join(map(str, roll.dice))) for roll in rolls]
    assert any("from byte" in section for section in sections), "some dice fall in the first season"


def test_the_page_names_the_files() -> None:
    for name in re.findall(r"examples/tripoli/([\w.-]+)", PAGE):
        assert (FOLDER / name).is_file(), name
    assert LAST.name in PAGE


@pytest.mark.skipif(sys.platform == "win32", reason="the page shows the paths of POSIX")
def test_nothing_names_the_machine_it_was_made_on() -> None:
    for path in (ROOT / "examples").rglob("*"):
        if path.is_file() and path.suffix in (".md", ".toml"):
            assert not re.search(
                r"/(tmp|home|Users|root|work)/", path.read_text(encoding="utf-8")
            ), path


def test_the_paradise_game_verifies_and_its_page_tells_it_turn_by_turn() -> None:
    folder = ROOT / "examples" / "paradise"
    (last,) = folder.glob("*.toml")
    file = turnfile.read(last.read_bytes())
    facts, failure = verification.verify(file.data)
    assert failure is None
    assert facts.result.winners == ["tonga"] and facts.witnessed is True
    page = paradise_turns.PAGE.read_text(encoding="utf-8")
    told = page.split(paradise_turns.BEGIN)[1].split(paradise_turns.END)[0]
    assert told == paradise_turns.section(file.data, last.name)
    assert told.count("\n### Turn ") > 5 and "practice set, unofficial" in told


def test_the_loot_game_verifies() -> None:
    folder = ROOT / "examples" / "loot"
    (last,) = folder.glob("*.toml")
    file = turnfile.read(last.read_bytes())
    facts, failure = verification.verify(file.data)
    assert failure is None
    assert facts.result.proven is True
    assert len(facts.players) == 3
