"""Samoa's home group (chapter "Movement and Battle Step"; paradise ruling 9)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.flow import Flow
from engine.paradise.position import Realm
from engine.paradise.tables import Place


def home_is_lost(realm: Realm) -> Flow[None]:
    """The group with the most villages is the new home; without any, the next that gets one (paradise ruling 9)."""
    realm.home = None
    for group in realm.groups.values():
        group.linked = False
    yield from find_home(realm, realm.samoan())


def find_home(realm: Realm, places: Sequence[Place]) -> Flow[None]:
    """If Samoa has no home, the one of these groups with the most villages is it from now on; a die breaks ties
    (paradise ruling 9)."""
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
    realm.tell(9, f"put Samoa's home village on {realm.name(home)}: it has the most villages, {most}")
