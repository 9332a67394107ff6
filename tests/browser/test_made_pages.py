"""The pages that are in the repository: that of an example, and the empty one whose hash is
published."""

from __future__ import annotations

import hashlib
import re
from functools import cache

import pytest

from examples.make_pages import GAMES, HERE, KEPT, newest
from pbem.fileformat.turnfile import read
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.replay.film import Pictures
from pbem.replay.page import SCRIPTS, STAGE, empty_page, policy, script, source
from pbem.replay.scenes import Replayed
from pbem.report import facts, picture
from release.doc_pages import CHECK, TRUST, with_hash
from tests.support.packed_pages import unpacked


@cache
def replayed(game: str) -> tuple[Replayed, Pictures]:
    """The newest file of an example, and what its film is played on."""
    found = Replayed(newest(HERE / game).read_bytes())
    return found, found.film()[1]


def file_of(page: str) -> bytes:
    """The turn file in a page."""
    found = re.search(r'<script type="text/plain" id="file">([^<]*)</script>', page)
    assert found is not None
    return unpacked(found[1])


def test_the_empty_page_is_the_one_whose_hash_is_published() -> None:
    """`./run golden` writes both anew."""
    assert CHECK.read_bytes() == empty_page().encode()
    assert '<html lang="en" data-checks="waiting">' in empty_page()
    trust = TRUST.read_text(encoding="utf-8")
    assert trust == with_hash(trust, CHECK.read_bytes())
    assert hashlib.sha256(CHECK.read_bytes()).hexdigest() in trust


def test_the_page_of_an_example_is_that_of_its_game() -> None:
    """`python -m examples.make_pages` writes it anew. Its words may be older than those of the
    program."""
    page = KEPT.read_text(encoding="utf-8")
    assert file_of(page) == newest(KEPT.parent).read_bytes()
    assert page.count('<html lang="en" data-checks="running">') == 1  # docs/format.md, section 18
    assert script(True) in page, "its script is another one now: python -m examples.make_pages"


@pytest.mark.parametrize(
    "name", sorted({*SCRIPTS, *STAGE, "watch"} - {"frame", "words", "noble", "stage"})
)
def test_a_script_of_a_page_with_a_game_lacks_nothing_but_blanks(name: str) -> None:
    whole, narrow = (source(f"{name}.js", has_game) for has_game in (False, True))
    whole = whole.replace('"use strict";\n', "")  # which says nothing in the middle of a script
    assert re.sub(r"\s", "", narrow) == re.sub(r"\s", "", whole)
    assert len(narrow) < len(whole) and "<!--" not in narrow
    # texts keep their blanks, and a sign is not joined to the one beside it
    quoted = r"\"[^\"\n]*\"|`[^`\n]*`|/\* | \+ \+| - -"
    assert re.findall(quoted, narrow) == re.findall(quoted, whole)


@pytest.mark.parametrize("game", GAMES)
def test_no_picture_has_a_style_that_a_strict_policy_blocks(game: str) -> None:
    _, drawn = replayed(game)
    assert drawn.boards.elements and drawn.ground.count("<style>") == 1
    texts = (*drawn.boards.elements, drawn.ground)
    assert [text for text in texts if " style=" in text or "<script" in text] == []


def test_no_picture_says_too_early_that_the_game_is_over() -> None:
    """Between two seasons no side is active, and the game goes on."""
    game, over, roots = Ledger(), [], []
    for number, entry in enumerate(read(newest(HERE / "tripoli").read_bytes()).entries):
        gate.admit(game, entry)
        roots += [number] if "root" in entry.fields else []
        if game.playing is not None:
            view, asked = gate.public_view(game.playing), facts.asked(game)
            drawn = picture.svg("tripoli", view, waiting=asked)
            over += [number] if "the game is over" in drawn else []
    assert over and over[0] >= roots[0]


def test_the_policy_names_what_is_inline_and_nothing_else() -> None:
    page = empty_page()
    (inline,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert inline == script(False) and "<style" not in page
    assert policy(inline, []).replace("'", "&#39;") in page
    assert not re.search(
        r"\son[a-z]+=|\sstyle=|https?://(?!www\.w3\.org)",
        re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL),
    )
