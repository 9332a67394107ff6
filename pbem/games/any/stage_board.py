"""The table of a game whose rules are its players' own: whose turn it is, counters, cards and the
newest dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from pbem.english import capital
from pbem.games.any import stage_cards
from pbem.games.any.stage_cards import in_words
from pbem.games.stage import (
    Colour,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageThrow,
    StageThrown,
    StageTray,
    View,
)

_WHOLE = (-450.0, -300.0, 900.0, 600.0)
"""The part of the ground that is seen."""
COLOURS: Sequence[Colour] = (
    "blue",
    "red",
    "green",
    "yellow",
    "purple",
    "cyan",
    "white",
    "blue",
)
"""Of each seat whose name is none, in the order of play."""
_ALIKE: Mapping[str, Colour] = {"orange": "yellow", "gold": "yellow", "violet": "purple"}
"""Names of colours that pieces of a game may have, and what comes next to them."""
_ON_A_CHIP = 3
"""Letters of a number that a round counter has room for."""
_FACTS = 4
"""What a plate has at most."""
NUMBERED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""Seats without a name of their own: their players are called by theirs."""


def name_of(view: View, seat: str) -> str:
    """What a seat is called: by the name that the setup gives it, else as its player is."""
    called: Mapping[str, str] = view.get("called", {})
    return called.get(seat, seat) if seat in NUMBERED else capital(seat)


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn."""
    old = {} if before is None else {_key(one): one["value"] for one in before["counters"]}
    return StageBoard(
        whole=_WHOLE,
        places=[*_places(view, old), *_decks(view, before)],
        trays=_trays(view),
        strip=[
            *(_fact(one, old) for one in view["counters"] if one["seat"] is None),
            StageItem(view["title"] or view["when"].capitalize()),
            *_plates(view, old),
        ],
        thrown=_thrown(view),
        hand="" if view["viewer"] is None else _colour(view, view["viewer"]),
    )


def _decks(view: View, before: View | None) -> Iterator[StagePlace]:
    """The table with the cards on it, and each player's decks."""
    if not view["decks"]:
        return
    colours: dict[str | None, Colour] = {seat: _colour(view, seat) for seat in view["seats"]}
    colours[None] = ""
    yield stage_cards.table(view["decks"], None if before is None else before["decks"], colours)
    for at, deck in enumerate(view["decks"]):
        seat, old = deck["seat"], None if before is None else before["decks"][at]
        yield stage_cards.place(deck, old, _owners(view), colours[seat], view["viewer"])


def _trays(view: View) -> list[StageTray]:
    tray = stage_cards.tray(view["decks"], _owners(view))
    return [] if tray is None else [tray]


def _owners(view: View) -> dict[str, str]:
    """What each seat is called."""
    return {seat: name_of(view, seat) for seat in view["seats"]}


def _key(counter: View) -> tuple[str, str | None]:
    return counter["name"], counter["seat"]


def _places(view: View, old: Mapping[tuple[str, str | None], int]) -> Iterator[StagePlace]:
    """Whose turn it is, or what was asked; and each group of counters."""
    acts = _acts(view)
    if acts is not None:
        note = _asked(view)
        piece = StagePiece(
            f"any-pawn-{_colour(view, acts)}",
            1,
            "to act",
            acts,
            is_single=True,
            label=name_of(view, acts),
            colour=_colour(view, acts),
        )
        yield StagePlace(
            "whose turn",
            view["when"].capitalize(),
            look="cards",
            pieces=[piece],
            note=note,
            colour=_colour(view, acts),
            in_strip=not note,
        )
    groups: dict[str | None, list[View]] = {}
    for counter in view["counters"]:
        groups.setdefault(counter["seat"], []).append(counter)
    for seat, counters in groups.items():
        label = "Everybody's" if seat is None else name_of(view, seat)
        pieces = [_counter(view, one, old) for one in counters]
        yield StagePlace(
            f"counters {seat or 'of all'}",
            label,
            look="cards",
            pieces=pieces,
            colour="" if seat is None else _colour(view, seat),
            marked=any(piece.change for piece in pieces),
            in_strip=seat is None or len(_facts(view, seat, old)) <= _FACTS,
        )


