"""Homes with an identity, for players of every game."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from pbem.crypto import primitives
from pbem.home import place
from pbem.home.home import Home
from pbem.ledger.playing import answer_rules
from pbem.turn import questions
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.open_game import OpenFile, SeatedFile
from tests.support.same_chance import new_seed


def seed_of(name: str) -> bytes:
    """The seed of the key of a player of this name, the same on every run."""
    return hashlib.sha256(name.encode()).digest()


def key_of(name: str) -> bytes:
    """The public key of that seed."""
    return primitives.public_key(seed_of(name))


def copy_homes(source: Path, to: Path) -> None:
    """Copy a home, or a folder with some; each is used where it lies now, as far as it knows."""
    shutil.copytree(source, to)
    settle_homes(to)


def settle_homes(folder: Path) -> None:
    """The homes in a folder that were copied there are used there, and nowhere else."""
    for known in folder.rglob(place.NAME):
        place.settle(known.parent)


def go_to_another_computer() -> None:
    """From here on programs run where nothing is noted yet of what homes have signed: for one of
    several games with the same keys, nonces and dates."""
    before = os.environ.get("PBEM_STATE")
    os.environ["PBEM_STATE"] = tempfile.mkdtemp(dir=Path(before).parent if before else None)


@contextmanager
def another_computer() -> Iterator[None]:
    """The same inside."""
    with patch.dict(os.environ):
        go_to_another_computer()
        yield


def complete_answers(opened: OpenFile, choose: Callable[[Sequence[str]], str]) -> list[str]:
    """Answers that make an entry, each chosen among what `pbem moves` lists; none where nothing is
    asked. The opened file keeps the draft that they were chosen on."""
    own = questions.check_turn(opened)
    questions.check_asked(opened.ledger, ())
    draft = own.draft()
    if draft is None:
        raise own.too_old()
    given: list[str] = []
    while questions.open_question(draft) is not None:
        given.append(choose(list(questions.options(draft))))
        draft.remaining.append(given[-1])
        answer_rules(draft.ledger.begun(), draft)
    keep_draft(own, draft, given)
    return given


def keep_draft(opened: SeatedFile, draft: DraftEntry, entered: list[str]) -> None:
    """Let the next draft with these answers and no orders be this one, on which they were found:
    the file need not be replayed for it again."""
    anew = opened.begin

    def known(answers: Sequence[str] = (), ordered: Sequence[str] = ()) -> DraftEntry:
        opened.begin = anew  # type: ignore[method-assign]
        return draft if list(answers) == entered and not ordered else anew(answers, ordered)

    opened.begin = known  # type: ignore[method-assign]


def make_home(
    folder: Path, name: str = "Ann", mail: str | None = None, seed: bytes | None = None
) -> Home:
    """A home with an identity: this mail address, or one like the name; the key of this seed, or a
    new one."""
    home = Home(folder)
    mail = f"{name.lower()}@example.org" if mail is None else mail
    home.create(name, mail, seed or new_seed(), "")
    return home
