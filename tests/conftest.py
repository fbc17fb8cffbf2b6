"""Fixtures that several test files share."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import hypothesis
import pytest

DATA = Path(__file__).parent / "data"
# The one without windows draws the same pages for two thirds of the work.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Several tests share the machine with a browser: a slow example says nothing about the model.
hypothesis.settings.register_profile("swizzle_widgets", deadline=None)
hypothesis.settings.load_profile("swizzle_widgets")


@pytest.fixture(scope="session")
def questions() -> list[dict]:
    """The public questions: a tile, a swizzle, 32 lanes, and the answer."""
    return json.loads((DATA / "questions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium: SWIZZLE_CHROMIUM, or the first on the PATH."""
    path = os.environ.get("SWIZZLE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        reason = "no Chromium on the PATH, and SWIZZLE_CHROMIUM names none"
        (pytest.fail if os.environ.get("SWIZZLE_REQUIRE_BROWSER") == "1" else pytest.skip)(reason)
    return path


@pytest.fixture(scope="session")
def browser(chromium):
    """A headless Chromium, driven by Playwright."""
    sync_api = pytest.importorskip("playwright.sync_api")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    arguments += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield browser
        browser.close()
