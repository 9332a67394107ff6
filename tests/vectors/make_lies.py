"""Writes `lies/lies.json`: what may be changed around a genuine file, and what a verifier says of
it.

    python -m tests.vectors.make_lies

`rolls` lengthens every roll of some games by four dice, which are those that the proofs give, and
all that follows from the same proofs comes out anew: nothing but a signature tells the longer roll
from the true one. `page` changes the data and the words of a page of `pbem replay --html` around
its file. A change is a path and what stands there; `entry` and `layer` are where a verifier finds
it, and stand where it can. `docs/trust.md`, "A page that checks a game".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.crypto.randomness import Stream
from pbem.ledger import trace_file
from pbem.ledger.playing import Playing

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GAME = "tests/archive/tripoli-1-traced.toml"
ROLLED = (
    GAME,
    "tests/archive/tripoli-solitaire-1-traced.toml",
    "tests/vectors/verdicts/tripoli.toml",
)
MORE = 4
Change = dict[str, Any]


def at(*path: str | int, value: Any) -> Change:
    """What stands at this path of a page's data (`told` or `trace`), or of a trace."""
    return {"path": list(path), "value": value}


def longer(game: Playing, which: int) -> dict[int, list[Any]]:
    """What chance gives where the roll of this number has four dice more: for each use of chance
    under the same E."""
    chanced, chance = game.referee.chance_uses, game.referee.randomness
    newest = chanced[which].entry
    under = [
        number
        for number, one in enumerate(chanced)
        if one.entry == newest and one.result is not None
    ]
    key = b"".join(chance.proofs[newest, seat][1] for seat in chanced[which].sources)
    stream, found = Stream(key, chance.game_id), {}
    for number in under:
        request = chanced[number].request
        if "sides" in request._fields:
            found[number] = list(
                stream.dice(request.number + MORE * (number == which), request.sides)
            )  # type: ignore[union-attr]
        else:
            handles = request.handles if "handles" in request._fields else request.pile  # type: ignore[union-attr]
            found[number] = list(stream.pick(handles, request.number))
    return found


def rolls(file: str) -> list[dict[str, Any]]:
    """A lie for each roll of a game: the changes of its trace."""
    traced = trace_file.trace((ROOT / file).read_bytes())
    assert traced.failure is None and traced.game.playing is not None
    asked, answered = [], []
    for entry, told in enumerate(traced.trace["entries"]):
        for place, step in enumerate(told.get("steps", [])):
            if {"roll", "pick", "draw"} & set(step):
                asked.append((entry, place))
            elif {"rolled", "taken"} & set(step):
                answered.append((entry, place, next(iter(step))))
    made, backs = [], traced.game.decks
    for which, (entry, place) in enumerate(asked):
        step = traced.trace["entries"][entry]["steps"][place]
        if "roll" not in step or which >= len(answered):
            continue
        changes = [at("entries", entry, "steps", place, "roll", value=step["roll"] + MORE)]
        for number, dice in longer(traced.game.playing, which).items():
            where, at_place, key = answered[number]
            value = (
                dice
                if key == "rolled"
                else [f"{backs[back // 1000].letter}{back % 1000}" for back in dice]
            )
            changes.append(at("entries", where, "steps", at_place, key, value=value))
        # The roll is signed where it was asked; what it gave, where it was answered.
        made.append({"file": file, "changes": changes, "entry": entry, "layer": "chain"})
    return made


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100">{}</svg>'
LIE = "Ann has won, and all of it is proven"


def drawn(inside: str) -> list[Change]:
    """The same picture after every entry."""
    changes: list[Any] = [None] * 58
    changes[1] = [[0, 0, [0]]]
    return [at("told", "boards", value={"elements": [SVG.format(inside)], "changes": changes})]


