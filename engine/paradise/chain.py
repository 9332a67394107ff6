"""The Expand result "Transport Canoe Chain" (paradise rulings 8 and 24)."""

from __future__ import annotations

from engine.flow import Flow
from engine.paradise.hexes import Path, cheapest
from engine.paradise.notation import counted
from engine.paradise.options import chain_options
from engine.paradise.position import Realm
from engine.paradise.tables import DONE, MOST_CANOES, MOST_WAYS, SECTIONS, TONGA_HEX, Place


def transport_canoe_chain(realm: Realm) -> Flow[None]:
    """Place a canoe at home, and as many more as it takes to join Samoa's groups to it. The group
    that needs the fewest is always joined next."""
    if realm.home is None:
        realm.tell(9, "place no Transport Canoe: Samoa has no home", SECTIONS[8])
        return
    joined = yield from (_on_map(realm) if realm.data.map else _by_asking(realm))
    if not joined:
        realm.tell(8, "place no Transport Canoe: no group is left that can be joined")


def _home_canoe(realm: Realm) -> None:
    """The home group's own canoe, once anything is joined to it."""
    assert realm.home is not None
    home = realm.groups[realm.home]
    if not home.canoe:
        home.canoe = True
        realm.tell(8, f"place a Transport Canoe on {realm.name(realm.home)}, the home group")


# ---- without a map -------------------------------------------------------------------------------


def _by_asking(realm: Realm) -> Flow[int]:
    """Returns how many groups were joined. The player counts the canoes on the way to each group,
    and counts again after each group that is joined, because the network has grown; groups that
    need none are joined together (paradise ruling 24).

    So a way never needs more canoes than before, and a group that could not be joined still cannot
    (paradise ruling 18).
    """
    joined = 0
    apart = [
        place for place in realm.samoan() if place != realm.home and not realm.groups[place].linked
    ]
    most = dict.fromkeys(apart, MOST_CANOES)
    has_way: set[Place] = set()
    while apart:
        costs: dict[Place, int] = {}
        for place in list(apart):
            options = chain_options(place, most[place])
            if place in has_way:
                options = options[:-1]  # a way that was there stays: canoes are only added
            verb, _, *number = yield from realm.ask("chain", options, place)
            if verb == "apart":
                apart.remove(place)
                continue
            most[place] = number[0]
            has_way.add(place)
            if number[0] <= _canoes_left(realm, place):
                costs[place] = number[0]
        if not costs:
            break
        fewest = min(costs.values())
        tied = [place for place in costs if costs[place] == fewest]
        if fewest or realm.supply("transport canoes") <= len(tied):
            tied = [(yield from realm.choose(tied, "which group is joined first"))]
        _home_canoe(realm)
        for place in tied:
            apart.remove(place)
            realm.sea_canoes += fewest
            joined += 1
            _join(realm, place, fewest)
    return joined


def _join(realm: Realm, place: Place, on_the_way: int) -> None:
    """The group joins the network: tell the player what to place there and on the way to it."""
    group, name = realm.groups[place], realm.name(place)
    new = [] if group.canoe else [f"a Transport Canoe on {name}"]
    new += [f"{counted(on_the_way, 'Transport Canoe')} on the way to it"] if on_the_way else []
    group.canoe = group.linked = True
    why = f"{name} is joined, with the fewest new canoes on the way, {on_the_way}"
    realm.tell(24, f"place {' and '.join(new) or 'nothing'}: {why}")


def _canoes_left(realm: Realm, place: Place) -> int:
    """How many canoes are left for the way to a group, after its own and the home group's (paradise
    ruling 12)."""
    assert realm.home is not None
    own = (not realm.groups[place].canoe) + (not realm.groups[realm.home].canoe)
    return realm.supply("transport canoes") - own


# ---- on the map ----------------------------------------------------------------------------------


def _on_map(realm: Realm) -> Flow[int]:
    """Returns how many groups were joined, over known hexes that hold no piece of the player's
    (paradise ruling 8)."""
    apart = _apart(realm)
    if not apart:
        return 0
    taken = yield from _ask_occupied(realm)
    joined = 0
    while apart := _apart(realm):
        cost, paths = cheapest(
            network(realm),
            apart,
            lambda place: [p for p in realm.beside(place) if realm.is_known(p) and p not in taken],
            realm.has_canoe,
            MOST_WAYS,
        )
        assert realm.home is not None
        if not paths or cost[0] + (not realm.groups[realm.home].canoe) > realm.supply(
            "transport canoes"
        ):
            break
        if not cost[0]:
            paths = paths[:1]  # nothing is placed, so that nothing is to be chosen
        at = yield from realm.choose_one(
            [_over(realm, path) for path in paths], "which way the chain goes"
        )
        _home_canoe(realm)
        new = [place for place in paths[at] if not realm.has_canoe(place)]
        for place in new:
            if place in realm.groups:
                realm.groups[place].canoe = True
            else:
                realm.chain.add(place)
        joined += 1
        what = f"a Transport Canoe on {', '.join(map(realm.name, new))}" if new else "nothing"
        why = f"the fewest new canoes, {cost[0]}, over {cost[1]} hexes"
        realm.tell(8, f"place {what}: {_over(realm, paths[at])}, {why}")
    return joined


def _over(realm: Realm, path: Path) -> str:
    *way, goal = map(realm.name, path)
    return f"{goal} is joined" + (f" over {', '.join(way)}" if way else "")


def network(realm: Realm) -> set[Place]:
    """The hexes that canoes connect to the home group, with the home group itself. The home group
    alone if it has no canoe."""
    assert realm.home is not None
    found = {realm.home}
    edge = [realm.home] if realm.has_canoe(realm.home) else []
    while edge:
        fresh = [
            place
            for place in realm.beside(edge.pop())
            if place not in found and realm.has_canoe(place)
        ]
        found.update(fresh)
        edge += fresh
    return found


def _apart(realm: Realm) -> list[Place]:
    """Samoa's groups that the network does not reach, without those whose hex is not on the map:
    they are never joined."""
    joined = network(realm) if realm.home in realm.data.map else set()
    return [place for place in realm.samoan() if place not in joined and place in realm.data.map]


def _ask_occupied(realm: Realm) -> Flow[set[Place]]:
    """The known hexes that hold a piece of the player's, as the player reports them. Samoa's groups
    are not among them."""
    free = [
        place for place in realm.data.map if realm.is_known(place) and place not in realm.samoan()
    ]
    free = [place for place in free if not realm.has_canoe(place)]
    taken: set[Place] = set()
    if TONGA_HEX in free:
        taken.add(TONGA_HEX)
        free.remove(TONGA_HEX)
    while free:
        option = yield from realm.ask(
            "occupied", (*[("you occupy", place) for place in free], DONE)
        )
        if option == DONE:
            break
        taken.add(option[1])
        free.remove(option[1])
    return taken


__all__ = ["network", "transport_canoe_chain"]
