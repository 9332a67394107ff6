"""Makes the test vectors beside this file: `python -m tests.vectors.make`. docs/format.md, section
11, names them.

They are made once and kept. A change of one of these files is a change of the format, which gets a
new name then.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.cards import deck_of, write_handle
from pbem.crypto import choices as sealed_choices
from pbem.crypto import plans as plan
from pbem.crypto.choices import ChoicePlace
from pbem.crypto.notes import NotePlace, pad, seal, text_of
from pbem.crypto.randomness import Stream, derive, from_root
from pbem.errors import Invalid, Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.attached import AttachedFile
from pbem.fileformat.characters import first_forbidden, is_line
from pbem.fileformat.encoding import b64, framed, tagged_hash
from pbem.fileformat.toml_subset import Lines, read_fields
from pbem.home import home_pack
from pbem.home.identity import Identity
from pbem.ledger import trace as ledger_trace
from pbem.ledger import trace_file
from pbem.ledger.clock import Moment, Terms, disagreement, read_terms, seconds, time_of
from pbem.ledger.invitation import game_id_of
from pbem.ledger.own_decks import seal_pile
from pbem.ledger.sealed_choices import OpenedChoice, write_choice_opening
from pbem.turn import open_game

HERE = Path(__file__).parent

from examples.correspondence import Player  # noqa: E402 - found beside this folder
from tests.support import slow_ed25519  # noqa: E402
from tests.support.homes import make_home  # noqa: E402
from tests.support.players import Pair, seed_of  # noqa: E402


def sample(name: str, size: int = 32) -> bytes:
    """Bytes that look like nothing in particular, the same on every run."""
    return hashlib.shake_256(f"pbem test vectors, {name}".encode()).digest(size)


def refusals(
    files: Iterable[tuple[str, bytes]], read: Callable[[bytes], object]
) -> list[dict[str, str]]:
    """Files that `read` refuses, by what is wrong with them, each with the layer of its refusal."""
    found = []
    for about, data in files:
        try:
            read(data)
        except Invalid as error:
            found.append({"about": about, "file": data.decode(), "layer": error.layer})
        else:
            raise AssertionError(about)
    return found


def encoding() -> dict[str, Any]:
    lists = [[], [b""], [b"", b""], [b"a"], [b"ab", b"c"], [b"a", b"bc"], [bytes(32), b"\xff" * 9]]
    hashed = [
        ("pbem/1 game", [sample("key"), sample("nonce")]),
        ("pbem/1 position", [b"joining", b"american"]),
    ]
    return {
        "framed": [
            {"parts": [p.hex() for p in parts], "bytes": framed(*parts).hex()} for parts in lists
        ],
        "tagged_hash": [
            {"tag": tag, "parts": [p.hex() for p in parts], "hash": tagged_hash(tag, *parts).hex()}
            for tag, parts in [*hashed, ("", []), ("pbem/1", [])]
        ],
        "game_id": {
            "key": sample("key").hex(),
            "nonce": sample("nonce").hex(),
            "id": game_id_of(sample("key"), sample("nonce")).hex(),
        },
    }


GOOD = [
    'a = "b"\n',
    'message = "two\\nlines, a \\"quote\\" and a \\\\"\n',
    'name = "Zoë 🙂 Ωμέγα 船"\n',
    "rules = 0\nmore = 999999999\n",
    'answers = [\n  "one",\n  "two, three",\n]\nx-1 = "y"\n',
]
BAD = [
    ('a = "b"\na = "c"\n', 2),
    ('a = "b"\nb ="c"\n', 2),
    ("a = 'b'\n", 1),
    ('a = "\\t"\n', 1),
    ('a = "\\u0041"\n', 1),
    ('a = "\t"\n', 1),
    ('a = "\u202e"\n', 1),
    ('a = "\u200b"\n', 1),
    ('a = "\u2060"\n', 1),
    ('a = "\u180f"\n', 1),
    ('a = "\ufe0e"\n', 1),
    ('a = "\U0001bca0"\n', 1),
    ('a = "\U0001d173"\n', 1),
    ('a = "\U000e0001"\n', 1),
    ('a = "\U000e0100"\n', 1),
    ("a = 01\n", 1),
    ("a = -1\n", 1),
    ("a = 1000000000\n", 1),
    ("a = 1.0\n", 1),
    ("a = true\n", 1),
    ("a = []\n", 1),
    ("a = [\n]\n", 2),
    ('a = [\n  "b"\n]\n', 2),
    ('a = [\n  "b",\n', 2),
    ('a = [\n  "b",\n  1,\n]\n', 3),
    ('a.b = "c"\n', 1),
    ('"a" = "b"\n', 1),
    ('A = "b"\n', 1),
    ('a_b = "c"\n', 1),
    (f'{33 * "k"} = "b"\n', 1),
    ('a = "b" # c\n', 1),
    (' a = "b"\n', 1),
    ('a = "b"', 1),
    ('a = "b"\nc = "', 2),
]


TEXTS = [
    *(
        "Zoë",
        "Ann\u200d",
        "Ann\u200c",
        "A\ufe0f",
        "\u2764",
        "\u2764\ufe0f",
        "\u2764\ufe0e",
        "\u2764\ufe0f\ufe0f",
    ),
    *(
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f468\u200d",
        "\u200d\U0001f468",
        "\U0001f468\u200d\u200d\U0001f467",
    ),
    *(
        "\U0001f44d\U0001f3fd",
        "\U0001f9d1\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f9d1\U0001f3ff",
        "\U0001f468\u200dA",
    ),
    *("1\ufe0f\u20e3", "1\ufe0f", "a\ufe0f\u20e3", "\U0001f1e9\U0001f1ea", "\U0001f1e9\ufe0f"),
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "\U0001f3f3\U000e0067\U000e0062\U000e0065\U000e007f",
    *(
        "\U000e0061",
        "x\U000e007f",
        "\U0001d173",
        "\U0001bca0",
        "\u115f",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
    ),
    # Persian, Hindi, Sinhala; then what is no place for a joiner
    *(
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    ),
    *(
        "\u0645\u200c",
        "\u200c\u0645",
        "\u0645\u200c\u200c\u0645",
        "\u0645\u200c\u0915",
        "a\u200cb",
        "\u0645\U0001f642\u200d\u0645",
    ),
    # direction marks with Arabic and Hebrew and at an end; two at once, beside a joiner, without
    # such a letter
    *(
        "\u0633\u0644\u0627\u0645!\u200f",
        "\u200eabc \u05e9\u05dc\u05d5\u05dd",
        "\u061c\u0633",
        "\u0633\u200f\u200f",
        "\u0633\u200f\u200c\u0633",
    ),
    *(
        "abc\u200f",
        "\u061c",
        "\u200e1",
        "\u0633\u200f 1\u200f",
        "\u202b\u0633\u202c",
        "\u2067\u0633\u2069",
        "\ufeff\u0633",
    ),
]
"""Strings that a name, or a message only, or neither may hold."""


def grammar() -> dict[str, Any]:
    bad = []
    for text, line in BAD:
        try:
            read_fields(Lines(text))
            found = "nothing wrong"
        except Malformed as error:
            found = error.where
        assert found == f"line {line}", (text, found)
        bad.append({"text": text, "line": line})
    return {
        "good": [{"text": text, "fields": read_fields(Lines(text))} for text in GOOD],
        "bad": bad,
        "strings": [
            {"text": text, "name": is_line(text), "message": first_forbidden(text) is None}
            for text in TEXTS
        ],
    }


def the_game() -> bytes:
    """The game that is kept in `entries.json`; without it, a new one."""
    kept = HERE / "entries.json"
    if kept.exists():
        game: str = json.loads(kept.read_text(encoding="utf-8"))["file"]
        return game.encode()
    with tempfile.TemporaryDirectory() as folder:
        return Pair(Path(folder), 9).play(8).data


def entries() -> dict[str, Any]:
    """A game of eight entries, with what each one signs and the position digest's text."""
    file = turnfile.read(the_game())
    made = []
    for entry in file.entries:
        game = open_game.open_file(file.prefix(entry.number + 1), None).ledger
        playing = game.playing
        made.append(
            {
                "number": entry.number,
                "end": entry.end,
                "digest": entry.digest.hex(),
                "signature": entry.signature.hex(),
                "key": game.player_of(game.seat_of(entry)).key.hex(),
                "position": None if playing is None else playing.referee.game.position(),
            }
        )
    return {
        "file": file.data.decode(),
        "game_id": open_game.open_file(file.data, None).ledger.game_id.hex(),
        "entries": made,
    }


