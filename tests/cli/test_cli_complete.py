"""Completion in the shells, man pages, and the command that installs each."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from pbem import __date__, __version__
from pbem.cli import shells
from pbem.cli.app import every_command
from pbem.cli.complete import unquoted
from release import make
from tests.support import known_templates
from tests.support.begun_game import BegunGame

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(shells.__file__).parent / "completions"


@pytest.fixture
def begun(looked_at: BegunGame) -> BegunGame:
    """Nothing here writes a turn."""
    return looked_at


def offered(begun: BegunGame, *words: str) -> list[str]:
    code, out, err = begun.ann.types("complete", "--", *words)
    assert (code, err) == (0, ""), words
    return out.splitlines()


def short(begun: BegunGame) -> str:
    return begun.last.rpartition("-")[0]


def test_commands_options_games_and_topics(begun: BegunGame) -> None:
    assert offered(begun, "re") == [
        "resign",
        "rematch",
        "remind",
        "replay",
    ] and "complete" not in offered(begun, "co")
    assert offered(begun, "show", "--pub") == ["--public"]
    assert offered(begun, "new", "lo") == ["loot"]
    assert "trust" in offered(begun, "help", "t") and offered(begun, "help", "mov") == ["moves"]
    assert offered(begun, "completion", "z") == ["zsh"]
    assert offered(begun, "nothing", "x") == [] and offered(begun, "games", "loot", "") == []
    assert offered(begun, "nothing", "re") == []
    assert (
        offered(begun, "--ver") == ["--version"] and offered(begun, "show", "--json", "--js") == []
    )
    assert "play" in offered(begun, "man", "pl") and "complete" not in offered(begun, "man", "com")


def test_games_by_short_name_and_turn_files(begun: BegunGame) -> None:
    assert short(begun) in offered(begun, "show", "trip") and begun.last in offered(
        begun, "show", "trip"
    )
    assert not [name for name in offered(begun, "show", "") if name.endswith(".md")]
    for command in ("replay", "analyse", "sent", "name", "export", "explore"):
        assert begun.last in offered(begun, command, "trip"), command
    assert (
        "tripoli" in offered(begun, "explore", "trip") and offered(begun, "id", "--name", "") == []
    )
    assert offered(begun, "auto", "on", "trip") == [short(begun)]
    assert f"{begun.folder}/" in offered(begun, "show", begun.last, "--dir", str(begun.folder)[:-1])
    assert "Storms" in offered(begun, "card", short(begun), "S") and "admiral" in offered(
        begun, "card", "loot", "a"
    )


def test_the_answers_that_are_legal_now(begun: BegunGame) -> None:
    options = begun.ann.does("moves", begun.last)["options"]
    assert offered(begun, "play", begun.last, "") == options
    assert offered(begun, "play", "--no-mail", "--message", "Hi", begun.last, '"event sw') == [
        "event Swedish Frigates Arrive"
    ]
    move = next(option for option in options if option.startswith("move with"))
    after = begun.ann.does("moves", begun.last, "--after", move)["options"]
    assert offered(begun, "play", begun.last, f"{move}; ") == [
        f"{move}; {option}" for option in after
    ]
    assert offered(begun, "show", begun.last, "--after", "event sw") == [
        "event Swedish Frigates Arrive"
    ]


def test_what_cannot_be_completed_is_silence(begun: BegunGame) -> None:
    assert offered(begun, "play", "missing.toml", "ev") == []
    assert begun.ben.types("complete", "--", "play", begun.last, "ev") == (0, "", "")
    assert begun.stranger().types("complete", "--", "play", begun.last, "ev") == (0, "", "")


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ('"event jeff', "event jeff"),
        ("'a b'", "a b"),
        (r"event\ jeff", "event jeff"),
        ('""', ""),
        ("a", "a"),
    ],
)
def test_words_as_they_stand_on_the_line(word: str, plain: str) -> None:
    assert unquoted(word) == plain


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def path(begun: BegunGame, tmp_path: Path) -> dict[str, str]:
    """An environment in which `pbem` is this program, with Ann's home."""
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    root = Path(__file__).parents[2]
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m pbem "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    known_templates.lay_in(begun.ann.home)
    home = str(tmp_path / "home")
    return {
        "PATH": f"{program.parent}:/usr/bin:/bin",
        "PBEM_HOME": str(begun.ann.home),
        "HOME": home,
        "LC_ALL": "C.UTF-8",
    }


