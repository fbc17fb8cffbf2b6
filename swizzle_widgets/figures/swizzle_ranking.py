"""SwizzleRanking's picture: the best ways with their time grids, and the map of B, M and S below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.access import Access
from ..model.candidates import Candidate
from ..model.hardware import BANKS
from ..model.ranking import Ranking
from ..model.swizzle import Swizzle
from ..theme import CONFLICT_COLORS, IDEAL_COLORS
from . import measures as m
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import TIMES, Scene, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BEST = 6
REJECTED, UNTRIED = -1, -2


def swizzle_ranking(
    ranking: Ranking, chosen: Swizzle | None = None, ax: Axes | None = None, dpi: float = DPI,
    title: str | None = None,
) -> Figure:  # fmt: skip
    """Return the best ways, each with a small picture of its time, above a map of M (down) and S (across) for each B.

    Parameters
    ----------
    ranking : Ranking
    chosen : Swizzle, optional
        Counted in elements; its cell is framed.
    ax, dpi, title
        Somebody's axes to draw in, the resolution of a figure of its own, and a line above the picture.
    """
    return to_figure(ranking_scene(ranking, chosen, PAGE - 2 * MARGIN), ax, dpi, title)


def ranking_scene(ranking: Ranking, chosen: Swizzle | None, width: int) -> Scene:
    """Return the picture as a scene."""
    scene = Scene(width)
    best = ranking[:BEST]
    room = (width - (m.WAYS - 1) * m.BETWEEN) // m.WAYS
    for at in range(0, len(best), m.WAYS):
        cards = [way_scene(candidate, room) for candidate in best[at : at + m.WAYS]]
        for place, card in enumerate(cards):
            scene.put(card, place * (room + m.BETWEEN), scene.height)
        scene.height += max(card.height for card in cards) + m.BETWEEN_ROWS
    grids = map_scene(ranking, chosen, width)
    scene.put(grids, 0, scene.height)
    scene.height += grids.height
    return scene


# --- The good ones ---------------------------------------------------------------------------------


def way_scene(candidate: Candidate, width: int) -> Scene:
    """Return one way: its name, its cost, and a small time grid for each access."""
    scene = Scene(width)
    name, _, other = candidate.name.partition(" = ")
    scene.text(0, 8, name, m.TITLE, bold=True)
    scene.text(0, 25, f"= {other}" if other else "", m.TEXT, "quiet")
    count, ideal = candidate.cost, candidate.least
    mark, fill = ("✓", "good") if count == ideal else ("▲", "bad")
    scene.text(0, 42, f"{mark} {candidate.counted(candidate.costs)}, ideal {ideal}", m.TEXT, fill, bold=True)
    small = small_times(shown_accesses(candidate), width)
    scene.put(small, 0, 54)
    scene.height = 54 + small.height
    return scene


def shown_accesses(candidate: Candidate) -> list[Access]:
    """Return the requests whose time is drawn: the accesses, of a whole copy its worst request."""
    there = [access.on(candidate.tile) for access in candidate.accesses]
    return [each if isinstance(each, Access) else each.report().worst.access for each in there]


def small_times(accesses: Sequence[Access], width: int) -> Scene:
    """Return a small time grid for each access that has room; the last line says how many more there are."""
    fit = max(1, (width + m.SMALL_GAP) // (BANKS * 2 + m.SMALL_GAP))
    shown = accesses[:fit]
    wide = min(3, (width + m.SMALL_GAP) // len(shown) // BANKS) or 1
    scene = Scene(width)
    for at, access in enumerate(shown):
        grid = _small_time(access, wide)
        scene.put(grid, at * (BANKS * wide + m.SMALL_GAP), 0)
        scene.height = max(scene.height, grid.height)
    names = [access.instruction for access in shown]
    if len(accesses) > fit:
        names.append(f"and {len(accesses) - fit} more")
    scene.text(0, scene.height + 9, ", ".join(names), m.TEXT, "quiet")
    scene.height += 18
    return scene


def _small_time(access: Access, wide: int) -> Scene:
    served = access.report().served
    row = max(1, min(4, m.SMALL_TALL // max(1, len(served))))
    scene = Scene(BANKS * wide, row * len(served))
    scene.rects("idle", [(0, 0, scene.width, scene.height)])
    fills: dict[int, list[Any]] = {}
    for at, banks in enumerate(served):
        for bank in banks:
            fills.setdefault(bank, []).append((bank * wide, at * row, wide, row if row < 3 else row - 1))
    for bank in sorted(fills):
        scene.rects(f"bank.{bank}", fills[bank])
    return scene


# --- The map ---------------------------------------------------------------------------------------


def map_scene(ranking: Ranking, chosen: Swizzle | None, width: int) -> Scene:
    """Return grids of M and S >= 0, one for each B, with the same rows and columns; hopeless rows are left out."""
    grids = _grids(ranking)
    rows, shifts = _useful(list(grids.values()), ranking.of(Swizzle(0, 0, 0)).cost)
    folded = [str(row) for row in range(len(next(iter(grids.values()), ()))) if row not in rows]
    grids = {bits: grid for bits, grid in grids.items() if (grid[rows] > UNTRIED).any()}
    ideal = ranking.best.least
    wide = len(shifts) * m.WAY_WIDE
    scene = Scene(width)
    columns = max(1, min(len(grids), (width - m.WAY_LEFT + m.BETWEEN) // (wide + m.BETWEEN)))
    tall = m.WAY_TOP + len(rows) * m.WAY_TALL
    for at, (bits, grid) in enumerate(grids.items()):
        line, place = divmod(at, columns)
        mine = chosen if chosen is not None and chosen.bits == bits else None
        panel = _map_panel(bits, grid, rows, shifts, ideal, mine, labelled=place == 0)
        scene.put(panel, (place > 0) * m.WAY_LEFT + place * (wide + m.BETWEEN), line * (tall + m.BETWEEN_ROWS))
    scene.height = -(-len(grids) // columns) * (tall + m.BETWEEN_ROWS) + 4
    scene.text(0, scene.height, _legend(folded, ideal, ranking.tile.dtype), m.TEXT, "quiet")
    scene.height += 8
    return scene


def _grids(ranking: Ranking) -> dict[int, np.ndarray]:
    """The costs for each B, M down and S >= 0 across, all of one shape."""
    grids = {bits: ranking.grid(bits) for bits in range(1, ranking.most_bits + 1)}
    grids = {bits: grid[:, grid.shape[1] // 2 :] for bits, grid in grids.items() if grid.max() > UNTRIED}
    shape = np.max([grid.shape for grid in grids.values()], axis=0) if grids else (0, 0)
    padded = {}
    for bits, grid in grids.items():
        padded[bits] = np.full(shape, UNTRIED)
        padded[bits][: grid.shape[0], : grid.shape[1]] = grid
    return padded


def _useful(grids: list[np.ndarray], plain: int) -> tuple[list[int], list[int]]:
    """The rows (M) where something is better than no swizzle, and the columns (S) that were tried there."""
    if not grids:
        return [], []
    every = np.stack(grids)
    rows = np.flatnonzero(((every >= 0) & (every < plain)).any(axis=(0, 2))).tolist()
    return rows, np.flatnonzero((every[:, rows] > UNTRIED).any(axis=(0, 1))).tolist()


def _map_panel(bits: int, grid, rows, shifts, ideal: int, chosen: Swizzle | None, labelled: bool) -> Scene:
    left = m.WAY_LEFT if labelled else 0
    scene = Scene(left + len(shifts) * m.WAY_WIDE, m.WAY_TOP + len(rows) * m.WAY_TALL)
    scene.text(left, 8, f"B = {bits}", m.TITLE, bold=True)
    for place, shift in enumerate(shifts):
        text = f"S {shift}" if place == 0 else str(shift)
        scene.text(left + place * m.WAY_WIDE + m.WAY_WIDE / 2, 25, text, m.TEXT, "quiet", "middle")
    for line, base in enumerate(rows):
        y = m.WAY_TOP + line * m.WAY_TALL
        if labelled:
            scene.text(left - 5, y + m.WAY_TALL / 2, f"M {base}", m.TEXT, "quiet", "right")
        for place, shift in enumerate(shifts):
            if grid[base, shift] > UNTRIED:
                _way_cell(scene, left + place * m.WAY_WIDE, y, int(grid[base, shift]), ideal)
    if chosen is not None and chosen.base in rows and chosen.shift in shifts:
        x = left + shifts.index(chosen.shift) * m.WAY_WIDE - 1
        y = m.WAY_TOP + rows.index(chosen.base) * m.WAY_TALL - 1
        scene.lines([frame(x, y, m.WAY_WIDE + 1, m.WAY_TALL + 1)], "ink", 2)
    return scene


def _way_cell(scene: Scene, x: int, y: int, count: int, ideal: int) -> None:
    fill, ink = way_colors(count, ideal)
    scene.rects(fill, [(x, y, m.WAY_WIDE - 1, m.WAY_TALL - 1)])
    text = TIMES if count == REJECTED else str(count)
    scene.text(x + (m.WAY_WIDE - 1) / 2, y + (m.WAY_TALL - 1) / 2, text, m.TEXT, ink, "middle", narrow=True)


def way_colors(count: int, ideal: int) -> tuple[str, str]:
    """Return the fill and the ink of a cost; rejected is -1."""
    if count < 0:
        return "raised", "quiet"
    if count <= ideal:
        return IDEAL_COLORS
    return CONFLICT_COLORS[min(len(CONFLICT_COLORS) - 1, int(2 * math.log2(count / ideal)))]


def _legend(folded: list[str], ideal: int, dtype: str) -> str:
    useless = f"M = {', '.join(folded)} (never better than no swizzle) and " if folded else ""
    left_out = f"left out: {useless}S < 0"
    return f"wavefronts of all accesses, ideal {ideal}; {TIMES} is rejected; B, M, S in {dtype} elements; {left_out}"
