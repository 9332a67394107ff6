"""What the page that plays in a browser is made of, and under which licences: LICENSES.txt beside
it.

Whoever hosts the page hands these packages on, and their licences ask for a name, a source and
mostly the text.
"""

from __future__ import annotations

import email
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from release.build import ROOT

_HEAD = """\
pbem, and what it comes with in this page. Each package is named with its version, its licence and where its source is;
the texts follow that the packages bring along. Pyodide holds Python and its standard library (PSF-2.0) and the
libraries of C that they need; its source names them.
"""  # noqa: E501
_SERVED = ("libsodium-sumo", "libsodium-wrappers-sumo", "pyodide", "xz-decompress")
"""Of npm's packages those that are in the page; the others serve Pyodide under node."""
_SOURCES = ("source", "source code", "repository", "github", "homepage")
_IS_TEXT = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)[^/]*\Z", re.IGNORECASE)


def licences(npm: Path, wheels: list[Path]) -> bytes:
    """The file, from the folder of npm's packages and the wheels of Python's."""
    lines: list[str] = []
    texts = [("pbem", (ROOT / "LICENSE").read_text(encoding="utf-8"))]
    for line, found in (
        *(_of_npm(npm / name / "package.json") for name in _SERVED),
        *map(_of_wheel, wheels),
    ):
        lines.append(line)
        texts += found
    parts = [
        _HEAD,
        "\n".join(lines) + "\n",
        *(f"{'-' * 80}\n{name}\n\n{text.strip()}\n" for name, text in texts),
    ]
    return "\n".join(parts).encode()


def _of_npm(path: Path) -> tuple[str, list[tuple[str, str]]]:
    facts = json.loads(path.read_text(encoding="utf-8"))
    source = facts.get("repository", "")
    where = facts.get("homepage") or (source.get("url", "") if isinstance(source, dict) else source)
    texts = [
        one.read_text(encoding="utf-8")
        for one in sorted(path.parent.iterdir())
        if _IS_TEXT.match(one.name)
    ]
    name = f"{facts['name']} {facts['version']}"
    return f"{name}: {facts['license']}, {where}", [(name, text) for text in texts]


def _of_wheel(path: Path) -> tuple[str, list[tuple[str, str]]]:
    with zipfile.ZipFile(path) as archive:
        inside = {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if ".dist-info/" in name
        }
    facts = email.message_from_string(
        next(text for name, text in inside.items() if name.endswith("/METADATA"))
    )
    name = f"{facts['Name']} {facts['Version']}"
    kinds = (
        one.rpartition(" :: ")[2]
        for one in facts.get_all("Classifier", [])
        if one.startswith("License ::")
    )
    licence = facts["License-Expression"] or next(kinds, None) or facts["License"]
    texts = [(name, text) for file, text in sorted(inside.items()) if _IS_TEXT.search(file)]
    return (
        (
            f"{name}: {licence},"
            f" {next(_addresses(facts.get_all('Project-URL', []), facts['Home-page']), '')}"
        ),
        texts,
    )


def _addresses(links: list[str], home: str | None) -> Iterator[str]:
    """Where a library comes from, its source first."""
    known = {label.lower(): where for label, _, where in (link.partition(", ") for link in links)}
    yield from (known[label] for label in _SOURCES if label in known)
    if home:
        yield home
