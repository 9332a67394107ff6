"""A game that is over can be kept from the table as the page of `pbem replay`."""

from __future__ import annotations

from pathlib import Path

from pbem.replay.page import page
from pbem.replay.scenes import Replayed
from tests.support.homes import make_home
from tests.support.table_kit import Client, served

ARCHIVED = Path(__file__).parents[1] / "archive" / "tripoli-1.toml"


def test_a_game_that_is_over_is_kept_as_a_page(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "cleo", "Cleo"), tmp_path / "files", ARCHIVED) as server:
        client = Client(server)
        client.enter()
        path = server.url.partition("?")[0].partition(str(server.port))[2]
        shown = client.ask("GET", path).body.decode()
        assert f'href="{path}/replay.html"' in shown
        kept = client.ask("GET", f"{path}/replay.html")
        data = ARCHIVED.read_bytes()
        assert kept.status == 200 and kept.body.decode() == page(data, Replayed(data))
        assert kept.headers["content-disposition"].startswith("attachment")
        assert Client(server).ask("GET", f"{path}/replay.html").status == 403
