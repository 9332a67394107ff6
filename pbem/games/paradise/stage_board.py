"""Samoa's realm on the stage: the hexes of the players' map, or without one a chart of how far each
group lies from Samoa and from Tonga; what is counted stands above it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.paradise.notation import boxes_in_words
from engine.paradise.tables import BOXES, DISTANCES, MOST_BOXES, MOST_SAMOAN_BOXES
from pbem.english import counted
from pbem.games.paradise.clicks import distance
from pbem.games.paradise.dice import thrown
from pbem.games.stage import (
    Colour,
    Point,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageTray,
    StageWay,
    View,
)

BAND: Final = 104.0
"""Units of the chart from one distance from Samoa to the next."""
LANE: Final = 130.0
"""How high each of its lanes is: nearer to Samoa, as near to both, nearer to Tonga."""
SIZE: Final = 70.0
"""From the middle of a hex of the map to its corner."""
_NEAREST: Final = 4
"""So many distances are always in view."""
_PIECES: Final[Sequence[tuple[str, str, str, Colour]]] = (
    ("villages", "hut", "village", "green"),
    ("warriors", "shield", "warrior", "red"),
    ("war_canoes", "sail", "War Canoe", "purple"),
    ("canoe", "hull", "Transport Canoe", "cyan"),
)
_NEIGHBOURS: Final = {"Tonga": (0, 1), "Fiji": (1, 1)}
"""What is printed beside Samoa, with its distances from Tonga and from Samoa."""
FACES: Final = {
    **{f"{boxes} boxes": f"tile-{boxes}-0" for boxes in range(2, MOST_SAMOAN_BOXES + 1)},
    **{boxes_in_words(*tile): f"tile-{tile[0]}-{tile[1]}" for tile in BOXES},
}
"""The tiles that answers end with."""
VERBS: Final = {
    "discover": "Report a discovery",
    "found": "Report what Samoa found",
    "call": "Name a group",
    "exploration complete": "Exploration is complete",
    "movement complete": "Movement is complete",
    "off course among": "Off Course",
    "correct": "Correct a fact",
    "that is all": "That is all",
    "undo": "Undo",
}
"""What buttons say of answers that begin so."""
ENDS: Final = ("exploration complete", "movement complete", "that is all")


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn, `lines` the story
    since."""
    groups = [*view["realm"], *view["others"]]
    old = None if before is None else [*before["realm"], *before["others"]]
    places = [*(_map if view["hexes"] else _chart)(view, groups, old)]
    names = {place.name for place in places}
    ways = dict.fromkeys(
        (line["from"], line["to"])
        for line in lines
        if line.get("from") in names and line.get("to") in names
    )
    return StageBoard(
        whole=_around(places) if view["hexes"] else _reach(groups),
        places=places,
        strip=_strip(view, before),
        trays=_trays(view),
        ways=[StageWay(*way) for way in ways],
        turns=not view["hexes"],
        stretches=not view["hexes"],
        faces=FACES,
        verbs=VERBS,
        ends=ENDS,
        thrown=thrown(view, names),
    )


# ---- the chart -----------------------------------------------------------------------------------


def _chart(_view: View, groups: Sequence[View], old: Sequence[View] | None) -> Iterator[StagePlace]:
    """A spot for each pair of distances, and on them the groups that lie so far."""
    for pair in DISTANCES:
        name = distance(*pair)
        yield StagePlace(
            name,
            name,
            _spot(*pair),
            look="spot",
            box=(BAND - 8, LANE - 10),
        )
    for group in groups:
        samoa = group["from_samoa"]
        # how far it is from Tonga need not be known: then it lies in the middle lane
        yield _group(group, _spot(group["from_tonga"] or samoa or 1, samoa), old)
    for name, far in _NEIGHBOURS.items():
        if all(group["name"] != name for group in groups):
            yield StagePlace(name, name, _spot(*far), look="other")


def _spot(tonga: int, samoa: int) -> Point:
    return samoa * BAND, (samoa - tonga) * LANE if samoa else 0.0


def _reach(groups: Sequence[View]) -> tuple[float, float, float, float]:
    """The part of the chart that has groups, and a little more."""
    farthest = max(_NEAREST, *(group["from_samoa"] or 0 for group in groups), 0)
    return -0.6 * BAND, -1.68 * LANE, (farthest + 1.2) * BAND, 3.2 * LANE


# ---- the map -------------------------------------------------------------------------------------


def _map(view: View, groups: Sequence[View], old: Sequence[View] | None) -> Iterator[StagePlace]:
    """A spot for each hex of the players' map without a group, with a label where it is explored; a
    group is a panel on its hex."""
    on_map = {group["name"]: group for group in groups}
    for cell in view["hexes"]:
        at = (1.5 * SIZE * cell["q"], math.sqrt(3) * SIZE * (cell["r"] + cell["q"] / 2))
        if group := on_map.pop(cell["name"], None):
            yield replace(_group(group, at, old), anchor=at)
            continue
        yield StagePlace(
            cell["name"],
            cell["name"] if cell["known"] else "",
            at,
            look="spot",
            box=(1.5 * SIZE, 1.5 * SIZE),
            stack={"hull": ((at[0], at[1] + 30), (0.0, 0.0))},
            pieces=[StagePiece("hull", 1, "Transport Canoe", "samoa")] if cell["canoe"] else (),
        )
    for nth, group in enumerate(on_map.values()):  # its hex is not told
        yield _group(group, (nth * 2 * BAND, 0.0), old)