def run(command: list[str], begun: BegunGame, path: dict[str, str]) -> list[str]:
    done = subprocess.run(
        command, cwd=begun.folder, env=path, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_bash_offers_what_the_program_says(begun: BegunGame, path: dict[str, str]) -> None:
    script = f"""source {SCRIPTS / "pbem.bash"}
COMP_WORDS=(pbem play {begun.last} '"event sw'); COMP_CWORD=3; _pbem; printf '%s\\n' "${{COMPREPLY[@]}}"
COMP_WORDS=(pbem ver); COMP_CWORD=1; _pbem; printf '%s\\n' "${{COMPREPLY[@]}}"
"""  # noqa: E501
    assert run([shell("bash"), "-c", script], begun, path) == [
        "event Swedish Frigates Arrive",
        "verify",
    ]


@pytest.mark.dear("starts the program three times from each shell")
@pytest.mark.parametrize("name", ["bash", "fish", "zsh"])
def test_a_name_that_reads_like_a_pattern_is_offered_as_it_is(
    name: str, begun: BegunGame, tmp_path: Path, path: dict[str, str]
) -> None:
    """`[x].toml` is a file of its own, also where `x.toml` lies beside it."""
    names = ["[x].toml", "[x] two.toml", "*.toml", "x.toml", "?.toml"]
    if name == "fish":
        names.remove("*.toml")  # fish takes a star for its own, quoted or not
    for one in names:
        (tmp_path / one).write_bytes(b"")
    script = {
        "bash": f"source {SCRIPTS / 'pbem.bash'}; COMP_CWORD=2\n"
        + "for word in '[x]' '*' '?'; do COMP_WORDS=(pbem show \"$word\"); _pbem\n"
        + "printf '%s\\n' \"${COMPREPLY[@]}\"; done",
        "fish": f"source {SCRIPTS / 'pbem.fish'}; for word in '[x]' '?'\n"
        + 'complete -C "pbem show \'$word"; end',
        "zsh": f"compdef() {{ }}; source {SCRIPTS / '_pbem'}\n"
        + 'compadd() { shift 2; print -rl -- "$@" }; CURRENT=3\n'
        + "for word in '[x]' '*' '?'; do words=(pbem show \"'$word\"); _pbem; done",
    }[name]
    done = subprocess.run(
        [shell(name), *(["-f"] if name == "zsh" else []), "-c", script],
        cwd=tmp_path,
        env=path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(done.stdout.splitlines()) == sorted(one for one in names if one != "x.toml")


def test_fish_offers_what_the_program_says(begun: BegunGame, path: dict[str, str]) -> None:
    script = (
        f"source {SCRIPTS / 'pbem.fish'}; complete -C 'pbem ver'; complete -C 'pbem play"
        f" {begun.last} \"event sw'"
    )
    assert run([shell("fish"), "-c", script], begun, path) == [
        "verify",
        "event Swedish Frigates Arrive",
    ]


def test_zsh_reads_its_script(begun: BegunGame, path: dict[str, str]) -> None:
    script = f"""compdef() {{ print "$@" }}; source {SCRIPTS / "_pbem"}
compadd() {{ shift 2; print -l -- "$@" }}
words=(pbem play {begun.last} '"event sw'); CURRENT=4; _pbem; words=(pbem ver); CURRENT=2; _pbem"""
    found = run([shell("zsh"), "-f", "-c", script], begun, path)
    assert found == ["_pbem pbem", "event Swedish Frigates Arrive", "verify"]


def test_each_shell_is_installed_once(
    begun: BegunGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".zshrc").write_text("setopt autocd", encoding="utf-8")
    for name, found in shells.SHELLS.items():
        first = begun.ann.does("completion", name, "--install")["files"]
        again = begun.ann.does("completion", name, "--install")["files"]
        assert Path(first[0]).read_text("utf-8") == (SCRIPTS / found.script).read_text("utf-8")
        assert len(first) == (2 if found.line else 1) and again == first[:1]
        assert all(Path(path).is_relative_to(tmp_path) for path in first)
    lines = (tmp_path / ".zshrc").read_text("utf-8").splitlines()
    assert lines[0] == "setopt autocd" and len(lines) == 2 and "_pbem" in lines[1]
    code, _, err = begun.ann.types("completion", "tcsh")
    assert code == 2 and ", ".join(shells.SHELLS) in err


def test_man_pages_are_those_of_the_commands(
    begun: BegunGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    written = [Path(path) for path in begun.ann.does("man", "--install")["files"]]
    names = {name for name, command in every_command().items() if not command.hidden}
    assert {path.name for path in written} == {"pbem.1", *(f"pbem-{name}.1" for name in names)}
    assert {path.parent for path in written} == {tmp_path / "man" / "man1"}
    play = begun.ann.types("man", "play")[1]
    assert r"\-\-dry\-run" in play and "A standing order" in play
    assert begun.ann.types("man", "nothing")[0] == 2


def test_each_man_page_has_the_day_of_its_version() -> None:
    """That of the release where the changes tell of one: not the day of a build."""
    pages = [text for path, text in make.made().items() if path.suffix == ".1"]
    heads = {re.sub(r"^\.TH \S+ ", "", text.splitlines()[0]) for text in pages}
    assert heads == {f'1 "{__date__}" "pbem {__version__}" "pbem"'}
    assert date.fromisoformat(__date__)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(rf"^## \[{re.escape(__version__)}\] - (\S+)", changes, re.MULTILINE)
    assert released in ([], [__date__])


def test_mandoc_finds_nothing_wrong_in_a_page() -> None:
    """It is stricter than groff about what a page must say of itself."""
    for path, text in make.made().items():
        if path.suffix == ".1":
            command = [shell("mandoc"), "-T", "lint", "-W", "warning"]
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (0, ""), path


def test_man_reads_each_page_without_a_warning(begun: BegunGame) -> None:
    pages = [text for path, text in make.made().items() if path.suffix == ".1"]
    command = [shell("groff"), "-man", "-ww", "-Tutf8"]
    done = subprocess.run(command, input="".join(pages), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    # bold letters are printed twice, or in colours
    plain = re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)
    shown = re.split(r"^NAME$", plain, flags=re.MULTILINE)[1:]
    assert len(shown) == len(pages) and all(len(page.splitlines()) > 15 for page in shown)


def test_what_the_wheel_brings_is_up_to_date() -> None:
    """`python -m release.make` writes share/ anew."""
    found = {path.relative_to(make.SHARE) for path in make.SHARE.rglob("*") if path.is_file()}
    assert found == set(make.made())
    for path, text in make.made().items():
        assert (make.SHARE / path).read_text(encoding="utf-8") == text, path


def test_the_bill_of_materials_names_every_library() -> None:
    bill = make.bill()
    assert bill["bomFormat"] == "CycloneDX" and bill["specVersion"] == "1.6"
    names = {part["name"] for part in bill["components"]}
    assert {"typer", "cryptography", "PyNaCl", "jinja2", "rich", "pillow", "keyring"} <= names
    references = [part["bom-ref"] for part in bill["components"]]
    assert (
        len(set(references)) == len(references)
        and bill["dependencies"][0]["dependsOn"] == references
    )
