"""Where the elements of a matrix lie in shared memory: a layout, then a swizzle, then a base address."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .checks import shown
from .dtypes import DTYPE_BITS
from .hardware import SHARED_BYTES
from .layout import Layout
from .swizzle import Swizzle
from .table import Table
from .units import unit_size


@dataclass(frozen=True)
class Placement:
    """The place of each element of a rows x cols matrix; what each field is, `Tile` says."""

    rows: int
    cols: int
    dtype: str
    layout: Layout | Table
    base_address: int
    swizzle: Swizzle | None
    unit: str | int | None
    anchor: str

    @property
    def element_bits(self) -> int:
        """The size of an element in bits."""
        return DTYPE_BITS[self.dtype]

    @property
    def unit_bits(self) -> int | None:
        """The size in bits of what the swizzle counts; None without a swizzle."""
        if self.swizzle is None:
            return None
        return unit_size(self.unit, self.dtype)

    @property
    def order(self) -> str | None:
        """ "row" or "column", by which neighbors are adjacent in memory; None if neither are."""
        return self.layout.order

    @property
    def lines(self) -> int:
        """The number of lines, the runs of neighboring elements: rows, or columns unless the order is "row"."""
        return self.rows if self.order == "row" else self.cols

    @property
    def line_length(self) -> int:
        """The elements of a line."""
        return self.cols if self.order == "row" else self.rows

    def on_lines(self, lines: Any, positions: Any) -> tuple[Any, Any]:
        """Return (rows, cols) of places on lines; given rows and cols, their lines and positions."""
        return (lines, positions) if self.order == "row" else (positions, lines)

    @property
    def size_bytes(self) -> int:
        """The bytes of shared memory from the base address to the end of the layout, padding inside included."""
        return -(-self.layout.cosize * self.element_bits // 8)

    @cached_property
    def addresses(self) -> np.ndarray:
        """Byte address of each element, base address included, int64 of shape (rows, cols).

        Elements smaller than a byte have the address of the byte that holds them.
        """
        return _read_only(self.bit_addresses(self.layout.offsets) >> 3)

    @cached_property
    def banks(self) -> np.ndarray:
        """Bank of each element (of its first word), int64 of shape (rows, cols)."""
        # Shifts, since numpy divides integers several times slower.
        return _read_only(self.addresses >> 2 & 31)

    def bit_addresses(self, offsets: Any) -> Any:
        """Return where elements lie in shared memory, in bits.

        Parameters
        ----------
        offsets : int or int array
            Element offsets before the swizzle, as `layout` gives them.
        """
        bits = offsets * self.element_bits
        if self.swizzle is None:
            return bits + 8 * self.base_address
        up = unit_size(self.unit, self.dtype).bit_length() - 1
        if self.anchor == "address":
            return self.swizzle.xor(bits + 8 * self.base_address, up)
        return self.swizzle.xor(bits, up) + 8 * self.base_address

    @property
    def unit_name(self) -> str:
        """The unit of the swizzle in words: "bytes", "f16 elements", "4-bit units"; "" without a swizzle."""
        if self.swizzle is None:
            return ""
        if isinstance(self.unit, int):
            return f"{self.unit}-bit units"
        return "bytes" if self.unit == "byte" else f"{self.dtype} elements"

    @property
    def swizzle_name(self) -> str:
        """The swizzle with its unit, "Sw<3,4,3> in bytes"; "no swizzle" if nothing moves."""
        if self.swizzle is None or self.swizzle.is_identity:
            return "no swizzle"
        return f"{self.swizzle} in {self.unit_name}"

    @property
    def period_bits(self) -> int:
        """The bits after which the swizzle's pattern repeats; 1 without a swizzle."""
        return self.swizzle.period * unit_size(self.unit, self.dtype) if self.swizzle is not None else 1

    def _check(self) -> None:
        layout = self.layout
        if layout.rank != 2 or layout.sizes != (self.rows, self.cols):
            raise ValueError(f"layout {layout} does not have the two modes {self.rows} and {self.cols}")
        if 8 * self.base_address % self.element_bits:
            size = self.element_bits // 8
            raise ValueError(
                f"base_address = {self.base_address} must be a multiple of the {size} bytes of an {self.dtype} element"
            )
        if layout.lowest < 0:
            raise ValueError(
                f"{layout} counts down to offset {layout.lowest}, before the tile's base address: "
                "Tile.from_cute reads it with the pointer it stands on"
            )
        end = self.base_address + self.size_bytes
        if end > SHARED_BYTES or layout.size > 8 * SHARED_BYTES:
            raise ValueError(
                f"the tile ends at byte {shown(end)} and has {shown(layout.size)} elements: "
                f"shared memory has {SHARED_BYTES} bytes (227 KiB) a block"
            )
        if self.swizzle is None:
            return
        granule = self.swizzle.granule * unit_size(self.unit, self.dtype)
        if granule < self.element_bits and not self.swizzle.is_identity:
            raise ValueError(
                f"{self.swizzle_name} moves granules of {granule} bits: "
                f"it would cut elements of {self.element_bits} bits"
            )
        last = int(self.addresses.max())
        if last >= SHARED_BYTES:
            raise ValueError(
                f"{self.swizzle_name} sends an element to byte {last}: shared memory has {SHARED_BYTES} bytes a block"
            )


def _read_only(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
