"""Sealed choices in a game of the tests: played by mail, opened in their turn, and proven by
roots."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from morra.game import RULES, Morra

from engine.flow import Option
from examples.correspondence import Player
from pbem.cli.errors import plain
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import decides_nothing, replay
from pbem.report import history, render
from pbem.report.facts import report
from pbem.report.lines import ChoiceLine
from pbem.simulate import check_game
from pbem.simulate import golden as whole_game
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.policies import RandomPolicy
from pbem.turn import open_game, take_turn
from tests.support.golden_words import Golden
from tests.support.morra_match import CALL, Match
from tests.support.mutations import Kind, mutated, played
from tests.support.players import seed_of
from tests.support.second_verifier import by_node, by_pbem, compare, needs_node


@needs_node
@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_game_holds_in_both_verifiers(players: int) -> None:
    data = Match(players).finish()
    verdict, trace = by_pbem(data)
    assert verdict.ok
    ((other, reason),) = by_node([(data, trace)])
    assert other.ok, reason
    entries = turnfile.read(data).entries
    assert sum(len(entry.list("choice")) for entry in entries) == 3 * players
    assert sum(len(entry.list("chosen")) for entry in entries) == 3 * players
    assert sum("root" in entry.fields for entry in entries) == players
    alone = [
        entry for entry in entries if "chosen" in entry.fields and decides_nothing(entry.fields)
    ]
    assert alone, "an entry that only opens decides nothing, so the watcher may write it"


def test_choices_open_when_all_are_there_and_who_sealed_last_opens_last() -> None:
    match = Match(3)
    said = [match.write().contents() for _ in range(6)]
    assert [bool(fields["chosen"]) for fields in said] == [False, False, False, True, True, True]
    writers = [entry.seat for entry in turnfile.read(match.data).entries[3:]]
    assert writers == ["first", "second", "third"] * 2
    newest = turnfile.read(match.data).entries[-1]
    assert "choice" in newest.fields and match.game().to_act() == 0, (
        "who opened last begins the next round"
    )


@needs_node
def test_words_that_look_at_the_position_are_those_of_the_seal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The round stands in the words of an answer: it is opened, told and verified with those of its
    own round, though the position has moved on."""

    def in_this_round(game: Morra, option: Option) -> str:
        return f"show {option[1]} call {option[2]} {game.round}"

    monkeypatch.setattr(Morra, "words", in_this_round)
    data = Match().finish()
    entries = turnfile.read(data).entries
    opened = [text.split(" ", 3)[-1] for entry in entries for text in entry.list("chosen")]
    rounds = [f"{CALL} {number}" for number in (1, 1, 2, 2, 3, 3)]
    assert opened == rounds
    verdict, trace = by_pbem(data)
    ((other, reason),) = by_node([(data, trace)])
    assert verdict.ok and other.ok, reason
    told = [
        line
        for entry in history.entries(replay(turnfile.read(data)), 0, {})
        for line in entry.lines
    ]
    assert [line.text for line in told if isinstance(line, ChoiceLine) and line.text] == rounds
    assert check_game.check(RULES, 3).problems == []
    shown = [line for line in whole_game.text(RULES, {}, 1).splitlines() if "shown: " in line]
    assert [line[-1] for line in shown] == ["1", "2", "3"]


def test_every_entry_looks_the_same_whatever_was_chosen() -> None:
    """No answer, no order, no length of a field tells what is sealed."""
    calls = ("show 1 call 2", "show 5 call 15", "show 3 call 8")
    for call in calls:
        match = Match()
        match.write(call)
        entry = turnfile.read(match.data).entries[-1]
        assert set(entry.fields) == {"seat", "date", "nonce", "choice", "position"}
        assert [len(text) for text in entry.list("choice")] == [44]
        assert call.encode() not in match.data


def test_nothing_printed_tells_what_is_sealed() -> None:
    """Every report to every viewer, after every entry, is the same whatever the player who sealed
    has chosen."""
    looked = 0
    one, two = Match(), Match()
    for call in ("show 1 call 14", CALL, CALL):
        one.write(call)
        two.write("show 4 call 11" if call != CALL else CALL)
        if "chosen" in turnfile.read(one.data).entries[-1].fields:
            break
        for viewer in (None, 0, 1):
            pages = []
            for match in (one, two):
                facts = report(match.game(), viewer, {}, 0)
                forms = [render.render(form, facts) for form in ("report.md.j2", "report.txt.j2")]
                pages.append("\n".join([*forms, json.dumps(plain(facts), ensure_ascii=False)]))
            assert pages[0] == pages[1]
            looked += 1
    assert looked == 6


