"""The board, the seats and the options of backgammon.

Each player counts the points from their own side: 24 to 7 lead to the home board, 6 to 1 are the
home board, the bar is 25 and men that were borne off are on 0. A player's point p is the other's
point 25 - p.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from engine.flow import Option, Seat
from engine.rules import Settings, is_on

Point: TypeAlias = int
"""0 (off) to 25 (the bar), counted by the player whose men they are."""

Men: TypeAlias = tuple[int, ...]
"""How many men one player has on each of the 26 points."""

WHITE: Final[Seat] = 0
BLACK: Final[Seat] = 1
SEATS: Final = ("white", "black")

OFF: Final[Point] = 0
BAR: Final[Point] = 25
HOME: Final = 6
"""The highest point of the home board."""
MEN: Final = 15

_SET_UP: Final = {24: 2, 13: 5, 8: 3, 6: 5}
START: Final[Men] = tuple(_SET_UP.get(point, 0) for point in range(26))
"""The men of either player at the beginning of a game."""

ROLL: Final[Option] = ("roll",)
DOUBLE: Final[Option] = ("double",)
TAKE: Final[Option] = ("take",)
DROP: Final[Option] = ("drop",)
BEAVER: Final[Option] = ("beaver",)
BEFORE_THE_ROLL: Final = (ROLL, DOUBLE)
SEAL: Final[Option] = ("seal",)
WAIT: Final[Option] = ("wait",)
ACCEPT: Final[Option] = ("accept",)
PLAY_ON: Final[Option] = ("play on",)
RESIGN: Final = "resign"
CUBE, DOUBLED, PLAY, NEXT, SEALING = "cube", "doubled", "play", "next cube", "sealing"
RESIGNED: Final = "resigned"
"""The questions: roll or double (`CUBE`), take or drop (`DOUBLED`), which play (`PLAY`), and,
sealed together with a play, roll or double before the next throw (`NEXT`). `SEALING` is whether
`NEXT` is sealed at all: it is answered from the player's orders, and nobody is asked. `RESIGNED` is
whether what the other player offers to lose is accepted."""

OPENING: Final = "opening"
TURN: Final = "turn"
REASONS: Final = (OPENING, TURN)
"""What dice are thrown for: who begins and with what, or a player's turn."""

SINGLE: Final = 1
GAMMON: Final = 2
BACKGAMMON: Final = 3
WORTH: Final = {SINGLE: "a single game", GAMMON: "a gammon", BACKGAMMON: "a backgammon"}
RESIGNATIONS: Final[tuple[Option, ...]] = tuple(
    (RESIGN, name) for name in ("single", "gammon", "backgammon")
)
"""What a player may offer to lose, by how many times the cube's value it counts, from 1."""
"""What a game was won as. The number is how many times the cube's value it counts."""

ALWAYS, UNLESS_ORDERED = 1, 2
"""Who seals their doubles: both with every play, or each player unless their orders about the cube
say otherwise."""

LONGEST: Final = 99
"""The most points of a match, and games of money play."""

NEWEST: Final = 2
"""The version of the rules that new games are played by."""

AT_ONCE: Final = "at-once"
SETTINGS: Final = {
    "match": (
        "points that win the match, 1 to 99, with Crawford's rule; without it games are played for"
        " points"
    ),
    "games": "how many games are played for points, 1 to 99",
    "jacoby": "gammons and backgammons count once until the cube was turned (Jacoby's rule)",
    "sealed": (
        "with every play one seals whether to double before the own next throw, unseen by the"
        " other: 1 always, 2 unless a standing order of one's own says otherwise"
    ),
    "beavers": "whoever is doubled may double back and keep the cube",
    AT_ONCE: "nobody is asked before a throw who has not ordered it",
}


class Stakes(NamedTuple):
    """What is played for: the points of a match (0: none), or a number of games for points, and the
    options of money play; who seals the next double with every play (0: nobody), and
    whether nobody is asked before a throw who has not ordered it."""

    match: int
    games: int
    jacoby: bool
    beavers: bool
    sealed: int = 0
    at_once: bool = False


def read_stakes(settings: Settings) -> Stakes:
    """What these options mean. Raises `ValueError` if no game can be made with them."""
    if strange := sorted(set(settings) - set(SETTINGS)):
        raise ValueError(f"there is no setting {strange[0]}")
    match, games = settings.get("match", 0), settings.get("games", 0)
    jacoby, beavers = is_on(settings, "jacoby"), is_on(settings, "beavers")
    if settings.get("sealed", 0) not in (0, ALWAYS, UNLESS_ORDERED):
        raise ValueError(f"sealed is 0, {ALWAYS} or {UNLESS_ORDERED}")
    for name in ("match", "games"):
        if name in settings and not 1 <= settings[name] <= LONGEST:
            without = "" if name != "match" else "; without it games are played for points"
            raise ValueError(f"{name} is 1 to {LONGEST}{without}")
    if match and games:
        raise ValueError("a match ends with its points, so it has no number of games")
    if match and (jacoby or beavers):
        raise ValueError("Jacoby's rule and beavers belong to games for points, not to a match")
    at_once = is_on(settings, AT_ONCE)
    if at_once and settings.get("sealed"):
        raise ValueError("doubles are sealed, or thrown at once: one of the two")
    return Stakes(match, games or 1, jacoby, beavers, settings.get("sealed", 0), at_once)


def stakes_in_words(stakes: Stakes) -> list[str]:
    """What is played for, in words."""
    games = "one game for points" if stakes.games == 1 else f"{stakes.games} games for points"
    words = [f"match to {stakes.match}" if stakes.match else games]
    flags = {
        "Jacoby": stakes.jacoby,
        "beavers": stakes.beavers,
        "sealed doubles": stakes.sealed == ALWAYS,
        "doubles sealed or ordered": stakes.sealed == UNLESS_ORDERED,
        "thrown at once": stakes.at_once,
    }
    return words + [word for word, is_so in flags.items() if is_so]
