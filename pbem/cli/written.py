"""What a command that wrote a turn tells: the files, and what to do with them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.cli.errors import say
from pbem.cli.streams import fitted, warn
from pbem.report import standing
from pbem.turn import signing
from pbem.turn.signing import WrittenTurn


@dataclass(frozen=True)
class WrittenFacts:
    """What a command that wrote a turn tells: the files, and who writes next (nobody: an empty
    list)."""

    file: str
    summary: str
    mail: str | None
    to_act: str | Sequence[str]


@dataclass(frozen=True)
class DryRun:
    """What a turn that was not written would say in its summary."""

    file: None
    summary: str
    to_act: str | Sequence[str]


def tell_written(as_json: bool, written: WrittenTurn) -> None:
    """The names of the files a command wrote, and what to do with them."""
    mail = None if written.mail is None else str(written.mail)
    to_act = standing.to_act(written.game)
    facts = WrittenFacts(str(written.file), str(written.summary), mail, to_act)
    paths = [path for path in (facts.file, facts.summary, mail) if path]
    if written.note:
        warn(written.note)
    what_now = signing.next_step(
        written.game, "file" if written.mail is None else "turn file or the mail"
    )
    lines = [*paths, written.story, written.came, what_now, written.for_newcomers]
    say(as_json, facts, fitted("\n".join(filter(None, lines)), sys.stdout))
