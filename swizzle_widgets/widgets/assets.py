"""What the browser is sent: each widget's ES module and the common style sheet, put together as text.

A widget's module must be one text without imports. The files stay small and are written as
separate ES modules; here they are joined, and the numbers that Python already knows (the
hardware's rules, the palette) are written in front, so that they stand in one place only.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files

import numpy as np

from ..model import hardware
from ..model.dtypes import DTYPE_BITS
from ..model.layout import Layout
from ..model.swizzle import OFFSET_BITS
from ..model.table import Table
from ..model.tile import Tile
from ..theme import BANK_COLORS, BANK_INKS, BANK_TINTS, BLACK

RULES = {
    "banks": hardware.BANKS,
    "wordBytes": hardware.WORD_BYTES,
    "lineBytes": hardware.LINE_BYTES,
    "lanes": hardware.WARP_LANES,
    "sharedBytes": hardware.SHARED_BYTES,
    "phaseLanes": hardware.PHASE_LANES,
    "matrixWidth": hardware.MATRIX_WIDTH,
    "matrixLanes": hardware.MATRIX_LANES,
    "mergePartners": hardware.MERGE_PARTNERS,
    "offsetBits": OFFSET_BITS,
    "dtypeBits": DTYPE_BITS,
}

_IMPORT = re.compile(r"^import\s*\{[^}]*\}\s*from\s*\"\./[^\"]*\";\n", re.MULTILINE)
_DEFAULT = re.compile(r"^export default .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|class|const)", re.MULTILINE)


def module_text(*names: str) -> str:
    """Return the named files joined to one ES module; the last one keeps its exports."""
    colors = {"BANK_COLORS": BANK_COLORS, "BANK_INKS": BANK_INKS, "BANK_TINTS": BANK_TINTS, "BLACK": BLACK}
    constants = {"RULES": RULES, **colors}
    front = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    *helpers, last = (_IMPORT.sub("", file_text(name)) for name in names)
    return front + "".join(_EXPORT.sub("", _DEFAULT.sub("", text)) for text in helpers) + last


def file_text(name: str) -> str:
    """Return a JavaScript or CSS file of the widgets."""
    return (files(__package__) / name.rpartition(".")[2] / name).read_text(encoding="utf-8")


def tile_spec(tile: Tile) -> dict:
    """Return a tile's geometry as the browser takes it: everything but the swizzle."""
    return {
        "rows": tile.rows,
        "cols": tile.cols,
        "dtype": tile.dtype,
        "elementBits": tile.element_bits,
        "order": tile.order,
        "layout": str(tile.layout),
        "baseAddress": tile.base_address,
        "anchor": tile.anchor,
        **_map_spec(tile.layout),
    }


def spec_tile(spec: dict) -> Tile:
    """Return the tile without a swizzle that `tile_spec` described.

    Raises
    ------
    ValueError
        If `spec` is no such description.
    """
    try:
        if "offsets" in spec:
            layout = Table(np.reshape(spec["offsets"], (spec["rows"], spec["cols"])))
        else:
            modes = (spec["rowMode"], spec["colMode"])
            layout = Layout(*(tuple(_mode_part(mode, part) for mode in modes) for part in (0, 1)))
        tile = Tile(
            spec["rows"],
            spec["cols"],
            spec["dtype"],
            layout=layout,
            base_address=spec["baseAddress"],
            anchor=spec["anchor"],
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"geometry = {spec!r} describes no tile: {error!r}") from None
    if tile_spec(tile) != spec:
        raise ValueError(f"geometry = {spec!r} describes no tile: its parts contradict each other")
    return tile


def _map_spec(layout: Layout | Table) -> dict:
    if isinstance(layout, Table):
        return {"offsets": layout.offsets.ravel().tolist()}
    # Lists, as they come back from the browser.
    row_mode, col_mode = (list(map(list, mode.flat)) for mode in layout.modes)
    return {"rowMode": row_mode, "colMode": col_mode}


def _mode_part(mode, part: int) -> int | tuple[int, ...]:
    """The sizes (part 0) or strides (part 1) of a mode, as `Layout` takes them."""
    numbers = tuple(pair[part] for pair in mode)
    return numbers[0] if len(numbers) == 1 else numbers
