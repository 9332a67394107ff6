"""Real readers: mutt shows the text part, Chromium the HTML part on small and large screens, by day
and by night."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from pbem.mail import compose
from tests.support.browsers import HEADLESS
from tests.support.effort import PATIENCE
from tests.support.mail_kit import Played, attachment, body, go_on, mail_of, parsed, start

pytestmark = pytest.mark.usefixtures("true_pictures")

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--virtual-time-budget=2000"),
)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A long name, and messages without a space."""
    message = "W" * 300 + "\nhttps://example.org/" + "x" * 200
    folder: Path = tmp_path_factory.mktemp("long")
    return go_on(start(folder, names=("Ann", "B" * 79)), 4, seed=3, message=message)


@pytest.mark.skipif(not shutil.which("mutt"), reason="mutt is not installed")
def test_mutt_shows_the_text(played: Played, tmp_path: Path) -> None:
    data = mail_of(played.newest)
    for sub in ("cur", "new", "tmp"):
        (tmp_path / "box" / sub).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1.host").write_bytes(data.replace(b"\r\n", b"\n"))
    saved, opened = tmp_path / "saved.txt", tmp_path / "rc"
    opened.write_text(
        "unset mark_old\nset print=yes\nset print_decode=yes\nset print_command='cat > "
        + str(saved)
        + "'\n"
        "set charset=utf-8\nalternative_order text/plain\nset weed=yes\n"
        "push '<tag-pattern>~A<enter><tag-prefix><print-message><exit>'\n"
    )
    environment = {
        "TERM": "vt100",
        "HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
    }
    subprocess.run(
        ["script", "-qec", f"mutt -n -F {opened} -R -f {tmp_path / 'box'}", "/dev/null"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    shown = saved.read_text(encoding="utf-8")
    assert "Subject: The Shores of Tripoli: your turn, " in shown
    for line in body(parsed(data), "plain").split("\n"):
        assert line.rstrip() in shown
    assert "<table" not in shown


def page(data: bytes, folder: Path) -> Path:
    """The HTML part as a mail program would lay it out, its picture beside it; it reports its own
    width."""
    message = parsed(data)
    html = body(message, "html")
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = image.get_payload(decode=True)
    assert isinstance(content, bytes)
    (folder / "board.png").write_bytes(content)
    html = html.replace(f"cid:{image['Content-ID'][1:-1]}", "board.png")
    measure = (
        "<script>addEventListener('load', () => { const w = document.documentElement;"
        "document.title = [w.scrollWidth, w.clientWidth, document.images[0].naturalWidth,"
        "document.images[0].width].join(' ') })</script>"
    )
    path = folder / "mail.html"
    path.write_text(html.replace("</body>", measure + "</body>"), encoding="utf-8")
    return path


def chromium(path: Path, widths: tuple[int, ...], dark: bool, *what: str, script: str = "") -> str:
    assert HEADLESS is not None
    # A window is never narrower than 500: a narrow screen is a frame inside it.
    frame = path.with_name("frames.html")
    inner = "".join(
        f"<iframe src='{path.name}' width={width} height=2400 style='border:0'></iframe>"
        for width in widths
    )
    frame.write_text(f"<body style='margin:0'>{inner}{script}")
    night = ["--blink-settings=preferredColorScheme=0"] if dark else []
    profile = f"--user-data-dir={path.parent / 'profile'}"
    size = f"--window-size={max(sum(widths), 500)},2400"
    done = subprocess.run(
        [
            HEADLESS,
            *FLAGS,
            *night,
            profile,
            size,
            "--allow-file-access-from-files",
            *what,
            frame.as_uri(),
        ],
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.dear("drives a browser")
@pytest.mark.skipif(HEADLESS is None, reason="chromium is not installed")
@pytest.mark.parametrize(
    ("width", "dark"),
    [
        *((360, True), (1000, False)),
        *(pytest.param(*seen, marks=pytest.mark.slow) for seen in ((360, False), (1000, True))),
    ],
)
def test_chromium_shows_the_html(long: Played, tmp_path: Path, width: int, dark: bool) -> None:
    path = page(mail_of(long.newest), tmp_path)
    shot = tmp_path / "shot.png"
    chromium(path, (width,), dark, f"--screenshot={shot}")
    image = Image.open(io.BytesIO(shot.read_bytes())).convert("RGB")
    corner = image.getpixel((2, 2300))
    assert isinstance(corner, tuple)
    assert (sum(corner) < 200) == dark
    paper = image.crop((0, 0, width, 2400)).convert("L")
    assert sum(paper.histogram()[:40]) > 3000
    if not dark:
        assert sum(paper.histogram()[230:]) > paper.width * paper.height // 10


@pytest.mark.skipif(HEADLESS is None, reason="chromium is not installed")
def test_nothing_is_wider_than_the_screen(long: Played, played: Played, tmp_path: Path) -> None:
    path, widths = page(mail_of(long.newest), tmp_path), (360, 1000)
    told = "[frames[0], frames[1]].map(one => one.document.title).join(', ')"
    script = f"<script>onload=()=>{{document.title={told}}}</script>"
    dom = chromium(path, widths, False, "--dump-dom", script=script)
    found = re.search(r"<title>(.*)</title>", dom)
    assert found is not None, dom[:300]
    for width, measured in zip(widths, found[1].split(", "), strict=True):
        needed, there, natural, image = map(int, measured.split())
        assert there == width
        assert needed <= width
        assert natural in compose.WIDTHS
        assert width * 0.6 <= min(image, 640) <= width
    assert attachment(parsed(mail_of(played.newest))) == played.newest
