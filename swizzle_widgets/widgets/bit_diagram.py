"""BitDiagram: the bits of one address before and after the swizzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.banks import bank_of
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from .element import ElementWidget, first_moved
from .generated import module_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class BitDiagram(ElementWidget):
    """The bits of one address before and after the swizzle, and what the hardware reads from them.

    A click flips a bit, two fields pick a row and a column, sliders change B, M and S, the switch
    rewrites them in the other unit. All of it is computed in the browser; the traits follow.

    Parameters
    ----------
    tile : Tile
        Where the address lies; its swizzle and unit are where the sliders start.
    row, col : int, optional
        The element shown; one left out is 0. Without either, the first element that the swizzle moves, in the order in
        which lanes read columns: down the first column, then the next; without such, that of row 0 and column 0.
    offset : int, optional
        The address shown, in elements before the swizzle and without the tile's base address, as the
        tile's layout gives it; takes the place of row and col. It need not be an element of the tile.
    **state
        `controls`, and the traits of every ipywidget, such as `layout`.

    Raises
    ------
    TypeError
        If the tile is no Tile, or a number no whole number.
    ValueError
        If row and col are outside the tile or stand beside an offset.

    Examples
    --------
    >>> BitDiagram(Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"))
    BitDiagram of Sw<3,4,3> in bytes: row 1, column 0 of 8x64 f16, byte 128 (bank 0) goes to 144 (bank 4)
    """

    _esm = module_text("bit_diagram.js")

    def __init__(
        self, tile: Tile, *, row: int | None = None, col: int | None = None, offset: int | None = None, **state: Any
    ):  # fmt: skip
        if isinstance(tile, Swizzle):
            raise TypeError(
                f"{tile} alone is two maps, of bytes or of elements: show a tile, such as "
                f'BitDiagram(Tile(8, 64, "f16", swizzle={tile!r}, unit="byte")), or unit="element"'
            )
        if offset is not None and not (row is None and col is None):
            raise ValueError(f"offset = {offset!r} already says which element is shown: leave row and col out")
        super().__init__(tile, **state)
        if offset is not None:
            self.offset = offset
        elif row is None and col is None:
            self.offset = first_moved(tile, tile.layout.offsets.T.ravel())
        else:
            self.place = (0 if row is None else row), (0 if col is None else col)

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present state as a matplotlib Figure; parameters are those of `TileWidget.figure`."""
        from ..figures import bit_diagram

        return bit_diagram(self.tile, self.offset, ax=ax, dpi=dpi, title=title)

    def _sentence(self) -> str:
        tile, place = self.tile, self.place
        element = f"row {place[0]}, column {place[1]}" if place else f"offset {self.offset}, no element"
        before, after = (f"{_byte(bits)} (bank {bank_of(bits // 8)})" for bits in self.bit_addresses)
        what = f"{element} of {tile.rows}x{tile.cols} {tile.dtype}"
        return f"BitDiagram of {tile.swizzle_name}: {what}, byte {before} goes to {after}"


def _byte(bits: int) -> str:
    """A bit address as a byte, with the bit in it where an element does not begin the byte."""
    return f"{bits // 8} bit {bits % 8}" if bits % 8 else str(bits // 8)
