"""Every roll of a game with what is needed to compute it again (docs/trust.md), and how often each face came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Roll
from pbem.english import counted
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.events import Chanced
from pbem.ledger.ledger import Ledger, replay
from pbem.report.verification import count_shares


@dataclass(frozen=True)
class ProofFacts:
    """A source's VRF proof in base64 and its output in hexadecimal (docs/format.md, section 6)."""

    seat: str
    proof: str
    output: str


@dataclass(frozen=True)
class RollFacts:
    """One roll. `message` is the digest that the proofs are over, in hexadecimal, `offset` where in the stream of E
    its dice began, in bytes; `dice` is empty while it is pending."""

    season: str
    reason: str
    seat: str
    dice: Sequence[int]
    count: int
    witness: str
    pending: bool
    entry: int
    message: str
    offset: int
    proofs: Sequence[ProofFacts]


@dataclass(frozen=True)
class FaceCounts:
    """How many dice were thrown, how often each face came, and how often each is expected of fair dice."""

    dice: int
    faces: Mapping[str, int]
    expected: float


@dataclass(frozen=True)
class ShuffledBy:
    """A shuffle of the common deck: whose, and in which entry."""

    seat: str
    entry: int


@dataclass(frozen=True)
class DiceFacts:
    """All that `pbem dice` tells. `totals` by seat and for all; none in a game without dice."""

    title: str
    game_id: str
    rolls: Sequence[RollFacts]
    totals: Mapping[str, FaceCounts]
    shuffles: Sequence[ShuffledBy]
    draws: int
    shares: int


def dice(data: bytes) -> DiceFacts:
    """Every roll of a file, and the totals. Raises a kind of `Invalid`."""
    game = replay(turnfile.read(data))
    found = rolls(game)
    common = game.referee.common if game.referee else None
    return DiceFacts(
        title=game.rules.title,
        game_id=game.game_id.hex(),
        rolls=found,
        totals=totals(game, found) if game.rules.dice else {},
        shuffles=[ShuffledBy(entry.seat, entry.number) for entry in game.entries if "pile" in entry.fields],
        draws=len(common.drawers) if common else 0,
        shares=count_shares(common),
    )


def rolls(game: Ledger) -> list[RollFacts]:
    """Every roll of dice with what is needed to compute it again (docs/trust.md)."""
    referee = game.referee
    return [_roll(game, chanced) for chanced in (referee.chanced if referee else []) if type(chanced.request) is Roll]


def _roll(game: Ledger, chanced: Chanced) -> RollFacts:
    request, referee = chanced.request, game.referee
    assert isinstance(request, Roll) and referee is not None
    proofs = [
        ProofFacts(game.seats[seat], b64(found[0]), found[1].hex())
        for seat in chanced.sources
        if (found := referee.proofs.get((chanced.entry, seat)))
    ]
    return RollFacts(
        season=chanced.when,
        reason=request.why,
        seat=game.seats[request.seat],
        dice=list(chanced.result or ()),
        count=request.number,
        witness=", ".join(game.seats[seat] for seat in chanced.witnesses) or "nobody",
        pending=chanced.result is None,
        entry=chanced.entry,
        message=referee.digests[chanced.entry].hex(),
        offset=chanced.offset,
        proofs=proofs,
    )


def totals(game: Ledger, found: Sequence[RollFacts]) -> dict[str, FaceCounts]:
    """How often each face came, for each seat and for all, and what is expected of fair dice."""
    faces = {seat: Counter[int]() for seat in game.seats}
    for roll in found:
        faces[roll.seat].update(roll.dice)
    everyone = sum(faces.values(), Counter[int]())
    return {name: _total(counted) for name, counted in {**faces, "all": everyone}.items()}


def _total(counted: Counter[int]) -> FaceCounts:
    number = sum(counted.values())
    shown = {str(face): counted[face] for face in range(1, 7)}
    return FaceCounts(number, shown, round(number / 6, 2))


def dice_in_words(facts: DiceFacts) -> str:
    """What `dice` prints."""
    if not facts.totals:
        return _no_dice(facts)
    if not facts.rolls:
        return "No dice have been thrown yet."
    lines: list[str] = []
    for roll in facts.rolls:
        came = " ".join(map(str, roll.dice)) if not roll.pending else f"{roll.count} dice, pending"
        lines.append(f"{roll.season}, {roll.reason}: {came}")
        lines.append(f"  rolled for {roll.seat}, witness {roll.witness}, entry {roll.entry}")
        lines.append(f"  message {roll.message}, from byte {roll.offset} of the stream")
        for proof in roll.proofs:
            lines.append(f"  proof of {proof.seat}  {proof.proof}")
            lines.append(f"  output of {proof.seat} {proof.output}")
    lines += ["", f"{'':12}" + "".join(f"{face:>6}" for face in range(1, 7)) + "  expected each"]
    for name, total in facts.totals.items():
        shown = "".join(f"{number:>6}" for number in total.faces.values())
        lines.append(f"{name:12}{shown}  {total.expected}")
    return "\n".join(lines).strip("\n")


def _no_dice(facts: DiceFacts) -> str:
    """What `dice` prints for a game in which none are thrown: what chance there is, and who proves it."""
    lines = [f"No dice are thrown in {facts.title}. All its chance is the order of the deck:"]
    lines += [f"  entry {made.entry}: {made.seat} shuffles, and proves it" for made in facts.shuffles]
    drawn, given = counted(facts.draws, "card"), counted(facts.shares, "share")
    if facts.draws:
        lines.append(f"  {drawn} drawn from the top, and {given} given to read them, each with a proof")
    lines.append(
        "pbem verify checks all these proofs. If one player shuffled at random and keeps the secret, nobody can"
    )
    return "\n".join([*lines, "choose or foresee a card (docs/trust.md)."])
