"""One browser for all tests of the table, which take over its window one after the other, without
cookies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.browsers import CHROMIUM, HEADLESS
from tests.support.table_kit import browser


@pytest.fixture(scope="package")
def chromium(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Closed before tests of another folder begin: while it is driven, no other event loop runs in
    this thread. In `./run slow` it is the whole browser."""
    with browser(CHROMIUM if request.config.option.markexpr == "slow" else HEADLESS) as made:
        yield made
