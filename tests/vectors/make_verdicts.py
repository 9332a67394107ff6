"""Makes tests/vectors/verdicts: turn files with one failure each, and good ones with their dice and
cards.

`python -m tests.vectors.make_verdicts`; what they are for stands in the README beside them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pbem.crypto import group, notes, vrf
from pbem.crypto.group import ORDER
from pbem.crypto.randomness import derive
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, tagged_hash, unb64
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import Entry
from pbem.ledger import gate
from pbem.ledger import trace_file as trace
from pbem.ledger.common_deck_fields import read_rows, write_rows
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.series import nonce_of
from pbem.ledger.signatures import SIGNATURE_TAG
from tests.support.mutations import (
    BACKGAMMON,
    CLOSING,
    LOOT,
    PARADISE,
    SOLITAIRE,
    TRIPOLI,
    WITNESSED,
    Kind,
    Played,
    played,
)
from tests.vectors.make import sample

FOLDER = Path(__file__).parent / "verdicts"
TORSION = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
"""A point of order 8."""
Change = Callable[[Fields], None]


class Vector(NamedTuple):
    """A file, and what is particular about it."""

    name: str
    data: bytes
    about: str


class Base:
    """A game that the vectors are made of."""

    def __init__(self, game: Played) -> None:
        self.data, self.signers = game.data, game.signers
        self.entries = turnfile.read(game.data).entries

    def before(self, number: int) -> bytes:
        return (
            self.data[: self.entries[number - 1].end] if number else f"{turnfile.HEADER}\n".encode()
        )

    def upto(self, number: int) -> bytes:
        return self.data[: self.entries[number].end]

    def first(self, key: str, after: int = 2) -> int:
        """The first entry from `after` on that holds this field."""
        return next(entry.number for entry in self.entries[after:] if key in entry.fields)

    def changed(self, number: int, change: Change, *, position: bool = True) -> bytes:
        """The file up to this entry, with the entry changed and signed anew; with the position that
        the gate would compute, if it gets so far."""
        fields = dict(self.entries[number].fields)
        change(fields)
        signed = self.signed(number, fields)
        if position and (right := _position(signed)) is not None:
            signed = self.signed(number, {**fields, "position": b64(right)})
        return signed

    def signed(self, number: int, fields: Fields, seat: str = "") -> bytes:
        """The file up to this entry, which holds these fields and is signed by its seat, or another
        one."""
        before = self.before(number)
        body = turnfile.write_body(turnfile.in_order(fields))
        signature = self.signers[seat or str(fields["seat"])](
            SIGNATURE_TAG + turnfile.digest_of(before, body)
        )
        return before + body + turnfile.write_signature(signature)

    def resigned(self, number: int, signature: Callable[[bytes, bytes], bytes]) -> bytes:
        """The file up to this entry under another signature, made from the right one and the
        entry's digest."""
        entry = self.entries[number]
        end = self.upto(number).rindex(b"[entry.signature]")
        return self.data[:end] + turnfile.write_signature(signature(entry.signature, entry.digest))


def _position(data: bytes) -> bytes | None:
    game = Ledger()
    try:
        for entry in turnfile.read(data).entries:
            gate.admit(game, entry)
    except PbemError as error:
        return game.position_digest() if "another position" in error.what else None
    return None


def put(key: str, value: Any) -> Change:
    return lambda fields: fields.__setitem__(key, value)


def drop(key: str) -> Change:
    return lambda fields: fields.__delitem__(key)


def bit(key: str, place: int = 0) -> Change:
    """One bit of a field of bytes turned."""

    def change(fields: Fields) -> None:
        value = fields[key]
        data = bytearray(
            read_rows(value, "", key) if isinstance(value, list) else unb64(str(value))
        )
        data[place] ^= 1
        fields[key] = write_rows(bytes(data)) if isinstance(value, list) else b64(bytes(data))

    return change


