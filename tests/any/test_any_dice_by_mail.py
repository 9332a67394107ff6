"""How long a throw waits for its dice where both programs watch, through real mail servers."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import median

import pytest

from examples.correspondence import Player
from pbem.home import clock
from pbem.home.game_index import newest_path
from pbem.home.home import Home
from tests.any.test_any_forty_turns import accounts, fetched
from tests.mail.test_mail_servers import NEEDS_DOVECOT
from tests.support.effort import PATIENCE
from tests.watch.test_watch_servers import watching

pytestmark = [
    pytest.mark.slow,
    NEEDS_DOVECOT,
    pytest.mark.filterwarnings("ignore::UserWarning"),  # of the server for sending
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

THROWS = 30


def test_dice_come_by_themselves_throw_after_throw(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    """Both have written a turn by hand and typed `pbem auto on`; then nobody waits for anything but
    their dice."""
    monkeypatch.setattr(clock, "datetime", datetime)
    players = {}
    for name in ("Ann", "Ben"):
        (folder := tmp_path / f"folder-of-{name}").mkdir()
        players[name] = Player(name, tmp_path / f"home-of-{name}", folder, in_process=True)
        players[name].does("id", "--name", name, "--mail", f"{name.lower()}@example.org")
    ann, ben = players.values()
    waits = []
    with ExitStack() as stack:
        stack.enter_context(accounts(players, tmp_path))
        game = Path(ann.does("new", "any")["file"]).name.rpartition("-")[0]
        ann.does("send", game, "--to", "ben@example.org")
        came = fetched(ben)
        ben.does("join", came[0]["game"] or came[0]["where"])
        ben.does("send", game)
        for player, other, said in ((ann, ben, "Ben's turn"), (ben, ann, "Ann's turn")):
            fetched(player)
            player.does("play", game, said)
            player.does("send", game)
            fetched(other)
        for player in players.values():
            player.does("auto", "on")
            stack.enter_context(watching(Home(player.home)))
        for _ in range(THROWS):
            ann.does("play", game, "roll 2d6")
            thrown = newest_path(Home(ann.home), game)
            ann.does("send", game)
            sent = time.monotonic()
            while (
                newest_path(Home(ann.home), game) == thrown and time.monotonic() < sent + PATIENCE
            ):
                time.sleep(0.02)
            assert newest_path(Home(ann.home), game) != thrown
            waits.append(time.monotonic() - sent)
    record_property(
        "figure",
        f"{THROWS} throws, one after the other: dice {median(waits):.1f} s after they were sent in"
        f" the middle, {min(waits):.1f} to {max(waits):.1f}",
    )
