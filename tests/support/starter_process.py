"""The process from which `tests.support.starter` forks programs: the modules of pbem are loaded in
it and nothing of them has run, there is one thread, and nothing is open but the socket of the
requests.

`python -m tests.support.starter_process SOCKET`, without PYTHONPATH, serves until the socket is
closed. Each request is one packet: JSON with the arguments of the interpreter (`-m MODULE ...` or
`-c CODE ...`), the environment and the folder, and as descriptors the three standard streams and a
pipe. Down that pipe go the number of the new process and, at its end, its wait status and its
processor seconds.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import time
from types import ModuleType
from typing import Any, BinaryIO, TextIO, cast

from tests.support.starter import take_terminal

LARGEST = 1 << 20
"""Bytes of a request."""

NOT_LOADED = (
    "pbem.__main__",  # what the program runs
    # `pbem.cli.startup.process` asks whether it is
    *("pbem.games.plugins", "pbem.games.check", "pbem.games.sample"),
    *("pbem.library", "pbem.table"),  # large, and rarely started
    "pbem.watch.teller",  # a program of its own
    "pbem.web",  # what runs in a browser
)
LIBRARIES = (
    *(
        "typer",
        "typer.main",
        "typer._click.decorators",
        "jinja2",
        "jinja2.ext",
        "nacl.bindings",
        "getpass",
    ),
    *(
        "email.mime.multipart",
        "tomli_w",
        "platformdirs",
        "watchfiles",
        "imapclient",
        "ctypes",
        "tty",
    ),
    *(
        "encodings.ascii",
        "encodings.idna",
        "encodings.unicode_escape",
        "PIL.Image",
        "PIL.PngImagePlugin",
    ),
    *(
        "rich.console",
        "rich.markup",
        "rich.table",
        "rich.text",
        "rich.padding",
        "rich.columns",
        "rich._emoji_codes",
    ),
    *(
        "prompt_toolkit",
        "prompt_toolkit.history",
        "prompt_toolkit.completion",
        "prompt_toolkit.patch_stdout",
    ),
    *("prompt_toolkit.input.vt100", "prompt_toolkit.key_binding.bindings.search"),
    *(
        "cryptography.hazmat.primitives.serialization",
        "cryptography.hazmat.primitives.asymmetric.ed25519",
    ),
)
"""Those that commands load only where they need them."""


def load() -> None:
    """Load what commands load; nothing of it will ever be garbage."""
    import engine
    import pbem

    for name in LIBRARIES:
        importlib.import_module(name)
    for package in (engine, pbem):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(
                found.name == left or found.name.startswith(f"{left}.") for left in NOT_LOADED
            ):
                importlib.import_module(found.name)
    gc.collect()
    gc.freeze()


class Children:
    """The programs that were started and have not ended, each with the pipe that its end is told
    on."""

    def __init__(self) -> None:
        self._pipes: dict[int, int] = {}
        self.ended, self._wakes = socket.socketpair()
        for end in (self.ended, self._wakes):
            end.setblocking(False)
        signal.set_wakeup_fd(self._wakes.fileno())
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)

    def add(self, process: int, pipe: int) -> None:
        """One more."""
        self._pipes[process] = pipe
        _tell(pipe, {"process": process})

    def collect(self) -> None:
        """Tell the ends of those that have ended."""
        with contextlib.suppress(BlockingIOError):
            while self.ended.recv(4096):
                pass
        while self._pipes:
            process, status, used = os.wait4(-1, os.WNOHANG)
            if not process:
                break
            pipe = self._pipes.pop(process)
            _tell(pipe, {"status": status, "seconds": used.ru_utime + used.ru_stime})
            os.close(pipe)

    def forget(self) -> None:
        """In a new program: none of this is its own."""
        signal.set_wakeup_fd(-1)
        for end in (self.ended, self._wakes):
            end.detach()


def _tell(pipe: int, facts: dict[str, float]) -> None:
    with contextlib.suppress(OSError):  # whoever asked has gone
        os.write(pipe, json.dumps(facts).encode() + b"\n")


def serve(requests: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Start programs until the socket is closed. Returns in each new process, with its request and
    its streams."""
    children = Children()
    waiting = select.poll()
    for end in (requests, children.ended):
        waiting.register(end, select.POLLIN)
    while True:
        ready = {place for place, _ in waiting.poll()}
        if children.ended.fileno() in ready:
            children.collect()
        if requests.fileno() not in ready:
            continue
        data, descriptors, _, _ = socket.recv_fds(requests, LARGEST, 4)
        if not data:
            return None
        process = os.fork()
        if not process:
            children.forget()
            requests.detach()
            return json.loads(data), descriptors[:-1]
        children.add(process, descriptors[-1])
        for descriptor in descriptors[:-1]:
            os.close(descriptor)


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Be the program of this request, as if Python had started with it."""
    if request["session"]:
        os.setsid()
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.closerange(3, 4096)
    if request["terminal"]:
        take_terminal()
    for number in (signal.SIGCHLD, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    _open_streams()
    _run(request["arguments"])


def _open_streams() -> None:
    """The standard streams as Python makes them (create_stdio in its pylifecycle.c): same encoding
    and same errors as those of this process, whose environment says the same about them;
    PYTHONUNBUFFERED may say something else."""
    for place, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(place, name)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _stream(place: int, name: str) -> TextIO:
    was, mode = getattr(sys, name), "w" if place else "r"
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    size = 0 if place and unbuffered else -1
    binary = cast(BinaryIO, open(place, f"{mode}b", size, closefd=False))  # noqa: SIM115
    raw = getattr(binary, "raw", binary)
    raw.name = f"<{name}>"
    line_buffering = not unbuffered and (raw.isatty() or place == 2)
    stream = io.TextIOWrapper(binary, was.encoding, was.errors, "\n", line_buffering, unbuffered)
    stream.mode = mode  # type: ignore[misc]
    return stream


def _run(arguments: list[str]) -> None:
    """What `python ARGUMENTS` runs. An exception leaves this process as it would leave that one."""
    way, what, *more = arguments
    own = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.path[0:1] = [os.getcwd() if way == "-m" else "", *own]
    sys.orig_argv = [sys.executable, *arguments]
    sys.argv = ["-m" if way == "-m" else way, *more]
    if way == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = ModuleType("__main__")
    exec(compile(what, "<string>", "exec"), main.__dict__)


def main() -> None:
    """Serve; the new programs go on from here."""
    # Ctrl-C is for whoever asked, and for the programs
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = socket.socket(fileno=int(sys.argv[1]))
    load()
    started = serve(requests)
    if started is not None:
        become(*started)


if __name__ == "__main__":
    main()