def point(key: str, point: bytes, place: int = 0) -> Change:
    """Another point in place of the one at this place of a field."""

    def change(fields: Fields) -> None:
        value = fields[key]
        data = bytearray(
            read_rows(value, "", key) if isinstance(value, list) else unb64(str(value))
        )
        data[32 * place : 32 * place + 32] = point
        fields[key] = write_rows(bytes(data)) if isinstance(value, list) else b64(bytes(data))

    return change


def good(tripoli: Base, solitaire: Base, loot: Base, sealed: Base) -> list[Vector]:
    mailed = tripoli.upto(9).replace(b"\n", b"\r\n")
    return [
        Vector("tripoli", tripoli.data, "a game of two with own decks, standing orders and roots"),
        Vector("solitaire", solitaire.data, "a player alone with the dice"),
        Vector("loot", loot.data, "a game with a common deck, to its roots"),
        Vector("sealed", sealed.data, "a game of two with sealed choices, to its roots"),
        Vector("line-ends", mailed, "CR before every LF, as mail makes it"),
        Vector(
            "noted",
            noted(tripoli, tripoli.first("root"), spoiled=False),
            "a note that its author's root gives",
        ),
        Vector(
            "called",
            _raw(tripoli, 0, "called", "Winter league 3"),
            "an invitation to a game with a name of its own",
        ),
        Vector("last-line", tripoli.upto(5)[:-1] + b"\n\n\n", "empty lines after the last line"),
    ]


WHOLE = {
    "witnessed": (WITNESSED, "a player of solitaire and a witness of the dice"),
    "paradise": (PARADISE, "a player alone, with cards and battles"),
    "backgammon": (BACKGAMMON[0], "a match of two with a cube"),
    "unless-ordered": (
        BACKGAMMON[2],
        "doubles that are sealed or ordered, and orders that change",
    ),
    "beavers": (BACKGAMMON[3], "games for points with beavers"),
    "cube-orders": (BACKGAMMON[4], "orders about the cube, with conditions"),
    "closing": (
        CLOSING[0],
        "a match whose loser says at last that they have seen the end",
    ),
}
"""Good files of other games, of which nothing is changed here."""


def whole() -> list[Vector]:
    return [
        Vector(name, played(kind, "vectors").data, about) for name, (kind, about) in WHOLE.items()
    ]


def grammar(tripoli: Base) -> list[Vector]:
    blank = tripoli.upto(4).replace(b"\nseat = ", b"\nseat =  ", 1)
    nonce = str(tripoli.entries[3].fields["nonce"])
    loose = nonce[:-2] + chr(ord(nonce[-2]) + 1) + "="
    return [
        Vector("grammar-blank", blank, "two blanks after an equals sign"),
        Vector(
            "grammar-base64",
            tripoli.changed(3, put("nonce", loose)),
            "bits after the last byte, in a signed nonce",
        ),
        Vector("grammar-hidden", _hidden(tripoli), "a zero width space in a name"),
        Vector("grammar-torn", tripoli.upto(6)[:-40], "the end of the file is missing"),
        Vector(
            "grammar-trace",
            _raw(tripoli, 0, "trace", 2),
            "a trace signed in another way than there is",
        ),
        Vector("limit-name", _raw(tripoli, 0, "name", "x" * 81), "a name of 81 characters"),
        Vector(
            "limit-called", _raw(tripoli, 0, "called", "x" * 41), "a game called by 41 characters"
        ),
        Vector("limit-list", _raw(tripoli, 4, "answers", ["none"] * 513), "a list of 513 strings"),
        Vector(
            "limit-line",
            tripoli.upto(4) + b'\n[[entry]]\nseat = "' + b"x" * 9000 + b'"\n',
            "a line of 9,008",
        ),
    ]


def _raw(base: Base, number: int, key: str, value: Any) -> bytes:
    return base.signed(number, {**base.entries[number].fields, key: value})


