"""Jinja templates to text: the words of a report. Templates format; they decide nothing.

A player overrides a template by a file of the same name in the `templates` folder of the home.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from traceback import walk_tb

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket

from pbem import files
from pbem.english import (
    capital,
    counted,
    day_end,
    deadline,
    in_words,
    joined,
    listed,
    local,
    numbered,
    repeated,
    size,
    spell,
    tallied,
)
from pbem.errors import Usage
from pbem.fileformat.characters import without_hidden
from pbem.files import shipped
from pbem.games import registry
from pbem.games.descriptor import PLAIN
from pbem.games.introduction import introduction
from pbem.report.board_words import board_words
from pbem.report.lines import deeds, shortened
from pbem.report.parts import flat

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~!+(){}=-])")
_NUMBERED = re.compile(r"^( *[0-9]+)([.)])")
_DASHES = re.compile("-{3,}")
PREPARED = shipped() / "prepared"
"""Templates that were compiled when the program was packed, where it was (`./run web`); they are
looked for first."""
_FIRST_LINE = re.compile('(format = )"(pbem/)')


_OWN = "mend or remove your own template"
_NOT_OWN = (
    "it is none of your own templates: what the game gives it is wrong, which its author can mend"
)


def render(name: str, facts: object, own: Path | None = None) -> str:
    """A template's text for these facts, a dataclass or a mapping (`names_of`); `own` is the folder
    of the player's own templates.

    Raises `Usage` if a template of the player's does not work.
    """
    try:
        return (
            _environment(own, _is_markup(name))
            .get_template(name)
            .render(names_of(facts))
            .strip("\n")
            + "\n"
        )
    except (
        TemplateError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        path, line = _place(error) or (Path(name), "?")
        raise Usage(
            f"it does not work: {error}",
            where=f"template {path.name}, line {line}",
            hint=_OWN if own is not None and path.is_relative_to(own) else _NOT_OWN,
        ) from error


def _place(error: Exception) -> tuple[Path, object] | None:
    """The file and the line of the template in which it was raised: the innermost."""
    if isinstance(error, TemplateSyntaxError):
        return Path(error.filename or error.name or ""), error.lineno
    found = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename.endswith(".j2")
    ]
    return found[-1] if found else None


def names_of(facts: object) -> Mapping[str, object]:
    """The names that a template uses: the keys of a mapping, or the fields of a dataclass and of
    its parts."""
    return facts if isinstance(facts, Mapping) else flat(facts)


@lru_cache(maxsize=32)
def _environment(own: Path | None, markup: bool) -> Environment:
    # Two of them: a macro of a shared template escapes what it is given only if the whole
    # environment does.
    folders = [own] if own and own.is_dir() else []
    environment = _kind_for(folders)(
        loader=ChoiceLoader(
            [FileSystemLoader(folders), _GameTemplates(), FileSystemLoader(shipped())]
        ),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_cache(own, markup, is_bounded=bool(folders)),
        autoescape=markup,  # plain text and Markdown have the filters `plain` and `md` instead
    )
    environment.filters.update(
        md=as_markdown, plain=plain, wrapped=wrapped, lines=lines, parted=parted
    )
    environment.filters.update(
        shaped=shaped,
        deeds=deeds,
        shortened=shortened,
        introduced=introduction,
        keeps_rules=keeps_rules,
    )
    environment.filters.update(board_words=board_words)
    environment.filters.update(
        counted=counted,
        listed=listed,
        tallied=tallied,
        local=local,
        spell=spell,
        deadline=deadline,
        day_end=day_end,
        sized=size,
    )
    environment.filters.update(
        capital=capital, in_words=in_words, joined=joined, repeated=repeated, numbered=numbered
    )
    return environment


def _kind_for(folders: list[Path]) -> type[Environment]:
    """Where a home has templates of its own, whoever packed it may have written them: they format,
    and reach nothing of Python."""
    if not folders:
        return Environment
    from jinja2.sandbox import SandboxedEnvironment  # few homes have any

    return SandboxedEnvironment


class _GameTemplates(BaseLoader):
    """`GAME/words.j2` from the folder that the game's descriptor names, or the plain one."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        game, slash, name = template.partition("/")
        if not slash:
            raise TemplateNotFound(template)
        try:
            folder = registry.descriptor(game).templates
        except Usage as error:
            raise TemplateNotFound(template, message=str(error)) from error
        source, path, is_fresh = FileSystemLoader([folder, PLAIN]).get_source(environment, name)
        return source, path, is_fresh


