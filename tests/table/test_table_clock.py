"""A clock that runs is seen at the table as it stands now, however long one looks, and its end in
the zone of whoever looks."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Visitor, needs_browser, served

DAY = timedelta(days=1)


@needs_browser
@pytest.mark.dear("drives a browser")
@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles"])
def test_a_clock_goes_on_while_it_is_looked_at(chromium: Any, tmp_path: Path, zone: str) -> None:
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    data = joining.invite(ann, joining.NewGame("tripoli", clock={"clock": "2+0"}))
    path = tmp_path / "newest.toml"
    path.write_bytes(joining.join(open_game.open_file(data, ben), ben))
    with served(ann, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, beside=True, timezone_id=zone)
        page = visitor.page
        running = page.locator(".who [data-left]")
        running.wait_for(state="attached")
        before = running.text_content()
        used, left, until = seen(before)
        end = datetime.strptime(until, "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone))
        assert used == "less than a minute" and left in ("2 days", "1 day 23 hours"), before
        assert abs(datetime.now(UTC) + 2 * DAY - end) < timedelta(minutes=10), before
        # the computer sleeps for a night and a day, and the page is still there
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 108_060_000 }")
        page.evaluate("tellClocks()")
        assert seen(running.text_content()) == ("1 day 6 hours", "17 hours", until)
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 86_400_000 }")
        page.evaluate("tellClocks()")
        assert running.text_content() == "2 days 6 hours used, overdue by 6 hours, counting now"
        assert visitor.problems == []
        visitor.close()


def seen(text: str) -> tuple[str, str, str]:
    """Used, left, and until when."""
    found = re.fullmatch(r"(.*) used, (.*) left, counting now, until (.*)", text)
    assert found is not None, text
    return found[1], found[2], found[3]