def _hidden(base: Base) -> bytes:
    return _raw(base, 0, "name", "Anna").replace(b"Anna", "An\u200bna".encode())


def signature(tripoli: Base) -> list[Vector]:
    def scalar(signature: bytes, digest: bytes) -> bytes:
        return signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(
            32, "little"
        )

    def turned(signature: bytes, digest: bytes) -> bytes:
        return bytes([signature[0] ^ 1]) + signature[1:]

    dated = tripoli.upto(5).replace(b"2000-01-01T00:00:00Z", b"2000-01-01T00:00:01Z", 1)
    return [
        Vector("signature-bit", tripoli.resigned(5, turned), "one bit of R turned"),
        Vector("signature-scalar", tripoli.resigned(5, scalar), "L added to the scalar"),
        Vector(
            "signature-torsion",
            _own_signature(tripoli, 5, torsion=True),
            "R plus a point of order 8",
        ),
        Vector(
            "signature-key",
            tripoli.changed(1, put("key", b64(TORSION))),
            "an identity key of order 8",
        ),
        Vector("signature-text", dated, "another date"),
    ]


def _own_signature(base: Base, number: int, *, torsion: bool) -> bytes:
    """The entry signed with a nonce point of our choice: one with a point of order 8 in it, or the
    neutral point."""
    entry = base.entries[number]
    seed = _seed(base, entry.seat)
    digest = hashlib.sha512(seed).digest()
    a = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    key = group.base(a)
    r = 12345 if torsion else 0
    big_r = group.add(group.base(r), TORSION) if torsion else group.IDENTITY
    k = (
        int.from_bytes(
            hashlib.sha512(big_r + key + SIGNATURE_TAG + entry.digest).digest(), "little"
        )
        % ORDER
    )
    return base.resigned(number, lambda _s, _d: big_r + group.scalar_bytes(r + k * a))


def _seed(base: Base, seat: str) -> bytes:
    signer: Any = base.signers[seat]
    seed: bytes = signer.__self__.seed
    return seed


def chain(tripoli: Base) -> list[Vector]:
    other = next(entry for entry in tripoli.entries[2:] if entry.seat != tripoli.entries[2].seat)
    vrf = str(tripoli.entries[0].fields["vrf"])
    place = tripoli.first("proof")
    return [
        Vector("chain-turn", tripoli.changed(2, put("seat", other.seat)), "not this seat's turn"),
        Vector("chain-field", tripoli.changed(3, put("name", "Cleo")), "a name in a later entry"),
        Vector(
            "chain-key",
            tripoli.changed(1, put("vrf", vrf)),
            "a key for chance that another seat has",
        ),
        Vector(
            "chain-position",
            tripoli.changed(4, bit("position"), position=False),
            "another position",
        ),
        Vector(
            "chain-owed", tripoli.changed(place, drop("proof")), "a proof that is owed is left out"
        ),
        Vector(
            "chain-name",
            tripoli.changed(1, put("name", "Ann\u2003Lee")),
            "a name with a blank that is not U+0020",
        ),
        Vector(
            "chain-called",
            _raw(tripoli, 0, "called", "Winter\u00a0league"),
            "such a blank in what a game is called",
        ),
        Vector(
            "chain-called-later",
            tripoli.changed(3, put("called", "Spring")),
            "a game called so by a later entry",
        ),
        Vector(
            "chain-received",
            tripoli.changed(3, put("received", "2000-01-01T00:00:00Z")),
            "a game without a clock",
        ),
        Vector(
            "chain-trace",
            tripoli.changed(3, put("trace", 1)),
            "a trace that is signed from a later entry on",
        ),
        Vector(
            "chain-untraced",
            _untraced(tripoli),
            "positions that leave out the trace, which entry 0 signs",
        ),
        Vector(
            "chain-draw",
            tripoli.changed(4, put("draw", "accept")),
            "a draw accepted that nobody offered",
        ),
    ]


