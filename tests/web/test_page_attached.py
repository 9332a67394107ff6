"""Files that go with turns, in the page: chosen, shown, signed, and handed on with the turn; those
that came are kept by a click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.fileformat.attached import files_of
from pbem.mail import attached_parts
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import Site, Tab, WebBrowser, begin
from tests.table.test_table_pictures import png

pytestmark = [needs_npm, pytest.mark.slow]
SAVED = bytes(range(256)) * 40 + b"\n"
NAME = "schlacht ü.vsav"


@pytest.fixture
def tab(browser: WebBrowser) -> Iterator[Tab]:
    made = browser.tab()
    yield made
    assert made.problems() == []
    made.close()


def test_a_file_goes_with_a_turn_from_the_page(
    tab: Tab, browser: WebBrowser, site: Site, tmp_path: Path
) -> None:
    ann = AtDesktop(tmp_path, "Ann")
    begin(tab, site.url, "Ben")
    ben = InPage(tab, "Ben", browser.downloads)
    data = ben.join(ann.invite("backgammon", match=1))
    data = ann.play(data)
    ben.take(data)
    saved = tmp_path / NAME
    saved.write_bytes(SAVED)
    tab.until("document.querySelector('#with-file')")
    tab.drop(".title h2", saved)
    tab.until("document.querySelector('.going')")
    assert f"With it: {NAME}, 10 kB" in str(tab.run("document.querySelector('.going').textContent"))
    tab.run("document.querySelector('details.writing').open = true")
    tab.click(".goes-with button")
    tab.until("!document.querySelector('.going')")
    tab.upload("#with-file", saved)
    tab.until("document.querySelector('.going')")
    data = ben.turn()
    (named,) = files_of(turnfile.read(data).entries[-1])
    assert named.name == NAME and named.is_file(SAVED)
    tab.wait(".sending .small button")
    assert f"save {NAME}" in tab.text(".sending")
    tab.click_on("Other ways")
    before = ben._downloaded(".eml")
    tab.click_on("save the mail")
    mail = ben._saved(before, ".eml")
    came = [one.data for one in attached_parts.in_mail(mail, "", {named}) if one.is_it]
    assert came == [SAVED]
    before = ben._downloaded(".vsav")
    tab.click_on(f"save {NAME}")
    assert ben._saved(before, ".vsav") == SAVED


SHOWN = ".board-picture[href^='data:image/jpeg']"


def test_a_picture_is_the_board_in_the_page(
    tab: Tab, browser: WebBrowser, site: Site, tmp_path: Path
) -> None:
    """The browser itself draws it and makes it smaller: nothing of a server has seen it."""
    turn = "second's turn"
    ann = AtDesktop(tmp_path, "Ann", lambda all_: turn if turn in all_ else all_[0])
    begin(tab, site.url, "Ben")
    ben = InPage(tab, "Ben", browser.downloads)
    data = ann.play(ben.join(ann.invite("any")))
    ben.take(data)
    (tmp_path / "map.png").write_bytes(png(3000, 1500))
    tab.until("document.querySelector('#desk')")
    tab.upload("#with-file", tmp_path / "map.png")
    tab.until(f'document.querySelector("{SHOWN}")')
    assert tab.run("[board.picture.wide, board.picture.high]") == [2400, 1200]
    tab.click('#desk [data-words="first\'s turn"]')
    data = ben.turn()
    (named,) = files_of(turnfile.read(data).entries[-1])
    assert named.name == "map.jpg" and named.size < 1_000_000
    tab.until(f'document.querySelector("{SHOWN}")')
