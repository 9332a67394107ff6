"""Whatever the scripts of the pages may say to people: their words are compared here, without a
browser, and the tests beside this one say what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.golden_words import Golden

TEMPLATES = Path(__file__).parents[2] / "templates"
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|^\s*//.*|(?<=\s)// .*', re.MULTILINE)
"""A literal, or a comment, in which there may be quotes."""
SENTENCE = re.compile(r"(?:^|[ (])[A-Za-z]?[a-z']+[,:;]? [a-z']+[,:;]? [a-z']+(?=[ .,;:?!)]|$)")

SELECTOR = re.compile(r"[a-z]+(?:, [a-z]+)+")


@pytest.mark.parametrize("folder", ["web", "messenger", "table", "stage"])
def test_what_scripts_say(folder: str, golden: Golden) -> None:
    for script in sorted((TEMPLATES / folder).rglob("*.js")):
        found = TEXT.findall(script.read_text(encoding="utf-8"))
        texts = [text[1:-1] for text in found if text[0] in '"`' and SENTENCE.search(text[1:-1])]
        texts = [text for text in texts if not SELECTOR.fullmatch(text)]
        if texts:
            golden(f"== {script.name}", *texts)
