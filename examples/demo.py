"""The main job, to look at: two players exchange the turn files of the opening year of The Shores
of Tripoli.

Everything is done by the real `pbem` commands, as two people would type them on two machines.
Chance is real: no two demos are alike.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from examples.correspondence import Player, preferring, two_players

WISHES = {
    "american": preferring(
        "event Thomas Jefferson",
        "event Swedish Frigates Arrive",
        "3 gibraltar > tripoli zone",
        "2 gibraltar > tripoli zone",
        "1 gibraltar > tripoli zone",
        "done",
        "decline",
        "build with",
    ),
    "tripolitan": preferring(
        "event Yusuf Qaramanli", "raid with", "raid from", "done", "decline", "discard"
    ),
}


def type_and_show(player: Player, *arguments: str, lines: int = 100) -> list[str]:
    """Run a command for the player, in a process of its own, and print what they type and see."""
    quoted = " ".join(f'"{word}"' if " " in word else word for word in arguments)
    print(f"\n{player.name}$ pbem {quoted}", flush=True)
    code, out, err = player.types(*arguments)
    if code != 0:
        sys.exit(f"the demo stopped: pbem says {err.strip()}")
    said = out.splitlines()
    for line in said[:lines]:
        print(f"    {line}")
    if len(said) > lines:
        print(f"    ... and {len(said) - lines} lines more")
    return said


def tell(summary: Path) -> None:
    """Print what the summary beside a turn file tells of its newest entry."""
    for line in summary.read_text(encoding="utf-8").splitlines():
        if line.startswith("## The position"):
            return
        if line.startswith("- "):
            print(f"      {line[2:]}")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    players = two_players(folder)
    ann, ben = players["american"], players["tripolitan"]
    print(
        "Two players, each with a private folder (PBEM_HOME); turn files go from one to the other"
        " by mail."
    )
    type_and_show(ann, "id", "--name", "Ann", "--mail", "ann@example.org")
    type_and_show(ben, "id", "--name", "Ben", "--mail", "ben@example.org")
    file = type_and_show(ann, "new", "tripoli", "--seat", "american")[0]
    file = type_and_show(ben, "join", file)[0]
    type_and_show(ann, "show", file)
    type_and_show(ann, "moves", file, lines=6)
    while True:
        facts = replace(ann, in_process=True).does("show", file, "--public")
        if facts["over"] or facts["view"]["year"] == 1802:
            break
        turn = facts["asked"]["seat"]
        answers = replace(players[turn], in_process=True).answers(file, WISHES[turn])
        file, summary = type_and_show(
            players[turn], "play", file, *(["; ".join(answers)] if answers else [])
        )[:2]
        print("    The summary says:")
        tell(ann.folder / summary)
    type_and_show(ann, "verify", file)
    type_and_show(ben, "dice", file, lines=6)
    home, last = ann.home, ann.folder / file
    print(f"""
The first year is over. The turn files and their summaries lie in
    {ann.folder}
The newest one, {file}, holds the whole game. See it as Ann does, and what Ann may do now:
    PBEM_HOME={home} ./run pbem show {last}
    PBEM_HOME={home} ./run pbem moves {last}""")


if __name__ == "__main__":
    main()
