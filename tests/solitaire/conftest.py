"""Lets these tests import the scripts that lie beside the package: examples and this directory's golden games."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
