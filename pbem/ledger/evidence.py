"""Evidence that a key signed two versions of one game, from turn files alone (docs/format.md,
section 9).

It needs no rules and no trace. Whoever brings the files cannot make it up, since the key itself has
signed both entries; and it accuses nobody, since a home that was put back from an old copy does the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import fingerprint
from pbem.fileformat.turnfile import Entry
from pbem.ledger.invitation import game_id_of
from pbem.ledger.signatures import Verifier, check_signature

TWICE, VERSIONS = "twice", "versions"
WORDS = {
    TWICE: 'The key {key} in the seat "{seat}" signed turn {number} twice',
    VERSIONS: (
        'The key {key} in the seat "{seat}" went on in two versions of the game, with turn {number}'
    ),
}
"""What each kind says of a key, named by its fingerprint: the name in a file is what anybody may
call themself."""
NO_ACCUSATION = (
    "This accuses nobody: a home that was put back from an old copy, or is used in two places, does"
    " the same."
)
_SEAT = re.compile(r"[a-z]+(-[a-z]+)*")
_SIGNED = re.compile(rb'\n\[entry\.signature\]\ned25519 = "[A-Za-z0-9+/]{86}=="\n')


class SignedEntry(NamedTuple):
    """One entry of a file whose signatures hold up to there: whose key signed it, for which number
    and seat, after which bytes (their SHA-256), and the digest that the signature covers."""

    key: bytes
    number: int
    seat: str
    before: bytes
    digest: bytes


class SignedChain(NamedTuple):
    """The beginning of a file in which every entry is read and its signature holds; `game` is the
    game's id."""

    game: bytes
    entries: tuple[SignedEntry, ...]


@dataclass(frozen=True)
class Evidence:
    """Two entries of one game and number that one key has signed, and that differ in bytes which
    the signatures cover. `kind` is "twice" where they follow the same bytes, "versions" where they
    do not; `number` and `seat` are those of the first such entry, `files` which files have one that
    differs from the others', by their place in the list."""

    kind: str
    game: bytes
    key: bytes
    number: int
    seat: str
    files: tuple[int, ...]

    def in_words(self) -> str:
        """What it says, in one sentence."""
        return f"{WORDS[self.kind].format(key=fingerprint(self.key), seat=self.seat, number=self.number)}."  # noqa: E501


def signed_chain(data: bytes, verifier: Verifier | None = None) -> SignedChain | None:
    """The entries of a turn file as far as they can be read and their signatures hold; None if not
    even the first."""
    verifier, game, keys, signed = (
        verifier or Verifier(),
        b"",
        dict[str, bytes](),
        list[SignedEntry](),
    )
    for entry in _readable(turnfile.as_lf(turnfile.whole_line(data))):
        try:
            key = keys.get(entry.seat) or entry.blob("key", 32)
            check_signature(verifier, entry, key)
            if not _SEAT.fullmatch(entry.seat):
                break  # it would stand in a sentence about a key
            game = game or game_id_of(key, entry.blob("nonce", 32))
        except PbemError:
            break
        keys[entry.seat] = key
        signed.append(SignedEntry(key, entry.number, entry.seat, entry.before, entry.digest))
    return SignedChain(game, tuple(signed)) if signed else None


def game_of(data: bytes) -> bytes:
    """The id of a turn file's game, as its first entry says and signs it; nothing where there is
    none."""
    data = turnfile.as_lf(turnfile.whole_line(data))
    first = _SIGNED.search(data, 0, turnfile.MAX_FILE)
    chain = signed_chain(data[: first.end()]) if first is not None else None
    return chain.game if chain is not None else b""


def _readable(data: bytes) -> Sequence[Entry]:
    """The entries of the longest beginning of a file that is a file: what comes after it hides
    nothing before it."""
    ends = [found.end() for found in _SIGNED.finditer(data[: turnfile.MAX_FILE])][
        : turnfile.MAX_ENTRIES
    ]
    least, most, entries = 0, len(ends), tuple[Entry, ...]()
    middle = most  # in most files all of it can be read
    while least < most:
        try:
            entries = turnfile.read(data[: ends[middle - 1]]).entries
            least = middle
        except PbemError as error:
            most = min(middle - 1, error.entry if error.entry is not None else most)
            if error.entry is not None:
                middle = most  # what comes before the entry that it names can be read
                continue
        middle = (least + most + 1) // 2
    return entries


def evidence(chains: Iterable[SignedChain | None]) -> list[Evidence]:
    """What the files of these chains prove together, in an order that theirs does not change: of
    each key and game the first turn that it signed twice, and the first with which it went on in
    two versions, if that is an earlier one."""
    signed: dict[tuple[bytes, bytes], dict[int, dict[SignedEntry, int]]] = {}
    for file, chain in enumerate(chains):
        if chain is None:
            continue
        for entry in chain.entries:
            turns = signed.setdefault((chain.game, entry.key), {})
            turns.setdefault(entry.number, {}).setdefault(entry, file)
    found = [one for (game, key), turns in signed.items() for one in _of_one_key(game, key, turns)]
    return sorted(found, key=lambda one: (one.game, one.number, one.key))


def _of_one_key(
    game: bytes, key: bytes, turns: Mapping[int, Mapping[SignedEntry, int]]
) -> list[Evidence]:
    """The evidence about one key in one game. `turns` has of each number the entries that differ,
    each with the first file that holds it."""
    versions: list[Evidence] = []
    for number, entries in sorted(turns.items()):
        after: dict[bytes, list[int]] = {}
        for entry, file in entries.items():
            after.setdefault(entry.before, []).append(file)
        seat = min(entry.seat for entry in entries)
        twice = [file for files in after.values() if len(files) > 1 for file in files]
        if twice:
            return [*versions, Evidence(TWICE, game, key, number, seat, tuple(sorted(twice)))]
        if len(after) > 1 and not versions:
            first = sorted(files[0] for files in after.values())
            versions = [Evidence(VERSIONS, game, key, number, seat, tuple(first))]
    return versions
