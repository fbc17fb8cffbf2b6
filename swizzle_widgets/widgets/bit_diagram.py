"""BitDiagram: the bits of one address before and after the swizzle."""

from __future__ import annotations

import numpy as np

from ..model.banks import bank_of
from ..model.checks import whole
from ..model.swizzle import OFFSET_BITS
from ..model.tile import Tile
from .base import TileWidget, Whole
from .generated import module_text


class OffsetWidget(TileWidget):
    """A tile widget that also shows one element.

    Attributes
    ----------
    offset : int
        The element shown, in elements before the swizzle and without the tile's base, as the tile's
        layout gives it; it need not be an element of the tile. The browser sets it.
    """

    offset = Whole(0, 0, 2**OFFSET_BITS - 1, help="the element shown, as the layout counts it").tag(sync=True)

    @property
    def place(self) -> tuple[int, int] | None:
        """The row and column shown, or None if the offset is no element of the tile; may be set."""
        found = np.argwhere(self.plain_tile.layout.offsets == self.offset)
        return tuple(found[0].tolist()) if len(found) else None

    @place.setter
    def place(self, value: tuple[int, int]):
        tile, (row, col) = self.plain_tile, value
        self.offset = tile.layout(whole("row", row, 0, tile.rows - 1), whole("col", col, 0, tile.cols - 1))

    @property
    def bit_addresses(self) -> tuple[int, int]:
        """The address shown, in bits, without and with the swizzle."""
        return tuple(tile.bit_addresses(self.offset) for tile in (self.plain_tile, self.tile))


class BitDiagram(OffsetWidget):
    """The bits of one address before and after the swizzle, and what the hardware reads from them.

    A click flips a bit, two fields pick a row and a column, sliders change B, M and S, the switch
    rewrites them in the other unit. All of it is computed in the browser; the traits follow.

    Parameters
    ----------
    swizzle : Swizzle, optional
        The swizzle shown; the tile's, if left out.
    tile : Tile, optional
        Where the address lies; 8x64 f16, if left out.
    unit : str or int, optional
        What `swizzle` counts, as in `Tile`; left out, what the tile's swizzle counts, or else bytes.
    row, col : int
        The element shown.
    offset : int, optional
        The address shown, in elements before the swizzle and without the tile's base, as the tile's
        layout gives it; takes the place of row and col. It need not be an element of the tile.

    Raises
    ------
    TypeError
        If the tile is no Tile, the swizzle no Swizzle, or a number no whole number.
    ValueError
        If row and col are outside the tile, stand beside an offset, the unit is given without a
        swizzle, or the swizzle does not fit the tile.

    Examples
    --------
    >>> BitDiagram(Swizzle(3, 4, 3), row=5)
    BitDiagram of Sw<3,4,3> in bytes: row 5, column 0 of 8x64 f16, byte 640 (bank 0) goes to 720 (bank 20)
    """

    _esm = module_text("bit_diagram.js")

    def __init__(self, swizzle=None, tile=None, *, unit=None, row=0, col=0, offset=None):
        tile = Tile(8, 64, "f16") if tile is None else tile
        if swizzle is None and unit is not None:
            raise ValueError(f"unit = {unit!r} without a swizzle: the unit says what a swizzle counts")
        if offset is not None and (row or col):
            raise ValueError(f"offset = {offset!r} already says which element is shown: leave row and col out")
        super().__init__(tile)
        if swizzle is not None:
            self.tile = tile.with_swizzle(swizzle, tile.unit or "byte" if unit is None else unit)
        if offset is None:
            self.place = row, col
        else:
            self.offset = offset

    def figure(self):
        """Return the present state as a matplotlib Figure."""
        from ..figures import bit_diagram

        return bit_diagram(self.tile, self.offset)

    def _sentence(self) -> str:
        tile, place = self.tile, self.place
        element = f"row {place[0]}, column {place[1]}" if place else f"offset {self.offset}, no element"
        before, after = (f"{_byte(bits)} (bank {bank_of(bits // 8)})" for bits in self.bit_addresses)
        what = f"{element} of {tile.rows}x{tile.cols} {tile.dtype}"
        return f"BitDiagram of {tile.swizzle_name}: {what}, byte {before} goes to {after}"


def _byte(bits: int) -> str:
    """A bit address as a byte, with the bit in it where an element does not begin the byte."""
    return f"{bits // 8} bit {bits % 8}" if bits % 8 else str(bits // 8)
