"""What players read has no word that they cannot know: templates, mails, what commands print, pages of help."""

from __future__ import annotations

import email
import re
from email.policy import default
from pathlib import Path

import pytest

from tests.support.begun_game import begin

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
UNKNOWN = re.compile(
    r"\bentr(?:y|ies)\b|\bthe core\b|settled over|witnessed by|roots? (?:is|are) revealed|your root"
    r"|You can say, whatever you hold|join as |their own program gives what chance decides",
    re.IGNORECASE,
)
"""They belong to docs/trust.md and docs/format.md."""
FOR_CHECKERS = {"beside", "choices", "contents", "curve", "decks", "gate", "grammar", "referee", "shuffle", "trace"}
"""Scripts of the second verifier that say what is wrong with a forged file, in the words of docs/format.md."""
PAGES = ("backgammon", "loot", "paradise", "solitaire", "start", "table", "tripoli", "turn")


def told(template: Path) -> list[str]:
    """The words of a template: its text, and what stands in quotes in its expressions."""
    text = template.read_text(encoding="utf-8")
    if template.suffix == ".js":
        quoted = re.findall(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', text)
        return [words for words in (re.sub(r"\$\{[^}]*\}", "", one) for one in quoted) if " " in words]
    text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    text = re.sub(
        r"\{%.*?%\}|\{\{.*?\}\}", lambda code: " ".join(re.findall(r'"([^"]*)"', code[0])), text, flags=re.DOTALL
    )
    return re.sub(r"<[^>]*>", "\n", text).splitlines()


def test_templates_have_no_word_that_a_player_cannot_know() -> None:
    texts = [path for path in TEMPLATES.rglob("*") if path.suffix in (".j2", ".txt", ".js")]
    read = [path for path in texts if path.stem not in FOR_CHECKERS or "replay" not in path.parts]
    read = [path for path in read if "noble" not in str(path)]
    assert len(read) > 60
    found = [f"{path.relative_to(ROOT)}: {line}" for path in read for line in told(path) if UNKNOWN.search(line)]
    found = [line for line in found if "'/entry/'" not in line]
    assert not found, found


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_help_for_players_have_none(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert not [line for line in text.splitlines() if UNKNOWN.search(line)]


def test_readme_has_none() -> None:
    assert not UNKNOWN.search((ROOT / "README.md").read_text(encoding="utf-8"))


def test_what_commands_and_mails_say_of_a_game_has_none(tmp_path: Path) -> None:
    """An invitation, a joined game, a turn, the end; each shown, verified and told as a story, with the mails."""
    begun = begin(tmp_path)
    cleo = begun.stranger()
    begun.write("american", "play", begun.last, "event swedish")
    begun.write("tripolitan", "resign", begun.last, "--yes")
    begun.write("american", "play", begun.last)
    said = []
    for file in begun.files:
        for player in (begun.ann, begun.ben, cleo):
            said += [player.types(command, file)[1] for command in ("show", "verify", "dice", "story")]
    said += [begun.ann.types("inbox", ".")[1], *(path.read_text("utf-8") for path in begun.folder.glob("*.md"))]
    mails = [email.message_from_bytes(path.read_bytes(), policy=default) for path in begun.folder.glob("*.eml")]
    said += [str(part.get_content()) for mail in mails for part in mail.walk() if part.get_content_maintype() == "text"]
    assert len(said) > 40 and "Every turn holds" in "".join(said)
    lines = [line for text in said for line in text.splitlines() if UNKNOWN.search(line)]
    assert not lines, lines
