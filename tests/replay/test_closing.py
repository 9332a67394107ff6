"""Entries that say that the end was seen: who may write them and when, and that they change
nothing."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import Malformed, Newer, RulesBroken
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields, Value
from pbem.fileformat.turnfile import KEYS, TurnFile
from pbem.ledger import gate
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNATURE_TAG
from tests.support.mutations import CLOSING, Kind, Played, played
from tests.support.second_verifier import by_pbem, compare, needs_node, told_by_node

BACKGAMMON, LOOT = CLOSING
AROUND = ("seat", "date", "nonce", "position")


def of(kind: Kind) -> tuple[Played, TurnFile]:
    game = played(kind, "vectors")
    return game, turnfile.read(game.data)


def appended(game: Played, data: bytes, fields: Fields) -> bytes:
    """The file and one entry more, signed by its own seat."""
    body = turnfile.write_body(turnfile.in_order(fields))
    signed = game.signers[str(fields["seat"])](SIGNATURE_TAG + turnfile.digest_of(data, body))
    return data + body + turnfile.write_signature(signed)


def second_says(data: bytes) -> dict[str, Any]:
    """All that the second verifier says of a file that holds."""
    (said,) = told_by_node("--batch", [(data, by_pbem(data)[1])])
    assert said["ok"], said
    return said


@needs_node
def test_with_it_every_player_has_signed_on_in_backgammon() -> None:
    """The winner writes last and nobody owes anything: without it the result stands on their
    word."""
    _, file = of(BACKGAMMON)
    count = len(file.entries)
    before, after = second_says(file.prefix(count - 1)), second_says(file.data)
    assert before["result"]["entry"] == after["result"]["entry"] == count - 2
    assert before["result"]["signed"] is False and before["signed"] < count - 2
    assert after["result"]["signed"] is True and after["signed"] == count - 2


@pytest.mark.parametrize("kind", CLOSING, ids=str)
def test_it_changes_nothing(kind: Kind) -> None:
    _, file = of(kind)
    ends = [entry.number for entry in file.entries if "end" in entry.fields]
    assert ends and ends == list(range(ends[0], len(file.entries)))
    game, seen = Ledger(), []
    for entry in file.entries:
        gate.admit(game, entry)
        if entry.number >= ends[0] - 1:
            begun = game.begun()
            facts = (
                game.outcome,
                game.is_proven(),
                game.to_act(),
                begun.ended,
                begun.referee.waits(),
                len(game.clock.moments),
            )
            seen.append((*facts, begun.referee.randomness.newest, begun.referee.game.position()))
    assert len(set(map(str, seen))) == 1 and seen[0][2] is None
    assert game.to_close() is None


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_two_who_sign_do_so_in_turn_round_from_the_newest_entry() -> None:
    """Both have revealed their roots before the third one's, with which the result was known."""
    game, file = of(LOOT)
    last = file.entries[-1]
    before = file.prefix(len(file.entries) - 2)
    ledger = replay(turnfile.read(before))
    order = [entry.seat for entry in file.entries[-2:]]
    assert ledger.to_act() is None and ledger.to_close() == ledger.seats.index(order[0])
    early = appended(game, before, dict(last.fields))
    found = compare(
        [("the first", file.prefix(len(file.entries) - 1)), ("both", file.data), ("early", early)]
    )
    assert found.different == [] and found.failed == 1 and found.layers == {"chain": 1}
    assert second_says(before)["result"]["signed"] is False
    assert second_says(file.data)["result"]["signed"] is True


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_no_other_field_stands_in_it() -> None:
    """Each key of the format, with a value that an entry of this or another game holds."""
    game, file = of(BACKGAMMON)
    values: dict[str, Value] = {
        "message": "Well played",
        "leave": "2000-01-31",
        "received": "2000-01-01T00:00:00Z",
    }
    for kind in (LOOT, Kind("tripoli"), Kind("backgammon", {"match": 2, "sealed": 1})):
        for entry in turnfile.read(played(kind, "vectors").data).entries:
            values |= entry.fields
    values |= {
        "grant": 1,
        "leave-days": 1,
        "clock": "30+3",
        "draw": "offer",
        "resign": "yes",
        "package": "pbem 1",
    }
    values |= {
        "called": "Spring",
        "mail": "ben@example.org",
        "data": ["a"],
        "boxkey": str(values["elgamal"]),
    }
    values |= {"box": "AAAA", "decryption": str(values["elgamal"]), "note": "AAAA" * 96}
    values["files"] = [f"{b64(bytes(32))} 1 a"]
    values |= {"plans": [b64(bytes(288))], "opened-plans": [f"1 {b64(bytes(32))}"]}
    values |= {"series": "3 games", "series-game": 2, "series-first": b64(bytes(32))}
    values["earlier"] = [f"{b64(bytes(32))} won"]
    before, end = file.prefix(len(file.entries) - 1), file.entries[-1].fields
    tried = [key for key in KEYS if key not in (*AROUND, "end")]
    cases = [(key, appended(game, before, {**end, key: values[key]})) for key in tried]
    found = compare(cases)
    assert found.different == [] and found.failed == len(tried) - 1
    assert [key for key, data in cases if by_pbem(data)[0].ok] == ["message"]


@pytest.mark.parametrize("word", ["Seen", "see", "sold"])
def test_the_end_is_said_in_one_word(word: str) -> None:
    game, file = of(BACKGAMMON)
    last = file.entries[-1]
    data = appended(game, file.prefix(last.number), {**last.fields, "end": word})
    with pytest.raises(Malformed, match='"end" is seen'):
        replay(turnfile.read(data))


def test_an_older_program_refuses_such_a_game_at_its_invitation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, file = of(BACKGAMMON)
    older = {key: value for key, value in KEYS.items() if key not in ("closing", "end")}
    monkeypatch.setattr(turnfile, "KEYS", older)
    monkeypatch.setattr(turnfile, "_newest", turnfile.NewestFiles())
    with pytest.raises(Newer) as refused:
        turnfile.read(file.data)
    assert refused.value.entry == 0


def test_who_has_left_signs_no_end() -> None:
    _, file = of(LOOT)
    ledger = replay(turnfile.read(file.prefix(len(file.entries) - 2)))
    first = ledger.to_close()
    assert first is not None
    ledger.begun().referee.randomness.left.append(first)
    assert ledger.to_close() not in (None, first)
    with pytest.raises(RulesBroken):
        gate.admit(ledger, file.entries[-2])
