"""Questions asked of a library: what they count, what they leave out, and what they say against
what they are given."""

from __future__ import annotations

import json
import sqlite3
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.errors import plain
from pbem.errors import Damaged, Refused, Usage
from pbem.library import asking, explore, stats
from pbem.library.asking import OpenLibrary, asked
from pbem.library.database import path_in
from pbem.library.luck import luck
from pbem.library.schema import GameRows
from tests.support.made_library import key_of, make, rows_of

PLAYERS = ("Ann", "Ben", "Cleo")
SEATS = ("american", "tripolitan")


def games() -> list[GameRows]:
    """Thirty Tripoli games, of which each fifth stops after twelve answers, one alone, and Loot
    without dice."""
    made = []
    for number in range(30):
        names = (PLAYERS[number % 3], PLAYERS[(number + 1) % 3])
        made.append(rows_of("tripoli", number, names, most=12 if number % 5 == 0 else -1))
    alone = rows_of("tripoli-solitaire", 1, ("Ann", ""))
    made.append(alone._replace(game=alone.game._replace(witnessed=0)))
    return [*made, rows_of("loot", 1, PLAYERS)]


ROWS = games()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("library"), ROWS)


@pytest.fixture
def library(folder: Path) -> Iterator[OpenLibrary]:
    with asked(folder) as found:
        yield found


def start(library: OpenLibrary) -> explore.GamePlace:
    return explore.from_start(library, "tripoli", [])


def over(rows: GameRows) -> bool:
    return bool(rows.game.over)


# Luck


def test_dice_are_those_of_the_seats_players(library: OpenLibrary) -> None:
    facts = luck(library)
    assert (facts.games, facts.alarms) == (25, 0)
    for player in facts.players:
        own = Counter[str]()
        for rows in ROWS:
            seats = {
                row.seat for row in rows.players if row.key == player.key and row.role == "player"
            }
            if over(rows) and rows.game.witnessed:
                for roll in rows.rolls:
                    if roll.seat in seats:
                        own["dice"] += len(json.loads(roll.dice)) if roll.got is not None else 0
                        own["hits"] += roll.got or 0
                        own["all"] += len(json.loads(roll.dice))
                own["games"] += bool(seats)
        assert player.hits is not None and player.key == key_of(player.name)
        assert (player.games, player.hits.dice, player.hits.hits) == (
            own["games"],
            own["dice"],
            own["hits"],
        )
        assert [faces.dice for faces in player.faces] == [own["all"]]


def test_unfinished_games_and_those_played_alone_stand_apart(library: OpenLibrary) -> None:
    facts = luck(library)
    assert [(apart.why, apart.games) for apart in facts.apart] == [("unfinished", 6), ("alone", 1)]
    for apart in facts.apart:
        assert [row for player in apart.players for row in player.kinds if row.p is not None] == []
    assert [player.name for player in facts.apart[1].players] == ["Ann"], (
        "the bot's dice are nobody's"
    )
    tested = luck(library, unfinished=True)
    assert (tested.games, [apart.why for apart in tested.apart]) == (31, ["alone"])


def test_luck_in_one_game_alone(library: OpenLibrary) -> None:
    assert luck(library, "tripoli").games == 24 and luck(library, "loot").players == []
    with pytest.raises(Usage, match='"chess"') as caught:
        luck(library, "chess")
    assert all(name in str(caught.value) for name in ("loot", "tripoli", "tripoli-solitaire"))


@pytest.mark.parametrize(
    "change",
    [
        *[
            {"faces": f"[0,0,0,0,0,{last}]"}
            for last in ("0", "-1", "1.5", '"6"', "true", "null", "1000001", "1e400")
        ],
        *[
            {"faces": faces}
            for faces in (
                "[]",
                "[1]",
                "[1,1,1,1,1,1,1]",
                "[-1,1,1,1,1,1]",
                "{}",
                "6",
                "nonsense",
                "",
            )
        ],
        *[{"hits": hits} for hits in ("[0]", "[7]", "[true]", "{}")],
        *[{"sides": sides} for sides in (0, 1, 5, 101, -6)],
    ],
)
def test_dice_that_nobody_threw_are_damage(tmp_path: Path, change: dict[str, Any]) -> None:
    rows = rows_of("tripoli", 1, PLAYERS)
    rows = rows._replace(tallies=[rows.tallies[0]._replace(**change), *rows.tallies[1:]])
    with asked(make(tmp_path, [rows])) as library, pytest.raises(Damaged, match="--anew"):
        luck(library)


