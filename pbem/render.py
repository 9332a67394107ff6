"""Jinja templates to text: the words of a report. Templates format; they decide nothing.

A player overrides a template by a file of the same name in the `templates` folder of the home.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from pbem.errors import Usage
from pbem.grammar import FORBIDDEN

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~!+(){}-])")
_HIDDEN = re.compile(f"[{FORBIDDEN}]")


def render(name: str, facts: Mapping[str, Any], own: Path | None = None) -> str:
    """A template's text for these facts; `own` is the folder of the player's own templates.

    Raises `Usage` if a template of the player's does not work.
    """
    try:
        return _environment(own if own and own.is_dir() else None).get_template(name).render(facts).strip("\n") + "\n"
    except TemplateError as error:
        where = f"template {getattr(error, 'filename', None) or name}, line {getattr(error, 'lineno', '?')}"
        raise Usage(str(error.message), where=where, hint="mend or remove your own template") from error


@lru_cache(maxsize=4)
def _environment(own: Path | None) -> Environment:
    folders = [own] if own else []
    environment = Environment(
        loader=FileSystemLoader([*folders, _shipped()]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # plain text and Markdown only; each template escapes with `plain` or `md`
    )
    environment.filters.update(md=as_markdown, plain=plain, counted=counted)
    return environment


def _shipped() -> Path:
    """The templates that came with the program: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).parent / "templates"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "templates"


def as_markdown(text: object) -> str:
    """Somebody's words where Markdown or HTML would be read: every mark shown as it is."""
    return _MARKDOWN.sub(r"\\\1", plain(text).replace("&", "&amp;"))


def plain(text: object) -> str:
    """Somebody's words for a terminal: nothing that it would obey."""
    return _HIDDEN.sub("?", str(text).replace("\n", " / "))


def counted(number: int, one: str, many: str = "") -> str:
    """`1 corsair`, `2 corsairs`."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
