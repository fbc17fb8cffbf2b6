"""What the browser must know of Python, written into a JavaScript module and a style sheet: nothing stands twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import theme
from ..figures.measures import MEASURES
from ..model import hardware
from ..model.dtypes import DTYPE_ALIASES, DTYPE_BITS, ODD_DTYPES, SIZE_DTYPES
from ..model.layout import MAX_SIZE
from ..model.patterns import INACTIVE, signatures
from ..model.swizzle import OFFSET_BITS
from ..model.texts.parts import MAX_DEPTH, MAX_TEXT
from ..model.texts.tiles import FRAGMENT_BITS
from ..model.texts.writing import DSL_DTYPES
from ..model.thread_values import BLOCK_THREADS, MAX_TILER, MAX_VALUES
from ..model.tile import ANCHORS, ORDERS
from ..model.units import UNITS
from .bundle import bundle

ROOM = Path(__file__).parent
GENERATED = ROOM / "js" / "generated.js"

# Wavefronts a second, in the browser and in a GIF.
SPEED_RANGE = (0.5, 16)
_HARDWARE = (
    "BANKS", "BOX_LIMIT", "CACHES", "CP_ASYNC_WIDTHS", "GRANULE_BYTES", "KINDS", "KIND_WIDTHS",
    "LINE_BYTES", "MATRIX_ELEMENT_BITS", "MATRIX_KINDS", "MATRIX_LANES", "MATRIX_WIDTH", "MERGE_PARTNERS",
    "MMA_COLUMN_BITS", "MMA_ROWS", "ORDERED_KINDS", "PHASE_LANES", "SHARED_BYTES", "UNSHARED_KINDS", "WARP_LANES",
    "WORD_BYTES",
)  # fmt: skip


def module_text(name: str) -> str:
    """Return a widget's file and all that it imports as one ES module."""
    return bundle(ROOM / "js" / name, {GENERATED: generated_text()})


def generated_text() -> str:
    """Return the text of js/generated.js: Python's constants, under Python's names."""
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in constants().items())


def style_text() -> str:
    """Return the widgets' style sheet."""
    return theme_text() + (ROOM / "css" / "style.css").read_text(encoding="utf-8")


# Custom properties that follow JupyterLab's theme where there is one.
_JUPYTER = {
    "ink": "ui-font-color1", "quiet": "ui-font-color2", "line": "border-color2", "paper": "layout-color1",
    "raised": "layout-color2", "accent": "brand-color1",
}  # fmt: skip


def theme_text() -> str:
    """Return the page colors of the theme as custom properties, for light pages and dark ones."""
    light = _properties({name: _jupyter(name, color) for name, color in theme.PAGE_COLORS.items()})
    # On a dark page of JupyterLab its own colors stand already.
    dark = _properties({name: color for name, color in theme.DARK_PAGE_COLORS.items() if name not in _JUPYTER})
    plain = _properties(theme.DARK_PAGE_COLORS)
    return (
        f".swz {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ body:not([data-jp-theme-light]) .swz {{ --dark: 1; {plain} }} }}\n"
        f'[data-jp-theme-light="false"] .swz {{ --dark: 1; {dark} }}\n'
    )


def _jupyter(name: str, color: str) -> str:
    return f"var(--jp-{_JUPYTER[name]}, {color})" if name in _JUPYTER else color


def _properties(colors: dict[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def constants() -> dict[str, Any]:
    """Return what the browser is told, by name."""
    return {
        **{name: getattr(hardware, name) for name in _HARDWARE},
        **{name: value for name, value in vars(theme).items() if name.isupper()},
        "ANCHORS": ANCHORS,
        "BLOCK_THREADS": BLOCK_THREADS,
        "DSL_DTYPES": DSL_DTYPES,
        "DTYPE_ALIASES": DTYPE_ALIASES,
        "DTYPE_BITS": DTYPE_BITS,
        "FRAGMENT_BITS": FRAGMENT_BITS,
        "INACTIVE": INACTIVE,
        "MAX_DEPTH": MAX_DEPTH,
        "MAX_SIZE": MAX_SIZE,
        "MAX_TEXT": MAX_TEXT,
        "MAX_TILER": MAX_TILER,
        "MAX_VALUES": MAX_VALUES,
        "MEASURES": MEASURES,
        "ODD_DTYPES": ODD_DTYPES,
        "OFFSET_BITS": OFFSET_BITS,
        "ORDERS": ORDERS,
        "SIGNATURES": signatures(),
        "SIZE_DTYPES": SIZE_DTYPES,
        "SPEED_RANGE": SPEED_RANGE,
        "UNITS": UNITS,
    }
