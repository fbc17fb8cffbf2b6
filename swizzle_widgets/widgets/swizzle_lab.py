"""SwizzleLab: tile, time and bits of one access, moving together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..model.access import Access
from ..model.copy import TiledCopy
from ..model.tile import Tile
from .element import ElementWidget, opening_offset
from .generated import module_text
from .tracks import Entry, TracksWidget

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class SwizzleLab(TracksWidget, ElementWidget):
    """Banks, time and bits of one tile and one access, under one set of sliders.

    Change B, M, S or the unit once and all pictures follow. It opens on an element that the swizzle moves: the first,
    in the order of the lanes, whose address changes, else the first lane's. Moving the access chooses anew.

    Parameters
    ----------
    tile : Tile
        Its swizzle and unit are where the sliders start.
    access : Access, TiledCopy or dict, optional
        What to read or write; column 0, if left out. Of a copy one request is shown, the worst first.
    compare : sequence, optional
        The other tracks of time, as for `ColumnRead`.
    offset : int, optional
        The element whose bits are shown, as `BitDiagram` counts it.
    **state
        As for `ColumnRead`.

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

    def __init__(
        self,
        tile: Tile,
        access: Access | TiledCopy | dict[str, Any] | None = None,
        compare: Sequence[Entry] | None = None,
        offset: int | None = None,
        **state: Any,
    ):
        self._followed: dict[str, Any] | None = None
        super().__init__(tile, access, compare, **state)
        self._followed = self.access.spec
        self.offset = opening_offset(self.access) if offset is None else offset

    def _settle(self, name: str, trusting: bool) -> None:
        super()._settle(name, trusting)
        # The browser chooses by itself when its reader moves the access.
        if self._followed is not None and self.access.spec != self._followed:
            self._followed = self.access.spec
            if not trusting:
                self.set_trait("offset", opening_offset(self.access))

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present state as a matplotlib Figure; parameters are those of `TileWidget.figure`."""
        from ..figures import swizzle_lab

        return swizzle_lab(self.compared, self.offset, self.step, ax=ax, dpi=dpi, title=self._titled(title))

    def _sentence(self) -> str:
        return f"SwizzleLab of {self.comparison}"
