"""The card of a verdict: the same from both verifiers, of the file alone, in words that claim no
more than was checked.

`test_verdicts.py` compares the cards of every archived file and example.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pbem.errors import PbemError
from pbem.fileformat import armor, turnfile
from pbem.ledger import trace_file
from pbem.report import verdict_card, verification
from tests.support.begun_game import BegunGame, begin
from tests.support.browsers import needs_puppeteer
from tests.support.golden_words import Golden
from tests.support.mutations import PARADISE, SOLITAIRE, TRIPOLI, Played, played
from tests.support.second_verifier import compare, different_cards, needs_node, told_by_node
from tests.support.terminal import at_a_terminal
from tests.support.web_tabs import Browsers
from tests.vectors import make_verdicts

ROOT = Path(__file__).parents[2]
GOOD = sorted(
    name
    for name, one in json.loads((make_verdicts.FOLDER / "verdicts.json").read_text()).items()
    if one["ok"]
)


def of(data: bytes, file: bytes) -> verdict_card.VerdictCard:
    facts, failure = verification.verify(data, file)
    assert failure is None and isinstance(facts, verification.VerifiedGame)
    return facts.card


def rows_of(data: bytes) -> dict[str, str]:
    return dict(verdict_card.rows(of(data, data)))


@pytest.mark.dear("runs the second verifier")
@needs_node
def test_both_verifiers_have_the_same_card_of_every_good_vector() -> None:
    cases = [(name, (make_verdicts.FOLDER / f"{name}.toml").read_bytes()) for name in GOOD]
    found = compare(cases)
    assert len(cases) > 10 and (found.failed, found.different) == (0, [])


@pytest.mark.dear("runs the second verifier")
@needs_node
@pytest.mark.parametrize("how", ["as it is", "line ends", "armor", "byte order mark", "last line"])
def test_the_digest_is_of_the_bytes_that_were_checked_and_the_card_says_if_the_file_has_others(
    how: str,
) -> None:
    data = played(TRIPOLI, "vectors").data
    file = {
        "as it is": data,
        "line ends": data.replace(b"\n", b"\r\n"),
        "armor": armor.wrap(data).encode(),
        "byte order mark": b"\xef\xbb\xbf" + data,
        "last line": data + b"\n\n",
    }[how]
    card = of(turnfile.whole_line(data if how != "line ends" else file), file)
    others = None if how == "as it is" else hashlib.sha256(file).hexdigest()
    assert (card.sha256, card.file_sha256) == (hashlib.sha256(data).hexdigest(), others)
    (found,) = told_by_node("--cards", [(file, trace_file.trace(data).trace)])
    assert different_cards(card, found) == []


@needs_node
def test_without_a_trace_the_card_says_that_neither_dice_nor_result_were_computed(
    golden: Golden,
) -> None:
    data = played(TRIPOLI, "vectors").data
    (found,) = told_by_node("--cards", [(data, None)])
    rows, labels = dict(found["rows"]), verdict_card.words()["labels"]
    assert found["card"]["rolls"] is None and found["card"]["ending"] is None
    golden(*(f"{labels[name]}: {rows[labels[name]]}" for name in ("checked", "result")))


def test_a_file_that_does_not_hold_has_no_card() -> None:
    facts, failure = verification.verify((make_verdicts.FOLDER / "signature-bit.toml").read_bytes())
    assert isinstance(failure, PbemError) and not hasattr(facts, "card")


# Names


def named(game: Played, number: int, name: str) -> bytes:
    base = make_verdicts.Base(game)
    return base.changed(number, make_verdicts.put("name", name))


@needs_node
@pytest.mark.parametrize(
    ("name", "row"),
    [
        ('Ann", won by "Ben', 'calls themself "Ann\\", won by \\"Ben"'),
        ("\\", 'calls themself "\\\\"'),
        ("\u0410nn", "letters that only look like others: U+0410"),
        ("P\u0406ayer 1", "look alike"),
        ("J\u00fcrgen {seat}", 'calls themself "J\u00fcrgen {seat}"'),
        ("x" * 80, "x" * 80),
    ],
)
def test_a_name_is_quoted_whole_and_what_looks_like_another_is_marked(name: str, row: str) -> None:
    game = played(TRIPOLI, "vectors")
    data = named(game, 1, name)
    card = of(data, data)
    if row == "look alike":
        assert [one.alike for one in card.seats] == [["tripolitan"], ["american"]]
    assert any(row in text for _, text in verdict_card.rows(card)), verdict_card.rows(card)
    (found,) = told_by_node("--cards", [(data, trace_file.trace(data).trace)])
    assert different_cards(card, found) == []


# What the words claim


def test_nothing_is_called_proven_where_nobody_had_a_secret_to_open() -> None:
    match = (ROOT / "tests/archive/backgammon-2-asked.toml").read_bytes()
    facts, _ = verification.verify(match)
    assert isinstance(facts, verification.VerifiedGame) and facts.result is not None
    assert facts.result.rests_on == "turns" and "proven" not in verification.in_words(facts)


@pytest.mark.parametrize("kind", [SOLITAIRE, PARADISE])
def test_nothing_is_called_proven_of_a_player_alone_with_the_dice(kind: object) -> None:
    facts, _ = verification.verify(played(kind, "vectors").data)  # type: ignore[arg-type]
    assert (
        isinstance(facts, verification.VerifiedGame)
        and facts.result is not None
        and not facts.witnessed
    )
    said = verification.in_words(facts)
    assert facts.result.rests_on == "one player" and "Unwitnessed" in said and "proven" not in said


def test_secrets_that_were_opened_prove_the_result() -> None:
    facts, _ = verification.verify(played(TRIPOLI, "vectors").data)
    assert isinstance(facts, verification.VerifiedGame) and facts.result is not None
    assert facts.result.rests_on == "roots" and facts.result.proven


def test_a_game_without_cards_has_no_opened_card_and_no_deck() -> None:
    facts, _ = verification.verify((ROOT / "tests/archive/backgammon-2-sealed.toml").read_bytes())
    assert isinstance(facts, verification.VerifiedGame) and facts.card.openings == 0
    assert "deck" not in verification.in_words(facts) and "card" not in verification.in_words(facts)


# One person with two homes (the attack)


@pytest.fixture
def alone(tmp_path: Path) -> BegunGame:
    """A game that one person plays with two homes of theirs, and ends by resigning."""
    game = begin(tmp_path, "--hidden-discard", seed="one person")
    game.write("american", "resign", game.last, "--yes")
    while seat := game.ann.does("show", game.last)["to_act"]:
        game.write(seat, "play", game.last)
    return game


def keys(game: BegunGame) -> list[str]:
    return [player.does("id")["fingerprint"] for player in (game.ann, game.ben)]


def test_verify_shows_which_game_with_which_keys_and_quotes_the_names(
    alone: BegunGame, golden: Golden
) -> None:
    facts = alone.stranger().does("verify", alone.last)
    card, said = facts["card"], alone.stranger().types("verify", alone.last)[1]
    assert [seat["fingerprint"] for seat in card["seats"]] == keys(alone)
    assert (card["game"], card["options"], card["ending"]["by"]) == (
        "tripoli",
        ["hidden-discard"],
        "resigned",
    )
    for shown in (
        *keys(alone),
        card["game_id"],
        card["sha256"],
        "hidden-discard",
        "one person may hold several",
    ):
        assert shown in said
    golden(*(line for line in said.splitlines() if line.startswith("Result: ")))
    assert not any(line.startswith(("Ben", "Ann")) for line in said.splitlines())


def test_what_a_home_knows_of_the_keys_stands_on_its_terminal_alone(alone: BegunGame) -> None:
    alone.ann.types("contacts", "Ben", "--compared")
    own = {"PBEM_STATE": str(alone.folder / "state")}
    shown = at_a_terminal(alone.ann.home, alone.folder, ["verify", alone.last], columns=200, **own)
    about = [line for line in shown.splitlines() if "compared" in line or "own key" in line]
    assert [line.partition(":")[0].strip() for line in about] == ["american", "tripolitan"]
    other = at_a_terminal(
        alone.stranger_with_key().home, alone.folder, ["verify", alone.last], columns=200, **own
    )
    assert other.count("compared this key") == 2
    for piped in (
        alone.ann.types("verify", alone.last)[1],
        alone.ann.types("verify", alone.last, "--json")[1],
    ):
        assert "own key" not in piped and "compared this key" not in piped


@pytest.mark.dear("runs the second verifier")
@needs_puppeteer
def test_the_page_shows_the_same_card(alone: BegunGame, browsers: Browsers, tmp_path: Path) -> None:
    assert alone.ann.types("verify", alone.last, "--trace", "trace.json")[0] == 0
    data = (alone.folder / alone.last).read_bytes()
    (armored := tmp_path / "turn.txt").write_text(armor.wrap(data), encoding="ascii")
    trace = str(alone.folder / "trace.json")
    drops = [[str(alone.folder / alone.last), trace], [str(armored), trace]]
    page = (ROOT / "docs" / "check.html").as_uri()
    found = browsers.look_at("chrome", [{"url": page, "drops": drops}])[0]["seen"][:2]
    labels = verdict_card.words()["labels"]
    for seen, file in zip(found, (data, armored.read_bytes()), strict=True):
        assert seen["checks"] == "ok"
        for label, text in verdict_card.rows(of(data, file)):
            if label != labels["verifier"]:
                assert text in seen["seen"], label
        assert [key in seen["seen"] for key in keys(alone)] == [True, True]
