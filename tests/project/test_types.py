"""The annotations of the model and the widgets hold: pyright reads them as their users' editors do."""

from __future__ import annotations

import pytest

from tests.support.pyright import pyright

pytest.importorskip("pyright")


def test_the_annotations_hold():
    found = pyright()
    assert found["summary"]["filesAnalyzed"] > 40
    assert not [each for each in found["generalDiagnostics"] if each["severity"] == "error"]
