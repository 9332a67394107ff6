"""The board of backgammon on the stage: points, bar and tray in the backdrop; score, pips and the
cube above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.backgammon.notation import point
from engine.backgammon.tables import BAR, OFF
from pbem.games.backgammon import board as drawn
from pbem.games.backgammon.arrows import newest_play
from pbem.games.backgammon.board import View
from pbem.games.stage import Point, StageBoard, StageItem, StagePiece, StagePlace, StageTray

_WHOLE = (10.0, 52.0, 880.0, 604.0)
_DICE_APART = 62
_LETTERS = 10
"""Letters of a name in the score, at most."""
_TRAY = 22
"""Units from a man in the tray to the next one."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view, as whoever is near sees it; the newest play of the story as ways."""
    facts = drawn.layout(view, before)
    own, other = facts["sides"]
    return StageBoard(
        whole=_WHOLE,
        places=[*_points(facts), _bar(facts, own, other), _tray(own, other), *_dice(facts)],
        strip=_strip(view, own, other),
        trays=[
            StageTray(
                "As GNU Backgammon writes it",
                [
                    StageItem("Position ID", view["position_id"], is_long=True),
                    StageItem("Match ID", view["match_id"], is_long=True),
                ],
            )
        ],
        ways=[] if (play := newest_play(lines)) is None else list(_ways(view, play)),
        piece_size=44,
        turns=True,
    )


def _points(facts: View) -> Iterator[StagePlace]:
    for one in facts["points"]:
        way = -1 if one["number"] <= 12 else 1
        stack = ((one["x"], one["y"] + way * 23), (0.0, way * 46.0))
        men = [_men(one["seat"], one["count"])] if one["count"] else []
        yield StagePlace(
            str(one["number"]),
            str(one["number"]),
            (one["x"], (one["y"] + one["tip"]) / 2),
            look="spot",
            box=(one["right"] - one["left"] - 2, 236.0),
            stack={"white": stack, "black": stack},
            pieces=men,
            marked=one["changed"],
        )


def _men(seat: str, count: int, *, is_single: bool = False) -> StagePiece:
    """Men of a colour; one that is single stands for the colour and counts nothing."""
    return StagePiece(
        seat,
        count,
        seat if is_single else f"{seat} man",
        seat,
        is_single=is_single,
        many=f"{seat} men",
        colour="white" if seat == "white" else "red",
        sign="O" if seat == "white" else "X",
    )


def _bar(facts: View, own: View, other: View) -> StagePlace:
    x, middle = facts["bar_x"] + 28, facts["middle"]
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((x, middle - 87), (0.0, -46.0)),
        other["seat"]: ((x, middle + 87), (0.0, 46.0)),
    }
    men = [_men(side["seat"], side["bar"]) for side in (own, other) if side["bar"]]
    return StagePlace(
        "bar", "bar", (x, middle), look="spot", box=(54, 516), stack=stack, pieces=men
    )


def _tray(own: View, other: View) -> StagePlace:
    x = float(drawn.WIDTH - drawn.RIGHT + 46)
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((x, drawn.BOTTOM - 26), (0.0, -float(_TRAY))),
        other["seat"]: ((x, drawn.TOP + 26), (0.0, float(_TRAY))),
    }
    men = [_men(side["seat"], side["off"]) for side in (own, other) if side["off"]]
    middle = (drawn.TOP + drawn.BOTTOM) / 2
    return StagePlace(
        "off", "off", (x, middle), look="spot", box=(64, 516), stack=stack, pieces=men
    )


def _dice(facts: View) -> Iterator[StagePlace]:
    """Each die as a piece of its own, the larger first, in the half where the player to move has
    their home board."""
    dice = sorted(facts["dice"], key=lambda die: -int(die["pips"]))
    for nth, die in enumerate(dice):
        at = (drawn.WIDTH / 2 + 110 + _DICE_APART * nth, facts["middle"])
        kind = f"die-{die['seat']}-{die['pips']}"
        yield StagePlace(
            f"die {nth + 1}",
            "",
            at,
            look="spot",
            box=(56, 56),
            stack={kind: (at, (0.0, 0.0))},
            pieces=[
                StagePiece(kind, 1, f"die with {die['pips']}", die["seat"], sign=f"[{die['pips']}]")
            ],
        )


def _strip(view: View, own: View, other: View) -> list[StageItem]:
    names = _names(view)
    scores = {side["seat"]: side["score"] for side in view["sides"]}
    crawford = ", Crawford" if view["crawford"] else ""
    owner = next((side["seat"] for side in view["sides"] if side["cube"]), None)
    value = view["offered"] or view["cube"]
    is_free = owner is None or view["offered"]
    return [
        StageItem(
            f"{view['stakes'][0]}{crawford}", short=f"{view['stakes'][0]}{crawford}", minor=True
        ),
        *(
            StageItem(
                names[side["seat"]],
                is_now=side["seat"] == view["turn"],
                pieces=[_men(side["seat"], 1, is_single=True)],
                player=True,
                facts=[
                    StageItem("score", str(scores[side["seat"]])),
                    StageItem("pips", str(side["pips"])),
                    *([] if is_free or side["seat"] != owner else [StageItem("cube", str(value))]),
                ],
                aside="from 24 down" if side is own else "from 1 up",
            )
            for side in (own, other)
        ),
        *(
            [StageItem("Cube", f"{value} offered" if view["offered"] else str(value))]
            if is_free
            else []
        ),
    ]


def _names(view: View) -> dict[str, str]:
    """What the sides are called, by seat: the first words of the names that the view gives
    (`called`), where they are two; else their colours."""
    seats = [str(side["seat"]) for side in view["sides"]]
    words = [str(view.get("called", {}).get(seat, "")).split() for seat in seats]
    names = [word[0][:_LETTERS] if word else seat for word, seat in zip(words, seats, strict=True)]
    is_two = names[0].casefold() != names[1].casefold()
    return dict(zip(seats, names if is_two else seats, strict=True))


def _ways(view: View, play: View) -> Iterator[tuple[str, str]]:
    is_near = play["seat"] == view["near"]
    for source, target in play["steps"]:
        yield _name(source, is_near), _name(target, is_near)


def _name(number: int, is_near: bool) -> str:
    """A point of a player as whoever is near writes it."""
    return point(number if is_near or number in (BAR, OFF) else BAR - number)