def trace() -> dict[str, Any]:
    """A game that signs its trace: what each position is made of."""
    kept = HERE / "trace.json"
    if kept.exists():
        data = json.loads(kept.read_text(encoding="utf-8"))["file"].encode()
    else:
        with tempfile.TemporaryDirectory() as folder:
            data = Pair(Path(folder), 9).play(14).data
    file, made = turnfile.read(data), []
    whole = trace_file.trace(data).trace
    for entry, told in zip(file.entries, whole["entries"], strict=True):
        game = open_game.open_file(file.prefix(entry.number + 1), None).ledger
        steps = [
            {key: value for key, value in step.items() if key != "how"}
            for step in told.get("steps", [])
        ]
        [digest] = ledger_trace.digest_parts(game.invitation.trace_head, told.get("steps", []))
        made.append(
            {
                "number": entry.number,
                "board": told.get("board"),
                "waits": None if game.playing is None else game.playing.referee.waits(),
                "steps": ledger_trace.canonical(steps).decode(),
                "trace": digest.hex(),
                "position": game.position_digest().hex(),
            }
        )
    head = {key: value for key, value in whole.items() if key != "entries"}
    return {
        "json": [
            {"value": value, "text": ledger_trace.canonical(value).decode()} for value in JSON
        ],
        "file": data.decode(),
        "head": ledger_trace.canonical(head).decode(),
        "head_digest": game.invitation.trace_head.hex(),
        "entries": made,
    }


