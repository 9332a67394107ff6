"""`pbem help`, what `--help` says of orders and options, and `pbem log`."""

from __future__ import annotations

import itertools
import json
import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rich.cells import cell_len

from pbem.games import registry
from pbem.report import laid_out, pages
from tests.support.begun_game import BegunGame

ROOT = Path(__file__).parents[2]
DOCS = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


@pytest.fixture
def begun(looked_at: BegunGame) -> BegunGame:
    """Nothing here writes a turn."""
    return looked_at


def told(begun: BegunGame, *words: str) -> str:
    code, out, err = begun.ann.types(*words)
    assert (code, err) == (0, ""), words
    return out


def test_every_page_for_players_is_listed_and_all_come_with_the_wheel(begun: BegunGame) -> None:
    listed = told(begun, "help")
    assert {topic for topic in DOCS if f"\n  {topic} " not in listed} == {*pages.FOR_PROGRAMS}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {name for name in included if name.startswith("docs/")} == {
        f"docs/{topic}.md" for topic in DOCS
    }
    assert all(included[f"docs/{topic}.md"] == f"pbem/docs/{topic}.md" for topic in DOCS)


@pytest.mark.parametrize("topic", DOCS)
def test_a_page_is_printed_as_it_is_written(begun: BegunGame, topic: str) -> None:
    assert told(begun, "help", topic).rstrip("\n") == (ROOT / "docs" / f"{topic}.md").read_text(
        "utf-8"
    ).rstrip("\n")


def test_topics_are_also_commands_games_and_words_cut_short(begun: BegunGame) -> None:
    assert told(begun, "help", "moves") == told(begun, "moves", "--help")
    assert told(begun, "help", "trip") == told(begun, "help", "tripoli")
    assert "solitaire" in told(begun, "help", "tripoli-solitaire")
    code, _, err = begun.ann.types("help", "../README")
    assert code == 2 and '"../README"' in err
    code, _, err = begun.ann.types("help", "t")
    assert code == 2 and all(page in err for page in ("tripoli", "turn", "table", "trust"))


@pytest.mark.dear("opens pseudo-terminals")
@pytest.mark.parametrize(
    ("width", "colour", "topic"),
    [
        *((60, False, ""), (120, True, "mail")),
        *(
            pytest.param(*seen, "", marks=pytest.mark.slow)
            for seen in itertools.product((60, 80, 120), (True, False))
        ),
    ],
)
def test_a_terminal_gets_pages_that_fit_it(width: int, colour: bool, topic: str) -> None:
    """Every page, or that of the topic."""
    for page in [page for page in pages.pages() if topic in ("", page.topic)]:
        drawn = laid_out.draw(pages.text(page), width, colour=colour)
        assert ("\x1b[" in drawn) is colour
        if not colour:
            assert max(map(cell_len, drawn.splitlines())) <= width


def test_a_long_page_goes_through_the_pager(begun: BegunGame, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {seen}\n", encoding="utf-8")
    pager.chmod(0o755)
    env = {**os.environ, "PBEM_HOME": str(begun.ann.home), "PAGER": str(pager), "TERM": "xterm"}
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "pbem", "help", "solitaire"]
    subprocess.run(
        command,
        cwd=begun.folder,
        env=env,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        check=True,
    )
    os.close(follower)
    os.close(leader)
    assert "Sweden Pays Tribute" in seen.read_text(encoding="utf-8")


def test_help_names_the_topics_of_orders_and_the_settings_of_each_game(begun: BegunGame) -> None:
    played, made = told(begun, "play", "--help"), told(begun, "new", "--help")
    simulated = " ".join(told(begun, "simulate", "--help").split())
    words = " ".join(played.split())
    for game in ("tripoli", "tripoli-solitaire", "loot"):
        rules = registry.newest(game)
        for seat, _ in enumerate(rules.seats(dict(rules.defaults))):
            assert all(topic in words for topic in rules.order_topics(seat))
        for setting in rules.settings:
            assert setting in made and setting in simulated
        assert f"--option NAME in {game}" in made
    assert '--order "TOPIC: WHAT" in tripoli:' in played and "--order" not in told(
        begun, "moves", "--help"
    )
    assert "--option NAME in" not in told(begun, "new", "tripoli", "--help")


# ---- the story -----------------------------------------------------------------------------------


def test_the_log_tells_every_entry(begun: BegunGame) -> None:
    text = told(begun, "log", begun.last)
    assert [
        line.rpartition(", ")[2]
        for line in text.splitlines()
        if line.startswith(("Ann, ", "Ben, "))
    ] == [f"turn {number}" for number in range(4)]
    assert "Thomas Jefferson" in text and "Murad Reis" in text
    markdown = told(begun, "log", begun.last, "--format", "md")
    assert markdown.startswith("# ") and markdown.count("\n## ") == 4


def test_the_log_of_some_entries(begun: BegunGame) -> None:
    text = told(begun, "log", begun.last, "--from", "2", "--to", "2")
    assert text.count(", turn ") == 1 and "Thomas Jefferson" in text and "Murad" not in text
    facts = json.loads(told(begun, "log", begun.last, "--from", "1", "--to", "2", "--json"))
    assert [entry["number"] for entry in facts["entries"]] == [1, 2] and facts["last"] == 3
    for wrong in (["--from", "4"], ["--to", "-1"], ["--from", "3", "--to", "1"], ["--from", "x"]):
        assert begun.ann.types("log", begun.last, *wrong)[0] == 2


def test_the_public_log_names_no_card_of_a_hand(begun: BegunGame) -> None:
    hand = begun.ann.does("show", begun.last)["hand"]
    assert any(card in told(begun, "log", begun.last) for card in hand)
    public = told(begun, "log", begun.last, "--public")
    assert not [card for card in hand if card in public]
    code, seen_by_ben, _ = begun.ben.types("log", begun.last)
    assert code == 0 and not [card for card in hand if card in seen_by_ben]


def test_the_log_of_a_game_that_is_over_ends_with_the_result(finished: BegunGame) -> None:
    facts = finished.ann.does("log", finished.last)
    assert facts["over"]["proven"] and len(facts["entries"]) == facts["last"] + 1
    assert " won: " in told(finished, "log", finished.last).splitlines()[-1]
    assert finished.ann.does("log", finished.last, "--to", "5")["over"] is None
