"""A folder of finished games: the last turn file of each, its story, its page, and an index of them
all, as a page for browsers and as Markdown.

The turn file is what counts and is written first; everything else can be made from it again. So
whatever stops the program on the way (a full disk, a power cut), running it once more completes the
folder, and nothing that was there is lost: each file is written whole under another name before it
takes its own.

`index.json` keeps the lines of the index, each with the SHA-256 of its turn file, so that only
files it does not know are verified. It holds nothing else: without it, or with one that cannot be
read, the lines are made from the turn files again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pbem import files
from pbem.errors import Conflict, PbemError, Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.bare_picture import BoardPicture
from pbem.fileformat.turnfile import MAX_FILE
from pbem.library import pages
from pbem.lock import Lock
from pbem.replay.page import page
from pbem.replay.scenes import Replayed, WholeGame
from pbem.report import log, render, standing
from pbem.report.attached import TurnFiles, in_lines

PAGES: Final = ("index.html", "index.md")
KEPT: Final = "index.json"
MARK: Final = "made by pbem archive"
"""Stands near the beginning of each of the three files: what has no such mark is somebody else's
and is not touched."""
_NEAR: Final = 1000
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*-[0-9a-f]{8}\.toml")
_LARGEST: Final = 100_000_000


@dataclass(frozen=True)
class Line:
    """What the index says of a game. `name` is what its files are called without their endings;
    `players` are names, each with the seat; dates are those that the players claim."""

    name: str
    sha256: str
    title: str
    made_with: str
    players: str
    began: str
    ended: str
    entries: int
    ending: str
    proven: bool
    witnessed: bool


def line_of(data: bytes, replayed: Replayed, ending: standing.Ending) -> Line:
    """The line of a game that holds and is over."""
    story, game = replayed.whole_game(), replayed.game
    return Line(
        name=f"{story.game}-{story.game_id[:8]}",
        sha256=hashlib.sha256(data).hexdigest(),
        title=story.title,
        made_with=", ".join(story.made_with),
        players=_players(story),
        began=story.scenes[0].date[:10],
        ended=story.scenes[-1].date[:10],
        entries=len(story.scenes),
        ending=(story.ending or ending.how).removesuffix("."),
        proven=ending.proven,
        witnessed=game.invitation.is_witnessed(),
    )


def _players(story: WholeGame) -> str:
    return ", ".join(f"{seat.name or 'the bot'} ({seat.seat})" for seat in story.seats)


def check_own(folder: Path) -> None:
    """Whether the index can be written over what lies there. Raises `Conflict` if it is somebody
    else's."""
    for name in (*PAGES, KEPT):
        path = folder / name
        if os.path.lexists(path) and MARK not in _text(path)[:_NEAR]:
            what = f"{files.printable(path)} was not made by pbem archive"
            raise Conflict(
                what, hint="nothing was overwritten; move it away or choose another folder"
            )


def renew(folder: Path, line: Line) -> tuple[list[Line], dict[str, str]]:
    """Write the index anew, with this line; the lines of games whose files are gone leave it. The
    lines, the newest game first, and the turn files that have none with the reason. Raises `Usage`
    if it cannot be written."""
    known = {one.sha256: one for one in (*_kept(folder), line)}
    lines: list[Line] = []
    left_out: dict[str, str] = {}
    for path in files.listed(folder):
        if _NAME.fullmatch(path.name):
            try:
                lines.append(_line_at(path, known))
            except PbemError as error:
                left_out[files.printable(path)] = error.what
    lines.sort(key=lambda one: one.name)
    lines.sort(key=lambda one: one.ended, reverse=True)
    for name, text in _texts(lines).items():
        if not files.holds(folder / name, text.encode()):
            files.replace(folder / name, text.encode(), mode=0o644)
    return lines, left_out


def _line_at(path: Path, known: Mapping[str, Line]) -> Line:
    """The line of a turn file: the one that is known of these bytes, or a new one. Raises kinds of
    `PbemError`."""
    data = files.read_own(path, MAX_FILE)
    line = known.get(hashlib.sha256(data).hexdigest())
    if line is None:
        replayed = Replayed(data)
        if replayed.failure is not None:
            raise replayed.failure
        ended = standing.over(replayed.game)
        if ended is None:
            raise Usage("the game is not over")
        line = line_of(data, replayed, ended)
    if line.name != path.stem:
        raise Usage(f"it is {line.name}")
    return line


def _texts(lines: Iterable[Line]) -> dict[str, str]:
    """The files of the index by name; the page last, for it is what readers look at."""
    kept = {"format": f"1, {MARK}", "games": [asdict(line) for line in lines]}
    facts = {"lines": list(lines), "mark": MARK}
    return {
        KEPT: json.dumps(kept, indent=1, ensure_ascii=False) + "\n",
        "index.md": pages.markdown("index", facts),
        "index.html": pages.html("index", facts, "index.css"),
    }


def _kept(folder: Path) -> list[Line]:
    """The lines that `index.json` holds; none that is not whole."""
    try:
        games = json.loads(_text(folder / KEPT))["games"]
        return [line for one in games if (line := _line(one)) is not None]
    except (ValueError, LookupError, TypeError, RecursionError, Usage):
        return []