JSON: tuple[Any, ...] = (
    None,
    [],
    {},
    {"b": 1, "a": [True, False, None, 0, -7, 9007199254740991], "aa": "", "B": {"z": [], "y": {}}},
    ['"', "\\", "/", "\b\f\n\r\t", "\u0001\u001f\u007f", "\u2028", "Ærø", "🚢", "O'Bannon"],
)
"""Values of a trace that programs spell differently unless they follow RFC 8785."""

SIDES = (2, 3, 4, 8, 10, 12, 20, 33, 86, 100)


def thrown(key: bytes, game_id: bytes, sides: int) -> dict[str, Any]:
    """Sixty dice of so many sides from the beginning of a stream, and how many bytes they took."""
    stream = Stream(key, game_id)
    return {"dice": " ".join(map(str, stream.dice(60, sides))), "offset": stream.offset}


EDGES = {
    "good": "as RFC 8032 makes it",
    "s+L": "s is L or more: a second spelling of a good signature",
    "R neutral canonical": (
        "R is the neutral point in its one spelling, and sB = kA; some libraries refuse it"
    ),
    "R neutral y=p+1 noncanon": "R is the neutral point with y spelled as p + 1",
    "R neutral sign bit 1": "R is the neutral point with the sign of an x that is zero",
    "R small order 8": "R has order 8: only the equation multiplied by 8 holds",
    "R small order 4": "R has order 4: only the equation multiplied by 8 holds",
    "R small order 2": "R has order 2: only the equation multiplied by 8 holds",
    "R mixed order 8": "a point of order 8 was added to R: only the equation multiplied by 8 holds",
    "R mixed order 2": "a point of order 2 was added to R: only the equation multiplied by 8 holds",
    "A mixed, k=0 mod 8 (cofactorless holds)": (
        "the key has a part of order 8, which k takes away; the equation holds"
    ),
    "A mixed, k=1 mod 8 (cofactored only)": (
        "the key has a part of order 8: only the equation multiplied by 8 holds"
    ),
    "A neutral": "the key is the neutral point",
    "A neutral noncanon": "the key is the neutral point, with y spelled as p + 1",
    "A order 8, k=0 mod 8": "the key has order 8, and k takes it away",
    "A,R neutral,s=0": (
        "key and R are the neutral point and s is zero: this would sign every message"
    ),
}
"""What is particular about each signature; where a point is bad the equation may hold all the
same."""


def signatures() -> dict[str, Any]:
    """Signatures at the edges of the rule, made once and kept. Whether they hold is computed in
    plain integers."""
    kept = json.loads((HERE / "signatures.json").read_text(encoding="utf-8"))["cases"]
    for case in kept:
        parts = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
        case["holds"] = slow_ed25519.is_signature(*parts)
        case["layer"] = None if case["holds"] else "signature"
        case["reason"] = EDGES[case["name"]]
    return {"cases": kept}


def chance() -> dict[str, Any]:
    """Streams from outputs, and every use of chance in the game of `entries.json`."""
    streams = []
    for witnesses in (1, 2, 7):
        outputs = [sample(f"output {seat} of {witnesses}", 64) for seat in range(witnesses)]
        key, game_id = b"".join(outputs), sample("game")
        stream, dice, order = (Stream(key, game_id) for _ in range(3))
        numbers = Stream(key, game_id)
        streams.append(
            {
                "game_id": game_id.hex(),
                "outputs": [output.hex() for output in outputs],
                "stream": bytes(stream.byte() for _ in range(80)).hex(),
                "dice": "".join(map(str, dice.dice(300))),
                "offset_after_dice": dice.offset,
                "dice_of": {str(sides): thrown(key, game_id, sides) for sides in SIDES},
                "below": {
                    str(n): numbers.below(n) for n in (1, 2, 3, 6, 24, 100, 129, 150, 255, 256)
                },
                "offset_after_below": numbers.offset,
                "order_of_24": " ".join(map(str, order.pick(range(1, 25), 24))),
            }
        )
    return {"streams": streams, "game": settled()}


def settled() -> dict[str, Any]:
    game = open_game.open_file(the_game(), None).ledger
    referee = game.begun().referee

    def backs(cards: Sequence[int]) -> str:
        return " ".join(write_handle(game.decks, card) for card in cards)

    uses = []
    for use in referee.chance_uses:
        request = use.request
        if use.result is None:
            continue
        cards = getattr(request, "pile", getattr(request, "handles", None))
        uses.append(
            {
                "entry": use.entry,
                "message": referee.randomness.digests[use.entry].hex(),
                "witnesses": [
                    {
                        "seat": game.seats[seat],
                        "key": referee.randomness.keys[seat].hex(),
                        "proof": referee.randomness.proofs[use.entry, seat][0].hex(),
                        "output": referee.randomness.proofs[use.entry, seat][1].hex(),
                    }
                    for seat in use.witnesses
                ],
                "offset": use.offset,
                "number": request.number,
                "from": None if cards is None else backs(cards),
                "result": backs(use.result) if cards is not None else "".join(map(str, use.result)),
            }
        )
    return {"game_id": game.game_id.hex(), "uses": uses}


def seals() -> dict[str, Any]:
    """The secrets of both seats of the game of `entries.json`, and a deck opened from each root."""
    game = open_game.open_file(the_game(), None).ledger
    made = []
    for seat, name in enumerate(("Ann", "Ben")):
        identity = Identity(name, "", seed_of(name))
        nonce = game.player_of(seat).nonce
        secrets = derive(identity.seed, game.game_id, game.seats[seat], nonce)
        pile = next(
            pile
            for pile in game.begun().referee.own_decks.piles
            if deck_of(pile.handles[0]) == seat
        )
        args = (
            game.game_id,
            pile.deck,
            pile.generation,
            pile.handles,
            pile.deck.contents,
            pile.entry,
            game.rules.cards,
        )
        opened = seal_pile(secrets.root, *args)
        assert opened.commitments == pile.commitments
        context = (pile.deck.letter, str(pile.generation), str(pile.entry))
        made.append(
            {
                "identity_seed": identity.seed.hex(),
                "game_id": game.game_id.hex(),
                "seat": game.seats[seat],
                "nonce": nonce.hex(),
                "vrf_seed": secrets.vrf_seed.hex(),
                "vrf_key": game.player_of(seat).vrf.hex(),
                "root": secrets.root.hex(),
                "deck": pile.deck.letter,
                "shuffle": pile.generation,
                "entry": pile.entry,
                "order_key": from_root(secrets.root, "order", *context).hex(),
                "contents": ", ".join(game.rules.cards[card] for card in pile.deck.contents),
                "cards": [
                    {
                        "number": number,
                        "card": game.rules.cards[card],
                        "salt": salt.hex(),
                        "seal": seal.hex(),
                        "equal": (
                            from_root(secrets.root, "equal", f"{pile.deck.letter}{number}").hex()
                        ),
                    }
                    for number, (card, salt, seal) in enumerate(
                        zip(opened.cards, opened.salts, opened.commitments, strict=True), 1
                    )
                ],
            }
        )
    return {"decks": made}


def _entry(seat: int, date: str, received: str = "", **what: Any) -> dict[str, Any]:
    """An entry as far as the clock looks at it."""
    return {"seat": seat, "date": date, **({"received": received} if received else {}), **what}


