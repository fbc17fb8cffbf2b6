"""The ranking of the search as a matplotlib figure."""

from __future__ import annotations

import numpy as np

from ..model.search import Ranking
from ..model.swizzle import Swizzle

# As the widget: the ideal stands out by hue, few conflicts are light, many are dark.
IDEAL = ("#0b5fa5", "#ffffff")
CONFLICT = (
    ("#fdeed9", "#1f2328"),
    ("#fbc98b", "#1f2328"),
    ("#f19a4e", "#1f2328"),
    ("#c9531f", "#fff"),
    ("#7f2704", "#fff"),
)
REJECTED = ("#eef1f4", "#57606a")


def swizzle_ranking(ranking: Ranking, chosen: Swizzle | None = None):
    """Return a figure with a grid of M (down) and S (across) for each B, numbered by wavefronts.

    Parameters
    ----------
    ranking : Ranking
    chosen : Swizzle, optional
        Counted in elements; its cell is framed.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    grids = {bits: grid for bits in range(1, ranking.most_bits + 1) if (grid := ranking.grid(bits)).max() > -2}
    ideal = sum(ranking.best.ideal)
    columns = min(2, len(grids)) or 1
    rows = -(-len(grids) // columns) or 1
    figure = Figure(figsize=(6.4 * columns, 2.9 * rows), layout="constrained")
    for axes, (bits, grid) in zip(figure.subplots(rows, columns, squeeze=False).flat, grids.items()):
        _draw(axes, bits, grid, ideal, chosen if chosen is not None and chosen.bits == bits else None)
    for axes in figure.axes[len(grids) :]:
        axes.set_axis_off()
    return figure


def _draw(axes, bits: int, grid: np.ndarray, ideal: int, chosen: Swizzle | None) -> None:
    from matplotlib.patches import Rectangle

    reach = grid.shape[1] // 2
    shifts = [shift for shift in range(-reach, reach + 1) if (grid[:, reach + shift] > -2).any()]
    for base, counts in enumerate(grid):
        for place, shift in enumerate(shifts):
            count = counts[reach + shift]
            if count == -2:
                continue
            fill, ink = _colors(count, ideal)
            axes.add_patch(Rectangle((place, base), 0.94, 0.94, color=fill))
            text = "\N{MULTIPLICATION SIGN}" if count < 0 else str(count)
            axes.text(place + 0.47, base + 0.5, text, color=ink, ha="center", va="center", fontsize=6.5)
    if chosen is not None:
        corner = (shifts.index(chosen.shift), chosen.base)
        axes.add_patch(Rectangle(corner, 0.94, 0.94, fill=False, edgecolor="#1f2328", linewidth=2))
    axes.set(xlim=(0, len(shifts)), ylim=(len(grid), 0), xlabel="S", ylabel="M, in elements")
    axes.set_xticks([place + 0.47 for place in range(len(shifts))], shifts, fontsize=7)
    axes.set_yticks([base + 0.5 for base in range(len(grid))], range(len(grid)), fontsize=7)
    best = grid[grid >= 0].min(initial=np.iinfo(grid.dtype).max)
    axes.set_title(
        f"B = {bits}: " + (f"at best {best} wavefronts" if (grid >= 0).any() else "all rejected"), fontsize=9
    )
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _colors(count: int, ideal: int) -> tuple[str, str]:
    if count < 0:
        return REJECTED
    if count <= ideal:
        return IDEAL
    return CONFLICT[min(len(CONFLICT) - 1, int(2 * np.log2(count / ideal)))]
