"""A chat of real cores: members whose updates go by the messenger, with `pbem/web/chat.py` as the
app's own logic."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.chat_kit import Chat, Member, Payload
from tests.support.cores import Core, Post, address_of
from tests.support.mail_servers import dovecot, smtp_server


def small_app(folder: Path) -> Path:
    """An app that a messenger takes, for games in which nobody opens it."""
    made = folder / "pbem.xdc"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("index.html", "<!DOCTYPE html>")
        archive.writestr("manifest.toml", 'name = "pbem"\n')
    return made


class AtCore(Member):
    """Somebody whose app runs in a messenger, in this message of theirs."""

    def __init__(self, folder: Path, name: str, core: Core, message: int, **more: Any) -> None:
        super().__init__(folder, name, **more)
        self.core, self.message = core, message
        self.address = self.core.tell("get_webxdc_info", message)["selfAddr"]

    def updates(self, after: int = 0) -> list[Any]:
        return list(json.loads(self.core.tell("get_webxdc_status_updates", self.message, after)))

    def read(self) -> list[Mapping[str, Any]]:
        """Open the app: take in what has come since the last time."""
        new = self.updates(self.serial)
        self.serial = max([self.serial, *(one["serial"] for one in new)])
        return self.take_in([[one["serial"], one["payload"]] for one in new])

    def send(self, update: Mapping[str, Any]) -> None:
        made = {name: update[name] for name in ("payload", "info", "summary") if name in update}
        self.core.tell("send_webxdc_status_update", self.message, json.dumps(made), "")

    def count(self, payload: Payload) -> int:
        """How often it has come."""
        return sum(one["payload"] == payload for one in self.updates())

    def await_update(self, payload: Payload, before: int = 0) -> None:
        """Wait until it has come once more than before."""
        self.core.until(lambda: self.count(payload) > before)


class Servers:
    """Mail servers, and cores with an account there each."""

    def __init__(self, folder: Path, stack: ExitStack, names: Sequence[str]) -> None:
        self.folder, self._stack = folder, stack
        _, self._imap, _, mails = stack.enter_context(dovecot(*(one.lower() for one in names)))
        self.post = Post({address_of(one): mails.parent / one.lower() for one in names})
        (folder / "smtp").mkdir()
        self._smtp, _, _ = stack.enter_context(smtp_server(folder / "smtp", "tls", self.post))
        self.cores = {name: self.core(name) for name in names}

    def core(self, name: str, *, device: str = "") -> Core:
        """Somebody's core; without an account yet where it is a further device."""
        made = Core(self.folder / f"core-of-{name}{device}")
        self._stack.callback(made.stop)
        if not device:
            made.configure(name, self._imap, self._smtp)
        return made

    def group(self, app: Path) -> dict[str, int]:
        """All of them in a chat into which the first one sends the app; its message at each."""
        (first, core), *others = self.cores.items()
        chat = core.tell("create_group_chat", "Game night", False)
        for _, other in others:
            card = other.tell("make_vcard", [1])
            (contact,) = core.tell("import_vcard_contents", card)
            core.tell("add_contact_to_chat", chat, contact)
        sent = core.tell("send_msg", chat, {"file": str(app), "viewtype": "Webxdc"})
        messages = {name: other.until(partial(app_in, other)) for name, other in others}
        return {first: sent, **messages}


def app_in(core: Core) -> int | None:
    """The message of the app that has come into one of the chats, which is accepted."""
    for chat in core.tell("get_chatlist_entries", None, None, None):
        for number in core.tell("get_message_ids", chat, False, False):
            message = core.tell("get_message", number)
            if message["viewType"] == "Webxdc" and message["downloadState"] == "Done":
                core.tell("accept_chat", message["chatId"])
                return int(number)
    return None


class Group(Chat):
    """The members of a chat of real cores. `fate` says what becomes of the mail with an update on
    its way to a member (`Post`)."""

    def __init__(self, servers: Servers, app: Path) -> None:
        messages = servers.group(app)
        self.servers = servers
        self.fate: Callable[[Member, Payload], str] = lambda _member, _payload: "now"
        self.people = [
            AtCore(servers.folder, name, core, messages[name])
            for name, core in servers.cores.items()
        ]
        self.late: list[tuple[AtCore, Payload, int]] = []
        super().__init__(*self.people)

    def send(self, sender: Member, update: Mapping[str, Any]) -> None:
        """Send it, and wait until it is where it is to arrive."""
        assert isinstance(sender, AtCore)
        payload, post = update["payload"], self.servers.post
        others = [one for one in self.people if one is not sender and one.core.is_running()]
        fates = {one.name: self.fate(one, payload) for one in self.people if one is not sender}
        post.fates = {address_of(name): fate for name, fate in fates.items()}
        count, before = post.count(), {one.name: one.count(payload) for one in others}
        self.sent.append(payload)
        sender.send(update)
        sender.core.until(lambda: post.count() > count)
        for one in others:
            if fates[one.name] in ("now", "twice"):
                one.await_update(payload, before[one.name])
            elif fates[one.name] == "late":
                self.late.append((one, payload, before[one.name]))

    def deliver_late(self) -> None:
        """What was late comes now."""
        late, self.late = self.late, []
        self.servers.post.fates = {}
        self.servers.post.deliver_late()
        for one, payload, before in late:
            one.await_update(payload, before)
