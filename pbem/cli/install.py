"""Puts completion and man pages where the shell and `man` find them, for one user."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_SCRIPTS = Path(__file__).parent / "completions"
_MARK = "# pbem completion"


@dataclass(frozen=True)
class InstalledFiles:
    """Files that were written or changed."""

    files: list[str]


@dataclass(frozen=True)
class CompletionScript:
    """What a shell reads to complete the commands of pbem."""

    shell: str
    script: str


class Shell(NamedTuple):
    """How a shell finds its completions: the script that comes with the program, where it is put
    below the user's data (or configuration) folder, and the line that has it read by the shell's
    own file, if one is needed."""

    script: str
    place: str
    line: str = ""


SHELLS: Mapping[str, Shell] = {
    "bash": Shell("pbem.bash", "bash-completion/completions/pbem"),
    "zsh": Shell(
        "_pbem",
        "zsh/site-functions/_pbem",
        "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit }}; source {path}",
    ),
    "fish": Shell("pbem.fish", "fish/completions/pbem.fish"),
    "powershell": Shell("pbem.ps1", "pbem/pbem.ps1", ". {path}"),
}


def script_of(shell: str) -> str:
    """What the shell reads to complete the commands of pbem."""
    return (_SCRIPTS / SHELLS[shell].script).read_text(encoding="utf-8")


def install_man_pages(pages: Mapping[str, str]) -> list[Path]:
    """Write every page, by the name of its file; where they are now."""
    return [_write(_data() / "man" / "man1" / name, text) for name, text in pages.items()]


def install_completion(shell: str) -> list[Path]:
    """Write the script, and the line that reads it where the shell needs one; the files that were
    changed."""
    found, script = SHELLS[shell], script_of(shell)
    above = _config() if shell == "fish" else _data()
    path = _write(above / found.place, script)
    if not found.line:
        return [path]
    own, line = _own_file(shell), f"{found.line.format(path=_quoted(path))} {_MARK}"
    text = own.read_text(encoding="utf-8") if own.exists() else ""
    if line in text.split("\n"):
        return [path]
    begun = text if not text or text.endswith("\n") else f"{text}\n"
    return [path, _write(own, f"{begun}{line}\n")]


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "'\\''" if os.name != "nt" else "''") + "'"


def _own_file(shell: str) -> Path:
    """The file that the shell reads when it starts."""
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc"
    folder = (
        Path.home() / "Documents" / "PowerShell" if os.name == "nt" else _config() / "powershell"
    )
    return folder / "Microsoft.PowerShell_profile.ps1"


def _data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _config() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
