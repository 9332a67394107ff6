"""Every page and state of the page, one after the other as somebody meets them, for whoever looks
at all of them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.fileformat import armor, link
from pbem.games import registry
from pbem.home import moving
from pbem.turn import open_game, questions
from tests.support.web_players import TOOLS, AtDesktop, Follower
from tests.support.web_tabs import (
    Site,
    Tab,
    WebBrowser,
    begin,
    choose_game,
    hosted,
    open_keep,
    to_make,
)

REACH = (Path(__file__).parents[1] / "web" / "reach.js").read_text(encoding="utf-8")
WORDS = "correct horse"
ALONE = ("paradise", "tripoli-solitaire")
"""Games whose turns nobody waits for."""
State = tuple[str, Tab]
"""What is shown, in words that begin with the name of a page, and where."""


@dataclass(frozen=True)
class Given:
    """What Ann has from her computer, as text: a home with a game of each kind at a choice and one
    that is over, and what somebody sends her. `site` serves the page, `broken` one that lacks a
    file."""

    home: str
    invitation: bytes
    site: Site
    broken: Site


def ann_at_home(folder: Path) -> tuple[str, bytes]:
    """Ann's home, packed, and an invitation by Ben."""
    ann, ben = AtDesktop(folder, "Ann"), AtDesktop(folder, "Ben")
    for game in registry.known_games():
        data, follower = ann.invite(game), Follower()
        while (name := follower.to_act(data)) != "Ann" or not has_choice(data, ann):
            data = {"Ann": ann.play, "Ben": ben.play}[name](data) if name else ben.join(data)
        ann.take(data)
    ann.play(ann.invite("tripoli-solitaire"), resign=True)
    packed = moving.pack_backup(ann.home, WORDS)
    return armor.wrap_home(packed), ben.invite("tripoli")


def has_choice(data: bytes, player: AtDesktop) -> bool:
    """Whether something is asked of whoever is to sign next, and more than one answer fits."""
    draft = open_game.open_file(data, player.home).draft()
    return (
        draft is not None
        and questions.open_question(draft) is not None
        and len(list(questions.options(draft))) > 1
    )


@contextmanager
def given(folder: Path, page_folder: Path) -> Iterator[Given]:
    home, invitation = ann_at_home(folder)
    lacks = shutil.copytree(page_folder, folder / "lacks", copy_function=os.link)
    (lacks / "keep.js").unlink()
    with hosted(page_folder) as site, hosted(lacks) as broken:
        yield Given(home, invitation, site, broken)


def do(tab: Tab, script: str) -> object:
    """The value of an expression on the page, where `trial` has what people do
    (tests/web/trial.js)."""
    return tab.run(f"(async () => {{ {TOOLS} return await ({script}); }})()")


def looked(tab: Tab, what: str) -> Any:
    """One of the things that tests/web/reach.js looks at."""
    return tab.run(f"(() => {{ {REACH} return {what}; }})()")


UNFOLDED = "document.querySelectorAll('main details').forEach((one) => (one.open = true))"


def states(browser: WebBrowser, given: Given) -> Iterator[State]:
    """All of them. Each is looked at before the next one is asked for."""
    yield from shut(browser, given)
    yield from beginning(browser, given)
    yield from brought(browser, given)


def shut(browser: WebBrowser, given: Given) -> Iterator[State]:
    tab = browser.tab()
    tab.goto((given.site.folder / "index.html").as_uri())
    tab.wait('a[href="check.html"]')
    yield "door-shut: from a disk", tab
    tab.goto(given.broken.url)
    tab.wait(".refusal.words")
    yield "door-shut: a file is missing", tab
    tab.close()


def beginning(browser: WebBrowser, given: Given) -> Iterator[State]:
    """Somebody who plays nowhere yet, in a storage of their own."""
    tab = browser.tab(apart=True)
    tab.goto(link.join_link(given.site.url, given.invitation))
    tab.wait("#join")
    tab.run(f"{UNFOLDED}, true")
    yield "look: an invitation, before anything is asked", tab
    tab.click("[data-try]")
    tab.wait("main.playing")
    yield "game: a sample that is tried", tab
    tab.click("#strip button")
    tab.click("#join")
    tab.wait("#make")
    tab.fill("#passphrase", " ")
    tab.fill("#name", "Cleo")
    tab.click("#begin")
    tab.wait("#make .refusal")
    tab.click_on("I have played before: bring my home or a backup")
    tab.fill("#pack-text", "nothing")
    tab.fill("#pack-words", "nothing")
    tab.click("#bring button.main")
    tab.wait("#bring .refusal")
    yield "door-new: with an invitation, and both forms refused", tab
    tab.click("#make summary")
    tab.click("#other-six")
    tab.click("#begin")
    tab.wait("#written")
    tab.click("#written .main")
    tab.wait("#written .refusal:not([hidden])")
    yield "door-new: another word than the one that is asked for", tab
    tab.run("joins = ''")
    tab.click("#not-now")
    tab.wait(".joining button")
    yield "game: an invitation to join", tab
    do(tab, "go('/')")
    tab.wait("main.home")
    yield "home: one invitation", tab
    tab.close()
    bare = browser.tab(apart=True)
    bare.goto(given.site.url)
    bare.wait(".box-board")
    bare.run(f"{UNFOLDED}, true")
    yield "home: the first page, before anything is asked", bare
    bare.click("[data-watch]")
    bare.wait(".entry-page")
    yield "entry: a finished game that came with the page", bare
    bare.click("#strip button")
    bare.click("[data-action=alone]")
    bare.wait("main[data-turn=yours]")
    yield "game: played before anything is kept", bare
    do(bare, "trial.answer([], 1)")
    bare.click("[data-action=sign]")
    bare.wait("#who[open]")
    yield "door-who: before the first signature", bare
    to_make(bare, given.site.url)
    yield "door-new", bare
    begin(bare, given.site.url, "Cleo")
    yield "home: no games", bare
    bare.click("#open-about")
    bare.wait("#close-about")
    yield "about-page", bare
    bare.click("#close-about")
    bare.run(
        "[...document.querySelectorAll('details, .offer')].forEach((one) => (one.open = true))"
    )
    for game in registry.known_games():
        choose_game(bare, game)
        yield f"home: options of {game}", bare
    bare.close()


