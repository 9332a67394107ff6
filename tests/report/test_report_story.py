"""What a mail tells of each entry: something of every one, in the words of the reports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat.turnfile import read
from pbem.ledger.gate import follow
from pbem.mail import compose
from pbem.report import render
from pbem.report.facts import report
from pbem.report.lines import OrderLine
from pbem.report.model import EntryFacts
from tests.support.archived import Believing
from tests.support.golden_words import Golden
from tests.support.mail_kit import body, mail_of, parsed
from tests.support.watch_kit import tripoli

ARCHIVE = Path(__file__).parent.parent / "archive"


def facts_from_the_start(file: Path) -> compose.MailFacts:
    """What a mail with the whole game in it would tell."""
    game, seen = follow(read(file.read_bytes()), Believing())
    facts, _ = compose.facts_of(game, seen)
    faces = game.public_faces()
    return with_entries(facts, report(game, None, faces, 0).position.entries)


def with_entries(facts: compose.MailFacts, entries: Sequence[EntryFacts]) -> compose.MailFacts:
    """A mail that tells of these entries."""
    return replace(facts, report=facts.report.with_entries(entries), file="x.toml")


@pytest.mark.dear("reports every turn of whole games")
@pytest.mark.parametrize("file", sorted(ARCHIVE.glob("*.toml")), ids=lambda path: path.stem)
def test_no_entry_is_empty(file: Path) -> None:
    facts = facts_from_the_start(file)
    text = render.render("mail.txt.j2", facts)
    story = text.partition("WHAT HAPPENED")[2].partition("\nTHE POSITION")[0]
    told = re.split(r"\n  [^\n]+, (?:turn|file) \d+\n", story)[1:]
    assert len(told) == len(facts.report.position.entries) > 2
    for entry in told:
        assert re.match(r"    - \S", entry), entry
    html = render.render("mail.html.j2", facts)
    lists = re.findall(r"(?s)<ul.*?</ul>", html)
    assert len(lists) == len(facts.report.position.entries)
    for items in lists:
        assert re.search(r"<li>[^<\s]", items), items


def test_a_root_that_is_revealed_is_told() -> None:
    data = (ARCHIVE / "tripoli-1.toml").read_bytes()
    message = parsed(mail_of(data))
    for kind, mark in (("plain", "- "), ("html", "<li>")):
        assert re.search(mark + r"\w+\s+opens\s+their\s+whole\s+deck", body(message, kind)), kind


def test_words_of_the_story_are_escaped_once() -> None:
    facts = facts_from_the_start(ARCHIVE / "tripoli-1.toml")
    line = OrderLine("american", "<b>&</b>")
    facts = with_entries(facts, [replace(facts.report.position.entries[-1], lines=[line])])
    html = render.render("mail.html.j2", facts)
    assert ": &lt;b&gt;&amp;&lt;/b&gt;</li>" in html
    assert ": <b>&</b>" in render.render("mail.txt.j2", facts)


def test_a_story_with_ones_own_cards_says_at_its_head_that_it_is_for_nobody_else(
    tmp_path: Path, golden: Golden
) -> None:
    stage, data = tripoli(tmp_path)
    data = stage.write(stage.one, data)
    (tmp_path / "turn.toml").write_bytes(data)
    ann = Player("Ann", stage.one.home.folder, tmp_path, in_process=True)
    for form in ("text", "md"):
        own, public = (
            ann.types("log", "turn.toml", "--format", form, *given)[1]
            for given in ((), ("--public",))
        )
        (head,) = (line for line in own.split("entry 0")[0].splitlines() if "--public" in line)
        golden(head)
        assert head not in public
    assert (
        ann.does("log", "turn.toml")["private"]
        and not ann.does("log", "turn.toml", "--public")["private"]
    )
