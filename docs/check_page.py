"""Writes docs/check.html, the empty page that checks any game, and its hash in docs/trust.md (./run golden)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pbem.replay.page import empty_page

HERE = Path(__file__).parent
PAGE, TRUST = HERE / "check.html", HERE / "trust.md"
_PUBLISHED = re.compile(r"(SHA-256 of `check\.html`: )`[0-9a-f]{64}`")


def published(trust: str, page: bytes) -> str:
    """The page about trust with the hash of the empty page in it."""
    told, count = _PUBLISHED.subn(rf"\1`{hashlib.sha256(page).hexdigest()}`", trust)
    assert count == 1, "docs/trust.md names the hash of check.html once"
    return told


def main() -> None:
    page = empty_page().encode()
    PAGE.write_bytes(page)
    TRUST.write_text(published(TRUST.read_text(encoding="utf-8"), page), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
