"""The vectors of leagues, read by `pbem` and by a second reader that shares no line with it."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from pbem.errors import Forged, Invalid, Malformed
from pbem.league import gate, league_file
from pbem.league.join_form import read_join
from tests.league.leagues import DORA
from tests.support.mutations import changed_fields, mutated
from tests.vectors.make_leagues import facts, leagues
from tests.vectors.make_seeks import changed

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "leagues.json").read_text(encoding="utf-8")
)


def framed_hash(*parts: bytes) -> bytes:
    """H of section 1."""
    return hashlib.sha256(b"".join(len(one).to_bytes(8, "big") + one for one in parts)).digest()


def second_reading(text: str) -> dict[str, Any]:
    """What section 26 makes of a file: players, games with their ids, results; with a common TOML
    library. Raises `BadSignatureError`."""
    data, end = text.encode(), 0
    players: list[list[Any]] = []
    games: list[list[Any]] = []
    results: list[str] = []
    gone: set[int] = set()
    directors: list[bytes] = []
    league_id = b""
    for entry in tomllib.loads(text)["entry"]:
        end = data.index(b"\n[entry.signature]\n", end) + 1
        digest = hashlib.sha256(data[:end]).digest()
        directors = directors or [base64.b64decode(key) for key in entry["directors"]]
        league_id = league_id or digest
        signature = base64.b64decode(entry["signature"]["ed25519"])
        key = VerifyKey(directors[entry["director"] - 1])
        key.verify(b"pbem/1 league\n" + digest, signature)
        for line in entry.get("players", []):
            public, signed, date, mail, name = line.split(" ", 4)
            with_mail = "" if mail == "-" else f'mail = "{mail}"\n'
            league = base64.b64encode(league_id).decode()
            body = (
                f'format = "pbem-league/1"\n\n[join]\ndate = "{date}"\nleague = "{league}"\n'
                f'key = "{public}"\n{with_mail}name = "{name}"\n'
            )
            message = b"pbem/1 league join\n" + hashlib.sha256(body.encode()).digest()
            VerifyKey(base64.b64decode(public)).verify(message, base64.b64decode(signed))
            players.append([len(players) + 1, name, base64.b64decode(public).hex()])
        for line in [*entry.get("results", []), *entry.get("decided", [])]:
            results[int(line.split(" ")[0]) - 1] = line.split(" ")[1]
        gone |= {int(line.split(" ")[0]) for line in entry.get("left", [])}
        for line in entry.get("pairings", []):
            first, second = line.split(" ")
            if second != "-":
                number = len(games) + 1
                nonce = framed_hash(b"pbem/1 league game", digest, str(number).encode())
                key_of_first = bytes.fromhex(players[int(first) - 1][2])
                game_id = framed_hash(b"pbem/1 game", key_of_first, nonce)
                pair = [int(first), int(second)]
                games.append([number, entry["round"], *pair, nonce.hex(), game_id.hex()])
                results.append("")
        for place, game in enumerate(games):
            if not results[place] and gone & {game[2], game[3]}:
                results[place] = {(True, True): "none", (True, False): "lost"}.get(
                    (game[2] in gone, game[3] in gone), "won"
                )
    return {"id": league_id.hex(), "players": players, "games": games, "results": results}


@pytest.mark.parametrize("case", VECTORS["read"], ids=lambda case: case["id"][:8])
def test_vectors_that_are_read(case: dict[str, Any]) -> None:
    seen = second_reading(case["file"])
    assert seen == {key: case[key] for key in seen}
    league = gate.read(case["file"].encode(), compare=True)
    assert facts(league) == {key: value for key, value in case.items() if key != "file"}


@pytest.mark.parametrize("case", VECTORS["joins"], ids=lambda case: case["key"][:8])
def test_joins_that_are_read(case: dict[str, Any]) -> None:
    join = read_join(case["file"].encode())
    assert (join.league.hex(), join.key.hex(), join.line()) == (
        *(case["league"], case["key"], case["line"]),
    )


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["about"])
def test_vectors_that_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        gate.read(case["file"].encode(), compare=True)
    assert refused.value.layer == case["layer"]
    if case["layer"] == "signature" and "no point" not in case["about"]:
        with pytest.raises((BadSignatureError, ValueError)):
            second_reading(case["file"])


def test_vectors_are_what_is_written_now() -> None:
    assert leagues() == VECTORS


def test_no_mutant_is_read_as_something_else() -> None:
    """Whatever is changed in the bytes of a league, it is refused as `Invalid`, or was its own
    beginning; nothing else is raised."""
    rng = random.Random("league mutants")
    data = VECTORS["read"][0]["file"].encode()
    entries = gate.read(data).entries
    beginnings = {data[: entry.end] for entry in entries}
    refused = 0
    for _ in range(150):
        change = mutated(data, rng).data
        try:
            gate.read(change)
        except Invalid:
            refused += 1
        else:
            assert change in beginnings or change.replace(b"\r\n", b"\n").rstrip() + b"\n" == data
    assert refused > 100


def test_no_mutant_of_a_join_is_read_as_another() -> None:
    """Whatever is changed in the bytes of a join, it is refused as `Invalid`, or is the same join;
    nothing else is raised."""
    rng, refused = random.Random("mutants of joins"), set[tuple[type, str]]()
    files = [case["file"].encode() for case in VECTORS["joins"]]
    for _ in range(1000):
        whole = rng.choice(files)
        data = changed(whole, rng)[1] or b"\n"
        try:
            join = read_join(data)
        except Invalid as error:
            refused.add((type(error), error.layer))
        else:
            assert join == read_join(whole)
    assert refused == {(Malformed, "grammar"), (Malformed, "limit"), (Forged, "signature")}


@pytest.mark.dear("tries hundreds of versions")
def test_whatever_a_director_signs_is_refused_or_is_a_league() -> None:
    """The fields of an entry changed, under a signature that holds: refused as `Invalid`, or read
    as a second reader reads it, with a table."""
    rng, refused, read = random.Random("directors"), set[str](), 0
    data = VECTORS["read"][0]["file"].encode()
    entries = gate.read(data).entries
    for _ in range(400):
        entry = rng.choice(entries)
        fields = dict(entry.fields)
        what = changed_fields(fields, rng, [dict(one.fields) for one in entries])
        before = data[: entries[entry.number - 1].end] if entry.number else b""
        try:
            signed = league_file.append(before, fields, DORA.sign)
            league = gate.read(signed, compare=True)
        except Invalid as error:
            refused.add(error.layer)
            continue
        seen = second_reading(signed.decode())
        assert seen == {key: facts(league)[key] for key in seen}, what
        read += 1
    assert refused == {"grammar", "chain", "signature"} and read > 20
