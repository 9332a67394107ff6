"""Files of games changed in their bytes, in their TOML, and in what they mean under right
signatures."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from engine.flow import Card, Handle, Seat
from engine.rules import Game, Rules
from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.toml_subset import Fields
from pbem.games import registry
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.simulate import by_mail
from pbem.simulate.policies import RandomPolicy

Sign = Callable[[bytes], bytes]
"""Signs a message with one player's key."""


class Mutation(NamedTuple):
    """A changed file, and in which way it was changed."""

    name: str
    data: bytes


def mutated(data: bytes, rng: random.Random, signers: Mapping[str, Sign] | None = None) -> Mutation:
    """One random change; of the meaning only with the players' `signers` by seat."""
    kinds = [_bytes, _lines, *([_meaning] * 3 if signers else [])]
    kind = rng.choice(kinds)
    return _meaning(data, rng, signers) if kind is _meaning and signers else kind(data, rng)  # type: ignore[call-arg]


def _bytes(data: bytes, rng: random.Random) -> Mutation:
    """One byte changed, put in, left out, or everything after it cut off."""
    place = rng.randrange(len(data))
    how = rng.choice(["change", "insert", "remove", "cut", "base64"])
    if how == "change":
        return Mutation(
            f"byte {place} changed", data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        )
    if how == "insert":
        return Mutation(
            f"byte put in at {place}", data[:place] + bytes([rng.randrange(256)]) + data[place:]
        )
    if how == "remove":
        return Mutation(f"byte {place} left out", data[:place] + data[place + 1 :])
    if how == "cut":
        return Mutation(f"cut at {place}", data[:place])
    found = rng.choice(list(re.finditer(rb"[A-Za-z0-9+/]{43}=", data)))
    other = rng.choice(b"ABCDEFGHabcdefgh0123+/")
    place = rng.randrange(found.start(), found.end() - 1)
    return Mutation(f"base64 at {place} changed", data[:place] + bytes([other]) + data[place + 1 :])


def _lines(data: bytes, rng: random.Random) -> Mutation:
    """Lines left out, doubled or exchanged, fields made longer, entries moved."""
    lines = data.split(b"\n")
    place = rng.randrange(len(lines) - 1)
    how = rng.choice(["remove", "double", "swap", "entry", "long", "crlf", "blank", "many"])
    if how == "remove":
        del lines[place]
    elif how == "double":
        lines.insert(place, lines[place])
    elif how == "swap":
        lines[place], lines[place + 1] = lines[place + 1], lines[place]
    elif how == "long":
        lines[place] = lines[place].replace(
            b'"', b'"' + b"x" * rng.choice([40, 300, 5000, 9000]), 1
        )
    elif how == "blank":
        lines[place] += b" "
    elif how == "many":
        lines[place : place + 1] = [lines[place]] * rng.choice([3, 600])
    elif how == "crlf":
        return Mutation("CR before every LF", data.replace(b"\n", b"\r\n"))
    else:
        begins = [found.start() for found in re.finditer(re.escape(turnfile.NEXT), data)]
        number = rng.randrange(len(begins))
        start, end = begins[number], [*begins, len(data)][number + 1]
        again = rng.random() < 0.5
        return Mutation(
            f"entry {number} {'doubled' if again else 'left out'}",
            data[:start] + (data[start:end] * 2 if again else b"") + data[end:],
        )
    return Mutation(f"{how} at line {place + 1}", b"\n".join(lines))


def _meaning(data: bytes, rng: random.Random, signers: Mapping[str, Sign]) -> Mutation:
    """One entry's fields changed, and signed by its own author. What came after it is left out."""
    file = turnfile.read(data)
    entry = rng.choice(file.entries)
    fields, before = (
        dict(entry.fields),
        data[: file.entries[entry.number - 1].end] if entry.number else _HEAD,
    )
    what = changed_fields(fields, rng, [dict(other.fields) for other in file.entries])
    seat = fields["seat"] if fields.get("seat") in signers else entry.seat
    try:
        body = turnfile.write_body(
            fields if what.startswith("order") else turnfile.in_order(fields)
        )
        signed = signers[str(seat)](SIGNATURE_TAG + turnfile.digest_of(before, body))
    except (Malformed, ValueError):
        return _bytes(data, rng)
    return Mutation(
        f"entry {entry.number}: {what}", before + body + turnfile.write_signature(signed)
    )


_HEAD = f"{turnfile.HEADER}\n".encode()


def changed_fields(fields: Fields, rng: random.Random, entries: list[Fields]) -> str:
    """Change one of these fields, or take one from these entries; what was done."""
    key = rng.choice(list(fields))
    how = rng.choice(["drop", "borrow", "value", "value", "value", "extra"])
    if how == "drop":
        del fields[key]
        return f"{key} left out"
    if how in ("borrow", "extra"):
        other = rng.choice(entries)
        key = rng.choice(list(other))
        fields[key] = other[key]
        return f"{key} of another entry"
    value = fields[key]
    if isinstance(value, int):
        fields[key] = value + 1
    elif isinstance(value, str):
        fields[key] = _text(value, rng)
    else:
        fields[key] = _list(value, rng)
    return f"{key} changed"


