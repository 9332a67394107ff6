"""Mails, links and files that fell once: each is read, or named with what to ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.fileformat.turnfile import read
from pbem.ledger import gate
from pbem.mail import turn_files
from pbem.turn import inbox
from tests.support.mail_kit import make_home

CASES = Path(__file__).parents[3] / "shared" / "cases"
NAMED = {
    "backgammon-c2f55803-0002.toml": "it is empty",
    "mail-base64-cut-mod1.eml": "incomplete",
}


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases of ../shared are not here")
def test_every_case_is_read_or_named(tmp_path: Path) -> None:
    cases = sorted(CASES.iterdir())
    assert cases
    home = make_home(tmp_path / "eve", "Eve", "eve@example.org")
    for path in cases:
        found = list(turn_files.look(path))
        assert found, path.name
        (one,) = found[:1]
        if path.name in NAMED:
            box = inbox.Inbox(home)
            box.take_from(path, "")
            assert NAMED[path.name] in box.items[0].reason, path.name
        elif path.name.startswith("link-"):
            assert one.link is not None and one.link.number == 5, path.name
        elif path.name.startswith("bounce-"):
            assert [failed.to for failed in one.failed] == [["ben@example.org"]]
        elif path.name.startswith("mail-attachment-"):
            assert one.lost is not None and one.lost.is_likely, path.name
            assert (one.lost.game[:8], one.lost.entry) == ("c2f55803", 2), path.name
        else:
            assert len(found) == 1 and one.data is not None, path.name
            assert len(gate.replay(read(one.data)).entries) == 3, path.name