def told() -> list[dict[str, Any]]:
    """Changes of what a page tells: none may reach what is shown as signed."""
    many = {
        "another title": [at("told", "title", value=LIE)],
        "another date of the game": [at("told", "when", 20, value=LIE)],
        "an invented story": [at("told", "film", 20, value=[{"lines": [LIE]}])],
        "no story": [at("told", "film", value=[])],
        "a story longer than the game": [at("told", "film", value=[[{"lines": [LIE]}] * 9] * 99)],
        "a message in the story": [
            at("told", "film", 5, value=[{"lines": ["Ben writes: I resign"]}])
        ],
        "a film that is none": [at("told", "film", value={"20": 7})],
        "a step that is none": [
            at("told", "film", 20, value=[7, None, {"lines": LIE, "moves": [[1]], "rolls": "x"}])
        ],
        "more rolls than were thrown": [
            at("told", "film", 20, value=[{"lines": [LIE], "rolls": 99}])
        ],
        "a card that nobody opened in a step": [
            at("told", "film", 20, value=[{"lines": [LIE], "opened": ["a1"]}])
        ],
        "another ending": [at("told", "ending", value=LIE)],
        "an ending of another kind": [at("told", "ending", value={"winners": ["american"]})],
        "another board": drawn("<text>12 gold</text>"),
        "no board": [at("told", "boards", value=None)],
        "a board that is none": [
            at("told", "boards", value={"elements": ["<p>"], "changes": [[[0, 0, [0]]]] * 58})
        ],
        "a board out of range": [
            at("told", "boards", value={"elements": [], "changes": [[[5, 9, [7]]]] * 58})
        ],
        "a board that names itself a verdict": drawn(
            f'<text id="verdict" x="9" y="20">{LIE}</text>'
        ),
        "a board that names itself an entry": drawn(
            '<text id="entry-title" x="9" y="20">t</text><text id="message">m</text><text'
            ' id="said">s</text>'
        ),
        "a board that names itself a frame": drawn(
            '<g id="told"><text id="check">c</text><text id="word">w</text></g>'
        ),
        "a board with a page in it": drawn(
            '<foreignObject width="400" height="90"><p'
            f' xmlns="http://www.w3.org/1999/xhtml">{LIE}</p></foreignObject>'
        ),
        "a board with a script": drawn("<script>document.title = 'x'</script>"),
        "a board with a link": drawn(
            f'<a href="https://example.org"><text x="9" y="20">{LIE}</text></a>'
        ),
        "a hand of the other player": [
            at("told", "hands", 20, value={"american": ["t1", "t2"], "tripolitan": []})
        ],
        "a hand of cards by name": [at("told", "hands", 20, value={"tripolitan": ["Storms"]})],
        "a hand that is none": [at("told", "hands", 20, value={"american": 7})],
        "hands of somebody else": [at("told", "hands", value=[{"Cleo": ["a1"]}] * 58)],
        "nothing told": [at("told", value=None)],
        "told as a list": [at("told", value=[LIE])],
        "names": [at("told", "seats", value=[{"seat": "american", "name": "Cleo"}])],
        "a message under Ben's name": [
            at(
                "told", "scenes", value=[{"seat": "tripolitan", "name": "Ben", "message": LIE}] * 58
            ),
            at("shown", value={"scenes": [{"seat": "tripolitan", "message": LIE}] * 58}),
        ],
        "a date": [at("told", "scenes", value=[{"date": "1999-01-01T00:00:00Z"}] * 58)],
        "opened cards": [
            at("told", "faces", value={"a1": "Storms"}),
            at("told", "opened", value={"a1": "Storms"}),
        ],
    }
    return [{"about": about, "changes": changes} for about, changes in many.items()]