def _list(texts: list[str], rng: random.Random) -> list[str]:
    texts, place = list(texts), rng.randrange(len(texts))
    how = rng.choice(["drop", "double", "swap", "text", "text"])
    if how == "drop":
        del texts[place]
    elif how == "double":
        texts.insert(place, texts[place])
    elif how == "swap":
        other = rng.randrange(len(texts))
        texts[place], texts[other] = texts[other], texts[place]
    else:
        head, blank, tail = texts[place].rpartition(" ")
        texts[place] = head + blank + _text(tail, rng)
    return texts


def _text(text: str, rng: random.Random) -> str:
    """The text with one bit, byte or letter changed; what is base64 stays base64, more often than
    not."""
    try:
        data = bytearray(unb64(text))
        assert data
    except (ValueError, AssertionError):
        place = rng.randrange(len(text))
        return text[:place] + rng.choice("ax19 \n") + text[place + 1 :]
    if rng.random() < 0.15:
        return b64(bytes(data[: rng.randrange(len(data))]) or b"\0")
    if rng.random() < 0.2 and len(data) >= 32:
        start = 32 * rng.randrange(len(data) // 32)
        data[start : start + 32] = rng.choice(_POINTS)
        return b64(bytes(data))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return b64(bytes(data))


_POINTS = (
    bytes(32),
    bytes([1]) + bytes(31),
    b"\xff" * 32,
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666"),
    bytes.fromhex("9599999999999999999999999999999999999999999999999999999999999999"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
)
"""Zeros, the neutral point, what is no point, points of small and of mixed order, and G."""


def signers_of(seats: int, seed: str, names: tuple[str, ...]) -> dict[str, Sign]:
    """The keys of a game that `play_by_mail` played with this seed."""
    return {names[seat]: by_mail.stranger(seed, seat).sign for seat in range(seats)}


class Played(NamedTuple):
    """A simulated game with the keys of its players."""

    name: str
    data: bytes
    signers: dict[str, Sign]


class Kind(NamedTuple):
    """A game and its options. Where there are `orders`, players draw from these what they order,
    and change it now and then; else they order as `RandomPolicy` does. `closing`: who has not
    signed the end says that they have seen it."""

    game: str
    options: Mapping[str, int] = {}
    orders: tuple[str, ...] = ()
    closing: bool = False

    def __str__(self) -> str:
        return " ".join(
            [
                self.game,
                *(f"{name} {value}" for name, value in self.options.items()),
                *self.orders[:1],
                *(["closing"] if self.closing else []),
            ]
        )


CUBE_ORDERS = (
    "cube: roll",
    "cube: double",
    "cube: double if ahead 10",
    "cube: wait",
    "cube: ask",
    "doubled: take",
    "doubled: take if behind 30",
    "doubled: drop if trailing",
    "doubled: ask",
    "race: play it",
)
"""What backgammon players order about the cube, and once nobody can hit any more."""
TRIPOLI = Kind("tripoli")
SOLITAIRE = Kind("tripoli-solitaire")
QUICK = Kind("tripoli", {"hidden-discard": 1, "quick-hand-limit": 1})
PARADISE = Kind("paradise")
LOOT = Kind("loot", {"players": 2})
LOOT_OF_THREE = Kind("loot", {"players": 3})
WITNESSED = Kind("tripoli-solitaire", {"witness": 1})
PARTNERS = Kind("loot", {"players": 4, "partners": 1})
BACKGAMMON = (
    Kind("backgammon", {"match": 2}),
    Kind("backgammon", {"match": 2, "sealed": 1}),
    Kind("backgammon", {"match": 3, "sealed": 2}, CUBE_ORDERS),
    Kind("backgammon", {"games": 3, "beavers": 1, "jacoby": 1}),
    Kind("backgammon", {"match": 3}, CUBE_ORDERS),
)
"""Plain, with doubles that are always sealed, or unless ordered otherwise, with beavers, and with
orders."""
CLOSING = (
    Kind("backgammon", {"match": 1}, closing=True),
    Kind("loot", {"players": 3}, closing=True),
)
"""Games whose end is signed by who owes nothing any more: by the loser, and by two after the last
root."""
KINDS = (
    TRIPOLI,
    SOLITAIRE,
    QUICK,
    PARADISE,
    LOOT,
    LOOT_OF_THREE,
    WITNESSED,
    PARTNERS,
    *BACKGAMMON,
    *CLOSING,
)
"""Games of all kinds."""


class Ordering(RandomPolicy):
    """A random player who orders one thing of these about some topics, and something else every
    third time or so."""

    def __init__(self, listed: Sequence[str], rules: Rules, rng: random.Random) -> None:
        super().__init__(rules, rng)
        self._listed, self._rng = listed, rng
        self._standing: dict[Seat, list[str]] = {}

    def orders(
        self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str
    ) -> Sequence[str]:
        if seat not in self._standing or self._rng.random() < 0.3:
            drawn = self._rng.sample(self._listed, self._rng.randrange(4))
            self._standing[seat] = list(
                {order.partition(":")[0]: order for order in drawn}.values()
            )
        return self._standing[seat]


def played(kind: Kind, seed: str) -> Played:
    """A game of random players with random orders."""
    rules = registry.newest(kind.game)
    settings = registry.chosen_settings(rules, kind.options)
    policy = partial(Ordering, kind.orders) if kind.orders else RandomPolicy
    game = by_mail.play_by_mail(
        rules, settings, policy, seed, "all" if rules.dice else "", closing=kind.closing
    )
    names = rules.seats(registry.completed(rules, settings))
    return Played(f"{kind} {seed}", game.data, signers_of(len(names), seed, names))
