"""Island Groups in play: how they come into the game, which one is Samoa's home, and where its
pieces retreat to."""

from __future__ import annotations

from collections.abc import Sequence

from engine.flow import Flow, Option
from engine.paradise.notation import boxes_in_words, pieces_by_hand, pieces_in_words
from engine.paradise.options import BOX_OPTIONS, tile_options
from engine.paradise.position import IslandGroup, Realm
from engine.paradise.tables import SAMOA_HEX, TONGA_HEX, Place


def used_tiles(realm: Realm) -> frozenset[int]:
    """Tiles of the data that lie on the board already."""
    return frozenset(realm.tiles_out)


def place_options(realm: Realm, verb: str) -> tuple[Option, ...]:
    """The options `discover` or `found`, with distances and tile in one sentence, for a table
    without a map."""
    return tile_options(verb, len(realm.data.tiles), used_tiles(realm)) if realm.has_room() else ()


def place_group(realm: Realm, option: Option) -> Place:
    """Add the group that such a sentence reports, under the name of its tile if that is known.
    Returns its place."""
    verb, tonga, samoa, *tile = option
    if not verb.endswith(" tile"):
        boxes, green = tile
        place = realm.new_label()
        realm.groups[place] = IslandGroup(boxes, green, tonga, samoa)
        return place
    found = realm.data.tiles[tile[0]]
    realm.tiles_out.append(tile[0])
    place = realm.data.names.index(found.name)
    if place in realm.groups or place == TONGA_HEX:
        place = realm.new_label()
    realm.groups[place] = IslandGroup(found.boxes, found.green, tonga, samoa)
    return place


def ask_tile(realm: Realm, place: Place) -> Flow[Place]:
    """Add a group in a hex of the map; only its tile is asked for (paradise ruling 16)."""
    if realm.data.tiles:
        used = used_tiles(realm)
        options: tuple[Option, ...] = tuple(
            ("tile", n) for n in range(len(realm.data.tiles)) if n not in used
        )
        options = options or BOX_OPTIONS
    else:
        options = BOX_OPTIONS
    option = yield from realm.ask("tile", options, place)
    if option[0] == "tile":
        realm.tiles_out.append(option[1])
        tile = realm.data.tiles[option[1]]
        boxes, green = tile.boxes, tile.green
    else:
        _, boxes, green = option
    between = realm.data.between
    realm.groups[place] = IslandGroup(
        boxes, green, between(place, TONGA_HEX), between(place, SAMOA_HEX)
    )
    realm.explored.add(place)
    return place


def south_island(realm: Realm, place: Place) -> Flow[bool]:
    """Whether the South Island's tile comes with this one. Asked again until it has come (paradise
    ruling 19)."""
    if realm.south_island or not realm.has_room():
        return False
    option = yield from realm.ask("south island", (("no south island",), ("south island",)), place)
    realm.south_island = option[0] == "south island"
    return realm.south_island


def place_canoe(realm: Realm, place: Place) -> str:
    """Place a Transport Canoe on one of Samoa's groups if one is left (paradise ruling 12). Returns
    what the player does, in words."""
    group = realm.groups[place]
    group.canoe = bool(realm.supply("transport canoes"))
    piece = "a Transport Canoe" if group.canoe else "nothing, for no Transport Canoe is left,"
    return f"place {piece} on {describe(realm, place)}"


def describe(realm: Realm, place: Place) -> str:
    """The group in words, with what never changes about it."""
    group = realm.groups[place]
    far = f"{group.from_tonga} from Tonga, {group.from_samoa} from Samoa"
    return f"{realm.name(place)} ({boxes_in_words(group.boxes, group.green)}, {far})"


def home_is_lost(realm: Realm) -> Flow[None]:
    """The group with the most villages becomes the home. Without villages, the next group that gets
    one does (paradise ruling 9)."""
    realm.home = None
    for group in realm.groups.values():
        group.linked = False
    yield from find_home(realm, realm.samoan())


def find_home(realm: Realm, places: Sequence[Place]) -> Flow[None]:
    """If Samoa has no home, it is now the group with the most villages among these; a die breaks
    ties (paradise ruling 9)."""
    with_villages = [place for place in places if realm.groups[place].villages]
    if realm.home is not None:
        return
    if not with_villages:
        realm.tell(9, "Samoa has no home: the next group that gets a village is it")
        return
    most = max(realm.groups[place].villages for place in with_villages)
    tied = [place for place in with_villages if realm.groups[place].villages == most]
    home = yield from realm.choose(tied, "the new home")
    realm.home = home
    realm.tell(
        9, f"put Samoa's home village on {realm.name(home)}: it has the most villages, {most}"
    )


def retreat(realm: Realm, lost: Place, warriors: int, war_canoes: int) -> Flow[None]:
    """Samoa's remaining pieces go together to one of its groups, or are removed (paradise rulings
    13 and 25)."""
    if not warriors and not war_canoes:
        return
    options: list[Option] = [("retreat", place) for place in realm.samoan() if place != lost]
    option = yield from realm.ask(
        "retreat", (*options, ("no retreat",)), pieces_in_words(warriors, war_canoes)
    )
    if option == ("no retreat",):
        realm.tell(
            25, f"remove {pieces_by_hand(warriors, war_canoes)} of Samoa's: no retreat is possible"
        )
        return
    group = realm.groups[option[1]]
    group.warriors += warriors
    group.war_canoes += war_canoes
    moved = pieces_by_hand(warriors, war_canoes)
    realm.tell_move(
        25,
        f"move {moved} of Samoa's from {realm.name(lost)} to {realm.name(option[1])}: the retreat",
        (lost, option[1]),
        warriors,
        war_canoes,
    )
