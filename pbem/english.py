"""English for numbers and lists: shared by the templates and by what commands print themselves."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby


def counted(number: int, one: str, many: str = "") -> str:
    """`1 entry`, `2 entries`."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"


def numbered(entry: int, measure: str) -> str:
    """`turn 12`; `file 12` where a game counts turns of its own (`measure`), which are not those of
    the file."""
    return f"{'file' if measure == 'turn' else 'turn'} {entry}"


_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def in_words(number: int) -> str:
    """`no`, `one`, `twelve`; larger numbers in digits."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def capital(text: str) -> str:
    """The text with its first letter large, as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence as one: with commas and an "and", or with semicolons where a part has a
    comma itself. What is markup stays markup."""
    if not parts:
        return ""
    *others, last = parts
    kind = type(last)
    if not others:
        return last
    if any("," in part or " and " in part for part in parts):
        return kind("; ").join(parts)
    return kind(" and ").join([kind(", ").join(others), last])


def repeated(sentences: Iterable[str]) -> list[str]:
    """Sentences one after the other, equal neighbours once: `Ann draws a card (3 times)`."""
    found = [(sentence, len(list(equal))) for sentence, equal in groupby(sentences)]
    return [one if number == 1 else one + type(one)(f" ({number} times)") for one, number in found]


def tallied(things: Iterable[str]) -> list[str]:
    """`2 × ace`, `king`: in alphabetical order, equal ones once."""
    return [
        name if number == 1 else f"{number} × {name}"
        for name, number in sorted(Counter(things).items())
    ]


def listed(things: Iterable[object]) -> str:
    """`first`, `first and second`, `first, second and third`."""
    *others, last = [str(thing) for thing in things] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def spell(seconds: int) -> str:
    """A time in words: `3 days`, `1 day 4 hours`, `5 hours`, `12 minutes`."""
    days, hours, minutes = seconds // 86_400, seconds % 86_400 // 3600, seconds % 3600 // 60
    if days >= 3 or (days and not hours):
        return counted(days, "day")
    if days:
        return f"{counted(days, 'day')} {counted(hours, 'hour')}"
    if hours:
        return counted(hours, "hour")
    return counted(minutes, "minute") if minutes else "less than a minute"


def aged(age: timedelta) -> str:
    """`5 minutes ago`, `3 days ago`; `in the future` for what a clock that runs fast has dated."""
    minutes = int(age.total_seconds() // 60)
    if minutes < -5:
        return "in the future"
    if minutes < 1:
        return "just now"
    for size, one in ((365 * 24 * 60, "year"), (24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{counted(minutes // size, one)} ago"
    raise AssertionError(minutes)


def by_the_clock(moment: datetime) -> str:
    """A moment in the zone of whoever reads: `2026-11-21 23:31`."""
    try:
        return moment.astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return moment.strftime("%Y-%m-%d %H:%M UTC")


def deadline(left: int) -> str:
    """When so many seconds from now are over, in the zone of whoever reads."""
    return by_the_clock(datetime.now(UTC) + timedelta(seconds=left))


def day_end(day: str) -> str:
    """When a day (UTC) is over, in the zone of whoever reads; the day itself in UTC."""
    try:
        end = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    except (OverflowError, ValueError):
        return day
    return day if end.astimezone().utcoffset() == timedelta(0) else by_the_clock(end)


def local(date: str, now: datetime | None = None) -> str:
    """A date of an entry (UTC, claimed) in local time, with its age in words: `2026-11-21 23:31, 3
    days ago`."""
    try:
        moment = datetime.fromisoformat(date)
        written_out = moment.astimezone().strftime("%Y-%m-%d %H:%M")
        return f"{written_out}, {aged((now or datetime.now(UTC)) - moment)}"
    # the 31st of February, or a year that no clock knows
    except (ValueError, OverflowError, OSError, TypeError):
        return f"{date[:10]} {date[11:16]}"


_BESIDE_LABEL = re.compile(r" *\S+(?: \S+)* {2,}(?=\S)")


def folded(text: str, width: int) -> str:
    """Text whose lines have at most `width` characters: what is longer goes on between two words,
    as far in as it began, or below what stands beside a label. A single word that is longer stays
    whole."""
    found: list[str] = []
    for line in text.split("\n"):
        if len(line) <= width:
            found.append(line)
            continue
        label = _BESIDE_LABEL.match(line)
        start = len(line) - len(line.lstrip(" "))
        if label is not None and label.end() <= width // 2 and "  " not in line[label.end() :]:
            start = label.end()
        found += textwrap.wrap(
            line,
            width,
            subsequent_indent=" " * min(start, width // 2),
            break_on_hyphens=False,
            break_long_words=False,
        )
    return "\n".join(found)


def size(count: int) -> str:
    """The size of a file: `950 bytes`, `120 kB`, `1.4 MB`."""
    if count < 1000:
        return counted(count, "byte")
    return f"{count // 1000} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