def _untraced(base: Base) -> bytes:
    """Entry 0 as it is, with the position of a game that does not sign its trace."""
    digest = tagged_hash("pbem/1 position", b"joining", base.entries[0].seat.encode())
    return base.changed(0, put("position", b64(digest)), position=False)


def proof(tripoli: Base) -> list[Vector]:
    place = tripoli.first("proof")
    gamma = unb64(str(tripoli.entries[place].fields["proof"]))[:32]
    other = next(e for e in tripoli.entries[place + 1 :] if "proof" in e.fields)
    free = next(e.number for e in tripoli.entries[2:] if "proof" not in e.fields)
    return [
        Vector(
            "proof-bit", tripoli.changed(place, bit("proof", 50)), "one bit of its scalar turned"
        ),
        Vector(
            "proof-other",
            tripoli.changed(place, put("proof", other.fields["proof"])),
            "the proof of another entry",
        ),
        Vector(
            "proof-torsion",
            tripoli.changed(place, point("proof", group.add(gamma, TORSION))),
            "Gamma of order 8L",
        ),
        Vector(
            "proof-extra",
            tripoli.changed(free, put("proof", other.fields["proof"])),
            "a proof that is not owed",
        ),
    ]


def seal(tripoli: Base) -> list[Vector]:
    place = tripoli.first("openings")
    opening = str(tripoli.entries[place].list("openings")[0])
    back, salt, _ = opening.split(" ", 2)
    rest = tripoli.entries[place].list("openings")[1:]
    seals = tripoli.entries[0].list("seals")
    name = "Storms" if "Storms" not in opening else "Send in the Marines"

    def opened(text: str) -> bytes:
        return tripoli.changed(place, put("openings", [text, *rest]))

    swapped = [f"a1 {seals[1].split()[1]}", f"a2 {seals[0].split()[1]}", *seals[2:]]
    return [
        Vector(
            "seal-salt",
            opened(opening.replace(salt, b64(bytes(32)))),
            "an opening with another salt",
        ),
        Vector("seal-card", opened(f"{back} {salt} {name}"), "another card than was sealed"),
        Vector(
            "seal-missing",
            tripoli.changed(0, put("seals", seals[:-1])),
            "a deck sealed but for one card",
        ),
        Vector(
            "seal-extra", tripoli.changed(3, put("seals", seals[:2])), "seals that nothing asks for"
        ),
        Vector(
            "root-swapped",
            _stacked(tripoli, swapped),
            "a root that gives other seals: the author sealed another order",
        ),
    ]


def _stacked(tripoli: Base, seals: list[str]) -> bytes:
    """A game of two entries that begins with such seals and ends at once by resigning."""
    first = tripoli.changed(0, put("seals", seals))
    fields = dict(tripoli.entries[1].fields)
    base = Base(Played("", first, tripoli.signers))
    joined = _sign_on(base.data, tripoli, fields)
    nonce = b64(hashlib.sha256(b"stacked").digest())
    file = turnfile.read(joined)
    secrets = derive(
        _seed(tripoli, "american"), _id(joined), "american", file.entries[0].blob("nonce", 32)
    )
    ours: Fields = {
        "seat": "american",
        "date": "2000-01-01T00:00:00Z",
        "nonce": nonce,
        "resign": "yes",
    }
    ours |= {
        "proof": b64(vrf.prove(secrets.vrf_seed, file.entries[1].digest)),
        "root": b64(secrets.root),
    }
    return _sign_on(joined, tripoli, {**ours, "position": nonce})


def _id(data: bytes) -> bytes:
    return replay(turnfile.read(data)).game_id


def _sign_on(before: bytes, base: Base, fields: Fields) -> bytes:
    def made(fields: Fields) -> bytes:
        body = turnfile.write_body(turnfile.in_order(fields))
        signature = base.signers[str(fields["seat"])](
            SIGNATURE_TAG + turnfile.digest_of(before, body)
        )
        return before + body + turnfile.write_signature(signature)

    right = _position(made(fields))
    return made(fields if right is None else {**fields, "position": b64(right)})


