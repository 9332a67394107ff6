"""The vectors, computed again by pbem and by a few lines that share nothing with it
(docs/format.md, section 11)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import importlib.util
import json
import shutil
import subprocess
import tomllib
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_pwhash_alg,
    crypto_pwhash_ALG_ARGON2ID13,
)
from nacl.signing import SigningKey, VerifyKey

from engine.cards import write_handle
from engine.tripoli import RULES
from pbem.crypto import choices, notes, plans, primitives, randomness, vrf
from pbem.crypto.randomness import Stream
from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.attached import read_line
from pbem.fileformat.encoding import framed, tagged_hash
from pbem.fileformat.toml_subset import Lines, read_fields, write_fields
from pbem.files import shipped
from pbem.home import home_pack
from pbem.home.identity import Identity
from pbem.ledger import trace
from pbem.ledger.invitation import game_id_of, read_game
from pbem.ledger.own_decks import seal_pile
from pbem.ledger.signatures import Verifier
from pbem.turn import open_game
from pbem.turn.own_cards import equal_key
from tests.support.mutations import TRIPOLI, played
from tests.support.players import refused, retouch, seed_of
from tests.support.second_verifier import by_node, by_pbem, needs_node
from tests.vectors.make_verdicts import Base, put

HERE = Path(__file__).parent
x = bytes.fromhex


def load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


# A second implementation, as docs/format.md tells it


def frame(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(frame(*parts)).digest()


def expand(key: bytes, info: bytes) -> bytes:
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()


def blocks(key: bytes, game_id: bytes, number: int) -> bytes:
    return b"".join(
        hmac.new(key, game_id + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for counter in range(number)
    )


def below(stream: bytes, place: int, n: int) -> tuple[int, int]:
    while stream[place] >= 256 // n * n:
        place += 1
    return stream[place] % n, place + 1


def order(stream: bytes, place: int, things: list[Any], number: int) -> list[Any]:
    taken = []
    for _ in range(number):
        index, place = below(stream, place, len(things))
        taken.append(things.pop(index))
    return taken


# Encoding and grammar


def test_encoding() -> None:
    vectors = load("encoding")
    for case in vectors["framed"]:
        parts = [x(part) for part in case["parts"]]
        assert framed(*parts) == frame(*parts) == x(case["bytes"])
    for case in vectors["tagged_hash"]:
        parts = [x(part) for part in case["parts"]]
        assert (
            tagged_hash(case["tag"], *parts) == sha(case["tag"].encode(), *parts) == x(case["hash"])
        )
    case = vectors["game_id"]
    key, nonce = x(case["key"]), x(case["nonce"])
    assert game_id_of(key, nonce) == sha(b"pbem/1 game", key, nonce) == x(case["id"])


def test_grammar() -> None:
    vectors = load("grammar")
    for case in vectors["good"]:
        fields = read_fields(Lines(case["text"]))
        assert fields == tomllib.loads(case["text"]) == case["fields"]
        assert write_fields(fields) == case["text"]
    assert len(vectors["bad"]) > 20
    for case in vectors["bad"]:
        with pytest.raises(Malformed) as caught:
            read_fields(Lines(case["text"]))
        assert caught.value.where == f"line {case['line']}"


def entry_lines(field: str, text: str) -> bytes:
    """A file of one entry with this text in a field, under a signature that nobody made."""
    fields = {
        "seat": "x",
        "date": "2026-11-21T09:30:00Z",
        "nonce": "x",
        field: text,
        "position": "x",
    }
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    signature = base64.b64encode(bytes(64)).decode()
    signed = ["[entry.signature]", f'ed25519 = "{signature}"']
    return "\n".join([turnfile.HEADER, "", "[[entry]]", *lines, *signed, ""]).encode()


@pytest.mark.parametrize("field", ["name", "message"])
def test_strings_with_characters_that_nobody_sees(field: str) -> None:
    cases = load("grammar")["strings"]
    assert {case[field] for case in cases} == {True, False}
    for case in cases:
        if case[field]:
            assert (
                turnfile.read(entry_lines(field, case["text"])).entries[0].text(field)
                == case["text"]
            )
        else:
            with pytest.raises(Malformed, match="line"):
                turnfile.read(entry_lines(field, case["text"]))


# Entries


def test_entries() -> None:
    vectors = load("entries")
    data = vectors["file"].encode()
    file = turnfile.read(data)
    tables = tomllib.loads(vectors["file"])["entry"]
    assert len(file.entries) == len(tables) == len(vectors["entries"]) == 8
    for case, entry, table in zip(vectors["entries"], file.entries, tables, strict=True):
        assert (case["number"], case["end"]) == (entry.number, entry.end)
        signed = data[: data.rindex(b"[entry.signature]\n", 0, case["end"])]
        assert hashlib.sha256(signed).digest() == entry.digest == x(case["digest"])
        assert (
            base64.b64decode(table["signature"]["ed25519"])
            == entry.signature
            == x(case["signature"])
        )
        VerifyKey(x(case["key"])).verify(
            b"pbem/1 entry\n" + x(case["digest"]), x(case["signature"])
        )
        game = open_game.open_file(data[: case["end"]], None).ledger
        assert game.position_digest() == base64.b64decode(table["position"])
        if case["position"] is None:
            assert (
                sha(b"pbem/1 position", b"joining", table["seat"].encode())
                == game.position_digest()
            )
        else:
            assert game.begun().referee.game.position() == case["position"]
            kind = type(game.begun().referee.turn.request).__name__
            waits = f"{kind} {game.to_act()}".encode()
            assert (
                sha(b"pbem/1 position", case["position"].encode(), waits) == game.position_digest()
            )
    first = tables[0]
    parts = [base64.b64decode(first[name]) for name in ("key", "nonce")]
    assert sha(b"pbem/1 game", *parts) == x(vectors["game_id"])


def test_traces() -> None:
    """What each position of a game hashes, from the texts alone and from the program."""
    vectors = load("trace")
    for case in vectors["json"]:
        assert (
            trace.canonical(case["value"]).decode() == case["text"]
            and json.loads(case["text"]) == case["value"]
        )
    file = turnfile.read(vectors["file"].encode())
    tables = tomllib.loads(vectors["file"])["entry"]
    assert [table.get("trace") for table in tables] == [1] + [None] * (len(tables) - 1)
    head = sha(b"pbem/1 trace head", vectors["head"].encode())
    assert head == x(vectors["head_digest"]) == trace.head_digest(*read_game(file.entries[0], ""))
    assert sum('"rolled"' in case["steps"] for case in vectors["entries"]) > 2
    for case, table in zip(vectors["entries"], tables, strict=True):
        traced = sha(b"pbem/1 trace", head, case["steps"].encode())
        assert traced == x(case["trace"]) == trace.digest_parts(head, json.loads(case["steps"]))[0]
        parts = (
            [b"joining", b"american"]
            if case["board"] is None
            else [case["board"].encode(), case["waits"].encode()]
        )
        position = sha(b"pbem/1 position", *parts, traced)
        assert position == x(case["position"]) == base64.b64decode(table["position"])


# Chance


@pytest.mark.parametrize(
    "case", load("chance")["streams"], ids=lambda case: f"{len(case['outputs'])} witnesses"
)
def test_streams(case: dict[str, Any]) -> None:
    key, game_id = b"".join(x(output) for output in case["outputs"]), x(case["game_id"])
    stream = Stream(key, game_id)
    assert (
        bytes(stream.byte() for _ in range(80)) == x(case["stream"]) == blocks(key, game_id, 3)[:80]
    )
    many, dice, place = blocks(key, game_id, 20), "", 0
    while len(dice) < 300:
        number, place = below(many, place, 6)
        dice += str(number + 1)
    stream = Stream(key, game_id)
    assert "".join(map(str, stream.dice(300))) == dice == case["dice"]
    assert stream.offset == place == case["offset_after_dice"] > 300, "no byte was passed over"
    for sides, thrown in case["dice_of"].items():
        stream, place, found = Stream(key, game_id), 0, []
        for _ in range(60):
            number, place = below(many, place, int(sides))
            found.append(str(number + 1))
        assert " ".join(map(str, stream.dice(60, int(sides)))) == " ".join(found) == thrown["dice"]
        assert stream.offset == place == thrown["offset"]
    assert {"2", "6", "100"} <= {"6", *case["dice_of"]}
    stream, place = Stream(key, game_id), 0
    for n, wanted in case["below"].items():
        number, place = below(many, place, int(n))
        assert stream.below(int(n)) == number == wanted
    assert stream.offset == place == case["offset_after_below"]
    shuffled = " ".join(map(str, Stream(key, game_id).pick(range(1, 25), 24)))
    assert (
        shuffled
        == " ".join(map(str, order(many, 0, list(range(1, 25)), 24)))
        == case["order_of_24"]
    )


def test_chance_of_a_game() -> None:
    """From digest and proof to dice and cards, for each use of chance in the game of the
    entries."""
    game, entries = load("chance")["game"], load("entries")["entries"]
    assert len(game["uses"]) >= 4
    for use in game["uses"]:
        assert use["message"] == entries[use["entry"]]["digest"]
        outputs = b""
        for witness in use["witnesses"]:
            proof, output = x(witness["proof"]), x(witness["output"])
            assert (
                vrf.verify(x(witness["key"]), x(use["message"]), proof)
                == vrf.output(proof)
                == output
            )
            outputs += output
        many = blocks(outputs, x(game["game_id"]), 10)
        if use["from"] is None:
            dice, place = "", use["offset"]
            while len(dice) < use["number"]:
                number, place = below(many, place, 6)
                dice += str(number + 1)
            assert dice == use["result"]
        else:
            taken = order(many, use["offset"], use["from"].split(), use["number"])
            assert " ".join(taken) == use["result"]


# Secrets and seals


@pytest.mark.parametrize("case", load("seals")["decks"], ids=lambda case: case["seat"])
def test_secrets_and_seals(case: dict[str, Any]) -> None:
    seed, game_id, seat, nonce = (
        x(case["identity_seed"]),
        x(case["game_id"]),
        case["seat"],
        x(case["nonce"]),
    )
    extracted = hmac.new(game_id, seed, hashlib.sha256).digest()
    made = randomness.derive(seed, game_id, seat, nonce)
    for name, wanted, found in (
        ("vrf", case["vrf_seed"], made.vrf_seed),
        ("root", case["root"], made.root),
    ):
        assert (
            expand(extracted, frame(f"pbem/1 {name}".encode(), seat.encode(), nonce))
            == found
            == x(wanted)
        )
    assert (
        bytes(SigningKey(made.vrf_seed).verify_key)
        == primitives.public_key(made.vrf_seed)
        == x(case["vrf_key"])
    )

    letter, shuffle, entry = (
        case["deck"].encode(),
        str(case["shuffle"]).encode(),
        str(case["entry"]).encode(),
    )
    order_key = expand(made.root, frame(b"pbem/1 order", letter, shuffle, entry))
    assert order_key == randomness.from_root(
        made.root, "order", case["deck"], "1", str(case["entry"])
    )
    assert order_key == x(case["order_key"])
    names = order(blocks(order_key, game_id, 10), 0, case["contents"].split(", "), 24)
    for number, (name, card) in enumerate(zip(names, case["cards"], strict=True), 1):
        assert (card["number"], card["card"]) == (number, name)
        salt = expand(
            made.root, frame(b"pbem/1 salt", letter, shuffle, entry, str(number).encode())
        )
        assert salt == x(card["salt"])
        seal = sha(
            b"pbem/1 seal", game_id, letter, shuffle, str(number).encode(), name.encode(), salt
        )
        assert seal == x(card["seal"])

    decks = RULES.decks({})
    deck = next(deck for deck in decks if deck.letter == case["deck"])
    handles = [decks.index(deck) * 1000 + number for number in range(1, 25)]
    opened = seal_pile(
        made.root,
        game_id,
        deck,
        case["shuffle"],
        handles,
        deck.contents,
        case["entry"],
        RULES.cards,
    )
    assert [RULES.cards[card] for card in opened.cards] == names
    assert [seal.hex() for seal in opened.commitments] == [card["seal"] for card in case["cards"]]
    file = load("entries")["file"]
    for handle, seal in zip(handles, opened.commitments, strict=True):
        assert f"{write_handle(decks, handle)} {base64.b64encode(seal).decode()}" in file


@pytest.mark.parametrize("case", load("seals")["decks"], ids=lambda case: case["seat"])
def test_the_order_of_equal_cards(case: dict[str, Any]) -> None:
    for card in case["cards"]:
        back = f"{case['deck']}{card['number']}"
        computed = expand(x(case["root"]), frame(b"pbem/1 equal", back.encode()))
        assert computed.hex() == card["equal"] == equal_key(x(case["root"]), back).hex()


def moment(date: str) -> int:
    """Section 15: seconds of a date, or of the end of a day, without the program's own count."""
    year, month, day = (int(part) for part in date[:10].split("-"))
    days = (
        datetime(max(year, 1), month, 1, tzinfo=UTC).toordinal()
        - datetime(1970, 1, 1, tzinfo=UTC).toordinal()
        + day
        - 1
    )
    hour, minute, second = (
        (int(part) for part in date[11:-1].split(":")) if len(date) > 10 else (24, 0, 0)
    )
    return days * 86400 + hour * 3600 + minute * 60 + second


