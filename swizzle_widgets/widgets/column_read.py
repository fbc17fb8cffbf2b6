"""ColumnRead: one access on several variants of a tile, wavefront by wavefront, all in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .generated import module_text
from .tracks import TracksWidget, ending

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class ColumnRead(TracksWidget):
    """An access over time: a row a wavefront, 32 banks wide, one track for each variant of a tile, all in step.

    A step is one wavefront; what was served stays. So a track is as long as its wavefronts are many, and the
    tracks' ends compare themselves.

    That a phase takes so many wavefronts was measured. Which of a bank's words comes first was not,
    since no counter shows it: words are served in the order of their lanes here.

    Parameters
    ----------
    tile : Tile
        The last track; its swizzle and unit are where the sliders start.
    access : Access, TiledCopy or dict, optional
        What to read or write; column 0, if left out. Of a copy one request is shown, the worst first.
    compare : sequence, optional
        The tracks above it: None for no swizzle, a Tile of the same rows, cols and dtype (padded, say), or a
        pair of a Swizzle and its unit. If left out, no swizzle, and for a swizzled tile that can be padded,
        a padding as wide as the access, but at least a word.
    **state
        `step`, `playing`, `speed`, `loop`, `controls`, and the traits of every ipywidget, such as `layout`.

    Raises
    ------
    TypeError, ValueError
        If the tile is no Tile, the access does not fit it or no instruction can do it there, `compare`
        holds anything else or a swizzle without a unit, or `step` is beyond the end.
        Where the access does not fit another variant, its track says why.

    Examples
    --------
    >>> t = Tile(8, 32, "f32", swizzle=Swizzle(3, 4, 3), unit="byte")
    >>> ColumnRead(t).last_step
    8
    """

    _esm = module_text("column_read.js")

    def figure(self, ax: Axes | None = None, dpi: float = 100, title: str | None = None) -> Figure:
        """Return the present step as a matplotlib Figure; parameters are those of `TileWidget.figure`."""
        from ..figures import column_read

        labels, accesses = zip(*self.tracks)
        return column_read(accesses, labels, self.step, ax=ax, dpi=dpi, title=self._titled(title))

    def _sentence(self) -> str:
        tile = self.tile
        ends = [f"{name} {ending(item, first=not index)}" for index, (name, item) in enumerate(self.tracks)]
        return f"ColumnRead of {tile.rows}x{tile.cols} {tile.dtype}, {self.access}: {'; '.join(ends)}"
