"""The sequence of play: chits, the player's steps, and how the game ends (chapters "Procedure" and
"Victory Step")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.flow import Flow, Handle, Outcome, Pick
from engine.paradise.attack import attack
from engine.paradise.battle import movement
from engine.paradise.correction import correct, corrections
from engine.paradise.expand import expand
from engine.paradise.exploration import exploration, explore
from engine.paradise.notation import counted, pieces_in_words
from engine.paradise.options import OVER, SAMOAN_BOXES, VICTORY
from engine.paradise.position import Realm
from engine.paradise.tables import (
    ACTIONS,
    ATTACK,
    BUILD,
    DEFEND,
    DRAWS_BEFORE_ATTACKS,
    EXPANDS,
    EXPLORE,
    LEFT_TO_WIN,
    POINTS_TO_WIN,
    SAMOA,
    SAMOA_HEX,
    SEATS,
    TONGA,
)


def whole_game(realm: Realm) -> Flow[Outcome]:
    """The game from the set-up to the Victory Step that ends it. The player confirms the end,
    because nothing can be taken back after it (paradise ruling 20). In the first turn only the chit
    of the Turn Order Step is left out (paradise ruling 2)."""
    yield from set_up(realm)
    while True:
        realm.turn += 1
        realm.note("turn", realm.turn)
        if realm.turn > 1:
            realm.step = "turn order"
            yield from draw_chit(realm)
        yield from exploration(realm)
        yield from pending_chits(realm)
        yield from movement(realm)
        realm.step = "victory"
        yield from victory(realm)
        outcome = ending(realm, realm.points or 0)
        if outcome is not None:
            yield from realm.ask("over", OVER, outcome.how)
            realm.step = "over"
            realm.note("over", SEATS[outcome.winners[0]], outcome.how)
            return outcome


def victory(realm: Realm) -> Flow[None]:
    """The player reports their points, and can correct facts before."""
    while True:
        option = yield from realm.ask("victory", VICTORY, mends=corrections(realm))
        if option[0] == "victory":
            realm.points = option[1]
            return
        yield from correct(realm, option)


def set_up(realm: Realm) -> Flow[None]:
    """Samoa's home village and village, and the pieces that it starts with: no source gives them,
    so they are data or asked for (paradise ruling 16)."""
    home, given = realm.groups[SAMOA_HEX], realm.data.setup
    if "boxes" in given:
        home.boxes = given["boxes"]
    else:
        _, home.boxes = yield from realm.ask("samoa boxes", SAMOAN_BOXES)
    if "warriors" in given:
        home.warriors, home.war_canoes = given["warriors"], given["war canoes"]
        home.canoe = bool(given.get("transport canoe", 0))
    else:
        _, home.warriors, home.war_canoes, canoe = yield from realm.ask(
            "starts", realm.data.openings
        )
        home.canoe = bool(canoe)
    pieces = pieces_in_words(home.warriors, home.war_canoes)
    if home.canoe:
        pieces = "a Transport Canoe" if pieces == "nothing" else f"{pieces} and a Transport Canoe"
    realm.tell(
        16,
        f"place Samoa's home village and a village in its {home.boxes} boxes, and {pieces} besides",
    )


# ---- chits ---------------------------------------------------------------------------------------


def pending_chits(realm: Realm) -> Flow[None]:
    """Chits that discoveries have brought, drawn when exploration is complete: one after the other,
    or all at once for the player to order (paradise ruling 3)."""
    realm.step = "chits"
    if realm.is_on("open-chits"):
        while realm.pending and realm.cup:
            realm.open.append((yield from take_chit(realm)))
            realm.pending -= 1
        while realm.open:
            handle = realm.open[0]
            if len(realm.open) > 1:
                _, handle = yield from realm.ask(
                    "resolve", tuple(("resolve", one) for one in realm.open)
                )
            realm.open.remove(handle)
            yield from resolve(realm, handle)
    while realm.pending and realm.cup:
        realm.pending -= 1
        yield from draw_chit(realm)
    realm.pending = 0


def draw_chit(realm: Realm) -> Flow[None]:
    """Draw a chit from the cup and carry it out."""
    if realm.cup:
        handle = yield from take_chit(realm)
        yield from resolve(realm, handle)


def take_chit(realm: Realm) -> Flow[Handle]:
    """Draw a random chit, which never returns. After the sixth, the Attack! chits join the cup
    (paradise ruling 2)."""
    picked: tuple[Handle, ...] = yield Pick(
        tuple(realm.cup), 1, f"a chit from the cup, {len(realm.cup)} in it", "chit"
    )
    handle = picked[0]
    realm.cup.remove(handle)
    realm.drawn.append(handle)
    if len(realm.drawn) == DRAWS_BEFORE_ATTACKS:
        realm.cup += realm.waiting
        realm.waiting = []
    chit = realm.data.chits[realm.chit(handle)]
    said = EXPANDS[chit.expand], ACTIONS[chit.action]
    realm.note("chit", realm.chit(handle) + 1, *said, len(realm.cup), realm.data.is_practice)
    if len(realm.drawn) == DRAWS_BEFORE_ATTACKS:
        realm.tell(2, "put the four Attack! chits into the cup: six chits are drawn")
    return handle


def resolve(realm: Realm, handle: Handle) -> Flow[None]:
    """Expand first, then the Action (paradise ruling 3)."""
    chit = realm.data.chits[realm.chit(handle)]
    yield from expand(realm, chit.expand)
    yield from _ACTIONS[chit.action](realm)


def build(realm: Realm) -> Flow[None]:
    """Samoa does nothing beyond the placement of its Expand (paradise ruling 3)."""
    yield from ()
    realm.tell(3, "do nothing more for Samoa: Build")


def defend(realm: Realm) -> Flow[None]:
    """Samoa's pieces stay where they are (paradise ruling 3)."""
    yield from ()
    realm.tell(3, "do nothing more for Samoa: Defend")


_ACTIONS: Final[dict[int, Callable[[Realm], Flow[None]]]] = {
    BUILD: build,
    DEFEND: defend,
    EXPLORE: explore,
    ATTACK: attack,
}


# ---- the end -------------------------------------------------------------------------------------


def ending(realm: Realm, points: int) -> Outcome | None:
    """Thirty points with at least two chits in the cup win; otherwise two or fewer lose (paradise
    ruling 1)."""
    left = len(realm.cup)
    if points >= POINTS_TO_WIN and left >= LEFT_TO_WIN:
        return Outcome((TONGA,), f"{points} victory points with {left} chits left")
    if left <= LEFT_TO_WIN:
        return Outcome((SAMOA,), f"{counted(left, 'chit')} left, and {points} victory points")
    return None
