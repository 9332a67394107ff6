"""A file has one verdict, in the page and on the desktop: the same words, the same entry, the same
kind of failure."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.mutations import BACKGAMMON, KINDS, SOLITAIRE, Kind, mutated, played
from tests.support.web_kit import NodePage, needs_npm

pytestmark = needs_npm
VERDICT = """
import base64, json
from dataclasses import asdict
from pbem.report import verification

def verdict(text):
    told, error = verification.verify(base64.b64decode(text))
    return json.dumps([type(told).__name__, asdict(told), str(error)], default=repr)
"""
"""Runs on both sides."""


def files(kind: Kind, count: int) -> list[bytes]:
    """A game that is whole, and changed copies of it, some of them signed anew."""
    game = played(kind, "web")
    chance = random.Random(f"page {kind}")
    return [game.data, *(mutated(game.data, chance, game.signers).data for _ in range(count))]


def verdicts_differ(
    page: NodePage, given: Sequence[bytes]
) -> tuple[list[tuple[str, str]], set[str]]:
    """Where the two sides say something else, and the kinds of failures that there were."""
    here: dict[str, Any] = {}
    exec(VERDICT, here)
    page.python(VERDICT)
    differ, layers = [], set()
    for data in given:
        text = base64.b64encode(data).decode()
        mine, theirs = here["verdict"](text), page.python(f"verdict({text!r})")
        layers.add(json.loads(mine)[1].get("layer", "good"))
        if mine != theirs:
            differ.append((mine, theirs))
    return differ, layers


@pytest.mark.dear("looks at the built page")
def test_changed_files_of_a_small_game(page: NodePage) -> None:
    differ, layers = verdicts_differ(page, files(SOLITAIRE, 20))
    assert differ == [] and {"good", "grammar", "signature"} <= layers


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS[:6], *BACKGAMMON], ids=str)
def test_changed_files_of_every_game(page: NodePage, kind: Kind) -> None:
    """With the test above 570 of them."""
    differ, layers = verdicts_differ(page, files(kind, 50))
    assert differ == [] and {"good", "grammar", "signature"} <= layers
