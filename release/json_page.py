"""Writes docs/json.md from the types whose fields are the keys of answers (part of ./run
golden)."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from pbem.cli import (
    errors,
    games,
    ignore,
    league,
    mail,
    names,
    prepare,
    replay,
    shells,
    table,
    verify_many,
    written,
)
from pbem.games import record as analysis
from pbem.home import known_names, make_identity, moving
from pbem.league import overdue
from pbem.league import report as league_report
from pbem.library import archive, explore, luck, luck_figures, stats
from pbem.library import update as library
from pbem.replay import scenes
from pbem.report import (
    dice_count,
    lines,
    log,
    model,
    pages,
    series,
    time,
    verdict_card,
    verification,
)
from pbem.report.parts import Part
from pbem.seek import report
from pbem.simulate import bench_time, check_game, figures
from pbem.turn import game_list, inbox, questions, remind
from pbem.watch import doctor, news, spectator, switch, watcher, witnessed

PAGE = Path(__file__).parents[1] / "docs/json.md"
Record = type

COMMANDS: tuple[tuple[str, tuple[Record, ...]], ...] = (
    ("id", (make_identity.IdentityFacts,)),
    ("name", (names.NameFacts,)),
    ("contacts", (known_names.ContactList,)),
    ("ignore", (ignore.IgnoreFacts,)),
    ("home", (moving.HomeFacts,)),
    ("series", (series.SeriesList,)),
    ("seek", (report.OwnSeeks,)),
    ("seek GAME, seek --taken", (report.WrittenSeekFacts,)),
    ("seeks", (report.BoardFacts,)),
    ("seeks --list", (report.ListFacts,)),
    ("league new, league round, league end", (league.WrittenLeague,)),
    ("league join", (league.WrittenJoin,)),
    ("league begin", (league.BegunGames,)),
    ("league run", (league.RunFacts,)),
    ("league table, league verify", (league_report.LeagueFacts,)),
    ("new, join, play, resign, draw", (written.WrittenFacts,)),
    ("play --dry-run", (written.DryRun,)),
    ("play --if, play --drop-if", (prepare.PreparedFacts,)),
    ("show", (model.Report,)),
    ("moves", (questions.Moves,)),
    ("card", (model.CardFacts,)),
    ("log", (log.LogFacts,)),
    ("help", (pages.TopicList, pages.HelpText)),
    ("completion SHELL", (shells.CompletionScript,)),
    ("man --install, completion SHELL --install", (shells.InstalledFiles,)),
    ("verify", (verification.VerifiedGame, verification.FailedVerification)),
    ("verify, several files or folders", (verify_many.FileVerdict, verify_many.EvidenceFacts)),
    ("dice", (dice_count.DiceFacts,)),
    ("library", (library.LibraryFacts,)),
    ("luck", (luck.LuckFacts,)),
    ("explore", (explore.ExploreFacts,)),
    ("stats", (stats.StatsFacts,)),
    ("analyse", (analysis.Analysis,)),
    ("replay --html", (replay.PageFacts,)),
    ("export", (scenes.WholeGame,)),
    ("archive", (archive.Archived,)),
    ("inbox", (game_list.InboxFacts,)),
    ("send", (mail.SentFacts,)),
    ("sent", (mail.SentByHandFacts,)),
    ("remind", (remind.RemindFacts,)),
    ("fetch", (mail.FetchFacts,)),
    ("watch, watch --once", (watcher.Round,)),
    ("watch PLACE", (spectator.SpectatorLook,)),
    ("table", (table.TableFacts,)),
    ("auto", (switch.AutoFacts,)),
    ("witness", (witnessed.WitnessFacts,)),
    ("doctor", (doctor.CheckUp,)),
    ("simulate", (figures.SeriesFacts, figures.MailSeriesFacts)),
    ("games", (games.GamesFacts,)),
    ("data", (games.DataFilesFacts,)),
    ("check-game", (check_game.Findings,)),
    ("any command that fails", (errors.ErrorFacts, errors.UnfinishedTurn)),
)
"""Each command and what it prints: one object of the first type, or of another one named with
it."""

PRINTED = {
    record.__name__: command
    for command, records in COMMANDS
    for record in records
    if "," not in command
}
"""Where a type is described that another command prints by itself."""

HEAD = """# What `--json` prints

With `--json` a command prints one JSON object on one line and nothing else; the exit code is that of the command
(README.md). The keys are an interface for other programs: they are only added to, and `tests/cli/json/` holds a golden
answer of every command. This page is made from the types in the code by `./run golden`; do not edit it.

