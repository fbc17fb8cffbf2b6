"""The swizzle modes of Hopper's copy engine (TMA) and tensor cores (WGMMA), and the rules for a box.

What the modes do was read off an H200 (`swizzle_widgets.measured`, notebook 10); the limits of a box are
those of cuTensorMapEncodeTiled in CUDA's driver API, what WGMMA takes is
stated by PTX. Modes of later GPUs are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import one_of, whole
from .dtypes import DTYPE_BITS, dtype_name
from .hardware import (
    BASE_OFFSET_BYTES,
    BASE_OFFSETS,
    BOX_LIMIT,
    GRANULE_BYTES,
    SHARED_BYTES,
    TMA_ALIGNMENT,
    WGMMA_LINES,
    WGMMA_MAJORS,
    WGMMA_MEASURED,
)
from .layout import Layout
from .swizzle import Swizzle
from .tile import Tile


@dataclass(frozen=True)
class SwizzleMode:
    """A swizzle mode.

    Attributes
    ----------
    name : str
        "none", "32B", "64B" or "128B", as in CU_TENSOR_MAP_SWIZZLE_128B.
    swizzle : Swizzle
        What it does to byte addresses in shared memory, the tile's own base included.
    row_bytes : int or None
        The longest row of a box, and the row of a WGMMA operand; None for "none", whose box is as
        wide as any other box may be.
    repeat_bytes : int
        A tile whose address is a multiple of this shows the same pattern as a tile at address 0.
    """

    name: str
    swizzle: Swizzle
    row_bytes: int | None
    repeat_bytes: int

    def tile(self, rows: int, cols: int, dtype: Any = "f16", base_address: int = 0) -> Tile:
        """Return the tile that the copy engine writes for a box of rows x cols elements.

        Parameters
        ----------
        rows, cols : int
            The box; cols is its inner dimension.
        dtype : str
        base_address : int
            Byte address of the tile in shared memory.

        Raises
        ------
        ValueError
            If the box or the base address breaks a rule (`check_box`).
        """
        self.check_box(rows, cols, dtype)
        if whole("base_address", base_address, 0) % TMA_ALIGNMENT:
            raise ValueError(
                f"base_address = {base_address} must be a multiple of {TMA_ALIGNMENT} bytes, as the copy engine demands"
            )
        return Tile(rows, cols, dtype, base_address=base_address, swizzle=self.swizzle, unit="byte", anchor="address")

    def check_box(self, rows: int, cols: int, dtype: Any = "f16") -> None:
        """Refuse a box that the driver would not encode.

        Raises
        ------
        ValueError
            If a dimension is not 1 to 256, the row is not a multiple of 16 bytes or longer than
            the mode's, or the box does not fit into shared memory.
        """
        whole("rows", rows, 1, BOX_LIMIT)
        whole("cols", cols, 1, BOX_LIMIT)
        bits = cols * DTYPE_BITS[dtype_name(dtype)]
        if bits % (8 * GRANULE_BYTES):
            raise ValueError(
                f"a row of {cols} {dtype_name(dtype)} elements is {bits} bits: "
                f"the inner dimension of a box must be a multiple of {GRANULE_BYTES} bytes"
            )
        if self.row_bytes is not None and bits > 8 * self.row_bytes:
            raise ValueError(
                f"a row of {cols} {dtype_name(dtype)} elements is {bits // 8} bytes: "
                f"the {self.name} swizzle takes rows of at most {self.row_bytes} bytes"
            )
        if rows * bits > 8 * SHARED_BYTES:
            raise ValueError(
                f"a box of {rows} x {cols} {dtype_name(dtype)} elements has {rows * bits // 8} bytes: "
                f"shared memory has {SHARED_BYTES} bytes a block"
            )

    def tma_refusal(self, tile: Tile) -> str:
        """Why TMA cannot write a tile so, whose own swizzle is left out of account; "" if it can.

        Parameters
        ----------
        tile : Tile
            Boxes fill it, each as wide as the neighbors in one line and at most 256 lines high. Elements
            narrower than a byte move as the bytes that hold them.
        """
        run, most = run_bytes(tile), self.row_bytes or BOX_LIMIT * tile.element_bits // 8
        if not run or run % GRANULE_BYTES:
            return f"TMA writes rows of whole {GRANULE_BYTES} bytes side by side, these have {run}"
        if run > most:
            return f"the {self.name} swizzle takes rows of at most {most} bytes, these have {run}"
        if tile.base_address % TMA_ALIGNMENT:
            return f"TMA writes to multiples of {TMA_ALIGNMENT} bytes, base_address = {tile.base_address} is none"
        if self.row_bytes and tile.anchor == "offset" and tile.base_address % self.repeat_bytes:
            return (
                f"TMA permutes addresses, which agree with offsets at multiples of {self.repeat_bytes} bytes, "
                f"base_address = {tile.base_address} is none"
            )
        return ""

    def wgmma_refusal(self, tile: Tile) -> str:
        """Why WGMMA cannot read an operand that TMA wrote so; "" if it can.

        Parameters
        ----------
        tile : Tile
            Rows are M or N, columns are K: a tile whose rows are contiguous is K-major.
        """
        major = "K" if tile.order == "row" else "MN"
        if refusal := self.tma_refusal(tile) or operand_refusal(tile.dtype, major):
            return refusal
        row, run = self.row_bytes or GRANULE_BYTES, run_bytes(tile)
        if run != row:
            return f"WGMMA reads rows of {row} bytes in the {self.name} mode, these have {run}"
        modes = tile.layout.modes if isinstance(tile.layout, Layout) else ()
        lines = modes[0 if tile.order == "row" else 1].flat[0]
        if lines[0] % WGMMA_LINES or lines[1] * tile.element_bits != 8 * row:
            return f"WGMMA reads {WGMMA_LINES} rows of {row} bytes one behind the other, these are not"
        return ""

    def wgmma_source(self, tile: Tile) -> str:
        """How it is known that WGMMA reads the operand: "measured", or "PTX" where it is only stated."""
        major = "K" if tile.order == "row" else "MN"
        known = major in WGMMA_MEASURED.get(tile.dtype, ()) and not self.base_offset(tile.base_address)
        return "measured" if known else "PTX"

    def base_offset(self, base_address: int) -> int:
        """Return the base offset of WGMMA's matrix descriptor: 0 where the pattern begins at a multiple of its repeat.

        Stated by PTX, not measured for others than 0.
        """
        address = whole("base_address", base_address, 0)
        return address // BASE_OFFSET_BYTES % BASE_OFFSETS if address % self.repeat_bytes else 0

    def chunk_order(self, rows: int = 8) -> np.ndarray:
        """Return which 16-byte chunk of its row each place of a row holds, shape (rows, chunks a row), at address 0."""
        row = self.row_bytes or GRANULE_BYTES
        places = np.arange(whole("rows", rows, 1, BOX_LIMIT) * row // GRANULE_BYTES) * GRANULE_BYTES
        held = np.empty(len(places), np.int64)
        held[self.swizzle(places) // GRANULE_BYTES] = places % row // GRANULE_BYTES
        return held.reshape(rows, -1)

    def __str__(self) -> str:
        return f"{self.name} swizzle: {self.swizzle} in bytes"


MODES = (
    SwizzleMode("none", Swizzle(0, 4, 3), None, TMA_ALIGNMENT),
    SwizzleMode("32B", Swizzle(1, 4, 3), 32, 256),
    SwizzleMode("64B", Swizzle(2, 4, 3), 64, 512),
    SwizzleMode("128B", Swizzle(3, 4, 3), 128, 1024),
)


def mode(name: str) -> SwizzleMode:
    """Return the mode called "none", "32B", "64B" or "128B"."""
    return MODES[[m.name for m in MODES].index(one_of("mode", name, [m.name for m in MODES]))]


def mode_of(swizzle: Swizzle, unit_bits: int | None = None) -> SwizzleMode | None:
    """Return the mode that does what a swizzle does, or None if none does.

    Parameters
    ----------
    swizzle : Swizzle
    unit_bits : int
        What the swizzle counts: 8 for bytes, 16 for elements of half. The identity needs none.

    Raises
    ------
    ValueError
        If the unit is missing.

    Examples
    --------
    >>> mode_of(Swizzle(3, 3, 3), unit_bits=16).name
    '128B'
    >>> mode_of(Swizzle(3, 3, 3), unit_bits=8) is None
    True
    """
    if swizzle.is_identity:
        return MODES[0]
    if unit_bits is None:
        raise ValueError(
            f"{swizzle} has no unit of its own: say what it counts, unit_bits=8 for bytes or the size of an element, "
            "such as unit_bits=16"
        )
    try:
        in_bytes = swizzle.recast(unit_bits, 8)
    except ValueError:
        return None
    return next((m for m in MODES if m.swizzle == in_bytes), None)


def operand_refusal(dtype: str, major: str) -> str:
    """Return why no operand of WGMMA in shared memory has a dtype and a contiguous dimension; "" if one has.

    Parameters
    ----------
    dtype : str
        A short name.
    major : str
        "K" or "MN".
    """
    if dtype not in WGMMA_MAJORS:
        return f"WGMMA has no {dtype} operands: they are {', '.join(WGMMA_MAJORS)}"
    if major not in WGMMA_MAJORS[dtype]:
        return f"WGMMA reads {dtype} operands K-major only: only 16-bit operands may be MN-major"
    return ""


def run_bytes(tile: Tile) -> int:
    """Return the bytes of a line that lie side by side: all in a plain layout, an atom's in a tiled one; 0 if none."""
    if not isinstance(tile.layout, Layout) or tile.order is None:
        return 0
    extent = tile.layout.modes[1 if tile.order == "row" else 0].flat[0][0]
    return extent * tile.element_bits // 8
