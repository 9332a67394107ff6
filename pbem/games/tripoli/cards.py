"""The cards of The Shores of Tripoli for their players: what each does, in our words."""

from __future__ import annotations

from collections.abc import Mapping

from engine.tripoli import cards
from engine.tripoli.battle_cards import MOMENTS
from engine.tripoli.game import EVENT_MODULES as EVENT_MODULES  # registers the events
from engine.tripoli.tables import AMERICAN

_AMERICAN = {
    "Thomas Jefferson": "move up to eight American frigates, then fight where they meet the enemy.",
    "Swedish Frigates Arrive": "two Swedish frigates take station in the Tripoli Patrol Zone.",
    "Hamet's Army Created": (
        "one Marine and five Arab infantry gather in Alexandria as Hamet's Army."
    ),
    "Treaty of Peace and Amity": "the Americans win the game at once.",
    "Assault on Tripoli": (
        "every American frigate in a harbor or zone, every gunboat in Malta and Hamet's Army, if it"
        " stands in Benghazi, attack Tripoli. The naval battle goes on until one fleet is gone,"
        " then the ships bombard and ground combat follows. America wins with the city, and loses"
        " the game without it."
    ),
    "Naval Movement": "move up to four American frigates, then fight where they meet the enemy.",
    "Early Deployment": (
        "one American frigate of next year's space comes at once, to a patrol zone of your choice."
    ),
    "A Show of Force": (
        "three American frigates sail to the harbor of an ally that is at war and stay there; that"
        " ally's corsairs return to the Supply without a battle."
    ),
    "Tribute Paid": (
        "one American frigate sails to the harbor of an ally that is at war and stays there; that"
        " ally's corsairs return to the Supply without a battle, and Tripolitania gains two gold."
    ),
    "Constantinople Demands Tribute": "Tripolitania loses two gold, or the one it has.",
    "Hamet Recruits Bedouins": "two Arab infantry join Hamet's Army where it stands.",
    "Bainbridge Supplies Intel": (
        "take another card out of the American discard: into your hand, or to play it at once as"
        " this season's event."
    ),
    "Congress Authorizes Action": "two American frigates from the Supply are due next year.",
    "Corsairs Confiscated": (
        "the Tripolitan corsairs in Gibraltar return to the Supply, and Murad Reis Breaks Out"
        " leaves the game."
    ),
    "Burn the Philadelphia": (
        "throw one die for a Tripolitan frigate in Tripoli: 1 or 2 does nothing, on 3 or 4 it is"
        " damaged and due again next year, on 5 or 6 it is sunk."
    ),
    "Launch the Intrepid": (
        "throw one die against the ships in Tripoli: 1 or 2 does nothing, 3 or 4 sinks a corsair if"
        " there is one, 5 or 6 sinks a frigate, or two corsairs where there is no frigate."
    ),
    "General Eaton Attacks Derne": (
        "Hamet's Army marches from Alexandria to Derne. Up to three frigates may join it, and"
        " gunboats from Malta; they bombard first and go to Malta, then ground combat decides who"
        " holds the city."
    ),
    "General Eaton Attacks Benghazi": (
        "Hamet's Army marches from Derne to Benghazi. Up to three frigates may join it, and"
        " gunboats from Malta; they bombard first and go to Malta, then ground combat decides who"
        " holds the city."
    ),
    "Lieutenant Sterett in Pursuit": (
        "each American frigate throws three dice in this interception, not two."
    ),
    "Preble's Boys Take Aim": (
        "each American frigate throws three dice in this battle, not two; in the Assault in the"
        " first round only."
    ),
    "The Daring Stephen Decatur": "throw two dice for the event, not one; the higher counts.",
    "Send in the Marines": "three Marines from the Supply land in Tripoli.",
    "Lieutenant O'Bannon Leads the Charge": (
        "one Marine throws three dice in each round of this combat, not one."
    ),
    "Marine Sharpshooters": "Marines hit on 5 or 6 in each round of this combat, not on 6 alone.",
}
_TRIPOLITAN = {
    "Yusuf Qaramanli": (
        "raid from Tripoli and from the harbor of each ally at war, in the order you choose."
    ),
    "Murad Reis Breaks Out": (
        "the corsairs in Gibraltar sail home to Tripoli; American frigates in the Gibraltar Patrol"
        " Zone intercept them. They do not raid."
    ),
    "Constantinople Sends Aid": (
        "Tripoli gets one frigate, two corsairs and two infantry from the Supply."
    ),
    "US Supplies Run Low": "one American frigate in a patrol zone of your choice goes to Malta.",
    "Algerine Corsairs Raid": "raid from Algiers.",
    "Moroccan Corsairs Raid": "raid from Tangier.",
    "Tunisian Corsairs Raid": "raid from Tunis.",
    "Troops to Derne": "two infantry from the Supply come to Derne.",
    "Troops to Benghazi": "two infantry from the Supply come to Benghazi.",
    "Troops to Tripoli": "two infantry from the Supply come to Tripoli.",
    "Storms": (
        "choose a patrol zone and throw one die for each American frigate there: the first 6 sinks"
        " one, each further 6 damages one, which is due again next year."
    ),
    "Tripoli Attacks": (
        "all Tripolitan ships in Tripoli fight the American frigates in the zone outside, without"
        " the Swedes; then the Tripolitan ships return to Tripoli and the American ones go to"
        " Malta."
    ),
    "Sweden Pays Tribute": (
        "the Swedish frigates leave the Tripoli Patrol Zone, and Tripolitania gains two gold."
    ),
    "Tripoli Acquires Corsairs": "two corsairs from the Supply come to Tripoli.",
    "The Philadelphia Runs Aground": (
        "throw one die for an American frigate in the Tripoli Patrol Zone: on 1 or 2 it goes to"
        " Malta, on 3 or more it is sunk, and on 5 or 6 Tripoli gets a frigate from the Supply as"
        " well."
    ),
    "Algiers Declares War": (
        "three allied corsairs come to Algiers; American frigates there fight them at once."
    ),
    "Morocco Declares War": (
        "three allied corsairs come to Tangier; American frigates there fight them at once."
    ),
    "Tunis Declares War": (
        "three allied corsairs come to Tunis; American frigates there fight them at once."
    ),
    "US Signal Books Overboard": (
        "the American loses a card of the hand, taken at random, to the discard."
    ),
    "Uncharted Waters": "throw two dice for the event, not one; the higher counts.",
    "Merchant Ship Converted": "one corsair from the Supply comes to Tripoli.",
    "Happy Hunting": "throw three more dice in this raid.",
    "The Guns of Tripoli": (
        "throw twelve more dice in this battle; in the Assault in the first round only."
    ),
    "Mercenaries Desert": (
        "throw one die for each Arab infantry; each 6 sends one away before the first round."
    ),
    "Second Storms": "as Storms.",
}
EFFECTS: Mapping[str, str] = _AMERICAN | _TRIPOLITAN
"""What a card does as event, or as battle card."""