`null` stands where a type says *or null*. What only a game knows stands in objects of its own: `view` and the lines of
the story in `entries`, described on the game's page.
"""  # noqa: E501


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_commands(), *_shared()]).rstrip("\n") + "\n"


def _commands() -> Iterator[str]:
    for command, records in COMMANDS:
        yield f"## {command}\n"
        for number, record in enumerate(records):
            if number:
                yield "or\n"
            yield from _record(record)


def _shared() -> Iterator[str]:
    """The types that the keys name, once each, in the order in which they are met."""
    known = [record for _, records in COMMANDS for record in records]
    met = list(known)
    for record in met:
        met += [other for other in dict.fromkeys(_types_named(record)) if other not in met]
    yield "## Objects within\n"
    for record in met[len(known) :]:
        yield f"### {record.__name__}\n"
        yield from _record(record)


def _record(record: Record) -> Iterator[str]:
    words = " ".join(inspect.cleandoc(record.__doc__ or "").split())
    yield textwrap.fill(words, 119, break_on_hyphens=False) + "\n"
    yield "| key | value |"
    yield "|---|---|"
    for field in _fields(record):
        value = f'"{field.default}"' if not field.init else _in_words(str(field.type))
        yield f"| `{field.name}` | {value} |"
    yield ""


def _fields(record: Record) -> list[dataclasses.Field[object]]:
    """The fields of a type that are keys (`pbem.cli.errors.plain`)."""
    named = {field.name: field for field in _flat(record)}
    return [named[key] for key in getattr(record, "KEYS", named)]


def _flat(record: Record) -> Iterator[dataclasses.Field[object]]:
    for field in dataclasses.fields(record):  # type: ignore[arg-type]
        part = _named(str(field.type))
        if part is not None and issubclass(part, Part):
            yield from _flat(part)
        else:
            yield field


_SIMPLE = {
    "str": "text",
    "int": "integer",
    "float": "number",
    "bool": "true or false",
    "None": "null",
}
_GAME = "object of the game"


def _in_words(annotation: str) -> str:
    """A type as a reader of JSON would say it."""
    parts = [_one(part.strip()) for part in _split(annotation, "|")]
    return " or ".join(dict.fromkeys(parts))


def _one(annotation: str) -> str:
    if match := re.fullmatch(r"(?:Sequence|list)\[(.*)\]", annotation):
        return f"list of {_in_words(match[1])}"
    if match := re.fullmatch(r"Mapping\[(.*)\]", annotation):
        key, value = _split(match[1], ",")
        return f"object, {_in_words(key)} to {_in_words(value)}"
    if annotation in ("GameData", "object"):
        return _GAME
    if annotation == "Line":
        return "one of the lines below"
    if annotation in PRINTED:
        return f"[object of {PRINTED[annotation]}](#{PRINTED[annotation]})"
    return _SIMPLE.get(annotation) or f"[{annotation}](#{annotation.lower()})"


def _split(annotation: str, mark: str) -> list[str]:
    """Split at a mark outside brackets."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


LINES = (
    lines.AnswerLine,
    lines.DiceLine,
    lines.DrawLine,
    lines.PickLine,
    lines.OpenedLine,
    lines.OrderLine,
    lines.ChoiceLine,
    lines.AcceptedLine,
)


MODULES = (
    *(
        model,
        lines,
        dice_count,
        verification,
        verdict_card,
        inbox,
        game_list,
        game_list,
        time,
        questions,
        make_identity,
        written,
        errors,
        mail,
        ignore,
        figures,
    ),
    *(
        bench_time,
        figures,
        watcher,
        doctor,
        news,
        switch,
        witnessed,
        scenes,
        games,
        known_names,
        pages,
        library,
    ),
    *(
        luck,
        luck_figures,
        explore,
        stats,
        analysis,
        report,
        series,
        spectator,
        league_report,
        overdue,
    ),
)


def _types_named(record: Record) -> Iterator[Record]:
    """The types that the fields of a type name."""
    for field in _fields(record):
        for name in re.findall(r"[A-Za-z]+", str(field.type)):
            if name == "Line":
                yield from LINES
            if (found := _named(name)) is not None:
                yield found


def _named(name: str) -> Record | None:
    """The dataclass of this name."""
    found = next((vars(module)[name] for module in MODULES if name in vars(module)), None)
    return found if dataclasses.is_dataclass(found) and isinstance(found, type) else None


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