@pytest.mark.parametrize("case", load("clock")["cases"], ids=range(6))
def test_clock(case: dict[str, Any]) -> None:
    """Section 15, in the words of the section."""
    days, added = map(int, case["clock"].split("+"))
    entries = case["entries"]
    for seat, shown in enumerate(case["shown"]):
        own = [entry for entry in entries if entry["seat"] == seat]
        leave, used = case["leave-days"] * 86400, 0
        for before, entry in enumerate(own[1:]):
            begin, end = moment(entry["received"]), moment(entry["date"])
            announced = next((one for one in reversed(own[: before + 1]) if "leave" in one), None)
            away = (
                range(moment(announced["date"]), moment(announced["leave"]))
                if announced
                else range(0)
            )
            still = (
                min(leave, max(0, min(end, away.stop) - max(begin, away.start)))
                if end > begin
                else 0
            )
            leave, used = leave - still, used + max(0, end - begin) - still
        grants = sum(entry.get("grant", 0) for entry in entries if entry["seat"] != seat)
        left = (
            days + added * sum(entry.get("decides", False) for entry in own[1:]) + grants
        ) * 86400 - used
        assert shown == {"used": used, "left": left, "leave": leave}
    times = [
        (moment(entry.get("received", entry["date"])), moment(entry["date"])) for entry in entries
    ]
    gaps = [max(b[1] - a[0], a[0] - a[1]) for b, a in pairwise(times)]
    assert case["disagree"] == max(0, *gaps, 0) // 86400


