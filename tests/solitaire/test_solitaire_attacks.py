"""Files that no honest program writes: proofs left out, the bot's seat in use, a witness who
decides."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import Invalid
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import HEADER
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.ledger.signatures import SIGNATURE_TAG
from tests.support.solitaire_kit import Choose, careful, home_of, invite, join, key_of, write

NONCE = b64(bytes(32))


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Home]:
    folder = tmp_path_factory.mktemp("homes")
    return home_of(folder, "Ann"), home_of(folder, "Ben")


def signed(home: Home, before: bytes, fields: Fields) -> bytes:
    """The file with one more entry, signed by a home whatever it holds."""
    body = turnfile.write_body(turnfile.in_order(fields))
    signature = home.identity().sign(SIGNATURE_TAG + turnfile.digest_of(before, body))
    return before + body + turnfile.write_signature(signature)


def changed(home: Home, data: bytes, change: Callable[[Fields], Any]) -> bytes:
    """The file with its last entry changed and signed anew by its author."""
    file = turnfile.read(data)
    last = len(file.entries) - 1
    before = file.prefix(last) if last else f"{HEADER}\n".encode()
    fields = dict(file.entries[-1].fields)
    change(fields)
    return signed(home, before, fields)


def refused(data: bytes, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        replay(turnfile.read(data))


def until_chance(data: bytes, ann: Home, choose: Choose) -> bytes:
    """Entries of the player until one ends with a roll that is pending."""
    while True:
        data = write(ann, data, choose)
        referee = replay(turnfile.read(data)).begun().referee
        if referee.turn.pending():
            return data


def test_the_unchanged_entry_is_taken(homes: tuple[Home, Home]) -> None:
    """The attacks below fail for what they change and nothing else."""
    ann = homes[0]
    data = until_chance(invite(ann), ann, careful(random.Random(1)))
    replay(turnfile.read(changed(ann, data, lambda _fields: None)))


def test_alone_without_the_proof(homes: tuple[Home, Home]) -> None:
    ann = homes[0]
    data = write(
        ann, until_chance(invite(ann), ann, careful(random.Random(1))), careful(random.Random(1))
    )
    refused(changed(ann, data, lambda fields: fields.pop("proof")), "leaves out what its seat owes")


def test_alone_with_nothing_at_all(homes: tuple[Home, Home]) -> None:
    ann = homes[0]
    data = until_chance(invite(ann), ann, careful(random.Random(1)))
    position = turnfile.read(data).entries[-1].text("position")
    empty: Fields = {
        "seat": "american",
        "date": "2026-11-21T09:30:00Z",
        "nonce": NONCE,
        "position": position,
    }
    refused(signed(ann, data, empty), "leaves out what its seat owes")
    refused(signed(ann, data, {**empty, "resign": "yes"}), "leaves out what its seat owes")


def test_alone_with_the_proof_of_another_entry(homes: tuple[Home, Home]) -> None:
    ann = homes[0]
    choose = careful(random.Random(1))
    data = until_chance(until_chance(invite(ann), ann, choose), ann, choose)
    older = next(
        e.text("proof") for e in reversed(turnfile.read(data).entries[:-1]) if e.text("proof")
    )
    refused(changed(ann, data, lambda fields: fields.update(proof=older)), "the proof for entry")


def test_a_proof_of_the_player_where_the_witness_owes_it(homes: tuple[Home, Home]) -> None:
    """With a witness the player's own proof settles nothing."""
    ann, ben = homes
    data = until_chance(join(ben, invite(ann, ben)), ann, careful(random.Random(3)))
    proof = turnfile.read(data).entries[2].text("proof")
    assert proof
    position = turnfile.read(data).entries[-1].text("position")
    fields: Fields = {"seat": "american", "date": "2026-11-21T09:30:00Z", "nonce": NONCE}
    refused(
        signed(ann, data, {**fields, "proof": proof, "position": position}), "not this seat's turn"
    )


@pytest.mark.parametrize("witnessed", [True, False])
def test_the_bots_seat_writes_no_entry(homes: tuple[Home, Home], witnessed: bool) -> None:
    ann, ben = homes
    data = join(ben, invite(ann, ben)) if witnessed else invite(ann)
    after = write(ann, data, careful(random.Random(2)))
    refused(
        changed(ann, after, lambda fields: fields.update(seat="tripolitan")), "not this seat's turn"
    )
    fields = {**turnfile.read(data).entries[-1].fields, "seat": "tripolitan"}
    for writer in (ann, ben):
        refused(signed(writer, data, fields), "not this seat's turn")


def test_the_bots_seat_invites_nobody(homes: tuple[Home, Home]) -> None:
    ann, ben = homes
    refused(
        changed(ann, invite(ann), lambda f: f.update(seat="tripolitan")), "not this seat's turn"
    )
    for data in (invite(ann), invite(ann, ben)):
        invites = [f"tripolitan {key_of(ben)}"]
        refused(
            changed(ann, data, lambda f, invites=invites: f.update(invites=invites)),
            "invites nobody",
        )


def test_the_witness_does_not_take_the_bots_seat(homes: tuple[Home, Home]) -> None:
    ann, ben = homes
    data = join(ben, invite(ann, ben))
    refused(
        changed(ben, data, lambda fields: fields.update(seat="tripolitan")), "not this seat's turn"
    )


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ({"answers": ["event Thomas Jefferson"]}, "to nothing that was asked"),
        ({"answers": ["decline"]}, "to nothing that was asked"),
        ({"orders": ["hits: damage frigate"]}, "only the player gives standing orders"),
        ({"resign": "yes"}, "a witness decides nothing"),
        ({"draw": "offer"}, "a witness decides nothing"),
        ({"root": NONCE}, "a root is revealed when the game is over"),
        ({"seals": [f"a1 {NONCE}"]}, "seals that nothing asks for"),
        ({"openings": [f"a1 {NONCE} Naval Movement"]}, "not owed"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_witness_who_decides(homes: tuple[Home, Home], field: Fields, why: str) -> None:
    ann, ben = homes
    data = write(ben, until_chance(join(ben, invite(ann, ben)), ann, careful(random.Random(3))))
    refused(changed(ben, data, lambda fields: fields.update(field)), why)


def test_a_witness_who_proves_twice(homes: tuple[Home, Home]) -> None:
    """Nothing is owed while the player decides."""
    ann, ben = homes
    data = write(ben, until_chance(join(ben, invite(ann, ben)), ann, careful(random.Random(3))))
    refused(signed(ben, data, dict(turnfile.read(data).entries[-1].fields)), "not this seat's turn")


@pytest.mark.parametrize("options", [[], ["unwitnessed", "witness"], ["witness"]])
def test_a_lone_game_says_so(homes: tuple[Home, Home], options: list[str]) -> None:
    """The word cannot be left out, and a game with a witness does not bear it."""
    ann = homes[0]

    def change(fields: Fields) -> None:
        fields["options"] = list(options)
        if not options:
            del fields["options"]
        if "witness" in options:
            fields["seats"] = ["american", "tripolitan", "witness"]

    data = changed(ann, invite(ann), change)
    if options == ["witness"]:
        refused(data, "another position")
    else:
        refused(data, 'says "unwitnessed"')


def test_two_players_games_are_not_unwitnessed(homes: tuple[Home, Home]) -> None:
    from pbem.turn import joining

    data = joining.invite(homes[0], joining.NewGame("tripoli"))
    refused(
        changed(homes[0], data, lambda fields: fields.update(options=["unwitnessed"])),
        "unknown option",
    )
