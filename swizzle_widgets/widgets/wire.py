"""Tiles and accesses as the browser takes them, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.layout import Layout
from ..model.table import Table
from ..model.tile import Tile


def tile_spec(tile: Tile) -> dict[str, Any]:
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
        # Only where there is something to say of the map.
        **({"note": tile.map_note} if tile.map_note else {}),
    }


def spec_tile(spec: Any) -> Tile:
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
        raise ValueError(f"tile = {spec!r} describes no tile: {error!r}") from None
    if tile_spec(tile) != spec:
        raise ValueError(f"tile = {spec!r} describes no tile: its parts contradict each other")
    return tile


def _map_spec(layout: Layout | Table) -> dict[str, Any]:
    if isinstance(layout, Table):
        return {"offsets": layout.offsets.ravel().tolist()}
    # Lists, as they come back from the browser.
    row_mode, col_mode = (list(map(list, mode.flat)) for mode in layout.modes)
    return {"rowMode": row_mode, "colMode": col_mode}


def _mode_part(mode, part: int) -> int | tuple[int, ...]:
    """The sizes (part 0) or strides (part 1) of a mode, as `Layout` takes them."""
    numbers = tuple(pair[part] for pair in mode)
    return numbers[0] if len(numbers) == 1 else numbers
