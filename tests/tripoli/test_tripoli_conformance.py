"""Recorded games of an independent implementation, replayed through our rules."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from tests.support import conformance

OWN = Path(__file__).parent / "data" / "games.jsonl.gz"
SHARED = Path(__file__).parents[3] / "shared" / "conformance" / "tripoli.jsonl"


def test_own_copy_has_no_mismatch():
    assert conformance.compare(conformance.read(OWN)) == (6, 286, [])


def test_all_recorded_games():
    if not SHARED.exists():
        pytest.skip("the full set of recorded games is not beside this repository")
    games, _, mismatches = conformance.compare(conformance.read(SHARED))
    assert games > 0
    assert mismatches == []


def spoiled(record, what):
    """The record with one thing changed."""
    record = copy.deepcopy(record)
    for event in record["events"]:
        if what == "gold" and "state" in event:
            event["state"]["gold"] += 1
            return record
        if what == "card" and event.get("decision") == "play":
            event["as"], event["card"] = "event", "Assault on Tripoli"
            return record
        if what == "dice" and "roll" in event:
            event["dice"].append(6)
            return record
        if what == "how" and "result" in event:
            event["result"]["how"] = "nonsense"
            return record
    raise AssertionError(what)


@pytest.mark.parametrize("what", ["gold", "card", "dice", "how"])
def test_a_spoiled_record_is_noticed(what):
    record = next(iter(conformance.read(OWN)))
    _, _, mismatches = conformance.compare([spoiled(record, what)])
    assert len(mismatches) == 1


@pytest.mark.parametrize("decision", ["send_frigates", "join_attack"])
def test_a_list_may_name_more_ships_than_are_asked_for(decision):
    """The rest of such a list stayed in the queue and was taken for the answer to the hand limit or
    to gunboats."""
    lengthened = 0
    for record in conformance.read(OWN):
        record = copy.deepcopy(record)
        for event in record["events"]:
            if event.get("decision") == decision and (
                decision == "send_frigates" or len(event["from"]) == 3
            ):
                event["from"] += ["Gibraltar"] * 2
                lengthened += 1
        assert conformance.compare([record])[2] == []
    assert lengthened > 0


def test_the_script_reports(capsys, tmp_path):
    assert conformance.main([str(OWN)]) == 0
    assert capsys.readouterr().out == "games=6 states=286 mismatches=0\n"
    assert conformance.main([]) == 2
