"""The plans of a game: texts that players have sealed, and open when they like, or together with
the others (docs/format.md, section 23)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.flow import Seat
from pbem.crypto import plans
from pbem.crypto.plans import PlanPlace
from pbem.errors import Forged, Malformed, RulesBroken, failing_as
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import Entry, blob

MOST = 8
"""Plans that one entry seals."""
MOST_CLOSED = 100
"""Plans of one seat that are closed at a time: an entry that leaves the game opens them all."""
GROUP = re.compile(r"[a-z][a-z0-9-]{0,19}")
"""What those call it who plan together."""
_SEALED = re.compile(rf"([^ ]*)(?: ({GROUP.pattern}))?")
_OPENING = re.compile(r"([1-9][0-9]{0,4}) ([^ ]*)")


@dataclass(slots=True)
class SealedPlan:
    """One plan. `number` counts the plans of its seat from 1; `group` is whose plans open together,
    empty for one that is open when its author likes. `text` is None while it is closed to
    everybody, and empty where what was sealed is no text; `opened` is the entry that opened it,
    `by_root` the one that revealed its author's root, where nothing had opened it before."""

    number: int
    seat: Seat
    entry: int
    place: PlanPlace
    sealed: bytes
    group: str = ""
    text: str | None = None
    opened: int | None = None
    by_root: int | None = None


class PlanOpening(NamedTuple):
    """What opens a plan of the entry's own seat: its number and its key."""

    number: int
    key: bytes

    def line(self) -> str:
        """The string that stands for it in the field `opened-plans`."""
        return f"{self.number} {b64(self.key)}"


def write_plan(sealed: bytes, group: str) -> str:
    """The string that stands for a plan in the field `plans`."""
    return f"{b64(sealed)} {group}" if group else b64(sealed)


class Plans:
    """All plans that were sealed in one game, in the order of the file."""

    def __init__(self) -> None:
        self.all: list[SealedPlan] = []

    def of(self, seat: Seat) -> list[SealedPlan]:
        """The plans of a seat."""
        return [plan for plan in self.all if plan.seat == seat]

    def closed(self, seat: Seat) -> list[SealedPlan]:
        """The plans of a seat that nobody else can read yet."""
        return [plan for plan in self.of(seat) if plan.text is None]

    def missing(self, group: str, playing: Collection[Seat]) -> list[Seat]:
        """Which of those who play have sealed nothing in this group yet."""
        sealed = {plan.seat for plan in self.all if plan.group == group}
        return [seat for seat in playing if seat not in sealed]

    def owed(self, seat: Seat, playing: Collection[Seat]) -> list[SealedPlan]:
        """The plans that the next entry of a seat opens, because all who play have sealed in their
        group."""
        return [
            plan
            for plan in self.closed(seat)
            if plan.group and not self.missing(plan.group, playing)
        ]

    def place(self, game_id: bytes, entry: Entry, number: int) -> PlanPlace:
        """What the plan of this number in an entry is bound to."""
        return PlanPlace(game_id, entry.seat, entry.before, entry.blob("nonce", 32), number)

    def take(self, entry: Entry, seat: Seat, game_id: bytes, playing: Collection[Seat]) -> None:
        """What an entry opens and seals; `playing` are the seats that play on, when it was written.
        Raises `Forged`, `Malformed` or `RulesBroken`."""
        owed = self.owed(seat, playing)
        opened, sealed = _openings(entry), _sealed(entry)
        if (opened or sealed) and ("key" in entry.fields or seat not in playing):
            raise RulesBroken("a plan stands in a later entry of a seat that plays")
        if sealed and "root" in entry.fields:
            raise RulesBroken("an entry that opens all secrets seals no plan")
        for one in opened:
            self._open(one, seat, entry.number)
        if "root" not in entry.fields and "end" not in entry.fields:
            for plan in owed:
                if plan.text is None:
                    raise RulesBroken(
                        f'plan {plan.number} is to be opened: all have sealed in "{plan.group}"'
                    )
        complete = {group for _, group in sealed if group and not self.missing(group, playing)}
        if complete:
            raise RulesBroken(f'all have sealed in "{min(complete)}": nothing more is sealed there')
        for data, group in sealed:
            number = len(self.of(seat)) + 1
            place = self.place(game_id, entry, number)
            self.all.append(SealedPlan(number, seat, entry.number, place, data, group))
        if len(self.closed(seat)) > MOST_CLOSED:
            what = f"a seat has {MOST_CLOSED} closed plans at most"
            raise Malformed(what, where=entry.where, layer="limit")

    @failing_as("seal")
    def _open(self, opening: PlanOpening, seat: Seat, entry: int) -> None:
        own = {plan.number: plan for plan in self.closed(seat)}
        if opening.number not in own:
            raise Forged(f"opens plan {opening.number}, which is none of its closed ones")
        plan = own[opening.number]
        padded = plans.unseal(opening.key, plan.place, plan.sealed)
        if padded is None:
            raise Forged(f"plan {plan.number} was sealed with another key")
        plan.text, plan.opened = plans.text_of(padded), entry

    def check_left(self, entry: Entry, seat: Seat) -> None:
        """Who leaves the game without revealing a root opens all plans with it. Raises
        `RulesBroken`."""
        if "root" not in entry.fields and self.closed(seat):
            raise RulesBroken("a seat that leaves opens all its plans, and seals none")

    @failing_as("root")
    def reveal(self, seat: Seat, root: bytes, entry: int) -> None:
        """The seat's root is known: it must give every plan that the seat has sealed. Raises
        `Forged`."""
        for plan in self.of(seat):
            if plan.by_root is not None:
                continue
            padded = plans.unseal(plans.key_of(root, plan.place), plan.place, plan.sealed)
            if padded is None:
                raise Forged(f"the root does not give plan {plan.number}")
            plan.by_root, plan.text = entry, plans.text_of(padded)

    def read_own(self, seat: Seat, root: bytes) -> Iterator[tuple[SealedPlan, str]]:
        """The closed plans of a seat with their texts, for its player, who has the root."""
        for plan in self.closed(seat):
            padded = plans.unseal(plans.key_of(root, plan.place), plan.place, plan.sealed)
            yield plan, "" if padded is None else plans.text_of(padded)


def opening_of(plan: SealedPlan, root: bytes) -> PlanOpening:
    """What its author writes to open a plan."""
    return PlanOpening(plan.number, plans.key_of(root, plan.place))


def _openings(entry: Entry) -> Sequence[PlanOpening]:
    """What an entry opens. Raises `Malformed`."""
    found = []
    for text in entry.list("opened-plans"):
        match = _OPENING.fullmatch(text)
        if match is None:
            raise Malformed(f'"{text[:40]}" opens no plan', where=entry.where)
        found.append(PlanOpening(int(match[1]), blob(match[2], 32, entry.where, "a plan's key")))
    numbers = [one.number for one in found]
    if numbers != sorted({*numbers}):
        raise Malformed("plans are opened in their order, each once", where=entry.where)
    return found


def _sealed(entry: Entry) -> Sequence[tuple[bytes, str]]:
    """What an entry seals, each with the group in which it is. Raises `Malformed`."""
    found = []
    for text in entry.list("plans"):
        match = _SEALED.fullmatch(text)
        if match is None:
            raise Malformed(f'"{text[:40]}" is no sealed plan', where=entry.where)
        found.append((blob(match[1], plans.SIZE, entry.where, "a sealed plan"), match[2] or ""))
    if len(found) > MOST:
        what = f"{len(found)} plans, {MOST} can be sealed with a turn"
        raise Malformed(what, where=entry.where, layer="limit")
    return found
