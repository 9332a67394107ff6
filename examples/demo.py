"""A minute of correspondence, to look at: a game is begun, a move is made, a die is thrown and
computed again, a change is refused, and the mail that brings it all is opened.

Everything is done by the real `pbem` commands, as two people would type them on two machines.
Chance is real: no two demos are alike. In a terminal it waits for a key where the screen is full.
"""

from __future__ import annotations

import hmac
import inspect
import shutil
import sys
import tempfile
import textwrap
from email import message_from_bytes, policy
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey as PublicKey

from examples.correspondence import Player, preferring, two_players
from pbem.crypto import vrf
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import unb64
from pbem.report import dice_count
from pbem.report.dice_count import ChanceFacts

WIDTH = 78
MOVE = "event Thomas Jefferson; 3 gibraltar > tripoli zone; done"
CHANGED = "2 gibraltar > tripoli zone"
RAID = "event Yusuf Qaramanli; raid from tripoli"
AFTERWARDS = preferring("decline", "done")


class Screen:
    """What is printed, part by part; where a person sits at it, no part is cut that has room."""

    def __init__(self) -> None:
        self._is_watched = sys.stdin.isatty() and sys.stdout.isatty()
        self._used = 0

    def show(self, text: str) -> None:
        """Print a part, on a fresh screen if this one has no room for it."""
        lines = [part for line in text.splitlines() for part in _folded(line)]
        room = shutil.get_terminal_size().lines - 2
        if self._is_watched and self._used and self._used + len(lines) > room:
            self._wait()
        for line in lines:
            if self._is_watched and self._used >= room:
                self._wait()
            print(line)
            self._used += 1
        print(end="", flush=True)

    def _wait(self) -> None:
        print("-- any key goes on, q ends --", end="", flush=True)
        key = click.getchar()[:1]
        print("\r" + " " * 30 + "\r", end="", flush=True)
        if key in ("q", "Q", "\x03", "\x04", ""):
            sys.exit()
        self._used = 0