def noted(tripoli: Base, number: int, *, spoiled: bool) -> bytes:
    """The entry that reveals a root with a note, sealed as it should be or with one bit turned."""
    entry, game = tripoli.entries[number], replay(turnfile.read(tripoli.before(number)))
    place = notes.NotePlace(game.game_id, entry.seat, entry.before, entry.blob("nonce", 32))
    sealed = bytearray(
        notes.seal(entry.blob("root", 32), place, notes.pad("I never had the Storms."))
    )
    sealed[7] ^= spoiled
    return tripoli.changed(number, put("note", b64(bytes(sealed))))


def note(tripoli: Base) -> list[Vector]:
    place = tripoli.first("root")
    return [
        Vector(
            "note-bit",
            noted(tripoli, place, spoiled=True),
            "a note that its author's root does not give",
        ),
        Vector(
            "grammar-note",
            tripoli.changed(place, put("note", b64(bytes(300)))),
            "a note of 300 bytes",
        ),
        Vector(
            "chain-note",
            tripoli.changed(1, put("note", b64(bytes(288)))),
            "a note in a first entry",
        ),
    ]


def files(tripoli: Base) -> list[Vector]:
    name, place = f"{b64(bytes(range(32)))} 120034 ", 3
    return [
        Vector(
            "with-files",
            tripoli.changed(place, put("files", [f"{name}battle.vsav", f"{name}map of Derne.png"])),
            "two files go with a turn",
        ),
        Vector(
            "grammar-file",
            tripoli.changed(place, put("files", [f"{name}../battle.vsav"])),
            "a file whose name leads out of its folder",
        ),
        Vector(
            "limit-files",
            tripoli.changed(place, put("files", [f"{name}{letter}" for letter in "abcde"])),
            "five files with one turn",
        ),
    ]


def plans(tripoli: Base) -> list[Vector]:
    sealed, key = b64(bytes(288)), b64(bytes(32))
    return [
        Vector(
            "with-plans",
            tripoli.changed(3, put("plans", [sealed, f"{sealed} winter"])),
            "two plans are sealed, one of a group",
        ),
        Vector(
            "grammar-plan",
            tripoli.changed(3, put("plans", [f"{sealed} Winter"])),
            "a group of plans whose name has a capital letter",
        ),
        Vector(
            "limit-plans",
            tripoli.changed(3, put("plans", [sealed] * 9)),
            "nine plans in one turn",
        ),
        Vector(
            "chain-plan",
            tripoli.changed(1, put("plans", [sealed])),
            "a plan in a first entry",
        ),
        Vector(
            "seal-plan",
            tripoli.changed(3, put("opened-plans", [f"1 {key}"])),
            "opens a plan that was never sealed",
        ),
    ]


def root(tripoli: Base) -> list[Vector]:
    place = tripoli.first("root")
    return [
        Vector("root-bit", tripoli.changed(place, bit("root")), "one bit of a root turned"),
        Vector(
            "root-missing", tripoli.changed(place, drop("root")), "a root that is owed is left out"
        ),
        Vector(
            "root-early", tripoli.changed(4, put("root", b64(bytes(32)))), "a root before the end"
        ),
    ]


