"""The wheels of pbem and of the example plug-in (`examples/plugin`): built without a network,
installed into an empty environment, used from another folder."""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import importlib.util
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.built import PARTS, ROOT, run, wheel_of
from tests.support.plugins import EXAMPLE, PACKAGE

pytestmark = pytest.mark.dear("builds and installs wheels")

MATCH = f"""
import json, sys
from pathlib import Path
sys.path.append({str(ROOT)!r})  # what is installed comes first
from examples.correspondence import Player
from tests.support import same_chance
from tests.support.leaks import count_secrets_kept
from tests.support.plugin_play import Match, check
import pbem, engine, pbem_goofspiel

same_chance.install()
same_chance.CHANCE.seed("installed")
folder = Path.cwd()
ann, ben = (Player(name, folder.parent / name, folder, True) for name in ("Ann", "Ben"))
match = Match(ann, ben)
match.begin(5)
match.finish()
check(match)
assert count_secrets_kept((folder / match.files[-1]).read_bytes()) > 10
facts = ann.does("simulate", "goofspiel", "--games", "20", "--jobs", "2")
print(json.dumps([facts["games"], pbem.__file__, engine.__file__, pbem_goofspiel.__file__]))
"""
"""Two people play the plug-in's game to a proven end with the program that is installed."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment in which pbem and the plug-in are installed, and the wheel of pbem."""

    folder: Path
    python: Path
    wheel: Path

    def prints(self, folder: Path, *arguments: str) -> str:
        """What its Python prints, which has nothing of this environment's variables."""
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "PBEM_HOME": str(folder / "home"),
            "PYTHONUTF8": "1",
        }
        environment["PBEM_STATE"] = str(folder / "state")
        return run([str(self.python), *arguments], folder, environment)


@pytest.fixture(scope="module", params=["lent", pytest.param("fetched", marks=pytest.mark.slow)])
def environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """What pbem needs is lent by the environment of the tests, without its pbem, or fetched by
    pip."""
    work = tmp_path_factory.mktemp("wheel")
    wheels = [wheel_of(work, ROOT, *PARTS), wheel_of(work, EXAMPLE, PACKAGE, "pyproject.toml")]
    folder = work / "venv"
    venv.create(folder)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    options = ["--disable-pip-version-check", "--quiet", "--no-compile", "--no-warn-conflicts"]
    if request.param == "lent":
        (packages,) = folder.glob("[Ll]ib/**/site-packages")
        (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        pip = [str(python), "-m", "pip", "install", "--no-deps", "--no-index"]
    else:
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    done = subprocess.run(
        [*pip, *options, *map(str, wheels)], cwd=work, capture_output=True, text=True, check=False
    )
    if done.returncode and request.param == "fetched":
        pytest.skip(
            f"pip cannot fetch what pbem needs, there may be no network: {done.stderr[-300:]}"
        )
    assert done.returncode == 0, done.stderr
    return Environment(folder, python, wheels[0])


def test_it_works_from_any_folder(environment: Environment, tmp_path: Path) -> None:
    def pbem(*arguments: str) -> str:
        return environment.prints(tmp_path, "-m", "pbem", *arguments)

    pbem("id", "--name", "Ann")
    written = json.loads(pbem("new", "tripoli", "--json"))
    assert (tmp_path / written["summary"]).read_text(encoding="utf-8").startswith("# ")
    assert "pbem join" in pbem("show", written["file"])
    assert json.loads(pbem("verify", written["file"], "--json"))["ok"] is True
    assert pbem("help", "trust").startswith("# What you can trust")


def test_the_example_plugin_is_played_to_a_proven_end(
    environment: Environment, tmp_path: Path
) -> None:
    listed = json.loads(environment.prints(tmp_path, "-m", "pbem", "games", "--json"))["games"]
    assert [g["distribution"] for g in listed if g["name"] == "goofspiel"] == ["pbem-goofspiel"]
    assert "--cards NUMBER" in environment.prints(tmp_path, "-m", "pbem", "new", "--help")
    mails = tmp_path / "mails"
    mails.mkdir()
    games, *modules = json.loads(environment.prints(mails, "-c", MATCH))
    assert games == 20
    assert all(Path(module).is_relative_to(environment.folder) for module in modules), (
        "what is installed there plays"
    )


def test_it_holds_the_templates_the_program_and_nothing_else(environment: Environment) -> None:
    names = zipfile.ZipFile(environment.wheel).namelist()
    shipped = {
        f"pbem/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "templates").rglob("*.j2")
    }
    assert {name for name in names if name.endswith(".j2")} == shipped
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith((".dist-info", ".data"))} == {
        "pbem",
        "engine",
    }
    assert [name for name in names if "/web/" in name] == [], (
        "the page in a browser is built by itself"
    )
    assert {"pbem/py.typed", "engine/py.typed"} <= {*names}, (
        "authors of games run mypy over what they write"
    )


