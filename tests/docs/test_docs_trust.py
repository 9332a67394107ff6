"""The page about trust: its program computes every die of a real game, from the page as it is
printed."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

from pbem.cli.errors import plain
from pbem.crypto import vrf
from pbem.fileformat import turnfile
from pbem.report import dice_count

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
GAME = (ROOT / "tests" / "archive" / "tripoli-1.toml").read_bytes()


def _program() -> str:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    return str(program)


def test_the_program_on_the_page_computes_every_die(tmp_path: Path) -> None:
    facts = dice_count.dice(GAME)
    (tmp_path / "redo.py").write_text(_program(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "redo.py")],
        input=json.dumps(plain(facts)),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    rolls = facts.rolls
    assert len(rolls) > 10
    expected = [f"{roll.season} {roll.reason} {roll.dice} {roll.dice}" for roll in rolls]
    assert done.stdout.splitlines() == expected


def test_the_program_needs_nothing_but_hmac_and_is_short() -> None:
    imported = [
        name.name
        for node in ast.walk(ast.parse(_program()))
        if isinstance(node, ast.Import)
        for name in node.names
    ]
    assert imported == ["hmac", "json", "sys"]
    lines = [line for line in _program().splitlines() if line]
    assert len(lines) <= 15
    assert "pbem" not in _program()


def test_the_table_for_rfc_9381_says_where_things_are() -> None:
    """Message, proof, key and output stand where the page says, and belong together."""
    entries = turnfile.read(GAME).entries
    keys = {
        entry.seat: base64.b64decode(entry.text("vrf"))
        for entry in entries
        if "vrf" in entry.fields
    }
    headers = [
        match.start() for match in re.finditer(rb"^\[entry\.signature\]$", GAME, re.MULTILINE)
    ]
    for roll in dice_count.dice(GAME).rolls[:5]:
        message = hashlib.sha256(GAME[: headers[roll.chance.entry]]).hexdigest()
        assert roll.chance.message == message
        for proof in roll.chance.proofs:
            pi = base64.b64decode(proof.proof)
            assert (len(pi), len(bytes.fromhex(proof.output))) == (80, 64)
            assert vrf.verify(keys[proof.seat], bytes.fromhex(message), pi).hex() == proof.output


def test_every_gap_of_the_design_is_named() -> None:
    section = PAGE.split("## Not protected")[1].casefold()
    for gap in (
        "walking away",
        "choosing among games",
        "in league with the mover",
        "show each other their hands",
        "until the roots are revealed",
        "one key on two machines",
        "restored",
        "stolen key",
        "nobody compared",
        "two keys",
        "handle",
        "standing order",
    ):
        assert gap in section, gap


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_what_the_policy_of_the_page_excepts_is_told() -> None:
    """Each exception by its own word; sources of other origins there are none."""
    page = (ROOT / "templates" / "web" / "index.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    told = (
        (ROOT / "docs" / "trust.md")
        .read_text(encoding="utf-8")
        .partition("## A page that plays")[2]
        .partition("\n## ")[0]
    )
    directives = {
        name: sources.split()
        for name, _, sources in (part.strip().partition(" ") for part in policy.split(";"))
    }
    assert directives["default-src"] == ["'none'"]
    sources = {source for listed in directives.values() for source in listed} - {"'none'", "'self'"}
    assert sources == {"blob:", "data:", "'wasm-unsafe-eval'"}
    assert all(f"`{source}`" in told for source in sources)
