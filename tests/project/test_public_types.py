"""No public name is without a type. A file of its own: pyright's two runs take seconds, and go side by side."""

from __future__ import annotations

import pytest

from tests.support.pyright import pyright

pytest.importorskip("pyright")
# What anywidget and ipywidgets leave open: the metaclass of a widget, and so whatever is a widget.
OPEN_ELSEWHERE = (
    "Type of metaclass unknown",
    "Type of base class unknown",
    'Type of base class "swizzle_widgets.widgets.',
    'Return type is "Question"',
)


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


def test_every_public_name_is_typed():
    found = pyright("--verifytypes", "swizzle_widgets", "--ignoreexternal")
    assert len(found["typeCompleteness"]["symbols"]) > 500
    assert not incomplete(found)


def test_a_missing_annotation_is_found():
    wrong = {"severity": "error", "message": 'Type annotation for parameter "row" is missing'}
    elsewhere = {"severity": "error", "message": "Type of metaclass unknown"}
    symbols = [{"name": "at", "diagnostics": [wrong, elsewhere]}, {"name": "Lab", "diagnostics": [elsewhere]}]
    assert incomplete({"typeCompleteness": {"symbols": symbols}}) == {"at": [wrong["message"]]}
