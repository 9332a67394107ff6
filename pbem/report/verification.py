"""Checking a game from its file alone, and counting its dice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.flow import Roll
from pbem.english import counted, listed
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.ledger.ledger import Ledger, replay
from pbem.report.facts import over, rolls, to_act

if TYPE_CHECKING:
    from pbem.ledger.common_deck.deck import CommonDeck


def verify(data: bytes) -> tuple[dict[str, Any], PbemError | None]:
    """What a file proves, and the first thing that is wrong with it if anything is."""
    game = Ledger()
    facts: dict[str, Any] = {"ok": True}
    failure: PbemError | None = None
    try:
        for entry in turnfile.read(data).entries:
            game.admit(entry)
    except PbemError as error:
        failure = error
        facts = {"ok": False, "exit": error.exit_code}
    referee = game.referee
    common = referee.common if referee else None
    made = [chanced for chanced in (referee.chanced if referee else []) if chanced.result is not None]
    facts |= {
        "entries": len(game.entries),
        "rolls": sum(1 for chanced in made if type(chanced.request) is Roll),
        "draws": sum(1 for chanced in made if type(chanced.request) is not Roll)
        + len(common.drawers if common else ()),
        "shuffles": len(common.shuffles) if common else 0,
        "shares": _shares(common),
        "openings": referee.openings if referee else 0,
        "result": over(game) if failure is None else None,
        "error": None if failure is None else str(failure),
    }
    if failure is None:
        facts |= {"game": game.rules.name, "rules": game.rules.version, "game_id": game.game_id.hex()}
        facts["players"] = {game.seats[player.seat]: player.name for player in game.players if player is not None}
        facts["witnessed"] = game.is_witnessed()
        facts["to_act"] = to_act(game)
    return facts, failure


def in_words(facts: dict[str, Any]) -> str:
    """What `verify` prints of a file that holds."""
    result, players = facts["result"], facts["players"]
    checked = [
        counted(facts["entries"], "entry", "entries"),
        counted(facts["rolls"], "roll"),
        counted(facts["draws"], "draw of cards", "draws of cards"),
        counted(facts["openings"], "opened card"),
    ]
    lines = [f"Every entry holds: {listed(found for found in checked if found[:2] != '0 ')} checked."]
    if facts["shuffles"]:
        times, shares = counted(facts["shuffles"], "time"), counted(facts["shares"], "share")
        lines.append(f"The common deck was shuffled {times}, always with a proof that no card was added or exchanged.")
        if facts["shares"]:
            lines.append(f"To read its cards the players gave {shares}, each with a proof.")
    if not facts["witnessed"]:
        lines.append("Unwitnessed: the player was alone with the dice and could look ahead; nobody vouches for them.")
    if result is None:
        lines.append(f"The game goes on; it waits for {facts['to_act']}.")
        return "\n".join(lines)
    who = listed(f"{players.get(seat, 'the bot')} ({seat})" for seat in result["winners"])
    lines.append(f"{who} won: {result['how']}." if who else f"A draw: {result['how']}.")
    if result["totals"]:
        totals = ", ".join(f"{total['side']} {total['points']}" for total in result["totals"])
        lines.append(f"{result['unit'].capitalize()}: {totals}.")
    return "\n".join([*lines, *_proven(result, bool(facts["shuffles"]))])


def _proven(result: dict[str, Any], common_deck: bool) -> list[str]:
    """What the roots prove. Those of a common deck prove little that was not proven before (docs/trust.md)."""
    if result["proven"]:
        what = "gives again what its seat did with the common deck" if common_deck else "gives a deck as it was sealed"
        return [f"Every root was revealed and {what}: the result is proven."]
    missing = result["unproven"]
    has = "has not revealed the root" if len(missing) == 1 else "have not revealed their roots"
    lines = [f"The result is unproven: {listed(missing)} {has} yet."]
    if common_deck:
        lines.append("The shuffles, the shares and the opened cards are proven without them.")
    return lines


def dice(data: bytes) -> dict[str, Any]:
    """Every roll of a file, and the totals. Raises a kind of `Invalid`."""
    game = replay(turnfile.read(data))
    found = rolls(game)
    common = game.referee.common if game.referee else None
    return {
        "title": game.rules.title,
        "game_id": game.game_id.hex(),
        "rolls": found,
        "totals": totals(game, found) if game.rules.dice else {},
        "shuffles": [{"seat": entry.seat, "entry": entry.number} for entry in game.entries if "pile" in entry.fields],
        "draws": len(common.drawers) if common else 0,
        "shares": _shares(common),
    }


def _shares(common: CommonDeck | None) -> int:
    """How many shares of cards were given and proven, those of opened cards included."""
    return sum(map(len, common.shares.values())) if common else 0


def totals(game: Ledger, found: list[dict[str, Any]]) -> dict[str, Any]:
    """How often each face came, for each seat and for all, and what is expected of fair dice."""
    faces = {seat: Counter[int]() for seat in game.seats}
    for roll in found:
        faces[roll["seat"]].update(roll["dice"])
    everyone = sum(faces.values(), Counter[int]())
    return {name: _total(counted) for name, counted in {**faces, "all": everyone}.items()}


def _total(counted: Counter[int]) -> dict[str, Any]:
    number = sum(counted.values())
    shown = {str(face): counted[face] for face in range(1, 7)}
    return {"dice": number, "faces": shown, "expected": round(number / 6, 2)}


def dice_in_words(facts: dict[str, Any]) -> str:
    """What `dice` prints."""
    if not facts["totals"]:
        return _no_dice(facts)
    if not facts["rolls"]:
        return "No dice have been thrown yet."
    lines: list[str] = []
    for roll in facts["rolls"]:
        came = " ".join(map(str, roll["dice"])) if not roll["pending"] else f"{roll['count']} dice, pending"
        lines.append(f"{roll['season']}, {roll['reason']}: {came}")
        lines.append(f"  rolled for {roll['seat']}, witness {roll['witness']}, entry {roll['entry']}")
        lines.append(f"  message {roll['message']}, from byte {roll['offset']} of the stream")
        for proof in roll["proofs"]:
            lines.append(f"  proof of {proof['seat']}  {proof['proof']}")
            lines.append(f"  output of {proof['seat']} {proof['output']}")
    lines += ["", f"{'':12}" + "".join(f"{face:>6}" for face in range(1, 7)) + "  expected each"]
    for name, total in facts["totals"].items():
        shown = "".join(f"{number:>6}" for number in total["faces"].values())
        lines.append(f"{name:12}{shown}  {total['expected']}")
    return "\n".join(lines).strip("\n")


def _no_dice(facts: dict[str, Any]) -> str:
    """What `dice` prints for a game in which none are thrown: what chance there is, and who proves it."""
    lines = [f"No dice are thrown in {facts['title']}. All its chance is the order of the deck:"]
    lines += [f"  entry {made['entry']}: {made['seat']} shuffles, and proves it" for made in facts["shuffles"]]
    if not lines[1:]:
        return lines[0][:-1] + ", which every player shuffles and nobody has shuffled yet."
    drawn, given = counted(facts["draws"], "card"), counted(facts["shares"], "share")
    if facts["draws"]:
        lines.append(f"  {drawn} drawn from the top, and {given} given to read them, each with a proof")
    lines.append(
        "pbem verify checks all these proofs. If one player shuffled at random and keeps the secret, nobody can"
    )
    return "\n".join([*lines, "choose or foresee a card (docs/trust.md)."])
