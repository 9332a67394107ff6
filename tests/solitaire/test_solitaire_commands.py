"""Solitaire by the commands that a player types, and the example game."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.gate import replay
from pbem.report import verification
from tests.support.golden_words import Golden
from tests.support.homes import key_of

KEY = b64(key_of("Cleo"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "solitaire"


@pytest.fixture
def players(tmp_path: Path) -> tuple[Player, Player]:
    mails = tmp_path / "mails"
    mails.mkdir()
    found = tuple(Player(name, tmp_path / name, mails, True) for name in ("Ann", "Ben"))
    for player in found:
        player.does("id", "--name", player.name)
    return found[0], found[1]


def test_new_solitaire_starts_at_once(players: tuple[Player, Player]) -> None:
    ann, _ = players
    facts = ann.does("new", "tripoli", "--solitaire")
    assert facts["to_act"] == "american"
    code, text, _ = ann.types("show", facts["file"])
    assert code == 0 and "Unwitnessed" in text and "(the bot)" in text and "Your hand: " in text
    assert ann.does("moves", facts["file"])["seat"] == "american"


def test_alone_nothing_is_to_be_sent(players: tuple[Player, Player], golden: Golden) -> None:
    _, text, _ = players[0].types("new", "tripoli-solitaire")
    golden(text.splitlines()[-1])
    facts = players[0].does("new", "tripoli", "--solitaire")
    assert facts["mail"] is None
    code, _, error = players[0].types("send", facts["file"])
    assert code == 2 and error.count("(hint: ") == 1


def test_with_a_witness(players: tuple[Player, Player]) -> None:
    """Invite, join, play; the witness plays without answers; the player sees how it came out."""
    ann, ben = players
    first = ann.does("new", "tripoli", "--solitaire", "--witness", ben.does("id")["key"])
    assert first["to_act"] == "witness"
    joined = ben.does("join", first["file"])
    assert joined["to_act"] == "american"
    written = joined
    while written["to_act"] == "american":
        answers = ann.answers(written["file"], lambda options: options[-1])
        written = ann.does("play", written["file"], "; ".join(answers))
    assert ben.does("moves", written["file"])["complete"]
    _, shown, _ = ben.types("show", written["file"])
    assert "Your hand" not in shown
    settled = ben.does("play", written["file"])
    assert settled["to_act"] in ("american", [])
    _, shown, _ = ann.types("show", settled["file"])
    assert ", turn " in shown and "nwitnessed" not in shown
    assert ben.types("resign", settled["file"], "--yes")[0] != 0


def test_the_witness_cannot_resign(players: tuple[Player, Player]) -> None:
    ann, ben = players
    first = ann.does("new", "tripoli", "--solitaire", "--witness", ben.does("id")["key"])
    written = ben.does("join", first["file"])
    while written["to_act"] == "american":
        answers = ann.answers(written["file"], lambda options: options[-1])
        written = ann.does("play", written["file"], "; ".join(answers))
    assert ben.types("resign", written["file"], "--yes")[0] == 1
    assert not ann.does("verify", written["file"])["result"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("loot", "--solitaire"), "No such option: --solitaire"),
        (("tripoli", "--solitaire", "--seat", "tripolitan"), "no seat"),
        (("tripoli", "--solitaire", "--witness", "nonsense"), "no public key"),
        (("tripoli", "--solitaire", "--hidden-discard"), "no option"),
        (("tripoli", "--witness", KEY), "hint: pbem new tripoli --solitaire --witness KEY"),
        (("loot", "--witness", KEY), "No such option: --witness"),
        (("tripoli", "--solitaire", "--opponent", KEY), "no opponents"),
        (("tripoli-solitaire", "--opponent", KEY), "no opponents"),
    ],
)
def test_what_cannot_be_invited(
    players: tuple[Player, Player], arguments: tuple[str, ...], why: str
) -> None:
    code, _, error = players[0].types("new", *arguments)
    assert code != 0 and why in error and error.count("\n") == 1


# ---- the example game ----------------------------------------------------------------------------


def example() -> bytes:
    (file,) = EXAMPLE.glob("*.toml")
    return file.read_bytes()


def test_the_example_verifies() -> None:
    facts, failure = verification.verify(example())
    assert failure is None and facts.witnessed and facts.result.proven
    assert facts.result.winners and facts.rolls > 20


def test_the_example_was_witnessed_throughout() -> None:
    game = replay(turnfile.read(example()))
    assert all(chanced.witnesses for chanced in game.begun().referee.chance_uses)
