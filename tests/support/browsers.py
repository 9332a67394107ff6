"""Real browsers, driven by puppeteer-core (tests/browser): what happened on a page, as it printed it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.effort import PATIENCE

FOLDER = Path(__file__).parents[1] / "browser"
NODE = shutil.which("node")
PROGRAMS = {
    "chrome": shutil.which("chromium") or shutil.which("google-chrome"),
    "firefox": shutil.which("firefox-esr") or shutil.which("firefox"),
}
IS_THERE = NODE is not None and (FOLDER / "node_modules" / "puppeteer-core").is_dir()
needs_puppeteer = pytest.mark.skipif(
    not IS_THERE, reason="puppeteer-core is not installed: npm ci --ignore-scripts in tests/browser"
)


def drive(browser: str, steps: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What a browser found on each page; skips the test where the browser is not installed."""
    program = PROGRAMS[browser]
    if program is None:
        pytest.skip(f"{browser} is not installed")
    assert NODE is not None
    (folder / "steps.json").write_text(json.dumps(list(steps)), encoding="utf-8")
    command = [NODE, str(FOLDER / "drive.mjs"), browser, program, str(folder / "steps.json")]
    run = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr.decode()
    return [json.loads(line) for line in run.stdout.decode().splitlines()]
