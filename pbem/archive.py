"""Checking a game from its file alone, and counting its dice."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.flow import Roll
from pbem import turnfile
from pbem.errors import PbemError
from pbem.ledger import Ledger
from pbem.report import over, rolls


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
    made = [chanced for chanced in (referee.chanced if referee else []) if chanced.result is not None]
    facts |= {
        "entries": len(game.entries),
        "rolls": sum(1 for chanced in made if type(chanced.request) is Roll),
        "draws": sum(1 for chanced in made if type(chanced.request) is not Roll),
        "openings": referee.openings if referee else 0,
        "result": over(game) if failure is None else None,
        "error": None if failure is None else str(failure),
    }
    if failure is None:
        facts |= {"game": game.rules.name, "rules": game.rules.version, "game_id": game.game_id.hex()}
        facts["players"] = {game.seats[player.seat]: player.name for player in game.players if player is not None}
        facts["witnessed"] = game.is_witnessed()
        turn = game.to_act()
        facts["to_act"] = [] if turn is None else game.seats[turn]
    return facts, failure


def in_words(facts: dict[str, Any]) -> str:
    """What `verify` prints of a file that holds."""
    result, players = facts["result"], facts["players"]
    lines = [
        f"Every entry holds: {facts['entries']} entries, {facts['rolls']} rolls, {facts['draws']} draws of cards and "
        f"{facts['openings']} opened cards checked."
    ]
    if not facts["witnessed"]:
        lines.append("Unwitnessed: the player was alone with the dice and could look ahead; nobody vouches for them.")
    if result is None:
        lines.append(f"The game goes on; it waits for {facts['to_act']}.")
        return "\n".join(lines)
    who = " and ".join(f"{players.get(seat, 'the bot')} ({seat})" for seat in result["winners"])
    lines.append(f"{who} won: {result['how']}." if who else f"A draw: {result['how']}.")
    if result["points"]:
        lines.append("Points: " + ", ".join(f"{seat} {points}" for seat, points in result["points"].items()) + ".")
    if result["proven"]:
        lines.append("Every deck was revealed and agrees with its seals: the result is proven.")
    else:
        lines.append(f"The result is unproven: {' and '.join(result['unproven'])} has not revealed the root yet.")
    return "\n".join(lines)


def dice(data: bytes) -> dict[str, Any]:
    """Every roll of a file, and the totals. Raises a kind of `Invalid`."""
    game = Ledger()
    for entry in turnfile.read(data).entries:
        game.admit(entry)
    found = rolls(game)
    return {"game_id": game.game_id.hex(), "rolls": found, "totals": totals(game, found)}


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