def common(loot: Base) -> list[Vector]:
    place, end = loot.first("shares"), loot.first("root")
    return [
        Vector(
            "shuffle-bit",
            loot.changed(1, bit("shuffle", 4000)),
            "one bit of a proof of shuffle turned",
        ),
        Vector(
            "shuffle-pile",
            loot.changed(1, point("pile", group.BASE, 6)),
            "a card of the pile exchanged",
        ),
        Vector(
            "shuffle-torsion",
            loot.changed(1, point("pile", group.add(group.base(7), TORSION), 6)),
            "of order 8L",
        ),
        Vector("shuffle-missing", loot.changed(1, drop("shuffle")), "no proof of shuffle"),
        Vector("share-bit", loot.changed(place, bit("shares", 2)), "one bit of a share turned"),
        Vector(
            "share-point",
            loot.changed(place, point("shares", group.base(9))),
            "a share that is none",
        ),
        Vector(
            "share-missing",
            loot.changed(place, drop("shares")),
            "the shares that are owed are left out",
        ),
        Vector(
            "root-common",
            loot.changed(end, bit("root", 31)),
            "a root that does not give the key of the deck",
        ),
    ]


def sealed_choice(game: Base, other: Base) -> list[Vector]:
    """Openings of a sealed choice that are none (docs/format.md, section 19). `other` is another
    game of the kind."""
    place, first = game.first("chosen"), game.first("choice")
    line, at = str(game.entries[place].list("chosen")[0]), other.first("chosen")
    entry, index, salt, words = line.split(" ", 3)
    second = "double" if words == "roll" else "roll"
    sealed = game.entries[first].list("choice")
    another = f"{entry} {index} {str(other.entries[at].list('chosen')[0]).split(' ', 2)[2]}"

    def opened(*lines: str) -> bytes:
        return game.changed(place, put("chosen", list(lines)))

    return [
        Vector(
            "seal-choice-words",
            opened(f"{entry} {index} {salt} {second}"),
            "other words than were sealed",
        ),
        Vector(
            "seal-choice-salt", opened(f"{entry} {index} {b64(bytes(32))} {words}"), "another salt"
        ),
        Vector(
            "seal-choice-index",
            opened(f"{entry} 1 {salt} {words}"),
            "a choice that the entry does not have",
        ),
        Vector(
            "seal-choice-entry",
            opened(f"{int(entry) + 1} {index} {salt} {words}"),
            "a choice of another entry",
        ),
        Vector("seal-choice-file", opened(another), "the opening of a choice in another game"),
        Vector("seal-choice-twice", opened(line, line), "a choice that is opened twice"),
        Vector(
            "seal-choice-early",
            game.changed(first, put("chosen", [line])),
            "opened in the entry that seals it",
        ),
        Vector(
            "seal-choice-extra",
            game.changed(first, put("choice", sealed * 2)),
            "more choices than are asked for",
        ),
        Vector(
            "chain-choice-owed",
            game.changed(place, drop("chosen")),
            "an opening that is owed is left out",
        ),
        Vector(
            "chain-choice-open",
            game.changed(first, _in_the_open(words)),
            "an answer where a choice is sealed",
        ),
        Vector(
            "chain-choice-digest",
            game.changed(1, drop("root-digest")),
            "a first entry without its root's digest",
        ),
        Vector(
            "root-choice",
            game.changed(game.first("root"), bit("root")),
            "a root without that digest",
        ),
        Vector(
            "proof-choice",
            _thrown(game),
            "a proof where a double is opened, which the other player has yet to take",
        ),
        Vector(
            "grammar-choice",
            opened(f"0{entry} {index} {salt} {words}"),
            "a number with a nought before it",
        ),
    ]


def _thrown(game: Base) -> bytes:
    """The dice after a double would be known before it is taken."""
    entry = next(
        one for one in game.entries if "chosen" in one.fields and "proof" not in one.fields
    )
    assert entry.list("chosen")[0].endswith(" double")
    seed = derive(
        _seed(game, entry.seat),
        _id(game.data),
        entry.seat,
        _own_first(game, entry.seat).blob("nonce", 32),
    )
    before = game.entries[entry.number - 1]
    return game.changed(entry.number, put("proof", b64(vrf.prove(seed.vrf_seed, before.digest))))


def _own_first(game: Base, seat: str) -> Entry:
    return next(one for one in game.entries if one.seat == seat)


