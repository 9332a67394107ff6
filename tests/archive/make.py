"""Plays the archived games that are not there yet, one of each kind and option, and adds them to
`SHA256SUMS`, and what comes of them to `results.json`.

    python -m tests.archive.make [NAME...]

Players with homes of their own type the real commands, from `pbem new` to the last root; choices
follow a seed, keys, dice and cards are as real as in any game. A file that is there is never
written again, nor what comes of it: what is archived stays as it is (`test_archive.py`), and a
later version of a game's rules or of the format gets files of its own. (The two that are called
traced are those of which tests/vectors/lies tells lies.)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.paradise.data import PRACTICE
from examples import make_paradise
from examples.correspondence import Choose, Player
from examples.make import WISHES, wishing
from examples.make_solitaire import patrolling
from pbem.ledger import trace_file
from pbem.report import verification
from tests.support.paradise_kit import SMALL_MAP

HERE = Path(__file__).parent
RESULTS = "results.json"
RARE = {"undo", "the game is over"}
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
LOOT_SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LOOT_WISHES = ("captain", "admiral", "merchant", "blue", "green", "purple", "gold")


@dataclass(frozen=True)
class Plan:
    """One archived game: who plays, how they invite, what they add to their entries, and how the
    game ends.

    `kept` seats are invited by key, with this option. `extras` are options of `pbem play` by number
    of the entry. `ends` says what happens from entry `last_at` on; of those who leave, the next one
    does so later. An entry stops after the `longest` number of answers, where it may stop (with own
    dice). `data` are the files of the folder `copy`, by name, with their lines. `said` are the
    answers of these entries. `at_a_table`: the game of examples/paradise. `second`: it is the
    second game of a series, after one that whoever invites has resigned.
    """

    name: str
    new: tuple[str, ...]
    seats: tuple[str, ...]
    kept: str | None = None
    seed: int = 1
    extras: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    ends: Literal["by the rules", "resignation", "draw", "leaving"] = "by the rules"
    last_at: int = 0
    longest: int = 400
    data: Mapping[str, Sequence[str]] = field(default_factory=dict)
    said: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    at_a_table: bool = False
    second: bool = False


NOTES = {
    6: ("--note", "Patrol first; the coast can wait. Ærø 🚢"),
    9: ("--note", "They will raid again, I think. " * 12, "--message", "A quiet season, for once."),
}
CLOCKED = NOTES | {
    4: ("--message", "Good luck!\nThe clock is only for us two.", "--grant", "7"),
    7: ("--leave-until", "2026-12-24", "--message", "Away until Christmas Eve."),
}
DECLINED = ("--order", "others: decline", "--order", "hits: spread")
OWN_COPY = {
    "map.txt": [line.removeprefix("map: ") for line in SMALL_MAP],
    "chits.txt": [chit.sides() for chit in PRACTICE],
}
SWITCHED_OFF = ("--option", "pirates_on_trumped_ship=0", "--option", "captain_on_partner_ship=0")
TRIPOLI, ALONE, LOOT = ("american", "tripolitan"), ("american", "witness"), LOOT_SEATS
BOARD = ("white", "black")
SETUP, WAR = (
    "setup.txt",
    (
        "title Wilderness War",
        "seats france, britain",
        "begins britain",
        "dice d6, d10",
        "die attack: miss, miss, hit, flag",
        "roll combat",
        "roll weather: 2d6",
        "counter victory: -10 to 10, start 0, shared",
        "counter supply: 0 to 9, start 3, each",
        "counter reserve: 1 to 4, of france",
    ),
)
TWO_DECKS = (
    "title Wilderness War",
    "seats france, britain",
    "dice d6",
    "counter year: 1757 to 1762",
    "deck strategy: 1-9, siege x3, each, start 4, limit 5, reshuffle",
    "deck events: fog 1-3, storm x2, of britain, start 1",
)
PILES = (
    "seats france, britain",
    "dice d6",
    "deck strategy: 1-12, each, start 3, limit 6, reshuffle",
    "deck chits: white x3, black x2, storm, face up, reshuffle",
)
PLANS = (
    Plan("tripoli-1", ("tripoli",), TRIPOLI, seed=1801, extras=NOTES),
    Plan(
        "tripoli-1-hidden-discard",
        ("tripoli", "--hidden-discard"),
        TRIPOLI,
        kept="--opponent",
        seed=2,
    ),
    Plan(
        "tripoli-1-quick-orders",
        ("tripoli", "--quick-hand-limit"),
        TRIPOLI,
        seed=3,
        extras={2: DECLINED, 3: DECLINED},
    ),
    Plan(
        "tripoli-1-clock",
        ("tripoli", "--clock", "30+3", "--leave", "30"),
        TRIPOLI,
        seed=4,
        extras=CLOCKED,
    ),
    Plan(
        "tripoli-1-draw",
        ("tripoli", "--seat", "tripolitan"),
        TRIPOLI,
        seed=5,
        ends="draw",
        last_at=14,
    ),
    Plan(
        "tripoli-1-resigned",
        ("tripoli",),
        TRIPOLI,
        seed=6,
        extras=NOTES,
        ends="resignation",
        last_at=17,
    ),
    Plan(
        "tripoli-1-plans",
        ("tripoli",),
        TRIPOLI,
        seed=7,
        extras={
            3: ("--seal-together", "spring: we raid first", "--seal", "Derne is empty"),
            8: ("--seal-together", "spring: I blockade the harbor", "--seal", "Ærø 🚢"),
            10: ("--seal", "I would send the Enterprise", "--open", "2"),
        },
        ends="resignation",
        last_at=16,
    ),
    Plan(
        "tripoli-solitaire-1",
        ("tripoli", "--solitaire"),
        ALONE,
        kept="--witness",
        seed=1801,
        extras=NOTES,
    ),
    Plan("tripoli-solitaire-1-alone", ("tripoli", "--solitaire"), ALONE[:1], seed=8),
    Plan(
        "loot-1",
        ("loot", "--players", "4", "--partners"),
        LOOT[:4],
        kept="--opponent",
        seed=1992,
        extras=NOTES,
    ),
    Plan(
        "loot-1-two",
        ("loot", "--players", "2", "--start", "2", "--option", "end_on_deck_out_with_empty_hand=0"),
        LOOT[:2],
        seed=10,
        ends="resignation",
        last_at=40,
    ),
    Plan(
        "loot-1-three",
        ("loot", "--players", "3", *SWITCHED_OFF),
        LOOT[:3],
        seed=11,
        ends="leaving",
        last_at=13,
    ),
    Plan(
        "loot-1-eight",
        ("loot", "--players", "8", "--partners", "--clock", "20+2", "--start", "3"),
        LOOT,
        kept="--opponent",
        seed=13,
        extras={20: NOTES[6]},
        ends="draw",
        last_at=30,
    ),
    Plan(
        "paradise-4",
        ("paradise",),
        ("tonga",),
        seed=26,
        said={
            1: (
                *(
                    "samoa has 4 boxes",
                    "samoa starts with nothing",
                    "off course among 1",
                    "exploration complete",
                ),
                *(
                    "undo",
                    "undo",
                    "undo",
                    "samoa starts with 1 warrior",
                    "again",
                    "again",
                    "movement complete",
                ),
                "victory 3",
            ),
        },
    ),
    Plan(
        "paradise-4-witnessed",
        ("paradise",),
        ("tonga", "witness"),
        kept="--witness",
        seed=1000,
        at_a_table=True,
    ),
    Plan(
        "paradise-4-corrected",
        ("paradise",),
        ("tonga",),
        seed=20,
        said={
            1: (
                "samoa has 4 boxes",
                "samoa starts with nothing",
                "correct samoa",
                "samoa has 5 boxes",
            ),
            2: ("correct pieces on samoa", "2 warriors"),
            3: ("undo", "3 warriors"),
        },
    ),
    Plan(
        "paradise-4-advanced",
        (
            "paradise",
            "--three-boxes",
            "--south-island",
            "--saved-resources",
            "--malaria",
            "--data",
            "copy",
        ),
        ("tonga",),
        seed=16,
        data=OWN_COPY,
    ),
    Plan(
        "paradise-4-lenient",
        ("paradise", "--open-chits", "--no-off-course-knots", "--arioi-again"),
        ("tonga", "witness"),
        kept="--witness",
        seed=17,
    ),
    Plan(
        "paradise-4-own-dice",
        ("paradise", "--own-dice"),
        ("tonga",),
        seed=18,
        longest=12,
        ends="resignation",
        last_at=6,
    ),
    Plan(
        "backgammon-2",
        ("backgammon", "--match", "3", "--at-once"),
        BOARD,
        seed=27,
        extras={5: ("--order", "cube: ask"), 16: ("--order", "cube: roll")},
    ),
    Plan(
        "backgammon-2-asked",
        ("backgammon", "--match", "2", "--asked", "--called", "Winter league 3"),
        BOARD,
        seed=22,
        extras={4: ("--order", "cube: double if ahead 30"), 7: ("--order", "race: play it")},
    ),
    Plan(
        "backgammon-2-points",
        ("backgammon", "--games", "2", "--asked", "--jacoby", "--beavers"),
        BOARD,
        seed=23,
    ),
    Plan("backgammon-2-sealed", ("backgammon", "--sealed"), BOARD, seed=24),
    Plan(
        "backgammon-2-files",
        ("backgammon",),
        BOARD,
        seed=25,
        extras={
            4: ("--with", "copy/board at noon.txt"),
            5: ("--with", "copy/Brett.txt", "--with", "copy/board at noon.txt"),
        },
        ends="resignation",
        last_at=8,
        data={"board at noon.txt": ("five men on the bar",), "Brett.txt": ("Ærø 🚢",)},
    ),
    Plan(
        "backgammon-2-plans",
        ("backgammon", "--sealed"),
        BOARD,
        seed=26,
        extras={
            5: ("--seal-together", "dance: Ærø 🚢"),
            6: ("--seal-together", "dance: I hold my anchor"),
            8: ("--seal", "I run with my back men", "--seal", "never opened"),
            10: ("--open", "2"),
        },
        ends="resignation",
        last_at=13,
    ),
    Plan(
        "backgammon-2-series",
        ("backgammon", "--series", "best of 3"),
        BOARD,
        seed=28,
        ends="resignation",
        last_at=9,
        second=True,
    ),
    Plan(
        "any-1",
        ("any", "--data", "copy"),
        ("france", "britain"),
        data={SETUP: WAR},
        said={
            3: ("supply -1", "roll 3 attack combat"),
            5: ("victory -2", "France: do you retreat? Ærø 🚢"),
            6: ("reserve +1", "roll 4d6+2 keep 3"),
            8: ("answer: no, we stand",),
            9: ("France's supply = 9", "roll 2x3d10-1 combat then France's turn"),
            10: ("roll weather",),
            12: ("France wins, 42 to -7",),
            13: ("disagree",),
            14: ("France wins, 42 to 37",),
            15: ("agree",),
        },
    ),
    Plan(
        "any-1-cards",
        ("any", "--data", "copy"),
        ("france", "britain"),
        seed=23,
        data={SETUP: TWO_DECKS},
    ),
    Plan(
        "any-1-piles",
        ("any", "--data", "copy"),
        ("france", "britain"),
        seed=29,
        data={SETUP: PILES},
    ),
    Plan("any-1-three", ("any", "--players", "3"), LOOT_SEATS[:3], seed=27),
)


def play(plan: Plan, folder: Path) -> bytes:
    """The last turn file of a game that is played now."""
    if plan.at_a_table:
        played = make_paradise.play(folder, plan.seed)
        return (played.mails / played.last).read_bytes()
    mails = folder / "mails"
    mails.mkdir()
    people = [
        Player(name, folder / f"home-of-{name.lower()}", mails, True)
        for name in NAMES[: len(plan.seats)]
    ]
    players = dict(zip(plan.seats, people, strict=True))
    keys = [
        str(
            player.does(
                "id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org"
            )["key"]
        )
        for player in people
    ]
    invited = [word for key in keys[1:] for word in (plan.kept, key)] if plan.kept else []
    for name, lines in plan.data.items():
        (mails / "copy").mkdir(exist_ok=True)
        (mails / "copy" / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    host = players[plan.new[plan.new.index("--seat") + 1]] if "--seat" in plan.new else people[0]
    written = [host.does("new", *plan.new, *invited, "--no-mail")]
    if plan.second:
        written = [_after_a_game(people, str(written[0]["file"]))]
        players = dict(zip(plan.seats, reversed(people), strict=True))
    chance = random.Random(plan.seed)
    left: set[str] = set()
    while seat := written[-1]["to_act"]:
        last, number = str(written[-1]["file"]), len(written)
        player = (
            next(one for one in people if one is not host)
            if number == 1 and len(people) == 2
            else players[seat]
        )
        if number < len(plan.seats):
            written.append(player.does("join", last, "--no-mail"))
        elif plan.ends != "by the rules" and number >= plan.last_at * (
            1 + 2 * len(left) * (plan.ends == "leaving")
        ):
            written.append(_ending(plan, player, last, left, chance))
        else:
            written.append(_turn(plan, player, seat, last, number, chance))
    last = str(written[-1]["file"])
    while seen := next(
        (player for player in people if player.does("show", last)["may_close"]), None
    ):
        last = str(seen.does("play", last, "--no-mail")["file"])
    return (mails / last).read_bytes()


def _after_a_game(people: Sequence[Player], invited: str) -> dict[str, Any]:
    """The invitation to the game of a series after the one that `invited` begins: whoever invites
    resigns it."""
    host, other = people
    joined = str(other.does("join", invited, "--no-mail")["file"])
    over = str(host.does("resign", joined, "--yes", "--no-mail")["file"])
    other.does("show", over)
    return host.does("rematch", over, "--no-mail")


def _ending(
    plan: Plan, player: Player, last: str, left: set[str], chance: random.Random
) -> dict[str, Any]:
    """The entry with which a player ends the game or leaves it; where that is not possible now, an
    ordinary one."""
    for command in (
        (["draw"], ["draw", "--offer"]) if plan.ends == "draw" else (["resign", "--yes"],)
    ):
        facts = player.asks(*command, last, "--yes", "--no-mail")
        if "error" not in facts:
            left.add(player.name)
            return facts
    return _turn(plan, player, "", last, 0, chance)


def _turn(
    plan: Plan, player: Player, seat: str, last: str, number: int, chance: random.Random
) -> dict[str, Any]:
    """An entry with the answers that its player chooses."""
    answers = plan.said.get(number) or player.answers(
        last, _chosen_by(plan, seat, chance), plan.longest
    )
    words = [*(["; ".join(answers)] if answers else []), "--no-mail"]
    if not answers:
        return player.does("play", last, *words)
    return player.does("play", last, *words, *plan.extras.get(number, ()))


def _chosen_by(plan: Plan, seat: str, chance: random.Random) -> Choose:
    """How a seat chooses: with wishes that bring a game to an end in which something has
    happened."""
    if plan.new[0] == "loot":
        return wishing(LOOT_WISHES, chance)
    if "--solitaire" in plan.new:
        return patrolling(chance)
    if plan.new[0] == "tripoli":
        return wishing(WISHES.get(seat, ()), chance)
    if plan.new[0] == "backgammon":
        return doubling(chance, 0.5 if "--beavers" in plan.new else 0.1)
    return reporting(chance)


def doubling(chance: random.Random, often: float) -> Choose:
    """What a player of backgammon might play who turns the cube, or gives a game up, so often when
    they are asked."""

    def choose(options: Sequence[str]) -> str:
        rare = {"double": often, "drop": often, "resign": 0.01}
        calm = [option for option in options if chance.random() < rare.get(option.split()[0], 1)]
        return chance.choice(calm or options)

    return choose


def reporting(chance: random.Random) -> Choose:
    """What lies on the table of Paradise, by chance; phases are ended soon, little is taken back,
    points are few."""

    def choose(options: Sequence[str]) -> str:
        ends = [option for option in options if option.endswith(" complete")]
        if ends and chance.random() < 0.25:
            return chance.choice(ends)
        if (
            mending := [option for option in options if option.startswith("correct")]
        ) and chance.random() < 0.1:
            return chance.choice(mending)
        options = [option for option in options if option not in mending]
        options = [
            option
            for option in options
            if not option.startswith("victory") or len(option) < len("victory 10")
        ]
        onwards = [option for option in options if option not in RARE or chance.random() < 0.05]
        return chance.choice(onwards or options)

    return choose


def sums() -> dict[str, str]:
    """The digest of each file that is archived, by name."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(HERE.glob("*.toml"))
    }


