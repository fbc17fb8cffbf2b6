"""Which elements each thread of a copy holds: CuTe's thread-value layouts as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .checks import plural, whole
from .hardware import WARP_LANES
from .layout import Layout

BLOCK_THREADS = 1024
MAX_VALUES = 1 << 14
MAX_TILER = 1 << 20


def thread_values(tv: Any, tiler: tuple[int, int]) -> tuple[Layout, np.ndarray]:
    """Return a thread-value layout and its indices in the tiler, int64 of shape (threads, values).

    Parameters
    ----------
    tv : str, Layout or an object with shape and stride
    tiler : tuple of int
        Rows and columns.

    Raises
    ------
    TypeError, ValueError
        If it is no layout of threads and values, or an index is beyond the tiler.
    """
    layout = _layout("tv", tv)
    if layout.rank != 2:
        raise ValueError(f"tv = {layout} has {plural(layout.rank, 'mode')}: it needs two, threads and values")
    whole("threads", layout.sizes[0], 1, BLOCK_THREADS)
    whole("values of a thread", layout.sizes[1], 1, MAX_VALUES)
    indices = layout.offsets
    beyond = indices >= tiler[0] * tiler[1]
    if beyond.any():
        thread, value = np.argwhere(beyond)[0]
        raise ValueError(
            f"tv = {layout} sends thread {thread}, value {value} to index {indices[thread, value]}, "
            f"outside the tiler of {tiler[0]}x{tiler[1]}"
        )
    return layout, indices


def raked(threads: Any, values: Any) -> tuple[np.ndarray, tuple[int, int]]:
    """Return the indices (threads, values) and the tiler of make_tiled_copy(atom, threads, values).

    Raises
    ------
    TypeError, ValueError
        If a layout does not number its threads or values 0, 1, 2 ... once each.
    """
    by_thread, by_value = _numbered("threads", threads), _numbered("values", values)
    whole("threads", by_thread.size, 1, BLOCK_THREADS)
    whole("values of a thread", by_value.size, 1, MAX_VALUES)
    (down, across), (rows, cols) = by_thread.shape, by_value.shape
    tiler = (down * rows, across * cols)
    # The thread at (i, j) holds the rows from i * rows and the columns from j * cols.
    held = np.arange(tiler[0] * tiler[1]).reshape(tiler[::-1]).T.reshape(down, rows, across, cols)
    indices = np.empty((by_thread.size, by_value.size), np.int64)
    indices[by_thread.reshape(down, 1, across, 1), by_value.reshape(1, rows, 1, cols)] = held
    return indices, tiler


def _layout(name: str, given) -> Layout:
    """A layout from its text, from an object of CuTe's Python packages, or as it is."""
    if isinstance(given, Layout):
        return given
    try:
        if isinstance(given, str):
            return Layout.parse(given)
        shape, stride = given.shape, given.stride
        return Layout(shape, stride)
    except AttributeError:
        raise TypeError(
            f"{name} must be a layout, as text, as a Layout or with shape and stride, not {given!r}"
        ) from None
    except (TypeError, ValueError) as problem:
        raise type(problem)(f"{name}: {problem}") from None


def _numbered(name: str, given) -> np.ndarray:
    """The numbers that a layout of (row, column) gives out, each of 0, 1, 2 ... once."""
    layout = _layout(name, given)
    if layout.rank > 2:
        raise ValueError(f"{name} = {layout} has {layout.rank} modes: it needs rows and columns")
    numbers = layout.offsets.reshape(layout.sizes[0], -1)
    counts = np.bincount(numbers.ravel(), minlength=numbers.size)
    wrong = np.flatnonzero(counts != 1)
    if len(wrong):
        times = "never" if counts[wrong[0]] == 0 else plural(int(counts[wrong[0]]), "time")
        raise ValueError(
            f"{name} = {layout} gives number {wrong[0]} {times}: it must give 0 to {numbers.size - 1} once each"
        )
    return numbers


def checked_tiler(tiler: Any) -> tuple[int, int]:
    if not isinstance(tiler, (tuple, list)) or len(tiler) != 2:
        raise ValueError(f"tiler = {tiler!r}: two numbers, the rows and the columns of one step")
    return whole("tiler[0]", tiler[0], 1, MAX_TILER), whole("tiler[1]", tiler[1], 1, MAX_TILER)


def along(rows: int, cols: int, count: int, vertical: bool, direction: str) -> tuple[np.ndarray, tuple[int, int]]:
    """Return indices and tiler of one warp that walks down columns or along rows, a vector a lane.

    Parameters
    ----------
    rows, cols : int
        The tile.
    count : int
        Elements of a vector.
    vertical : bool
        Whether a vector runs down a column, as in a column-major tile.
    direction : str
        "column" or "row".
    """
    down, across = (count, 1) if vertical else (1, count)
    length, step = (rows, down) if direction == "column" else (cols, across)
    lanes = min(WARP_LANES, -(-length // step))
    tiler = (lanes * down, across) if direction == "column" else (down, lanes * across)
    stride = down if direction == "column" else across * tiler[0]
    value = 1 if vertical else tiler[0]
    return np.arange(lanes)[:, None] * stride + np.arange(count) * value, tiler


def filling(rows: int, cols: int, count: int, vertical: bool) -> np.ndarray:
    """Return indices in the whole tile of one warp that fills line after line; what is left over is outside.

    Parameters
    ----------
    rows, cols, count, vertical
        As for `along`; lines are rows, or columns if vertical.
    """
    lines, length = (cols, rows) if vertical else (rows, cols)
    vectors = length // count
    number = np.arange(-(-lines * vectors // WARP_LANES) * WARP_LANES)
    line, position = number // vectors, number % vectors * count
    row, col = (position, line) if vertical else (line, position)
    # Beyond the last line is beyond the last column, whatever the row.
    row, col = np.where(line < lines, row, 0), np.where(line < lines, col, cols)
    index = (row + rows * col)[:, None] + np.arange(count) * (1 if vertical else rows)
    return index.reshape(-1, WARP_LANES, count).swapaxes(0, 1).reshape(WARP_LANES, -1)
