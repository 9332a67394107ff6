"""Many files and folders verified by several processes: a line for each that does not hold, a table
of the rest, and what they prove together of a key that signed two versions of a game."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path

from pbem import files
from pbem.cli import streams, verify_attached
from pbem.cli.errors import AlreadyPrinted, as_one_line
from pbem.cli.streams import tell
from pbem.cli.verify_work import CheckedFile, chain_of, check
from pbem.errors import CONFLICT, DONE, INVALID, USAGE, PbemError, Refused, Usage
from pbem.fileformat.encoding import b64, fingerprint
from pbem.ledger.evidence import NO_ACCUSATION, Evidence, evidence
from pbem.ledger.signatures import Verifier
from pbem.library.runner import each
from pbem.library.walk import FoundFile, Skipped, walk
from pbem.library.work import Done
from pbem.report.attached import in_lines
from pbem.report.verification import FailedVerification, VerifiedGame
from pbem.turn import named_file

HOLDS, BAD, OTHER, UNREAD, SKIPPED = "holds", "bad", "other", "unread", "skipped"


@dataclass(frozen=True)
class FileVerdict:
    """One of many files, a line each. `verdict`: it `holds`, it is `bad`, it is an `other` TOML
    file of a folder and no turn file, it is `unread` for the reason in `error`, or it was `skipped`
    because it is a folder that was read under another name. `sha256` of the bytes that were read;
    `verification` as of a single file."""

    file: str
    verdict: str
    sha256: str | None
    error: str | None
    verification: VerifiedGame | FailedVerification | None


@dataclass(frozen=True)
class EvidenceFacts:
    """Evidence in several of the files that a key has signed two versions of a game
    (docs/format.md, section 9), in a line after those of the files. `evidence` is "twice" where it
    signed turn `number` twice, "versions" where it went on in two versions with that turn; `files`
    are the first ones with each version. A restored home does the same."""

    evidence: str
    game_id: str
    seat: str
    number: int
    key: str
    fingerprint: str
    files: list[str]


@dataclass(frozen=True)
class AttachedVerdict:
    """A file that goes with turn `number` of a game, in a line after those of the files: its
    `state` is here, missing, or other where another file has its name."""

    game_id: str
    number: int
    name: str
    size: int
    sha256: str
    state: str
    path: str | None


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
        self.proven += facts.result is not None and facts.result.rests_on == "roots"


@dataclass
class Sum:
    """The figures of the table. Of a single file nothing is kept but eight bytes of its game's id,
    in the order of the files, for there may be a million."""

    games: dict[str, Column] = field(default_factory=dict)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys((HOLDS, BAD, OTHER, UNREAD, SKIPPED), 0)
    )
    ids: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, one: FileVerdict, game: bytes) -> None:
        """One more file is done."""
        self.ids.append(int.from_bytes(game[:8], "big"))
        self.counts[one.verdict] += 1
        if one.verdict == HOLDS and isinstance(one.verification, VerifiedGame):
            self.games.setdefault(one.verification.game, Column()).add(one.verification)

    def count(self) -> int:
        """How many files there were."""
        return sum(self.counts.values()) - self.counts[SKIPPED]


def verify(
    paths: Sequence[Path], jobs: int | None, dask: str | None = None, *, as_json: bool
) -> None:
    """Verify every file, tell of each that does not hold as soon as it is known, and sum up.

    Raises `AlreadyPrinted` with the exit code where not all hold, `Usage` where there is nothing to
    verify, `Refused` if interrupted.
    """
    known, problems = _resolved(paths)
    total, games = Sum(), dict[str, VerifiedGame]()
    count = sum(1 for _ in walk(known)) + len(problems) if streams.is_watched(quiet=as_json) else 0
    try:
        with (
            streams.progress(count, quiet=as_json, what="verifying", prints=True) as advance,
            each(check, chain(problems, walk(known)), jobs, dask) as outcomes,
        ):
            for outcome in outcomes:
                one = verdict(outcome)
                if isinstance(one.verification, VerifiedGame) and one.verification.attached:
                    _keep_longest(games, one.verification)
                total.add(one, b"" if isinstance(outcome, Skipped) else outcome.result.game)
                if as_json:
                    tell(_json(one))
                elif one.verdict != HOLDS:
                    why = f"{_WHY[one.verdict]}{one.error or ''}"
                    tell(_printable(f"{files.printable(Path(one.file))}: {why}"))
                advance(1)
        proven = list(found_together(total.ids, chain(problems, walk(known))))
    except KeyboardInterrupt:
        so_far = f"interrupted after {total.count():,} files"
        raise Refused(so_far, hint="nothing was changed; the same command begins anew") from None
    if not total.count():
        raise Usage(
            "there is no turn file in what you named",
            hint="of a folder every file counts that ends in .toml",
        )
    if not as_json:
        tell("\n".join(table(total)))
    for line in attached_lines(known, games, as_json=as_json):
        tell(line)
    for one_key, names in proven:
        tell(_json(evidence_facts(one_key, names)) if as_json else _evidence_line(one_key, names))
    if proven and not as_json:
        tell(NO_ACCUSATION)
    if code := exit_code(total, has_evidence=bool(proven)):
        raise AlreadyPrinted(code)


def _keep_longest(games: dict[str, VerifiedGame], facts: VerifiedGame) -> None:
    """Remember of each game the file with most entries, which names all files of its turns."""
    known = games.get(facts.game_id)
    if known is None or known.entries < facts.entries:
        games[facts.game_id] = facts


def attached_lines(
    places: Sequence[Path], games: Mapping[str, VerifiedGame], *, as_json: bool
) -> Iterator[str]:
    """What is to be told of the files that go with turns of these games, a line each: they were
    looked for in all that was named."""
    wanted = [file for facts in games.values() for file in verify_attached.named_in(facts)]
    found = verify_attached.search(places, wanted)
    for facts in games.values():
        known = verify_attached.with_states(facts, found)
        if as_json:
            for turn in known.attached:
                for one in turn.files:
                    yield _json(AttachedVerdict(known.game_id, turn.entry, **vars(one)))
        else:
            short = f"{known.game}-{known.game_id[:8]}"
            yield from (_printable(f"{short}: {line}") for line in in_lines(known.attached))


def _resolved(paths: Sequence[Path]) -> tuple[list[Path], list[Skipped]]:
    """The paths, short names of games replaced by what they mean, and what is wrong with the
    others."""
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


def found_together(
    ids: Sequence[int], files_again: Iterable[FoundFile | Skipped]
) -> Iterator[tuple[Evidence, list[Path]]]:
    """The evidence in files of one game, with the files that hold it. `ids` are eight bytes of the
    games' ids, nothing where there is none, in the order of the files: those that stand there once
    are not looked at again."""
    in_order = sorted(ids)
    repeated = {one for one, other in pairwise(in_order) if one == other} - {0}
    games: dict[int, list[Path]] = {}
    if repeated:
        for game, one in zip(ids, files_again, strict=False):
            if game in repeated and isinstance(one, FoundFile):
                games.setdefault(game, []).append(one.path)
    for paths in games.values():
        verifier = Verifier()
        for proven in evidence(chain_of(path, verifier) for path in paths):
            yield proven, [paths[place] for place in proven.files]


def evidence_facts(one: Evidence, names: Sequence[Path]) -> EvidenceFacts:
    """Evidence for other programs."""
    key, files_of_it = b64(one.key), [str(path) for path in names]
    return EvidenceFacts(
        one.kind, one.game.hex(), one.seat, one.number, key, fingerprint(one.key), files_of_it
    )


def exit_code(total: Sum, *, has_evidence: bool) -> int:
    """That of a single file that does not hold, if any does not; else that of two versions of a
    game; else that of one that cannot be read."""
    if total.counts[BAD]:
        return INVALID
    if has_evidence:
        return CONFLICT
    return USAGE if total.counts[UNREAD] else DONE


_WHY = {BAD: "", OTHER: "no turn file", UNREAD: "not read: ", SKIPPED: "left out: "}


def _evidence_line(one: Evidence, names: Sequence[Path]) -> str:
    """What it says, and the first files of up to four versions."""
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return _printable(
        f"{one.in_words().removesuffix('.')}: {', '.join(map(files.printable, names[:4]))}{more}."
    )


def _printable(text: str) -> str:
    """One line, whatever a file is called and whatever stands in it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _json(one: FileVerdict | EvidenceFacts | AttachedVerdict) -> str:
    """One line of JSON, in which nothing stands that a terminal would obey."""
    text = as_one_line(one)
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    )


def table(total: Sum) -> Iterator[str]:
    """A row for each game, and how many files there were of each kind."""
    names = ("files", "entries", "rolls", "draws", "openings", "ended", "proven")
    rows = [["game", *names]]
    rows += [
        [game, *(f"{vars(of)[name]:,}" for name in names)]
        for game, of in sorted(total.games.items())
    ]
    if len(rows) > 1:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            cells = [number.rjust(width) for number, width in zip(others, widths[1:], strict=True)]
            yield "  ".join([first.ljust(widths[0]), *cells])
    yield _in_words(total)


def _in_words(total: Sum) -> str:
    counts = total.counts
    words = [f"{counts[HOLDS]:,} of {total.count():,} files hold"]
    words += [f"{counts[BAD]:,} {'does' if counts[BAD] == 1 else 'do'} not"] if counts[BAD] else []
    words += (
        [f"{counts[OTHER]:,} {'is no turn file' if counts[OTHER] == 1 else 'are no turn files'}"]
        if counts[OTHER]
        else []
    )
    words += [f"{counts[UNREAD]:,} could not be read"] if counts[UNREAD] else []
    return f"{'; '.join(words)}."
