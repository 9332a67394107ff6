"""Every roll of a game with what is needed to compute it again (docs/trust.md), and how often each
face came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Roll
from pbem.english import capital, counted, numbered
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.events import ChanceUse
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import Playing
from pbem.report.parts import Part
from pbem.report.verification import count_shares


@dataclass(frozen=True)
class ProofFacts:
    """A source's VRF proof in base64 and its output in hexadecimal (docs/format.md, section 6)."""

    seat: str
    proof: str
    output: str


@dataclass(frozen=True)
class ChanceFacts(Part):
    """What settles one use of chance. `entry` is E, `message` the digest that the proofs are over,
    in hexadecimal, `offset` where in the stream of E it began, in bytes."""

    entry: int
    message: str
    offset: int
    proofs: Sequence[ProofFacts]


@dataclass(frozen=True)
class RollFacts:
    """One roll. `message` is the digest that the proofs are over, in hexadecimal, `offset` where in
    the stream of E its dice began, in bytes; `dice` is empty while it is pending."""

    season: str
    reason: str
    seat: str
    dice: Sequence[int]
    count: int
    sides: int
    witness: str
    pending: bool
    chance: ChanceFacts


@dataclass(frozen=True)
class FaceCounts:
    """How many dice were thrown, how often each face came, and how often each is expected of fair
    dice."""

    dice: int
    faces: Mapping[str, int]
    expected: float


@dataclass(frozen=True)
class GivenBy:
    """What a seat gave, a shuffle of the common deck or its share of a card, and in which
    entry."""

    seat: str
    entry: int


@dataclass(frozen=True)
class DiceFacts:
    """All that `pbem dice` tells. `measure` is what the game counts itself; `totals` for each kind
    of die that was thrown (`d6`), by seat and for all; `has_dice`: whether any are ever thrown in
    this game."""

    title: str
    game_id: str
    measure: str
    rolls: Sequence[RollFacts]
    has_dice: bool
    totals: Mapping[str, Mapping[str, FaceCounts]]
    shuffles: Sequence[GivenBy]
    draws: int
    shares: int


def dice(data: bytes) -> DiceFacts:
    """Every roll of a file, and the totals. Raises a kind of `Invalid`."""
    game = replay(turnfile.read(data))
    playing = game.playing
    found, common = ([], None) if playing is None else (rolls(playing), playing.referee.common)
    return DiceFacts(
        title=game.rules.title,
        game_id=game.game_id.hex(),
        measure=game.rules.measure,
        rolls=found,
        has_dice=game.rules.dice,
        totals=totals(game, found),
        shuffles=[
            GivenBy(entry.seat, entry.number) for entry in game.entries if "pile" in entry.fields
        ],
        draws=len(common.drawers) if common else 0,
        shares=count_shares(common),
    )


def rolls(game: Playing) -> list[RollFacts]:
    """Every roll of dice with what is needed to compute it again (docs/trust.md)."""
    return [
        roll(game, chanced) for chanced in game.referee.chance_uses if type(chanced.request) is Roll
    ]


def chance_of(game: Playing, chanced: ChanceUse) -> ChanceFacts:
    """What settles one use of chance, as far as its proofs are there."""
    randomness = game.referee.randomness
    proofs = [
        ProofFacts(game.seats[seat], b64(found[0]), found[1].hex())
        for seat in chanced.sources
        if (found := randomness.proofs.get((chanced.entry, seat)))
    ]
    message = randomness.digests[chanced.entry].hex()
    return ChanceFacts(chanced.entry, message, chanced.offset, proofs)


def roll(game: Playing, chanced: ChanceUse) -> RollFacts:
    """One roll of dice with what is needed to compute it again."""
    request = chanced.request
    assert isinstance(request, Roll)
    return RollFacts(
        season=chanced.when,
        reason=request.why,
        seat=game.seats[request.seat],
        dice=list(chanced.result or ()),
        count=request.number,
        sides=request.sides,
        witness=", ".join(game.seats[seat] for seat in chanced.witnesses) or "nobody",
        pending=chanced.result is None,
        chance=chance_of(game, chanced),
    )


