"""SwizzleRanking's picture: the best ways with their time grids, and the map of B, M and S below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.access import Access
from ..model.candidates import Candidate, Reason
from ..model.checks import plural
from ..model.hardware import BANKS
from ..model.ranking import Ranking
from ..model.swizzle import Swizzle
from ..theme import CONFLICT_COLORS, IDEAL_COLORS
from . import measures as m
from .bank_heatmap import legend_scene
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import TIMES, Scene, frame, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BEST = 6
REJECTED, UNTRIED = -1, -2
COUNTED = "wavefronts (of cp.async.cg lines), all accesses together"
REASON_WORDS = {
    Reason.TEARS: "would tear vectors", Reason.REORDERS: "would reorder vectors", Reason.LEAVES: "leaves its place",
    Reason.TOO_LARGE: "too large", Reason.NO_MODE: "no mode of the engines",
}  # fmt: skip


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
    name, note, said = way_texts(candidate)
    scene.text(0, 8, name, m.TITLE, bold=True)
    scene.text(0, 25, note, m.TEXT, "quiet")
    mark, fill = ("✓", "good") if candidate.cost == candidate.least else ("▲", "bad")
    scene.text(0, 42, f"{mark} {said}", m.TEXT, fill, bold=True)
    small = small_times(shown_accesses(candidate), width)
    scene.put(small, 0, 54)
    scene.height = 54 + small.height
    return scene


def way_texts(candidate: Candidate) -> tuple[str, str, str]:
    """Return a way's name, what is to be added to it (the other unit, or the bytes of a padding) and its cost."""
    name, _, other = candidate.name.partition(" = ")
    note = f"= {other}" if other else ""
    if candidate.padding:
        tile = candidate.plain
        line = f"+{candidate.padding * tile.element_bits / 8:g} bytes a {tile.order}"
        note = f"{line}, {plural(candidate.extra_bytes, 'byte')} more"
    return name, note, f"{candidate.counted(candidate.costs)}, ideal {candidate.least}"


