"""The player's Movement and Battle Step, as far as it touches Samoa (chapter "Movement and Battle
Step")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.flow import Flow, Option
from engine.options import Chain, Product
from engine.paradise.cards import reveal_cards
from engine.paradise.correction import correct, corrections, is_correction
from engine.paradise.groups import home_is_lost, retreat
from engine.paradise.notation import counted, pieces_by_hand
from engine.paradise.options import any_losses, battle_options
from engine.paradise.position import Realm
from engine.paradise.tables import MOST_EVENTS, Place

COMPLETE: Option = ("movement complete",)
_ALWAYS: Final = (COMPLETE,)
_AT_SEA: Final[tuple[Option, ...]] = (("canoe at sea gone",),)


def movement(realm: Realm) -> Flow[None]:
    """The player's battles, one by one, until they report that movement is complete."""
    realm.step = "movement"
    reports = 0
    while reports < MOST_EVENTS:
        option = yield from realm.ask("movement", _options(realm), mends=corrections(realm))
        if is_correction(option):
            yield from correct(realm, option)
            continue
        reports += 1
        match option:
            case ("movement complete",):
                return
            case ("battle", place, won, warriors, canoes):
                yield from _battle(realm, place, bool(won), warriors, canoes)
            case ("take", place):
                yield from reveal_cards(realm, "you attack Samoa")
                yield from _take_group(realm, place)
            case ("cut off", place):
                realm.groups[place].linked = False
                realm.tell(24, f"{realm.name(place)} is cut off from Samoa's network")
            case ("canoe gone", place):
                realm.chain.discard(place)
                realm.tell(21, f"remove Samoa's Transport Canoe at {realm.name(place)}")
            case ("canoe at sea gone",):
                realm.sea_canoes -= 1
                realm.tell(
                    21,
                    f"remove one of Samoa's Transport Canoes at sea: {realm.sea_canoes} left there",
                )
            case ("malaria", place, warriors, canoes):
                _lose(realm, place, warriors, canoes)
                realm.tell(
                    19,
                    f"remove {pieces_by_hand(warriors, canoes)} from {realm.name(place)}: malaria",
                )
    realm.tell(22, f"movement ends after {MOST_EVENTS} reports")


def _options(realm: Realm) -> Sequence[Option]:
    """Groups with defenders are fought for, others are taken (paradise ruling 21)."""
    parts: list[Sequence[Option]] = [_ALWAYS]
    malaria = realm.is_on("malaria")
    samoan = realm.samoan()
    for place in samoan:
        warriors, canoes = realm.groups[place].warriors, realm.groups[place].war_canoes
        if not warriors and not canoes:
            parts.append(Product("take", (place,)))
            continue
        parts.append(battle_options(place, warriors, canoes))
        if malaria:
            parts.append(
                tuple([("malaria", place, *lost) for lost in any_losses(warriors, canoes)])
            )
    parts.append(
        Product(
            "cut off", [one for one in samoan if realm.groups[one].linked and one != realm.home]
        )
    )
    parts.append(Product("canoe gone", sorted(realm.chain)))
    if realm.sea_canoes:
        parts.append(_AT_SEA)
    return Chain(*parts)


def _lose(realm: Realm, place: Place, warriors: int, canoes: int) -> None:
    realm.groups[place].warriors -= warriors
    realm.groups[place].war_canoes -= canoes


def _battle(realm: Realm, place: Place, won: bool, warriors: int, canoes: int) -> Flow[None]:
    """The player attacks a group. Samoa's cards are revealed first (paradise ruling 15); Samoa
    loses warriors before War Canoes (paradise ruling 14)."""
    yield from reveal_cards(realm, "you attack Samoa")
    _lose(realm, place, warriors, canoes)
    realm.tell(
        14,
        f"remove {pieces_by_hand(warriors, canoes)} of Samoa's from {realm.name(place)}: lost in"
        " battle",
    )
    if won:
        yield from _take_group(realm, place)


def _take_group(realm: Realm, place: Place) -> Flow[None]:
    """The player now holds the group. Samoa's pieces retreat; its villages and its Transport Canoe
    are removed (paradise rulings 13 and 21)."""
    group = realm.groups[place]
    warriors, canoes = group.warriors, group.war_canoes
    lost = [counted(group.villages, "village")] if group.villages else []
    lost += ["a Transport Canoe"] if group.canoe else []
    group.clear()
    realm.tell(
        21,
        f"remove {' and '.join(lost) or 'nothing more'} of Samoa's from {realm.name(place)}: Samoa"
        " loses it",
    )
    was_home = realm.home == place
    if was_home:
        realm.home = None
    yield from retreat(realm, place, warriors, canoes)
    if was_home:
        yield from home_is_lost(realm)
