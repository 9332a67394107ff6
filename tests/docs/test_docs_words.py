"""What players read has no word that they cannot know: templates, mails, what commands print, pages
of help."""

from __future__ import annotations

import email
import html
import re
from email.policy import default
from pathlib import Path

import pytest

from examples.make_pages import GAMES, newest
from pbem.fileformat import turnfile
from pbem.ledger.gate import follow
from pbem.mail.compose import preview_mail
from pbem.report import pages
from pbem.table.open_games import OpenGames
from pbem.table.request import PageRequest
from pbem.table.routes import Table
from pbem.turn import signing
from tests.support.begun_game import begin
from tests.support.homes import make_home

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
UNKNOWN = re.compile(
    r"\bentr(?:y|ies)\b|\bthe core\b|settled over|witnessed by|roots? (?:is|are) revealed|your root"
    r"|You can say, whatever you hold|join as |their own program gives what chance decides",
    re.IGNORECASE,
)
"""They belong to docs/trust.md and docs/format.md."""
BEYOND = re.compile(
    r"nobody can (?:bend|choose|foresee|predict|cheat|steer|influence)|choose or foresee|come from"
    r" all players"
    r"|bend(?:s|ing)? (?:its|the|any) (?:dice|chance)|from all players together|saw to it|checks?"
    r" every card"
    r"|(?:tamper|cheat)-?proof|unforgeable|unbreakable|\bguarantee|impossible to"
    r" (?:cheat|forge|fake)|provably",
    re.IGNORECASE,
)
"""What says more than mathematics, or than what was checked: a witness foresees, an inviter may
choose among joins, whoever plays alone looks ahead, and between two the dice come from the
opponent's key."""
CARDS = re.compile(r"\b(?:decks?|cards?)\b", re.IGNORECASE)
WITHOUT_CARDS = {"backgammon"}
"""Games of the examples in which nothing is dealt, so that no card was checked and nobody has a
deck."""
FOR_CHECKERS = {
    "beside",
    "choices",
    "contents",
    "curve",
    "decks",
    "gate",
    "grammar",
    "referee",
    "shuffle",
    "trace",
}
"""Scripts of the second verifier that say what is wrong with a forged file, in the words of
docs/format.md."""
FOR_PROGRAMS = {
    "trust",
    "library",
    "write-a-game",
    "json",
    "format",
    "contributing",
    "release",
    "design",
}
"""Pages of help for whoever checks files, asks tables or writes programs: entries are what these
are made of."""
PAGES = [page.topic for page in pages.pages() if page.topic not in FOR_PROGRAMS]


def told(template: Path) -> list[str]:
    """The words of a template: its text, and what stands in quotes in its expressions."""
    text = template.read_text(encoding="utf-8")
    if template.suffix == ".js":
        quoted = re.findall(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', text)
        return [
            words for words in (re.sub(r"\$\{[^}]*\}", "", one) for one in quoted) if " " in words
        ]
    text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    text = re.sub(
        r"\{%.*?%\}|\{\{.*?\}\}",
        lambda code: " ".join(re.findall(r'"([^"]*)"', code[0])),
        text,
        flags=re.DOTALL,
    )
    return re.sub(r"<[^>]*>", "\n", text).splitlines()


def test_templates_have_no_word_that_a_player_cannot_know() -> None:
    texts = [path for path in TEMPLATES.rglob("*") if path.suffix in (".j2", ".txt", ".js")]
    read = [path for path in texts if path.stem not in FOR_CHECKERS or "replay" not in path.parts]
    read = [path for path in read if "noble" not in str(path)]
    assert len(read) > 60
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in read
        for line in told(path)
        if UNKNOWN.search(line)
    ]
    found = [line for line in found if "'/entry/'" not in line]
    assert not found, found


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_help_for_players_have_none(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert not [
        line for line in re.sub(r"`[^`\n]*`", "", text).splitlines() if UNKNOWN.search(line)
    ]


def test_each_page_of_help_is_for_players_or_for_programs() -> None:
    assert {*pages.FOR_PLAYERS, *pages.FOR_PROGRAMS} > FOR_PROGRAMS and len(PAGES) > 10


def test_readme_has_none() -> None:
    assert not UNKNOWN.search((ROOT / "README.md").read_text(encoding="utf-8"))


def test_no_page_claims_more_than_was_proven() -> None:
    """README, all pages and templates, and what commands' help says; lines are read together:
    claims are wrapped."""
    paths = [
        ROOT / "README.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").glob("*/README.md"),
    ]
    paths += [one for one in TEMPLATES.rglob("*") if one.suffix in (".j2", ".txt", ".js", ".html")]
    paths += [*(ROOT / "pbem").rglob("*.py"), ROOT / "docs" / "check.html"]
    assert len(paths) > 400
    found = [
        f"{path.relative_to(ROOT)}: {claim[0]}"
        for path in paths
        for claim in BEYOND.finditer(joined(path))
    ]
    assert not found, found


