"""SwizzleLab's picture: the tile, time below it, and the bits of one element: one picture from memory to time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..model.access import Access
from . import measures as m
from .bank_heatmap import tile_scene
from .bit_diagram import bits_scene
from .cells import Cells, elements_per_cell
from .column_read import row_height, time_scene, track_of
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def swizzle_lab(
    accesses: Sequence[Access], offset: int, step: int | None = None, ax: Axes | None = None, dpi: float = DPI,
    title: str | None = None,
) -> Figure:  # fmt: skip
    """Return the tile, the time grid and the bits of one element, a column for each access.

    Parameters
    ----------
    accesses : sequence of Access
        One or two: usually the same access on a tile without and with a swizzle.
    offset : int
        The element whose bits are shown, on the last access's tile; as for `bit_diagram`.
    step : int, optional
        Wavefronts delivered so far; all, if left out.
    ax, dpi, title
        Somebody's axes to draw in, the resolution of a figure of its own, and a line above the picture.

    Raises
    ------
    ValueError
        If there is no access.
    """
    if not accesses:
        raise ValueError("a lab needs at least one access")
    scene = lab_scene(accesses, PAGE - 2 * MARGIN, step)
    bits = bits_scene(accesses[-1].tile, offset, scene.width)
    scene.put(bits, 0, scene.height)
    scene.height += bits.height
    return to_figure(scene, ax, dpi, title)


def lab_scene(accesses: Sequence[Access], width: int, step: int | None = None) -> Scene:
    """Return tiles above their time, a column each; one below the other on a narrow page."""
    per = elements_per_cell([access.tile for access in accesses])
    columns = len(accesses) if width >= m.TWO_TRACKS else 1
    room = (width - (columns - 1) * m.BETWEEN) // columns
    tiles = [tile_scene(Cells(access, per), room, most=m.LAB_TILE) for access in accesses]
    tracks = [track_of(access, "") for access in accesses]
    row = row_height([tracks], m.LAB_TIME)
    times = [time_scene(track, room, row, step, named=False) for track in tracks]
    scene = Scene(width)
    for at in range(0, len(accesses), columns):
        for panels in (tiles[at : at + columns], times[at : at + columns]):
            for place, panel in enumerate(panels):
                scene.put(panel, place * (room + m.BETWEEN), scene.height)
            scene.height += max(panel.height for panel in panels) + m.BETWEEN_ROWS
    return scene