def _line(said: Any) -> Line | None:
    kinds = {"entries": int, "proven": bool, "witnessed": bool}
    names = [field.name for field in fields(Line)]
    if not isinstance(said, dict) or set(said) != set(names):
        return None
    if not all(type(said[name]) is kinds.get(name, str) for name in names):
        return None
    return Line(**said)


def _text(path: Path) -> str:
    """Raises `Usage`."""
    return files.read_own(path, _LARGEST).decode("utf-8", "replace")


@dataclass(frozen=True)
class Archived:
    """What `archive` wrote: the turn file, its account in Markdown, its page, the index in both
    forms. `replaced`: an earlier file of the game lay there. `games` are the lines of the index;
    `left_out` the turn files of the folder that have no line, each with the reason. `attached` are
    the files that go with its turns, in a folder beside it as far as they were found."""

    game: str
    file: str
    account: str
    page: str
    index: Sequence[str]
    ending: str
    proven: bool
    by_hand: bool
    replaced: bool
    games: int
    left_out: Mapping[str, str]
    attached: Sequence[TurnFiles] = ()


def archive(
    data: bytes,
    folder: Path,
    pictures: Mapping[int, BoardPicture] = MappingProxyType({}),
) -> Archived:
    """Put a finished game into a folder, which is made if need be. Of a game that lies there
    already the longer file stays. `pictures` are those that players made of their board, by the
    entry with which each goes.

    Raises a kind of `Invalid` for a file that does not verify, `Refused` for a game that goes on,
    `Conflict` where a file of the folder is not what this would replace, `Usage` if it cannot be
    written.
    """
    data = turnfile.read(data).data
    replayed = Replayed(data)
    if replayed.failure is not None:
        raise replayed.failure
    ended = standing.over(replayed.game)
    if ended is None:
        raise Refused(
            "the game is not over: only its last turn file belongs in an archive",
            hint="archive it when the last turn has come",
        )
    line = line_of(data, replayed, ended)
    files.make_folder(folder)
    with _alone(folder):
        check_own(folder)
        place = folder / f"{line.name}.toml"
        old = _there(place, data)
        _write(place, data, old)
        account = _written(place.with_suffix(".md"), _account(replayed), old)
        shown = page(data, replayed, pictures).encode()
        html = _written(place.with_suffix(".html"), shown, old)
        lines, left_out = renew(folder, line)
    index = [files.printable(folder / name) for name in PAGES]
    return Archived(
        game=line.name,
        file=files.printable(place),
        account=account,
        page=html,
        index=index,
        ending=line.ending,
        proven=line.proven,
        by_hand=ended.by_hand,
        replaced=old is not None and old != data,
        games=len(lines),
        left_out=left_out,
    )


def in_words(facts: Archived) -> str:
    """What `pbem archive` prints."""
    what = "in place of an earlier file of the game" if facts.replaced else "the turn file"
    count = "1 game" if facts.games == 1 else f"{facts.games} games"
    lines = [
        f"{facts.file}: {what}",
        f"{facts.account}: its story",
        f"{facts.page}: a page that shows and checks it",
        f"{facts.index[0]}: the index, {count}; the same as Markdown in {facts.index[1]}",
        *in_lines(facts.attached),
    ]
    if facts.by_hand:
        lines.append(
            "The result is unproven: the player threw the dice at the table and entered them."
        )
    elif not facts.proven:
        lines.append(
            "The result is unproven: archive the game again when the last turns have come."
        )
    return "\n".join(lines)


def _account(replayed: Replayed) -> bytes:
    """The whole story as everybody may know it."""
    game = replayed.game
    known = game.public_faces()
    return render.render("log.md.j2", log.log(game, None, known, None, None)).encode()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two processes that archive into one folder write its index one after the other."""
    lock = Lock(folder / ".pbem-archive-lock", passing=True)
    with contextlib.suppress(Usage):  # nothing can be written here, and perhaps nothing has to be
        lock.take(wait=True)
    try:
        yield
    finally:
        lock.release()


def _there(place: Path, data: bytes) -> bytes | None:
    """The file of the game that lies in the archive, if one does. Raises `Conflict` unless it is an
    earlier one."""
    if not os.path.lexists(place):
        return None
    old = files.read_own(place, MAX_FILE)
    if data.startswith(old):
        return old
    if old.startswith(data):
        raise Conflict(
            f"{files.printable(place)} is a later file of this game",
            hint="the archive was left as it is",
        )
    what = f"{files.printable(place)} is another version of this game, or another game"
    raise Conflict(
        what,
        hint="nothing was overwritten; look which of the two is right, or choose another folder",
    )


def _written(path: Path, data: bytes, old: bytes | None) -> str:
    _write(path, data, old)
    return files.printable(path)


def _write(path: Path, data: bytes, old: bytes | None) -> None:
    """A file of a game that is new here is never written over another one. Raises `Conflict` or
    `Usage`."""
    if old is None:
        files.write_new(path, data)
    elif not files.holds(path, data):
        files.replace(path, data, mode=0o644)
