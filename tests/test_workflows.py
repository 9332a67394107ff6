"""What the workflows on GitHub do can be done here: their steps are lines of `./run`, and of README
where a newcomer types them. Nothing in them runs by a name that somebody else may move."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NEW_TERMINAL = "a new terminal"
"""The name of the steps that do what opening a new terminal does."""


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The jobs of a workflow, by name."""
    yield from yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()


def lines(job: dict[str, Any]) -> list[str]:
    """What a job types."""
    return [
        line
        for step in job["steps"]
        if "run" in step and step.get("name") != NEW_TERMINAL
        for line in step["run"].splitlines()
    ]


def commands_of_run() -> set[str]:
    usage = subprocess.run([ROOT / "run", "help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^  ([a-z]+) ", usage.stdout, re.MULTILINE))


def readme_table() -> dict[str, list[str]]:
    """What README has each system type to install the program."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (Linux|macOS|Windows) \| `(.*?)`.*?\| `(.*?)` \|$", readme, re.MULTILINE
    )
    return {system: [tool, install] for system, tool, install in rows}


def test_there_are_these() -> None:
    assert [path.name for path in WORKFLOWS] == ["release.yml", "test.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_step_on_linux_is_a_line_of_run_that_exists(path: Path) -> None:
    commands, seen = commands_of_run(), 0
    for name, job in jobs(path):
        for line in lines(job):
            if line.startswith("./run "):
                assert line.split()[1] in commands, (name, line)
                seen += 1
            else:
                assert name.endswith("-as-readme-says"), (name, line)
    assert seen


def test_macos_and_windows_type_what_readme_says() -> None:
    found = dict(jobs(ROOT / ".github" / "workflows" / "test.yml"))
    table = readme_table()
    for system in ("macOS", "Windows"):
        tool, install = table[system]
        ensure = "py -m pipx ensurepath" if system == "Windows" else "pipx ensurepath"
        typed = lines(found[f"{system.lower()}-as-readme-says"])
        assert typed == [tool, install, ensure, "pbem --version"]
        assert ensure in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_named_by_the_hash_of_their_commit(path: Path) -> None:
    """And their release beside it, for whoever reads; one action has one hash."""
    used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert used
    for line in used:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    all_used = {
        line
        for other in WORKFLOWS
        for line in re.findall(r"uses: (.*)", other.read_text(encoding="utf-8"))
    }
    assert len(all_used) == len({line.partition("@")[0] for line in all_used})


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_job_may_do_what_it_needs_and_no_more(path: Path) -> None:
    whole = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert whole["permissions"] == {}
    for name, job in jobs(path):
        writes = {what for what, how in job["permissions"].items() if how == "write"}
        # who runs our code, or that of a library, can write nothing
        assert not writes or not lines(job), name
        for step in job["steps"]:
            if str(step.get("uses")).startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}, name


def test_pythons_tried_begin_with_the_oldest_that_installs() -> None:
    found = dict(jobs(ROOT / ".github" / "workflows" / "test.yml"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    pythons = found["linux"]["strategy"]["matrix"]["python"]
    assert pythons == found["others"]["strategy"]["matrix"]["python"]
    assert pythons[0] == oldest
    built = project["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{version.replace('.', '')}-*" for version in pythons]


def test_all_that_a_release_hands_out_is_attested_before_it_goes_out() -> None:
    """Wheels, the source archive, the archive of the page and the app for chats; the package index
    gets the packages alone."""
    release = dict(jobs(ROOT / ".github" / "workflows" / "release.yml"))

    def steps(job: str, action: str) -> list[dict[str, Any]]:
        found = [one for one in release[job]["steps"] if f"/{action}@" in one.get("uses", "")]
        return [one["with"] for one in found]

    made = [one for job in ("pure", "compiled") for one in steps(job, "upload-artifact")]
    names = {str(one["name"]).partition("${{")[0] for one in made}
    assert names == {"packages-pure", "page", "packages-"}
    endings = {path.rpartition(".")[2] for one in made for path in str(one["path"]).split()}
    assert endings == {"whl", "gz", "zip", "xdc"}
    brought = {
        str(one.get("pattern", one.get("name"))): f"{one['path']}/*"
        for one in steps("publish", "download-artifact")
    }
    assert all(any(fnmatch(name, pattern) for pattern in brought) for name in names)
    (attested,) = steps("publish", "attest-build-provenance")
    assert {*str(attested["subject-path"]).split()} == {*brought.values()}
    actions = [one["uses"].partition("@")[0] for one in release["publish"]["steps"]]
    assert actions[-2:] == ["actions/attest-build-provenance", "pypa/gh-action-pypi-publish"]
    assert brought["packages-*"] == "dist/*", "which is what the index gets"
