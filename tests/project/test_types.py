"""The annotations hold, and none is missing: pyright reads the package as its users' editors do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyright")
ROOT = Path(__file__).parents[2]
# What anywidget and ipywidgets leave open: the metaclass of a widget, and so whatever is a widget.
OPEN_ELSEWHERE = (
    "Type of metaclass unknown",
    "Type of base class unknown",
    'Type of base class "swizzle_widgets.widgets.',
    'Return type is "Question"',
)


def pyright(*arguments: str) -> dict:
    """What pyright says, as its JSON has it."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", *arguments]
    # This checkout, and no other that is installed.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(done.stdout)
    except ValueError:
        pytest.skip(f"pyright cannot run here: {(done.stdout + done.stderr)[-300:]}")


def incomplete(found: dict) -> dict[str, list[str]]:
    """The symbols of the package without a known type, and why."""
    reasons = {
        symbol["name"]: [
            each["message"]
            for each in symbol["diagnostics"]
            if each["severity"] == "error" and not any(text in each["message"] for text in OPEN_ELSEWHERE)
        ]
        for symbol in found["typeCompleteness"]["symbols"]
    }
    return {name: texts for name, texts in reasons.items() if texts}


def test_the_annotations_hold():
    found = pyright()
    assert found["summary"]["filesAnalyzed"] > 40
    assert not [each for each in found["generalDiagnostics"] if each["severity"] == "error"]


def test_every_public_name_is_typed():
    found = pyright("--verifytypes", "swizzle_widgets", "--ignoreexternal")
    assert len(found["typeCompleteness"]["symbols"]) > 500
    assert not incomplete(found)


def test_a_missing_annotation_is_found():
    wrong = {"severity": "error", "message": 'Type annotation for parameter "row" is missing'}
    elsewhere = {"severity": "error", "message": "Type of metaclass unknown"}
    symbols = [{"name": "at", "diagnostics": [wrong, elsewhere]}, {"name": "Lab", "diagnostics": [elsewhere]}]
    assert incomplete({"typeCompleteness": {"symbols": symbols}}) == {"at": [wrong["message"]]}
