"""SwizzleLab's picture: the tile, time below it, and the bits of one element: one picture from memory to time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..model.access import Access
from ..model.hardware import BANKS
from ..model.tile import Tile
from . import measures as m
from .bank_heatmap import legend_scene, tile_panel
from .bit_diagram import Bits, bits_scene, rows_scene, values_scene
from .cells import Cells, elements_per_cell
from .column_read import Track, row_height, time_left, time_scene, track_of
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import Scene, frame

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
    scene = lab_scene(accesses, PAGE - 2 * MARGIN, step, mark=offset)
    bits = lab_bits_scene(accesses[-1].tile, offset, scene.width)
    scene.put(bits, 0, scene.height)
    scene.height += bits.height
    return to_figure(scene, ax, dpi, title)


def lab_scene(accesses: Sequence[Access], width: int, step: int | None = None, mark: int | None = None) -> Scene:
    """Return tiles above their time, a column each; one below the other on a narrow page.

    The element of offset `mark` is framed in every tile, its word in every time grid.
    """
    per = elements_per_cell([access.tile for access in accesses])
    columns = len(accesses) if width >= m.TWO_TRACKS else 1
    room = (width - (columns - 1) * m.BETWEEN) // columns
    tracks = [track_of(access, "") for access in accesses]
    row, left = row_height([tracks], m.LAB_TIME), time_left(tracks)
    panels = [_panels(Cells(access, per), room, (left, row), step, mark) for access in accesses]
    scene = Scene(width)
    for at in range(0, len(accesses), columns):
        for level in (0, 1):
            line = [both[level] for both in panels[at : at + columns]]
            for place, panel in enumerate(line):
                scene.put(panel, place * (room + m.BETWEEN), scene.height)
            scene.height += max(panel.height for panel in line) + m.LAB_BETWEEN
    return scene


def _panels(cells: Cells, room: int, sizes: tuple[int, int], step: int | None, mark: int | None) -> tuple[Scene, Scene]:
    """One access's tile and its time, `sizes` its left margin and a row's height, with the marks."""
    left, row = sizes
    tile, place, top = tile_panel(cells, room, most=m.LAB_TILE)
    track = track_of(cells.access, "")
    time = time_scene(track, room, row, step, named=False, left=left)
    spots = np.argwhere(cells.access.tile.layout.offsets == mark) if mark is not None else ()
    if len(spots):
        line, col = int(spots[0][0]), int(spots[0][1]) // cells.per * cells.split
        x, y = place.at(line, col)
        _mark(tile, place.left + x, top + y, place.wide * cells.split, place.tall)
        if track.report is not None:
            _mark_slots(time, track, sizes, step, int(cells.words[line, col]))
    return tile, time


def _mark_slots(scene: Scene, track: Track, sizes: tuple[int, int], step: int | None, word: int) -> None:
    """Frames the word's slots of time."""
    left, row = sizes
    wide = min(m.BANK_WIDEST, (scene.width - left) // BANKS)
    y = scene.height - track.wavefronts * row - m.PHASE_GAP * track.gaps
    at = 0
    for phase in track.report.phases:
        for served in track.report.served[at : at + len(phase.turns)]:
            if (step is None or at < step) and served.get(word % BANKS, (None,))[0] == word:
                _mark(scene, left + word % BANKS * wide, y, wide, row)
            y, at = y + row, at + 1
        y += m.PHASE_GAP


def _mark(scene: Scene, x: float, y: float, wide: float, tall: float) -> None:
    """A dark frame around cells, with a light one around it."""
    scene.lines([frame(x - 3, y - 3, wide + 5, tall + 5)], "paper", 2)
    scene.lines([frame(x - 1, y - 1, wide + 1, tall + 1)], "ink", 2)


def lab_bits_scene(tile: Tile, offset: int, width: int) -> Scene:
    """Return the banks' colors and the bits of one element: on a wide page the bits stand under the swizzled tile."""
    scene = Scene(width)
    if width < m.TWO_TRACKS:
        legend, bits = legend_scene(width), bits_scene(tile, offset, width)
        scene.put(legend, 0, 0)
        scene.put(bits, 0, legend.height + m.LAB_BETWEEN)
        scene.height = legend.height + m.LAB_BETWEEN + bits.height
        return scene
    room = (width - m.BETWEEN) // 2
    bits = Bits(tile, offset)
    rows, _ = rows_scene(bits, room)
    legend = legend_scene(room)
    scene.put(rows, room + m.BETWEEN, 0)
    scene.put(legend, 0, 0)
    values, top = values_scene(bits, room - m.LEGEND_NAME), legend.height + m.LAB_BETWEEN
    scene.put(values, m.LEGEND_NAME, top)
    scene.height = max(rows.height, top + values.height)
    return scene
