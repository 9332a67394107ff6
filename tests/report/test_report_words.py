"""The words of mails and reports: each event once, in the words of the game, players by name."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import pytest

from pbem.cli.guided.display import PreviewFacts
from pbem.english import joined, repeated
from pbem.fileformat.turnfile import read
from pbem.ledger.gate import LastSeen, extend, follow
from pbem.ledger.ledger import Ledger
from pbem.mail import compose
from pbem.mail.program import wheel_name
from pbem.mail.settings import ProgramSource
from pbem.report import picture, render
from pbem.report.facts import report
from pbem.report.lines import AnswerLine, GameData, deeds
from pbem.report.log import LogFacts
from pbem.report.model import Report, names_of
from pbem.table.game_page import GamePage, LogPage, Reply
from pbem.table.look_back import EntryPage
from tests.support.archived import Believing
from tests.support.golden_words import Golden
from tests.support.mail_kit import body, parsed, start

ARCHIVE = Path(__file__).parents[1] / "archive"
FILES = sorted(ARCHIVE.glob("*.toml"))
WHOLE = {"tripoli-1", "tripoli-solitaire-1", "loot-1", "paradise-4-witnessed"}
PROTOCOL = re.compile(
    r"\banswers?\b|\bopens [a-z]\d|\bdone\b|sits down|to witness|\bproofs?\b|\bseals?\b|\broot\b"
)


@lru_cache
def mails(file: Path) -> list[tuple[str, compose.MailFacts, GameData | None]]:
    """The text of some mails of a game, the first and the last among them, and what they tell."""
    whole = read(file.read_bytes())
    last = len(whole.entries)
    chosen = {1, 2, last, *random.Random(7).sample(range(1, last), min(12, last - 1))}
    game, seen = Ledger(Believing()), LastSeen()
    made = []
    for entry in whole.entries:
        extend(game, seen, entry)
        if entry.number + 1 in chosen:
            facts, before = compose.facts_of(game, seen)
            made.append((render.render("mail.txt.j2", facts), facts, before))
    return made


@pytest.mark.dear("reports every turn of whole games")
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_no_mail_tells_its_news_in_the_words_of_the_protocol(file: Path) -> None:
    for text, facts, _ in mails(file):
        news = text.partition("HOW TO ")[0].partition("THE POSITION")[0]
        words = re.sub(r"You can say[^.]*\.", "", news)  # the answers, as they are typed
        assert not PROTOCOL.search(words.replace(" opens ", " ")), news
        assert "HOW TO CHECK" in text
        told = re.findall(r"^    - (.*(?:\n      .*)*)", news, re.MULTILINE)
        assert all(line[0].isupper() or line[0].isdigit() for line in told), told
        assert told or len(facts.report.position.entries) == 1, "only an invitation tells nothing"
        for turn in facts.report.position.entries:
            for line in turn.lines:
                if isinstance(line, AnswerLine) and line.text == "done":
                    assert "done" not in words


@pytest.mark.dear("draws pictures of whole games")
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_the_picture_names_whom_the_words_name(file: Path) -> None:
    seats = {
        "american": "America",
        "tripolitan": "Tripolitania",
        "tonga": "Tonga",
        "white": "White",
        "black": "Black",
    }
    named = 0
    for text, written, before in mails(file):
        facts = written.report
        if (
            not facts.position.view
            or facts.turn.asked is None
            or facts.progress.over
            or facts.position.view.get("active", "") is None
        ):
            continue
        drawn = picture.svg(
            facts.about.game,
            facts.position.view,
            before,
            [],
            waiting=facts.turn.asked,
            names=names_of(facts.position.players),
        )
        letters = " ".join(re.findall(r">([^<>]+)<", drawn))
        seat = facts.turn.asked.seat
        name = next(player.name for player in facts.position.players if player.seat == seat)
        assert re.search(rf"waits for {name}\b|\b{name} to play", letters), letters
        assert re.search(rf"^{name} \({re.escape(seats.get(seat, seat))}\), ", text, re.MULTILINE)
        named += 1
    assert named > (5 if file.stem in WHOLE else 0)


def test_the_words_say_when_the_dice_are_thrown(golden: Golden) -> None:
    """What is settled by the reader's own program is told as that, with the place of the fight."""
    whole = read((ARCHIVE / "tripoli-1.toml").read_bytes())
    said = []
    game, seen = Ledger(Believing()), LastSeen()
    for entry in whole.entries[:-1]:
        extend(game, seen, entry)
        facts, _ = compose.facts_of(game, seen)
        asked = facts.report.turn.asked
        if asked is not None and asked.what == "proof":
            said.append(" ".join(render.render("mail.txt.j2", facts).split()))
    golden(
        *sorted(
            {words for text in said for words in re.findall(r"[^.]* when you open it[^:]*", text)}
        )
    )


