"""What the pages of the table say, from the first to the end of a game: their words are compared
here, and the tests beside this one say what is true."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from pbem.home.home import Home
from tests.support.fixed import FixedRandom, fixed
from tests.support.golden_words import Golden
from tests.support.homes import make_home, seed_of
from tests.table.test_table_request import Reader

ARCHIVE = Path(__file__).parents[1] / "archive"
WORD = re.compile(r"^(?!.*[\w+/]{40}|.* ago\b)[^{]*[a-z]")
"""What is read has no keys, digests or ages in it, and no brace of data at its beginning."""
NUMBERS = re.compile(r"\b[atc]?\d+\b")
UNSEEN = re.compile(r"(?s)<(head|script|style|svg|template)\b(?:(?!<\1\b).)*?</\1>")
"""One that has none of its own kind in it: a picture has its ground as a picture."""
BLOCK = re.compile(
    r"</?(?:p|h\d|li|ul|ol|div|section|summary|details|button|form|label|option|nav)\b[^>]*>"
)


def words(page: str) -> list[str]:
    """What is read on a page, a line a paragraph."""
    text = re.sub(r"<[^>]+>", "", BLOCK.sub("\n", UNSEEN.sub("", UNSEEN.sub("", page))))
    return [" ".join(html.unescape(line).split()) for line in text.split("\n") if WORD.search(line)]


class Reading(Reader):
    """Somebody who reads each page that they come to, and whose home has a key or none yet."""

    def __init__(self, folder: Path, golden: Golden, name: str = "") -> None:
        home = make_home(folder / name, name, seed=seed_of(name)) if name else Home(folder / "new")
        super().__init__(home, folder / f"{home.folder.name} files")
        self._golden, self._forms = golden, set[str]()
        self.files = folder / f"{home.folder.name} files"

    def hears(self, what: str, page: bytes) -> None:
        """What is on this page and in this form was on none before."""
        self._golden(f"== {what}")
        for line in words(page.decode()):
            form = NUMBERS.sub("0", line)
            if form not in self._forms:
                self._forms.add(form)
                self._golden(line)

    def reads(self, path: str) -> None:
        self.hears(path.rpartition("/")[2] or "/", self.ask("GET", path).body)

    def takes(self, data: bytes, name: str = "turn.toml") -> str:
        taken = json.loads(self.ask("POST", "/take", data, query=f"name={name}").body)
        self._golden("== take", *(taken.get("told") or [taken["error"]]))
        return str(taken.get("game"))

    def does(self, place: str, **fields: str) -> None:
        mark = re.search('data-mark="([0-9a-f]{16})"', self.ask("GET", place).body.decode())
        assert mark is not None
        entered = "; ".join(f"{name}: {value}" for name, value in fields.items())
        self.hears(entered, self.post(f"{place}/do", mark=mark[1], **fields).body)

    def newest(self) -> bytes:
        return max(self.files.glob("*.toml")).read_bytes()


@pytest.mark.dear("makes whole pages")
def test_from_the_first_page_to_the_end(tmp_path: Path, golden: Golden) -> None:
    with fixed(FixedRandom("the words of pages")):
        newcomer = Reading(tmp_path, golden)
        newcomer.reads("/")
        newcomer.hears("name", newcomer.post("/name", name="Cleo", mail="no address").body)
        ann, ben = (Reading(tmp_path, golden, name) for name in ("Ann", "Ben"))
        place = ann.post("/new", game="tripoli", opponents="").headers["location"]
        ann.reads(place)
        ben.takes(b"no turn at all", "holiday.txt")
        ben.takes(ann.newest())
        ben.reads("/")
        ben.reads(place)
        ben.does(place, join="yes")
        ann.takes(ben.newest())
        ann.reads(place)
        ann.does(place, answer="event thomas")
        ann.does(place, answer="frigates > nowhere")
        ann.does(place, answer="3 gib > trip zone")
        ann.does(place, answer="done")
        ann.does(place, order="hits: spread")
        ann.does(place, sign="yes")
        ann.does(place, sent="yes")
        ann.hears("of another window", ann.post(f"{place}/do", mark="0" * 16, answer="done").body)
        ann.reads("/")
        ben.takes(ann.newest())
        ben.does(place, resign="ask")
        ben.does(place, resign="yes")
        ann.takes(ben.newest())
        ann.reads(place)
        ann.reads(f"{place}/entry/2")
        ann.does(place, sign="yes")
        ann.reads("/")


@pytest.mark.dear("makes whole pages")
def test_dice_and_cards_that_are_looked_at(tmp_path: Path, golden: Golden) -> None:
    """Proofs of throws, of cards, of cards of the common deck, and of what was chosen in secret."""
    for name, entries in (
        ("tripoli-1", (8, 30, 47)),
        ("loot-1", (8,)),
        ("backgammon-2-sealed", (6,)),
    ):
        reader = Reading(tmp_path, golden, name)
        game = reader.table.games.open_data((ARCHIVE / f"{name}.toml").read_bytes())
        for entry in entries:
            reader.reads(f"/game/{game.name}/entry/{entry}")


def test_a_turn_that_lets_others_read_their_cards(tmp_path: Path, golden: Golden) -> None:
    with fixed(FixedRandom("the words of pages")):
        ann, ben = (Reading(tmp_path, golden, name) for name in ("Ann", "Ben"))
        place = ann.post("/new", game="loot", opponents="", players="2", start="1").headers[
            "location"
        ]
        ben.takes(ann.newest())
        ben.does(place, join="yes")
        ann.takes(ben.newest())
        ann.reads(place)
