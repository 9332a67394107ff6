"""Games between players who have homes of their own, made in a moment and without the command
line."""

from __future__ import annotations

import email
import email.policy
import random
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path

from pbem.fileformat.turnfile import read
from pbem.home.home import Home
from pbem.mail.compose import turn_mail
from pbem.report import standing
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support import read_game
from tests.support.forgetful import forgotten_entry
from tests.support.homes import complete_answers
from tests.support.homes import make_home as make_home


@dataclass
class Played:
    """A game: every file that was written, and the home of each seat."""

    homes: dict[str, Home]
    files: list[bytes] = field(default_factory=list)

    @property
    def newest(self) -> bytes:
        return self.files[-1]

    def to_act(self) -> str:
        seat = turn_of(self.newest)
        assert isinstance(seat, str)
        return seat


def start(
    folder: Path, names: tuple[str, str] = ("Ann", "Ben"), mails: tuple[str, str] | None = None
) -> Played:
    """An invitation to Tripoli and the answer to it."""
    mails = mails or ("ann@example.org", "ben@example.org")
    ann, ben = (make_home(folder / f"home{n}", names[n], mails[n]) for n in range(2))
    played = Played({"american": ann, "tripolitan": ben})
    played.files.append(joining.invite(ann, joining.NewGame("tripoli")))
    played.files.append(joining.join(open_game.open_file(played.newest, ben), ben))
    return played


def go_on(played: Played, entries: int, seed: int = 1, message: str = "") -> Played:
    """So many entries more, by chance."""
    dice = random.Random(seed)
    for _ in range(entries):
        if not turn_of(played.newest):
            break
        played.files.append(one_entry(played, played.newest, dice, message))
    return played


def one_entry(
    played: Played, data: bytes, dice: random.Random, message: str = "", keep: bool = True
) -> bytes:
    """The next file after this one."""
    opened = open_game.open_file(data, played.homes[str(turn_of(data))])
    write = take_turn.next_entry if keep else forgotten_entry
    return write(opened, Intent(complete_answers(opened, dice.choice), message=message))


@lru_cache(maxsize=64)
def turn_of(data: bytes) -> str | list[str]:
    """The seats that the game waits for, as a command says it."""
    return standing.to_act(read_game.replay_bytes(data))


def mail_of(data: bytes, name: str = "turn.toml", own: Path | None = None) -> bytes:
    made = turn_mail(read(data), name, own)
    assert made is not None
    return made


@lru_cache(maxsize=64)
def mail_once(data: bytes) -> bytes:
    """The same, made once for all tests that only read it: drawing its picture takes longest."""
    return mail_of(data)


def parsed(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert isinstance(part, EmailMessage)
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n")


def attachment(message: EmailMessage) -> bytes:
    (part,) = [
        part for part in message.walk() if part.get_content_type() == "application/octet-stream"
    ]
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content
