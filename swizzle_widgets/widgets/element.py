"""A tile widget that also shows one element."""

from __future__ import annotations

import numpy as np

from ..model.access import Access
from ..model.checks import whole
from ..model.swizzle import OFFSET_BITS
from ..model.tile import Tile
from .base import TileWidget
from .traits import Whole


class ElementWidget(TileWidget):
    """A tile widget that also shows one element.

    Attributes
    ----------
    offset : int
        The element shown, in elements before the swizzle and without the tile's base address, as the
        tile's layout gives it; it need not be an element of the tile. The browser sets it.
    """

    offset: Whole = Whole(0, 0, 2**OFFSET_BITS - 1, help="the element shown, as the layout counts it").tag(sync=True)

    @property
    def place(self) -> tuple[int, int] | None:
        """The row and column shown, or None if the offset is no element of the tile; may be set."""
        found = np.argwhere(self.tile.layout.offsets == self.offset)
        return (int(found[0][0]), int(found[0][1])) if len(found) else None

    @place.setter
    def place(self, value: tuple[int, int]) -> None:
        tile, (row, col) = self.tile, value
        self.offset = tile.layout(whole("row", row, 0, tile.rows - 1), whole("col", col, 0, tile.cols - 1))

    @property
    def bit_addresses(self) -> tuple[int, int]:
        """The address shown, in bits, without and with the swizzle."""
        plain = self.offset * self.tile.element_bits + 8 * self.tile.base_address
        return plain, int(self.tile.bit_addresses(self.offset))


def opening_offset(access: Access) -> int:
    """Return the first element, in the order of the lanes, whose address the swizzle changes, else the first lane's."""
    return first_moved(access.tile, np.array([start for start in access.starts if start >= 0]))


def first_moved(tile: Tile, offsets: np.ndarray) -> int:
    """Return the first of some offsets whose address the tile's swizzle changes, else the first of all."""
    plain = offsets * tile.element_bits + 8 * tile.base_address
    moved = np.flatnonzero(tile.bit_addresses(offsets) != plain)
    return int(offsets[moved[0] if len(moved) else 0])
