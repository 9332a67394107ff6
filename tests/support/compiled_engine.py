"""Tests that change or count the rules' own functions and constants: a compiled engine has bound
them to each other."""

from __future__ import annotations

import pytest

import engine.flow

CHANGES_RULES = pytest.mark.skipif(
    not str(engine.flow.__file__).endswith(".py"),
    reason="it changes names of the rules, and a compiler has bound them",
)
