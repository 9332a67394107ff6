"""Connections to mail servers on which no answer may take for ever.

A time limit for each read is not enough: a server that sends a byte every ten seconds never breaks
it. So the time spent waiting since the last command is counted, and a long answer has to come at a
least rate. Waiting for mails (IDLE) polls and is not counted. The server's name has to be found in
the same time.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

TIMEOUT = 30.0
"""Seconds that the answer to a command may take to begin."""
LEAST_RATE = 4_000
"""Bytes a second of a long mail at least."""
_LEAST_WAIT = 1.0
"""Seconds that each address of a server is given at least."""


class NoName(TimeoutError):
    """Nobody has told the address of this server in time."""


class _Bounded:
    """What is added to a socket: the seconds that were spent waiting since the last command, and
    the bytes that went since. `most` may be raised for a command whose answer takes longer;
    `most_bytes` and `until`, a time of the clock that only goes on, end an answer however fast it
    comes."""

    most = TIMEOUT
    waited = 0.0
    went = 0
    most_bytes: int | None = None
    until: float | None = None
    gettimeout: Callable[[], float | None]
    settimeout: Callable[[float | None], None]

    def begin_command(self) -> None:
        """Count anew."""
        self.waited, self.went = 0.0, 0

    def timed(self, work: Callable[[], int]) -> int:
        """Do one read or write, which returns how many bytes went. Raises `TimeoutError`."""
        own = self.gettimeout()
        if own == 0:
            return work()
        left = self.most + self.went / LEAST_RATE - self.waited
        if self.until is not None:
            left = min(left, self.until - time.monotonic())
        if left <= 0 or (self.most_bytes is not None and self.went > self.most_bytes):
            raise TimeoutError("the answer takes too long")
        begun = time.monotonic()
        try:
            self.settimeout(left if own is None else min(own, left))
            done = work()
        finally:
            self.waited += time.monotonic() - begun
            self.settimeout(own)
        self.went += done
        return done


class _Plain(_Bounded, socket.socket):
    """A connection in the clear."""

    def sendall(self, data: Any, flags: int = 0) -> None:
        self.begin_command()
        super().sendall(data, flags)

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        read = super().recv_into
        return self.timed(lambda: read(buffer, nbytes, flags))


class _Tls(_Bounded, ssl.SSLSocket):
    """A connection under TLS, whose `sendall` sends in parts."""

    def sendall(self, data: Any, flags: int = 0) -> None:
        self.begin_command()
        super().sendall(data, flags)

    def send(self, data: Any, flags: int = 0) -> int:
        write = super().send
        return self.timed(lambda: write(data, flags))

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        read = super().recv_into
        return self.timed(lambda: read(buffer, nbytes, flags))


def bound_answer(connection: socket.socket, most_bytes: int, seconds: float) -> None:
    """Let a connection of `connect` bring so many bytes in so many seconds, and then end."""
    assert isinstance(connection, _Bounded)
    connection.most_bytes, connection.until = most_bytes, time.monotonic() + seconds


def bounded(context: ssl.SSLContext) -> ssl.SSLContext:
    """This context; what is wrapped by it is bounded."""
    context.sslsocket_class = _Tls
    return context


def connect(host: str, port: int, context: ssl.SSLContext | None) -> socket.socket:
    """A bounded connection, under TLS if there is a context. Raises `OSError`."""
    until = time.monotonic() + TIMEOUT
    addresses = _addresses(host, port)
    for number, (family, kind, protocol, _, address) in enumerate(addresses):
        plain = _Plain(family, kind, protocol)
        try:
            # the first one may be stuck: each has its share of the time that is left
            left = (until - time.monotonic()) / (len(addresses) - number)
            plain.settimeout(max(left, _LEAST_WAIT))
            plain.connect(address)
            plain.settimeout(TIMEOUT)
            if context is None:
                return plain
            return bounded(context).wrap_socket(plain, server_hostname=host)
        except BaseException as error:
            plain.close()
            is_last = number == len(addresses) - 1
            # what has answered without being trusted is told
            if is_last or isinstance(error, ssl.SSLError) or not isinstance(error, OSError):
                raise
    raise OSError(f"{host} has no address")


Address = tuple[Any, ...]
"""What `socket.getaddrinfo` tells of one address of a server."""
_asked: dict[tuple[str, int], Future[Sequence[Address]]] = {}
"""The names that are being looked up."""


def _addresses(host: str, port: int) -> Sequence[Address]:
    """The addresses of a server. The system has no deadline for that and can not be interrupted, so
    a thread asks; while it is stuck no second one asks for the same name. Raises `OSError`."""
    answer = _asked.get((host, port))
    if answer is None:
        answer = _asked[host, port] = Future()
        threading.Thread(
            target=_look_up, args=(host, port, answer), name="pbem name", daemon=True
        ).start()
    try:
        return answer.result(TIMEOUT)
    except TimeoutError as error:
        raise NoName(host) from error


def _look_up(host: str, port: int, answer: Future[Sequence[Address]]) -> None:
    try:
        answer.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except Exception as error:
        answer.set_exception(error)
    finally:
        _asked.pop((host, port), None)