def test_one_event_is_one_sentence() -> None:
    event = {"kind": "event", "seat": "american", "card": "Naval Movement"}
    moved = {
        "kind": "moved",
        "piece": "American frigate",
        "count": 2,
        "from": "Gibraltar",
        "to": "Malta",
    }
    opened = {"kind": "opened"}
    answer = AnswerLine("american", "event Naval Movement", False)
    found = deeds(
        [answer, opened, event, moved, answer, moved],
        ["opened"],
        {"moved": [], "answer": ["event"]},
    )
    twice = {**moved, "count": 4}
    assert [(deed.lead, list(deed.details)) for deed in found] == [
        (answer, []),
        (event, [twice, answer]),
    ]
    assert deeds([event, moved, moved], [], {"moved": []}) == [(event, (twice,), False)]
    found = deeds([moved, answer, moved], [], {"moved": []})
    assert [deed.lead for deed in found] == [
        None,
        answer,
        None,
    ], "nothing follows from an answer itself"
    found = deeds([answer, event], [], {}, answers=False)
    assert [deed.lead for deed in found] == [event], "what a story tells needs no answer beside it"
    assert [deed.lead for deed in deeds([event, answer], [], {}, answers=False)] == [event, answer]
    mine, theirs = ({"kind": "shown", "seat": seat} for seat in ("first", "second"))
    found = deeds([mine, mine, theirs], [], {"shown": ["shown"]})
    assert [len(deed.details) for deed in found] == [1, 0], "two players, two sentences"
    ordered = deeds([AnswerLine("american", "x", True), event, event], ["answer"], {})
    assert [deed.ordered for deed in ordered] == [True, False]


def test_a_play_in_the_words_of_the_game() -> None:
    whole = read((ARCHIVE / "tripoli-1.toml").read_bytes())
    game, _ = follow(whole, Believing())
    facts = report(game, None, game.public_faces(), 0)
    story = render.render("log.txt.j2", facts_of_log(facts))
    assert re.search(r"America plays [A-Z].*: \w+ (American )?frigates? sails? from \w+", story)
    assert re.search(r"throw (\d )+\((no|\w+) hits?\)", story)


def test_why_the_bot_did_not_play_its_cards_is_one_list() -> None:
    whole = read((ARCHIVE / "tripoli-solitaire-1.toml").read_bytes())
    game, _ = follow(whole, Believing())
    facts = report(game, None, game.public_faces(), 0)
    told = render.render("log.txt.j2", facts_of_log(facts)).splitlines()
    lists = [line for line in told if "Constantinople Sends Aid needs Derne" in line]
    assert lists and all("Yusuf Qaramanli needs two allies" in line for line in lists)
    assert not [line for line in told if line.strip().startswith("Yusuf Qaramanli needs")]


def test_a_name_in_a_template_means_one_thing() -> None:
    """A page's own facts and those of the report in it have no name in common, and the report keeps
    all of its own."""
    game, seen = follow(read((ARCHIVE / "tripoli-1.toml").read_bytes()), Believing())
    facts, _ = compose.facts_of(game, seen)
    reported, names = render.names_of(facts.report), render.names_of(facts)
    for page in (compose.MailFacts, PreviewFacts, GamePage, EntryPage, LogFacts, LogPage):
        assert not {one.name for one in fields(page)} & reported.keys()
    assert not {one.name for one in fields(Reply)} & reported.keys()
    assert names["title"] == "The Shores of Tripoli" and names["author"] == facts.author

    @dataclass
    class Twice:
        report: Report
        title: str

    with pytest.raises(ValueError, match="title"):
        render.names_of(Twice(facts.report, "another"))


def facts_of_log(facts: object) -> dict[str, object]:
    return {**render.names_of(facts), "last": 0}


def test_parts_of_a_sentence() -> None:
    assert [joined(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert joined(["a, b", "c"]) == "a, b; c" and joined(["a and b", "c"]) == "a and b; c"
    assert repeated(["a", "a", "b", "a"]) == ["a (2 times)", "b", "a"]


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("Ann", "Ben"), ["Ann", "Ben"]),
        (("Ann", "ann"), ["american", "tripolitan"]),
        (("Zoë O'Neill", "Tripolitan"), ["Zoë O'Neill", "tripolitan"]),
        (("*Ann*", "<b>Ben</b>"), ["american", "tripolitan"]),
        (("Ann. Ben resigns", "PBEM TURN"), ["american", "tripolitan"]),
    ],
)
def test_a_name_stands_in_sentences_only_if_it_can_do_nothing(
    tmp_path: Path, names: tuple[str, str], called: list[str]
) -> None:
    game = start(tmp_path, names=names)
    replayed, _ = follow(read(game.newest))
    assert [player.called for player in report(replayed, None, {}, 0).position.players] == called


def test_the_first_mail_explains_itself(tmp_path: Path) -> None:
    """To somebody who has never heard of the program: what it is, where it comes from, and each
    step to the seat."""
    invitation = read(start(tmp_path).files[0])
    game, seen = follow(invitation)
    source = ProgramSource(file=wheel_name().name)
    message = parsed(
        compose.compose(invitation.data, game, seen, "tripoli-0000.toml", None, source=source)
        or b""
    )
    for kind in ("plain", "html"):
        words = " ".join(re.sub("<[^>]*>", " ", body(message, kind)).split())
        for part in (
            (
                "Ann invites you to play The Shores of Tripoli by mail. The seat for you:"
                " Tripolitania."
            ),
            "pbem is a free program",
            "a computer with Windows, macOS or Linux; a telephone can only read the mails",
            "Get Python (3.11 or newer) and pipx",
            f"Get the program from Ann: it is one file, {source.file}",
            "ask Ann in another way, on the telephone say, whether it is theirs",
            "py -m pipx ensurepath",
            "brew install python pipx",
            "sudo apt install python3 pipx",
            f"cd Downloads pipx install ./{source.file}",
            "pbem join tripoli-0000.toml",
        ):
            assert part in words, part
        assert "pbem moves" not in words
