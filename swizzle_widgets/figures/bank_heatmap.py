"""BankHeatmap's picture: a tile in memory, each word colored by its bank, with the lanes on what they want."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.access import Access
from ..model.checks import one_of, plural
from ..model.hardware import BANKS, MATRIX_KINDS
from ..model.tile import Tile
from . import measures as m
from .cells import Cells, elements_per_cell
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import Scene, key_scene, lanes_named, lanes_text, text_width, verdict, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NUMBERS = ("lanes", "banks", "offsets")


def bank_heatmap(
    accesses: Sequence[Access], numbers: str = "lanes", ax: Axes | None = None, dpi: float = DPI,
    title: str | None = None,
) -> Figure:  # fmt: skip
    """Return a tile in memory, once for each access: a cell a word, colored by its bank, lanes on what they want.

    Cells that no lane wants are pale. A frame, numbered, goes around each phase or 8x8 matrix. Panels stand
    beside or above each other, whichever fits; large tiles are cut into bands.

    Parameters
    ----------
    accesses : sequence of Access
        Usually one access on a tile without and with a swizzle.
    numbers : str
        What stands in the cells: "lanes" (where one wants the cell), "banks" or "offsets" (of the first element).
    ax, dpi, title
        Somebody's axes to draw in, the resolution of a figure of its own, and a line above the picture.

    Raises
    ------
    ValueError
        If there is no access, or `numbers` is unknown.
    """
    if not accesses:
        raise ValueError("a heatmap needs at least one access")
    scene = tiles_scene(accesses, PAGE - 2 * MARGIN, numbers)
    _refusals(scene, accesses)
    return to_figure(scene, ax, dpi, title)


def tiles_scene(
    accesses: Sequence[Access], width: int, numbers: str = "lanes", legend: bool = True, most: int = m.TALLEST_TILE
) -> Scene:
    """Return the picture as a scene `width` pixels wide; tiles beside each other, or all of them, are `most` high."""
    one_of("numbers", numbers, NUMBERS)
    per = elements_per_cell([access.tile for access in accesses])
    cells = [Cells(access, per) for access in accesses]
    half = (width - m.BETWEEN) // 2
    beside = len(accesses) > 1 and _beside(cells, half, width, most)
    columns, room, each = (2, half, most) if beside else (1, width, most // len(accesses))
    panels = [tile_scene(panel, room, numbers, each) for panel in cells]
    scene = Scene(width)
    for at in range(0, len(panels), columns):
        for place, panel in enumerate(panels[at : at + columns]):
            scene.put(panel, place * (half + m.BETWEEN), scene.height)
        scene.height += max(panel.height for panel in panels[at : at + columns]) + m.BETWEEN_ROWS
    if legend:
        banks = legend_scene(width)
        scene.put(banks, 0, scene.height)
        scene.height += banks.height + m.LEGEND_KEY
        places = [Placed.of(panel, room, each) for panel in cells]
        key = key_scene(tile_key(cells, places, numbers), width)
        scene.put(key, 0, scene.height)
        scene.height += key.height
    return scene


def tile_key(cells: Sequence[Cells], places: Sequence[Placed], numbers: str) -> list[tuple[str, str, str]]:
    """What a cell's number says, that pale cells are not wanted, and which lanes the frames hold."""
    number, meaning = {
        "lanes": ("5", "wanted by lane 5"),
        "banks": ("4", "in bank 4, wanted"),
        "offsets": ("40", "offset 40, wanted"),
    }[numbers]
    if not all(numbers_have_room(panel, place, numbers) for panel, place in zip(cells, places)):
        number, meaning = "", "wanted"
    entries = [("bank.4", number, meaning), ("tint.4", number if numbers != "lanes" else "", "not wanted")]
    access = next((panel.access for panel in cells if not panel.access.refusal), None)
    phases = access.report().phases if access else ()
    if len(phases) < 2:
        return entries
    parts = "matrices" if access.kind in MATRIX_KINDS else "phases"
    entries.append(("", "", f"{parts}, one after another:"))
    frames = [("badge", str(at + 1), lanes_named(phase.lanes, m.FRAME_LETTERS)) for at, phase in enumerate(phases)]
    return entries + frames


def numbers_have_room(cells: Cells, place: Placed, numbers: str) -> bool:
    """Whether all cells are large enough for these numbers; else none is shown."""
    if numbers == "lanes":
        return _numbers_fit(cells, place)
    values = cells.banks if numbers == "banks" else _offsets(cells)
    room = place.wide * (1 if numbers == "banks" else cells.split)
    return place.tall > m.TEXT and text_width(str(values.max())) <= room


