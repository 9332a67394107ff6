"""Players of one game, in pages and at desktop homes: each takes in what came and plays, and gives
the newest file."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from examples.correspondence import Choose, Player
from pbem.fileformat import armor, turnfile
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.effort import PATIENCE
from tests.support.homes import complete_answers, make_home
from tests.support.second_verifier import by_node, by_pbem
from tests.support.web_tabs import Tab, choose_game, open_keep

Way = Literal["text", "file", "link"]
WAYS: tuple[Way, ...] = ("text", "file", "link")

TOOLS = (Path(__file__).parents[1] / "web" / "trial.js").read_text(encoding="utf-8")


class Somebody(Protocol):
    """Who plays in a game."""

    name: str

    def invite(self, game: str, **options: int) -> bytes:
        """Begin a game; the invitation."""
        ...

    def join(self, data: bytes) -> bytes:
        """Take a seat of a game; the file with it."""
        ...

    def play(self, data: bytes) -> bytes:
        """Take in the newest file, answer what is asked, sign; the newest file from then on."""
        ...

    def take(self, data: bytes) -> None:
        """Take in a file and do nothing."""
        ...


class AtDesktop:
    """Somebody with a home on a computer, who gives the first answer unless they wish for
    another."""

    def __init__(
        self, folder: Path, name: str, choose: Choose = lambda options: options[0]
    ) -> None:
        self.name, self._choose = name, choose
        self.home: Home = make_home(folder / f"home-of-{name}", name)

    def invite(self, game: str, **options: int) -> bytes:
        return joining.invite(self.home, joining.NewGame(game, options=options))

    def join(self, data: bytes) -> bytes:
        return joining.join(open_game.open_file(data, self.home), self.home)

    def play(self, data: bytes, *, resign: bool = False) -> bytes:
        opened = open_game.open_file(data, self.home)
        if resign:
            return take_turn.next_entry(opened, Intent(resign=True))
        answers = complete_answers(opened, self._choose)
        # shares are settled once, after the last answer of an entry
        anew = open_game.open_file(data, self.home)
        return take_turn.next_entry(anew, Intent(tuple(answers)))

    def take(self, data: bytes) -> None:
        open_game.open_file(data, self.home)


class InPage:
    """Somebody with a home in a page, which is open in this tab. What comes goes in by one of the
    ways in turn, and so does what goes out. They wish for answers that begin with one of these, or
    take one after the other."""

    def __init__(self, tab: Tab, name: str, downloads: Path, wishes: Sequence[str] = ()) -> None:
        self.tab, self.name, self.wishes = tab, name, wishes
        self._downloads, self._turns = downloads, 0
        self._game = ""

    def do(self, script: str) -> object:
        """The value of an expression on the page, where `trial` has what is above."""
        return self.tab.run(f"(async () => {{ {TOOLS} return await ({script}); }})()")

    def home(self) -> None:
        """To the list of all games."""
        self.do("document.querySelector('main.home') || go('/')")
        self.tab.wait("main.home")

    def invite(self, game: str, **options: int) -> bytes:
        self.home()
        choose_game(self.tab, game)
        for name, value in options.items():
            self.tab.run(f"""document.querySelector('[name="{game}.{name}"]').value = "{value}" """)
        self.tab.click("[data-action=invite]")
        self.tab.wait(".sending button")
        self._game = str(self.tab.run("main().dataset.name"))
        return self.file()

    def take(self, data: bytes, way: Way = "text") -> None:
        self.home()
        if way == "file":
            path = self._downloads / "came.toml"
            path.write_bytes(data)
            self.tab.upload("#take-file", path)
        else:
            text = json.dumps(armor.wrap(data))
            self.do(
                f"((document.getElementById('take-text').value = {text}),"
                " trial.shown('#take-it').click())"
            )
        self.do("trial.until(() => trial.shown('#taken a'), 'taken in').then(trial.clicked)")
        self.tab.wait("main.playing")
        self._game = str(self.tab.run("main().dataset.name"))

    def take_link(self, url: str) -> None:
        """Follow a link to the page that is open here."""
        self.do(f"void (location.href = {json.dumps(url)})")
        self.do(
            "trial.until(() => trial.shown('#notices > p button'), 'a link').then(trial.clicked)"
        )
        self.tab.wait("main.playing")
        self._game = str(self.tab.run("main().dataset.name"))

    def join(self, data: bytes) -> bytes:
        self.take(data)
        return self.joined()

    def joined(self) -> bytes:
        """Take the seat of the invitation that is shown; the file."""
        self.do("trial.clicked(trial.shown('[name=join]'))")
        return self.file()

    def play(self, data: bytes) -> bytes:
        self._turns += 1
        self.take(data, WAYS[self._turns % 2])
        return self.turn()

    def turn(self) -> bytes:
        """Answer and sign on the page that is shown; the newest file."""
        self.do(
            f"trial.answer({json.dumps(list(self.wishes))}, {self._turns}).then(() => trial.sign())"
        )
        return self.file() if self._turns % 2 else armor.unwrap(self.text().encode())

    def resign(self) -> bytes:
        """Give the game up on the page that is shown; the newest file."""
        self.do(
            "(document.querySelector('.ends').open = true,"
            " trial.clicked(trial.shown('[name=resign]')))"
        )
        self.do(
            "trial.shown('.ask-again button') && trial.clicked(trial.shown('.ask-again"
            " button.danger'))"
        )
        return self.file()

    def packed(self, kind: Literal["backup", "move"], passphrase: str) -> bytes:
        """The home as a file, which a move closes here."""
        open_keep(self.tab)
        self.tab.fill("#keep-words", passphrase)
        if kind == "move":
            self.tab.run("document.querySelector('#keeping details').open = true")
            self.tab.click("#really")
        self.tab.click(f"#make-{kind}")
        save = (
            "[...document.querySelectorAll('#keeping button')].find((one) =>"
            " /^save/.test(one.innerText))"
        )
        self.tab.until(f"{save} !== undefined")
        before = self._downloaded(".txt")
        self.tab.run(f"{save}.click()")
        return self._saved(before, ".txt")

    def bring(self, pack: bytes, passphrase: str) -> None:
        """Choose a packed home at the door."""
        path = self._downloads / "brought.txt"
        path.write_bytes(pack)
        self.tab.wait("details:has(#bring)")
        self.tab.run("document.querySelector('details:has(#bring)').open = true")
        self.tab.upload("#pack", path)
        self.tab.fill("#pack-words", passphrase)
        self.tab.click("#bring button.main")

    def reopen(self, passphrase: str) -> None:
        """Load the page anew, and open the home."""
        self.tab.reload()
        self.tab.fill("#words", passphrase)
        self.tab.click("#open")

    def may_sign(self, data: bytes) -> bool:
        """Whether this turn is the player's to write, once the file was taken in."""
        self.take(data)
        return bool(self.tab.run("main().dataset.turn") == "yours")

    def file(self) -> bytes:
        """The newest file of the game that is shown, saved."""
        self.tab.wait(".sending button")
        before = self._downloaded(".toml")
        self.do("trial.way('save the file').click()")
        return self._saved(before, ".toml")

    def text(self) -> str:
        """It as text, copied."""
        return str(self.do("trial.copied('copy as text')"))

    def link(self) -> str:
        """It as a link, copied; nothing where none is offered."""
        return str(self.do("trial.way('copy a link') ? trial.copied('copy a link') : ''"))

    def _downloaded(self, ending: str) -> set[tuple[Path, int]]:
        """What was saved, and when: a browser may write a file of the same name again."""
        return {(path, path.stat().st_mtime_ns) for path in self._downloads.glob(f"*{ending}")}

    def _saved(self, before: set[tuple[Path, int]], ending: str) -> bytes:
        """The file with this ending that is saved since then."""
        end = time.monotonic() + PATIENCE
        while True:
            new = self._downloaded(ending) - before
            if new and (data := min(new)[0].read_bytes()).endswith(b"\n"):
                return data
            assert time.monotonic() < end, "nothing was saved"
            time.sleep(0.02)


