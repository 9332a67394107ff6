"""Reminders that a watcher sends by itself: only where a number of days was chosen, and once for
each turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Usage
from pbem.home import clock
from pbem.mail import settings, transport
from pbem.turn import game_list, named_file, open_game, remind
from pbem.watch.watcher import Watcher
from tests.support.mail_kit import attachment, parsed
from tests.support.watch_kit import tripoli

LATER = "2126-12-24T09:30:00Z"


def test_whoever_is_late_is_reminded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, data = tripoli(tmp_path)
    ann = stage.one
    data = stage.write(ann, data)
    open_game.open_file(data, ann.home)
    path = ann.home.folder / "mail.toml"
    path.write_text(f"remind-after = 14\n{path.read_text()}")

    def look() -> list[str]:
        watcher = Watcher(ann.home, answers=False)
        done = watcher.round()
        watcher.close()
        return [f"{one.name} {one.to}" for one in done.reminded]

    assert look() == [], "not late"
    monkeypatch.setattr(clock, "now", lambda: LATER)
    path.write_text(path.read_text().replace("remind-after = 14", ""))
    assert look() == [], "not chosen"
    path.write_text(f"remind-after = 14\n{path.read_text()}")
    assert look() == ["Ben ['ben@example.org']"]
    (ann.home.folder / "watch" / "told.json").unlink()
    assert look() == [], "what was reminded of is noted with its game"
    (mail,) = ann.mails()
    assert attachment(parsed(mail)) == data and "To: ben@example.org" in mail.decode()
    assert not stage.other.mails(), "and not whoever is waited for"


def test_nobody_is_reminded_twice_by_one_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, data = tripoli(tmp_path)
    ann = stage.one
    open_game.open_file(stage.write(ann, data), ann.home)
    monkeypatch.setattr(clock, "now", lambda: LATER)
    (game,) = game_list.games(ann.home, ann.home.identity()).games

    def killed(*_given: object, **_more: object) -> None:
        raise SystemExit

    monkeypatch.setattr(transport.Program, "send", killed)
    with pytest.raises(SystemExit):
        remind.send(ann.home, named_file.find(Path(game.file), ann.home).turn, automatic=True)
    assert not remind.is_due(ann.home, game, 14)


@pytest.mark.parametrize("text", ["remind-after = 0", "remind-after = true", 'remind-after = "14"'])
def test_a_wrong_number_of_days_is_named(tmp_path: Path, text: str) -> None:
    stage, _ = tripoli(tmp_path)
    (stage.one.home.folder / "mail.toml").write_text(text)
    with pytest.raises(Usage, match="remind-after"):
        settings.read(stage.one.home)
