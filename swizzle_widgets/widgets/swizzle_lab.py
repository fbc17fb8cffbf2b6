"""SwizzleLab: the three widgets on one tile, moving together."""

from __future__ import annotations

from .bit_diagram import OffsetWidget
from .column_read import ColumnRead
from .generated import module_text


class SwizzleLab(ColumnRead, OffsetWidget):
    """Bits, banks and the animation of one tile and one access, under one set of sliders.

    Change B, M, S or the unit once and all three pictures follow. Moving the access also moves the
    bits shown: they are those of the first element that lane 0 touches.

    Parameters
    ----------
    tile : Tile
        Its swizzle and unit are where the sliders start.
    access : Access or dict, optional
        What to read or write; column 0, if left out.
    compare : sequence, optional
        The other tracks of the animation, as for `ColumnRead`.
    **state
        The traits of `ColumnRead`, and `offset`, the element whose bits are shown.

    Raises
    ------
    TypeError, ValueError
        As `ColumnRead`.

    Examples
    --------
    >>> t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    >>> SwizzleLab(t, access=Access.ldmatrix(t, num=1)).report.conflicts
    0
    """

    _esm = module_text("swizzle_lab.js")

    def figure(self):
        """Return the present state's heatmap, which says most, as a matplotlib Figure."""
        from ..figures import bank_heatmap

        return bank_heatmap(self.compared)

    def _sentence(self) -> str:
        return f"SwizzleLab of {self.comparison}"
