"""Where Samoa's pieces go after a battle that the player has won: no source says, so the player is asked."""

from __future__ import annotations

from engine.flow import Flow, Option
from engine.paradise.notation import pieces_by_hand, pieces_in_words
from engine.paradise.position import Realm
from engine.paradise.tables import Place


def retreat(realm: Realm, lost: Place, warriors: int, war_canoes: int) -> Flow[None]:
    """What is left of Samoa's pieces goes to one group of its own, all together, or is removed (paradise rulings 13 and
    25)."""
    if not warriors and not war_canoes:
        return
    options: list[Option] = [("retreat", place) for place in realm.samoan() if place != lost]
    option = yield from realm.ask("retreat", (*options, ("no retreat",)), pieces_in_words(warriors, war_canoes))
    if option == ("no retreat",):
        realm.tell(25, f"remove {pieces_by_hand(warriors, war_canoes)} of Samoa's: no retreat is possible")
        return
    group = realm.groups[option[1]]
    group.warriors += warriors
    group.war_canoes += war_canoes
    moved = pieces_by_hand(warriors, war_canoes)
    realm.tell(25, f"move {moved} of Samoa's from {realm.name(lost)} to {realm.name(option[1])}: the retreat")