_ACTIONS = (
    "spend the card to move up to two frigates, or to build a gunboat in Malta.",
    "spend the card to raid from Tripoli, or to build a corsair there.",
)
_FATE = {
    cards.CORE: (
        "Core card: it lies open from the start, belongs to no hand, and leaves the game when it is"
        " played."
    ),
    cards.COMMON: "Common card: it goes to the discard however it is used.",
    cards.UNIQUE: (
        "Unique card: it leaves the game as an event, and goes to the discard when it is spent."
    ),
    cards.VICTORY: (
        "Victory card: it ends the game as an event, and goes to the discard when it is spent."
    ),
    cards.BATTLE: (
        "Battle card: it leaves the game as such, and goes to the discard when it is spent. "
        "It is never an event."
    ),
}


def text_of(line: cards.CardLine, card: int) -> str:
    """A card's text, one line for each use."""
    does = EFFECTS[line.name]
    lines = [_FATE.get(line.kind, "Card of the solitaire game.")]
    if line.kind == cards.BATTLE:
        lines.append(f"At {MOMENTS[card].words}: {does}")
    else:
        lines.append(f"Event: {does}")
        if cards.NEEDED[card]:
            lines.append(
                f"Needs: {'; '.join(requirement.words for requirement in cards.NEEDED[card])}."
            )
    if line.kind != cards.CORE:
        lines.append(f"Action: {_ACTIONS[0 if line.owner == AMERICAN else 1]}")
    return "\n".join(lines)


CARD_TEXTS = {line.name: text_of(line, card) for card, line in enumerate(cards.TABLE)}
"""What each card does, by its name."""