def _around(spots: Sequence[StagePlace]) -> tuple[float, float, float, float]:
    """What these spots take, with a little room around."""
    all_at = [spot.at for spot in spots if spot.at is not None]
    left, right = min(x for x, _ in all_at) - 1.2 * SIZE, max(x for x, _ in all_at) + 1.2 * SIZE
    top, bottom = min(y for _, y in all_at) - 1.2 * SIZE, max(y for _, y in all_at) + 1.2 * SIZE
    return left, top, right - left, bottom - top


# ---- groups, and what is counted -----------------------------------------------------------------


def _group(group: View, at: Point, old: Sequence[View] | None) -> StagePlace:
    """A group with its tile and Samoa's pieces; what has come or gone is marked."""
    was = None if old is None else next((one for one in old if one["name"] == group["name"]), {})
    pieces = []
    if not group["atoll"] or not group["home"]:
        tile = boxes_in_words(group["boxes"], group["green"])
        kind = f"tile-{group['boxes']}-{min(group['green'], MOST_BOXES)}"
        pieces.append(StagePiece(kind, 1, tile, is_single=True, sign=_tile_sign(group)))
    for key, kind, word, colour in _PIECES:
        now = int(group[key])
        change = 0 if was is None else now - int(was.get(key, 0))
        is_single = key == "canoe" and not change
        if now or change:
            pieces.append(
                StagePiece(
                    kind,
                    now,
                    word,
                    "samoa",
                    change,
                    is_single=is_single,
                    colour=colour,
                )
            )
    away = (("Tonga", group["from_tonga"]), ("Samoa", group["from_samoa"]))
    new = "new" if was is not None and not was else ""
    is_samoan = any(group[key] for key, *_ in _PIECES)
    return StagePlace(
        group["name"],
        f"★ {group['name']}" if group["home"] else group["name"],
        at,
        look="pin" if is_samoan else "other",
        colour="red" if is_samoan else "",
        pieces=pieces,
        marked=bool(new),
        distances=tuple((name, far) for name, far in away if far),
        aside=", ".join(filter(None, ("home" * group["home"], new, "joined" * _is_joined(group)))),
    )


def _is_joined(group: View) -> bool:
    """Whether a Transport Canoe joins the group to the home."""
    return bool(group["canoe"] and group["linked"] and not group["home"])


def _tile_sign(group: View) -> str:
    return f"{group['boxes']}b{group['green']}g" if group["boxes"] else "atoll"


def _strip(view: View, before: View | None) -> list[StageItem]:
    points, cup, cards = view["points"], view["cup"], view["cards"]
    gained = 0 if before is None else (points or 0) - (before["points"] or 0)
    return [
        StageItem(
            f"{view['when'].capitalize()}, {view['step']}"
            if view["turn"]
            else view["when"].capitalize(),
            short=f"{view['when'].capitalize()}",
            is_now=True,
        ),
        StageItem(
            "You",
            player=True,
            side="purple",
            facts=[
                StageItem(
                    "points",
                    "?" if points is None else str(points),
                    of=view["points_to_win"],
                    change=gained,
                )
            ],
        ),
        StageItem(
            "Samoa",
            player=True,
            side="red",
            facts=[
                StageItem("cards", str(cards["hidden"] + len(cards["known"])), minor=True),
                StageItem("draws", str(cup["draws_left"])),
            ],
        ),
        StageItem("In the cup", str(cup["left"]), short="Cup"),
    ]


def _chain(view: View) -> str:
    return f" ({', '.join(map(str, view['chain']))})" if view["chain"] else ""


def _trays(view: View) -> list[StageTray]:
    """Chits, cards, and what else is no group."""
    cup, cards = view["cup"], view["cards"]
    lines = [
        "The four Attack! chits join the cup after the sixth" if cup["waiting"] else "",
        f"To draw when exploration is complete: {counted(cup['pending'], 'chit')}"
        if cup["pending"]
        else "",
        f"Open: chit {', chit '.join(map(str, cup['open']))}" if cup["open"] else "",
        f"{counted(view['sea_canoes'], 'Transport Canoe')} outside groups{_chain(view)}"
        if view["sea_canoes"]
        else "",
        "Practice chits: unofficial, made up for this program" if view["practice"] else "",
        "Own dice: nothing proves them" if view["own_dice"] else "",
        f"Facts stated anew: {view['corrections']}" if view["corrections"] else "",
        f"Reports taken back: {view['undos']}, after dice or chits {view['undos_after_chance']}"
        if view["undos"]
        else "",
        f'To be confirmed by "again": {"; ".join(view["to_confirm"])}'
        if view["to_confirm"]
        else "",
    ]
    drawn = [
        StageItem(f"Chit {one['number']}", f"{one['expand']} / {one['action']}", unpictured=True)
        for one in reversed(cup["drawn"])
    ]
    return [
        StageTray(
            "Samoa's cards",
            [
                StageItem("face down", str(cards["hidden"])),
                *(StageItem(name) for name in cards["known"]),
            ],
        ),
        StageTray("Chits drawn, the newest first", drawn or [StageItem("none", unpictured=True)]),
        *(
            [StageTray("Besides", rest)]
            if (rest := [StageItem(line) for line in lines if line])
            else []
        ),
    ]