@pytest.mark.parametrize("compiles", [False, True], ids=["as it is", "compiled"])
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_one_file_of_bytecode_more_is_refused_whoever_has_installed_it(
    environment: Environment, tmp_path: Path, installer: str, compiles: bool
) -> None:
    """It runs in place of the module, and the wheel that is made again would not hold it."""
    other = tmp_path / environment.wheel.name
    with_bytecode(environment.wheel, other)
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / environment.python.relative_to(environment.folder)
    (packages,) = (tmp_path / "venv").glob("[Ll]ib/**/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    if installer == "uv":
        if shutil.which("uv") is None:
            pytest.skip("uv is not installed")
        command = ["uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--python"]
        command += [str(python), *(["--compile-bytecode"] if compiles else [])]
    else:
        command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        command += ["--no-deps", "--no-index", *([] if compiles else ["--no-compile"])]
    run([*command, str(other)], tmp_path)
    inside = Environment(tmp_path / "venv", python, other)
    if not compiles:
        assert "9.9.9" in inside.prints(
            tmp_path, "-c", "from pbem import version; print(version.N)"
        )
    asked = {"PBEM_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [str(python), "-m", "pbem", "program"],
        cwd=tmp_path,
        env={"PATH": os.environ.get("PATH", ""), **asked},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2 and "came from another file" in done.stderr, done
    assert not [*tmp_path.glob("pbem-*.zip")] and "SHA-256 " not in done.stdout


def with_bytecode(wheel: Path, to: Path) -> None:
    """A copy of a wheel with another program as the bytecode of one module, which Python runs
    without a look at the source."""
    text = 'N = "9.9.9"\n'
    with zipfile.ZipFile(wheel) as given, zipfile.ZipFile(to, "w") as made:
        source = given.read("pbem/version.py").decode()
        name = importlib.util.cache_from_source("pbem/version.py")
        code = compile(source + text, "pbem/version.py", "exec")
        # PEP 552: bytecode with a hash that is not compared
        data = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
        data += marshal.dumps(code)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        for one in given.infolist():
            held = given.read(one)
            if one.filename.endswith(".dist-info/RECORD"):
                held = f"{name},sha256={digest},{len(data)}\n".encode() + held
            made.writestr(one, held)
        made.writestr(name, data)


def test_it_gives_itself_on_byte_for_byte(environment: Environment, tmp_path: Path) -> None:
    """What is installed writes the wheel that it came from, and a third person gets it from
    there."""
    said = json.loads(environment.prints(tmp_path, "-m", "pbem", "program", "--json"))
    file = tmp_path / said["file"]
    assert file.name == environment.wheel.name
    assert file.read_bytes() == environment.wheel.read_bytes()
    assert said["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest() and not said["system"]
    environment.prints(tmp_path, "-m", "pbem", "program")  # it is there already
    written = json.loads(_invite(environment, tmp_path))
    mail = email.message_from_bytes(
        (tmp_path / written["mail"]).read_bytes(), policy=email.policy.default
    )
    assert isinstance(mail, EmailMessage)
    attached = {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}
    assert attached[file.name] == file.read_bytes()


def _invite(environment: Environment, folder: Path) -> str:
    environment.prints(folder, "-m", "pbem", "id", "--name", "Ann")
    return environment.prints(
        folder, "-m", "pbem", "new", "backgammon", "--match", "1", "--with-program", "--json"
    )


def test_an_installation_that_is_damaged_is_not_given_on(
    environment: Environment, tmp_path: Path
) -> None:
    (page,) = environment.folder.glob("[Ll]ib/**/site-packages/pbem/docs/trust.md")
    whole = page.read_bytes()
    try:
        page.write_bytes(whole + b" ")
        with pytest.raises(AssertionError, match="damaged"):
            environment.prints(tmp_path, "-m", "pbem", "program")
        assert not list(tmp_path.glob("*.whl"))
    finally:
        page.write_bytes(whole)


def test_it_brings_its_licence(environment: Environment) -> None:
    wheel = zipfile.ZipFile(environment.wheel)
    (licence,) = (
        name for name in wheel.namelist() if re.search(r"^pbem-[^/]*\.dist-info/.*LICENSE$", name)
    )
    assert "The pbem authors" in wheel.read(licence).decode()
