"""The versions of libraries that are asked for: not one with a known hole, nor one whose insides we
have not seen."""

from __future__ import annotations

import tomllib
from pathlib import Path


def asked_for() -> dict[str, str]:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    wanted = [line.partition(";")[0].strip() for line in project["dependencies"]]
    return {
        line[:end]: line[end:]
        for line in wanted
        if (end := min(line.find(sign) % 99 for sign in "<>~="))
    }


def at_least(bounds: str) -> tuple[int, ...]:
    lowest = next(part for part in bounds.split(",") if part.startswith(">="))
    return tuple(int(number) for number in lowest.removeprefix(">=").split("."))


def test_libraries_with_known_holes_are_refused() -> None:
    found = asked_for()
    assert at_least(found["cryptography"]) >= (44, 0, 1)
    assert at_least(found["jinja2"]) >= (3, 1, 6)
    assert at_least(found["PyNaCl"]) >= (1, 6, 2)


def test_typer_is_bounded_above_since_its_insides_are_used() -> None:
    assert "<" in asked_for()["typer"]
