"""GNU Backgammon asked for an analysis of a match that is over.

It is somebody else's program with a command language of its own. So it runs in a private folder
that is removed afterwards, with a limit of time, without the player's settings, and is given
nothing that a player has chosen: the seats stand for the names, and the file and the commands have
words of ours only.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.backgammon.notation import write
from engine.backgammon.plays import Step, join_steps
from engine.backgammon.tables import BAR, OFF, SEATS, read_stakes
from pbem import files
from pbem.errors import Do, Refused, Usage
from pbem.games.backgammon.match_files import sgf
from pbem.games.backgammon.match_games import Action, MatchGame, games_of
from pbem.games.record import Analysis, Effort, GameRecord, Judged

_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"
_COLOURS = ("X", "O")
"""How it calls white and black: the first and the second player of the file."""
_SCRIPT = """
import gnubg, json
gnubg.command("load match match.sgf")
for what in {deciding}:
    gnubg.command("set analysis " + what)
gnubg.command("analyse match")
match = gnubg.match(1, 0, 1)
for game, crawford in zip(match["games"], {crawford}):
    cube, owner = 1, -1
    for action in game["game"]:
        player = "OX".index(action["player"])
        found = action.get("analysis", {{}})
        if {length} and "nd-cubeful-eq" in found:
            score = game["info"]["score-O"], game["info"]["score-X"]
            at = gnubg.cubeinfo(cube, owner, player, {length}, score, crawford, 0)
            for key in "nd-cubeful-eq", "dt-cubeful-eq":
                found[key] = gnubg.mwc2eq(found[key], at)
        if action["action"] == "take":
            cube, owner = 2 * cube, player
with open("analysis.json", "w") as out:
    json.dump(match, out)