def result_of(data: bytes) -> dict[str, Any]:
    """What comes of an archived game, by every program: what was thrown, drawn and opened, how much
    was checked, and how it ended."""
    traced = trace_file.trace(data)
    facts = verification.facts_of(traced.game, traced.failure, data)
    assert isinstance(facts, verification.VerifiedGame) and facts.result is not None
    steps = [step for entry in traced.trace["entries"] for step in entry.get("steps", [])]
    return {
        "game": facts.game,
        "rules": facts.rules,
        "options": list(facts.card.options),
        "entries": facts.entries,
        "shuffles": facts.shuffles,
        "shares": facts.shares,
        "dice": " ".join("".join(map(str, step["rolled"])) for step in steps if "rolled" in step),
        "taken": " ".join(back for step in steps for back in step.get("taken", [])),
        "opened": ", ".join(step["opened"] for step in steps if "opened" in step),
        "winners": list(facts.result.winners),
        "how": facts.result.how,
        "points": dict(facts.result.points),
        "proven": facts.result.proven,
        "by hand": facts.result.by_hand,
        "unproven": list(facts.result.unproven),
        "unaudited": list(facts.result.unaudited),
    }


def results() -> dict[str, dict[str, Any]]:
    """What came of each archived game, by the name of its file, when it was archived."""
    kept: dict[str, dict[str, Any]] = {}
    if (HERE / RESULTS).exists():
        kept = json.loads((HERE / RESULTS).read_text(encoding="utf-8"))
    return kept


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("names", nargs="*", help="only these, as in tripoli-1-draw")
    wanted = set(options.parse_args(arguments).names)
    for plan in PLANS:
        target = HERE / f"{plan.name}.toml"
        if target.exists() or (wanted and plan.name not in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            data = play(plan, Path(folder))
        with target.open("xb") as file:
            file.write(data)
        print(
            f"{target.name}: {data.count(b'[entry.signature]')} entries, {len(data)} bytes",
            flush=True,
        )
    found = results()
    for path in sorted(HERE.glob("*.toml")):
        if path.name not in found:
            found[path.name] = result_of(path.read_bytes())
    text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    (HERE / RESULTS).write_text(text, encoding="utf-8", newline="\n")
    lines = [f"{digest}  {name}\n" for name, digest in sums().items()]
    (HERE / "SHA256SUMS").write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
