"""The table of Loot on the stage: merchant ships with the pirates at them, the pile, and what
everybody has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.english import counted
from pbem.games.stage import Colour, StageBoard, StageItem, StagePiece, StagePlace, StageTray, View

_COLOURS: Mapping[str, Colour] = {
    "blue": "blue",
    "green": "green",
    "purple": "purple",
    "gold": "yellow",
}
_WHOLE = (-450.0, -300.0, 900.0, 600.0)
"""The part of the sea that is seen where no ship is in play."""


class _Fighter(NamedTuple):
    """What a side has at a ship: its pirates with their skulls, and the captains and admirals on
    top. It has a colour only with pirates; one that has left no longer `counts`."""

    side: str
    colour: str
    skulls: int
    pirates: int
    trumps: Sequence[str]
    counts: bool

    @property
    def counted(self) -> int:
        """The skulls that it fights by."""
        return self.skulls if self.counts else 0


def name_of(view: View, seat: str) -> str:
    """What a seat is called: players play for themselves, so by their name where the view has it
    (`called`), else by the seat's own word (first, second …)."""
    name: str = view.get("called", {}).get(seat, seat)
    return name


def each(view: View, side: str) -> str:
    """The names of a side, a seat or a pair ("first and third")."""
    return " and ".join(name_of(view, seat) for seat in _seats(side))


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn."""
    old = None if before is None else {ship["number"]: ship for ship in before["ships"]}
    return StageBoard(
        whole=_WHOLE,
        places=[_pile(view), *(_ship(view, ship, old) for ship in view["ships"])],
        strip=[
            StageItem(view["when"].capitalize()),
            *_players(view, before),
            StageItem("Discard", str(len(view["discard"])), name="discard", minor=True),
        ],
        trays=list(_trays(view)),
        edges=_edges(view),
    )


def _edges(view: View) -> list[list[str]]:
    """The sides as they sit: the one that looks, then the others by their turns."""
    sides = [_seats(side["side"]) for side in view["captured"]]
    near = next((at for at, side in enumerate(sides) if view["viewer"] in side), 0)
    return sides[near:] + sides[:near]


def _pile(view: View) -> StagePlace:
    left = view["pile"]
    kind = "loot-pile" if left else "loot-none"
    piece = StagePiece(kind, 1, "cards to draw", text=str(left))
    return StagePlace("pile", "Pile", look="cards", pieces=[piece])


def _ship(view: View, ship: View, old: Mapping[int, View] | None) -> StagePlace:
    """A merchant ship, with a card for each side that fights for it."""
    earlier = None if old is None else old.get(ship["number"])
    was = {} if earlier is None else {row.side: row for row in _fighters(earlier)}
    rows = _fighters(ship)
    owner = next(one["side"] for one in view["captured"] if ship["owner"] in _seats(one["side"]))
    pieces = [
        StagePiece(
            "loot-merchant",
            1,
            f"gold of {each(view, owner)}",
            ship["owner"],
            text=str(ship["gold"]),
            label=_label(view, owner),
            colour="yellow",
        )
    ]
    most = max((row.counted for row in rows), default=0) if ship["leader"] is None else 0
    pieces += [
        replace(
            _fighter(view, ship, row, was.get(row.side), old is not None),
            ties=0 < most == row.counted,
        )
        for row in rows
    ]
    name = f"ship {ship['number']}"
    return StagePlace(
        name,
        name.capitalize(),
        look="cards",
        pieces=pieces,
        note="abandoned" if ship["abandoned"] else "",
        aside="; ".join(["new"] * (old is not None and earlier is None) + [_taken(view, ship)]),
        marked=old is not None
        and (earlier is None or any(_is_new(row, was.get(row.side)) for row in rows)),
        edge=_seats(owner)[0],
    )


def _fighters(ship: View) -> list[_Fighter]:
    """Each side that attacks, then whoever has played a trump and no pirate."""
    trumps = ship["trumps"]
    rows = [
        _Fighter(
            one["side"],
            one["colour"],
            one["strength"],
            len(one["pirates"]),
            [trump["card"] for trump in trumps if trump["seat"] in _seats(one["side"])],
            one["counts"],
        )
        for one in ship["attackers"]
    ]
    fought = {seat for row in rows for seat in _seats(row.side)}
    return rows + [
        _Fighter(trump["seat"], "", 0, 0, [trump["card"]], trump["counts"])
        for trump in trumps
        if trump["seat"] not in fought
    ]


def _is_new(row: _Fighter, old: _Fighter | None) -> bool:
    return old is None or (row.skulls, row.trumps) != (old.skulls, old.trumps)


def _fighter(
    view: View, ship: View, row: _Fighter, old: _Fighter | None, is_marking: bool
) -> StagePiece:
    """Its colour and skulls, with the captain or admiral on top."""
    trump = row.trumps[-1].partition(" ")[0] if row.trumps else ""
    skulls = f"{'skull' if row.skulls == 1 else 'skulls'} in {row.colour}"
    words = [skulls if row.colour else "", f"the {trump}" if trump else ""]
    return StagePiece(
        "-".join(filter(None, ("loot", row.colour, trump))),
        max(1, row.pirates),
        f"{' and '.join(filter(None, words))} of {each(view, row.side)}"
        f"{'' if row.counts else ' (left, no longer counts)'}",
        row.side,
        is_single=not row.colour,
        change=row.skulls - (old.skulls if old else 0) if is_marking else 0,
        text=str(row.skulls) if row.colour else "",
        label=_label(view, row.side),
        leads=row.side in (ship["leader"], *_seats(str(ship["leader"]))),
        colour=_COLOURS[row.colour] if row.colour else "",
    )


def _seats(side: str) -> list[str]:
    return side.split(" and ")


def _label(view: View, side: str) -> str:
    return "\n".join(name_of(view, seat) for seat in _seats(side))


def _taken(view: View, ship: View) -> str:
    """When a ship goes to whoever leads."""
    if ship["abandoned"]:
        return f"discarded when {name_of(view, ship['discarded_by'])} would be next"
    if ship["leader"] is None:
        return "a tie: nobody takes it"
    goes = f"to {each(view, ship['leader'])}" if " and " in ship["leader"] else "taken"
    return f"{goes} when {name_of(view, ship['taken_by'])} is next"


def _players(view: View, before: View | None) -> Iterator[StageItem]:
    """What each player has: the cards in their hand, and the gold of their side at the first of a
    pair."""
    hands = {hand["seat"]: hand for hand in view["hands"]}
    for number, side in enumerate(view["captured"]):
        gained = 0 if before is None else side["gold"] - before["captured"][number]["gold"]
        gold = [StagePiece("loot-coin", 1, "gold", change=gained, text=str(side["gold"]))]
        for nth, seat in enumerate(_seats(side["side"])):
            hand = hands[seat]
            word = "card" if hand["count"] == 1 else "cards"
            cards = StagePiece("loot-back", 1, word, text=str(hand["count"]))
            yield StageItem(
                f"{'& ' if nth else ''}{_holder(view, hand)}",
                is_now=seat == view["active"],
                name=seat,
                pieces=[*([] if nth else gold), cards],
                player=True,
            )


def _trays(view: View) -> Iterator[StageTray]:
    yield StageTray(
        "Captured",
        [
            StageItem(
                each(view, side["side"]),
                f"{side['gold']} gold{_result(view, side)}",
                pieces=[
                    StagePiece("loot-ship", 1, "gold", text=str(ship["gold"]))
                    for ship in side["ships"]
                ],
                unpictured=True,
                aside=counted(len(side["ships"]), "ship") if side["ships"] else "",
            )
            for side in view["captured"]
        ],
    )
    shown = [one for one in view["hands"] if one["shown"] and one["seat"] != view["viewer"]]
    if shown and not view["active"]:
        last = [StageItem(_holder(view, hand), _cards(hand)) for hand in shown]
        yield StageTray("The last hands", last)
    for hand in shown if view["active"] else ():
        yield StageTray(_open_hand(view, hand), [StageItem("", _cards(hand))])
    if view["discard"]:
        names = dict.fromkeys(sorted(view["discard"]))
        counts = [(name, view["discard"].count(name)) for name in names]
        text = ", ".join(name if many == 1 else f"{name} × {many}" for name, many in counts)
        title = f"{counted(len(view['discard']), 'card')} discarded"
        yield StageTray(title, [StageItem(text, unpictured=True)])


def _result(view: View, side: View) -> str:
    score = next((one for one in view["scores"] if one["side"] == side["side"]), None)
    if score is None or not score["in_hand"]:
        return ""
    return f", less {score['in_hand']} in hand: {score['points']}"


def _holder(view: View, hand: View) -> str:
    """Whose hand it is."""
    return f"{name_of(view, hand['seat'])}{' (left)' if hand['left'] else ''}"


def _open_hand(view: View, hand: View) -> str:
    """Why somebody else sees a hand, and whose it is."""
    why = "The hand of one who left" if hand["left"] else "Your partner's hand"
    return f"{why} ({name_of(view, hand['seat'])})"


def _cards(hand: View) -> str:
    named = ", ".join(card["card"] for card in hand["cards"] if card["card"])
    unread = counted(hand["unread"], "card") if hand["unread"] else ""
    unread = unread and f"{unread} not readable yet"
    return ", and ".join(filter(None, (named, unread))) or "none"


def moves(line: View) -> list[tuple[str, int, str, str]]:
    """Which card of a line went where: ships come in from a hand and go to who takes them, pirates
    attack."""
    kind, seat, ship = line["kind"], line.get("seat", ""), f"ship {line.get('ship')}"
    match kind:
        case "dealt" | "drawn":
            return [("loot-back", 1, "pile", seat)]
        case "merchant":
            return [("loot-merchant", 1, seat, ship)]
        case "attack" | "captain" | "admiral":
            word = line["card"].split(" ")[0]  # a colour, or the kind of a card without skulls
            return [(f"loot-{word}", 1, seat, ship)]
        case "discard":
            return [("loot-back", 1, seat, "discard")]
        case "capture":
            return [("loot-merchant", 1, ship, _seats(line["side"])[0])]
        case "lost" | "abandoned":
            return [("loot-merchant", 1, ship, "discard")]
    return []
