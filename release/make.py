"""Writes what the wheel brings besides the program: man pages and the software bill of materials, in share/.

`python -m release.make`, part of `./run golden`; a test holds the files against the commands and pyproject.toml.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.cli.app import whole_program
from pbem.cli.man import man_pages

ROOT = Path(__file__).parents[1]
SHARE = ROOT / "share"
BILL = Path("sbom") / "pbem.cdx.json"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[[^]]*\])?\s*([^;]*?)\s*(?:;\s*(.*))?\Z")


def made() -> dict[Path, str]:
    """Every file below share/ with its text."""
    pages = {Path("man") / "man1" / name: text for name, text in man_pages(whole_program()).items()}
    return {**pages, BILL: json.dumps(bill(), indent=2, ensure_ascii=False) + "\n"}


def bill() -> dict[str, Any]:
    """The bill of materials, CycloneDX 1.6: the program, the libraries it asks for with the versions that it takes,
    and what it contains of others. It has no date and no random serial number: the same commit gives the same bytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    libraries = [_library(line, "required") for line in project["dependencies"]]
    extras = project["optional-dependencies"]
    libraries += [_library(line, "optional") for extra in ("keyring", "notify") for line in extras[extra]]
    own = f"pkg:pypi/pbem@{__version__}"
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": __version__,
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": own,
            }
        },
        "components": [*libraries, _MAP],
        "dependencies": [{"ref": own, "dependsOn": [part["bom-ref"] for part in (*libraries, _MAP)]}],
    }


_MAP: dict[str, Any] = {
    "type": "data",
    "bom-ref": "natural-earth",
    "name": "Natural Earth, 1:110m Admin 0 countries",
    "description": "the coast in pbem/games/tripoli/coast.txt, clipped and thinned out",
    "licenses": [{"license": {"name": "public domain"}}],
}


def _library(line: str, scope: str) -> dict[str, Any]:
    """A library as pyproject.toml asks for it."""
    match = _REQUIREMENT.match(line)
    assert match is not None, line
    name, versions, marker = match.groups()
    asked = [{"name": "python:requirement", "value": versions}] if versions else []
    asked += [{"name": "python:marker", "value": marker}] if marker else []
    reference = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "scope": scope,
        "purl": reference,
        "properties": asked,
    }


def main() -> None:
    files = made()
    for old in SHARE.rglob("*"):
        if old.is_file() and old.relative_to(SHARE) not in files:
            old.unlink()
    for path, text in files.items():
        (SHARE / path).parent.mkdir(parents=True, exist_ok=True)
        (SHARE / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
