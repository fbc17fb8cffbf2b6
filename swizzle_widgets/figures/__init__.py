"""Pictures of the model: matplotlib figures and one animation.

Matplotlib is imported when the first picture is asked for; pyplot never, so that no figure outlives
its reader. Pictures are laid out in pixels, y downwards, on a page of 900 pixels at 100 dpi.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from ..model.access import Access
from ..model.banks import BankReport, bank_of
from ..model.checks import plural, whole
from ..model.hardware import BANKS, LINE_BYTES, SHARED_BYTES, WORD_BYTES
from ..model.tile import Tile
from ..theme import BANK_COLORS, BANK_INKS, TINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 100
PAGE, MARGIN = 900, 8
WIDTH = PAGE - 2 * MARGIN
INK, SOFT, QUIET, LINE = "#1f2328", "#3d444d", "#57606a", "#d0d7de"
BAD, GOOD = "#b42318", "#1a7f37"
# Named, so that no one's settings change the picture; it comes with matplotlib.
FONT = "DejaVu Sans"

# As in the widget: up to here every cell has its number.
MOST_NUMBERED = 2048
LARGEST_CELL, SMALLEST_NUMBERED, SMALLEST_CELL = 22, 11, 3
TALLEST_GRID = 840
LABELS, READING, GAP = 30, 140, 10

# A GIF counts in hundredths of a second, and browsers slow down frames shorter than two of them.
SLOWEST, FASTEST = 0.1, 50
HOLD_SECONDS = 1.5


def bank_heatmap(accesses: Sequence[Access]) -> Figure:
    """Return every cell of a tile by its bank, and what an access costs: one panel per access.

    Cells are colored by bank, and numbered where the tile has at most 2048; those that a lane
    touches are framed, one frame a vector, the others dimmed. Wide tiles stand one above the other,
    others side by side; a tile too wide or too tall for the page is cut into bands.

    Parameters
    ----------
    accesses : sequence of Access
        Usually one access on a tile without and with a swizzle.

    Returns
    -------
    matplotlib.figure.Figure
        One axes per access. Its image holds the cells as RGBA bytes; alpha is lower for dimmed
        cells, and 0 where there is no cell.

    Raises
    ------
    ValueError
        If there is no access.
    """
    if not accesses:
        raise ValueError("a heatmap needs at least one access")
    grids, beside = _fitting([access.tile for access in accesses])
    readings = [_Reading(access, beside) for access in accesses]
    heights = [
        grid.top + (grid.height + GAP + reading.height if beside else max(grid.height, reading.height))
        for grid, reading in zip(grids, readings)
    ]
    per_row = 2 if beside else 1
    rows = [max(heights[i : i + per_row]) for i in range(0, len(heights), per_row)]
    tops = list(accumulate((row + 2 * MARGIN for row in rows), initial=MARGIN))
    fig = _figure(PAGE, tops[-1] - MARGIN)
    most = max(reading.words.max() for reading in readings)
    for index, (access, grid, reading) in enumerate(zip(accesses, grids, readings)):
        row, place = divmod(index, per_row)
        width = (WIDTH - MARGIN) // 2 if beside else WIDTH
        ax = _axes(fig, MARGIN + place * (width + MARGIN), tops[row], width, rows[row])
        _write(ax, 0, 8, access.tile.swizzle_name, 13, weight="bold")
        grid.draw(ax, access)
        x, y = (0, grid.top + grid.height + GAP) if beside else (WIDTH - READING, grid.top)
        reading.draw(ax, x, y, most)
    return fig


def bit_diagram(tile: Tile, offset: int) -> Figure:
    """Return the bits of one element's byte address before and after the swizzle.

    Brackets above say what a bit is to the hardware (128-byte line, bank, byte in the word), those
    below what it is to the swizzle (source, target, base). Elements below a byte have further
    columns on the right, for the place within the byte.

    Parameters
    ----------
    tile : Tile
    offset : int
        The element's offset before the swizzle, in elements; it need not lie in the tile's layout.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    TypeError, ValueError
        If `offset` is no whole number, negative, or beyond shared memory.
    """
    offset = whole("offset", offset, 0, 8 * SHARED_BYTES // tile.element_bits - 1)
    return _BitPicture(tile, offset).figure()


def column_read(accesses: Sequence[Access | str], labels: Sequence[str], step: int) -> Figure:
    """Return what 32 banks still have to deliver after `step` wavefronts, one track per variant.

    Above each bank stands the tower of words that it will deliver, the next one lowest, phase above
    phase. A box is what one lane (or several that share it) gets from neighboring banks in one
    wavefront, labeled with the lanes, or with their number (x16) where they are too many. Below the
    banks lies, pale, what the last wavefront delivered.

    Parameters
    ----------
    accesses : sequence of Access or str
        The variants; a string in place of an access says why there is none.
    labels : sequence of str
        Their names.
    step : int
        Wavefronts delivered so far, counted for each variant from its own start.

    Returns
    -------
    matplotlib.figure.Figure
        One axes per variant.

    Raises
    ------
    TypeError, ValueError
        If there are no variants, not one label each, or `step` is no whole number or negative.
    """
    tracks = _tracks(accesses, labels)
    fig = _figure(*_tracks_size(tracks))
    _draw_tracks(fig, tracks, whole("step", step, 0))
    return fig


def column_read_gif(path, accesses: Sequence[Access | str], labels: Sequence[str], speed: float) -> None:
    """Write `column_read` as an animated GIF, step by step from 0 until all variants are done.

    The last picture stays for about 1.5 seconds, then the animation begins anew.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write.
    accesses, labels
        As for `column_read`.
    speed : float
        Wavefronts per second, 0.1 to 50.

    Raises
    ------
    TypeError, ValueError
        As `column_read`, and if `speed` is out of range.
    """
    from matplotlib import rc_context
    from matplotlib.animation import PillowWriter

    if isinstance(speed, bool) or not isinstance(speed, (int, float, np.integer, np.floating)):
        raise TypeError(f"speed must be a number of wavefronts per second, not {speed!r}")
    if not SLOWEST <= speed <= FASTEST:
        raise ValueError(f"speed = {speed} wavefronts per second: it must be {SLOWEST} to {FASTEST}")
    tracks = _tracks(accesses, labels)
    fig = _figure(*_tracks_size(tracks))
    writer = PillowWriter(fps=speed)
    # All frames must have one size, whatever someone's settings say.
    with rc_context({"savefig.bbox": None, "savefig.facecolor": "auto"}), writer.saving(fig, path, DPI):
        for step in range(max(track.wavefronts for track in tracks) + 1):
            fig.clear()
            _draw_tracks(fig, tracks, step)
            writer.grab_frame()
        # Equal neighbors become one long frame in the file.
        for _ in range(round(HOLD_SECONDS * speed) - 1):
            writer.grab_frame()


# --- Heatmap ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Grid:
    """How a tile is laid out on the page.

    Attributes
    ----------
    cells : int array
        The number of the cell (row * cols + col) at each place of the picture, -1 where there is none.
    size : int
        The width of a cell in pixels.
    marks : tuple
        Places (x, y in cells) and texts of the row and column numbers: two tuples, above and on the left.
    note : str
        What the picture leaves out, if anything.
    """

    cells: np.ndarray
    size: int
    marks: tuple
    note: str

    @property
    def top(self) -> int:
        """Pixels above the grid, for the heading and the marks."""
        return 34

    @property
    def height(self) -> int:
        """The height of the grid and its note in pixels."""
        return len(self.cells) * _cell_height(self.size) + (16 if self.note else 0)

    def draw(self, ax: Axes, access: Access) -> None:
        """Draw the cells, their numbers and the frames of the touched ones."""
        height, width = self.cells.shape
        cell = np.array([self.size, _cell_height(self.size)])
        corner = np.array([LABELS, self.top])
        left, top, right, bottom = (*corner, *(corner + (width, height) * cell))
        banks = access.tile.banks.ravel()[self.cells]
        lanes = np.where(self.cells >= 0, _lane_of_cell(access).ravel()[self.cells], -1)
        colors = _rgb()[banks]
        alpha = np.where(self.cells < 0, 0, np.where(lanes < 0, round(255 * TINT), 255)).astype(np.uint8)
        options = {"origin": "upper", "aspect": "auto", "interpolation": "nearest"}
        ax.imshow(np.dstack([colors, alpha]), extent=(left, right, bottom, top), **options)
        if self.size >= 8:
            across = [[(left, y), (right, y)] for y in range(top, bottom + 1, cell[1])]
            down = [[(x, top), (x, bottom)] for x in range(left, right + 1, cell[0])]
            _lines(ax, across + down, "white", 0.8)
        if access.tile.banks.size <= MOST_NUMBERED:
            _numbers(ax, banks, (self.cells >= 0) & (lanes >= 0), corner, cell, BANK_INKS)
            _numbers(ax, banks, (self.cells >= 0) & (lanes < 0), corner, cell, (INK,) * BANKS)
        _lines(ax, _frames(lanes) * cell + corner, INK, 1.6 if self.size >= 8 else 0.9)
        above, beside = self.marks
        for x, y, text in above:
            _write(ax, *(corner + (x, y) * cell + (0, -7)), text, 8.5, QUIET, ha="left" if " " in text else "center")
        for x, y, text in beside:
            # A little below the half pixel, which would be rounded either way.
            _write(ax, *(corner + (x, y) * cell + (-4, 0.3)), text, 8.5, QUIET, ha="right")
        if self.note:
            _write(ax, left, bottom + 8, self.note, 10, QUIET)


def _fitting(tiles: list[Tile]) -> tuple[list[_Grid], bool]:
    """The tiles' grids, and whether they stand side by side."""
    stacked = [_grid(tile, WIDTH - LABELS - GAP - READING) for tile in tiles]
    beside = [_grid(tile, (WIDTH - MARGIN) // 2 - LABELS) for tile in tiles]
    fit = all(
        tile.cols <= 2 * tile.rows and near.size >= min(_least(tile), far.size) and not near.note
        for tile, near, far in zip(tiles, beside, stacked)
    )
    return (beside, True) if fit else (stacked, False)


def _least(tile: Tile) -> int:
    return SMALLEST_NUMBERED if tile.rows * tile.cols <= MOST_NUMBERED else SMALLEST_CELL


def _cell_height(size: int) -> int:
    return round(size * 17 / 14)


def _grid(tile: Tile, width: int) -> _Grid:
    """The grid with the largest cells that fit, in one piece if they are not too small, else in bands."""
    rows, cols = tile.rows, tile.cols
    for size in range(LARGEST_CELL, 0, -1):
        across, down = width // size, TALLEST_GRID // _cell_height(size)
        if cols <= across and rows <= down:
            return _banded(tile, size, rows, cols)
        if size > _least(tile):
            continue
        if cols > across and -(-cols // _even(across)) * (rows + 1) <= down:
            return _banded(tile, size, rows, _even(across))
        if rows > down and -(-rows // _even(down)) * (cols + 1) <= across:
            return _banded(tile, size, _even(down), cols)
    return _banded(tile, 1, rows, min(cols, _even(width)))


def _even(count: int) -> int:
    """At most `count`, a multiple of 64 or 8 where it is large, so that bands begin where patterns do."""
    step = 64 if count >= 64 else 8 if count >= 8 else 1
    return max(1, count - count % step)


def _banded(tile: Tile, size: int, band_rows: int, band_cols: int) -> _Grid:
    """The grid in bands of rows (side by side) or of columns (one below the other), one cell apart."""
    row, col = np.divmod(np.arange(tile.rows * tile.cols), tile.cols)
    y = row % band_rows + col // band_cols * (band_rows + 1)
    x = col % band_cols + row // band_rows * (band_cols + 1)
    cells = np.full((y.max() + 1, x.max() + 1), -1)
    cells[y, x] = np.arange(len(row))
    shown = cells[:TALLEST_GRID]
    left_out = np.count_nonzero(cells >= 0) - np.count_nonzero(shown >= 0)
    note = f"the last {left_out} of {tile.rows * tile.cols} cells are not shown" if left_out else ""
    return _Grid(shown, size, _marks(tile, size, band_rows, band_cols, len(shown)), note)


def _marks(tile: Tile, size: int, band_rows: int, band_cols: int, height: int) -> tuple:
    """Numbers of some columns above the grid and of some rows on its left; of each band's first, if there are bands."""
    tall = _cell_height(size)
    if tile.cols > band_cols:
        step = _steps(12, (band_rows + 1) * tall)
        bands = range(0, min(-(-tile.cols // band_cols), -(-height // (band_rows + 1))), step)
        texts = [(0, band * (band_rows + 1) + 0.5, f"c {band * band_cols}") for band in bands]
        return ((0, 0, "column (c) at the left, rows downwards"),), tuple(texts)
    above = [(col + 0.5, 0, str(col)) for col in range(0, tile.cols, _steps(48, size))]
    if tile.rows > band_rows:
        step = _steps(48, (band_cols + 1) * size)
        bands = range(0, -(-tile.rows // band_rows), step)
        above = [(band * (band_cols + 1), 0, f"r {band * band_rows}") for band in bands]
    rows = range(0, min(band_rows, tile.rows, height), _steps(20, tall))
    return tuple(above), tuple((0, row + 0.5, f"row {row}" if row == 0 else str(row)) for row in rows)


def _steps(least: int, pixels: int) -> int:
    """The power of two after which marks are at least `least` pixels apart."""
    return 1 << max(0, -(-least // max(1, pixels)) - 1).bit_length()


def _lane_of_cell(access: Access) -> np.ndarray:
    """The (first) lane that touches each cell, -1 for none, int array of shape (rows, cols)."""
    layout = access.tile.layout
    starts = np.asarray(access.starts)
    lanes = np.flatnonzero(starts >= 0)[::-1]
    run = np.arange(8 * access.width // access.tile.element_bits)
    touched = starts[lanes, None] + run
    lane_at = np.full(max(layout.cosize, int(touched.max(initial=0)) + 1), -1)
    # Of lanes on the same element the one written last stays: the first lane.
    lane_at[touched] = lanes[:, None]
    return lane_at[layout.offsets]


def _frames(lanes: np.ndarray) -> np.ndarray:
    """The edges between cells of different lanes, as segments of shape (n, 2, 2), in cells."""
    padded = np.pad(lanes, 1, constant_values=-1)
    y, x = np.nonzero(padded[1:, 1:-1] != padded[:-1, 1:-1])
    across = np.stack([np.stack([x, y], 1), np.stack([x + 1, y], 1)], 1)
    y, x = np.nonzero(padded[1:-1, 1:] != padded[1:-1, :-1])
    down = np.stack([np.stack([x, y], 1), np.stack([x, y + 1], 1)], 1)
    return np.concatenate([across, down])


def _numbers(ax: Axes, banks: np.ndarray, where: np.ndarray, corner, cell, inks) -> None:
    """Write bank numbers into the cells `where`.

    Thousands of Text artists take a second; an outline stamped as a marker on many places a millisecond.
    """
    from matplotlib.lines import Line2D

    points = 0.72 * min(10.5, 0.66 * cell[0])
    for bank in np.unique(banks[where]).tolist():
        y, x = np.nonzero(where & (banks == bank))
        outline = _number_path(bank)
        # Matplotlib scales a marker to its largest coordinate; this takes the scaling back.
        size = points * 2 * np.abs(outline.vertices).max()
        stamp = {"marker": outline, "markersize": size, "markerfacecolor": inks[bank], "markeredgewidth": 0}
        stamp["label"] = str(bank)
        ax.add_artist(Line2D(corner[0] + (x + 0.5) * cell[0], corner[1] + (y + 0.5) * cell[1], linestyle="", **stamp))


@cache
def _number_path(number: int):
    """The outline of a number, 1 point large, its center at the origin."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    path = TextPath((0, 0), str(number), size=1, prop=FontProperties(family=FONT))
    box = path.get_extents()
    return path.transformed(Affine2D().translate(-(box.x0 + box.x1) / 2, -(box.y0 + box.y1) / 2))


@cache
def _rgb() -> np.ndarray:
    """The banks' colors as bytes, shape (32, 3)."""
    return np.array([list(bytes.fromhex(color[1:])) for color in BANK_COLORS], np.uint8)


class _Reading:
    """What the access costs: the verdict, the access, and the words per bank."""

    def __init__(self, access: Access, beside: bool):
        self.cut = access.cut_text
        self.report = access.report(allow_cut=True)
        self.words = self.report.words_per_bank.sum(axis=0)
        self.beside = beside
        cost = self.cut or f"ideal {self.report.ideal}, {plural(self.report.conflicts, 'conflict')}"
        columns = 34 if beside else 23
        self.lines = [line for text in (cost, str(access)) for line in textwrap.wrap(text, columns)]

    @property
    def height(self) -> int:
        """In pixels."""
        text = 26 + 14 * len(self.lines)
        return max(text, 72) if self.beside else text + 74

    def draw(self, ax: Axes, x: float, y: float, most: int) -> None:
        """Draw it with its corner at (x, y); the bars are as high as `most` words allow."""
        _write_verdict(ax, x, y + 10, self.report, self.cut)
        for index, line in enumerate(self.lines):
            _write(ax, x, y + 33 + 14 * index, line, 11, QUIET)
        bars = (x + 232, y, 6) if self.beside else (x, y + 28 + 14 * len(self.lines), 4.3)
        self._draw_bars(ax, *bars, max(1, most))

    def _draw_bars(self, ax: Axes, x: float, y: float, step: float, most: int) -> None:
        _write(ax, x, y + 6, f"all words per bank: at most {self.words.max()}", 9.5, QUIET)
        floor, tall = y + 58, 42
        used = np.flatnonzero(self.words)
        rectangles = [(x + step * bank, floor, step - 1, -max(3, tall * self.words[bank] / most)) for bank in used]
        _boxes(ax, rectangles, [BANK_COLORS[bank] for bank in used], QUIET, 0.5)
        _lines(ax, [[(x, floor), (x + step * BANKS - 1, floor)]], QUIET, 0.8)
        for bank in (0, 8, 16, 24, 31):
            _write(ax, x + step * (bank + 0.5), floor + 8, str(bank), 8.5, QUIET, ha="center")


def _write_verdict(ax: Axes, x: float, y: float, report: BankReport, cut: str) -> None:
    sign, color = ("✕", BAD) if cut else ("▲", BAD) if report.conflicts else ("✓", GOOD)
    _write(ax, x, y, sign, 17, color, weight="bold")
    if cut:
        _write(ax, x + 20, y, "no instruction", 13, weight="bold")
        return
    number, noun = plural(report.wavefronts, "wavefront").split()
    _write(ax, x + 20, y, number, 19, weight="bold")
    # Digits of this font are 0.7 of its size wide.
    _write(ax, x + 26 + 0.7 * 19 * len(number), y + 1, noun, 12, weight="bold")


# --- Bits ------------------------------------------------------------------------------------------


class _BitPicture:
    """One element's address as columns of bits. Bits are counted in the bit address: bit 3 is 1 byte."""

    LEFT, RIGHT, CELL = 124, 150, 32
    BYTE = 3

    def __init__(self, tile: Tile, offset: int):
        self.tile, self.offset, self.swizzle = tile, offset, tile.swizzle
        self.bits = 0 if tile.swizzle is None else tile.swizzle.bits
        self.unit = (tile.unit_bits or 8).bit_length() - 1
        # A base that the swizzle does not see, and that is no multiple of its period, is added at the end.
        hidden = self.swizzle is not None and tile.anchor == "offset"
        self.added = tile.base_address if hidden and 8 * tile.base_address % (self.swizzle.period << self.unit) else 0
        self.before = offset * tile.element_bits + 8 * (tile.base_address - self.added)
        self.after = int(tile.bit_addresses(offset)) - 8 * self.added
        self.low = min(self.BYTE, tile.element_bits.bit_length() - 1)
        line = LINE_BYTES.bit_length() - 1 + self.BYTE
        last = (8 * (tile.base_address + tile.size_bytes) - 1).bit_length()
        fields = max(self._masks()).bit_length() + self.unit
        self.top = max(line + 3, last, self.before.bit_length(), self.after.bit_length(), fields)
        self.column = min(58, (WIDTH - self.LEFT - self.RIGHT) / (self.top - self.low))
        # Two names wider than their fields would run into each other.
        self.lower = 30 if self.bits * self.column < 44 else 0

    def _masks(self) -> tuple[int, int]:
        """The source and target masks in the swizzle's unit, 0 where nothing moves."""
        return (0, 0) if self.swizzle is None else (self.swizzle.source_mask, self.swizzle.target_mask)

    def figure(self) -> Figure:
        numbers = 72 + 26
        before = numbers + (28 if self.unit != self.BYTE else 14)
        wires = before + self.CELL
        after = wires + 26 + 16 * self.bits
        height = after + self.CELL + (48 + self.lower if self.bits else 8)
        fig = _figure(PAGE, height + 2 * MARGIN)
        ax = _axes(fig, MARGIN, MARGIN, WIDTH, height)
        self._draw_title(ax)
        self._draw_meaning(ax, 72)
        self._draw_numbers(ax, numbers)
        self._draw_wires(ax, wires, after)
        self._draw_row(ax, before, "before", self.before)
        self._draw_row(ax, after, "after", self.after)
        if self.bits:
            self._draw_fields(ax, before, after)
        return fig

    def _x(self, bit: float) -> float:
        """The left edge of a bit's column."""
        return self.LEFT + (self.top - 1 - bit) * self.column

    def _center(self, bit: int) -> float:
        return self._x(bit) + self.column / 2

    def _draw_title(self, ax: Axes) -> None:
        tile = self.tile
        places = np.argwhere(tile.layout.offsets == self.offset)
        place = f"element ({places[0][0]}, {places[0][1]})" if len(places) else "no element"
        _write(ax, 0, 8, tile.swizzle_name, 13, weight="bold")
        text = f"offset {self.offset}: {place} of the {tile.rows}x{tile.cols} {tile.dtype} tile"
        if self.added:
            text += f"; its base, byte {self.added}, is added to these offsets after the swizzle"
        elif tile.base_address:
            text += f" at byte {tile.base_address}"
        _write(ax, 0, 27, text, 11, QUIET)

    def _draw_meaning(self, ax: Axes, y: float) -> None:
        word = WORD_BYTES.bit_length() - 1 + self.BYTE
        line = LINE_BYTES.bit_length() - 1 + self.BYTE
        parts = [("128-byte line", line, self.top), ("bank", word, line), ("byte in\nword", self.BYTE, word)]
        if self.low < self.BYTE:
            parts.append(("in\nbyte", self.low, self.BYTE))
        for text, low, high in parts:
            self._bracket(ax, y, low, high, 5)
            _write(ax, (self._x(high - 1) + self._x(low - 1)) / 2, y - 5, text, 10.5, ha="center", va="bottom")

    def _bracket(self, ax: Axes, y: float, low: int, high: int, tip: float) -> None:
        left, right = self._x(high - 1) + 2, self._x(low - 1) - 2
        _lines(ax, [[(left, y + tip), (left, y), (right, y), (right, y + tip)]], QUIET, 1)

    def _draw_numbers(self, ax: Axes, y: float) -> None:
        rows = [("bit, in bytes", self.BYTE)]
        if self.unit != self.BYTE:
            rows.append((f"in {self.tile.unit_name}", self.unit))
        for index, (text, unit) in enumerate(rows):
            _write(ax, self.LEFT - 8, y + 14 * index - 6, text, 9.5, QUIET, ha="right")
            for bit in range(max(self.low, unit), self.top):
                size = min(10, self.column / 2)
                _write(ax, self._center(bit), y + 14 * index - 6, str(bit - unit), size, QUIET, ha="center")

    def _draw_row(self, ax: Axes, y: float, label: str, value: int) -> None:
        address = (value >> self.BYTE) + self.added
        bank = bank_of(address)
        word, line = (size.bit_length() - 1 + self.BYTE for size in (WORD_BYTES, LINE_BYTES))
        _write(ax, self.LEFT - 8, y + self.CELL / 2, label, 12, ha="right", weight="bold")
        for bit in range(self.low, self.top):
            # The bits spell the bank only if the base adds nothing to them.
            banked = word <= bit < line and self.added % LINE_BYTES == 0
            fill, ink = (BANK_COLORS[bank], BANK_INKS[bank]) if banked else ("white", INK)
            _boxes(ax, [(self._x(bit), y, self.column, self.CELL)], [fill], QUIET, 0.8)
            weight = "bold" if (self.before ^ self.after) >> bit & 1 else "normal"
            x, size = self._center(bit), min(16, 0.7 * self.column)
            _write(ax, x, y + self.CELL / 2, str(value >> bit & 1), size, ink, ha="center", weight=weight)
        x = self.LEFT + (self.top - self.low) * self.column + 12
        text = f"0x{value >> self.BYTE:x}" + (f" + 0x{self.added:x}" if self.added else "")
        _write(ax, x, y + self.CELL / 2 - 7, f"byte {text}", 11)
        _write(ax, x, y + self.CELL / 2 + 8, "bank", 11, QUIET)
        _boxes(ax, [(x + 34, y + self.CELL / 2 + 1, 24, 15)], [BANK_COLORS[bank]], QUIET, 0.8)
        _write(ax, x + 46, y + self.CELL / 2 + 8.5, str(bank), 11, BANK_INKS[bank], ha="center", weight="bold")

    def _draw_wires(self, ax: Axes, top: float, bottom: float) -> None:
        sources, targets = ([bit for bit in range(self.top) if mask << self.unit >> bit & 1] for mask in self._masks())
        stay = [self._center(bit) for bit in range(self.low, self.top) if bit not in targets]
        _lines(ax, [[(x, top), (x, bottom)] for x in stay], LINE, 1)
        for index, (source, target) in enumerate(zip(sources, targets)):
            # The farthest pair lies lowest, so that no wire crosses another one's way down.
            level = index if source > target else len(sources) - 1 - index
            y = top + 16 + 16 * level
            x, goal = self._center(source), self._center(target)
            # A source bit of 1 flips its target, one of 0 does not.
            style = (INK, 2, "solid") if self.before >> source & 1 else (QUIET, 1, (0, (3, 2)))
            _lines(ax, [[(x, top), (x, y), (goal, y)]], *style)
            _lines(ax, [[(goal, top), (goal, bottom - 5)]], INK, 1.2)
            ax.plot([goal], [bottom - 4], "v", color=INK, markersize=5, markeredgewidth=0)
            ax.plot([goal], [y], "o", markerfacecolor="white", markeredgecolor=INK, markeredgewidth=1, markersize=8.5)
            ax.plot([goal], [y], "+", color=INK, markeredgewidth=1, markersize=8.5)

    def _draw_fields(self, ax: Axes, before: float, after: float) -> None:
        swizzle, bits = self.swizzle, self.bits
        source, target, base = (place + self.unit for place in (swizzle.source_base, swizzle.target_base, swizzle.base))
        for low in (source, target):
            frames = [(self._x(low + bits - 1), y, self.column * bits, self.CELL) for y in (before, after)]
            _boxes(ax, frames, ["none", "none"], INK, 2.2)
        y = after + self.CELL + 10
        fields = [("source\nYYY", source, source + bits, 0), ("target\nZZZ", target, target + bits, self.lower)]
        if base > self.low:
            fields.append(("base\nstays", self.low, base, 0))
        for text, low, high, drop in fields:
            self._bracket(ax, y, low, high, -5)
            _write(ax, (self._x(high - 1) + self._x(low - 1)) / 2, y + 5 + drop, text, 10.5, ha="center", va="top")
        text = f"B = {bits}, M = {swizzle.base}, S = {swizzle.shift}\nin {self.tile.unit_name}"
        _write(ax, 0, y + 5, text, 10.5, QUIET, va="top")


# --- Reading, wavefront by wavefront ---------------------------------------------------------------

SLOT, BOX, PHASE_GAP, FLOOR = 24, 17, 7, 3
FEW_WAVEFRONTS, LOW_BOX = 16, 11


@dataclass(frozen=True)
class _Track:
    """One variant: its name, its report or the reason why it has none, and the height of a box in pixels."""

    label: str
    report: BankReport | None
    reason: str
    box: int

    @property
    def wavefronts(self) -> int:
        return self.report.wavefronts if self.report else 0

    @property
    def tower(self) -> int:
        """The height of the towers before the first wavefront, in pixels."""
        return self.box * self.wavefronts + PHASE_GAP * max(0, len(self.report.phases) - 1)

    @property
    def height(self) -> int:
        if self.report is None:
            return 24 + 15 * len(self.reason_lines)
        return 28 + self.tower + 2 * (BOX + FLOOR)

    @property
    def reason_lines(self) -> list[str]:
        return textwrap.wrap(self.reason, 120)


def _tracks(accesses, labels) -> list[_Track]:
    if not accesses:
        raise ValueError("nothing to read: give at least one access")
    if len(accesses) != len(labels):
        raise ValueError(f"{len(accesses)} accesses need as many labels, not {len(labels)}")
    reasons = [access if isinstance(access, str) else access.cut_text for access in accesses]
    reports = [None if reason else access.report() for access, reason in zip(accesses, reasons)]
    # One height for all, so that the towers compare.
    box = BOX if all(report is None or report.wavefronts <= FEW_WAVEFRONTS for report in reports) else LOW_BOX
    return [_Track(*track, box) for track in zip(labels, reports, reasons)]


def _tracks_size(tracks: list[_Track]) -> tuple[int, int]:
    return PAGE, sum(track.height + 2 * MARGIN for track in tracks)


def _draw_tracks(fig: Figure, tracks: list[_Track], step: int) -> None:
    y = MARGIN
    for track in tracks:
        ax = _axes(fig, MARGIN, y, WIDTH, track.height)
        _write(ax, 0, 8, track.label, 13, weight="bold")
        if track.report is None:
            for index, line in enumerate(track.reason_lines):
                _write(ax, 0, 29 + 15 * index, line, 11, QUIET)
            _write(ax, SLOT * BANKS, 8, "✕ no such access", 13, BAD, ha="right", weight="bold")
        else:
            _draw_track(ax, track, step)
        y += track.height + 2 * MARGIN


def _draw_track(ax: Axes, track: _Track, step: int) -> None:
    report, total = track.report, track.wavefronts
    done = step >= total
    # Before the first step the number would give away what the reader is asked to predict.
    text = f"✓ done after {total}" if done else f"wavefront {step} of {total}" if step else "wavefront 0"
    _write(ax, SLOT * BANKS, 8, text, 13, GOOD if done else INK, ha="right", weight="bold")
    floor = 26 + track.tower
    phase_of = np.repeat(np.arange(len(report.phases)), [phase.wavefronts for phase in report.phases])
    for wavefront in range(step, total):
        risen = PHASE_GAP * int(phase_of[wavefront] - phase_of[step])
        y = floor - (wavefront - step + 1) * track.box - risen
        _draw_wavefront(ax, report, wavefront, y, track.box)
        if wavefront == step or phase_of[wavefront] != phase_of[wavefront - 1]:
            _draw_phase(ax, report, int(phase_of[wavefront]), y + track.box, wavefront > step)
    _lines(ax, [[(0, floor + 1.5), (SLOT * BANKS, floor + 1.5)]], INK, 1.4)
    slots = [(SLOT * bank, floor + FLOOR, SLOT, BOX) for bank in range(BANKS)]
    _boxes(ax, slots, BANK_COLORS, "white", 0.8)
    middle = floor + FLOOR + BOX / 2
    for bank in range(BANKS):
        _write(ax, SLOT * (bank + 0.5), middle, str(bank), 9.5, BANK_INKS[bank], ha="center")
    _write(ax, SLOT * BANKS + 6, middle, "bank", 9.5, QUIET)
    if 0 < step <= total:
        _draw_wavefront(ax, report, step - 1, floor + BOX + 2 * FLOOR, BOX, ghost=True)
        _write(ax, SLOT * BANKS + 6, middle + BOX + FLOOR, "delivered", 9.5, QUIET)


def _draw_phase(ax: Axes, report: BankReport, index: int, y: float, divided: bool) -> None:
    """Name a phase beside its lowest boxes, and divide it from the one below."""
    if divided:
        _lines(ax, [[(0, y + PHASE_GAP / 2), (SLOT * BANKS, y + PHASE_GAP / 2)]], QUIET, 0.8, (0, (4, 3)))
    if len(report.phases) > 1:
        lanes = report.phases[index].lanes
        text = _lanes_text(lanes)
        text = f"lanes {text}" if len(text) <= 5 else plural(len(lanes), "lane")
        _write(ax, SLOT * BANKS + 6, y - 7, f"phase {index + 1}, {text}", 9.5, QUIET)


def _draw_wavefront(ax: Axes, report: BankReport, wavefront: int, y: float, tall: float, ghost: bool = False) -> None:
    boxes = _deliveries(report, wavefront)
    banks = [bank for first, count, _ in boxes for bank in range(first, first + count)]
    fills = [BANK_COLORS[bank] for bank in banks]
    _boxes(ax, [(SLOT * bank, y, SLOT, tall) for bank in banks], fills, "none", 0, 0.3 if ghost else 1)
    frames = [(SLOT * first, y, SLOT * count, tall) for first, count, _ in boxes]
    _boxes(ax, frames, ["none"] * len(frames), QUIET if ghost else INK, 0.9)
    for first, count, lanes in boxes:
        text = _lanes_text(lanes)
        text = text if len(text) <= 5 * count else f"x{len(lanes)}"
        # Five characters of this size are a slot wide.
        size = min(9.5, tall - 2, 1.6 * SLOT * count / len(text))
        ink = SOFT if ghost else BANK_INKS[first]
        _write(ax, SLOT * (first + count / 2), y + tall / 2, text, size, ink, ha="center")


def _deliveries(report: BankReport, wavefront: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """The boxes of a wavefront: first bank, number of banks, lanes; an aligned vector is one box."""
    vector = max(1, report.width // WORD_BYTES)
    boxes: dict[tuple, list[int]] = {}
    for bank, (word, lanes) in report.served[wavefront].items():
        boxes.setdefault((word // vector, lanes), []).append(bank)
    return [(banks[0], len(banks), lanes) for (_, lanes), banks in boxes.items()]


def _lanes_text(lanes: Sequence[int]) -> str:
    """Lanes with runs drawn together: "0-3,8"."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and lane == runs[-1][1] + 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


# --- Drawing in pixels -----------------------------------------------------------------------------


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")


def _axes(fig: Figure, x: float, y: float, width: float, height: float) -> Axes:
    """Axes that cover a rectangle of the page and count its pixels, y downwards."""
    page_width, page_height = fig.get_size_inches() * DPI
    ax = fig.add_axes(
        (x / page_width, 1 - (y + height) / page_height, width / page_width, height / page_height), frameon=False
    )
    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(height, 0), autoscale_on=False)
    return ax


def _write(ax: Axes, x: float, y: float, text: str, size: float, color: str = INK, **options) -> None:
    """Write a text `size` pixels large, its left end (unless `ha` says otherwise) and middle at (x, y)."""
    options = {"ha": "left", "va": "center", "weight": "normal", **options}
    style = {"style": "normal", "variant": "normal", "stretch": "normal", "family": FONT, "linespacing": 1.25}
    ax.text(x, y, text, size=0.72 * size, color=color, parse_math=False, usetex=False, **style, **options)


def _boxes(ax: Axes, rectangles, fills, edge: str, width: float, alpha: float = 1) -> None:
    """Draw rectangles (x, y, width, height), each with its fill; the edge is `width` pixels wide."""
    from matplotlib.collections import PolyCollection

    corners = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in rectangles]
    style = {"facecolors": list(fills), "edgecolors": edge, "linewidths": 0.72 * width, "alpha": alpha}
    ax.add_collection(PolyCollection(corners, **style), autolim=False)


def _lines(ax: Axes, segments, color: str, width: float, style="solid") -> None:
    """Draw polylines, `width` pixels wide."""
    from matplotlib.collections import LineCollection

    lines = LineCollection(segments, colors=color, linewidths=0.72 * width, linestyles=style, capstyle="projecting")
    ax.add_collection(lines, autolim=False)
