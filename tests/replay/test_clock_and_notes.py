"""The verifier in JavaScript judges the fields of time and notes as pbem does."""

from __future__ import annotations

from pathlib import Path

from pbem.crypto import notes
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Value
from tests.ledger.test_notes import TEXT, to_the_end, with_note
from tests.support.players import Pair, before_last, prefix, retouch
from tests.support.second_verifier import compare, needs_node

CHANGES: list[dict[str, Value | None]] = [
    {"received": None},
    {"received": "0001-01-01T00:00:00Z"},
    {"received": "2026-11-21"},
    {"leave": "2026-02-31"},
    {"leave": "2026-13-01"},
    {"leave": "tomorrow"},
    {"grant": 7},
    {"grant": 0},
    {"grant": 1000},
    {"clock": "30+3"},
    {"leave-days": 4},
    {"leave-days": 0},
    {"clock": "30+03"},
    {"note": b64(bytes(288))},
    {"note": b64(bytes(1056))},
    {"note": b64(bytes(289))},
    {"note": b64(bytes(291))},
    {"note": "x"},
    {"note": b64(bytes(288))[:-4] + "AA=="},
    {"files": [f"{b64(bytes(32))} 5000000 battle.vsav"]},
    {"files": [f"{b64(bytes(32))} 5000001 battle.vsav"]},
    {"files": [f"{b64(bytes(32))} 1 aux.vsav"]},
]


@needs_node
def test_both_verifiers_agree_about_the_fields(tmp_path: Path) -> None:
    """In games with and without a clock, in first entries and later ones."""
    cases = []
    for name, time in (("timed", {"clock": "30+3", "leave-days": 9}), ("plain", {})):
        pair = Pair(tmp_path / name, 21, time=dict(time)).play(4)
        for entries in (1, 2, 3, 4):
            data = prefix(pair, entries)
            cases.append((f"{name} {entries}", data))
            cases += [
                (f"{name} {entries} {change}", pair.cheat(data, **change)) for change in CHANGES
            ]
    found = compare(cases)
    assert found.different == []
    assert found.judged == len(cases) == 2 * 4 * (1 + len(CHANGES)) and found.failed > 60


@needs_node
def test_both_verifiers_open_the_notes(tmp_path: Path) -> None:
    """Good ones, one that is no text, and roots that do not give a note, in the entry at hand or an
    earlier one."""
    cases = []
    for name, padded in (("good", notes.pad(TEXT)), ("no text", bytes(1024))):
        pair = Pair(tmp_path / name, 7).play(4)
        to_the_end(pair, with_note(pair, padded)[1])
        cases.append((name, pair.data))
    pair = Pair(tmp_path / "bad", 7).play(4)
    seat = pair.turn()
    assert seat is not None
    pair.step([], resign=True, note=TEXT)
    cases.append(("resigned with a note", pair.data))
    cases.append(("its own root does not give it", pair.cheat(note=b64(bytes(288)))))
    pair = Pair(tmp_path / "earlier", 7).play(4)
    author, spoilt = with_note(pair, notes.pad(TEXT), spoil=True)
    other = pair.identities[1 - author]
    honest = Pair(tmp_path / "honest", 7).play(4)
    honest.step([], resign=True)
    end = retouch(spoilt + honest.data[len(before_last(honest.data)) :], other)
    cases.append(("the other resigned", end))
    found = compare(cases)
    assert found.different == []
    assert found.layers["note"] == 1, found.layers
