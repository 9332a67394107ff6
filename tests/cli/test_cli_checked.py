"""What a home remembers of checks made before: it saves time, and never a check that was not
made."""

from __future__ import annotations

import os
import random
import stat
from collections import Counter
from pathlib import Path

import pytest

from pbem.crypto import vrf
from pbem.home import check_cache
from pbem.home.home import Home
from pbem.ledger import signatures
from tests.support.begun_game import BegunGame


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many signatures and proofs were really computed; nothing is remembered from before the
    test."""
    counted: Counter[str] = Counter()
    verify, verify_proof = signatures._verify, vrf.verify

    def signature(*arguments: object) -> None:
        counted["signatures"] += 1
        verify(*arguments)  # type: ignore[arg-type]

    def proof(key: bytes, alpha: bytes, given: bytes) -> bytes:
        counted["proofs"] += 1
        return verify_proof(key, alpha, given)

    monkeypatch.setattr(signatures, "_verify", signature)
    monkeypatch.setattr(vrf, "verify", proof)
    return counted


@pytest.fixture
def store(begun: BegunGame) -> Path:
    return begun.ann.home / "checked.bin"


def in_a_new_process(made: Counter[str]) -> None:
    """Each command opens the home anew, so only what was kept is left of earlier ones."""
    made.clear()


def test_what_is_checked_while_checks_are_kept_is_kept_the_next_time(tmp_path: Path) -> None:
    cache = check_cache.CheckCache(tmp_path)

    class Meanwhile(dict[bytes, None]):
        def __contains__(self, digest: object) -> bool:
            cache.verifier.once([b"by another thread"], bool)
            return super().__contains__(digest)

    cache.verifier.once([b"first"], bool)
    cache._loaded = Meanwhile()
    cache.keep()
    assert cache.path.stat().st_size == 32
    cache.keep()
    assert cache.path.stat().st_size == 64


def test_a_turn_checks_what_is_new(begun: BegunGame, made: Counter[str]) -> None:
    begun.go_on(random.Random(4), 12)
    entries = len(begun.files)
    for player in begun.players.values():
        player.does("show", begun.last)
    in_a_new_process(made)
    begun.go_on(random.Random(5), 1)
    in_a_new_process(made)
    begun.ann.does("show", begun.last)
    begun.ben.does("show", begun.last)
    assert made["signatures"] <= 1 and made["proofs"] <= 2, (
        "the new entry, and the own proof that comes next"
    )
    in_a_new_process(made)
    begun.ann.does("verify", begun.last)
    assert made["signatures"] == entries + 1
    assert made["proofs"] >= 2


def test_what_a_player_signs_himself_is_remembered(
    begun: BegunGame, store: Path, made: Counter[str]
) -> None:
    store.unlink(missing_ok=True)
    written = begun.ann.does("play", begun.last, "event swedish", "--no-mail")
    in_a_new_process(made)
    begun.ann.does("show", written["file"])
    assert not made


def test_a_file_that_was_checked_and_then_changed_is_refused(begun: BegunGame) -> None:
    begun.ann.does("show", begun.last)
    path = begun.folder / begun.last
    honest = path.read_bytes()
    for number in range(40):
        place = random.Random(number).randrange(len(honest))
        path.write_bytes(honest[:place] + bytes([honest[place] ^ 1]) + honest[place + 1 :])
        code, _, err = begun.ann.types("show", begun.last)
        assert code in (1, 3), err  # 3: the version of the rules was hit


def test_others_cannot_read_it(begun: BegunGame, store: Path) -> None:
    begun.ann.does("show", begun.last)
    assert store.stat().st_size == 32 * len(set(parts(store)))
    assert stat.S_IMODE(store.stat().st_mode) == 0o600


def parts(store: Path) -> list[bytes]:
    data = store.read_bytes()
    return [data[start : start + 32] for start in range(0, len(data), 32)]


def test_a_torn_file_is_mended(begun: BegunGame, store: Path, made: Counter[str]) -> None:
    begun.ann.does("show", begun.last)
    whole = parts(store)
    store.write_bytes(store.read_bytes()[:-7])
    in_a_new_process(made)
    begun.ann.does("show", begun.last)
    assert made.total() == 1
    assert parts(store) == whole


@pytest.mark.parametrize("content", [b"", b"\0" * 31, bytes(range(256)) * 4])
def test_rubbish_saves_nothing(
    content: bytes, begun: BegunGame, store: Path, made: Counter[str]
) -> None:
    store.write_bytes(content)
    begun.ann.does("show", begun.last)
    assert made["signatures"] == len(begun.files)


def test_where_nothing_can_be_written_all_is_checked(
    begun: BegunGame, store: Path, made: Counter[str]
) -> None:
    store.unlink(missing_ok=True)
    store.mkdir()
    for _ in range(2):
        in_a_new_process(made)
        begun.ann.does("show", begun.last)
        assert made["signatures"] == len(begun.files)


def test_it_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_cache, "KEEP", 8)
    sizes = []
    for number in range(40):
        store = check_cache.CheckCache(tmp_path)
        store.verifier.once((b"test", bytes([number])), lambda: None)
        store.keep()
        sizes.append((tmp_path / "checked.bin").stat().st_size // 32)
    assert max(sizes) <= 17
    known = check_cache.CheckCache(tmp_path).verifier
    calls: list[int] = []
    known.once((b"test", bytes([39])), lambda: calls.append(39))
    assert not calls
    known.once((b"test", bytes([0])), lambda: calls.append(0))
    assert calls == [0]


def test_what_was_forgotten_is_remembered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_cache, "KEEP", 8)
    calls: list[int] = []

    def ask(number: int) -> None:
        store = check_cache.CheckCache(tmp_path)
        store.verifier.once((b"test", bytes([number])), lambda: calls.append(number))
        store.keep()

    for number in (*range(10), 0, 0, 0):
        ask(number)
    assert calls == [*range(10), 0]


def test_a_file_far_too_large_is_made_small(
    begun: BegunGame, store: Path, made: Counter[str]
) -> None:
    store.write_bytes(bytes(2_000_000))
    begun.ann.does("show", begun.last)
    assert made["signatures"] == len(begun.files)
    assert store.stat().st_size == 32 * made.total()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_left_alone(begun: BegunGame, store: Path, made: Counter[str]) -> None:
    store.unlink(missing_ok=True)
    other = begun.folder / "other"
    for make in (
        lambda: os.mkfifo(store),
        lambda: store.symlink_to("/dev/zero"),
        lambda: store.symlink_to(other),
    ):
        make()
        in_a_new_process(made)
        begun.ann.does("show", begun.last)
        assert made["signatures"] == len(begun.files)
        store.unlink()
    assert not other.exists()


def test_verify_uses_nothing_that_is_kept_even_in_one_process(
    begun: BegunGame, made: Counter[str]
) -> None:
    for _ in range(2):
        made.clear()
        assert begun.ann.does("verify", begun.last)["ok"]
        assert made["signatures"] == len(begun.files)


def test_the_inbox_remembers_as_well(begun: BegunGame, made: Counter[str]) -> None:
    begun.ann.does("inbox", begun.last)
    in_a_new_process(made)
    begun.ann.does("inbox", begun.last)
    assert not made


def test_a_mended_check_is_made_again(
    made: Counter[str], begun: BegunGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun.ann.does("show", begun.last)
    in_a_new_process(made)
    monkeypatch.setattr(signatures, "CHECKS", b"pbem checks 2")
    begun.ann.does("show", begun.last)
    assert made["signatures"] == len(begun.files)


def test_what_fails_is_not_remembered() -> None:
    checks = signatures.Verifier()

    def fails() -> None:
        raise ValueError("wrong")

    for _ in range(2):
        with pytest.raises(ValueError, match="wrong"):
            checks.once((b"test", b"false"), fails)


def test_a_statement_is_remembered_whole() -> None:
    """Parts that only run together to the same bytes are another statement."""
    checks = signatures.Verifier()
    checks.once((b"signature", b"ab", b"c"), lambda: None)
    calls: list[str] = []
    for other in (
        (b"signature", b"a", b"bc"),
        (b"signaturea", b"b", b"c"),
        (b"proof", b"ab", b"c"),
    ):
        checks.once(other, lambda: calls.append("checked"))
    assert len(calls) == 3


def test_a_home_with_no_identity_remembers_nothing(begun: BegunGame) -> None:
    cleo = begun.stranger()
    cleo.does("show", begun.last)
    assert not Home(cleo.home).has_identity()
    assert not (cleo.home / "checked.bin").exists()