def totals(game: Ledger, found: Sequence[RollFacts]) -> dict[str, dict[str, FaceCounts]]:
    """For each kind of die that was thrown: how often each face came, for each seat and for all,
    and what is expected of fair dice."""
    return {
        f"d{sides}": _totals_of(game, sides, found)
        for sides in sorted({roll.sides for roll in found})
    }


def _totals_of(game: Ledger, sides: int, found: Sequence[RollFacts]) -> dict[str, FaceCounts]:
    faces = {seat: Counter[int]() for seat in game.seats}
    for roll in found:
        if roll.sides == sides:
            faces[roll.seat].update(roll.dice)
    faces["all"] = sum(faces.values(), Counter[int]())
    return {
        name: FaceCounts(
            count.total(),
            {str(face): count[face] for face in range(1, sides + 1)},
            round(count.total() / sides, 2),
        )
        for name, count in faces.items()
    }


def dice_in_words(facts: DiceFacts, *, proofs: bool = False) -> str:
    """What `dice` prints: how often each face came, then every roll, with `proofs` what it was made
    of."""
    if not facts.has_dice and not facts.rolls:
        return _no_dice(facts)
    if not facts.rolls:
        return "No dice have been thrown yet."
    lines: list[str] = []
    for kind, seats in facts.totals.items():
        lines += [*_table(kind, seats, len(facts.totals) > 1), ""]
    for roll in facts.rolls:
        kind = "" if roll.sides == 6 else f" (dice of {roll.sides} sides)"
        came = " ".join(map(str, roll.dice)) if not roll.pending else f"{roll.count} dice, pending"
        lines.append(f"{capital(roll.season)}, {roll.reason}: {came}{kind}")
        if proofs:
            chance = roll.chance
            where = numbered(chance.entry, facts.measure)
            lines.append(f"  rolled for {roll.seat}, witness {roll.witness}, {where}")
            lines.append(f"  message {chance.message}, from byte {chance.offset} of the stream")
            for proof in chance.proofs:
                lines.append(f"  proof of {proof.seat}  {proof.proof}")
                lines.append(f"  output of {proof.seat} {proof.output}")
    if not proofs:
        lines += ["", "pbem dice FILE --proofs shows what each roll was made of."]
    return "\n".join(lines)


_ACROSS = 12
"""Faces in a line of the table."""


def _table(kind: str, seats: Mapping[str, FaceCounts], several: bool) -> list[str]:
    """How often each face of one kind of die came, in lines of at most twelve faces."""
    lines = [f"dice of {kind[1:]} sides"] if several or kind != "d6" else []
    faces = list(seats["all"].faces)
    for start in range(0, len(faces), _ACROSS):
        part = faces[start : start + _ACROSS]
        lines.append(f"{'':12}" + "".join(f"{face:>6}" for face in part) + "  expected")
        for name, total in seats.items():
            cells = "".join(f"{total.faces[face]:>6}" for face in part)
            lines.append(f"{name:12}{cells}  {total.expected}")
    return lines


def _no_dice(facts: DiceFacts) -> str:
    """What `dice` prints for a game in which none are thrown: what chance there is, and who proves
    it."""
    lines = [f"No dice are thrown in {facts.title}. All its chance is the order of the deck:"]
    lines += [
        f"  turn {made.entry}: {made.seat} shuffles, and proves it" for made in facts.shuffles
    ]
    drawn, given = counted(facts.draws, "card"), counted(facts.shares, "share")
    if facts.draws:
        lines.append(
            f"  {drawn} drawn from the top, and {given} given to read them, each with a proof"
        )
    lines.append(
        "pbem verify checks all these proofs. One player who shuffled at random and keeps the"
        " secret is enough"
    )
    return "\n".join([*lines, "for an order that no other player chose or knows (docs/trust.md)."])
