"""Somebody to play with in a chat: a seek is a message of the app (docs/design.md, "Places a page
runs in")."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from pbem.home.clock import now
from pbem.seek import kept
from pbem.seek.seek_file import write_seek
from pbem.table.request import PageRequest
from pbem.web import chat
from pbem.web.updates import SeekUpdate, read_update
from tests.support.chat_kit import Chat, Member
from tests.vectors.make import sample
from tests.vectors.make_seeks import ANN, SMALL

FORM = {"game": "backgammon", "days": "7", "languages": "en", "chat": "in this chat"}


def member(folder: Path, name: str) -> Member:
    return Member(folder, name)


def does(who: Member, path: str, **fields: str) -> int:
    """Send a form of the page about seeks."""
    return who.table.answer(PageRequest("POST", f"/find/{path}", fields=fields)).status


def shown(who: Member) -> list[str]:
    """The seeks that their page offers to answer."""
    page = who.table.answer(PageRequest("GET", "/find")).body.decode()
    return [html.unescape(one) for one in re.findall(r'name="seek" value="(format[^"]*)"', page)]


def test_a_seek_goes_to_the_chat_and_the_answer_comes_back(tmp_path: Path) -> None:
    ann, ben = member(tmp_path, "Ann"), member(tmp_path, "Ben")
    group = Chat(ann, ben)
    assert does(ann, "seek", **FORM) == 200
    group.settle()
    group.settle()
    assert [sorted(one) for one in group.sent] == [["pbem", "seek"]], "sent once"
    assert len(ben.lines) == 1 and ann.lines == []
    assert shown(ann) == [], "their own"
    (text,) = shown(ben)
    assert does(ben, "answer", seek=text) == 303
    group.settle()
    (game,) = ann.newest()
    assert game in ben.newest()
    group.play(6)
    assert len(ann.newest()[game]) > 2000, "they play"
    (own,) = kept.own_seeks(kept.kept(ann.home))
    assert does(ann, "taken", seek=own.digest.hex()) == 200
    cleo = member(tmp_path, "Cleo")
    late = Chat(ann, ben, cleo)
    for payload in group.sent:
        cleo.held.append(payload)
    late.settle()
    assert shown(cleo) == [], "whoever comes later sees that it is over"


def test_junk_and_floods_in_a_chat_are_bounded(tmp_path: Path) -> None:
    ben, cleo = member(tmp_path, "Ben"), member(tmp_path, "Cleo")
    does(cleo, "seek", **FORM)
    (genuine,) = (one["payload"] for one in cleo.read())
    flood = [
        {"pbem": 1, "seek": made.data.decode()}
        for made in (
            write_seek(SMALL, now(), sample(f"seek {number}"), ANN.public, ANN.sign)
            for number in range(300)
        )
    ]
    junk: list[Any] = [
        {"pbem": 1, "seek": text} for text in ("", "x", "\r\n", genuine["seek"][:-9], "x" * 9999)
    ]
    ben.held = [genuine, *flood, *junk, {"pbem": 1, "seek": 7}, {"pbem": 1, "seek": None}]
    assert ben.read() == []
    known = kept.kept(ben.home).found
    assert len(known) <= kept.MOST_OF_KEY
    assert len(ben.lines) <= chat.MOST_SEEK_LINES
    ben.held = [genuine]
    ben.read()
    assert genuine["seek"] in kept.kept(ben.home).found
    assert all("<" not in line for line in ben.lines)


def test_an_update_with_a_seek_is_read_strictly() -> None:
    text = write_seek(SMALL, now(), sample("one"), ANN.public, ANN.sign).data.decode()
    assert read_update({"pbem": 1, "seek": text}) == SeekUpdate(text)
    for other in (
        {"pbem": 2, "seek": text},
        {"pbem": 1, "seek": text, "by": "x"},
        {"pbem": 1, "seek": [text]},
        {"pbem": 1, "seek": text + "\r"},
        {"pbem": True, "seek": text},
    ):
        assert read_update(json.loads(json.dumps(other))) is None
