"""The wheel: built without a network, installed into an empty folder, used from another one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but what the wheel brings."""
    work = tmp_path_factory.mktemp("wheel")
    source = work / "source"
    source.mkdir()
    for name in ("pbem", "engine", "templates", "docs", "share"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "pictures"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(work / "dist")], source)
    (wheel,) = (work / "dist").glob("pbem-*.whl")
    target = work / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    _run([*pip, "--target", str(target), str(wheel)], work)
    return target


def _run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_works_from_any_folder(installed: Path, tmp_path: Path) -> None:
    def pbem(*arguments: str) -> str:
        paths = {"PYTHONPATH": str(installed), "PBEM_HOME": str(tmp_path / "home")}
        return _run([sys.executable, "-m", "pbem", *arguments], tmp_path, **paths)

    where = _run([sys.executable, "-c", "import pbem; print(pbem.__file__)"], tmp_path, PYTHONPATH=str(installed))
    assert Path(where.strip()).is_relative_to(installed)
    pbem("id", "--name", "Ann")
    written = json.loads(pbem("new", "tripoli", "--json"))
    assert "# The Shores of Tripoli" in (tmp_path / written["summary"]).read_text(encoding="utf-8")
    assert "The game waits for somebody to join" in pbem("show", written["file"])
    assert "Every entry holds" in pbem("verify", written["file"])
    assert pbem("help", "trust").startswith("# What you can trust")


def test_it_holds_the_templates_the_program_and_nothing_else(installed: Path) -> None:
    shipped = {path.relative_to(ROOT / "templates") for path in (ROOT / "templates").rglob("*.j2")}
    inside = installed / "pbem" / "templates"
    assert {path.relative_to(inside) for path in inside.rglob("*.j2")} == shipped
    top = {path.name for path in installed.iterdir()} - {"bin", "Scripts", "share", "__pycache__"}
    assert {name for name in top if not name.endswith(".dist-info")} == {"pbem", "engine"}


def test_it_brings_its_licence(installed: Path) -> None:
    (licence,) = installed.glob("pbem-*.dist-info/**/LICENSE")
    assert "The pbem authors" in licence.read_text(encoding="utf-8")
