"""The faces of the cards of The Shores of Tripoli: the pieces that each is about."""

from __future__ import annotations

from collections.abc import Mapping

from engine.tripoli.cards import BATTLE, COMMON, SOLITAIRE, TABLE
from engine.tripoli.tables import AMERICAN
from pbem.games.faces import CardFace

_ABOUT: Mapping[str, str] = {
    "Thomas Jefferson": "us_frigates us_frigates us_frigates",
    "Swedish Frigates Arrive": "swedish_frigates swedish_frigates",
    "Hamet's Army Created": "marines arab_infantry",
    "Treaty of Peace and Amity": "marines tr_infantry",
    "Assault on Tripoli": "us_frigates us_gunboats arab_infantry",
    "Naval Movement": "us_frigates us_frigates",
    "Early Deployment": "us_frigates",
    "A Show of Force": "us_frigates allied_corsairs",
    "Tribute Paid": "us_frigates allied_corsairs",
    "Hamet Recruits Bedouins": "arab_infantry arab_infantry",
    "Congress Authorizes Action": "us_frigates us_frigates",
    "Corsairs Confiscated": "tr_corsairs tr_corsairs",
    "Burn the Philadelphia": "tr_frigates",
    "Launch the Intrepid": "us_gunboats tr_frigates",
    "General Eaton Attacks Derne": "marines arab_infantry tr_infantry",
    "General Eaton Attacks Benghazi": "marines arab_infantry tr_infantry",
    "Lieutenant Sterett in Pursuit": "us_frigates tr_corsairs",
    "Preble's Boys Take Aim": "us_frigates",
    "The Daring Stephen Decatur": "us_frigates tr_frigates",
    "Send in the Marines": "marines marines",
    "Lieutenant O'Bannon Leads the Charge": "marines arab_infantry",
    "Marine Sharpshooters": "marines",
    "Yusuf Qaramanli": "tr_corsairs tr_corsairs",
    "Murad Reis Breaks Out": "tr_corsairs tr_corsairs",
    "Constantinople Sends Aid": "tr_frigates tr_corsairs tr_infantry",
    "US Supplies Run Low": "us_frigates",
    "Algerine Corsairs Raid": "allied_corsairs allied_corsairs",
    "Moroccan Corsairs Raid": "allied_corsairs allied_corsairs",
    "Tunisian Corsairs Raid": "allied_corsairs allied_corsairs",
    "Troops to Derne": "tr_infantry tr_infantry",
    "Troops to Benghazi": "tr_infantry tr_infantry",
    "Troops to Tripoli": "tr_infantry tr_infantry",
    "Storms": "us_frigates",
    "Tripoli Attacks": "tr_frigates tr_corsairs us_frigates",
    "Sweden Pays Tribute": "swedish_frigates swedish_frigates",
    "Tripoli Acquires Corsairs": "tr_corsairs tr_corsairs",
    "The Philadelphia Runs Aground": "us_frigates tr_frigates",
    "Algiers Declares War": "allied_corsairs allied_corsairs allied_corsairs",
    "Morocco Declares War": "allied_corsairs allied_corsairs allied_corsairs",
    "Tunis Declares War": "allied_corsairs allied_corsairs allied_corsairs",
    "US Signal Books Overboard": "us_frigates",
    "Uncharted Waters": "us_frigates",
    "Merchant Ship Converted": "tr_corsairs",
    "Happy Hunting": "tr_corsairs tr_corsairs",
    "The Guns of Tripoli": "tr_infantry us_frigates",
    "Mercenaries Desert": "arab_infantry",
}
"""The pieces by the name of the card; one that is about none shows its text."""

SOLITAIRE_FACES = {
    line.name: CardFace(
        "blue" if line.owner == AMERICAN else "red",
        _ABOUT.get(line.name, "").split(),
        marks=(
            "battle" if line.kind == BATTLE else "event",
            *(["once"] if line.kind != COMMON else []),
        ),
    )
    for line in TABLE
}
"""The face of each card of the game that one plays alone, by its name."""
FACES = {line.name: SOLITAIRE_FACES[line.name] for line in TABLE if line.kind != SOLITAIRE}
"""The face of each card of the game of two."""
