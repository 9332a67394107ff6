"""A card-driven war game whose rules its players keep, through real mail servers: each has nothing
of the other but their mails, and a file goes with every turn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home import clock
from pbem.home.home import Home
from tests.mail.test_mail_servers import COMMAND, NEEDS_DOVECOT
from tests.support.browsers import HEADLESS
from tests.support.effort import PATIENCE
from tests.support.mail_servers import HOST, USER, Letters, dovecot, smtp_server
from tests.support.second_verifier import compare, needs_node
from tests.support.table_kit import browser, needs_browser
from tests.table.test_table_pictures import png

pytestmark = [
    pytest.mark.slow,
    NEEDS_DOVECOT,
    needs_node,
    needs_browser,
    pytest.mark.filterwarnings("ignore::UserWarning"),  # of the server for sending
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SETUP = """title Wilderness War
seats france, britain
dice d6
roll combat
counter victory: -10 to 10, start 0, shared
deck french: 1-35, of france, start 8, limit 9, reshuffle
deck british: 36-70, of britain, start 8, limit 9, reshuffle
"""
TURNS = 40
PICTURED = 8
"""Every so many turns a picture of the board goes along."""
SEATS = ("france", "britain")


@contextmanager
def accounts(players: dict[str, Player], folder: Path) -> Iterator[Letters]:
    """Both send by one server for sending, and fetch from boxes of their own; what was sent."""
    letters = Letters()
    with (
        smtp_server(folder, "tls", letters) as (smtp, _, sends),
        dovecot("ben") as (_, imap, fetches, box),
    ):
        for player in players.values():
            name = player.name.lower()
            letters.boxes[f"{name}@example.org"] = box.parent / name
            parts = (("send", smtp, USER, sends), ("fetch", imap, name, fetches))
            text = "".join(
                f"[{part}]\nhost = '{HOST}'\nport = {port}\nsecurity = 'tls'\nuser = '{user}'\n"
                f"ca-file = '{cert}'\npassword-command = {COMMAND!r}\n"
                for part, port, user, cert in parts
            )
            (Home(player.home).folder / "mail.toml").write_text(text)
        yield letters


def acts(player: Player, game: str, turn: int, other: str, chance: random.Random) -> str:
    """What somebody does in a turn: a card for its points; every third time a fight, and a card
    that is laid away face down. One says at the end how it ended, and the other agrees."""
    listed = player.does("moves", game)
    if listed["complete"]:
        return ""
    if "agree" in listed["options"]:
        return "agree"
    if turn > TURNS:
        return "France wins, 42 to 37"
    hand = player.does("show", game)["hand"]
    card = chance.choice(hand).partition(" ")[0]
    if turn % 3 == 0:
        return f"discard {card} face down; roll 2d6+1 combat then {other}'s turn"
    point, more = chance.choice(("+1", "-1")), 2 if len(hand) < 7 else 1
    return f"play {card} to the table; victory {point}; draw {more} then {other}'s turn"


def test_forty_turns_with_files_are_played_by_mail_and_hold_for_a_stranger(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(clock, "datetime", datetime)
    chance = random.Random(1757)
    players, names = {}, dict(zip(SEATS, ("Ann", "Ben"), strict=True))
    for seat, name in names.items():
        folder = tmp_path / f"folder-of-{name}"
        folder.mkdir()
        players[seat] = Player(name, tmp_path / f"home-of-{name}", folder, in_process=True)
        players[seat].does("id", "--name", name, "--mail", f"{name.lower()}@example.org")
    ann, ben = players["france"], players["britain"]
    (ann.folder / "war").mkdir()
    (ann.folder / "war" / "setup.txt").write_text(SETUP)
    with accounts(players, tmp_path) as letters:
        begun = ann.does("new", "any", "--data", "war")
        game = Path(begun["file"]).name.rpartition("-")[0]
        ann.does("send", game, "--to", "ben@example.org")
        came = fetched(ben)
        ben.does("join", came[0]["game"] or came[0]["where"])
        ben.does("send", game)
        sides = plays(players, game, chance)
        sizes = [len(content) for _, _, content in letters.taken]
    assert sides == {"Ann", "Ben"}
    last = ann.does("show", game)
    assert last["over"] is not None and last["over"]["winners"] == ["france"]
    stranger = Player("Cleo", tmp_path / "home-of-cleo", tmp_path, in_process=True)
    copy = tmp_path / "game.toml"
    newest = max(tmp_path.glob("folder-of-*/any-*.toml"), key=lambda path: path.name)
    copy.write_bytes(newest.read_bytes())
    verdict = stranger.does("verify", str(copy))
    entries = turnfile.read(copy.read_bytes()).entries
    with_files = [one for one in entries if "files" in one.fields]
    assert verdict["ok"] and verdict["result"]["proven"] and len(with_files) >= TURNS
    assert verdict["rolls"] >= TURNS // 3 and verdict["openings"] >= TURNS // 2
    ann.does("replay", game, "--html", "game.html")
    held_by_the_page(ann.folder / "game.html")
    compared = compare([("forty turns", copy.read_bytes())])
    assert not compared.different and not compared.failed
    for player in players.values():
        kept = [*player.home.glob("games/*/files/*.vsav")]
        assert len(kept) == len(with_files)
        assert len([*player.home.glob("games/*/files/*.png")]) >= TURNS // PICTURED
        assert all(sha256(one.read_bytes()).hexdigest()[:16] in one.name for one in kept)
    record_property(
        "figure",
        f"forty turns of a war game: {len(sizes)} mails, {median(sizes):,.0f} bytes a mail in the"
        f" middle, {max(sizes):,} the largest; the file has {len(copy.read_bytes()):,} bytes,"
        f" {verdict['rolls']} rolls, {verdict['draws']} draws, {verdict['openings']} opened cards",
    )


def held_by_the_page(path: Path) -> None:
    """The page of the game finds in a browser that all of it holds, and shows the players'
    board."""
    with browser(HEADLESS) as chromium:
        page = chromium.new_page()
        page.goto(path.as_uri())
        page.locator('html[data-checks="ok"]').wait_for(state="attached", timeout=1000 * PATIENCE)
        last = "document.querySelectorAll('#links a').length - 1"
        page.evaluate(f"location.hash = `#entry-${{{last}}}`")
        page.locator(".board-picture[href^='data:image/']").wait_for(timeout=1000 * PATIENCE)


def fetched(player: Player) -> list[dict[str, Any]]:
    """What came by mail: turns, and the files that go with them."""
    found: list[dict[str, Any]] = player.does("fetch")["files"]
    assert {one["kind"] for one in found} <= {"new", "file"}, found
    return found


def plays(players: dict[str, Player], game: str, chance: random.Random) -> set[str]:
    """Turn by turn, each with a file, until it is over and everything is opened; who has
    written."""
    wrote, turn = set(), 0
    for seat, other in itertools.cycle((SEATS, SEATS[::-1])):
        player = players[seat]
        fetched(player)
        facts = player.does("show", game)
        if facts["to_act"] != seat and not facts["may_close"]:
            if wrote and facts["over"] is not None:
                return wrote
            continue
        with_it: tuple[str, ...] = ()
        words = "" if facts["over"] is not None else acts(player, game, turn, other, chance)
        if words:
            turn += 1
            saved = player.folder / f"turn {turn}.vsav"
            saved.write_bytes(chance.randbytes(4_000))
            with_it = (words, "--with", saved.name)
            if turn % PICTURED == 1:
                (player.folder / "board.png").write_bytes(png(600, 400, grey=turn))
                with_it += ("--with", "board.png")
        player.does("play", game, *with_it)
        player.does("send", game)
        wrote.add(player.name)
    raise AssertionError
