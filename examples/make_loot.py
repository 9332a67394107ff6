"""Play a game of Loot for three and write its end down in examples/loot/.

Ann, Ben and Cleo, a home each, type the real commands from `pbem new loot --players 3` to the
proven end. Their choices follow a seed; keys and shuffles are as real as in any game, so every run
writes another game. It has a clock, and the players keep a few private notes, which everybody can
read at the end; the calendar is made up, weeks in one minute.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from examples.correspondence import Player
from pbem.home import clock

HERE = Path(__file__).parent
SEATS = {"first": "Ann", "second": "Ben", "third": "Cleo"}
CLOCK = ("--clock", "20+1", "--leave", "10")
BEGIN, HOUR = datetime(2026, 9, 1, 18, tzinfo=UTC), timedelta(hours=1)
NOTES = {
    8: "Six cards and no pirate of green: I shall look for merchants first.",
    21: "They count on my admiral. I keep him until two of them fight for one ship.",
    34: "If nobody takes this ship before me, it makes up for all that I lost so far.",
    55: "I am behind, and nobody seems to notice how few cards are left.",
}
"""Private notes, by the number of the entry."""
AWAY = 40
"""The entry whose author announces some days of absence."""
WISHES = ("captain", "admiral", "merchant", "blue", "green", "purple", "gold")


class Calendar:
    """The time that the players' computers show, which goes on while a mail is on its way and while
    somebody thinks."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._now = BEGIN

    def wait(self, hours: int) -> None:
        self._now += self._chance.uniform(0.2, hours) * HOUR

    def now(self) -> str:
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def day(self, later: int) -> str:
        return (self._now + 24 * later * HOUR).date().isoformat()


def extras(number: int, calendar: Calendar) -> list[str]:
    """What goes with an entry besides its turn."""
    note = ["--note", NOTES[number]] if number in NOTES else []
    return [*note, *(["--leave-until", calendar.day(4)] if number == AWAY else [])]


def play(folder: Path, seed: int) -> tuple[Path, str, list[str]]:
    """One game; the folder of its files, the last of them, and all summaries in order."""
    calendar = Calendar(random.Random(seed))
    with patch.object(clock, "now", calendar.now):
        return _play(folder, seed, calendar)


def _play(folder: Path, seed: int, calendar: Calendar) -> tuple[Path, str, list[str]]:
    mails, chance = folder / "mails", random.Random(seed)
    mails.mkdir()
    players = {
        seat: Player(name, folder / f"home-of-{name.lower()}", mails, True)
        for seat, name in SEATS.items()
    }
    keys = [str(player.does("id", "--name", player.name)["key"]) for player in players.values()]

    def choose(options: list[str]) -> str:
        eager = [option for option in options if option.startswith(WISHES)]
        return chance.choice(eager if eager and chance.random() < 0.8 else options)

    invited = [word for key in keys[1:] for word in ("--opponent", key)]
    written = [
        players["first"].does("new", "loot", "--players", "3", *CLOCK, *invited, "--no-mail")
    ]
    while seat := written[-1]["to_act"]:
        last, player = str(written[-1]["file"]), players[seat]
        calendar.wait(9)
        if len(written) < len(SEATS):
            written.append(player.does("join", last, "--no-mail"))
        else:
            answers = player.answers(last, lambda options: choose(list(options)))
            calendar.wait(20)
            more = extras(len(written), calendar)
            written.append(
                player.does(
                    "play", last, *(["; ".join(answers)] if answers else []), *more, "--no-mail"
                )
            )
    return mails, str(written[-1]["file"]), [str(facts["summary"]) for facts in written]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--seed", type=int, default=1992, help="for the choices; chance is real anyway"
    )
    options.add_argument(
        "--into", type=Path, default=HERE / "loot", help="folder for the turn file and summaries"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mails, last, summaries = play(Path(folder), chosen.seed)
        shutil.rmtree(chosen.into, ignore_errors=True)
        chosen.into.mkdir(parents=True)
        middle = len(summaries) // 2
        for name in (last, *summaries[middle : middle + 3], summaries[-1]):
            shutil.copy(mails / name, chosen.into)
        cleo = Player("Cleo", Path(folder) / "home-of-cleo", mails, True)
        story = cleo.types("log", last, "--public", "--format", "md")[1]
        (chosen.into / "story.md").write_text(story, encoding="utf-8", newline="\n")
    print(f"{len(summaries)} entries in {chosen.into.name}/")


if __name__ == "__main__":
    main()
