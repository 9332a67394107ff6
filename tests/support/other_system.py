"""Runs `pbem` as another system would have it, as far as Linux can be made to: a simulation, which
shows what breaks and never that something works there.

    python -m tests.support.other_system SYSTEM ROOT

It reads a line `[HOME, [ARGUMENT...]]` for each command, and answers with one that has `code`,
`out` and `err`. Folders below ROOT do not tell capital letters from small ones. On "windows"
modules, functions and signals of POSIX are gone, text is cp1252 where nobody says otherwise, rights
mean nothing, and a file that is open can be neither replaced nor removed.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import io
import json
import locale
import os
import pkgutil
import signal
import stat
import sys
import types
from pathlib import Path
from typing import Any

MODULES = {"fcntl", "pwd", "grp", "resource", "termios", "tty", "pty"}
FUNCTIONS = (
    *("link", "fork", "forkpty", "getuid", "geteuid", "getpgid", "setsid", "sync", "mkfifo"),
    *("O_NOFOLLOW", "O_NONBLOCK", "set_blocking", "sched_getaffinity", "chown", "statvfs"),
)
BY_PATH = ("stat", "lstat", "open", "unlink", "remove", "mkdir", "rmdir", "scandir", "listdir")
ENCODING = "cp1252"


class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, *_: Any) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"no module named {name!r} on this system", name=name)


def fold_case(root: str) -> None:
    """Names below a folder are found however they are written."""

    def found(path: Any) -> Any:
        if not isinstance(path, str | os.PathLike):
            return path
        text = os.path.abspath(os.fspath(path))
        if not isinstance(text, str) or not text.startswith(root + os.sep) or exists(text):
            return path
        here = root
        for part in text[len(root) + 1 :].split(os.sep):
            names = listed(here) if folder(here) else []
            same = [one for one in names if one.casefold() == part.casefold()]
            here = os.path.join(here, same[0] if same else part)
        return here

    listed, stat_of = os.listdir, os.stat

    def exists(path: str) -> bool:
        try:
            stat_of(path, follow_symlinks=False)
        except (OSError, ValueError):
            return False
        return True

    def folder(path: str) -> bool:
        try:
            return stat.S_ISDIR(stat_of(path).st_mode)
        except (OSError, ValueError):
            return False

    def wrap(whole: Any, paths: int = 1) -> Any:
        def wrapped(*given: Any, **named: Any) -> Any:
            return whole(*(found(one) for one in given[:paths]), *given[paths:], **named)

        return wrapped

    for name in BY_PATH:
        setattr(os, name, wrap(getattr(os, name)))
    for name in ("replace", "rename"):
        setattr(os, name, wrap(getattr(os, name), 2))
    builtins.open = io.open = wrap(io.open)


def keep_open_files() -> None:
    """What this process has open can be neither replaced nor removed."""

    def check(path: Any) -> None:
        for handle in listed("/proc/self/fd"):
            try:
                name = readlink(f"/proc/self/fd/{handle}")
            except OSError:
                continue
            if name == os.path.abspath(os.fspath(path)):
                raise PermissionError(13, "it is used by another process", name)

    listed, readlink = os.listdir, os.readlink
    replace, unlink = os.replace, os.unlink

    def replace_closed(source: Any, target: Any, **named: Any) -> None:
        check(source)
        check(target)
        replace(source, target, **named)

    def unlink_closed(path: Any, **named: Any) -> None:
        if "dir_fd" not in named:
            check(path)
        unlink(path, **named)

    os.replace = os.rename = replace_closed
    os.unlink = os.remove = unlink_closed


def speak_cp1252() -> None:
    """Text without a named encoding is cp1252, standard streams too."""
    whole = io.open

    def opened(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        if "b" not in mode and len(more) < 2 and named.get("encoding") is None:
            named["encoding"] = ENCODING
        return whole(file, mode, *more, **named)

    builtins.open = io.open = opened
    locale.getpreferredencoding = lambda *_: ENCODING
    locale.getencoding = lambda: ENCODING
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(encoding=ENCODING)


def no_posix() -> None:
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Gone())
    for name in FUNCTIONS:
        if hasattr(os, name):
            delattr(os, name)
    os.chmod = lambda *_, **__: None
    install = signal.signal

    def only_interrupts(number: int, handler: Any) -> Any:
        if number != signal.SIGINT:
            raise ValueError("no such signal on this system")
        return install(number, handler)

    signal.signal = only_interrupts


def import_all() -> list[types.ModuleType]:
    """Every module of the program but those of a browser's page."""
    found = []
    for package in ("pbem", "engine"):
        path = importlib.import_module(package).__path__  # of the one that is installed
        for one in pkgutil.walk_packages(path, f"{package}."):
            if not one.name.startswith("pbem.web"):
                found.append(importlib.import_module(one.name))
    return found


def name_system(modules: list[types.ModuleType], name: str, platform: str) -> None:
    """In the program `os.name` and `sys.platform` are those; the library of Python stays as it
    was."""

    class Named(types.ModuleType):
        def __init__(self, whole: types.ModuleType, **other: str) -> None:
            super().__init__(whole.__name__)
            self.__dict__["_whole"] = whole
            self.__dict__.update(other)

        def __getattr__(self, wanted: str) -> Any:
            return getattr(self.__dict__["_whole"], wanted)

        def __setattr__(self, wanted: str, value: Any) -> None:
            setattr(self.__dict__["_whole"], wanted, value)

    for module in modules:
        if getattr(module, "os", None) is os:
            module.os = Named(os, name=name)
        if getattr(module, "sys", None) is sys:
            module.sys = Named(sys, platform=platform)


def run(run_command: Any, home: str, command: list[str], encoding: str) -> dict[str, Any]:
    """The exit code of a command, and what it printed, as a pipe of that encoding gets it."""
    os.environ["PBEM_HOME"] = home
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    code: Any = 0
    try:
        run_command(command)
    except SystemExit as end:
        code = end.code
    finally:
        texts = []
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode(encoding))
        sys.stdout, sys.stderr = kept
    return {"code": code or 0, "out": texts[0], "err": texts[1]}


def main() -> None:
    system, root = sys.argv[1:]
    is_windows = system == "windows"
    if is_windows:
        no_posix()
        speak_cp1252()
        keep_open_files()
    modules = import_all()
    fold_case(str(Path(root).resolve()))
    name_system(modules, *(("nt", "win32") if is_windows else ("posix", "darwin")))
    run_command = next(one for one in modules if one.__name__ == "pbem.cli.app").run
    for line in sys.stdin:
        home, command = json.loads(line)
        said = run(run_command, home, command, ENCODING if is_windows else "utf-8")
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