BEGUN = [
    _entry(0, "2026-11-01T08:00:00Z"),
    _entry(1, "2026-11-03T08:00:00Z", "2026-11-03T00:00:00Z"),
]
ANSWER = _entry(0, "2026-11-09T20:00:00Z", "2026-11-09T08:00:00Z", decides=True)
CLOCKS: list[tuple[str, int, list[dict[str, Any]]]] = [
    ("30+3", 0, BEGUN),
    ("30+3", 0, [*BEGUN, ANSWER]),
    ("30+3", 0, [*BEGUN, {**ANSWER, "decides": False}]),
    (
        "5+0",
        2,
        [
            *BEGUN,
            {**ANSWER, "leave": "2026-11-20", "grant": 7},
            _entry(1, "2026-11-10T07:00:00Z", "2026-11-10T00:00:00Z", decides=True),
            _entry(0, "2026-11-15T07:00:00Z", "2026-11-10T19:00:00Z", decides=True),
        ],
    ),
    (
        "1+1",
        0,
        [
            BEGUN[0],
            _entry(1, "2026-02-31T00:00:00Z", "2026-11-02T00:00:00Z"),
            _entry(0, "2026-11-09T20:00:00Z", "2027-01-01T00:00:00Z", decides=True),
            _entry(1, "2026-11-30T00:00:00Z", "2026-11-09T20:00:00Z"),
        ],
    ),
    (
        "9999+999",
        999,
        [
            {**BEGUN[0], "leave": "9999-12-31"},
            _entry(1, "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
        ],
    ),
]
"""Clock, days of leave, and entries; `decides`: the entry is E at its end."""


def clock() -> dict[str, Any]:
    """What the clock shows of two seats after these entries, in seconds, and by how many days dates
    disagree."""
    return {"cases": [_timed(*case) for case in CLOCKS]}


def _timed(text: str, leave: int, entries: list[dict[str, Any]]) -> dict[str, Any]:
    terms, seen, moments = Terms(*read_terms(text), leave), set[int](), []
    for one in entries:
        times = [seconds(one[name]) if name in one else None for name in ("received", "leave")]
        first, date = one["seat"] not in seen, seconds(one["date"])
        moments.append(
            Moment(one["seat"], date, *times, one.get("grant", 0), one.get("decides", False), first)
        )
        seen.add(one["seat"])
    shown = [time_of(terms, moments, seat)._asdict() for seat in (0, 1)]
    given = {"clock": text, "leave-days": leave, "entries": entries}
    return {**given, "shown": shown, "disagree": disagreement(moments)}


NOTES = ["x", "Zoë 🙂\nnext line", "y" * 256, "z" * 257, "é" * 2048]
NO_TEXTS = [
    bytes(256),
    b"x\0y".ljust(256, b"\0"),
    b"x".ljust(1024, b"\0"),
    b"\xff".ljust(256, b"\0"),
    b"\x1b[2J".ljust(256, b"\0"),
]


def notes() -> dict[str, Any]:
    """Notes sealed with a root, and padded texts that are none."""
    place = NotePlace(sample("game"), "american", sample("before"), sample("nonce"))
    made = []
    for padded in [*map(pad, NOTES), *NO_TEXTS]:
        made.append(
            {
                "padded": padded.rstrip(b"\0").hex(),
                "size": len(padded),
                "text": text_of(padded) or None,
                "note": b64(seal(sample("root"), place, padded)),
            }
        )
    named = {
        "game_id": place.game_id.hex(),
        "seat": place.seat,
        "before": place.before.hex(),
        "nonce": place.nonce.hex(),
    }
    return {"root": sample("root").hex(), **named, "notes": made}


PLANS = ["I attack Derne", "x", "y" * 256, "é" * 128, "計画 🙂"]
NO_PLANS = [
    bytes(256),
    b"two\nlines".ljust(256, b"\0"),
    b"x\0y".ljust(256, b"\0"),
    b"\xff".ljust(256, b"\0"),
    b"\x1b[2J".ljust(256, b"\0"),
    "a\u202eb".encode().ljust(256, b"\0"),
]


def plans() -> dict[str, Any]:
    """Plans sealed with a root, and padded texts that are none."""
    made = []
    for number, padded in enumerate([*map(plan.pad, PLANS), *NO_PLANS], 1):
        place = plan.PlanPlace(
            sample("game"), "american", sample("before"), sample("nonce"), number
        )
        made.append(
            {
                "number": number,
                "padded": padded.rstrip(b"\0").hex(),
                "text": plan.text_of(padded) or None,
                "plan": b64(plan.seal(sample("root"), place, padded)),
                "opening": f"{number} {b64(plan.key_of(sample('root'), place))}",
            }
        )
    named = {name: sample(name).hex() for name in ("root", "before", "nonce")}
    return {"game_id": sample("game").hex(), "seat": "american", **named, "plans": made}


FILES = [
    ("battle.vsav", 120_034),
    ("a", 1),
    ("x" * 100, 4_999_999),
    ("Schlacht bei Nürnberg, 2. Zug.vsav", 77),
    ("戦い.vsav", 5_000_000),
    ("console.txt", 9),
    ("com.txt", 9),
    ("a.con", 9),
    ("_.-~!@#$%^&()+=[]{};',`", 9),
]
BAD_NAMES = [
    "a/b",
    "a\\b",
    "..",
    ".hidden",
    "-rf",
    " a",
    "a ",
    "a.",
    "c:a",
    "a*",
    "a?",
    'a"b',
    "a<b",
    "a>b",
    "a|b",
    "a\nb",
    "a\u00a0b",
    "con",
    "CON.txt",
    "Nul .vsav",
    "com1.tar.gz",
    "LPT\u00b9",
    "conin$.a",
    "é" * 51,
]
BAD_SIZES = ["0", "01", "-1", "1e3", "10000000", "", "1.0"]


def files() -> dict[str, Any]:
    """Files that go with a turn, as an entry names them, and lists that no entry holds."""
    digest = b64(sample("digest"))
    listed = [AttachedFile(name, size, sample(name)) for name, size in FILES]
    one = f"{digest} 1 a"
    refused = [
        *[([f"{digest} 1 {name}"], "grammar") for name in BAD_NAMES],
        *[([f"{digest} {size} a"], "grammar") for size in BAD_SIZES],
        *[([digest + text], "grammar") for text in ("", " 1", " 1 ", "  1 a")],
        *[([f"{text} 1 a"], "grammar") for text in (digest[:-1], digest[4:], "", "AAAA" + digest)],
        ([one, f"{digest} 2 A"], "grammar"),
        ([f"{digest} 5000001 a"], "limit"),
        ([f"{digest} 2500000 a", f"{digest} 2500001 b"], "limit"),
        ([f"{digest} 1 {name}" for name in "abcde"], "limit"),
    ]
    return {
        "read": [
            {"line": one.line(), "name": one.name, "size": one.size, "digest": one.digest.hex()}
            for one in listed
        ],
        "refused": [{"files": texts, "layer": layer} for texts, layer in refused],
    }


CHOICES = [
    ("first", 0, "roll"),
    ("first", 1, "double"),
    ("second", 511, "show 5 call 12"),
    ("second", 0, "Zoë"),
]


def choices() -> dict[str, Any]:
    """Choices sealed with a root, as they stand in the entries that seal and open them."""
    game_id, root = sample("game"), sample("root")
    made = []
    for seat, number, words in CHOICES:
        place = ChoicePlace(game_id, seat, sample("before"), sample("nonce"), number)
        salt = sealed_choices.salt_of(root, place)
        opened = write_choice_opening(OpenedChoice(7, number, salt, words))
        choice = b64(sealed_choices.seal(root, place, words))
        made.append(
            {"seat": seat, "index": number, "words": words, "choice": choice, "chosen": opened}
        )
    digest = b64(sealed_choices.root_digest(game_id, "first", root))
    named = {
        "game_id": game_id.hex(),
        "before": sample("before").hex(),
        "nonce": sample("nonce").hex(),
    }
    return {"root": root.hex(), **named, "root-digest": digest, "choices": made}


BAD_DATA = [[" tonga 4 boxes"], ["tonga 4 boxes "], ["tonga\n4 boxes"]]


def data() -> dict[str, Any]:
    """An invitation with data, kept once, and lines that no invitation holds."""
    kept = HERE / "data.json"
    if kept.exists():
        text: str = json.loads(kept.read_text(encoding="utf-8"))["file"]
    else:
        with tempfile.TemporaryDirectory() as folder:
            ann = Player("Ann", Path(folder) / "home", Path(folder), in_process=True)
            make_home(ann.home, "Ann", seed=seed_of("Ann"))
            ann.does("data", "paradise", "own")
            text = (Path(folder) / ann.does("new", "paradise", "--data", "own")["file"]).read_text(
                encoding="utf-8"
            )
    entry = turnfile.read(text.encode()).entries[0]
    return {
        "file": text,
        "data": entry.list("data"),
        "digest": entry.digest.hex(),
        "game_id": game_id_of(entry.blob("key", 32), entry.blob("nonce", 32)).hex(),
        "refused": BAD_DATA,
    }


def packs() -> list[dict[str, Any]]:
    """Packed homes, sealed with fixed salt and nonce; what is inside is no archive here. The last
    is the first, with the passphrase as another keyboard gives it."""
    typed = "Zoë's passphrase", "Zoë's passphrase", "\t Zoe\u0308's passphrase \r\n"
    kinds = home_pack.MOVED, home_pack.BACKUP, home_pack.MOVED
    return [_pack(kind, words) for kind, words in zip(kinds, typed, strict=True)]


def _pack(kind: bytes, words: str) -> dict[str, Any]:
    salt, nonce = sample("salt", 16), sample("home nonce", 24)
    sealed = home_pack.encrypt(b"what tar and xz make of a home", words, salt, nonce, kind)
    return {
        "passphrase": words,
        "packed": b"what tar and xz make of a home".hex(),
        "file": sealed.hex(),
    }


def main() -> None:
    for make in (
        encoding,
        grammar,
        entries,
        trace,
        signatures,
        chance,
        seals,
        data,
        clock,
        notes,
        plans,
        files,
        choices,
        packs,
    ):
        text = json.dumps(make(), indent=1, ensure_ascii=False) + "\n"
        (HERE / f"{make.__name__}.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
