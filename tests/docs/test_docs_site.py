"""The site (`./run site`): every link leads somewhere, and nothing in it comes from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples.make_pages import HERE, newest
from release import site
from tests.browser.test_made_pages import file_of


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(site, "WORK", folder / "work")
        patched.setattr(site, "SITE", folder / "site")
        site.build()  # raises where a link leads nowhere
    return folder / "site"


@pytest.mark.dear("builds the site")
def test_each_game_has_its_page_and_one_to_watch(built: Path) -> None:
    for game in site.GAMES:
        page = (built / f"{game}.html").read_text(encoding="utf-8")
        assert f'href="{game}-game.html"' in page
        watched = (built / f"{game}-game.html").read_text(encoding="utf-8")
        assert file_of(watched) == newest(HERE / game).read_bytes()


def test_the_first_page_has_a_film_and_no_address_that_there_is_not(built: Path) -> None:
    page = (built / "index.html").read_text(encoding="utf-8")
    film, _, _ = page.partition("</iframe>")
    assert re.search(r'<iframe src="tripoli-game.html#entry-[1-9][0-9]*"', film)
    assert "<h2" not in film, "before all else"
    assert "Play in this browser" not in page or (built / site.PLAY).is_dir()
    assert 'rel="canonical"' not in page or site.PAGE_ADDRESS


def test_every_page_of_docs_is_in_the_navigation(built: Path) -> None:
    named = {name for names in site.NAV.values() for name in names}
    assert named == {path.stem for path in (site.ROOT / "docs").glob("*.md")}
    index = (built / "index.html").read_text(encoding="utf-8")
    for name in (*named, "check-a-game", "changes"):
        assert f'href="{name}.html"' in index, name


def test_what_is_broken_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a id="x" href="b.html">b</a><a href="#y">y</a><a href="#x">x</a>'
        '<script src="https://example.org/count.js"></script>',
        encoding="utf-8",
    )
    assert sorted(site.broken(tmp_path)) == [
        "a.html loads https://example.org/count.js",
        "a.html: #y has no such place",
        "a.html: b.html leads nowhere",
    ]
