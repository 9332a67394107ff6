"""Names and messages come from strangers: nothing of them may work as Markdown, HTML or a
terminal's command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples.correspondence import Player, two_players
from tests.support.begun_game import BegunGame
from tests.support.golden_words import Golden

NAMES = [
    "[x](http://evil)",
    "<b>Ben</b>",
    "`rm -rf`",
    "![x](y)",
    "| a | b |",
    "a_b_c *d* ~e~",
    "# Ben",
    "Ben\\",
    "&lt;",
]
REFUSED = [
    "\x1b[31mBen",
    "Ben\x07",
    "a\nb",
    "\u202eneB",
    "Ben\u200b",
    "\x9b31m",
    "\x00",
    "\ufeffBen",
    "x" * 81,
    "\u2800",
    "Ben\u00a0",
]


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_a_name_that_a_terminal_would_obey_is_refused(tmp_path: Path, name: str) -> None:
    player = Player("Mallory", tmp_path / "mallory", tmp_path, True)
    code, out, err = player.types("id", "--name", name)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.strip("\n").isprintable()
    assert not (tmp_path / "mallory" / "identity.pem").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_it_is(tmp_path: Path, name: str) -> None:
    players = two_players(tmp_path, in_process=True)
    ann, mallory = players["american"], players["tripolitan"]
    ann.does("id", "--name", "Ann")
    mallory.does("id", "--name", name)
    joined = mallory.does("join", ann.does("new", "tripoli")["file"])
    page = (tmp_path / "mails" / joined["summary"]).read_text(encoding="utf-8")
    assert _marks(page) == _marks(page.replace(_escaped(name), "Ben"))
    assert _escaped(name) in page
    _, text, _ = ann.types("show", joined["file"])
    assert name in text, "a terminal shows it as it is"


def _escaped(name: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|~!+(){}-])", r"\\\1", name.replace("&", "&amp;"))


def _without_escapes(page: str) -> str:
    return re.sub(r"\\[\\`*_\[\]<>#|~!+(){}-]|&amp;", "", page)


def _marks(page: str) -> list[str]:
    """Every character of a page that Markdown or HTML could take for a mark."""
    return re.findall(r"[\\`*_\[\]<>#|~!&]", _without_escapes(page))


def test_a_message_cannot_leave_its_quote(begun: BegunGame) -> None:
    message = "Hello\n\n# Turn 9: Ann (american)\n- american resigns\n<script>x</script>\n[x](http://evil)\n```\n"
    facts = begun.ann.does("play", begun.last, "event swedish", "--message", message)
    page = (begun.folder / facts["summary"]).read_text(encoding="utf-8")
    assert (
        "> \\# Turn 9: Ann \\(american\\)\n> \\- american resigns\n> \\<script\\>x\\</script\\>\n"
        in page
    )
    assert not [
        line for line in page.splitlines() if "resigns" in line and not line.startswith("> ")
    ]
    _, text, _ = begun.ben.types("show", facts["file"])
    assert "      | # Turn 9: Ann (american)\n      | - american resigns\n" in text


def test_what_is_typed_is_not_sent_back_to_the_terminal(begun: BegunGame) -> None:
    for arguments in (
        ["play", begun.last, "event \x1b[2Jx"],
        ["show", "\x1b[2J"],
        ["show", "--\x1b[2J"],
        ["\x1b[2J"],
    ):
        code, out, err = begun.ann.types(*arguments)
        assert code in (1, 2) and out == ""
        assert err.count("\n") == 1 and err.strip("\n").isprintable()


def test_a_forged_file_cannot_speak_to_the_terminal(begun: BegunGame) -> None:
    data = (begun.folder / begun.last).read_bytes()
    for number, (old, new) in enumerate(
        [
            (b'name = "Ben"', b'name = "B\x1b[2Job"'),
            (b'name = "Ben"', b'name = "B\\u001b[2Job"'),
            (b'seat = "tripolitan"', b'seat = "\xc2\x9b2J"'),
            (b'game = "tripoli"', b'game = "\xe2\x80\xaeiloport"'),
            (b"\nnonce = ", b"\nno\x1bce = "),
        ]
    ):
        (begun.folder / f"forged{number}.toml").write_bytes(data.replace(old, new, 1))
        for command in ("verify", "show", "dice", "join"):
            code, out, err = begun.stranger_with_key().types(command, f"forged{number}.toml")
            assert (code, out) == (3, "")
            assert err.count("\n") == 1 and err.strip("\n").isprintable()


def test_a_template_of_the_players_own(begun: BegunGame, golden: Golden) -> None:
    """It replaces the shipped one; a broken one is said to be broken, with its line."""
    folder = begun.ann.home / "templates"
    folder.mkdir()
    (folder / "report.txt.j2").write_text(
        "{{ title }} by {{ players[0].name }}\n", encoding="utf-8"
    )
    assert begun.ann.types("show", begun.last)[1] == "The Shores of Tripoli by Ann\n"
    (folder / "report.txt.j2").write_text("one\n{{ nothing.at.all }}\n", encoding="utf-8")
    code, out, err = begun.ann.types("show", begun.last)
    assert (code, out) == (2, "") and err.count("\n") == 1
    golden(err.replace(f"{begun.ann.home}/", ""))
