"""Pictures of what was recorded. matplotlib is imported when one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import price
from .record import Record, compare_cycles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colors, which stay apart without full color vision, and a marker each.
STYLES = {"plain": ("#D55E00", "o"), "padded": ("#E69F00", "s"), "wrong": ("#CC79A7", "^"), "right": ("#0072B2", "D")}
NAMES = {"plain": "plain", "padded": "padded", "wrong": "wrong swizzle", "right": "right swizzle"}
_GRAY = "#777777"


def cycles_figure(record: Record) -> Figure:
    """Return measured cycles against the model's wavefronts, for every synchronous request of the survey."""
    timing = compare_cycles(record.survey, record.survey_cycles)
    wavefronts = record.survey.model().wavefronts
    waits = np.zeros(len(wavefronts), bool)
    waits[timing.floored] = True
    figure, axes = _subplots(1, (5.2, 4.2))
    for chosen, color, marker, label in (
        (~record.survey.is_async & ~waits, STYLES["right"][0], "o", "measured"),
        (waits, STYLES["plain"][0], "^", "waits for its registers"),
    ):
        points = np.unique(np.column_stack([wavefronts[chosen], record.survey_cycles[chosen]]), axis=0)
        axes.plot(*points.T, marker, color=color, markersize=4, label=label)
    axes.plot([0, 33], [0, 33], color=_GRAY, linewidth=0.8, label="one cycle a wavefront")
    axes.set(xlabel="wavefronts, model", ylabel="cycles per instruction, measured", xlim=(0, 33), ylim=(0, 34))
    axes.legend(frameon=False)
    return figure


def transpose_figure(found: dict[str, Any]) -> Figure:
    """Return the bandwidth of the transposes, the model's expectation, and the copy's limit."""
    figure, row = _subplots(len(price.SIDES), (8.4, 3.6))
    for axes, side, measured, expected in zip(
        row, price.SIDES, found["transpose_seconds"], price.expected_transposes(found)
    ):
        moved = 8 * side * side / 1e9
        places = np.arange(len(price.VARIANTS))
        colors = [STYLES[variant][0] for variant in price.VARIANTS]
        axes.bar(places, moved / measured[:-1], color=colors, width=0.6, label="_")
        axes.plot(places, moved / expected, "_", color="black", markersize=26, markeredgewidth=2, label="model")
        axes.axhline(moved / measured[-1], color=_GRAY, linewidth=0.8, label="copy")
        axes.set(xticks=places, xticklabels=[NAMES[v].replace(" ", "\n") for v in price.VARIANTS])
        axes.set(title=f"{side} x {side} floats", ylabel="GB/s, read and written")
    figure.legend(*row[0].get_legend_handles_labels(), frameon=False, loc="outside right upper")
    return figure


def stream_figure(found: dict[str, Any]) -> Figure:
    """Return the time of the tile pipeline over how often a tile is read; lines are the model."""
    figure, axes = _subplots(1, (5.6, 4.2))
    expected = price.expected_streams(found)
    for index, variant in enumerate(price.VARIANTS):
        color, marker = STYLES[variant]
        axes.plot(price.READS, 1e6 * expected[:, index], color=color, linewidth=1)
        axes.plot(price.READS, 1e6 * found["stream_seconds"][:, index], marker, color=color, label=NAMES[variant])
    axes.axhline(1e6 * float(found["stream_read_seconds"]), color=_GRAY, linewidth=0.8, label="reading alone")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set(xlabel="times that ldmatrix reads each tile", ylabel="microseconds for 1 GiB")
    times = (250, 500, 1000, 2000, 4000)
    axes.set(xticks=price.READS, xticklabels=price.READS, yticks=times, yticklabels=times)
    axes.minorticks_off()
    axes.legend(frameon=False)
    return figure


def _subplots(columns: int, size):
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, columns, figsize=size, layout="constrained")
    # Returned, not shown: the notebook shows what a cell returns.
    plt.close(figure)
    for each in np.atleast_1d(axes):
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes
