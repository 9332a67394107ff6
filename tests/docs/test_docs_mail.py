"""docs/mail.md names what there is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mail.md").read_text(encoding="utf-8")


def test_every_template_is_named_and_no_other() -> None:
    shipped = {path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.j2")}
    assert set(re.findall(r"`([a-z./-]+\.j2)`", PAGE)) == shipped
