"""One game that many tests look at; it is never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mail_kit import Played, go_on, start


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return go_on(
        start(Path(tmp_path_factory.mktemp("played"))),
        14,
        seed=5,
        message="Good luck!\nAnd fair winds.",
    )