def joined(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split()).replace('" "', "")


def test_chance_is_promised_with_what_stands_beside_it() -> None:
    """Copies, walking away, new invitations and the choice among joins are named where a second
    throw is excluded."""
    text = joined(ROOT / "docs" / "trust.md")
    (promise,) = re.findall(r"cannot have it thrown again\.(.{,800})", text)
    assert all(
        word in promise
        for word in ("*copy*", "*walk away*", "*new invitation*", "*choose among the joins*")
    )
    assert "every game with dice" in promise
    unprotected = text[text.index("## Not protected") :]
    assert "**Choosing among joins.** In every game with dice" in unprotected


def texts_of(mail: bytes) -> list[str]:
    read = email.message_from_bytes(mail, policy=default)
    return [
        str(part.get_content()) for part in read.walk() if part.get_content_maintype() == "text"
    ]


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<(?:style|script)\b.*?</|<[^>]*>", "\n", text, flags=re.DOTALL))


def unknown(texts: list[str]) -> list[str]:
    """The lines that have such a word, and claims, tags of HTML and what stands in them left
    out."""
    read = [plain(text) for text in texts]
    lines = [line for text in read for line in text.splitlines() if UNKNOWN.search(line)]
    return lines + [claim[0] for text in read for claim in BEYOND.finditer(" ".join(text.split()))]


@pytest.mark.dear("reads whole games of every kind")
@pytest.mark.parametrize("example", GAMES)
def test_what_a_player_reads_of_each_game_has_none(example: str, tmp_path: Path) -> None:
    """In its middle and at its end: the summary, the mail, and the pages of the table, of which the
    page in a browser shows the same ones in its own words."""
    whole, home = (
        turnfile.read(newest(ROOT / "examples" / example).read_bytes()),
        make_home(tmp_path / "home", "Cleo"),
    )
    said = []
    for count, in_page in ((len(whole.entries) // 2, False), (len(whole.entries), True)):
        game, seen = follow(turnfile.read(whole.prefix(count)))
        mail = preview_mail(game, seen, "turn.toml")
        said += [
            signing.public_summary(game, home),
            *((mail.subject, mail.text, mail.html) if mail else ()),
        ]
        (tmp_path / f"{count}.toml").write_bytes(whole.prefix(count))
        table = Table(OpenGames(home, tmp_path), in_page=in_page)
        name = table.games.open_data((tmp_path / f"{count}.toml").read_bytes()).name
        for path in ("", f"/entry/{count - 1}", "/log")[: 3 if in_page else 2]:
            answer = table.answer(PageRequest("GET", f"/game/{name}{path}"))
            assert answer.status == 200
            said.append(answer.body.decode())
    assert len(said) >= 7 and not unknown(said)
    if example in WITHOUT_CARDS:
        assert not [
            line for text in said for line in plain(text).splitlines() if CARDS.search(line)
        ]


def test_what_commands_and_mails_say_of_a_game_has_none(tmp_path: Path) -> None:
    """An invitation, a joined game, a turn, the end; each shown, verified and told as a story, with
    the mails."""
    begun = begin(tmp_path)
    cleo = begun.stranger()
    begun.write("american", "play", begun.last, "event swedish")
    begun.write("tripolitan", "resign", begun.last, "--yes")
    begun.write("american", "play", begun.last)
    said = []
    for file in begun.files:
        for player in (begun.ann, begun.ben, cleo):
            said += [
                player.types(command, file)[1] for command in ("show", "verify", "dice", "story")
            ]
    said += [
        begun.ann.types("inbox", ".")[1],
        *(path.read_text("utf-8") for path in begun.folder.glob("*.md")),
    ]
    said += [text for path in begun.folder.glob("*.eml") for text in texts_of(path.read_bytes())]
    assert len(said) > 40 and "Every turn holds" in "".join(said)
    assert not unknown(said)