@pytest.mark.parametrize("number", range(10))
def test_notes(number: int) -> None:
    """Section 16."""
    vectors = load("notes")
    case = vectors["notes"][number]
    game_id, before, nonce = (x(vectors[name]) for name in ("game_id", "before", "nonce"))
    key = expand(x(vectors["root"]), frame(b"pbem/1 note", before, nonce))
    padded = x(case["padded"]).ljust(case["size"], b"\0")
    stream = b"".join(hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(128))
    sealed = bytes(a ^ b for a, b in zip(padded, stream, strict=False))
    bound = sha(b"pbem/1 note", game_id, vectors["seat"].encode(), before, key, padded)
    assert base64.b64decode(case["note"]) == sealed + bound
    place = notes.NotePlace(game_id, vectors["seat"], before, nonce)
    assert notes.unseal(x(vectors["root"]), place, sealed + bound) == padded
    assert notes.text_of(padded) == (case["text"] or "")
    if case["text"] is not None:
        assert case["text"].encode() == padded.rstrip(b"\0") and notes.pad(case["text"]) == padded


@pytest.mark.parametrize("number", range(11))
def test_plans(number: int) -> None:
    """Section 23."""
    vectors = load("plans")
    case = vectors["plans"][number]
    game_id, before, nonce = (x(vectors[name]) for name in ("game_id", "before", "nonce"))
    root, which = x(vectors["root"]), str(case["number"]).encode()
    key = expand(root, frame(b"pbem/1 plan", before, nonce, which))
    padded = x(case["padded"]).ljust(256, b"\0")
    stream = b"".join(hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(8))
    sealed = bytes(a ^ b for a, b in zip(padded, stream, strict=True))
    bound = sha(b"pbem/1 plan", game_id, vectors["seat"].encode(), before, which, key, padded)
    assert base64.b64decode(case["plan"]) == sealed + bound and len(sealed + bound) == 288
    assert case["opening"] == f"{case['number']} {base64.b64encode(key).decode()}"
    place = plans.PlanPlace(game_id, vectors["seat"], before, nonce, case["number"])
    assert plans.key_of(root, place) == key and plans.unseal(key, place, sealed + bound) == padded
    assert plans.text_of(padded) == (case["text"] or "")
    if case["text"] is not None:
        assert case["text"].encode() == padded.rstrip(b"\0") and plans.pad(case["text"]) == padded


