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
from engine.backgammon.tables import BAR, OFF, SEATS
from pbem import files
from pbem.errors import Refused, Usage
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
with open("analysis.json", "w") as out:
    json.dump(gnubg.match(1, 0, 1), out)
"""
_INSTALL = "Debian and Ubuntu: apt install gnubg; else https://www.gnu.org/software/gnubg/"


def analysis(record: GameRecord, effort: Effort) -> Analysis:
    """What gnubg says of every decision. Raises `Usage` where it is not installed, and `Refused`
    where it takes too long or cannot read the match."""
    program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:{_PATH}")
    if program is None:
        raise Usage("gnubg, which analyses backgammon, is not installed", hint=_INSTALL)
    games = games_of(record)
    with files.private_folder() as folder:
        facts = _run(program, folder, sgf(replace(record, names=SEATS)), effort)
    try:
        return _read(games, facts)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Refused("gnubg gave an analysis that cannot be read") from error


def _read(games: list[MatchGame], facts: Mapping[str, Any]) -> Analysis:
    """Its answer, which raises nearly anything where it is another one than ours."""
    pairs = zip(games, facts["games"], strict=True)
    stats = {seat: facts["stats"][colour] for seat, colour in zip(SEATS, _COLOURS, strict=True)}
    return Analysis(
        "GNU Backgammon",
        [one for game, judged in pairs for one in _judged(game, judged["game"])],
        {seat: round(_lost(its), 3) for seat, its in stats.items()},
        {seat: round(its["dice"]["luck"], 3) for seat, its in stats.items()},
    )


def _run(program: str, folder: Path, match: str, effort: Effort) -> dict[str, Any]:
    """Let it work in that folder; what it wrote. Raises `Refused`."""
    kinds = ("chequerplay", "cubedecision") if effort.plies is not None else ()
    deciding = [f"{kind} evaluation plies {effort.plies}" for kind in kinds]
    (folder / "match.sgf").write_text(match, encoding="utf-8")
    (folder / "ask.py").write_text(_SCRIPT.format(deciding=deciding), encoding="utf-8")
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
        hint = "pbem analyse --limit SECONDS gives it longer, --plies 0 makes it quicker"
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
    """Each decision of one game with what gnubg says of it."""
    for action, judged in zip(game.actions, facts, strict=True):
        found = judged.get("analysis", {})
        moves, chosen = found.get("moves", ()), found.get("imove", 0)
        error = moves[0]["score"] - moves[chosen]["score"] if moves else None
        yield Judged(
            part=game.number,
            seat=SEATS[action.seat],
            what=_what(action),
            error=None if error is None else round(error, 3),
            luck=round(found["luck-value"], 3) if "luck-value" in found else None,
            better=_moves(moves[0]["move"]) if moves and chosen else "",
            mark=_mark(found),
        )


def _mark(found: Mapping[str, Any]) -> str:
    """Its words for a decision: `very bad`; of a throw before which the cube should have been
    turned as well."""
    cube = f"no double: {found['cube-skill']}" if "cube-skill" in found else ""
    return ", ".join(filter(None, [str(found.get("skill", "")), cube]))


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
