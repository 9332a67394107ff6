"""`pbem id`: making, showing, renaming, carrying an identity to another machine, and
passphrases."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from examples.correspondence import Player
from pbem.errors import Usage
from pbem.home.identity import read_pem, write_pem
from tests.support import starter
from tests.support.golden_words import Golden
from tests.support.terminal import at_a_terminal


def rewrapped(pem: bytes) -> bytes:
    """The same file in shorter lines."""
    first, body, last, _ = pem.split(b"\n")
    return b"\n".join([first, body[:40], body[40:], last, b""])


@pytest.fixture
def dora(tmp_path: Path) -> Player:
    return Player("Dora", tmp_path / "dora", tmp_path, True)


def test_make_show_rename(dora: Player) -> None:
    made = dora.does("id", "--name", "Dora", "--mail", "dora@example.org")
    assert made.keys() >= {"name", "mail", "key", "fingerprint", "home"}
    assert re.fullmatch(r"(\d{5} ){5}\d{5}", made["fingerprint"])
    assert dora.does("id") == made
    renamed = dora.does("id", "--name", "Dorothea")
    assert renamed == made | {"name": "Dorothea"}
    _, out, _ = dora.types("id")
    assert out.startswith("Dorothea <dora@example.org>\n") and made["fingerprint"] in out


def test_without_mail(dora: Player) -> None:
    assert dora.does("id", "--name", "Dora")["mail"] == ""
    assert dora.types("id")[1].startswith("Dora\n")


@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_nobody_else_may_read_the_key(dora: Player) -> None:
    dora.does("id", "--name", "Dora")
    assert stat.S_IMODE((dora.home / "identity.pem").stat().st_mode) == 0o600
    dora.does("id", "--export", "key.pem")
    assert stat.S_IMODE((dora.folder / "key.pem").stat().st_mode) == 0o600


def test_export_and_import(dora: Player) -> None:
    made = dora.does("id", "--name", "Dora")
    dora.does("id", "--export", "key.pem")
    assert (dora.folder / "key.pem").read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    elsewhere = replace(dora, home=dora.folder / "elsewhere")
    assert elsewhere.asks("id", "--import", "key.pem")["exit"] == 2, "a name is wanted"
    moved = elsewhere.does("id", "--import", "key.pem", "--name", "Dora")
    assert (moved["key"], moved["fingerprint"]) == (made["key"], made["fingerprint"])


@pytest.mark.parametrize(
    "written",
    [
        lambda pem: pem,
        lambda pem: pem.replace(b"\n", b"\r\n"),
        lambda pem: b"Dora's key\n" + pem + b"\n",
        rewrapped,
    ],
    ids=["ours", "carriage returns", "words around it", "wrapped otherwise"],
)
def test_a_key_file_is_read_as_the_library_reads_it(written: Callable[[bytes], bytes]) -> None:
    """The plain form that `write_pem` gives is read without the library, all others with it."""
    pem = written(write_pem(bytes(range(32))))
    theirs = load_pem_private_key(pem, None)
    assert isinstance(theirs, Ed25519PrivateKey)
    assert read_pem(pem) == theirs.private_bytes_raw() == bytes(range(32))


@pytest.mark.parametrize("place", [30, 40, 60, 91])
def test_a_damaged_key_file_is_no_other_key(place: int) -> None:
    pem = write_pem(bytes(32))
    with pytest.raises(Usage):
        read_pem(pem[:place] + pem[place + 1 :])
    with pytest.raises(Usage):
        read_pem(pem[:place] + b"!" + pem[place + 1 :])


def test_import_of_something_else(dora: Player) -> None:
    (dora.folder / "key.pem").write_text(
        "-----BEGIN PRIVATE KEY-----\nxxxx\n-----END PRIVATE KEY-----\n"
    )
    facts = dora.asks("id", "--import", "key.pem", "--name", "Dora")
    assert facts["exit"] == 2 and not (dora.home / "identity.pem").exists()
    assert "key.pem" in facts["error"] and "identity.pem" not in facts["error"], "no other file"


def test_a_passphrase_from_the_environment(
    dora: Player, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "open sesame")
    made = dora.does("id", "--name", "Dora", "--passphrase")
    assert b"ENCRYPTED PRIVATE KEY" in (dora.home / "identity.pem").read_bytes()
    assert dora.does("id")["key"] == made["key"]
    monkeypatch.setenv("PBEM_PASSPHRASE", "open barley")
    facts = dora.asks("id")
    assert facts["exit"] == 2
    golden(facts["error"].replace(f"{dora.home}/", ""))
    monkeypatch.delenv("PBEM_PASSPHRASE")
    code, out, err = starter.types(dora.home, dora.folder, "id")
    assert (code, out) == (2, "") and "passphrase" in err and err.count("\n") == 1


def test_a_home_that_is_packed_needs_a_passphrase_which_is_not_that_of_the_key(
    dora: Player, golden: Golden
) -> None:
    dora.does("id", "--name", "Dora")
    code, out, err = starter.types(dora.home, dora.folder, "home", "move", "packed")
    assert (code, out) == (2, "") and "the key" not in err
    golden(err)


def test_an_exported_key_keeps_its_passphrase(
    dora: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "open sesame")
    made = dora.does("id", "--name", "Dora", "--passphrase")
    dora.does("id", "--export", "key.pem")
    assert b"ENCRYPTED PRIVATE KEY" in (dora.folder / "key.pem").read_bytes()
    moved = replace(dora, home=dora.folder / "moved").does(
        "id", "--import", "key.pem", "--name", "Dora"
    )
    assert moved["key"] == made["key"]
    assert b"ENCRYPTED PRIVATE KEY" in (dora.folder / "moved" / "identity.pem").read_bytes()


def test_a_passphrase_for_a_key_that_is_there_is_not_promised_in_silence(
    dora: Player, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "open sesame")
    dora.does("id", "--name", "Dora")
    facts = dora.asks("id", "--passphrase")
    assert facts["exit"] == 2
    golden(facts["error"])
    dora.does("id", "--passphrase", "--export", "key.pem")
    assert b"ENCRYPTED PRIVATE KEY" in (dora.folder / "key.pem").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_a_passphrase_typed_at_a_terminal(dora: Player) -> None:
    screen = at_a_terminal(
        dora.home,
        dora.folder,
        ["id", "--name", "Dora", "--passphrase"],
        ["one for all", "one for all"],
    )
    assert "New passphrase: " in screen and "Once more: " in screen and "fingerprint" in screen
    assert "one for all" not in screen
    assert b"ENCRYPTED PRIVATE KEY" in (dora.home / "identity.pem").read_bytes()
    assert "Dora" in at_a_terminal(dora.home, dora.folder, ["id"], ["one for all"])
    assert "Dora" not in at_a_terminal(dora.home, dora.folder, ["id"], ["one for one"])


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_two_different_passphrases_make_nothing(dora: Player) -> None:
    screen = at_a_terminal(
        dora.home,
        dora.folder,
        ["id", "--name", "Dora", "--passphrase"],
        ["one for all", "all for one"],
    )
    assert "fingerprint" not in screen
    assert not (dora.home / "identity.pem").exists()