def _refusals(scene: Scene, accesses: Sequence[Access]) -> None:
    """Below the tiles, why no instruction can do an access."""
    for reason in dict.fromkeys(access.refusal for access in accesses if access.refusal):
        for line in wrapped(reason, scene.width // 6):
            scene.text(0, scene.height + 10, line, m.TEXT, "quiet")
            scene.height += m.TEXT + 4


def _beside(cells: list[Cells], half: int, width: int, most: int = m.TALLEST_TILE) -> bool:
    """Whether two panels fit side by side with their numbers in the cells, or would be too tall above each other."""
    if half < m.TILE_LEAST:
        return False
    near, far = ([Placed.of(each, room, most) for each in cells] for room in (half, width))
    if any(place.bands > 1 for place in near) and all(place.bands == 1 for place in far):
        return False
    tall = sum(place.height + 2 * m.TILE_NAME + m.TILE_COLUMNS + m.BETWEEN_ROWS for place in far) > most
    return tall or all(map(_numbers_fit, cells, near)) or not all(map(_numbers_fit, cells, far))


def _numbers_fit(cells: Cells, place: Placed) -> bool:
    return all(lanes_text(lanes, length * place.wide, place.tall) for _, _, length, lanes in cells.runs)


# --- Where cells stand -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """The size of a cell, and how many rows and columns of cells a band holds."""

    rows: int
    cols: int
    wide: int
    tall: int
    band_rows: int
    band_cols: int
    left: int
    most: int
    room: int

    @classmethod
    def of(cls, cells: Cells, width: int, most: int = m.TALLEST_TILE) -> Placed:
        """The largest cells that fit the width, and a height of `most`."""
        rows, cols = cells.words.shape
        left = label_width(rows) + (m.TILE_BADGES if len(cells.phases) > 1 else 0)
        room, width = width, width - left
        if cols * m.CELL_NARROWEST <= width and rows * m.CELL_LOWEST <= most:
            wide = min(m.CELL_WIDEST, width // cols)
            return cls(rows, cols, wide, min(m.CELL_TALL, most // rows), rows, cols, left, most, room)
        return cls._banded(rows, cols, left, width, most)

    @classmethod
    def _banded(cls, rows: int, cols: int, left: int, width: int, most: int) -> Placed:
        for wide in range(m.CELL_TALL, 0, -1):
            across, down = width // wide, most // wide
            if cols > across and -(-cols // even(across)) * (rows * wide + m.TILE_BANDS) <= most:
                return cls(rows, cols, wide, wide, rows, even(across), left, most, left + width)
            if rows > down and -(-rows // even(down)) * (cols * wide + m.TILE_BANDS + left) <= width:
                return cls(rows, cols, wide, wide, even(down), cols, left, most, left + width)
        return cls(rows, cols, 1, 1, rows, min(cols, even(width)), left, most, left + width)

    @property
    def bands(self) -> int:
        """How many bands there are."""
        return -(-self.rows // self.band_rows) * -(-self.cols // self.band_cols)

    @property
    def height(self) -> int:
        """The height of all bands in pixels, as far as they are shown."""
        whole = -(-self.cols // self.band_cols) * (self.band_rows * self.tall + m.TILE_BANDS) - m.TILE_BANDS
        return min(whole, self.most)

    def at(self, row: Any, col: Any) -> Any:
        """The left top corner of a cell or of many."""
        down, across = col // self.band_cols, row // self.band_rows
        x = col % self.band_cols * self.wide + across * (self.band_cols * self.wide + m.TILE_BANDS + self.left)
        return x, row % self.band_rows * self.tall + down * (self.band_rows * self.tall + m.TILE_BANDS)


def label_width(rows: int) -> int:
    """Pixels for the numbers of the rows and the word above them."""
    return max(m.TILE_ROW, 6 + 7 * len(str(rows - 1)))


def even(count: int) -> int:
    """At most `count`, a multiple of 32 or 8 where it is large, so that bands begin where patterns do."""
    step = 32 if count >= 32 else 8 if count >= 8 else 1
    return max(1, count - count % step)


# --- One panel -------------------------------------------------------------------------------------


def tile_scene(cells: Cells, width: int, numbers: str = "lanes", most: int = m.TALLEST_TILE) -> Scene:
    """Return one tile under its name and what the access costs there."""
    return tile_panel(cells, width, numbers, most)[0]


def tile_panel(
    cells: Cells, width: int, numbers: str = "lanes", most: int = m.TALLEST_TILE
) -> tuple[Scene, Placed, int]:
    """Return the scene of one tile, its cells' sizes and the height where they begin."""
    place = Placed.of(cells, width, most)
    scene = Scene(width)
    _heading(scene, cells.access, place)
    top = scene.height + m.TILE_COLUMNS
    grid = Scene(place.wide * place.cols, place.height)
    _labels(grid, cells, place)
    hidden = _cells(grid, cells, place)
    _cell_texts(grid, cells, place, numbers)
    _frames(grid, cells, place)
    scene.put(grid, place.left, top)
    scene.height = top + place.height
    if hidden:
        scene.text(place.left, scene.height + 8, f"{hidden} cells are not shown", m.TEXT, "quiet")
        scene.height += m.TILE_NAME
    return scene, place, top


def tile_title(tile: Tile) -> str:
    """Return a tile's swizzle, or the padding that stands in its place."""
    padding = 0 if tile.swizzle else _padding(tile)
    # Lines further apart than two of their lengths are a part of a larger tile.
    is_padded = 0 < padding < tile.line_length
    return f"padding of {plural(padding, f'{tile.dtype} element')}" if is_padded else tile.swizzle_name


def _padding(tile: Tile) -> int:
    """The unused elements behind each row or column; 0 for other layouts."""
    modes = getattr(tile.layout, "modes", ())
    parts = [[part for part in mode.flat if part[0] > 1] for mode in modes]
    if [len(part) for part in parts] != [1, 1]:
        return 0
    (rows, down), (cols, right) = parts[0][0], parts[1][0]
    return max(down - cols if right == 1 else 0, right - rows if down == 1 else 0)


def _heading(scene: Scene, access: Access, place: Placed) -> None:
    name, (fill, count, rest) = tile_title(access.tile), verdict(access)
    scene.text(place.left, 8, name, m.TITLE, bold=True)
    scene.height = m.TILE_NAME
    said = count if access.refusal else f"{count}, {rest}"
    if scene.width < m.ONE_LINE:
        scene.text(place.left, 8 + m.TILE_NAME, said, m.TITLE, fill, bold=True)
        scene.height += m.TILE_NAME
    else:
        # Not far from the name where the tile is narrow.
        right = max(place.left + place.wide * place.band_cols, place.left + 9 * (len(name) + len(said)) + m.BETWEEN)
        scene.text(min(scene.width, right), 8, said, m.TITLE, fill, "right", bold=True)


def _labels(scene: Scene, cells: Cells, place: Placed) -> None:
    """The numbers of rows and columns, in elements, as many as have room."""
    tile = cells.access.tile
    every = next((step for step in (1, 2, 4, 8, 16, 32, 64, 128) if step * place.tall >= m.CELL_TALL), 256)
    for row in range(0, place.rows, every):
        x, y = place.at(row, 0)
        right = x - place.left + label_width(place.rows) - 4
        scene.text(right, y + place.tall / 2, str(row), m.TEXT, "quiet", "right", narrow=True)
    per_cell = cells.per / cells.split
    room = text_width(str(tile.cols)) + 6
    # Steps of whole words and granules; a tile of few columns numbers each.
    steps = [step for step in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if step >= per_cell]
    every = next((step for step in steps if step / per_cell * place.wide >= room), 1024)
    right = _axis_words(scene, tile.dtype, place)
    for col in range(0, tile.cols, every):
        x, y = place.at(0, int(col / per_cell))
        if y == 0 and x + room > right:
            continue
        scene.text(x + min(place.wide, 14) / 2, y - 8, str(col), m.TEXT, "quiet", "middle", narrow=True)


def _axis_words(scene: Scene, dtype: str, place: Placed) -> float:
    """Write what rows and columns are; return how far the numbers of the columns have room."""
    scene.text(label_width(place.rows) - place.left - 4, -8, "row", m.TEXT, "quiet", "right")
    edge, word = place.band_cols * place.wide, f"column ({dtype})"
    beyond = place.room - place.left - edge >= m.TILE_AXIS and place.band_rows == place.rows
    if not beyond and edge < 3 * m.TILE_AXIS:
        return math.inf
    scene.text(edge + 4 if beyond else edge, -8, word, m.TEXT, "quiet", "left" if beyond else "right")
    return math.inf if beyond else edge - m.TILE_AXIS


def _cells(scene: Scene, cells: Cells, place: Placed) -> int:
    """Rectangles by color; neighbors that one lane wants touch, so that its number is not cut by a line.

    Returns how many cells have no room.
    """
    gap = m.GAP if min(place.wide, place.tall) > 4 else 0
    x, y = place.at(*np.indices(cells.words.shape))
    wide = np.full(x.shape, place.wide - gap)
    wanted = np.zeros(x.shape, bool)
    for row, col, length, _ in cells.runs:
        wanted[row, col : col + length] = True
        wide[row, col : col + length - 1] = place.wide
    shown = y + place.tall <= place.height
    for name, chosen in (("tint", ~wanted & shown), ("bank", wanted & shown)):
        for bank in range(BANKS):
            here = chosen & (cells.banks == bank)
            corners = zip(x[here].tolist(), y[here].tolist(), wide[here].tolist())
            scene.rects(f"{name}.{bank}", [(*corner, place.tall - gap) for corner in corners])
    return int(np.count_nonzero(~shown))


def _cell_texts(scene: Scene, cells: Cells, place: Placed, numbers: str) -> None:
    if not numbers_have_room(cells, place, numbers):
        return
    if numbers == "lanes":
        for row, col, length, lanes in cells.runs:
            text = lanes_text(lanes, length * place.wide, place.tall)
            ink = f"ink.{cells.banks[row, col + (length - 1) // 2]}"
            x, y = place.at(row, col)
            _number(scene, x + (length * place.wide - 1) / 2, y + place.tall / 2, text, ink)
        return
    values = cells.banks if numbers == "banks" else _offsets(cells)
    for (row, col), value in np.ndenumerate(values):
        x, y = place.at(row, col)
        ink = f"ink.{cells.banks[row, col]}" if (row, col) in cells.lanes else "on-tint"
        _number(scene, x + (place.wide - 1) / 2, y + place.tall / 2, str(value), ink)


def _number(scene: Scene, x: float, y: float, text: str, ink: str) -> None:
    scene.text(x, y, text, m.TEXT, ink, "middle", narrow=True)


def _offsets(cells: Cells) -> np.ndarray:
    """The offset of each cell's first element, counted before the swizzle."""
    return np.repeat(cells.access.tile.layout.offsets[:, :: cells.per], cells.split, axis=1)


def _frames(scene: Scene, cells: Cells, place: Placed) -> None:
    """An outline around the cells of each phase, and its number on its left upper corner."""
    taken: set[tuple[int, int]] = set()
    for index, phase in enumerate(cells.phases):
        scene.lines(_outline(phase, place), "ink", 1.6 if place.tall > 8 else 1.2)
        spot = next((cell for cell in sorted(phase) if cell not in taken), None)
        if len(cells.phases) > 1 and place.tall >= m.CELL_LOWEST and spot:
            taken.add(spot)
            x, y = place.at(*spot)
            # On the edge, so that the number in the cell stays free; beside a cell that is too narrow for both.
            length = next(n for row, col, n, _ in cells.runs if row == spot[0] and col <= spot[1] < col + n)
            left = x - 0.5 if length * place.wide >= 4 * m.BADGE else x - m.BADGE
            scene.badge(left, y + (place.tall - 1) / 2, str(index + 1))


def _outline(phase: set[tuple[int, int]], place: Placed):
    """The edges between cells of a phase and others, neighbors in one line."""
    for row, col in sorted(phase):
        x, y = place.at(row, col)
        right, bottom = x + place.wide, y + place.tall
        x, y, right, bottom = x - 0.5, y - 0.5, right - 0.5, bottom - 0.5
        edges = {
            (row - 1, col): ((x, y), (right, y)), (row + 1, col): ((x, bottom), (right, bottom)),
            (row, col - 1): ((x, y), (x, bottom)), (row, col + 1): ((right, y), (right, bottom)),
        }  # fmt: skip
        yield from (edge for neighbor, edge in edges.items() if neighbor not in phase)


def legend_scene(width: int) -> Scene:
    """The 32 banks and their colors, numbered where there is room, else every fourth below."""
    wide = min(22, (width - m.LEGEND_NAME) // BANKS)
    inside = text_width("31") <= wide - 1
    scene = Scene(width, m.LEGEND if inside else m.LEGEND + m.TEXT + 3)
    scene.text(0, 10, "bank", m.TEXT, "quiet")
    for bank in range(BANKS):
        x = m.LEGEND_NAME + bank * wide
        scene.rects(f"bank.{bank}", [(x, 3, wide - 1, 14)])
        if inside:
            _number(scene, x + (wide - 1) / 2, 10, str(bank), f"ink.{bank}")
        elif bank % 4 == 0:
            _number(scene, x + wide / 2, 25, str(bank), "quiet")
    return scene
