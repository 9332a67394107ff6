"""`./run demo`, read as somebody does who pipes it, and page by page as somebody who sits at it."""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.report import dice_count, verification
from tests.support.effort import PATIENCE

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "examples.demo"]
pytestmark = pytest.mark.dear("plays a game by commands")
WAITS = "-- any key goes on, q ends --"


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder), "PBEM_STATE": str(folder / "state")}


def test_what_it_shows_is_in_the_folder_that_it_names(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND,
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert WAITS not in done.stdout
    long = [line for line in done.stdout.splitlines() if len(line) > 80]
    assert all("pbem-demo-" in line for line in long), "paths can be copied"
    (folder,) = tmp_path.glob("pbem-demo-*/mails")
    assert str(folder) in done.stdout
    data = max(folder.glob("*-*.toml")).read_bytes()
    # an entry as it stands in the file
    move = done.stdout.split("[[entry]]")[1].split("[entry.signature]")[0]
    signed = turnfile.read(data).entries[2]
    assert all(f'"{answer}",' in move for answer in signed.fields["answers"])  # type: ignore[union-attr]
    assert f'nonce = "{signed.fields["nonce"]}"' in move
    # its die, computed again
    roll = next(one for one in dice_count.dice(data).rolls if not one.pending)
    (computed,) = re.findall(r"the dice: +([\d ]+)", done.stdout)
    assert list(map(int, computed.split())) == list(roll.dice)
    assert "vrf.verify(" in done.stdout and "hmac.digest(" in done.stdout
    # a changed byte, refused
    changed = (folder / "changed.toml").read_bytes()
    assert sum(one != other for one, other in zip(data, changed, strict=True)) == 1
    _, failure = verification.verify(changed)
    assert failure is not None and str(failure) in re.sub(r"\s+", " ", done.stdout)
    # the summary and the mail
    stem = max(folder.glob("*-*.toml")).stem
    assert (folder / f"{stem}.md").read_text(encoding="utf-8").splitlines()[0] in done.stdout
    assert f"Attached: {stem}.toml" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="there is no pseudo-terminal")
@pytest.mark.parametrize("key", [" ", "q"])
def test_at_a_terminal_it_waits_where_a_page_is_full(key: str, tmp_path: Path) -> None:
    import fcntl
    import pty
    import termios

    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    program = subprocess.Popen(
        COMMAND,
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    pages, deadline = [""], time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not select.select([keyboard], [], [], 0.2)[0]:
            # what is typed before it looks is dropped, though a terminal shows it
            if len(pages) > 1 and not pages[-1].strip(key):
                os.write(keyboard, key.encode())
            continue
        try:
            pages[-1] += os.read(keyboard, 4096).decode()
        except OSError:  # the program has closed its end
            break
        if pages[-1].endswith(WAITS):
            pages.append("")
    os.close(keyboard)
    assert program.wait(timeout=PATIENCE) == 0
    assert all(page.count("\n") <= 23 for page in pages), "nothing has left the screen unread"
    if key == "q":
        assert len(pages) == 2 and "pbem table" not in pages[-1]
    else:
        assert 5 <= len(pages) <= 12 and "pbem table" in pages[-1]
        assert [page for page in pages if "[[entry]]" in page and "[entry.signature]" in page]
