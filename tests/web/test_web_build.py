"""What `./run web` builds: the same bytes each time, everything that is asked for, and no more."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from io import BytesIO
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError

import pytest
from PIL import Image

from examples.correspondence import Player
from release import messenger, web, web_command, web_packages, web_serve
from release.web_packages import CannotBuild
from tests.support.plugins import Site
from tests.support.web_kit import NodePage, libraries, needs_npm
from tests.support.web_players import Follower, InPage, check_by_both, play_on
from tests.support.web_tabs import WebBrowser, begin, hosted
from tests.web.test_page_python import play

pytestmark = needs_npm
ROOT = Path(__file__).parents[2]
NEEDLESS = {
    *(
        "typer",
        "rich",
        "prompt_toolkit",
        "uvicorn",
        "starlette",
        "anyio",
        "watchfiles",
        "imapclient",
        "pebble",
    ),
    *("PIL", "resvg", "resvg_py", "cryptography", "nacl", "platformdirs"),
    *("smtplib", "imaplib", "multiprocessing", "sqlite3", "unittest", "pydoc"),
}
"""What the desktop has for its commands, its server, its pictures and its processes."""


def read_tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.dear("looks at the built page")
def test_the_page_says_how_much_it_loads(page_folder: Path) -> None:
    """As a host packs it on the way."""
    said = re.search(r"LOADS = (\d+);", (page_folder / "start.js").read_text())
    tree = read_tree(page_folder)
    packed = sum(min(len(data), len(gzip.compress(data, 6))) for data in tree.values())
    assert said is not None and abs(packed - int(said[1]) * 1_000_000) < 1_000_000


@pytest.mark.dear("looks at the built page")
def test_every_file_stands_in_the_list_with_its_hash(page_folder: Path) -> None:
    tree = read_tree(page_folder)
    version, index = json.loads(tree.pop("version.json")), tree.pop("index.html")
    sums = tree.pop("SHA256SUMS")
    inside = web.unpacked(tree["lib.xz"])
    assert inside.keys() & tree.keys() == set() and "lib/site.zip" in inside
    assert dict(line.split("  ")[::-1] for line in sums.decode().splitlines()) == {
        path: hashlib.sha256(data).hexdigest() for path, data in (tree | inside).items()
    }
    assert version["hash"] == hashlib.sha256(sums).hexdigest()
    assert version["index"] == hashlib.sha256(index).hexdigest()
    assert version["files"] == {
        path: len(data) for path, data in {**tree, "index.html": index}.items()
    }
    assert re.findall(rb"@[A-Z]+@", index) == []


@pytest.mark.dear("looks at the built page")
def test_the_screenshots_have_the_sizes_that_the_manifest_says(page_folder: Path) -> None:
    """And those that browsers take: 320 pixels and more, and not much longer than wide."""
    manifest = json.loads((page_folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {one["form_factor"] for one in manifest["screenshots"]} == {"wide", "narrow"}
    for one in manifest["screenshots"]:
        head, _, data = one["src"].partition(",")
        image = Image.open(BytesIO(base64.b64decode(data)))
        assert head == f"data:{one['type']};base64" and image.format == "WEBP"
        assert one["sizes"] == f"{image.width}x{image.height}"
        assert min(image.size) >= 320 and max(image.size) <= 2.3 * min(image.size)


@pytest.mark.dear("looks at the built page")
def test_each_package_is_named_with_its_licence_and_source(page_folder: Path) -> None:
    text = (page_folder / "LICENSES.txt").read_text(encoding="utf-8")
    pinned = (web_packages.SOURCE / web_packages.PYPI).read_text(encoding="utf-8")
    named = ["pyodide", "libsodium-sumo", "libsodium-wrappers-sumo", "xz-decompress"]
    named += re.findall(r"^([A-Za-z0-9_-]+)==", pinned, re.MULTILINE)
    assert len(named) >= 8
    for name in named:
        spelled = name.replace("-", "[-_]")
        assert re.search(
            rf"^{spelled} [0-9.]+: [A-Za-z0-9. -]+, \S*https://\S+$",
            text,
            re.MULTILINE | re.IGNORECASE,
        ), name
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").strip() in text


@pytest.mark.dear("looks at the built page")
@pytest.mark.parametrize("name", ["python_stdlib.zip", "site.zip"])
def test_an_archive_holds_no_date_no_source_and_no_path_of_this_machine(
    page_folder: Path, name: str
) -> None:
    with zipfile.ZipFile(libraries(page_folder) / name) as archive:
        found = archive.infolist()
        contents = {one.filename: archive.read(one) for one in found}
    assert {one.compress_type for one in found} == {zipfile.ZIP_STORED}, "the block compresses"
    assert [one.filename for one in found] == sorted(one.filename for one in found)
    assert {one.date_time for one in found} == {(2020, 2, 2, 0, 0, 0)}
    assert [one.filename for one in found if one.filename.endswith(".py")] == []
    for path, data in contents.items():
        assert str(ROOT).encode() not in data, path
        if path.endswith(".pyc"):
            assert data[4:8] == b"\x01\0\0\0", "compiled without a check of its source"


@pytest.mark.dear("packs the page")
def test_a_turn_loads_nothing_that_is_the_desktops(page_folder: Path) -> None:
    with NodePage(page_folder) as page:
        page.post("/web/introduce", name="Ann", mail="")
        play(page, "tripoli-solitaire", 1)
        loaded = {
            name.partition(".")[0]
            for name in page.python("import sys; ' '.join(sys.modules)").split()
        }
    assert {"pbem", "engine", "jinja2", "msgspec"} <= loaded
    assert loaded & NEEDLESS == set()


@pytest.mark.dear("looks at the built page")
def test_every_module_that_is_packed_can_be_imported(page: NodePage) -> None:
    """So nothing is missing that one of them asks for at its top."""
    code = """