"""
"""What it is asked. In a match it weighs the cube by the chance to win the match: that is turned
into points of the game, as it does itself for its statistics."""
BETTER = {"no double": "double", "double": "no double", "take": "drop", "drop": "take"}
"""What would have been better than a wrong decision about the cube."""
_INSTALL = "Debian and Ubuntu: apt install gnubg; else https://www.gnu.org/software/gnubg/"


def analysis(record: GameRecord, effort: Effort) -> Analysis:
    """What gnubg says of every decision. Raises `Usage` where it is not installed, and `Refused`
    where it takes too long or cannot read the match."""
    program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:{_PATH}")
    if program is None:
        raise Usage("gnubg, which analyses backgammon, is not installed", hint=_INSTALL)
    games = games_of(record)
    with files.private_folder() as folder:
        asks = {
            "length": read_stakes(record.settings).match,
            "crawford": [int(game.crawford) for game in games],
        }
        facts = _run(program, folder, sgf(replace(record, names=SEATS)), effort, asks)
    try:
        return _read(games, facts)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Refused("gnubg gave an analysis that cannot be read") from error


def _read(games: list[MatchGame], facts: Mapping[str, Any]) -> Analysis:
    """Its answer, which raises nearly anything where it is another one than ours."""
    pairs = zip(games, facts["games"], strict=True)
    stats = {seat: facts["stats"][colour] for seat, colour in zip(SEATS, _COLOURS, strict=True)}
    lost = {seat: _lost(its) for seat, its in stats.items()}
    counted = {
        seat: its["moves"]["unforced-moves"] + its["cube"]["close-cube"]
        for seat, its in stats.items()
    }
    return Analysis(
        "GNU Backgammon",
        [one for game, judged in pairs for one in _judged(game, judged["game"])],
        {seat: round(cost, 3) for seat, cost in lost.items()},
        counted,
        {seat: error_rate(lost[seat], counted[seat]) for seat in stats},
        {seat: round(its["dice"]["luck"], 3) for seat, its in stats.items()},
    )


def error_rate(lost: float, decisions: int) -> float:
    """What errors cost on average, in thousandths of a point: gnubg's overall error rate (mEMG).
    `decisions` are the plays that were not forced, and the decisions about the cube that were close
    or were made."""
    return round(1000 * lost / decisions, 1) if decisions else 0.0


def _run(
    program: str, folder: Path, match: str, effort: Effort, asks: Mapping[str, Any]
) -> dict[str, Any]:
    """Let it work in that folder; what it wrote. Raises `Refused`."""
    kinds = ("chequerplay", "cubedecision") if effort.plies is not None else ()
    deciding = [f"{kind} evaluation plies {effort.plies}" for kind in kinds]
    (folder / "match.sgf").write_text(match, encoding="utf-8")
    (folder / "ask.py").write_text(_SCRIPT.format(deciding=deciding, **asks), encoding="utf-8")
    process = subprocess.Popen(
        [program, "--tty", "--quiet", "--no-rc", "--python", "ask.py"],
        cwd=folder,
        env={"HOME": str(folder), "PATH": _PATH, "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(effort.seconds)
    except subprocess.TimeoutExpired as error:
        hint = Do(
            "analyse", "--limit", "SECONDS", does="gives it longer, --plies 0 makes it quicker"
        )
        raise Refused(f"gnubg was not done after {effort.seconds} seconds", hint=hint) from error
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    try:
        facts: dict[str, Any] = json.loads((folder / "analysis.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(
            "gnubg gave no analysis of this match", hint="see whether gnubg runs by itself"
        ) from error
    return facts


def _judged(game: MatchGame, facts: list[dict[str, Any]]) -> Iterator[Judged]:
    """Each decision of one game with what gnubg says of it. Not to double is one of its own where
    it cost something."""
    turn = 1
    offer: Mapping[str, Any] = {}
    for action, judged in zip(game.actions, facts, strict=True):
        seat, found = SEATS[action.seat], judged.get("analysis", {})
        if action.kind != "play":
            offer = found if action.kind == "double" else offer
            error, better = cube_error(action.kind, offer)
            mark = str(found.get("skill", ""))
            yield Judged(game.number, turn, seat, action.kind, error, None, better, mark)
            continue
        error, better = cube_error("no double", found)
        if error:
            mark = str(found.get("cube-skill", ""))
            yield Judged(game.number, turn, seat, "no double", error, None, better, mark)
        moves, chosen = found.get("moves", ()), found.get("imove", 0)
        error = moves[0]["score"] - moves[chosen]["score"] if moves else None
        yield Judged(
            part=game.number,
            turn=turn,
            seat=seat,
            what=_what(action),
            error=None if error is None else round(error, 3),
            luck=round(found["luck-value"], 3) if "luck-value" in found else None,
            better=_moves(moves[0]["move"]) if moves and chosen else "",
            mark=str(found.get("skill", "")),
        )
        turn += 1


def cube_error(kind: str, found: Mapping[str, Any]) -> tuple[float | None, str]:
    """What a decision about the cube cost, and what was better: no double is worth `nd`, a double
    `dt` if it is taken and one point if it is dropped, whichever the other one likes better. None
    where gnubg has not weighed it, as after a beaver."""
    if "nd-cubeful-eq" not in found or "dt-cubeful-eq" not in found:
        return None, ""
    nd, dt = found["nd-cubeful-eq"], found["dt-cubeful-eq"]
    doubling, taking = min(dt, 1) - nd, 1 - dt
    lost = {"no double": doubling, "double": -doubling, "take": -taking, "drop": taking}
    error = round(max(0, lost.get(kind, 0)), 3)
    return error, BETTER[kind] if error else ""


def _what(action: Action) -> str:
    if action.kind != "play":
        return action.kind
    first, second = sorted(action.dice, reverse=True)
    return f"{first}{second}: {write(action.play) or 'cannot move'}"


def _moves(steps: list[list[int]]) -> str:
    """A play of its own, as players write it; what it would hit is left out."""
    return write(
        join_steps(
            tuple(Step(min(source, BAR), max(target, OFF), False) for source, target in steps)
        )
    )


def _lost(stats: Mapping[str, Any]) -> float:
    """What all errors cost, at the men and at the cube."""
    cube = sum(
        cost
        for name, cost in stats["cube"].items()
        if name.startswith("err-") and name.endswith("-skill")
    )
    return float(stats["moves"]["error-skill"] + cube)