def _in_the_open(words: str) -> Change:
    def change(fields: Fields) -> None:
        del fields["choice"]
        answers = fields["answers"]
        assert isinstance(answers, list)
        fields["answers"] = [*answers, words]

    return change


def rules(tripoli: Base) -> list[Vector]:
    place = tripoli.first("answers")
    return [
        Vector(
            "rules-answer",
            tripoli.changed(place, put("answers", ["win"])),
            "an answer that is not legal",
        )
    ]


def closing() -> list[Vector]:
    """A match of which the loser has seen the end, and the ways not to say so."""
    game = Base(played(CLOSING[0], "vectors"))
    last = game.entries[-1]
    won, before = game.entries[-2].number, game.first("answers")
    silent = Base(played(CLOSING[0]._replace(closing=False), "vectors"))

    def more(data: bytes, seat: str, **fields: Any) -> bytes:
        """The file and one entry more of this seat."""
        base, whole = Base(Played("", data, game.signers)), {**last.fields, "seat": seat, **fields}
        right = _position(base.signed(len(base.entries), whole))
        return base.signed(
            len(base.entries), whole if right is None else {**whole, "position": b64(right)}
        )

    def answered(fields: Fields) -> None:
        del fields["answers"]
        fields["end"] = "seen"

    message = more(game.upto(won), last.seat, message="A good match")
    return [
        Vector("closing-message", message, "the same with a message"),
        Vector(
            "chain-closing-twice", more(game.data, last.seat), "a seat that has seen the end twice"
        ),
        Vector(
            "chain-closing-winner",
            more(game.upto(won), game.entries[won].seat),
            "by who wrote the last turn",
        ),
        Vector("chain-closing-early", game.changed(before, answered), "before the end"),
        Vector(
            "chain-closing-none",
            more(silent.data, last.seat),
            "in a game that does not say so in entry 0",
        ),
        Vector(
            "chain-closing-answers",
            game.changed(last.number, put("answers", ["roll"])),
            "with an answer",
        ),
        Vector(
            "chain-closing-leave",
            game.changed(last.number, put("leave", "2000-01-31")),
            "with an absence",
        ),
        Vector(
            "chain-closing-untraced",
            game.changed(0, drop("trace")),
            "a game that does not sign its trace",
        ),
        Vector(
            "chain-closing-later", game.changed(before, put("closing", 1)), "from a later entry on"
        ),
        Vector(
            "chain-closing-left-out",
            game.changed(last.number, drop("end")),
            "an entry that is nobody's to write",
        ),
        Vector("grammar-closing", _raw(game, 0, "closing", 2), "of another kind than there is"),
        Vector("grammar-end", game.changed(last.number, put("end", "yes")), "another word"),
    ]


