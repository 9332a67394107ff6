"""The app itself in a browser, whose messenger is a real core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__
from pbem.fileformat import turnfile
from release import messenger
from tests.messenger.test_cores import only, verify
from tests.support import web_kit, webxdc
from tests.support.core_chat import AtCore, Group, Servers
from tests.support.cores import needs_core
from tests.support.web_kit import needs_npm
from tests.support.web_players import InPage
from tests.support.web_tabs import WebBrowser, choose_game

pytestmark = [
    needs_core,
    needs_npm,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SIGNS = "trial.answer([], 1).then(() => trial.clicked(trial.shown('[data-action=sign]')))"


@dataclass
class AtCores(webxdc.Messenger):
    """A messenger whose members have a core each."""

    people: Mapping[str, AtCore] = field(default_factory=dict)

    def read(self, name: str, after: int) -> list[dict[str, Any]]:
        return self.people[name].updates(after)

    def send(self, name: str, update: dict[str, Any]) -> None:
        self.people[name].send(update)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    made = tmp_path / "pbem.xdc"
    messenger.build(web_kit.built(), made, "https://example.org/pbem")
    return made


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[WebBrowser]:
    resolves = {"host-resolver-rules": "MAP *.invalid 127.0.0.1"}
    with WebBrowser("chrome", tmp_path / "profile", resolves) as started:
        yield started


def test_a_game_between_the_app_in_a_browser_and_another_by_real_cores(
    app: Path, browser: WebBrowser, tmp_path: Path
) -> None:
    """Ann's app is on an origin that is not secure, as on iOS."""
    with ExitStack() as stack:
        group = Group(Servers(tmp_path, stack, ("Ann", "Ben", "Cleo")), app)
        ann, ben, cleo = group.people
        info = ben.core.tell("get_webxdc_info", ben.message)
        assert info["name"] == f"pbem {__version__}" and info["icon"] == "icon.png"
        assert info["sourceCodeUrl"] == "https://example.org/pbem"
        chat = AtCores(people={"Ann": ann})
        stack.enter_context(webxdc.messenger(app, chat))
        tab = browser.tab()
        tab.goto(chat.url("Ann", secure=False))
        page = InPage(tab, "Ann", browser.downloads)
        tab.wait("main.home")
        choose_game(tab, "backgammon")
        tab.click("[data-action=invite]")
        tab.wait("dialog[open]")
        tab.click("dialog [value=yes]")
        tab.wait("main.playing")
        ben.core.until(lambda: ben.read() == [] and ben.newest())
        for entries in range(2, 9):
            if ben.act():
                for one in ben.read():
                    ben.send(one)
            else:
                tab.until("main().dataset.turn === 'yours' && isAllRead && !isReading")
                page.do(SIGNS)
            for member in (ben, cleo):
                member.core.until(partial(has, member, entries))
        assert tab.run("document.querySelector('[data-send]')") is None
        summary = ben.core.tell("get_webxdc_info", ben.message)["summary"]
        assert summary.startswith("Backgammon: ")
        infos = [one.get("info", "") for one in cleo.updates()]
        assert "Ann" in infos[0] and "Backgammon" in infos[0] and all(infos)
        verify(tmp_path, ben, cleo)
        tab.close()


def has(member: AtCore, entries: int) -> bool:
    """Whether their app has so many entries of the game, once it has read what came."""
    return member.read() == [] and len(turnfile.read(only(member)).entries) == entries