def shown_accesses(candidate: Candidate) -> list[Access]:
    """Return the requests whose time is drawn: the accesses, of a whole copy its worst request."""
    return [each if isinstance(each, Access) else each.report().worst.access for each in candidate.placed]


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
    grids, none = _grids(ranking), ranking.of(Swizzle(0, 0, 0))
    plain = math.inf if none.rejected else none.cost
    rows, shifts = _useful(list(grids.values()), plain)
    tried = np.flatnonzero((np.stack(list(grids.values())) > UNTRIED).any(axis=(0, 2))) if grids else ()
    folded = [str(row) for row in tried if row not in rows]
    grids = {bits: grid[np.ix_(rows, shifts)] for bits, grid in grids.items() if (grid[rows] > UNTRIED).any()}
    costs = [cost for grid in grids.values() for cost in grid.ravel().tolist()]
    shades = Shades.of([plain, *costs], ranking.best.least)
    scene = Scene(width)
    top = _map_head(scene, f"{ranking.tile.dtype} elements")
    wide = len(shifts) * m.WAY_WIDE
    columns = max(1, min(len(grids), (width - m.WAY_LEFT + m.BETWEEN) // (wide + m.BETWEEN)))
    tall = m.WAY_TOP + len(rows) * m.WAY_TALL
    for at, (bits, grid) in enumerate(grids.items()):
        x = m.WAY_LEFT + at % columns * (wide + m.BETWEEN)
        y = top + at // columns * (tall + m.BETWEEN_ROWS)
        _map_heads(scene, bits, rows, shifts, (x, y), labelled=at % columns == 0)
        mine = chosen if chosen is not None and chosen.bits == bits else None
        _map_cells(scene, bits, shifts, grid, shades, (x, y + m.WAY_TOP))
        if mine is not None and mine.base in rows and mine.shift in shifts:
            x += shifts.index(mine.shift) * m.WAY_WIDE - 1
            y += m.WAY_TOP + rows.index(mine.base) * m.WAY_TALL - 1
            scene.lines([frame(x, y, m.WAY_WIDE + 1, m.WAY_TALL + 1)], "ink", 2)
    scene.height = top + -(-len(grids) // columns) * (tall + m.BETWEEN_ROWS)
    _map_key(scene, _key_entries(ranking, grids, rows, shifts, plain, shades))
    _map_foot(scene, folded)
    return scene


def _map_head(scene: Scene, unit: str) -> int:
    """The map's title and what its numbers are; returns where the panels begin."""
    scene.text(0, 8, "What each swizzle costs", m.TITLE, bold=True)
    lines = wrapped(f"{COUNTED}; B, M and S count {unit}", scene.width // 6)
    for line, text in enumerate(lines):
        scene.text(0, 26 + line * 15, text, m.TEXT, "quiet")
    return 26 + len(lines) * 15


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


def _map_heads(scene: Scene, bits: int, rows, shifts, at: tuple[int, int], labelled: bool) -> None:
    x, y = at
    scene.text(x, y + 8, f"B = {bits}", m.TITLE, bold=True)
    for place, shift in enumerate(shifts):
        middle = x + (place + 0.5) * m.WAY_WIDE
        scene.text(middle, y + 25, f"S = {shift}" if place == 0 else str(shift), m.TEXT, "quiet", "middle")
    for line, base in enumerate(rows if labelled else ()):
        middle = y + m.WAY_TOP + (line + 0.5) * m.WAY_TALL
        scene.text(x - 5, middle, f"M = {base}", m.TEXT, "quiet", "right")


def _map_cells(scene: Scene, bits: int, shifts: list[int], grid, shades: Shades, at: tuple[int, int]) -> None:
    """Costs; what no swizzle can be is hatched, what would do nothing is empty."""
    for (line, place), count in _each(grid):
        x, y = at[0] + place * m.WAY_WIDE, at[1] + line * m.WAY_TALL
        box = (x, y, m.WAY_WIDE - 1, m.WAY_TALL - 1)
        if count > UNTRIED:
            _way_cell(scene, box, *shades.colors(count), TIMES if count == REJECTED else f"{count}")
        elif shifts[place] < bits:
            scene.hatch([box])
        else:
            scene.rects("idle", [box])


def _each(grid: np.ndarray):
    return (((line, place), count) for line, row in enumerate(grid.tolist()) for place, count in enumerate(row))


def _way_cell(scene: Scene, box: tuple[float, ...], fill: str, ink: str, text: str) -> None:
    x, y, wide, tall = box
    scene.rects(fill, [box])
    if text:
        scene.text(x + wide / 2, y + tall / 2, text, m.TEXT, ink, "middle", narrow=True)


@dataclass(frozen=True)
class Shades:
    """The colors of costs: the ideal has its own, the others are spread over the shades, each its own while they last.

    Attributes
    ----------
    ideal : float
    worse : list of float
        The other costs of the map, from the smallest.
    """

    ideal: float
    worse: list[float]

    @classmethod
    def of(cls, costs: Sequence[float], ideal: float) -> Shades:
        return cls(ideal, sorted({cost for cost in costs if ideal < cost < math.inf}))

    def colors(self, count: float) -> tuple[str, str]:
        """The fill and the ink of a cost; rejected is -1."""
        if count < 0:
            return "raised", "quiet"
        if count <= self.ideal:
            return IDEAL_COLORS
        at, most, last = self.worse.index(count), len(CONFLICT_COLORS), len(self.worse) - 1
        if last >= most:
            return CONFLICT_COLORS[at * most // (last + 1)]
        return CONFLICT_COLORS[at * (most - 1) // last if last else most // 2]


# --- The map's key ---------------------------------------------------------------------------------


def _key_entries(ranking: Ranking, grids, rows, shifts, plain: float, shades: Shades) -> list[tuple[Any, ...]]:
    """What occurs in the map, each as (fill, ink, text in the cell, what it means); fill None is hatched."""
    entries: list[tuple[Any, ...]] = []
    if plain < math.inf:
        entries.append((*shades.colors(plain), str(plain), "without a swizzle"))
    entries.append((*IDEAL_COLORS, str(shades.ideal), "the ideal"))
    blanks, reasons = set(), []
    for bits, grid in grids.items():
        for (line, place), count in _each(grid):
            if count == REJECTED:
                reasons.append(ranking.of(Swizzle(bits, rows[line], shifts[place]), "element").reason)
            elif count == UNTRIED:
                blanks.add(shifts[place] < bits)
    return entries + key_of_blanks([REASON_WORDS[reason] for reason in dict.fromkeys(reasons)], blanks)


def key_of_blanks(reasons: list[str], blanks: set[bool]) -> list[tuple[Any, ...]]:
    """The entries of what has no cost: rejected; in `blanks` True, no swizzle; False, without effect."""
    entries: list[tuple[Any, ...]] = []
    if reasons:
        entries.append(("raised", "quiet", TIMES, f"rejected: {', '.join(reasons)}"))
    if True in blanks:
        entries.append((None, "", "", "no swizzle: B bits need S of B or more"))
    if False in blanks:
        entries.append(("idle", "", "", "no effect: its bits lie beyond the tile"))
    return entries


def _map_key(scene: Scene, entries: Sequence[tuple[Any, ...]]) -> None:
    """The entries in lines as wide as the scene."""
    x = 0.0
    for fill, ink, text, meaning in entries:
        wide = m.WAY_WIDE + 6 + 6.4 * len(meaning)
        if x and x + wide > scene.width:
            x, scene.height = 0.0, scene.height + m.WAY_KEY
        box = (x, scene.height, m.WAY_WIDE - 1, m.WAY_TALL - 1)
        if fill is None:
            scene.hatch([box])
        else:
            _way_cell(scene, box, fill, ink, text)
        scene.text(x + m.WAY_WIDE + 5, scene.height + (m.WAY_TALL - 1) / 2, meaning, m.TEXT, "quiet")
        x += wide + m.BETWEEN
    scene.height += m.WAY_KEY


def _map_foot(scene: Scene, folded: list[str]) -> None:
    """What is left out, and the banks' colors."""
    useless = f"M = {', '.join(folded)}, never better than no swizzle, and " if folded else ""
    for line in wrapped(f"left out: {useless}S < 0", scene.width // 6):
        scene.text(0, scene.height + 8, line, m.TEXT, "quiet")
        scene.height += 15
    legend = legend_scene(scene.width)
    scene.put(legend, 0, scene.height + 4)
    scene.height += 4 + legend.height