@needs_node
def test_files() -> None:
    """Section 22: what is read, and what is refused where an entry of a game holds it."""
    vectors = load("files")
    for case in vectors["read"]:
        digest, size, name = case["line"].split(" ", 2)
        assert base64.b64decode(digest).hex() == case["digest"] and len(digest) == 44
        assert size == str(case["size"]) and name == case["name"] and len(name.encode()) <= 100
        read = read_line(case["line"], "")
        assert read == (name, case["size"], x(case["digest"])) and read.line() == case["line"]
    game = Base(played(TRIPOLI, "vectors"))
    number, verifier = 3, Verifier()
    lists = [(case["files"], case["layer"]) for case in vectors["refused"]]
    lists += [([case["line"]], None) for case in vectors["read"]]
    made = [game.changed(number, put("files", listed)) for listed, _ in lists]
    ours = [by_pbem(data, verifier) for data in made]
    assert [one.layer for one, _ in ours] == [layer for _, layer in lists]
    theirs = by_node((data, trace) for data, (_, trace) in zip(made, ours, strict=True))
    assert [one.layer for one, _ in theirs] == [layer for _, layer in lists]


def test_data() -> None:
    """Sections 3 and 4: an invitation with data, read with a common TOML library, and lines that
    none holds."""
    case = load("data")
    (entry,) = tomllib.loads(case["file"])["entry"]
    assert entry["data"] == case["data"] and len(case["data"]) > 10
    digest = hashlib.sha256(case["file"].partition("[entry.signature]")[0].encode()).digest()
    assert digest.hex() == case["digest"]
    key, nonce = base64.b64decode(entry["key"]), base64.b64decode(entry["nonce"])
    VerifyKey(key).verify(
        b"pbem/1 entry\n" + digest, base64.b64decode(entry["signature"]["ed25519"])
    )
    assert sha(b"pbem/1 game", key, nonce).hex() == case["game_id"]
    game = open_game.open_file(case["file"].encode(), None).ledger
    assert game.game_id.hex() == case["game_id"]
    ann = Identity("Ann", "", seed_of("Ann"))
    for lines in case["refused"]:
        refused(
            retouch(case["file"].encode(), ann, data=lines), "a line of data|the data do not hold"
        )
    refused(retouch(case["file"].encode(), ann, data=["ab"] * 513), "512|more than")
    refused(retouch(case["file"].encode(), ann, data=["x" * 201]), "longer than 200")


