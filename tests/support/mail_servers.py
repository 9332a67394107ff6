"""Real mail servers on the loopback: SMTP by aiosmtpd, IMAP by Dovecot with a configuration of its
own."""

from __future__ import annotations

import datetime
import grp
import ipaddress
import itertools
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.effort import PATIENCE
from tests.support.rights import open_to_all

HOST = "127.0.0.1"
USER, PASSWORD = "ann", "wind & tide"


def certificate(folder: Path, days: float = 1) -> tuple[Path, Path]:
    """A certificate for the loopback and its key, which is its own authority. It is valid for so
    many days; with a number below 0 it has expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1, days=max(0, -2 * days)))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    key_file.write_bytes(pem)
    return cert_file, key_file


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Letters:
    """What an SMTP server was given."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[str], bytes]] = []
        self.refuse: set[str] = set()
        self.times: list[float] = []
        """When each was taken, in seconds of a clock that only goes on."""
        self.boxes: dict[str, Path] = {}
        """Maildirs into which mails to these addresses are delivered."""
        self._delivered = itertools.count()

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self.refuse:
            return "550 nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        self.times.append(time.monotonic())
        for address in envelope.rcpt_tos:
            self.deliver(address, envelope.content)
        return "250 taken"

    def deliver(self, address: str, content: bytes) -> None:
        """Put a mail into the Maildir of this address, if it has one."""
        if address in self.boxes:
            box = self.boxes[address]
            path = box / "tmp" / f"{next(self._delivered):06}.host"
            path.write_bytes(content)
            path.chmod(0o644)
            path.rename(box / "new" / path.name)


