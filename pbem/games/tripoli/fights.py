"""The dice of The Shores of Tripoli: what was thrown in the fight, raid or event that is open or
was the last one, and what hits cost whoever takes them, read out of the story and the position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.tripoli import pieces
from engine.tripoli.notation import words
from engine.tripoli.pieces import KEYS, NAMES, Kind
from engine.tripoli.tables import CHANCE, LAST_YEAR, SINKINGS_TO_WIN
from pbem.english import counted
from pbem.games.stage import (
    Colour,
    StageLoss,
    StagePiece,
    StageThrow,
    StageThrown,
    View,
    sorted_throw,
)

_BEGINS: Final = ("event", "spent", "passed", "battle", "raid", "bombardment", "ground combat")
"""Kinds of lines of which the newest begins what is going on."""
_SIDES: Final[Mapping[str, tuple[str, Colour]]] = {
    "american": ("America", "blue"),
    "tripolitan": ("Tripolitania", "red"),
}
_LOST: Final = ("sunk", "damaged", "killed")


class _Source(NamedTuple):
    """Pieces that throw so many dice each; with a battle card that is named so many more."""

    kind: Kind
    dice: int = 1
    card: str = ""
    more: int = 0


_SOURCES: Final[Mapping[str, _Source]] = {
    CHANCE[reason]: source
    for reason, source in {
        "naval-frigates": _Source(pieces.FRIGATE, 2, "Preble's Boys Take Aim", 1),
        "naval-gunboats": _Source(pieces.GUNBOAT),
        "naval-tripolitan-frigates": _Source(pieces.ENEMY_FRIGATE, 2),
        "naval-tripolitan-corsairs": _Source(pieces.CORSAIR),
        "naval-allied-corsairs": _Source(pieces.ALLIED),
        "bombardment-frigates": _Source(pieces.FRIGATE, 2),
        "bombardment-gunboats": _Source(pieces.GUNBOAT),
        "ground-obannon": _Source(pieces.MARINE, 3),
        "ground-marines": _Source(pieces.MARINE),
        "ground-arab-infantry": _Source(pieces.ARAB),
        "ground-tripolitan-infantry": _Source(pieces.INFANTRY),
        "interception-frigates": _Source(pieces.FRIGATE, 2, "Lieutenant Sterett in Pursuit", 1),
        "interception-swedish-frigates": _Source(pieces.SWEDE, 2),
        "storms": _Source(pieces.FRIGATE),
    }.items()
}
"""What throws the dice of a line, by its words."""
_GOLD: Final = (CHANCE["raid"], CHANCE["happy-hunting"])


def thrown(view: View) -> StageThrown | None:
    """The dice of what is open or was last; None where nothing was thrown in it."""
    story: Sequence[View] = view.get("told", ())
    begun = [number for number, line in enumerate(story) if line["kind"] in _BEGINS]
    event = story[begun[-1] :] if begun else ()
    rounds = list(_rounds(event))
    if not rounds:
        return None
    newest, after = rounds[-1]
    cards = {line["card"] for line in event if line["kind"] == "battle card"}
    throws = [_throw(line, event[0], cards if len(rounds) == 1 else set()) for line in newest]
    title = _title(event[0], newest[0])
    hits = _hits_on(newest)
    fights = event[0]["kind"] in ("battle", "ground combat")
    losses = list(_losses(view, newest[0], event[0])) if fights else []
    seat = next((one for one in _SIDES if losses and one == view["waiting"]["seat"]), "")
    taken = sum(line["count"] for line in after if line["kind"] in _LOST and _side(line) == seat)
    return StageThrown(
        f"{title}, round {len(rounds)}" if len(rounds) > 1 else title,
        throws,
        says=_says(newest, hits) if fights or event[0]["kind"] == "raid" else "",
        losses=losses if hits.get(seat, 0) > taken else (),
        left=max(0, hits.get(seat, 0) - taken),
        of=hits.get(seat, 0),
        place=newest[0].get("place", ""),
    )


def _rounds(event: Sequence[View]) -> Iterator[tuple[list[View], list[View]]]:
    """The throws of an event by rounds, and what followed from each: a round ends where a group of
    pieces throws again."""
    newest: list[View] = []
    after: list[View] = []
    for line in event:
        if line["kind"] in ("rolled", "die"):
            if any(line["why"] == one["why"] for one in newest):
                yield newest, after
                newest, after = [], []
            newest.append(line)
        elif newest:
            after.append(line)
    if newest:
        yield newest, after


def _title(lead: View, first: View) -> str:
    place = first.get("place", "")
    match lead["kind"]:
        case "battle":
            return f"Naval battle {'in the' if place.endswith('Zone') else 'at'} {place}"
        case "raid":
            return f"Raid from {lead['place']}"
        case "bombardment":
            return f"Bombardment of {place}"
        case "ground combat":
            return f"Ground combat in {place}"
    return str(lead.get("card") or first["why"])


def _throw(line: View, lead: View, cards: set[str]) -> StageThrow:
    """One group's dice; the highest ones hit."""
    source, name = _SOURCES.get(line["why"]), line["why"].split(": ")[-1].removeprefix("The ")
    dice: Sequence[int] = sorted(line["dice"], reverse=True)
    threw: list[StagePiece] = []
    if source is not None:
        each = source.dice + (source.more if source.card in cards else 0)
        threw = [_piece(source.kind, max(1, len(dice) // each))]
    elif line["why"] == CHANCE["raid"]:
        kind = pieces.CORSAIR if lead.get("place") == "Tripoli" else pieces.ALLIED
        threw, name = [_piece(kind, len(dice))], "Corsairs"
    if line["kind"] == "die":
        best = [line["result"]] if len(dice) > 1 else ()
        dice, hits = sorted_throw(dice, best)
        says = f"{line['result']} counts" if best else ""
        return StageThrow(name, dice, min(hits, 1), says, _SIDES[line["seat"]][1])
    what = "ship taken" if line["why"] in _GOLD else "hit"
    many = "ships taken" if line["why"] in _GOLD else ""
    says = counted(line["hits"], what, many) if line["hits"] else f"no {what}"
    return StageThrow(name, dice, line["hits"], says, _SIDES[line["seat"]][1], threw)


def _hits_on(throws: Sequence[View]) -> Mapping[str, int]:
    """How many hits each side takes."""
    return {
        seat: sum(line.get("hits", 0) for line in throws if line["seat"] != seat) for seat in _SIDES
    }


def _says(throws: Sequence[View], hits: Mapping[str, int]) -> str:
    """What all dice of a round come to."""
    if gold := [line["hits"] for line in throws if line["why"] in _GOLD]:
        return f"{sum(gold)} gold"
    there = [f"{counted(hits[seat], 'hit')} on {_SIDES[seat][0]}" for seat in _SIDES if hits[seat]]
    return ", ".join(there) or "nobody is hit"


def _side(line: View) -> str:
    """Whose piece a line of losses is about."""
    is_ours = line["piece"] in (
        NAMES[kind] for kind in (pieces.FRIGATE, pieces.GUNBOAT, pieces.MARINE, pieces.ARAB)
    )
    return "american" if is_ours else "tripolitan"


def _piece(kind: Kind, count: int) -> StagePiece:
    name = NAMES[kind]
    return StagePiece(KEYS[kind], count, name, many=name if name.endswith("infantry") else "")


# ---- who takes the hits --------------------------------------------------------------------------


def _losses(view: View, throw: View, lead: View) -> Iterator[StageLoss]:
    """The pieces of the side that the game waits for, with what a hit on each costs."""
    waiting, place = view.get("waiting"), throw.get("place", "")
    if not waiting or waiting["seat"] not in _SIDES:
        return
    seat, there = waiting["seat"], view["board"].get(place, {})
    if lead["kind"] == "ground combat":
        kinds = (pieces.ARAB, pieces.MARINE) if seat == "american" else ()
        for kind in kinds:
            yield from _loss(("lose", kind), there.get(KEYS[kind], 0), "to the Supply")
        return
    ours = seat == "american"
    frigate = pieces.FRIGATE if ours else pieces.ENEMY_FRIGATE
    damaged, stays = view["damaged"][seat], _is_assault(view)
    whole = there.get(KEYS[frigate], 0) - (damaged if stays else 0)
    year = view["year"] + 1
    back = "fights on" if stays else f"back in {year}" if year <= LAST_YEAR else "to the Supply"
    sunk = f"sunk {view['us_frigates_sunk'] + 1} of {SINKINGS_TO_WIN}" if ours else "sunk"
    yield from _loss(("damage", frigate), whole, back)
    yield from _loss(("sink damaged", frigate), damaged, sunk, is_hit=True)
    small = pieces.GUNBOAT if ours else pieces.CORSAIR
    yield from _loss(("sink", small), there.get(KEYS[small], 0), "to the Supply")


def _loss(
    option: tuple[str, Kind], count: int, cost: str, *, is_hit: bool = False
) -> Iterator[StageLoss]:
    if count > 0:
        yield StageLoss(_piece(option[1], count), words(option), cost, is_hit)


def _is_assault(view: View) -> bool:
    """Whether frigates that are hit once fight on."""
    plays = [line for line in view.get("told", ()) if line["kind"] in ("event", "spent", "passed")]
    return bool(plays) and plays[-1].get("card") == "Assault on Tripoli"
