"""The rows of a game say what its ledger says, for every kind of game, and nothing that only one
seat knows."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import pytest

from engine.cards import read_handle
from engine.flow import Ask
from engine.tripoli.game import Tripoli
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.ledger.events import GivenAnswer
from pbem.ledger.file_entry import write_answer
from pbem.ledger.ledger import Ledger
from pbem.library import extract
from pbem.library.extract import Onlooker, rows_of
from pbem.library.schema import GameRows, RollRow
from pbem.library.verified import Bad, Other, VerifiedGame, read
from pbem.report import dice_count
from pbem.report.standing import over
from tests.support.library_kit import ARCHIVE, branch, spoiled, version
from tests.support.loot_left import begun
from tests.support.players import Pair

GAMES = ("tripoli-1", "tripoli-solitaire-1", "paradise-4-witnessed", "loot-1")


@lru_cache(maxsize=4)
def of_archive(name: str) -> tuple[Ledger, GameRows, bytes]:
    data = (ARCHIVE / f"{name}.toml").read_bytes()
    return *rows_and_game(data), data


def rows_and_game(data: bytes) -> tuple[Ledger, GameRows]:
    onlooker = Onlooker()
    game = Ledger(onlooker=onlooker)
    for entry in turnfile.read(data).entries:
        gate.admit(game, entry)
    return game, rows_of(game, onlooker.seen)


@pytest.mark.parametrize("name", GAMES)
def test_the_game_and_its_players(name: str) -> None:
    game, rows, data = of_archive(name)
    ending = over(game)
    assert ending is not None
    assert rows.game.sha256 == hashlib.sha256(data).hexdigest()
    assert (rows.game.game_id, rows.game.entries) == (game.game_id.hex(), len(game.entries))
    assert (rows.game.over, rows.game.proven, rows.game.how) == (1, 1, ending.how)
    assert json.loads(rows.game.winners) == list(ending.winners)
    won = [player.seat for player in rows.players if player.result == "won"]
    assert won == list(ending.winners)
    assert [player.seat for player in rows.players] == json.loads(rows.game.seats)
    for player, seated in zip(rows.players, game.players, strict=True):
        assert (player.key is None) == (seated is None) == (player.role == "rules")
        assert (player.result is None) == (player.role == "witness")


@pytest.mark.parametrize("name", GAMES)
def test_entries_hold_the_digest_of_every_version(name: str) -> None:
    _, rows, data = of_archive(name)
    file = turnfile.read(data)
    for row, entry in zip(rows.entries, file.entries, strict=True):
        assert row.prefix == hashlib.sha256(file.prefix(entry.number + 1)).digest()
        assert json.loads(row.answers) == entry.list("answers")
        assert json.loads(row.orders) == entry.list("orders")
    assert rows.entries[-1].prefix.hex() == rows.game.sha256


@pytest.mark.parametrize("name", GAMES)
def test_rolls_are_those_of_pbem_dice(name: str) -> None:
    game, rows, _ = of_archive(name)
    rolls = dice_count.rolls(game.begun())
    told = [
        (roll.chance.entry, roll.seat, roll.reason, list(roll.dice), roll.sides) for roll in rolls
    ]
    assert [(r.entry, r.seat, r.reason, json.loads(r.dice), r.sides) for r in rows.rolls] == told
    for row in rows.rolls:
        dice, hits = json.loads(row.dice), json.loads(row.hits)
        assert row.thrown == len(dice)
        assert row.got == (sum(die in hits for die in dice) if hits else None)
        assert row.settled >= row.entry


@pytest.mark.parametrize("name", GAMES)
def test_tallies_are_the_rolls_added_up(name: str) -> None:
    _, rows, _ = of_archive(name)
    added: dict[tuple[str, str, int, str], list[RollRow]] = {}
    for roll in rows.rolls:
        added.setdefault((roll.seat, roll.kind, roll.sides, roll.hits), []).append(roll)
    assert [(row.seat, row.kind, row.sides, row.hits) for row in rows.tallies] == list(added)
    assert [row.number for row in rows.tallies] == list(range(len(added)))
    for row, rolls in zip(rows.tallies, added.values(), strict=True):
        dice = [die for roll in rolls for die in json.loads(roll.dice)]
        assert json.loads(row.faces) == [dice.count(face) for face in range(1, row.sides + 1)]
        assert (row.rolls, row.thrown) == (len(rolls), sum(roll.thrown for roll in rolls))
        assert row.got == (None if row.hits == "[]" else sum(roll.got or 0 for roll in rolls))


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_the_answers_in_their_order(name: str) -> None:
    game, rows, _ = of_archive(name)
    said = [h.facts for h in game.begun().referee.record if isinstance(h.facts, GivenAnswer)]
    written = [write_answer(game.decks, one.words, one.answer.handle) for one in said]
    assert [row.answer for row in rows.positions] == written
    assert [bool(row.ordered) for row in rows.positions] == [one.by_order for one in said]
    assert rows.game.decisions == len(said) > 15
    line = extract.start(game.rules.name)
    for row in rows.positions:
        assert (
            row.line
            == line
            == extract.line_of(game.rules.name, [p.move for p in rows.positions[: row.number]])
        )
        line = extract.further(line, row.move)
    by_entry = [row.answer for row in rows.positions if not row.ordered]
    assert by_entry == [answer for row in rows.entries for answer in json.loads(row.answers)]


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_named_as_far_as_everybody_knows_them(name: str) -> None:
    game, rows, _ = of_archive(name)
    referee = game.begun().referee
    faces = referee.faces()
    opened = {row.back for row in rows.cards if row.known == "opened"}
    assert opened or (name == "paradise-4-witnessed" and not rows.cards)
    for row in rows.cards:
        handle = read_handle(game.decks, row.back)
        assert handle is not None
        assert (row.known == "opened") == (handle in faces)
        if row.known == "opened":
            assert row.card == game.rules.cards[faces[handle]]
    assert all(row.known != "hidden" for row in rows.cards)  # every root is revealed


def test_a_game_that_goes_on_names_no_card_that_is_hidden() -> None:
    game, rows = rows_and_game(version(branch("a"), 12))
    referee = game.begun().referee
    hidden = [row for row in rows.cards if row.known == "hidden"]
    assert len(hidden) > 5
    assert all(row.card is None for row in hidden)
    seen = {game.rules.cards[card] for card in referee.game.faces().values()}
    assert {row.card for row in rows.cards if row.card} | {
        p.card for p in rows.positions if p.card
    } <= seen
    assert (rows.game.over, rows.game.ended, rows.game.how) == (0, None, None)
    assert [player.result for player in rows.players] == ["open", "open"]


def test_positions_are_alike_in_two_games_until_they_differ() -> None:
    one, other = (rows_and_game(version(branch(seed), 9))[1].positions for seed in ("a", "b"))
    assert one[0].position == other[0].position
    assert one[0].line == other[0].line
    assert len({row.position for row in (*one, *other)}) > len(one)


def test_the_position_of_a_file_is_found_among_those_of_the_games_that_went_on() -> None:
    data = branch("a")
    rows = rows_and_game(data)[1]
    found = 0
    for entries in range(3, 16):
        game = rows_and_game(version(data, entries))[0]
        if game.playing is None or not isinstance(game.begun().referee.turn.request, Ask):
            assert extract.now(game) is None
            continue
        asked = sum(isinstance(h.facts, GivenAnswer) for h in game.begun().referee.record)
        assert extract.now(game) == rows.positions[asked].position
        found += 1
    assert found > 5


def test_a_plug_in_without_a_public_view_has_positions_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = version(branch("a"), 9)
    before = rows_and_game(data)[1]
    monkeypatch.setattr(Tripoli, "view", lambda *_given: {1: 2, "mixed": 3})
    after = rows_and_game(data)[1]
    assert [row.answer for row in after.positions] == [row.answer for row in before.positions]
    assert len({row.position for row in after.positions}) == len(after.positions)


def test_players_who_have_not_joined_are_free_seats() -> None:
    _, rows = rows_and_game(version(branch("a"), 1))
    assert [(player.key is None, player.name is None) for player in rows.players] == [
        (False, False),
        (True, True),
    ]
    assert (rows.rolls, rows.tallies, rows.cards, rows.positions) == ([], [], [], [])


def test_what_a_file_is() -> None:
    good = version(branch("a"), 3)
    found = read(good)
    assert isinstance(found, VerifiedGame)
    for same in (good.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + good, good + b"\n"):
        again = read(same)
        assert isinstance(again, VerifiedGame)
        assert (again.rows, again.sha256) == (found.rows, hashlib.sha256(same).hexdigest())
    bad = read(spoiled(good))
    assert isinstance(bad, Bad)
    assert (bad.entry, bad.layer) == (2, "signature")
    assert isinstance(read(b"[project]\n"), Other)
    assert isinstance(read(b""), Bad), "a turn file of which nothing is left"


def test_rules_of_a_plug_in_that_stop_cost_their_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_given: object) -> None:
        raise SystemExit("enough")

    monkeypatch.setattr("pbem.library.verified.rows_of", stops)
    found = read(Path(ARCHIVE / "paradise-4-witnessed.toml").read_bytes())
    assert isinstance(found, Bad)
    assert found.layer == "program" and found.reason.endswith(": SystemExit: enough")


@pytest.mark.parametrize("ended", ["resignation", "draw"])
def test_how_the_players_ended_a_game(tmp_path: Path, ended: str) -> None:
    pair = Pair(tmp_path, 4).play(3)
    if ended == "draw":
        pair.step(draw="offer")
        pair.step(draw="accept")
    else:
        pair.step([], resign=True)
    _, rows = rows_and_game(pair.data)
    assert (rows.game.over, rows.game.proven, rows.game.ended) == (1, 0, ended)
    results = {player.seat: player.result for player in rows.players}
    loser = rows.entries[-1].seat
    lost = {seat: "lost" if seat == loser else "won" for seat in results}
    assert results == (dict.fromkeys(results, "drew") if ended == "draw" else lost)
    last = rows.entries[-1]
    assert (last.resigned, last.draw) == ((0, "accept") if ended == "draw" else (1, None))


def test_seats_that_leave_are_told_and_the_last_one_wins() -> None:
    match = begun(3)
    for _ in range(2):
        match.step(resign=True)
    while match.maker.to_act() is not None:
        match.step()
    _, rows = rows_and_game(match.data)
    assert (rows.game.over, rows.game.ended) == (1, "left")
    assert sorted(str(player.result) for player in rows.players) == ["lost", "lost", "won"]
    assert sum(player.has_left for player in rows.players) == 1
    assert sum(row.resigned for row in rows.entries) == 2
