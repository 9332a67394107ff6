"""What the page is made from: what a build has kept is compared with the same hashes as what it
fetches."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from release import web_packages
from release.web_packages import CannotBuild
from tests.support.web_kit import needs_npm


def test_a_kept_wheel_that_is_another_one_is_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, fetched = tmp_path / "source", [b"wheel"]
    source.mkdir()
    pin = hashlib.sha256(b"wheel").hexdigest()
    (source / web_packages.PYPI).write_text(f"some==1.0 --hash=sha256:{pin}\n")
    monkeypatch.setattr(web_packages, "SOURCE", source)
    monkeypatch.setattr(web_packages, "KEPT", tmp_path / "kept")
    downloads: list[Path] = []

    def download(folder: Path) -> None:
        downloads.append(folder)
        (folder / "some-1.0-py3-none-any.whl").write_bytes(fetched[0])

    monkeypatch.setattr(web_packages, "_download", download)
    packages = web_packages.python_packages.__wrapped__

    def contents() -> list[bytes]:
        return [path.read_bytes() for path in packages()]

    assert contents() == contents() == [b"wheel"] and len(downloads) == 1, "it is kept"
    (kept,) = (tmp_path / "kept" / "pypi").iterdir()
    kept.write_bytes(b"another one")
    assert contents() == [b"wheel"] and len(downloads) == 2
    kept.with_name("more-1.0-py3-none-any.whl").write_bytes(b"one more")
    assert contents() == [b"wheel"] and len(downloads) == 3
    kept.unlink()
    fetched[0] = b"another one"
    with pytest.raises(CannotBuild, match="something else"):
        packages()


@pytest.mark.dear("installs packages")
@needs_npm
def test_a_kept_package_of_npm_that_was_changed_is_not_taken(
    tmp_path: Path, page_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a network, where it would be fetched again."""
    assert page_folder.is_dir()  # by its build npm has kept what it needs
    shutil.copytree(web_packages.KEPT / "npm", tmp_path / "npm")
    monkeypatch.setattr(web_packages, "KEPT", tmp_path)
    monkeypatch.setenv("npm_config_offline", "true")
    packages = web_packages.npm_packages.__wrapped__
    assert (packages() / "pyodide" / "python_stdlib.zip").is_file()
    largest = max((tmp_path / "npm").rglob("*"), key=lambda path: path.stat().st_size)
    data = bytearray(largest.read_bytes())
    data[len(data) // 2] ^= 1
    largest.write_bytes(data)
    with pytest.raises(CannotBuild, match="npm ci"):
        packages()
