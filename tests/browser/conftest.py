"""The tests of this folder open pages in real browsers."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.dear("drives a browser")
