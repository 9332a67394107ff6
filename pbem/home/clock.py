"""The clock of this machine, which dates what a player writes and keeps."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The date of an entry that is written now, in UTC (docs/format.md, section 4)."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def today() -> str:
    """The day on which somebody is met or compared, or a home moved away."""
    return now()[:10]
