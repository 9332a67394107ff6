"""Plays a game of each kind to its middle, with the program that is imported, and packs the homes
and the newest turn files: what a player has when a new version of the program comes.

    PYTHONPATH=CHECKOUT python make_homes.py homes-COMMIT.tar.xz

It runs on checkouts of older versions, so it types commands and uses little else.
`test_upgrade.py` plays on. A file that is there is never made anew.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tarfile
import tempfile
from pathlib import Path

from examples.correspondence import Player

GAMES = {
    "tripoli": (["tripoli", "--seat", "american"], 2, 14),
    "tripoli-solitaire": (["tripoli", "--solitaire"], 1, 3),
    "loot": (["loot", "--players", "3"], 3, 14),
    "paradise": (["paradise"], 1, 2),
    "backgammon": (["backgammon", "--match", "3"], 2, 14),
}
"""How each is begun, how many play, and after how many entries it is left."""
ORDERS = {"tripoli": ["--order", "hits: spread"], "loot": []}
NAMES = ("Ann", "Ben", "Cleo")
LEFT_OUT = {"checked.bin", "contacts.lock"}


def play(game: str, people: list[Player], chance: random.Random) -> dict:
    """The facts of the last entry that was written."""
    options, _, entries = GAMES[game]
    facts = people[0].does("new", *options, "--no-mail")
    for player in people[1:]:
        facts = player.does("join", str(facts["file"]), "--no-mail")
    for number in range(entries):
        if not facts["to_act"]:
            raise SystemExit(f"{game} ended: another seed")
        player, file = writer(people, str(facts["file"])), str(facts["file"])
        answers = player.answers(file, chance.choice, longest=40)
        extras = []
        if number % 5 == 2 and game != "backgammon":  # nothing of it is opened at its end
            extras = ["--note", f"A thought at {number}."]
        if number == 4:
            extras += ["--message", "Good luck!\nÆrø"] if len(people) > 1 else []
        if number in (3, 4):
            extras += ORDERS.get(game, [])
        facts = player.does("play", file, "; ".join(answers), *extras, "--no-mail")
    return facts


def writer(people: list[Player], file: str) -> Player:
    """Who writes next, as their own program says."""
    return next(one for one in people if one.asks("moves", file).get("seat") or len(people) == 1)


def keep_draft(player: Player, file: str, chance: random.Random) -> None:
    """Try an answer for the next entry, and sign nothing; in the form of the program's files."""
    number = int(Path(file).stem[-4:]) + 1
    line = {"answers": player.answers(file, chance.choice, longest=1), "message": "Not sent yet"}
    kept = {"entry": number, "lines": [{**line, "name": "0a1b2c3d"}], "chosen": "0a1b2c3d"}
    name = "orders", "draw", "note", "leave", "grant"
    kept["lines"][0].update(dict(zip(name, ([], "", "", "", 0), strict=True)))
    short = Path(file).stem[:-5]
    folder = next(
        path
        for path in (player.home / "games").iterdir()
        if path.name.startswith(short.rsplit("-", 1)[1])
    )
    (folder / "tried.json").write_text(json.dumps(kept), encoding="utf-8")


def nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """The entry of an archive, without whose it was and when."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def main() -> None:
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, tarfile.open(target, "x:xz") as archive:
        os.environ["PBEM_STATE"] = f"{folder}/state"
        for game, (_, seats, _) in GAMES.items():
            here = Path(folder) / game
            mails = here / "mails"
            mails.mkdir(parents=True)
            people = [Player(name, here / name.lower(), mails, True) for name in NAMES[:seats]]
            for player in people:
                mail = f"{player.name.lower()}@example.org"
                player.does("id", "--name", player.name, "--mail", mail)
            try:
                last = play(game, people, chance := random.Random(7))
            except RuntimeError:
                if game != "backgammon":  # the youngest
                    raise
                print(f"{game}: not in this version")
                continue
            file = str(last["file"])
            keep_draft(writer(people, file), file, chance)
            kept = [path for path in sorted(here.rglob("*")) if path.is_file()]
            for path in kept:
                if path.name not in LEFT_OUT and (path.parent != mails or path.name == file):
                    archive.add(path, path.relative_to(folder), filter=nobody)
            print(f"{game}: {file}")


if __name__ == "__main__":
    main()
