"""The JavaScript engines that this room's tests share."""

from __future__ import annotations

import pytest

from tests.support import scenes
from tests.support.engine import Engine


@pytest.fixture(scope="session")
def engine():
    """The browser's model."""
    engine = Engine("parity.js")
    yield engine
    engine.close()


@pytest.fixture(scope="session", autouse=True)
def scenes_engine():
    """Ends the engine that draws the scenes, if one was begun."""
    yield
    scenes.close()
