"""A packed home: what is refused, whoever made it."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import primitives
from pbem.errors import Malformed, PbemError, Usage
from pbem.fileformat import armor
from pbem.home import home_pack
from pbem.home.home_pack import PackedFile, check_name, decrypt, encrypt, pack, unpack

SALT, NONCE = bytes(range(16)), bytes(range(24))
EVIL = (
    "../up",
    "games/../../up",
    "/etc/passwd",
    "a//b",
    "./a",
    "a/.",
    "",
    "a\\b",
    "C:evil",
    "a\nb",
    "a\u202eb",
    "a/b/c/d/e/f/g/h/i",
    "x" * 201,
    " a",
    "a ",
    "a.",
    "nul\x00",
    "NUL",
    "games/com1.toml",
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that does not take half a second each time; `tests/vectors` has one at the full
    cost."""
    monkeypatch.setattr(home_pack, "MEMORY", 8192)


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """An archive as an attacker packs it who knows the passphrase."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return lzma.compress(made.getvalue())


def member(
    name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(data)
    return info, data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for name in (
        "identity.pem",
        "games/ab/signed/0000.toml",
        "inbox/a b.eml",
        "checked.bin",
        "cache/x",
        ".pbem-1.tmp",
    ):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() * 3)
    return home


def test_what_is_packed_comes_out_again(folder: Path) -> None:
    found = {one.name: one.data for one in unpack(pack(folder, {"place.toml": b"here"}))}
    names = ["games/ab/signed/0000.toml", "identity.pem", "inbox/a b.eml"]
    assert found == {"place.toml": b"here"} | {name: name.encode() * 3 for name in names}


def test_many_beginnings_of_one_file_take_the_room_of_one(tmp_path: Path) -> None:
    import random

    data = random.Random(1).randbytes(300_000)
    for number in range(20):
        (tmp_path / f"{number:04}.toml").write_bytes(data[: 100_000 + 10_000 * number])
    assert len(pack(tmp_path, {})) < 600_000


def test_a_file_whose_name_not_every_computer_can_have_is_told(folder: Path) -> None:
    (folder / "inbox" / "1:2,S").write_bytes(b"a mail")
    with pytest.raises(Usage, match="1:2,S"):
        pack(folder, {})


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_link_in_a_home_is_not_packed(folder: Path, kind: str, tmp_path: Path) -> None:
    (folder / "games" / "link").symlink_to(
        tmp_path if kind == "folder" else folder / "identity.pem"
    )
    with pytest.raises(Usage, match="link"):
        pack(folder, {})


@pytest.mark.parametrize("name", EVIL)
def test_a_name_that_leads_out_of_the_home_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        check_name(name)


@pytest.mark.parametrize("name", [name for name in EVIL if name and "\x00" not in name])
def test_an_archive_with_such_a_name_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        list(unpack(tar(member(name, b"x"))))


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
        tarfile.DIRTYPE,
    ],
)
def test_nothing_but_plain_files_is_unpacked(kind: bytes) -> None:
    with pytest.raises(Malformed):
        list(unpack(tar(member("games", kind=kind, link="/etc/passwd"))))


def test_no_file_comes_twice_in_whatever_letters() -> None:
    with pytest.raises(Malformed, match="twice"):
        list(unpack(tar(member("a/b", b"1"), member("A/B", b"2"))))


def test_what_a_home_makes_anew_comes_out_of_no_pack() -> None:
    """Compiled templates would be run, and proofs that are noted as checked believed."""
    names = ("cache/text-1.cache", "Cache/text-2.cache", "CHECKED.BIN", "games/00/checked.bin", "a")
    assert [one.name for one in unpack(tar(*(member(name, b"x") for name in names)))] == ["a"]


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_pack, "MAX_FILE", 10_000)
    monkeypatch.setattr(home_pack, "_BUDGET", 3_000_000)
    with pytest.raises(Malformed):
        list(unpack(tar(member("a", bytes(10_001)))))
    info = tarfile.TarInfo("b")
    info.pax_headers = {"comment": "x" * 5_000_000}  # a header that nobody needs, of any length
    with pytest.raises(Malformed):
        list(unpack(tar((info, b""))))
    monkeypatch.setattr(home_pack, "MAX_UNPACKED", 25_000)
    assert len(list(unpack(tar(*(member(str(n), bytes(10_000)) for n in range(2)))))) == 2
    with pytest.raises(Malformed):
        list(unpack(tar(*(member(str(n), bytes(10_000)) for n in range(3)))))
    monkeypatch.setattr(home_pack, "MAX_FILES", 3)
    with pytest.raises(Malformed):
        list(unpack(tar(*(member(str(n)) for n in range(4)))))


def test_an_archive_that_asks_for_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_pack, "_MEMORY", 1_000_000)
    with pytest.raises(Malformed):
        list(unpack(lzma.compress(b"x" * 10_000, preset=6)))


@given(st.binary(max_size=300), st.integers(0, 10_000))
def test_what_is_no_archive_is_refused_and_nothing_else_happens(noise: bytes, cut: int) -> None:
    whole = tar(member("a", b"1" * 3000), member("b", b"2" * 3000))
    for data in (noise, lzma.compress(noise), whole[: cut % len(whole)]):
        try:
            found = list(unpack(data))
        except Malformed:
            continue
        assert all(isinstance(one, PackedFile) for one in found)


@pytest.mark.parametrize("kind", home_pack.KINDS)
def test_every_changed_byte_is_noticed(kind: bytes) -> None:
    sealed = encrypt(b"a home", "secret", SALT, NONCE, kind)
    assert decrypt(sealed, "secret") == b"a home"
    for place in (0, len(kind) - 2, len(kind), len(kind) + 16, len(sealed) - 1):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(PbemError):
            decrypt(bytes(changed), "secret")
    with pytest.raises(Usage, match="passphrase"):
        decrypt(sealed, "Secret")
    for cut in (len(kind) + 3, 40):
        with pytest.raises(Malformed, match="cut off"):
            decrypt(sealed[:cut], "secret")


COMPOSED, DECOMPOSED = "cl\u00e9 d'\u00e5ne", "cle\u0301 d'a\u030ane"


@pytest.mark.parametrize("kind", [home_pack.MOVED, home_pack.BACKUP])
@pytest.mark.parametrize("typed", [f" {COMPOSED}\r\n", f"{DECOMPOSED}\t", DECOMPOSED])
def test_one_passphrase_opens_whichever_keyboard_it_is_typed_on(kind: bytes, typed: str) -> None:
    for written, entered in ((COMPOSED, typed), (typed, COMPOSED)):
        assert decrypt(encrypt(b"a home", written, SALT, NONCE, kind), entered) == b"a home"
    for other in (COMPOSED.upper(), COMPOSED.replace(" ", ""), f"\u00a0{COMPOSED}"):
        with pytest.raises(Usage, match="passphrase"):
            decrypt(encrypt(b"a home", COMPOSED, SALT, NONCE, kind), other)


@pytest.mark.parametrize("kind", home_pack.KINDS)
def test_nothing_is_packed_without_a_passphrase(kind: bytes) -> None:
    for nothing in ("", " ", "\r\n\t "):
        with pytest.raises(Usage, match="passphrase"):
            encrypt(b"a home", nothing, SALT, NONCE, kind)


def test_one_kind_does_not_pass_for_another() -> None:
    """Else a backup opened as a move, and signed at once."""
    backup = encrypt(b"a home", "secret", SALT, NONCE, home_pack.BACKUP)
    with pytest.raises(Usage):
        decrypt(home_pack.MOVED + backup.removeprefix(home_pack.BACKUP), "secret")


def test_what_a_passphrase_costs_hangs_on_the_first_line_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def argon2id(_passphrase: bytes, _salt: bytes, passes: int, memory: int) -> bytes:
        asked.append((passes, memory >> 20))
        return bytes(32)

    monkeypatch.undo()
    monkeypatch.setattr(primitives, "argon2id", argon2id)
    for kind in home_pack.KINDS:
        decrypt(encrypt(b"a home", "secret", b"\xff" * 16, NONCE, kind), "secret")
    assert asked == [(3, 64)] * 4


@given(st.binary(max_size=300), st.sampled_from(["\n", "\r\n", "\n> ", "\n  "]))
def test_a_pack_as_text_comes_back_out_of_any_mail(data: bytes, line_end: str) -> None:
    text = armor.wrap_home(home_pack.BACKUP + data)
    assert all(len(line) <= 64 for line in text.splitlines())
    pasted = ("Keep this.\n\n" + text + "-- \nAnn").replace("\n", line_end).encode()
    assert home_pack.out_of_text(pasted) == home_pack.BACKUP + data


@pytest.mark.parametrize("change", ["cut", "no end", "two", "a turn", "letters", "nothing"])
def test_a_text_that_is_no_pack_is_refused(change: str) -> None:
    text = armor.wrap_home(home_pack.MOVED + bytes(200))
    changed = {
        "cut": text[:100],
        "no end": text.replace("END", "THE END IS"),
        "two": text * 2,
        "a turn": text.replace("PBEM HOME", "PBEM TURN"),
        "letters": text.replace("AAAA", "A*AA", 1),
        "nothing": "",
    }[change]
    with pytest.raises(Malformed):
        home_pack.out_of_text(changed.encode())


def test_a_pack_as_text_is_no_turn() -> None:
    """Whoever looks through mails for turns passes it over."""
    assert not armor.is_armored(armor.wrap_home(home_pack.BACKUP + bytes(200)).encode())
