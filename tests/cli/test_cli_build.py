"""`./run wheel`: both archives twice, the same bytes, and in the wheel what a player's system looks
for."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from release import compiled
from release.build import build_twice

_ENTRY = "pbem/templates/replay/noble/entry.js"


@pytest.mark.dear("builds a wheel twice")
def test_both_archives_are_the_same_twice_and_the_wheel_is_whole(tmp_path: Path) -> None:
    built, different = build_twice(tmp_path)
    assert not different and sorted(name.rpartition(".")[2] for name in built) == ["gz", "whl"]
    (data,) = (data for name, data in built.items() if name.endswith("-py3-none-any.whl"))
    wheel = zipfile.ZipFile(io.BytesIO(data))
    names = set(wheel.namelist())
    (bill,) = (name for name in names if name.endswith(".dist-info/sboms/pbem.cdx.json"))
    parts = json.loads(wheel.read(bill))
    assert parts["bomFormat"] == "CycloneDX"
    (bundle,) = (part for part in parts["components"] if part["type"] == "file")
    assert bundle["hashes"][0]["content"] == hashlib.sha256(wheel.read(bundle["name"])).hexdigest()
    for part in bundle["components"]:
        assert part["version"] and part["licenses"] == [{"license": {"id": "MIT"}}]
        assert len(part["hashes"][0]["content"]) == 128
    imported = set(re.findall(r'from "(@[a-z]+/[a-z0-9.-]+)', wheel.read(_ENTRY).decode()))
    assert imported == {part["name"] for part in bundle["components"]}
    shared = {name.partition(".data/data/")[2] for name in names}
    assert {
        "share/man/man1/pbem.1",
        "share/man/man1/pbem-play.1",
        "share/bash-completion/completions/pbem",
        "share/zsh/site-functions/_pbem",
        "share/fish/vendor_completions.d/pbem.fish",
    } <= shared
    assert {"pbem/docs/trust.md", "pbem/cli/completions/pbem.ps1"} <= names


@pytest.mark.filterwarnings("ignore:GitWildMatchPattern")
def test_mypyc_compiles_into_the_folder_of_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the first folder of `sources` for it, and one that is no package has no room for
    what it makes."""
    monkeypatch.setenv("HATCH_BUILD_HOOK_ENABLE_MYPYC", "true")
    builder = WheelBuilder(str(compiled.ROOT))
    (hook,) = (one for one in builder.get_build_hooks("").values() if one.PLUGIN_NAME == "mypyc")
    assert hook.package_source == "" and "engine/flow.py" in hook.normalized_included_files
    pinned = [one.partition("==")[0] for one in hook.config["dependencies"]]
    assert pinned == ["hatch-mypyc", "mypy", "setuptools"]


def test_a_compiled_wheel_needs_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one is built from, and that it plays the same games, `./run slow` tests."""
    monkeypatch.setattr(compiled, "compiler", lambda: None)
    monkeypatch.setattr(compiled.os, "name", "posix")
    with pytest.raises(compiled.CannotCompile, match="Debian: gcc"):
        compiled.build_compiled(tmp_path)
    with pytest.raises(SystemExit, match="C compiler"):
        compiled.main()
