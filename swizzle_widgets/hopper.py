"""The swizzle modes of Hopper's copy engine (TMA) and tensor cores (WGMMA), and the rules for a box.

What the modes do was read off an H200 (`swizzle_widgets.gpu`, notebook 10); the limits of a box are
those of cuTensorMapEncodeTiled in CUDA's driver API.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._checks import one_of, whole
from .swizzle import Swizzle
from .tile import DTYPE_BITS, Tile, dtype_name

GRANULE_BYTES = 16
BOX_LIMIT = 256
TMA_ALIGNMENT = 128


@dataclass(frozen=True)
class Mode:
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

    def tile(self, rows: int, cols: int, dtype="f16", base: int = 0) -> Tile:
        """Return the tile that the copy engine writes for a box of rows x cols elements.

        Parameters
        ----------
        rows, cols : int
            The box; cols is its inner dimension.
        dtype : str
        base : int
            Byte address of the tile in shared memory.

        Raises
        ------
        ValueError
            If the box or the base breaks a rule (`check_box`).
        """
        self.check_box(rows, cols, dtype)
        if whole("base", base, 0) % TMA_ALIGNMENT:
            raise ValueError(f"base = {base} must be a multiple of {TMA_ALIGNMENT}: the copy engine writes nowhere else")
        return Tile(rows, cols, dtype, base=base, swizzle=self.swizzle, unit="byte", anchor="address")

    def check_box(self, rows: int, cols: int, dtype="f16") -> None:
        """Refuse a box that the driver would not encode.

        Raises
        ------
        ValueError
            If a dimension is not 1 to 256, the row is not a multiple of 16 bytes, or the row is
            longer than the mode's.
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

    def __str__(self) -> str:
        return f"{self.name} swizzle: {self.swizzle} in bytes"


MODES = (
    Mode("none", Swizzle(0, 4, 3), None, TMA_ALIGNMENT),
    Mode("32B", Swizzle(1, 4, 3), 32, 256),
    Mode("64B", Swizzle(2, 4, 3), 64, 512),
    Mode("128B", Swizzle(3, 4, 3), 128, 1024),
)


def mode(name: str) -> Mode:
    """Return the mode called "none", "32B", "64B" or "128B"."""
    return MODES[[m.name for m in MODES].index(one_of("mode", name, [m.name for m in MODES]))]


def mode_of(swizzle: Swizzle, unit_bits: int = 8) -> Mode | None:
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