def _counter(view: View, one: View, old: Mapping[tuple[str, str | None], int]) -> StagePiece:
    value = one["value"]
    is_alone = sum(other["name"] == one["name"] for other in view["counters"]) == 1
    words = one["name"] if is_alone else f"{one['seat']}'s {one['name']}"
    kind = "any-counter" if len(str(value)) <= _ON_A_CHIP else "any-tally"
    return StagePiece(
        f"{kind}-{'brown' if one['seat'] is None else _colour(view, one['seat'])}",
        1,
        in_words(one["name"]),
        one["seat"] or "",
        change=value - old.get(_key(one), value),
        text=str(value),
        label=in_words(one["name"]),
        less=f"{words} -1",
        more=f"{words} +1",
        colour="" if one["seat"] is None else _colour(view, one["seat"]),
    )


def _colour(view: View, seat: str) -> Colour:
    """A seat that is called by a colour has it; the others have those that are left."""
    seats: Sequence[str] = view["seats"]
    named = {one: _ALIKE.get(one, one) for one in seats if _ALIKE.get(one, one) in COLOURS}
    left = [one for one in COLOURS if one not in named.values()] + list(COLOURS)
    others = dict(zip([one for one in seats if one not in named], left, strict=False))
    return cast(Colour, named.get(seat) or others[seat])


def _acts(view: View) -> str | None:
    """Who is to act."""
    if view["claim"]:
        return next(iter(view["claim"]["waits"]), None)
    acts: str | None = view["question"]["asked"] if view["question"] else view["turn"]
    return acts


def _asked(view: View) -> str:
    """What they are asked for, if it is not just their turn."""
    if view["claim"]:
        return f"{name_of(view, view['claim']['seat'])} says: {view['claim']['how']}"
    if view["question"]:
        return f"{name_of(view, view['question']['seat'])} asks: {view['question']['text']}"
    return ""


def _plates(view: View, old: Mapping[tuple[str, str | None], int]) -> Iterator[StageItem]:
    """What each player has."""
    acts = _acts(view)
    for seat in view["seats"]:
        yield StageItem(
            name_of(view, seat),
            value="has left" if seat in view["left"] else "",
            is_now=seat == acts,
            player=True,
            side=_colour(view, seat),
            facts=_facts(view, seat, old)[:_FACTS],
            name=f"plate {seat}",
        )


def _facts(view: View, seat: str, old: Mapping[tuple[str, str | None], int]) -> list[StageItem]:
    """How many cards a player holds, and what is counted of them."""
    held = [len(deck["hands"][seat]) for deck in view["decks"] if seat in deck["hands"]]
    hand = [StageItem("hand", str(sum(held)))] if held else []
    return [*hand, *(_fact(one, old) for one in view["counters"] if one["seat"] == seat)]


def _fact(one: View, old: Mapping[tuple[str, str | None], int]) -> StageItem:
    """A counter among what is always in view."""
    value = one["value"]
    change = value - old.get(_key(one), value)
    return StageItem(in_words(one["name"]), str(value), change=change, unpictured=True)


def _thrown(view: View) -> StageThrown | None:
    """The newest dice."""
    roll = view["thrown"]
    if roll is None:
        return None
    who, what = name_of(view, roll["seat"]), in_words(roll["name"])
    by_number = sorted(zip(roll["dice"], roll["faces"], strict=False), reverse=True)
    throw = StageThrow(
        who,
        sorted(roll["dice"], reverse=True),
        says=roll["says"],
        side=_colour(view, roll["seat"]),
        sides=roll["sides"],
        faces=[in_words(face) for _, face in by_number],
    )
    title = f"{capital(what)}: {roll['written']}" if what else roll["written"]
    return StageThrown(title, [throw])
