"""What the cards of The Shores of Tripoli look like in a hand: a picture composed of drawings, and
what each does in the fewest words that say all that one chooses it for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.tripoli.cards import BATTLE, COMMON, CORE, SOLITAIRE, TABLE, VICTORY
from engine.tripoli.tables import AMERICAN
from pbem.games.faces import ENDS, CardFace

_FLEET = "sea; frigate:blue 30 44 .9; frigate:blue 62 52 1; frigate:blue 93 42 .85"
_RAID = "sea; corsair:yellow 34 46 .95; ship 86 48 .95"
_TROOPS = "fort:red 84 42 1; soldier:red 24 54 .95; soldier:red 44 56 .95"
_WAR = "sea; fort:yellow 88 36 .9; corsair:yellow 26 50 .75; corsair:yellow 56 58 .75"
_PAID = "frigate:blue 36 46 1; coin 80 54 1; coin 96 54 1; coin 88 40 1"
_MARCH = "land; horse:blue 30 46 1; soldier:blue 62 52 .8; fort:red 96 40 .75"
_STORMS = (
    "storm; bolt 88 34 1; wind 30 28 .8; frigate:blue 58 56 .95",
    "Each frigate of a zone: a 6 hits",
)

_CARDS: Mapping[str, tuple[str, str]] = {
    "Thomas Jefferson": (f"{_FLEET}; stripes 18 24 .7", "Move 8 frigates, then fight"),
    "Swedish Frigates Arrive": (
        "sea; frigate:gold 44 48 1; sweden 90 34 1",
        "2 Swedish frigates before Tripoli",
    ),
    "Hamet's Army Created": (
        "land; soldier:blue 26 50 1; arab:blue 54 52 1; arab:blue 76 52 1; arab:blue 98 52 1",
        "1 Marine, 5 Arabs in Alexandria",
    ),
    "Treaty of Peace and Amity": (
        "paper; scroll 60 40 1.5; stripes 20 34 .8; crescent:red 100 36 .9",
        "America wins",
    ),
    "Assault on Tripoli": (
        "sea; fort:red 92 36 1; blast 66 34 .8; frigate:blue 30 50 1",
        "All attack Tripoli: win it or lose",
    ),
    "Naval Movement": (
        "sea; wind 26 22 .7; frigate:blue 42 48 1; frigate:blue 86 50 1",
        "Move 4 frigates, then fight",
    ),
    "Early Deployment": (
        "sea; wind 28 26 .9; frigate:blue 66 48 1.15",
        "A frigate of next year comes now",
    ),
    "A Show of Force": (
        "sea; fort:yellow 94 36 .85; frigate:blue 24 46 .8; frigate:blue 52 54 .8",
        "3 frigates: an ally is at peace",
    ),
    "Tribute Paid": (f"sea; {_PAID}", "1 frigate: an ally is at peace; 2 gold to Tripoli"),
    "Constantinople Demands Tribute": (
        "land; crescent:red 30 34 1.2; chest 82 50 1.2; coin 54 60 .8",
        "Tripolitania loses 2 gold",
    ),
    "Hamet Recruits Bedouins": (
        "land; horse:blue 34 46 1.1; horse:blue 82 50 1.1",
        "2 Arab infantry join the army",
    ),
    "Bainbridge Supplies Intel": (
        "night; scroll 38 42 1.2; glass 84 42 1.2",
        "Take or play a card of the discard",
    ),
    "Congress Authorizes Action": (
        "paper; dome 42 46 1.4; frigate:blue 94 48 .8",
        "2 frigates are due next year",
    ),
    "Corsairs Confiscated": (
        "sea; fort:blue 94 36 .8; corsair:red 30 50 .9; corsair:red 62 54 .9",
        "Corsairs in Gibraltar are gone",
    ),
    "Burn the Philadelphia": (
        "night; frigate:red 60 50 1.3; fire 46 30 .9; fire 74 30 1.1",
        "1 die: damage (3) or sink (5) a frigate",
    ),
    "Launch the Intrepid": (
        "night; gunboat:blue 28 54 .9; blast 60 44 1.2; corsair:red 92 50 1",
        "1 die: a corsair (3); a frigate or 2 corsairs (5)",
    ),
    "General Eaton Attacks Derne": (_MARCH, "The army attacks Derne"),
    "General Eaton Attacks Benghazi": (_MARCH, "The army attacks Benghazi"),
    "Lieutenant Sterett in Pursuit": (
        "sea; frigate:blue 34 46 1.1; blast 66 42 .6; corsair:red 94 50 .9",
        "Intercepting: 3 dice a frigate",
    ),
    "Preble's Boys Take Aim": (
        "sea; gun 36 50 1.2; blast 66 38 .8; frigate:red 98 46 .7",
        "In a harbor: 3 dice a frigate",
    ),
    "The Daring Stephen Decatur": (
        "night; soldier:blue 36 48 1.2; fire 86 46 1.1; star 62 20 .8",
        "2 dice for Philadelphia or Intrepid",
    ),
    "Send in the Marines": (
        "land; soldier:blue 30 48 1.1; soldier:blue 58 50 1.1; soldier:blue 86 52 1.1",
        "3 Marines land in the Assault",
    ),
    "Lieutenant O'Bannon Leads the Charge": (
        "land; stripes 82 36 1.3; soldier:blue 40 48 1.2",
        "1 Marine throws 3 dice a round",
    ),
    "Marine Sharpshooters": (
        "land; soldier:blue 36 48 1.2; star 76 28 .9; fort:red 94 48 .6",
        "Marines hit on 5 and 6",
    ),
    "Yusuf Qaramanli": (
        "sea; crescent:red 24 26 .9; corsair:red 50 50 1; corsair:yellow 92 50 1",
        "Raid from Tripoli and all allies",
    ),
    "Murad Reis Breaks Out": (
        "sea; rock 16 58 .8; wind 34 24 .7; corsair:red 54 50 1; corsair:red 94 46 .9",
        "Corsairs in Gibraltar sail home",
    ),
    "Constantinople Sends Aid": (
        "sea; crescent:red 18 24 .8; frigate:red 40 48 1; corsair:red 78 50 .8"
        "; soldier:red 106 54 .8",
        "1 frigate, 2 corsairs, 2 infantry",
    ),
    "US Supplies Run Low": (
        "sea; chest 28 56 .9; frigate:blue 78 46 1.1",
        "1 frigate of a zone goes to Malta",
    ),
    "Algerine Corsairs Raid": (_RAID, "Raid from Algiers"),
    "Moroccan Corsairs Raid": (_RAID, "Raid from Tangier"),
    "Tunisian Corsairs Raid": (_RAID, "Raid from Tunis"),
    "Troops to Derne": (f"land; {_TROOPS}", "2 infantry to Derne"),
    "Troops to Benghazi": (f"land; {_TROOPS}", "2 infantry to Benghazi"),
    "Troops to Tripoli": (f"land; {_TROOPS}", "2 infantry to Tripoli"),
    "Storms": _STORMS,
    "Tripoli Attacks": (
        "sea; corsair:red 22 54 .8; frigate:red 50 44 .95; blast 74 40 .6; frigate:blue 98 50 .8",
        "All its ships fight off Tripoli",
    ),
    "Sweden Pays Tribute": (
        "sea; sweden 32 34 1.1; coin 74 54 1.1; coin 96 54 1.1",
        "The Swedes leave; 2 gold",
    ),
    "Tripoli Acquires Corsairs": (
        "sea; fort:red 96 34 .8; corsair:red 28 50 1; corsair:red 64 54 1",
        "2 corsairs to Tripoli",
    ),
    "The Philadelphia Runs Aground": (
        "sea; rock 66 62 1.3; frigate:blue 56 44 1.3",
        "1 die: a frigate to Malta, sunk (3) or taken (5)",
    ),
    "Algiers Declares War": (_WAR, "3 corsairs to Algiers: it is at war"),
    "Morocco Declares War": (_WAR, "3 corsairs to Tangier: it is at war"),
    "Tunis Declares War": (_WAR, "3 corsairs to Tunis: it is at war"),
    "US Signal Books Overboard": (
        "sea; frigate:blue 38 44 1.1; scroll 88 54 1",
        "The American loses a card",
    ),
    "Uncharted Waters": (
        "sea; rock 30 58 1; rock 88 60 1.2; glass 58 28 1",
        "2 dice for the Philadelphia",
    ),
    "Merchant Ship Converted": (
        "sea; ship 34 48 1; corsair:red 86 50 1",
        "After a raid: 1 corsair to Tripoli",
    ),
    "Happy Hunting": (
        "sea; corsair:red 30 50 1; ship 76 48 .9; coin 104 58 .9",
        "3 more dice in a raid",
    ),
    "The Guns of Tripoli": (
        "sea; fort:red 32 38 1.1; gun 74 52 1; blast 100 38 .7",
        "12 more dice in a battle there",
    ),
    "Mercenaries Desert": (
        "land; arab:blue 24 52 .9; arab:blue 52 50 .9; wind 88 34 1",
        "Each Arab: a 6 sends one away",
    ),
    "Second Storms": _STORMS,
}
"""Of each card its picture (`CardFace.scene`) and its gist."""


def _scene(drawings: str) -> Sequence[str]:
    return drawings.split("; ")


SOLITAIRE_FACES = {
    card.name: CardFace(
        "blue" if card.owner == AMERICAN else "red",
        scene=_scene(_CARDS[card.name][0]),
        gist=_CARDS[card.name][1],
        marks=(
            "battle" if card.kind == BATTLE else "always yours" if card.kind == CORE else "event",
            *([ENDS] if card.kind == VICTORY else ["once"] if card.kind != COMMON else []),
        ),
    )
    for card in TABLE
}
"""The face of each card of the game that one plays alone, by its name."""
FACES = {card.name: SOLITAIRE_FACES[card.name] for card in TABLE if card.kind != SOLITAIRE}
"""The face of each card of the game of two."""
