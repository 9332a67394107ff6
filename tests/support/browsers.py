"""Real browsers: which there are, and what happened on a page when puppeteer-core (tests/browser)
drove one."""

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
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
HEADLESS = shutil.which("chromium-headless-shell") or CHROMIUM
"""Chromium without the part that draws a browser's windows, where it is installed: pages cost it a
third less."""
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PROGRAMS = {"chrome": HEADLESS, "chromium": CHROMIUM, "firefox": FIREFOX}
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
    kind = "firefox" if browser == "firefox" else "chrome"
    command = [NODE, str(FOLDER / "drive.mjs"), kind, program, str(folder / "steps.json")]
    run = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr.decode()
    return [json.loads(line) for line in run.stdout.decode().splitlines()]