def brought(browser: WebBrowser, given: Given) -> Iterator[State]:
    """Ann's home, from the file that brings it to the one that takes it away."""
    tab = browser.tab()
    tab.goto(given.site.url)
    tab.click("details:has(#bring) summary")
    tab.run(f"document.querySelector('#pack-text').value = {json.dumps(given.home)}, true")
    tab.fill("#pack-words", WORDS)
    tab.click("#bring button.main")
    tab.wait("#confirm")
    yield "door-stopped: of a backup", tab
    tab.click("#only-look")
    tab.wait(".game a")
    do(tab, "trial.clicked(trial.shown('.game.yours a'))")
    yield "game: of a home that signs nothing", tab
    tab.run("document.getElementById('this-page').open = true")  # folded away from the board
    tab.click("#this-page button")
    tab.wait("#confirm")
    tab.click("#sure")
    tab.click("#confirm button.main")
    tab.wait(".game a")
    yield "home: with games", tab
    for game in registry.known_games():
        yield from game_of(tab, game)
    yield from pages_of(tab)
    yield from taken_over(browser, tab, given)


def game_of(tab: Tab, game: str) -> Iterator[State]:
    """A turn of one game, and what there is to look back at."""
    do(tab, "go('/')")
    own = f"new RegExp('^#/game/{game}-[0-9a-f]+$').test(one.getAttribute('href'))"
    do(tab, f"trial.clicked([...document.querySelectorAll('.game.yours a')].find((one) => {own}))")
    tab.wait("main.playing")
    yield f"game: {game}, a choice", tab
    card = ".held [data-card]"
    if do(tab, f"!!trial.shown('{card}')"):
        tab.click(card)
        tab.wait("#besides, .held [aria-pressed=true]")  # or places for it are lit
        yield f"game: {game}, beside a card", tab
        tab.press("Escape")
    do(tab, "trial.answer([], 1)")
    yield f"game: {game}, to be signed", tab
    do(tab, "trial.clicked(trial.shown('[data-action=preview]'))")
    tab.until("document.querySelector('.mail')?.shadowRoot.firstElementChild")
    yield f"game: {game}, preview of the mail", tab
    do(tab, "trial.clicked(trial.shown('[data-action=sign]'))")
    if game not in ALONE:
        tab.run("document.querySelectorAll('.signed-before').forEach((one) => (one.open = true))")
        tab.wait(".sending button")
    yield f"game: {game}, signed, with the ways to send", tab
    tab.run(f"{UNFOLDED}, document.getElementById('older').click()")
    tab.wait("#whole-log article")
    yield f"log: {game}, and all that unfolds", tab
    do(tab, "trial.clicked(trial.shown('.title a[href*=\"/entry/\"]'))")
    tab.wait(".entry-page")
    tab.run(UNFOLDED)
    yield f"entry: {game}, all that is proven", tab
    do(tab, f"go('/help/{game}')")
    yield f"help: {game}", tab


def pages_of(tab: Tab) -> Iterator[State]:
    do(tab, "go('/')")
    over = "one.closest('section').innerText.startsWith('Over')"
    do(tab, f"trial.clicked([...document.querySelectorAll('.game a')].find((one) => {over}))")
    yield "game: over", tab
    do(tab, "go('/help/nothing')")
    yield "failed: no such help", tab
    do(tab, "go('/')")
    tab.click("#strip button")
    tab.wait("#keeping")
    tab.run("document.querySelector('#keeping details').open = true")
    yield "keep: a passphrase for the file", tab
    tab.fill("#keep-words", WORDS)
    tab.click("#make-backup")
    tab.until(
        "[...document.querySelectorAll('#keeping button')].some((one) => one.innerText === 'close')"
    )
    yield "keep: the file is made", tab
    do(
        tab,
        "[...document.querySelectorAll('#keeping button')].find((one) => one.innerText ==="
        " 'close').click()",
    )


def taken_over(browser: WebBrowser, tab: Tab, given: Given) -> Iterator[State]:
    other = browser.tab()
    other.goto(given.site.url)
    other.wait("#held")
    yield "door-unlock: another tab has the home", other
    other.fill("#words", "wrong")
    other.click("#open")
    other.wait("#unlock .refusal")
    yield "door-unlock: refused", other
    other.fill("#words", WORDS)
    other.click("#open")
    other.wait("main.home")
    tab.wait("#over")
    yield "home: another tab has taken over", tab
    tab.close()
    other.run(f"location.hash = {json.dumps(link.join_link('', given.invitation))}, true")
    other.wait("#notices > .notice button")
    yield "home: a link has come", other
    open_keep(other)
    other.fill("#keep-words", WORDS)
    other.run("document.querySelector('#keeping details').open = true")
    other.click("#really")
    other.click("#make-move")
    other.until(
        "[...document.querySelectorAll('#keeping button')].some((one) => one.innerText === 'close')"
    )
    yield "keep: moved away", other
    other.reload()
    other.click("#join")
    other.fill("#words", WORDS)
    yield "door-unlock: with an invitation", other
    other.click("#open")
    other.wait("#confirm")
    other.run("document.querySelector('details').open = true")
    yield "door-stopped: of a move", other
    other.close()
