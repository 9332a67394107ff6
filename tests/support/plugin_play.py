"""The example plug-in played by two people through the commands, from the invitation to a proven
end."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from examples.correspondence import Player


@dataclass
class Match:
    """Two players of Goofspiel and the files they have written."""

    ann: Player
    ben: Player
    files: list[str] = field(default_factory=list)

    def write(self, player: Player, *command: str) -> str:
        """A command that writes a turn file; its name. The next seat is kept in `turn`."""
        facts = player.does(*command)
        self.files.append(facts["file"])
        self.turn = facts["to_act"]
        return self.files[-1]

    def begin(self, cards: int) -> None:
        """Two identities, an invitation and a join."""
        for player in (self.ann, self.ben):
            player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
        invitation = self.write(self.ann, "new", "goofspiel", "--cards", str(cards))
        self.write(self.ben, "join", invitation)

    def turn_of(self) -> Player:
        return self.ann if self.turn == "first" else self.ben

    def play(self) -> str:
        """One entry of whoever writes next: the first legal answer, or nothing where nothing is
        asked."""
        player, newest = self.turn_of(), self.files[-1]
        facts = player.does("show", newest)
        options = facts["moves"]
        answers = [options[0]] if options else []
        return self.write(player, "play", newest, *answers)

    def finish(self) -> None:
        """Play to the end, the first player's last cards by a standing order."""
        self.play()
        self.play()
        newest, player = self.files[-1], self.turn_of()
        self.write(player, "play", newest, "--order", "lay: oldest")
        while self.turn:
            assert len(self.files) < 60, "the game does not end"
            self.play()


def check(match: Match) -> None:
    """What the commands tell of a finished game."""
    ann, newest = match.ann, match.files[-1]
    facts = ann.does("verify", newest)
    assert (
        facts["ok"] is True and facts["game"] == "goofspiel" and facts["result"]["proven"] is True
    )
    assert facts["rolls"] == 5 and facts["openings"] == 10
    dice = ann.does("dice", newest)
    assert list(dice["totals"]) == ["d10"] and dice["totals"]["d10"]["all"]["dice"] == 5
    assert all(1 <= die <= 10 for roll in dice["rolls"] for die in roll["dice"])
    assert "dice of 10 sides" in ann.types("dice", newest)[1]
    shown = ann.does("show", newest, "--public")
    assert shown["over"]["proven"] and len(shown["view"]["sides"]) == 2
    later = [
        (ann.folder / file).with_suffix(".md").read_text(encoding="utf-8") for file in match.files
    ]
    assert all(text.startswith("# Goofspiel with dice") for text in later)
    assert any("The prize of round" in text for text in later)
    assert any(" takes " in text for text in later)
    assert any("(by standing order)" in text for text in later), "an order laid a card"
    assert any("Standing orders of" in text and "lay: oldest" in text for text in later)
    _check_mail((ann.folder / match.files[5]).with_suffix(".eml"))
    listed = match.ben.does("inbox", str(ann.folder / newest))["games"]
    assert [(game["title"], game["over"]["proven"]) for game in listed] == [
        ("Goofspiel with dice", True)
    ]


def _check_mail(path: Path) -> None:
    """The mail has the board in words and as a picture."""
    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    kinds = {part.get_content_type(): part for part in mail.walk()}
    assert "Goofspiel with dice" in mail["Subject"]
    assert kinds["image/png"].get_content()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "THE POSITION" in kinds["text/plain"].get_content()
