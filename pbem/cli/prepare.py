"""Answers that a player prepares or takes back while nothing is to be signed
(`pbem.turn.prepared`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.cli.errors import say
from pbem.cli.options import warn_of
from pbem.cli.own_home import open_home
from pbem.errors import Refused
from pbem.home.game_index import short_name
from pbem.turn import named_file, open_game, prepared, preparing
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import SeatedFile
from pbem.turn.prepared import Branch
from pbem.turn.questions import seated


@dataclass(frozen=True)
class PreparedFacts:
    """What is prepared in a `game` now, and what is `gone` since the command was given."""

    game: str
    prepared: Sequence[str]
    gone: Sequence[str]


def is_left_alone(file: Path, intent: Intent, *, newer: bool, as_json: bool) -> bool:
    """Keep what a player prepares in a game that waits for the other one, and tell what is prepared
    now; False, and nothing is done, where a turn of theirs is to be signed with it. Raises
    `Refused` for what cannot be prepared."""
    opened = _opened(file, newer=newer)
    if opened.to_play() is not None:
        return False
    branches = preparing.prepared_with(opened, intent)
    _tell(opened, prepared.leave(opened.memory, opened.file, branches), as_json=as_json)
    return True


def take_back(file: Path, which: Sequence[str], *, newer: bool, as_json: bool) -> None:
    """Forget prepared answers by their numbers, or "all", and tell what is prepared now. Raises
    `Refused` for a number that is none."""
    opened = _opened(file, newer=newer)
    _tell(opened, prepared.take_back(opened.memory, opened.file, which), as_json=as_json)


def _opened(file: Path, *, newer: bool) -> SeatedFile:
    home = open_home()
    home.identity()
    data = named_file.find(file, home).turn
    opened = seated(open_game.open_file(data, home, nothing_newer=newer))
    if opened.stale:
        raise opened.too_old()
    warn_of(opened.warnings)
    return opened


def _tell(opened: SeatedFile, gone: Sequence[Branch], *, as_json: bool) -> None:
    now = prepared.in_words(prepared.left_in(opened.memory, opened.file))
    facts = PreparedFacts(short_name(opened.ledger), now, prepared.in_words(gone))
    lines = [f"no longer prepared: {one}" for one in facts.gone]
    lines += [f"prepared {number}: {one}" for number, one in enumerate(now, start=1)]
    say(as_json, facts, "\n".join(lines or ["nothing is prepared"]))


def check_alone(answers: str, intent: Intent) -> None:
    """Raise `Refused` where a turn is said beside what is taken back: that signs nothing."""
    if answers or not intent.is_empty():
        raise Refused(
            "taking back prepared answers signs nothing", hint="do it by itself, then play"
        )