class Follower:
    """Reads each newer file of a game: whose turn it is."""

    def __init__(self) -> None:
        self.ledger = Ledger()

    def to_act(self, data: bytes) -> str | None:
        """The name of whoever is waited for: "" where anybody may join, None where it is over."""
        for entry in turnfile.read(data).entries[len(self.ledger.entries) :]:
            gate.admit(self.ledger, entry)
        seat = self.ledger.to_act()
        if seat is None:
            return None
        player = self.ledger.players[seat]
        return "" if player is None else player.name


def play_on(
    data: bytes, players: Mapping[str, Somebody], follower: Follower, most: int = 400
) -> bytes:
    """So many entries more, or to the end of the game; the newest file."""
    for _ in range(most):
        name = follower.to_act(data)
        if name is None:
            break
        data = players[name].play(data)
    return data


def check_by_both(data: bytes, checker: Player) -> None:
    """`pbem verify` and the verifier in JavaScript find the file as it should be."""
    path = checker.folder / "checked.toml"
    path.write_bytes(data)
    assert checker.asks("verify", path.name).get("error") is None
    verdict, trace = by_pbem(data)
    assert verdict.ok, verdict
    ((second, reason),) = by_node([(data, trace)])
    assert second.ok, (second, reason)


def entries(data: bytes) -> int:
    return len(re.findall(rb"^\[\[entry\]\]$", data, re.MULTILINE))
