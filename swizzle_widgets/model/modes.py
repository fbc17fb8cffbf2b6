"""The swizzle modes of Hopper's copy engine (TMA) and tensor cores (WGMMA), and the rules for a box.

What the modes do was read off an H200 (`swizzle_widgets.measured`, notebook 10); the limits of a box are
those of cuTensorMapEncodeTiled in CUDA's driver API.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .checks import one_of, whole
from .dtypes import DTYPE_BITS, dtype_name
from .hardware import BOX_LIMIT, GRANULE_BYTES, SHARED_BYTES, TMA_ALIGNMENT
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

    def tile(self, rows: int, cols: int, dtype="f16", base_address: int = 0) -> Tile:
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

    def check_box(self, rows: int, cols: int, dtype="f16") -> None:
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


def mode_of(swizzle: Swizzle, unit_bits: int = 8) -> SwizzleMode | None:
    """Return the mode that does what a swizzle does, or None if none does.

    Parameters
    ----------
    swizzle : Swizzle
    unit_bits : int
        What the swizzle counts: 8 for bytes, 16 for elements of half.

    Examples
    --------
    >>> mode_of(Swizzle(3, 3, 3), unit_bits=16).name
    '128B'
    >>> mode_of(Swizzle(3, 3, 3)) is None
    True
    """
    if swizzle.is_identity:
        return MODES[0]
    try:
        in_bytes = swizzle.recast(unit_bits, 8)
    except ValueError:
        return None
    return next((m for m in MODES if m.swizzle == in_bytes), None)


def chunk_order(swizzle: Swizzle, rows: int = 8, row_bytes: int = 128) -> np.ndarray:
    """Return which 16-byte chunk of its row each place of a row holds, shape (rows, row_bytes / 16).

    Parameters
    ----------
    swizzle : Swizzle
        In bytes, and moving granules of at least 16 bytes within a row.
    """
    places = np.arange(rows * row_bytes // GRANULE_BYTES) * GRANULE_BYTES
    held = np.empty(len(places), np.int64)
    held[swizzle(places) // GRANULE_BYTES] = places % row_bytes // GRANULE_BYTES
    return held.reshape(rows, -1)
