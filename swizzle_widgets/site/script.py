"""The one script and the one style sheet that all pages share."""

from __future__ import annotations

from pathlib import Path

from ..widgets.bundle import bundle
from ..widgets.generated import GENERATED, generated_text, style_text
from .text import code_style

ROOM = Path(__file__).parent


def script() -> str:
    """Return the code of all widgets and of the pages as one classic script, which also runs from a disk."""
    return bundle(ROOM / "js" / "page.js", {GENERATED: generated_text()})


def style() -> str:
    """Return the style sheet of the pages, widgets and code included."""
    own = (ROOM / "css" / "page.css").read_text(encoding="utf-8")
    return "\n".join([code_style(), style_text(), own])