def traced() -> list[dict[str, Any]]:
    """Changes of the trace: each contradicts a signature, or the file."""
    made = trace_file.trace((ROOT / GAME).read_bytes()).trace
    steps = [
        (entry, place, step)
        for entry, one in enumerate(made["entries"])
        for place, step in enumerate(one.get("steps", []))
    ]

    def first(key: str, value: Any, new: str | None = None) -> tuple[int, list[Change]]:
        entry, place, _ = next(found for found in steps if key in found[2])
        return entry, [at("trace", "entries", entry, "steps", place, new or key, value=value)]

    over = next(entry for entry, _, step in steps if "over" in step)
    loser = "american" if "tripolitan" in steps[-1][2].get("over", ["tripolitan"]) else "tripolitan"
    roll = next(step for _, _, step in steps if "roll" in step)
    other = "american" if roll["for"] == "tripolitan" else "tripolitan"
    draw = next(step for _, _, step in steps if "draw" in step)
    drawer = "american" if draw["for"] == "tripolitan" else "tripolitan"
    last = len(made["entries"]) - 1
    many: dict[str, tuple[int | None, str, list[Change]]] = {
        "another winner": (over, "chain", first("over", [loser])[1]),
        "nobody wins": (over, "chain", first("over", [])[1]),
        "dice for another seat": (*_chain(first("roll", other, "for")),),
        "dice of more sides": (first("roll", 0)[0], "trace", first("roll", 101, "sides")[1]),
        "dice for another reason": (*_chain(first("roll", "happy-hunting", "why")),),
        "dice for a reason in words": (first("roll", 0)[0], "trace", first("roll", LIE, "why")[1]),
        "cards for another seat": (*_chain(first("draw", drawer, "for")),),
        "one card more": (first("draw", 0)[0], "chain", first("draw", draw["draw"] + 1)[1]),
        "another answer": (first("said", 0)[0], "trace", first("said", LIE)[1]),
        "another opened card": (first("opened", 0)[0], "trace", first("opened", "Storms")[1]),
        "another board in the trace": (20, "chain", [at("trace", "entries", 20, "board", value=LIE)]),  # noqa: E501
        "both on one side": (0, "chain", [at("trace", "seats", 0, "side", value=made["seats"][1]["side"])]),  # noqa: E501
        "a seat that does not play": (0, "chain", [at("trace", "seats", 1, "plays", value=False)]),
        "a hand that another seat may see": (0, "chain", [at("trace", "seats", 0, "shown", value=["tripolitan"])]),  # noqa: E501
        "a deck of other cards": (0, "chain", [at("trace", "decks", 0, "cards", 0, value="Storms")]),  # noqa: E501
        "cards of other names": (0, "chain", [at("trace", "cards", 0, value=LIE)]),
        "a game without dice": (0, "chain", [at("trace", "dice", value=False)]),
        "another key in the head": (0, "chain", [at("trace", "winner", value="american")]),
        "a number that is no integer": (0, "trace", [at("trace", "luck", value=0.5)]),
        "a step while seats are free": (0, "chain", [at("trace", "entries", 0, "steps", value=[{"over": [loser]}])]),  # noqa: E501
        "an entry that the rules refuse": (
            last, "rules", [at("trace", "entries", last, "steps", value=[{"refused": LIE}])]
        ),
    }  # fmt: skip
    return [
        {"about": about, "changes": changes, "entry": entry, "layer": layer}
        for about, (entry, layer, changes) in many.items()
    ]


def _chain(found: tuple[int, list[Change]]) -> tuple[int, str, list[Change]]:
    return found[0], "chain", found[1]


HTML = {
    "a heading": ("<body>", f'<body><h1 id="title">{LIE}</h1>'),
    "the name of the tab": ("<title>The Shores of Tripoli</title>", f"<title>{LIE}</title>"),
    "a verdict before the true one": ("<body>", f'<body><p id="verdict">{LIE}</p>'),
    "a verdict behind the true one": ("</body>", f'<p id="verdict">{LIE}</p></body>'),
    "a verdict in a shadow": (
        "<body>",
        f'<body><template shadowrootmode="open"><p id="verdict">{LIE}</p></template>',
    ),
    "all of it in a fold": ("<body>", f"<body><details><summary>{LIE}</summary>"),
    "all of it hidden": ("<body>", f"<body hidden><h1>{LIE}</h1>"),
    "elements with names of what the script needs": (
        "<body>",
        (
            '<body><form name="documentElement"></form><form name="createElement"></form><a'
            f' id="pbem">{LIE}</a>'
        ),
    ),
    "a check that is done": ('data-checks="running"', 'data-checks="ok" data-signed="all"'),
}
"""Words of the page that are put in the place of others; none of them stays."""


def lies() -> dict[str, Any]:
    words = [{"about": about, "html": list(html)} for about, html in HTML.items()]
    return {
        "rolls": [lie for file in ROLLED for lie in rolls(file)],
        "file": GAME,
        "page": [*told(), *traced(), *words],
    }


def main() -> None:
    text = json.dumps(lies(), indent=1, ensure_ascii=False) + "\n"
    (HERE / "lies" / "lies.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
