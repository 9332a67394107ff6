"""What is signed of a trace: every lie about a game in which honest players signed on is found, and
where nobody honest signed, the verifier says whose word it is. What each lie is stands in
`tests/vectors/make_lies.py`."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, tagged_hash
from pbem.ledger import gate, trace, trace_file
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.ledger.trace import Step
from tests.support.lies import GENUINE, LIES, ROOT, changed, file_of, trace_of, trace_with
from tests.support.mutations import SOLITAIRE, TRIPOLI, WITNESSED, Kind, Played, played
from tests.support.second_verifier import NODE, VERIFIER, by_node, needs_node, told_by_node
from tests.vectors import make_lies

ABOUT_TRACES = [lie for lie in LIES["page"] if "layer" in lie]
OLDER = "tests/replay/untraced.toml"


def test_the_lies_are_those_that_the_generator_makes() -> None:
    assert make_lies.lies() == LIES
    assert len(LIES["rolls"]) >= 27 and len(LIES["page"]) >= 38
    assert len({lie["about"] for lie in LIES["page"]}) == len(LIES["page"])


@needs_node
def test_each_roll_made_longer_contradicts_a_signature() -> None:
    """The dice are those that the proofs give, and so is all that follows from the same proofs."""
    cases = [
        (file_of(lie["file"]), changed(trace_of(lie["file"]), lie["changes"]))
        for lie in LIES["rolls"]
    ]
    for lie, (verdict, reason) in zip(LIES["rolls"], by_node(cases), strict=True):
        assert (verdict.ok, verdict.entry, verdict.layer) == (False, lie["entry"], "chain"), (
            lie,
            reason,
        )
        assert "saw another position" in reason


@needs_node
def test_each_change_of_a_trace_is_found_where_it_is() -> None:
    found = by_node((file_of(GENUINE), trace_with(lie)) for lie in ABOUT_TRACES)
    assert len(ABOUT_TRACES) > 20
    for lie, (verdict, reason) in zip(ABOUT_TRACES, found, strict=True):
        assert (verdict.entry, verdict.layer) == (lie["entry"], lie["layer"]), (
            lie["about"],
            reason,
        )


@needs_node
def test_words_that_are_not_signed_refuse_nothing() -> None:
    """`how` may be put better one day."""
    made = json.loads(json.dumps(trace_of(GENUINE)))
    step = next(
        step for entry in made["entries"] for step in entry.get("steps", ()) if "over" in step
    )
    step["how"] = "in other words"
    (found,) = told_by_node("--batch", [(file_of(GENUINE), made)])
    assert found["ok"] and found["result"]["how"] == "in other words" and found["result"]["signed"]


@needs_node
def test_longer_rolls_of_an_older_file_hold_and_it_is_said_that_they_are_told() -> None:
    """The attack that signed traces are there for."""
    lies = make_lies.rolls(OLDER)
    cases = [(file_of(OLDER), changed(trace_of(OLDER), lie["changes"])) for lie in lies]
    found = told_by_node("--batch", cases)
    assert sum(one["ok"] for one in found) > 5, "the verifier cannot know"
    assert all(one["signed"] is None and not (one["result"] or {}).get("signed") for one in found)
    assert all(
        "an older file signs none of it" in one["unchecked"][-1] for one in found if one["ok"]
    )


# Where nobody honest signed on


def signed_anew(
    game: Played, lie: dict[int, list[dict[str, Any]]], start: int
) -> tuple[bytes, Step]:
    """The file from entry `start` on signed again by whoever holds the keys, with positions that
    cover a false trace: its entries have these changes of their steps."""
    made = changed(trace_file.trace(game.data).trace, [])
    for number, changes in lie.items():
        made["entries"][number]["steps"] = changed(made["entries"][number]["steps"], changes)
    file, ledger = turnfile.read(game.data), Ledger()
    data = file.prefix(start)
    for entry in file.entries:
        gate.admit(ledger, entry)
        if entry.number < start:
            continue
        playing = ledger.begun()
        told = made["entries"][entry.number]
        parts = [told["board"].encode(), playing.referee.waits().encode()]
        parts += trace.digest_parts(ledger.invitation.trace_head, told.get("steps", []))
        fields = {**entry.fields, "position": b64(tagged_hash("pbem/1 position", *parts))}
        body = turnfile.write_body(fields)
        signature = game.signers[entry.seat](SIGNATURE_TAG + turnfile.digest_of(data, body))
        data += body + turnfile.write_signature(signature)
    return data, made


def false_winner(game: Played) -> tuple[int, dict[int, list[dict[str, Any]]], list[str]]:
    """The entry with which the rules ended, the change that gives the game to the other side, and
    who wins then."""
    made = trace_file.trace(game.data).trace
    number, place, step = next(
        (number, place, step)
        for number, entry in enumerate(made["entries"])
        for place, step in enumerate(entry.get("steps", ()))
        if "over" in step
    )
    winners = ["tripolitan"] if step["over"] == ["american"] else ["american"]
    return number, {number: [{"path": [place, "over"], "value": winners}]}, winners


@needs_node
def test_the_last_entries_of_one_writer_stand_on_their_word() -> None:
    """Whoever writes last can sign a false result. The verifier says up to which entry both signed,
    and gives no result after it as signed; pbem, which has the rules, refuses the entry."""
    game = ended_by_its_last_entry()
    last, lies, winners = false_winner(game)
    data, made = signed_anew(game, lies, last)
    (found,) = told_by_node("--batch", [(data, made)])
    assert found["ok"] and found["signed"] == last - 1
    assert found["result"]["winners"] == winners and found["result"]["entry"] == last
    assert found["result"]["signed"] is False
    refused_by_pbem(data, last)


def ended_by_its_last_entry() -> Played:
    """A solitaire game with a witness that the player ends: nobody signs on to its last entry."""
    for seed in range(40):
        game = played(WITNESSED, f"last {seed}")
        if false_winner(game)[0] == len(turnfile.read(game.data).entries) - 1:
            return game
    raise AssertionError("no game ended with its last entry")


@needs_node
@pytest.mark.parametrize("kind", [TRIPOLI, SOLITAIRE], ids=str)
def test_one_person_with_all_keys_signs_whatever_they_like(kind: Kind) -> None:
    """Of a game of two keys the verifier cannot know that they are one person's, and the page says
    so; of one key it says that nobody else signed. pbem refuses both."""
    game = played(kind, "all keys")
    number, lies, winners = false_winner(game)
    entries = turnfile.read(game.data).entries[number + 1 :]
    assert not any("proof" in entry.fields for entry in entries), (
        "a proof would hang on the digests before"
    )
    data, made = signed_anew(game, lies, number)
    (found,) = told_by_node("--batch", [(data, made)])
    assert found["ok"] and found["result"]["winners"] == winners
    assert found["result"]["signed"] is (kind == TRIPOLI) and (found["signed"] is None) is (
        kind == SOLITAIRE
    )
    refused_by_pbem(data, number)


def refused_by_pbem(data: bytes, number: int) -> None:
    failure: PbemError | None = trace_file.trace(data).failure
    assert failure is not None and (failure.entry, failure.layer) == (number, "chain")


# The JSON of a trace


@needs_node
def test_both_programs_spell_a_trace_alike() -> None:
    """The vectors of `trace.json`, in node."""
    vectors = json.loads((ROOT / "tests" / "vectors" / "trace.json").read_text(encoding="utf-8"))
    told = json.dumps([case["value"] for case in vectors["json"]])
    steps = json.dumps([case["steps"] for case in vectors["entries"]])
    script = f"""
      globalThis.pbem = {{ noble: require({json.dumps(str(VERIFIER.with_name("noble.js")))}) }};
      for (const part of ["bytes", "trace"]) require({json.dumps(str(VERIFIER.parent))} + `/${{part}}.js`);
      const {{ canonical, headDigest, signedSteps, hex }} = globalThis.pbem, head = {vectors["head"]};
      const refused = [0.5, 2 ** 53, NaN, "\\ud83d", undefined].map((one) => {{
        try {{
          return canonical([one]);
        }} catch {{
          return null;
        }}
      }});
      const traced = {steps}.map((text) => {{
        const steps = JSON.parse(text).map((step) => ({{ ...step, how: 0.5 }}));
        return hex(signedSteps(headDigest(head), steps));
      }});
      const texts = {told}.map(canonical), whole = hex(headDigest({{ ...head, entries: [] }}));
      console.log(JSON.stringify({{ texts, head: whole, refused, traced }}));
    """  # noqa: E501
    assert NODE is not None
    run = subprocess.run([NODE, "-e", script], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    found = json.loads(run.stdout)
    assert found["texts"] == [case["text"] for case in vectors["json"]]
    assert found["head"] == vectors["head_digest"] and found["refused"] == [None] * 5
    assert found["traced"] == [case["trace"] for case in vectors["entries"]]


def test_every_archived_game_signs_its_trace() -> None:
    for path in (ROOT / "tests" / "archive").glob("*.toml"):
        assert turnfile.read(path.read_bytes()).entries[0].fields.get("trace") == 1, path.name