def series(game: Base) -> list[Vector]:
    """Entries 0 of series, and the ways in which they are none."""
    first, digest, other = sample("first game"), b64(sample("end")), game.entries[1].fields

    def invited(**fields: Any) -> bytes:
        """Entry 0 of the third game of a best of five, with other fields (None: without them)."""
        number = fields.get("series_game", 3)
        whole = {
            "series": "best of 5",
            "series_game": 3,
            "series_first": b64(first),
            "earlier": [f"{digest} won", f"{digest} drawn"],
            "invites": [f"{other['seat']} {other['key']}"],
            "nonce": b64(nonce_of(first, number or 1)),
            **fields,
        }

        def change(entry: Fields) -> None:
            for key, value in whole.items():
                if value is None:
                    entry.pop(key.replace("_", "-"), None)
                else:
                    entry[key.replace("_", "-")] = value

        return game.changed(0, change)

    alone = {"series_game": None, "series_first": None, "earlier": None, "invites": None}
    return [
        Vector("series-first", invited(**alone), "the first game of a series"),
        Vector("series-third", invited(), "the third game of a series, and how two ended"),
        Vector(
            "series-at-once",
            invited(series="3 games at once", earlier=None),
            "a later one of games that are played at once",
        ),
        Vector("grammar-series", invited(**alone, series="best of 1"), "terms that are none"),
        Vector("grammar-series-blank", invited(series="best of  5"), "terms spelled otherwise"),
        Vector("grammar-series-most", invited(series="51 points"), "more games than there may be"),
        Vector("grammar-series-game", invited(series_game=6), "a game after the last one"),
        Vector(
            "grammar-series-result",
            invited(earlier=[f"{digest} won", f"{digest} win"]),
            "no result",
        ),
        Vector(
            "grammar-series-digest",
            invited(earlier=[f"{digest[1:]} won"] * 2),
            "no digest of an end",
        ),
        Vector("chain-series-nonce", invited(nonce=b64(sample("nonce"))), "another nonce"),
        Vector(
            "chain-series-number",
            invited(nonce=b64(nonce_of(first, 2))),
            "the nonce of another game of the series",
        ),
        Vector("chain-series-left-out", invited(earlier=[f"{digest} won"]), "a game is left out"),
        Vector("chain-series-twice", invited(earlier=[f"{digest} won"] * 3), "one game too many"),
        Vector(
            "chain-series-over",
            invited(series="2 points", earlier=[f"{digest} won"] * 2),
            "its end was before",
        ),
        Vector(
            "chain-series-early-end",
            invited(series="best of 3", earlier=[f"{digest} lost"] * 2),
            "somebody had won it",
        ),
        Vector("chain-series-open", invited(invites=None), "a seat that anybody may take"),
        Vector(
            "chain-series-at-once",
            invited(series="3 games at once"),
            "how earlier ones ended, where all begin at once",
        ),
        Vector("chain-series-first", invited(series_first=None), "without the first game"),
        Vector(
            "chain-series-later", game.changed(3, put("series", "2 games")), "from a later entry on"
        ),
    ]


def vectors() -> list[Vector]:
    """Every vector, the good ones first."""
    tripoli, solitaire, loot = (
        Base(played(kind, "vectors")) for kind in (TRIPOLI, SOLITAIRE, LOOT)
    )
    edge = Vector(
        "signature-neutral",
        _own_signature(tripoli, 5, torsion=False),
        "R is the neutral point: it holds",
    )
    sealed, other = (
        Base(played(Kind("backgammon", {"match": 2, "sealed": 1}), seed))
        for seed in ("vectors", "other")
    )
    made = [
        *good(tripoli, solitaire, loot, sealed),
        *whole(),
        edge,
        *grammar(tripoli),
        *signature(tripoli),
        *chain(tripoli),
    ]
    return [
        *made,
        *proof(tripoli),
        *seal(tripoli),
        *root(tripoli),
        *note(tripoli),
        *files(tripoli),
        *plans(tripoli),
        *common(loot),
        *rules(tripoli),
        *sealed_choice(sealed, other),
        *closing(),
        *series(tripoli),
    ]


def verdict(vector: Vector) -> dict[str, Any]:
    """What stands in the list about a file: the verdict; of a good one also its dice, draws and
    opened cards."""
    made, _, failure = trace.trace(turnfile.whole_line(vector.data))
    if failure is not None:
        return {"about": vector.about, "ok": False, "entry": failure.entry, "layer": failure.layer}
    steps = [step for entry in made["entries"] for step in entry.get("steps", [])]
    return {
        "about": vector.about,
        "ok": True,
        "dice": " ".join("".join(map(str, step["rolled"])) for step in steps if "rolled" in step),
        "taken": " ".join(back for step in steps for back in step.get("taken", [])),
        "opened": ", ".join(step["opened"] for step in steps if "opened" in step),
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.toml"):
        old.unlink()
    listed = {}
    for vector in vectors():
        (FOLDER / f"{vector.name}.toml").write_bytes(vector.data)
        listed[vector.name] = verdict(vector)
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    (FOLDER / "verdicts.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