import importlib
from pathlib import Path
site, failed = Path("/lib/python3.14/site-packages"), []
for path in sorted(site.rglob("*.pyc")):
    name = ".".join(path.relative_to(site).with_suffix("").parts).removesuffix(".__init__")
    try:
        importlib.import_module(name)
    except Exception as error:
        failed.append(f"{name}: {error}")
"\\n".join(failed)
"""
    assert page.python(code) == ""


@pytest.mark.dear("looks at the built page")
def test_no_template_is_compiled_in_the_page(page: NodePage) -> None:
    page.post("/web/introduce", name="Ann", mail="")
    page.python(
        "import jinja2; compile_it, jinja2.Environment.compile = jinja2.Environment.compile, None"
    )
    try:
        play(page, "tripoli-solitaire", 1)
    finally:
        page.python("jinja2.Environment.compile = compile_it")


@pytest.mark.slow
def test_two_builds_are_the_same(page_folder: Path, tmp_path: Path) -> None:
    """The second one in another folder, by another process, with other settings of the machine."""
    code = (
        "import sys; from pathlib import Path; from release import web;"
        f" web.build(Path({str(tmp_path / 'again')!r}))"
    )
    others = {
        "PYTHONHASHSEED": "7",
        "TZ": "Pacific/Auckland",
        "LC_ALL": "C",
        "TMPDIR": str(tmp_path),
    }
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **others}, check=True)
    first, again = read_tree(page_folder), read_tree(tmp_path / "again")
    assert [name for name in sorted({*first, *again}) if first.get(name) != again.get(name)] == []
    assert web.pack(page_folder, tmp_path / "one.zip") == web.pack(
        tmp_path / "again", tmp_path / "two.zip"
    )
    assert messenger.build(page_folder, tmp_path / "one.xdc") == messenger.build(
        tmp_path / "again", tmp_path / "two.xdc"
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["chrome", "firefox"])
def test_the_game_of_a_plug_in_is_played_in_the_page(
    page_with_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Between two pages, by clicks; a computer with the same plug-in finds every turn as it should
    be."""
    (tmp_path / "installed").mkdir()
    installed = Site(tmp_path / "installed", monkeypatch)
    installed.install()
    with hosted(page_with_games) as site, WebBrowser(kind, tmp_path / "browser") as browser:
        people = {}
        for name in ("Ann", "Ben"):
            tab = browser.tab(apart=True)
            begin(tab, site.url, name)
            people[name] = InPage(tab, name, browser.downloads)
        data = people["Ben"].join(people["Ann"].invite("goofspiel", cards=5))
        follower = Follower()
        data = play_on(data, people, follower, most=60)
        assert follower.to_act(data) is None and follower.ledger.begun().outcome is not None
        assert [problem for page in people.values() for problem in page.tab.problems()] == []
    check_by_both(data, Player("Cleo", tmp_path / "cleo", tmp_path, True))
    installed.remove()


def test_a_wheel_that_is_not_pure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotBuild, match="pure"):
        web_packages.plugin(tmp_path / "game-1.0-cp314-cp314-linux_x86_64.whl")


@pytest.mark.parametrize("name", ["../up.py", "/up.py", "a/../../up.py", "a\\..\\up.py"])
def test_a_wheel_whose_files_would_lie_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    wheel = tmp_path / "game-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(name, b"")
    with pytest.raises(CannotBuild, match=r"elsewhere: .*up\.py"):
        web_packages.plugin(wheel)


def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert web_command.main([]) == 2
    assert "npm" in capsys.readouterr().err


@pytest.mark.dear("looks at the built page")
def test_it_is_served_also_in_a_subfolder(page_folder: Path) -> None:
    with web_serve.server(page_folder) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        for place in ("", web_serve.SUBFOLDER):
            for name, kind in (
                ("start.js", "text/javascript"),
                ("web.css", "text/css"),
            ):
                with urllib.request.urlopen(f"{address}{place}/{name}") as answer:
                    assert answer.headers["content-type"] == kind
                    assert answer.read() == (page_folder / name).read_bytes()
            with pytest.raises(HTTPError, match="404"):
                urllib.request.urlopen(f"{address}{place}/table/")
        server.shutdown()


@pytest.mark.dear("looks at the built page")
def test_the_program_knows_where_it_is(page: NodePage) -> None:
    """The number of this browser's storage stands for a computer; the home's folder has none that
    lasts."""
    code = """
from pathlib import Path
from pbem.home import place
before = place.machine()
Path("/etc/machine-id").write_text("fedcba9876543210fedcba9876543210")
f"{before != place.machine()} {place.folder_number(Path('/home'))!r}"
"""
    assert page.python(code) == "True ''"
