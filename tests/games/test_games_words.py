"""Which words of games stand where: nothing in `pbem/` outside `games/` names a game or uses its
words."""

from __future__ import annotations

import re
from pathlib import Path

import pbem
from pbem.games import BUILT_IN, registry

PBEM = Path(pbem.__file__).parent
TEMPLATES = Path(__file__).parents[2] / "templates"
GENERAL = sorted(path for path in PBEM.rglob("*.py") if PBEM / "games" not in path.parents)
SHARED = sorted(TEMPLATES.glob("*.j2"))
OF_GAMES = (
    r"solitaire",
    r"battle card",
    r"quick-",
    r"hidden.discard",
    r"frigates?",
    r"corsairs?",
    r"pirates?",
    r"captains?",
    r"admirals?",
    r"merchants?",
    r"skulls?",
    r"gold\b",
    r"harbou?rs?",
    r"american",
)
"""Words of the games that come with the program, besides their names, cards and options."""


EVERYDAY = {"admiral", "any", "Any game"}
"""Names that are words of the program as well."""


def words_of_games() -> set[str]:
    found = set(OF_GAMES)
    for name in BUILT_IN:
        rules = registry.newest(name)
        found |= {
            re.escape(word) for word in (name, rules.title, *rules.cards) if word not in EVERYDAY
        }
        found |= {
            re.escape(option.name) for option in registry.descriptor(name).options
        } - GENERAL_OPTIONS
    return found


GENERAL_OPTIONS = {
    *("games", "match", "players", "partners", "start", "witness", "sealed"),
    *("asked", "at-once"),
}
"""Names of options that are words of the program as well."""


def lines_with(path: Path, pattern: re.Pattern[str]) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [
        f"{path.name}:{number}: {line}"
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_general_code_and_templates_name_no_game() -> None:
    pattern = re.compile(
        rf"(?<![a-z])({'|'.join(sorted(words_of_games()))})(?![a-z])", re.IGNORECASE
    )
    assert [line for path in (*GENERAL, *SHARED) for line in lines_with(path, pattern)] == []


def test_the_words_are_found_where_they_belong() -> None:
    """So that the test above does not look for words that nobody writes."""
    inside = "\n".join(path.read_text(encoding="utf-8") for path in (PBEM / "games").rglob("*.py"))
    words = set(re.findall(r"[a-z][a-z-]+", inside))
    assert {"tripoli-solitaire", "corsairs", "quick-hand-limit", "captain"} <= words
    assert len(GENERAL) > 50 and len(SHARED) > 8