@pytest.mark.dear("fills a library")
def test_memory_grows_with_the_players_and_not_with_their_games(tmp_path: Path) -> None:
    few = [
        rows._replace(rolls=[], cards=[], positions=[])
        for rows in games()
        if rows.game.game == "tripoli"
    ][:20]
    peaks = {}
    for times in (20, 200):
        folder = tmp_path / str(times)
        make(
            folder, (again(rows, f"{n} {rows.game.game_id}") for n in range(times) for rows in few)
        )
        with asked(folder) as library:
            tracemalloc.start()
            facts = luck(library)
            peaks[times] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert facts.games + sum(apart.games for apart in facts.apart) == 20 * times
    # the distributions of more dice are wider: as the root of their number
    assert peaks[200] < 2 * peaks[20], peaks


def again(rows: GameRows, name: str) -> GameRows:
    """The same game under another name."""
    return rows._replace(game=rows.game._replace(game_id=key_of(name)))


# Explore


def test_the_start_is_every_game_by_its_first_answer(library: OpenLibrary) -> None:
    facts = explore.explore(library, "tripoli", explore.from_start(library, "tripoli", []))
    expected = Counter(rows.positions[0].move for rows in ROWS if rows.game.game == "tripoli")
    assert {move.move: move.games for move in facts.moves} == expected and facts.games == 30
    assert [move.games for move in facts.moves] == sorted(expected.values(), reverse=True)
    assert {move.seat for move in facts.moves} == {"american"}
    for move in facts.moves:
        assert move.won + move.drew + move.lost + move.open == move.games
        assert sum(player.games for player in move.players) == move.games
    assert sum(move.open for move in facts.moves) == 6
    assert sum(ending.games for ending in facts.endings) == 30
    assert [ending.games for ending in facts.endings if ending.ended is None] == [6]


def test_a_line_is_followed_whatever_the_dice(library: OpenLibrary) -> None:
    line = [row.move for row in ROWS[1].positions[:3]]
    place = explore.from_start(
        library, "tripoli", [line[0].upper(), line[1], line[2].removesuffix("…")]
    )
    facts = explore.explore(library, "tripoli", place)
    same = [
        rows
        for rows in ROWS
        if rows.game.game == "tripoli" and [r.move for r in rows.positions[:3]] == line
    ]
    assert list(facts.after) == line and facts.games == len(same) >= 1
    assert {move.move for move in facts.moves} == {rows.positions[3].move for rows in same}


def test_only_own_games(library: OpenLibrary) -> None:
    place = explore.from_start(library, "tripoli", [])
    facts = explore.explore(library, "tripoli", place, own=key_of("Ann"))
    assert facts.own and facts.games == 20
    assert explore.explore(library, "tripoli", place, own="00").moves == []


def test_a_position_is_found_in_whatever_game_it_came(library: OpenLibrary) -> None:
    row = ROWS[1].positions[5]
    facts = explore.explore(library, "tripoli", explore.at_position(row.position))
    assert row.move in {move.move for move in facts.moves}
    assert explore.explore(library, "loot", explore.at_position(row.position)).games == 0


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["frobnicate"], 'at the start: "frobnicate" is no word of this game.*given there: "'),
        (["event"], 'at the start: "event" could be'),
        (["decline"], 'at the start nobody of this library has answered "decline"'),
        ([""], "nobody of this library has answered"),
        (["build with", "'; DROP TABLE games; --"], 'after "build with …": "drop" is no word'),
        (["x" * 5000], "is no word"),
    ],
)
def test_nonsense_is_refused_with_what_was_given_there(
    library: OpenLibrary, answers: list[str], said: str
) -> None:
    with pytest.raises(Refused, match=said) as refused:
        explore.from_start(library, "tripoli", answers)
    assert len(str(refused.value)) < 1500


# Stats


def test_results_by_seat_and_ending(library: OpenLibrary) -> None:
    facts = stats.stats(library, "tripoli")
    ended = [rows for rows in ROWS if rows.game.game == "tripoli" and over(rows)]
    [group] = facts.groups
    assert (facts.games, facts.unfinished, group.games, group.options) == (24, 6, 24, [])
    for seat, result in enumerate(group.seats):
        found = Counter(rows.players[seat].result for rows in ended)
        assert (result.seat, result.won, result.drew, result.lost) == (
            SEATS[seat], found["won"], found["drew"], found["lost"],
        )  # fmt: skip
    assert {one.how: one.games for one in group.endings} == Counter(rows.game.how for rows in ended)
    assert group.length is not None and group.entries is not None
    assert group.length.most == max(rows.game.periods for rows in ended)
    assert sum(one.games for one in group.lengths) == 24
    assert group.unfinished is not None and (
        group.unfinished.games,
        group.unfinished.decisions,
    ) == (6, 12)
    assert sum(first.games for first in group.openings if first.seat == "american") == 24
    assert {first.answer for first in group.openings}.isdisjoint({"decline"}), (
        "an answer to another question"
    )


