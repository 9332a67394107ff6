"""Writes what the wheel brings besides the program: man pages and the software bill of materials,
in share/.

`python -m release.make`, part of `./run golden`; a test holds the files against the commands and
pyproject.toml.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from base64 import b64decode
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.cli.app import every_command
from pbem.cli.shells import man_pages

ROOT = Path(__file__).parents[1]
SHARE = ROOT / "share"
NOBLE = ROOT / "templates" / "replay" / "noble"
BILL = Path("sbom") / "pbem.cdx.json"
CHECKOUT = ("site", "build", "dev")
"""Extras that `./run` installs to work on the checkout; the program uses none of them."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[[^]]*\])?\s*([^;]*?)\s*(?:;\s*(.*))?\Z")


def made() -> dict[Path, str]:
    """Every file below share/ with its text."""
    pages = {Path("man") / "man1" / name: text for name, text in man_pages(every_command()).items()}
    return {**pages, BILL: json.dumps(bill(), indent=2, ensure_ascii=False) + "\n"}


def bill() -> dict[str, Any]:
    """The bill of materials, CycloneDX 1.6: the program, the libraries it asks for with the
    versions that it takes, and what it contains of others. It has no date and no random serial
    number: the same commit gives the same bytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    libraries = [_library(line, "required") for line in project["dependencies"]]
    extras = project["optional-dependencies"]
    libraries += [
        _library(line, "optional")
        for extra in extras
        if extra not in CHECKOUT
        for line in extras[extra]
    ]
    parts = [*_DATA, *_FONTS, bundle()]
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
        "components": [*libraries, *parts],
        "dependencies": [
            {"ref": own, "dependsOn": [part["bom-ref"] for part in (*libraries, *parts)]}
        ],
    }


_DATA: list[dict[str, Any]] = [
    {
        "type": "data",
        "bom-ref": "natural-earth",
        "name": "Natural Earth, land, 1:10m and 1:50m",
        "description": "the coast in templates/tripoli/coast.svg.j2, projected and thinned out",
        "licenses": [{"license": {"name": "public domain"}}],
    },
    {
        "type": "data",
        "bom-ref": "unicode-confusables",
        "name": "Unicode Security Mechanisms, confusables.txt",
        "version": "15.1",
        "description": (
            "characters of one look in pbem/fileformat/lookalikes.txt, without those that names"
            " cannot hold"
        ),
        "licenses": [{"license": {"id": "Unicode-3.0"}}],
    },
]


_FONTS: tuple[dict[str, Any], ...] = tuple(
    {
        "type": "data",
        "bom-ref": name,
        "name": name,
        "version": "2.37",
        "description": f"letters of {source}, in pbem/report/data/{name}",
        "licenses": [{"license": {"id": "Bitstream-Vera"}}],
        "hashes": [
            {
                "alg": "SHA-256",
                "content": (
                    hashlib.sha256((ROOT / "pbem/report/data" / name).read_bytes()).hexdigest()
                ),
            }
        ],
    }
    for name, source in (
        ("ChartSans-Bold.ttf", "DejaVu Sans Condensed Bold"),
        ("ChartSans-Bold.woff", "DejaVu Sans Condensed Bold"),
        ("ChartSerif-Italic.ttf", "DejaVu Serif Condensed Italic"),
    )
)


def bundle() -> dict[str, Any]:
    """The JavaScript libraries in the page that replays a game: the one file they are bundled into
    with its hash, and each package as npm has it (templates/replay/noble/package-lock.json)."""
    lock = json.loads((NOBLE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    packages = {path.removeprefix("node_modules/"): facts for path, facts in lock.items() if path}
    digest = hashlib.sha256((NOBLE.parent / "noble.js").read_bytes()).hexdigest()
    return {
        "type": "file",
        "bom-ref": "noble.js",
        "name": "pbem/templates/replay/noble.js",
        "description": (
            "bundled from npm by ./run bundle; licences in pbem/templates/replay/noble/LICENSE"
        ),
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "licenses": [{"license": {"id": "MIT"}}],
        "components": [
            _package(name, facts)
            for name, facts in sorted(packages.items())
            if not facts.get("dev")
        ],
    }


def _package(name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """A package of npm that stands in the bundle."""
    algorithm, _, text = facts["integrity"].partition("-")
    reference = f"pkg:npm/{name.replace('@', '%40')}@{facts['version']}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": facts["version"],
        "scope": "required",
        "purl": reference,
        "hashes": [{"alg": {"sha512": "SHA-512"}[algorithm], "content": b64decode(text).hex()}],
        "licenses": [{"license": {"id": facts["license"]}}],
    }


def _library(line: str, scope: str) -> dict[str, Any]:
    """A library as pyproject.toml asks for it."""
    match = _REQUIREMENT.match(line)
    assert match is not None, line
    name, versions, marker = match.groups()
    properties = [{"name": "python:requirement", "value": versions}] if versions else []
    properties += [{"name": "python:marker", "value": marker}] if marker else []
    reference = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "scope": scope,
        "purl": reference,
        "properties": properties,
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
