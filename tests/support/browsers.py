"""Real browsers: which there are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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