def test_figures_of_a_range() -> None:
    assert stats.range_of([4, 1, 3, 2]) == stats.Range(1, 1.75, 2.5, 3.25, 4)
    assert stats.range_of([5]) == stats.Range(5, 5, 5, 5, 5) and stats.range_of([]) is None


def test_games_with_other_options_are_other_games(tmp_path: Path) -> None:
    hidden = rows_of("tripoli", 99, PLAYERS)
    hidden = hidden._replace(game=hidden.game._replace(options='["hidden-discard"]'))
    with asked(make(tmp_path, [ROWS[1], ROWS[2], hidden])) as library:
        facts = stats.stats(library)
        assert [(group.options, group.games) for group in facts.groups] == [
            ([], 2),
            (["hidden-discard"], 1),
        ]
        assert stats.stats(library, own=key_of("Cleo")).games == 2


def test_a_library_without_games(tmp_path: Path) -> None:
    with asked(make(tmp_path, [])) as library:
        assert luck(library).players == [] and stats.stats(library).groups == []
        with pytest.raises(Usage):
            stats.stats(library, "tripoli")


# The library itself


def test_a_folder_without_a_library_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(Usage) as caught, asked(tmp_path):
        pass
    assert "pbem library" in str(caught.value)


def test_a_question_writes_nothing(library: OpenLibrary) -> None:
    with pytest.raises(Usage, match="readonly"):
        library.rows("DELETE FROM games")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        library.connection.execute("INSERT INTO library VALUES ('a', 'b')")


def test_files_that_came_changed_or_went_are_told(tmp_path: Path) -> None:
    make(tmp_path, [])
    (tmp_path / "new.toml").write_text("x")
    with asked(tmp_path) as library:
        told = library.old_warning() or ""
        assert " 1 file " in told and f"pbem library {tmp_path}" in told
    (tmp_path / "new.toml").unlink()
    with asked(tmp_path) as library:
        assert library.old_warning() is None


def test_of_very_many_files_it_is_told_that_nobody_has_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, [])
    with closing(sqlite3.connect(path_in(tmp_path))) as connection, connection:
        for number in range(3):
            connection.execute(
                "INSERT INTO files (path, size, sha256, verdict) VALUES (?, 1, '', 'bad')",
                (f"{number}",),
            )
    for number in range(4):
        (tmp_path / f"new{number}.toml").write_text("x")
    monkeypatch.setattr(asking, "MOST_LOOKED_AT", 3)
    with asked(tmp_path) as library:
        assert "more than 3 files" in (library.old_warning() or "")
    monkeypatch.setattr(asking, "MOST_LOOKED_AT", 2)
    with asked(tmp_path) as library:
        assert f"pbem library {tmp_path}" in (library.old_warning() or "")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE player_rows SET name = x'00ff'",
        "UPDATE player_rows SET key = x'00ff'",
        "UPDATE tally_rows SET kind = x'41' WHERE number = 0",
        "UPDATE tally_rows SET sides = 1000000000000",
        "UPDATE tally_rows SET sides = 'six'",
        "UPDATE tally_rows SET sides = 6.5",
        "UPDATE tally_rows SET hits = '[[1]]'",
        "UPDATE tally_rows SET hits = x'5b365d' WHERE number = 0",
        "UPDATE tally_rows SET faces = CAST(faces AS BLOB)",
        "UPDATE tally_rows SET faces = '[' || printf('%.*c', 9000, '[')",
        "UPDATE games SET periods = 'many'",
        "UPDATE games SET days = 9e999",
        "UPDATE games SET options = '7'",
        "UPDATE games SET how = x'00'",
        "UPDATE games SET how = printf('%.*c', 40000, 'x')",
        "UPDATE games SET options = printf('%.*c', 2000000, 'x')",
        "UPDATE tally_rows SET kind = printf('%.*c', 2000000, 'x') WHERE number = 0",
        "UPDATE games SET game = x'00'",
        "UPDATE position_rows SET move = x'00'",
        "UPDATE position_rows SET card = x'00', number = number",
        "UPDATE games SET over = 'perhaps', entries = 'none'",
    ],
)
def test_rows_that_the_program_never_writes_are_damage_or_are_shown(
    tmp_path: Path, change: str
) -> None:
    """Somebody else's database opens with any rows in it. Whatever is answered can be printed."""
    made = make(tmp_path, ROWS[:2])
    with closing(sqlite3.connect(path_in(made))) as database:
        database.execute(change)
        database.commit()
    damages = 0
    for ask in (
        luck,
        stats.stats,
        lambda library: explore.explore(library, "tripoli", start(library)),
    ):
        with asked(made) as library:
            try:
                json.dumps(plain(ask(library)), allow_nan=False)
            except Damaged:
                damages += 1
    assert damages >= 1