class _TemplateCache(FileSystemBytecodeCache):
    """Keeps templates as Python has compiled them: to compile them takes longer than the rest of a
    report. It is only a help: if a file cannot be written there is none, and one that is not whole
    is made anew. Each file begins with the SHA-256 of what follows, because compiled code of which
    a part is missing can end the program without a word."""

    def load_bytecode(self, bucket: Bucket) -> None:
        own = Path(self._get_cache_filename(bucket))
        for path in (PREPARED / own.name, own):
            with contextlib.suppress(Usage):
                data = files.read_own(path, 10_000_000)
                if data[:32] == hashlib.sha256(data[32:]).digest():
                    bucket.load_bytecode(BytesIO(data[32:]))
            if bucket.code is not None:
                return

    def dump_bytecode(self, bucket: Bucket) -> None:
        data = bucket.bytecode_to_string()
        with contextlib.suppress(Usage):
            files.replace(
                Path(self._get_cache_filename(bucket)), hashlib.sha256(data).digest() + data
            )


def _cache(own: Path | None, markup: bool, *, is_bounded: bool) -> _TemplateCache | None:
    """The cache in the home to which the player's own templates belong; None where there is no
    home. Each environment has its own: whether a template escapes, and what it may reach, is
    compiled into it, and by its name and source alone one environment would take the template of
    another."""
    folder = PREPARED
    if own is not None and own.parent.is_dir():
        folder = own.parent / "cache"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
    kind = ("own-" if is_bounded else "") + ("markup" if markup else "text")
    return _TemplateCache(str(folder), f"{kind}-%s.cache") if folder.is_dir() else None


def prepare() -> None:
    """Compile all templates of the program into `PREPARED`, which is there and empty."""
    for path in sorted(shipped().rglob("*.j2")):
        name = path.relative_to(shipped()).as_posix()
        for markup in (True,) if _is_markup(name) else (False, True):
            _environment(None, markup).get_template(name)


def _is_markup(name: str) -> bool:
    """HTML and SVG escape everything."""
    return name.endswith((".html.j2", ".svg.j2"))


def as_markdown(text: object) -> str:
    """Somebody's words where Markdown or HTML would be read: every mark shown as it is."""
    marked = _MARKDOWN.sub(r"\\\1", plain(text).replace("&", "&amp;"))
    counted_off = _NUMBERED.sub(r"\1\\\2", marked)
    return "\u00a0" * (len(counted_off) - len(counted_off.lstrip(" "))) + counted_off.lstrip(" ")


def plain(text: object) -> str:
    """Somebody's words for a terminal or a mail: nothing that either would obey, and no mark of a
    turn, armored or not. A mark is known by its dashes of any kind and by a name in capitals."""
    marked = _FIRST_LINE.sub(r"\1“\2", str(text).replace("\n", " / ").replace("PBEM", "pbem"))
    return without_hidden(_DASHES.sub(lambda run: "–" * len(run[0]), marked))


def lines(text: str) -> list[str]:
    """The lines of a text that hold anything, without the space after them; markup stays markup."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def parted(line: str) -> tuple[str, str]:
    """What stands before a wide gap in a line of a table, and what after it."""
    label, _, rest = line.partition("  ")
    return (label, rest.lstrip()) if rest else ("", line)


def keeps_rules(game: str) -> bool:
    """Whether the program knows the rules of a game."""
    return registry.newest(game).keeps_rules


def shaped(sentences: Sequence[str], game: str) -> Sequence[str]:
    """Legal answers as the game lists them for a reader."""
    return registry.newest(game).shapes(sentences)


def wrapped(text: object, first: str, width: int, rest: str = "") -> str:
    """A paragraph in lines of at most `width`, the first one after `first`, the others indented as
    far."""
    later = rest or (first if first.strip() == "|" else " " * len(first))
    return textwrap.fill(
        str(text), width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
    ) or (first.rstrip())
