"""What several files of one game prove of a key that signed two versions: the program and the page
say the same."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import fingerprint
from pbem.ledger.evidence import NO_ACCUSATION, Evidence, evidence, signed_chain
from pbem.turn import named_file
from tests.support.homes import key_of
from tests.support.mutations import BACKGAMMON, TRIPOLI, mutated, played
from tests.support.second_verifier import NODE, VERIFIER, needs_node, told_by_node
from tests.vectors import make_evidence
from tests.vectors.make_evidence import Files, Found, author, cases, game, signed_on


def by_pbem(files: Files) -> list[Evidence]:
    """As `pbem verify` takes files."""
    chains = []
    for data in files.values():
        try:
            chains.append(signed_chain(named_file.turn_in(data, "")))
        except PbemError:
            chains.append(None)
    return evidence(chains)


def found_in(files: Files, told: list[Evidence]) -> list[Found]:
    names = list(files)
    return [
        Found(one.kind, one.seat, one.number, tuple(sorted(names[file] for file in one.files)))
        for one in told
    ]


def by_node(files: Files) -> list[Evidence]:
    """The second program on these files, which says of each piece the same words."""
    found = []
    for one in told_by_node("--evidence", [(data, None) for data in files.values()]):
        ids, place = (bytes.fromhex(one["game"]), bytes.fromhex(one["key"])), tuple(one["files"])
        found.append(Evidence(one["kind"], *ids, one["number"], one["seat"], place))
        assert one["words"] == found[-1].in_words()
    return found


@needs_node
@pytest.mark.parametrize("name", cases())
def test_both_say_what_the_files_prove(name: str) -> None:
    files, expected = cases()[name]
    turned = dict(reversed(files.items()))
    ours, theirs = by_pbem(files), by_node(files)
    assert sorted(found_in(files, ours)) == sorted(expected)
    assert theirs == ours
    swapped, theirs = by_pbem(turned), by_node(turned)
    is_pair = len(files) == 2  # of several files with one entry the first is named
    for one, other in zip(found_in(turned, swapped), found_in(files, ours), strict=True):
        assert one[:3] == other[:3] and (one.files == other.files or not is_pair), (
            "whichever file comes first"
        )
    assert theirs == swapped


@needs_node
def test_the_command_says_what_other_tests_ask_of_a_running_verifier(tmp_path: Path) -> None:
    files, expected = next(iter(cases().values()))
    paths = [tmp_path / name for name in files]
    for path, data in zip(paths, files.values(), strict=True):
        path.write_bytes(data)
    run = subprocess.run([str(NODE), VERIFIER, "--evidence", *paths], capture_output=True)
    assert expected
    assert json.loads(run.stdout) == told_by_node(
        "--evidence", [(data, None) for data in files.values()]
    )


def test_the_cases_are_those_in_the_vectors() -> None:
    kept = json.loads(
        (make_evidence.HERE / "evidence" / "evidence.json").read_text(encoding="utf-8")
    )
    assert make_evidence.listed() == kept


def test_evidence_is_about_a_key_and_not_a_name() -> None:
    (one,) = by_pbem(cases()["a stranger who uses a player's name"][0])
    assert one.key == key_of("Cleo") and fingerprint(one.key) in one.in_words()
    assert str(game().entries[1].fields["name"]) not in one.in_words() + NO_ACCUSATION


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_both_say_the_same_of_changed_files() -> None:
    """A good file beside three changed ones, most of which are signed by their authors."""
    kinds = set()
    for kind in (TRIPOLI, BACKGAMMON[1]):
        good, rng = played(kind, "evidence"), random.Random("evidence")
        for _ in range(12):
            files = {
                "good": good.data,
                **{str(n): mutated(good.data, rng, good.signers).data for n in range(3)},
            }
            ours = by_pbem(files)
            assert by_node(files) == ours
            kinds |= {one.kind for one in ours}
    assert "twice" in kinds


def test_an_honest_guest_of_an_inviter_who_signs_two_invitations_leaves_no_evidence(
    tmp_path: Path,
) -> None:
    """Both have one key and nonce, so one game id; whoever joins one of them joins no other."""
    first = game().upto(0)
    second = signed_on(
        game().before(0), {**game().entries[0].fields, "message": "Hi"}, game().signers[author(0)]
    )
    ben = Player("Ben", tmp_path / "home", tmp_path, in_process=True)
    ben.does("id", "--name", "Ben")
    codes = []
    for name, data in (("first.toml", first), ("second.toml", second)):
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).with_suffix("").mkdir()
        codes.append(ben.types("join", name, "--no-mail", "--dir", name.split(".")[0]))
    joins = [path.read_bytes() for path in tmp_path.glob("*/*-0001.toml")]
    assert [code for code, *_ in codes] == [0, 4] and len(joins) == 1
    found = by_pbem({"joined": joins[0], "first": first, "second": second})
    assert [(one.seat, one.number) for one in found] == [(author(0), 0)], "only of the inviter"


def test_junk_behind_a_long_file_is_passed_over_in_two_readings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody who appends something has the file read over and over."""
    good, read = played(BACKGAMMON[0], "evidence").data, turnfile.read
    count: list[int] = []
    monkeypatch.setattr(turnfile, "read", lambda data: (count.append(len(data)), read(data))[1])
    bad = good + b'\n[[entry]]\nmood = "good"\n' + good[good.index(b"[entry.signature]") :][:130]
    chain, whole = signed_chain(bad), signed_chain(good)
    assert chain == whole and chain is not None and len(chain.entries) > 50
    assert len(count) <= 4
