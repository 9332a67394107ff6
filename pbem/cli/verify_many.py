"""Many files and folders verified by several processes: a line for each that does not hold, and a table of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from pbem import files
from pbem.cli import progress
from pbem.cli.errors import AlreadyPrinted, plain
from pbem.cli.streams import tell
from pbem.cli.verify_work import CheckedFile, check
from pbem.errors import DONE, INVALID, USAGE, PbemError, Refused, Usage
from pbem.library.runner import each
from pbem.library.walk import Skipped, walk
from pbem.library.work import Done
from pbem.report.verification import FailedVerification, VerifiedGame
from pbem.turn import named_file

HOLDS, BAD, OTHER, UNREAD, SKIPPED = "holds", "bad", "other", "unread", "skipped"


@dataclass(frozen=True)
class FileVerdict:
    """One of many files, a line each. `verdict`: it `holds`, it is `bad`, it is an `other` TOML file of a folder and no
    turn file, it is `unread` for the reason in `error`, or it was `skipped` because it is a folder that was read under
    another name. `sha256` of the bytes that were read; `verification` as of a single file."""

    file: str
    verdict: str
    sha256: str | None
    error: str | None
    verification: VerifiedGame | FailedVerification | None


@dataclass
class Column:
    """What was checked of one game's files."""

    files: int = 0
    entries: int = 0
    rolls: int = 0
    draws: int = 0
    openings: int = 0
    ended: int = 0
    proven: int = 0

    def add(self, facts: VerifiedGame) -> None:
        """One more file holds."""
        self.files += 1
        self.entries += facts.entries
        self.rolls += facts.rolls
        self.draws += facts.draws
        self.openings += facts.openings
        self.ended += facts.result is not None
        self.proven += facts.result is not None and facts.result.proven


@dataclass
class Sum:
    """What the table tells, and nothing of single files: there may be a million."""

    games: dict[str, Column] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((HOLDS, BAD, OTHER, UNREAD, SKIPPED), 0))

    def add(self, one: FileVerdict) -> None:
        """One more file is done."""
        self.counts[one.verdict] += 1
        if one.verdict == HOLDS and isinstance(one.verification, VerifiedGame):
            self.games.setdefault(one.verification.game, Column()).add(one.verification)

    def count(self) -> int:
        """How many files there were."""
        return sum(self.counts.values()) - self.counts[SKIPPED]


def verify(paths: Sequence[Path], jobs: int | None, dask: str | None = None, *, as_json: bool) -> None:
    """Verify every file, tell of each that does not hold as soon as it is known, and sum up.

    Raises `AlreadyPrinted` with the exit code where not all hold, `Usage` where there is nothing to verify, `Refused`
    if interrupted.
    """
    known, problems = _resolved(paths)
    total = Sum()
    count = sum(1 for _ in walk(known)) + len(problems) if progress.is_shown(quiet=as_json) else 0
    try:
        with (
            progress.progress(count, quiet=as_json, what="verifying", prints=True) as advance,
            each(check, chain(problems, walk(known)), jobs, dask) as outcomes,
        ):
            for one in map(verdict, outcomes):
                total.add(one)
                if as_json:
                    tell(_json(one))
                elif one.verdict != HOLDS:
                    tell(_line(one))
                advance(1)
    except KeyboardInterrupt:
        so_far = f"interrupted after {total.count():,} files"
        raise Refused(so_far, hint="nothing was changed; the same command begins anew") from None
    if not total.count():
        raise Usage("there is no turn file in what you named", hint="of a folder every file counts that ends in .toml")
    if not as_json:
        tell("\n".join(table(total)))
    if code := exit_code(total):
        raise AlreadyPrinted(code)


def _resolved(paths: Sequence[Path]) -> tuple[list[Path], list[Skipped]]:
    """The paths, short names of games replaced by what they mean, and what is wrong with the others."""
    known, problems = [], []
    for path in paths:
        try:
            known.append(named_file.named(path))
        except PbemError as error:
            problems.append(Skipped(path, str(error)))
    return known, problems


def verdict(outcome: Done[CheckedFile] | Skipped) -> FileVerdict:
    """What came of one file."""
    if isinstance(outcome, Skipped):
        kind = UNREAD if outcome.is_unread else SKIPPED
        return FileVerdict(str(outcome.path), kind, None, outcome.reason, None)
    checked, path = outcome.result, str(outcome.found.path)
    facts = checked.facts
    if not facts.ok and not checked.is_turn and not outcome.found.is_named:
        return FileVerdict(path, OTHER, checked.sha256, None, None)
    return FileVerdict(path, HOLDS if facts.ok else BAD, checked.sha256, facts.error, facts)


def exit_code(total: Sum) -> int:
    """That of a single file that does not hold, if any does not; else that of one that cannot be read."""
    if total.counts[BAD]:
        return INVALID
    return USAGE if total.counts[UNREAD] else DONE


_WHY = {BAD: "", OTHER: "no turn file", UNREAD: "not read: ", SKIPPED: "left out: "}


def _line(one: FileVerdict) -> str:
    """One line, whatever the file is called and whatever stands in it."""
    text = f"{files.shown(Path(one.file))}: {_WHY[one.verdict]}{one.error or ''}"
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _json(one: FileVerdict) -> str:
    """One line of JSON, in which nothing stands that a terminal would obey."""
    text = json.dumps(plain(one), ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def table(total: Sum) -> Iterator[str]:
    """A row for each game, and how many files there were of each kind."""
    names = ("files", "entries", "rolls", "draws", "openings", "ended", "proven")
    rows = [["game", *names]]
    rows += [[game, *(f"{vars(of)[name]:,}" for name in names)] for game, of in sorted(total.games.items())]
    if len(rows) > 1:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            cells = [number.rjust(width) for number, width in zip(others, widths[1:], strict=True)]
            yield "  ".join([first.ljust(widths[0]), *cells])
    yield _in_words(total)


def _in_words(total: Sum) -> str:
    counts = total.counts
    told = [f"{counts[HOLDS]:,} of {total.count():,} files hold"]
    told += [f"{counts[BAD]:,} {'does' if counts[BAD] == 1 else 'do'} not"] if counts[BAD] else []
    told += (
        [f"{counts[OTHER]:,} {'is no turn file' if counts[OTHER] == 1 else 'are no turn files'}"]
        if counts[OTHER]
        else []
    )
    told += [f"{counts[UNREAD]:,} could not be read"] if counts[UNREAD] else []
    return f"{'; '.join(told)}."