@contextmanager
def smtp_server(
    folder: Path, security: str, letters: Letters | None = None
) -> Iterator[tuple[int, Letters, Path]]:
    """The port of a server that wants STARTTLS or TLS and a password, what it takes, and its
    certificate."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, LoginPassword

    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)

    def check(
        _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any
    ) -> AuthResult:
        good = isinstance(given, LoginPassword) and (given.login, given.password) == (
            USER.encode(),
            PASSWORD.encode(),
        )
        return AuthResult(success=good, handled=False)

    letters = letters or Letters()
    options: dict[str, Any] = {
        "authenticator": check,
        "auth_required": True,
        "ready_timeout": PATIENCE,
    }
    if security == "tls":
        options |= {"ssl_context": context, "auth_require_tls": False}
    else:
        options |= {"tls_context": context, "require_starttls": True}
    controller = Controller(letters, hostname=HOST, port=free_port(), **options)
    controller.start()
    try:
        yield controller.port, letters, cert
    finally:
        controller.stop()


@contextmanager
def dovecot(*others: str) -> Iterator[tuple[int, int, Path, Path]]:
    """Ports for IMAP with STARTTLS and with TLS, the certificate, and the user's Maildir, beside
    which those of the others lie."""
    with open_to_all() as folder:
        yield from _dovecot(folder, (USER, *others))


def _dovecot(folder: Path, users: tuple[str, ...]) -> Iterator[tuple[int, int, Path, Path]]:
    cert, key = certificate(folder)
    plain, tls = free_port(), free_port()
    boxes = folder / "boxes"
    made = [boxes / user / sub for user in users for sub in ("", "cur", "new", "tmp")]
    for path in made:
        path.mkdir(parents=True, exist_ok=True)
    (folder / "run").mkdir()
    who = pwd.getpwuid(os.getuid()).pw_name
    system = "dovecot" if os.getuid() == 0 else who
    group = "dovecot" if os.getuid() == 0 else grp.getgrgid(os.getgid()).gr_name
    owner = pwd.getpwnam(system)
    for path in (folder, boxes, *made):  # it never touches a mail as root
        os.chown(path, owner.pw_uid, owner.pw_gid)
    (folder / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users))
    config = folder / "dovecot.conf"
    config.write_text(
        f"""
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = {HOST}
ssl = required
ssl_cert = <{cert}
ssl_key = <{key}
disable_plaintext_auth = yes
auth_failure_delay = 0
mailbox_idle_check_interval = 1 s
default_internal_user = {system}
default_internal_group = {group}
default_login_user = {"dovenull" if os.getuid() == 0 else who}
mail_location = maildir:{boxes}/%u
first_valid_uid = 1
mail_uid = {owner.pw_uid}
mail_gid = {owner.pw_gid}
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={folder}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  user = {who}
}}
"""
    )
    program = shutil.which("dovecot") or "/usr/sbin/dovecot"
    command = [program, "-F", "-c", str(config)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    try:
        _wait_for(plain, server, folder / "log")
        yield plain, tls, cert, boxes / USER
    finally:
        with suppress(ProcessLookupError):  # it may not have begun
            # asked to end, it waits a second for each of its processes
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(PATIENCE)
        if server.stderr is not None:
            server.stderr.close()


def fetch_settings(port: int, cert: Path, command: Sequence[str], user: str = USER) -> str:
    """The lines of a mail.toml that fetch by TLS from a Dovecot here, with the password that a
    command prints."""
    return (
        f"[fetch]\nhost = '{HOST}'\nport = {port}\nsecurity = 'tls'\nuser = '{user}'\n"
        f"ca-file = '{cert}'\npassword-command = {list(command)!r}\n"
    )


def wait_until(there: Callable[[], object]) -> None:
    """Wait for what a server does in its own time."""
    until = time.monotonic() + PATIENCE
    while not there() and time.monotonic() < until:
        time.sleep(0.05)
    assert there()


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(50 * PATIENCE):
        if server.poll() is not None:
            said = server.stderr.read().decode() if server.stderr else ""
            raise RuntimeError(f"dovecot ended: {said}\n{log.read_text() if log.exists() else ''}")
        try:
            with socket.create_connection((HOST, port), 1) as probe:
                if probe.recv(4) == b"* OK":
                    return
        except OSError:
            pass
        time.sleep(0.02)
    raise RuntimeError("dovecot does not answer")


POSTFIX = """compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
mail_owner = postfix
setgid_group = postdrop
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = box.example.net
mydestination =
relayhost = [{host}]:{port}
maillog_file = /dev/stdout
alias_maps =
alias_database =
local_recipient_maps =
"""
POSTFIX_SERVICES = """pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
postlog unix-dgram n - n - 1 postlogd
"""


@contextmanager
def postfix(letters: Letters) -> Iterator[list[str]]:
    """The command of the sendmail of a Postfix of its own, in a folder of its own, that hands all
    mails on to a server which gives them to `letters`. It needs root."""
    from aiosmtpd.controller import Controller

    relay = Controller(letters, hostname=HOST, port=free_port(), ready_timeout=PATIENCE)
    relay.start()
    with open_to_all() as folder:
        for below in ("etc", "queue", "data"):
            (folder / below).mkdir()
        os.chown(folder / "data", pwd.getpwnam("postfix").pw_uid, -1)
        config = POSTFIX.format(folder=folder, host=HOST, port=relay.port)
        (folder / "etc" / "main.cf").write_text(config)
        (folder / "etc" / "master.cf").write_text(POSTFIX_SERVICES)
        control = ["/usr/sbin/postfix", "-c", str(folder / "etc")]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([*control, "start-fg"], stdout=log, stderr=log)
        try:
            for _ in range(50 * PATIENCE):
                if (folder / "queue" / "public" / "pickup").exists() or server.poll() is not None:
                    break
                time.sleep(0.02)
            yield ["/usr/sbin/sendmail", "-C", str(folder / "etc")]
        finally:
            subprocess.run([*control, "stop"], capture_output=True, check=False, timeout=PATIENCE)
            server.terminate()
            server.wait(PATIENCE)
            relay.stop()