@pytest.mark.dear("packs homes under slow passphrases")
def test_packed_homes() -> None:
    """Section 17, from libsodium's own functions."""
    lines = b"pbem home 2\n", b"pbem backup 1\n", b"pbem home 2\n"
    cases = load("packs")
    for case, line in zip(cases, lines, strict=True):
        file = bytes.fromhex(case["file"])
        assert file.startswith(line)
        salt, nonce, sealed = (
            file[len(line) :][part] for part in (slice(16), slice(16, 40), slice(40, None))
        )
        words = normalize("NFC", case["passphrase"]).strip(" \t\r\n")
        key = crypto_pwhash_alg(
            32, words.encode(), salt, 3, 64 * 1024 * 1024, crypto_pwhash_ALG_ARGON2ID13
        )
        packed = crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, line, nonce, key)
        assert (
            packed == bytes.fromhex(case["packed"]) == home_pack.decrypt(file, case["passphrase"])
        )
    assert cases[2]["file"] == cases[0]["file"] and cases[2]["passphrase"] != cases[0]["passphrase"]


def test_the_generator_makes_these_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody edited them, and the program still gives the same bytes."""
    spec = importlib.util.spec_from_file_location("make_vectors_of_the_format", HERE / "make.py")
    assert spec is not None and spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    for kept in ("entries.json", "data.json", "signatures.json", "trace.json"):
        shutil.copy(HERE / kept, tmp_path)
    monkeypatch.setattr(make, "HERE", tmp_path)
    make.main()
    names = sorted(path.name for path in tmp_path.glob("*.json"))
    assert (
        names
        == sorted(
            {path.name for path in HERE.glob("*.json")}
            - {"fields.json", "leagues.json", "seeks.json"}
        )
        and len(names) == 14
    )
    for name in names:
        assert (tmp_path / name).read_bytes() == (HERE / name).read_bytes(), name


def opened_line(text: str) -> tuple[bytes, str]:
    """The salt and the words of a line that opens a choice."""
    _, _, salt, words = text.split(" ", 3)
    return base64.b64decode(salt), words


@pytest.mark.parametrize("number", range(4))
def test_choices(number: int) -> None:
    """Section 19."""
    vectors = load("choices")
    case, root = vectors["choices"][number], x(vectors["root"])
    game_id, before, nonce = (x(vectors[name]) for name in ("game_id", "before", "nonce"))
    seat, index = case["seat"], str(case["index"]).encode()
    salt = expand(root, frame(b"pbem/1 choice", before, nonce, index))
    sealed = sha(
        b"pbem/1 choice", game_id, seat.encode(), before, index, salt, case["words"].encode()
    )
    assert base64.b64decode(case["choice"]) == sealed
    assert opened_line(case["chosen"]) == (salt, case["words"])
    place = choices.ChoicePlace(game_id, seat, before, nonce, case["index"])
    assert choices.seal(root, place, case["words"]) == sealed
    assert choices.find_words(root, place, sealed, ["take", case["words"]]) == case["words"]
    assert choices.find_words(root, place, sealed, ["take"]) is None
    digest = sha(b"pbem/1 root-digest", game_id, b"first", root)
    assert (
        base64.b64decode(vectors["root-digest"])
        == digest
        == choices.root_digest(game_id, "first", root)
    )


_BY_NODE = """
globalThis.pbem = { noble: require("./noble.js"), fields: require(process.argv[2]) };
for (const part of ["bytes", "grammar", "multiples", "curve", "shuffle", "decks", "choices"]) require(`./${part}.js`);
const { Choices, readOpened, blob } = pbem, told = JSON.parse(process.argv[1]);
const hex = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const players = [{ digest: blob(told["root-digest"], 32, "") }, {}];
const gate = { game: hex(told.game_id), seats: ["first", "second"], players };
const choices = new Choices(gate), more = { before: hex(told.before), nonce: hex(told.nonce), words: null };
for (const { seat, index, words, choice, chosen } of told.choices) {
  const sealed = blob(choice, 32, ""), options = ["take", words];
  const made = { ...more, index, seat: gate.seats.indexOf(seat), options, sealed };
  const { label, salt, words: opened } = readOpened(chosen);
  if (label !== `7 ${index}` || !pbem.equal(choices.commitment(made, salt, opened), sealed)) throw new Error(chosen);
  choices.all.push({ ...made, label, number: 7 });
}
choices.reveal(0, hex(told.root));
choices.reveal(1, hex(told.root));
console.log(JSON.stringify(choices.all.map((choice) => choice.byRoot)));
"""  # noqa: E501


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed (Debian: nodejs)")
def test_choices_in_the_second_verifier() -> None:
    vectors, folder = load("choices"), shipped() / "replay"
    fields = Path(turnfile.__file__).with_name("fields.json")
    command = ["node", "-e", _BY_NODE, json.dumps(vectors), str(fields)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True, encoding="utf-8")
    assert json.loads(done.stdout) == [case["words"] for case in vectors["choices"]]
