"""BankHeatmap: every cell of a tile by its bank, plain beside swizzled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..figures.bank_heatmap import NUMBERS
from .copy_widget import CopyWidget
from .generated import module_text
from .traits import Choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class BankHeatmap(CopyWidget):
    """A tile's cells colored and numbered by bank, without and with the swizzle, and what an access costs.

    Sliders change B, M and S, the switch rewrites them in the other unit, the menu picks an access,
    a click or the arrow keys move it. All of it is computed in the browser; the traits follow.

    Parameters
    ----------
    tile : Tile
        Its swizzle and unit are where the sliders start.
    access : Access, TiledCopy or dict, optional
        What to read or write; column 0, if left out. Of a copy one request is shown, the worst first.
    **state
        `numbers`, `controls`, and the traits of every ipywidget, such as `layout`.

    Attributes
    ----------
    numbers : str
        What stands in the cells: "lanes" (where one wants the cell), "banks" or "offsets" (of the first element).

    Raises
    ------
    TypeError, ValueError
        If the tile is no Tile, or the access does not fit it, or no instruction can do it under the swizzle.

    Examples
    --------
    >>> t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    >>> BankHeatmap(t, access=Access.column(t, col=0)).report.wavefronts
    1
    """

    _esm = module_text("bank_heatmap.js")

    numbers: Choice = Choice("lanes", NUMBERS, help="what stands in the cells").tag(sync=True)

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present state as a matplotlib Figure; parameters are those of `TileWidget.figure`."""
        from ..figures import bank_heatmap

        return bank_heatmap(self.compared, self.numbers, ax=ax, dpi=dpi, title=self._titled(title))

    def _sentence(self) -> str:
        return f"BankHeatmap of {self.comparison}"