def _folded(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    wrapper = textwrap.TextWrapper(
        WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return wrapper.wrap(line) or [""]


def typed(player: Player, *arguments: str, code: int = 0) -> str:
    """Run a command for the player. What they type and see, indented; ends the demo where the exit
    code is another one than expected."""
    quoted = " ".join(f'"{word}"' if " " in word else word for word in arguments)
    ended, out, err = player.types(*arguments)
    if ended != code:
        sys.exit(f"the demo stopped: pbem {quoted} says {err.strip() or out.strip()}")
    return f"\n{player.name}$ pbem {quoted}\n" + textwrap.indent(out + err, "    ")


def newest(player: Player) -> str:
    """The name of the newest turn file that has gone to and fro."""
    return max(path.name for path in player.folder.glob("*-*.toml"))


def entry_as_it_stands(data: bytes) -> str:
    """The newest entry of a turn file; of long lines and lists the beginning, then three dots."""
    lines = data[data.rindex(b"[[entry]]") :].decode().splitlines()
    shown, elements = [], 0
    for line in lines:
        elements = elements + 1 if line.startswith("  ") else 0
        if elements <= 3:
            shown.append(line if len(line) <= 66 else f"{line[:66]}...")
        elif elements == 4:
            shown.append("  ...")
    return textwrap.indent("\n".join(shown), "    ")


def dice_again(
    chance: ChanceFacts, count: int, game: bytes, signed: bytes, key_1: PublicKey, key_2: bytes
) -> list[int]:
    """The dice of a roll, from the signature of whoever decided and the other player's proof."""
    message = bytes.fromhex(chance.message)  # SHA-256 of the file up to there
    key_1.verify(signed, b"pbem/1 entry\n" + message)  # or an error
    output = vrf.verify(key_2, message, unb64(chance.proofs[0].proof))
    stream = hmac.digest(output, game + bytes(8), "sha256")[chance.offset :]
    return [byte % 6 + 1 for byte in stream if byte < 252][:count]


def a_die_again(data: bytes, game: bytes) -> str:
    """The first roll of the file, and how anybody computes it."""
    roll = next(roll for roll in dice_count.dice(data).rolls if not roll.pending)
    entries = turnfile.read(data).entries
    decided = entries[roll.chance.entry]
    firsts = {entry.seat: entry.fields for entry in reversed(entries) if "vrf" in entry.fields}
    keys = [str(firsts[decided.seat]["key"]), str(firsts[roll.witness]["vrf"])]
    signer = PublicKey.from_public_bytes(unb64(keys[0]))
    proven_by = unb64(keys[1])
    dice = dice_again(roll.chance, roll.count, game, decided.signature, signer, proven_by)
    if tuple(dice) != tuple(roll.dice):
        sys.exit("the demo stopped: the dice do not come out again")
    code = inspect.getsource(dice_again).split('"""\n')[1]
    names = {"american": "Ann", "tripolitan": "Ben"}
    return (
        f"\n{roll.reason[0].upper()}{roll.reason[1:]}: {' '.join(map(str, roll.dice))}. When"
        f" {names[decided.seat]} signed, nobody could know them: they follow from that signature"
        f" and a key which {names[roll.witness]} fixed when the game began, and which only"
        f" {names[roll.witness]} holds. Whoever has the file computes them again:\n\n"
        f"{code}\n"
        f"    key 1, of {names[decided.seat]}:  {keys[0]}\n"
        f"    key 2, of {names[roll.witness]}:  {keys[1]}\n"
        f"    the dice:      {' '.join(map(str, dice))}\n"
    )


def the_mail(path: Path) -> str:
    """The head and the first lines of a turn mail."""
    mail = message_from_bytes(path.read_bytes(), policy=policy.default)
    body = mail.get_body(("plain",))
    text = "" if body is None else body.get_content()
    head = "\n".join(f"{name}: {mail[name]}" for name in ("From", "To", "Subject"))
    files = ", ".join(part.get_filename() or "" for part in mail.iter_attachments())
    start = "\n".join(text.strip().splitlines()[:9])
    return textwrap.indent(f"{head}\nAttached: {files}\n\n{start}\n...", "    ")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    players = two_players(folder, in_process=True)
    ann, ben = players["american"], players["tripolitan"]
    screen = Screen()
    screen.show(
        "Ann and Ben play The Shores of Tripoli by mail. Nobody is in the middle: each has the"
        " program, a key and a folder. All below is done now, by the commands that they type."
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
    screen.show(typed(ann, "new", "tripoli", "--seat", "american"))
    screen.show(typed(ben, "join", newest(ben)))
    screen.show(typed(ann, "play", newest(ann), MOVE))
    moved = (ann.folder / newest(ann)).read_bytes()
    screen.show(
        "\nThat move, as it stands at the end of the file. The signature covers every byte before"
        " it, back to the first line:\n\n" + entry_as_it_stands(moved)
    )
    screen.show(typed(ben, "play", newest(ben), RAID))
    for _ in range(12):
        facts = ann.does("show", newest(ann), "--public")
        data = (ann.folder / newest(ann)).read_bytes()
        if any(not roll.pending for roll in dice_count.dice(data).rolls):
            break
        player = players[facts["asked"]["seat"]]
        answers = player.answers(newest(player), AFTERWARDS)
        screen.show(typed(player, "play", newest(player), *(["; ".join(answers)] * bool(answers))))
    screen.show(a_die_again(data, bytes.fromhex(dice_count.dice(data).game_id)))
    checked = typed(ben, "verify", newest(ben)).splitlines()
    screen.show(
        "\n".join(
            [
                *checked[:4],
                f"    ... and {len(checked) - 4} lines more: of what game and whose keys",
            ]
        )
    )
    (ben.folder / "changed.toml").write_bytes(
        data.replace(MOVE.split("; ")[1].encode(), CHANGED.encode())
    )
    screen.show(
        "\nSomebody would rather that Ann had sent two frigates, and changes one byte of the file:"
        + typed(ben, "verify", "changed.toml", code=3)
    )
    stem = newest(ann).removesuffix(".toml")
    summary = (ann.folder / f"{stem}.md").read_text(encoding="utf-8").splitlines()
    screen.show(
        f"\nBeside each turn file lies a summary ({stem}.md), which begins:\n\n"
        + textwrap.indent("\n".join(summary[:10]), "    ")
    )
    screen.show(
        "\nand a mail, with a picture of the board:\n\n" + the_mail(ann.folder / f"{stem}.eml")
    )
    screen.show(
        f"\nThe turn files, summaries and mails lie in\n    {ann.folder}\nPlay on, as Ann:\n"
        f"    export PBEM_HOME={ann.home}\n    ./run pbem table {stem[:-5]}"
    )


if __name__ == "__main__":
    main()
