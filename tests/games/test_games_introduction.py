"""What a game says of itself to a stranger, and that the same words stand wherever they meet it."""

from __future__ import annotations

import email
import html
import re
from email.policy import default
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.games import BUILT_IN, registry
from pbem.games.check import problems
from pbem.games.descriptor import Introduction
from pbem.games.introduction import UNSAID, introduction, sample_view
from pbem.home.home import Home
from pbem.report import picture
from pbem.table.open_games import OpenGames
from pbem.table.request import PageRequest
from pbem.table.routes import Table
from release import doc_pages
from tests.support.begun_game import BegunGame, begin
from tests.support.golden_words import Golden
from tests.support.plugins import Site

GAMES = sorted(BUILT_IN)
PARTS = ("aim", "sides", "length", "hidden", "chance")


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    """A game that has begun; nothing is decided yet."""
    return begin(tmp_path_factory.mktemp("begun"))


def words(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.mark.parametrize("game", GAMES)
def test_a_built_in_game_says_everything_that_a_stranger_asks(game: str) -> None:
    said = introduction(game)
    assert said == registry.descriptor(game).introduction
    assert all(getattr(said, part).endswith(".") for part in PARTS)
    assert re.search(r"\bmails?\b", said.length) and re.search(r"\bminutes?\b", said.length)


@pytest.mark.parametrize("game", GAMES)
def test_its_picture_is_always_the_same_position_of_a_game_that_goes_on(game: str) -> None:
    view = sample_view(game)
    assert view == sample_view(game)
    drawing = picture.sample(game)
    assert drawing is not None and len(drawing) > 2500, "a board with pieces on it"


@pytest.mark.parametrize("page", doc_pages.GAMES)
def test_its_page_begins_with_it(page: str) -> None:
    """`./run golden` writes it anew."""
    text = (doc_pages.DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert text == doc_pages.with_introduction(text, doc_pages.GAMES[page])
    headings = re.findall(r"^## (?!The first die)(.*)$", text, re.MULTILINE)
    assert headings[0] == "How to win" and headings[1].startswith("The rules")


def test_a_plug_in_without_one_has_what_its_rules_say(site: Site, golden: Golden) -> None:
    package = site.install()
    assert "ten-sided" in introduction("goofspiel").chance
    code = (package / "__init__.py").read_text(encoding="utf-8")
    without = re.sub(r"    introduction=Introduction\(.*?\n    \),\n", "", code, flags=re.DOTALL)
    (package / "__init__.py").write_text(without, encoding="utf-8")
    site.forget()
    said = introduction("goofspiel")
    assert said.aim == UNSAID
    golden(said.sides, said.chance, said.hidden)


@pytest.mark.parametrize(
    "said",
    [
        Introduction(aim=""),
        Introduction(aim="Win. Then rest. Then win."),
        Introduction(aim="Win.", sides="\x1b[2J"),
        Introduction(aim="Win.", chance="dice " * 100),
        "Win.",
    ],
    ids=("no aim", "long aim", "escapes", "long", "text"),
)
def test_one_that_cannot_be_read_is_told(said: object, golden: Golden) -> None:
    (found,) = problems(registry.descriptor("loot")._replace(introduction=said))  # type: ignore[arg-type]
    golden(found)


def test_it_stands_in_the_list_of_games_and_on_the_page_of_help(tmp_path: Path) -> None:
    ann = Player("Ann", tmp_path / "home", tmp_path, True)
    every, one = ann.types("games")[1], ann.types("games", "tripoli")[1]
    assert all(introduction(game).aim in words(every) for game in GAMES)
    assert all(getattr(introduction("tripoli"), part) in words(one) for part in PARTS)
    assert max(map(len, every.splitlines()[1:])) <= 90


def test_it_stands_in_the_invitation_with_a_picture(looked_at: BegunGame) -> None:
    (path,) = looked_at.folder.glob("*-0000.eml")
    mail = email.message_from_bytes(path.read_bytes(), policy=default)
    parts = {part.get_content_type(): part for part in mail.walk()}
    for kind in ("text/plain", "text/html"):
        told = words(str(parts[kind].get_content()))
        assert all(getattr(introduction("tripoli"), part) in told for part in PARTS), kind
    assert len(parts["image/png"].get_content()) > 20_000
    *_, later = sorted(looked_at.folder.glob("*.eml"))
    assert introduction("tripoli").aim not in words(later.read_text(encoding="utf-8"))


def test_it_stands_at_the_table_before_the_first_decision(looked_at: BegunGame) -> None:
    """On the page before one joins, with a picture; until something was decided; in the list of
    games that can be begun, and on top of the page of help."""
    aim = introduction("tripoli").aim
    cleo = looked_at.stranger_with_key()
    joining = page_of(cleo.home, looked_at.folder / looked_at.files[0])
    invited = told_on(joining)
    assert aim in words(invited) and 'name="join"' in invited and "<svg" in joining
    first = page_of(looked_at.ann.home, looked_at.folder / looked_at.last)
    assert aim in words(first.partition('<details class="about">')[2].partition("</details>")[0])
    table = Table(OpenGames(Home(cleo.home), looked_at.folder))
    assert aim in words(table.answer(PageRequest("GET", "/")).body.decode())
    assert aim in words(table.answer(PageRequest("GET", "/help/tripoli")).body.decode())


def told_on(page: str) -> str:
    """What is told above the board."""
    return page.partition('class="told"')[2].partition("<!--part-->")[0]


def page_of(home: Path, file: Path) -> str:
    table = Table(OpenGames(Home(home), file.parent))
    name = table.games.open_data(file.read_bytes()).name
    return table.answer(PageRequest("GET", f"/game/{name}")).body.decode()