def test_simulation_and_check_game_know_sealed_questions() -> None:
    found = check_game.check(RULES, 3)
    assert (found.problems, found.games) == ([], 3)
    played = play_by_mail(RULES, {}, RandomPolicy, "1")
    assert played.entries and played.idle >= 3, "openings decide nothing"


def test_two_people_play_it_with_the_commands(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "mails").mkdir()
    for name in ("Ann", "Ben"):
        Home(tmp_path / name).create(name, f"{name.lower()}@example.org", seed_of(name), "")
    ann, ben = (
        Player(name, tmp_path / name, tmp_path / "mails", in_process=True)
        for name in ("Ann", "Ben")
    )
    file = ben.does("join", ann.does("new", "morra")["file"])["file"]
    listed = ann.does("moves", file)
    assert listed["options"][0] == "show 1 call 2" and len(listed["options"]) == 70
    sealed = ann.does("play", file, "show 4 call 6")["file"]
    assert ann.does("show", sealed)["sealed"] == ["show 4 call 6"]
    assert "show 4 call 6" in ann.types("show", sealed)[1]
    written = [path.read_bytes() for path in ann.folder.iterdir() if path.stem == Path(sealed).stem]
    assert len(written) >= 3 and not any(b"show 4 call 6" in data for data in written), (
        "nor do mail and summary"
    )
    for told in (
        ben.types("show", sealed)[1],
        ann.types("show", sealed, "--public")[1],
        ann.types("log", sealed)[1],
    ):
        assert "show 4 call 6" not in told
    golden(ann.types("log", sealed)[1].splitlines()[-1])
    again = ann.does("play", file, "show 4 call 6")["file"]
    assert (ann.folder / again).read_bytes() == (ann.folder / sealed).read_bytes()
    code, _, error = ann.types("play", file, "show 4 call 7")
    assert (code, "already" in error) == (4, True)
    both = ben.does("play", sealed, "show 2 call 6")["file"]
    assert ann.does("show", both)["due"]["what"] == "choice"
    golden(*(line for line in ann.types("show", both)[1].splitlines() if "pbem play" in line))
    alone = take_turn.draft(open_game.open_file((ann.folder / both).read_bytes(), Home(ann.home)))
    assert alone.contents()["chosen"] and decides_nothing(
        name for name, value in alone.contents().items() if value
    )
    opened = ann.does("play", both)["file"]
    with pytest.raises(Refused) as refused:
        take_turn.draft(open_game.open_file((ben.folder / opened).read_bytes(), Home(ben.home)))
    golden(refused.value.what)
    shown = ben.does("show", opened)
    assert ann.does("show", opened)["sealed"] == []
    assert any(
        line.get("text") == "show 4 call 6" for turn in shown["entries"] for line in turn["lines"]
    )
    assert ben.does("verify", opened)["ok"] is True


@needs_node
def test_damaged_files_are_judged_alike() -> None:
    """One character changed anywhere in an entry that seals or opens: both verifiers say the
    same."""
    match = Match()
    for _ in range(4):
        match.write()
    start = turnfile.read(match.data).entries[1].end
    spots = range(start + 20, len(match.data) - 2, 61)
    cases = [
        (f"byte {at}", match.data[:at] + bytes([match.data[at] ^ 1]) + match.data[at + 1 :])
        for at in spots
    ]
    found = compare(cases)
    assert not found.different and found.failed == found.judged


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
@pytest.mark.parametrize(
    "kind",
    [
        Kind("backgammon", {"sealed": 1}),
        Kind("morra", {"players": 2}),
        Kind("morra", {"players": 3}),
    ],
    ids=str,
)
def test_changed_files_with_right_signatures_are_judged_alike(kind: Kind) -> None:
    """Fields left out, borrowed, doubled and changed, signed by their own author."""
    game, rng = played(kind, "1"), random.Random(kind.game)
    changes = [mutated(game.data, rng, game.signers) for _ in range(120)]
    found = compare([("unchanged", game.data), *((change.name, change.data) for change in changes)])
    assert not found.different
    assert found.failed > 80 and {"seal", "chain", "grammar"} <= set(found.layers)
