"""Scenes on paper: a scene as a matplotlib figure, in somebody's axes, or as the bytes of a small PNG.

Matplotlib is imported when the first picture is asked for; pyplot never, so that no figure outlives its reader.
All becomes filled paths, so that a picture keeps its proportions at any size; letters are paths that are made once.
"""

from __future__ import annotations

import io
from functools import cache
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..theme import BANK_COLORS, BANK_INKS, BANK_TINTS, CONFLICT_COLORS, IDEAL_COLORS, PAGE_COLORS
from .measures import DIGIT, TEXT
from .scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

PAGE, MARGIN, DPI = 900, 10, 100
# Named, so that no one's settings change the picture; it comes with matplotlib.
FONT = "DejaVu Sans"
# How wide this font's digits are, in sizes of type.
FONT_DIGIT = 0.636
COLORS = {
    **PAGE_COLORS,
    **{f"{name}.{bank}": color for name, colors in
       (("bank", BANK_COLORS), ("tint", BANK_TINTS), ("ink", BANK_INKS)) for bank, color in enumerate(colors)},
}  # fmt: skip
HATCH_STEP = 6
# Vertices of shape (n, 2) and matplotlib's codes of them: many are made, few become paths.
Outline = tuple[np.ndarray, np.ndarray]
MOST_COLORS = 128


def to_figure(scene: Scene, ax: Axes | None = None, dpi: float = DPI, title: str | None = None) -> Figure:
    """Return a scene as a figure; `ax`, a title above it and a resolution are the caller's.

    Parameters
    ----------
    scene : Scene
    ax : matplotlib.axes.Axes, optional
        Where to draw; its limits and axis are set. A figure of its own, if left out.
    dpi : float
        Dots an inch of a figure of its own; at 100 a pixel of the scene is one of the picture.
    title : str, optional
        A line above the picture.
    """
    if ax is not None:
        ax.set(xlim=(0, scene.width), ylim=(scene.height, 0), aspect="equal")
        ax.set_axis_off()
        if title is not None:
            ax.set_title(title, parse_math=False)
        _paint(scene, ax.add_artist, ax.transData)
        return ax.get_figure()
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    page = _with_margin(scene, title)
    figure = Figure(figsize=(page.width / DPI, page.height / DPI), dpi=dpi, facecolor="white")
    place = Affine2D().scale(1 / page.width, -1 / page.height).translate(0, 1)
    _paint(page, figure.add_artist, place + figure.transFigure)
    return figure


def _with_margin(scene: Scene, title: str | None) -> Scene:
    top = MARGIN + (26 if title else 0)
    page = Scene(scene.width + 2 * MARGIN, scene.height + top + MARGIN)
    page.rects("paper", [(0, 0, page.width, page.height)])
    if title:
        page.text(MARGIN, MARGIN + 8, title, 15, bold=True)
    page.put(scene, MARGIN, top)
    return page


def png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG with a palette of at most 128 colors."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return palette_png(np.asarray(canvas.buffer_rgba()))


def palette_png(pixels: np.ndarray) -> bytes:
    """Return RGBA pixels, uint8 of shape (height, width, 4), as a PNG with a palette of at most 128 colors."""
    from PIL import Image

    image = Image.fromarray(pixels).convert("RGB").quantize(palette=_palette(), dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", bits=8, compress_level=6)
    return buffer.getvalue()


@cache
def _palette():
    from PIL import Image

    def mixed(first: str, second: str, share: float) -> tuple[int, ...]:
        return tuple(round(share * a + (1 - share) * b) for a, b in zip(_rgb(first), _rgb(second)))

    costs = (IDEAL_COLORS[0], *(fill for fill, _ in CONFLICT_COLORS))
    colors = [_rgb(color) for color in dict.fromkeys((*BANK_COLORS, *BANK_TINTS, *PAGE_COLORS.values(), *costs))]
    # The edges of letters: half a bank's color, and shades between ink and paper.
    colors += [mixed(BANK_INKS[bank], BANK_COLORS[bank], share) for bank in range(1, 32, 4) for share in (0.3, 0.65)]
    colors += [mixed(PAGE_COLORS[name], "#ffffff", share) for name in ("bad", "good") for share in (0.3, 0.65)]
    colors += [(shade, shade, shade) for shade in range(20, 240, 18)]
    assert len(colors) <= MOST_COLORS, len(colors)
    image = Image.new("P", (1, 1))
    image.putpalette([value for color in colors for value in color])
    return image


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color[1:]))


# --- Painting --------------------------------------------------------------------------------------


def _paint(scene: Scene, add, transform) -> None:
    """Add a scene's layers, what has one color in one path."""
    from matplotlib.patches import PathPatch

    order = count(2)
    for kind, painter in PAINTERS.items():
        colors: dict[str, list[Outline]] = {}
        for outline, fill in painter([item for item in scene.items if item["kind"] == kind]):
            colors.setdefault(COLORS.get(fill, fill), []).append(outline)
        for color, outlines in colors.items():
            style = {"facecolor": _rgba(color), "edgecolor": "none", "linewidth": 0, "transform": transform}
            # Rectangles without smoothing: their edges lie on pixels, and elsewhere no line shows between neighbors.
            patch = PathPatch(_joined(outlines), zorder=next(order), antialiased=kind != "rects", **style)
            add(patch).set_clip_on(False)


def _joined(outlines: list[Outline]) -> Path:
    from matplotlib.path import Path

    return Path(*(np.concatenate(parts) for parts in zip(*outlines)))


@cache
def _rgba(color: str) -> tuple[float, ...]:
    return (*(value / 255 for value in _rgb(color)), 1.0)


def _paint_rects(items: list[dict[str, Any]]):
    # A fill at a time: a ranking has hundreds of items of a few rectangles each.
    fills: dict[str, list[Any]] = {}
    for item in items:
        fills.setdefault(item["fill"], []).extend(item["rects"])
    for fill, rects in fills.items():
        yield _polygons(_corners(np.array(rects, float))), fill


def _paint_hatch(items: list[dict[str, Any]]):
    if rects := [rect for item in items for rect in item["rects"]]:
        yield _polygons(_corners(np.array(rects, float))), "idle"
        yield _strips(np.concatenate([_diagonals(*rect) for rect in rects]), 1.0), "hatch"


def _paint_lines(items: list[dict[str, Any]]):
    for item in items:
        lines = np.array([pair for line in item["lines"] for pair in pairwise(line)], float)
        if item["dash"]:
            yield _strips(np.array([part for line in lines for part in _dashes(*line)]), item["width"]), item["fill"]
        else:
            yield _strips(lines, item["width"], item["width"] / 2), item["fill"]


def _paint_text(items: list[dict[str, Any]]):
    for item in items:
        width, (vertices, codes) = _text_outline(item["text"], item["size"], item["bold"], item["narrow"])
        left = item["x"] - {"left": 0, "middle": width / 2, "right": width}[item["at"]]
        yield (vertices + np.array([left, item["y"] + 0.36 * item["size"]]), codes), item["fill"]


def _paint_badge(items: list[dict[str, Any]]):
    from matplotlib.path import Path

    for item in items:
        disk = Path.circle((item["x"], item["y"]), 7)
        yield (disk.vertices, disk.codes), "ink"
        text = {"x": item["x"], "y": item["y"], "text": item["text"], "size": TEXT, "fill": "paper", "at": "middle"}
        yield from _paint_text([text | {"bold": True, "narrow": True}])


# From below to above.
PAINTERS = {
    "rects": _paint_rects,
    "hatch": _paint_hatch,
    "lines": _paint_lines,
    "badge": _paint_badge,
    "text": _paint_text,
}


# Path.MOVETO, three times LINETO, CLOSEPOLY: matplotlib is not imported for their sake.
_QUADRILATERAL = np.array([1, 2, 2, 2, 79], np.uint8)
# How often width and height count at the corners of a rectangle.
_RIGHT, _DOWN = np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1])


def _corners(rects: np.ndarray) -> np.ndarray:
    """The corners of rectangles (x, y, width, height), shape (n, 4, 2)."""
    corners = np.empty((len(rects), 4, 2))
    corners[..., 0] = rects[:, :1] + rects[:, 2:3] * _RIGHT
    corners[..., 1] = rects[:, 1:2] + rects[:, 3:] * _DOWN
    return corners


def _polygons(corners: np.ndarray) -> Outline:
    """The outline of many quadrilaterals, corners of shape (n, 4, 2)."""
    closed = np.empty((len(corners), 5, 2))
    closed[:, :4], closed[:, 4] = corners, corners[:, 0]
    return closed.reshape(-1, 2), np.tile(_QUADRILATERAL, len(corners))


def _strips(lines: np.ndarray, width: float, beyond: float = 0) -> Outline:
    """Lines of shape (n, 2, 2) as strips, drawn `beyond` their ends so that corners close."""
    along = lines[:, 1] - lines[:, 0]
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) * width / 2
    start, end = lines[:, 0] - beyond * along, lines[:, 1] + beyond * along
    return _polygons(np.stack([start + across, end + across, end - across, start - across], axis=1))


def _diagonals(x: float, y: float, w: float, h: float) -> np.ndarray:
    """The lines of a hatch within a rectangle, shape (n, 2, 2); they run on from one rectangle to the next."""
    totals = np.arange(np.ceil((x + y) / HATCH_STEP) * HATCH_STEP, x + y + w + h, HATCH_STEP)
    left, right = np.maximum(x, totals - y - h), np.minimum(x + w, totals - y)
    lines = np.array([[left, totals - left], [right, totals - right]]).transpose(2, 0, 1)
    return lines[right > left]


def _dashes(start: np.ndarray, end: np.ndarray):
    length = np.hypot(*(end - start))
    for at in np.arange(0, length, 6):
        yield start + (end - start) * at / length, start + (end - start) * min(at + 3, length) / length


# --- Letters ---------------------------------------------------------------------------------------


@cache
def _letter(letter: str, bold: bool) -> tuple[float, np.ndarray, np.ndarray]:
    """The advance of a letter of size 1, and its outline with the baseline at y = 0."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, weight="bold" if bold else "normal", style="normal", size=100)
    outline, kinds = text_to_path.get_text_path(font, letter)
    width, _, _ = text_to_path.get_text_width_height_descent(letter, font, False)
    # A space has no outline.
    return width / 100, np.reshape(outline, (-1, 2)) * (0.01, -0.01), np.asarray(kinds, Path.code_type)


@cache
def _text_outline(text: str, size: float, bold: bool, narrow: bool) -> tuple[float, Outline]:
    """The width of a line of text and its outline, beginning at (0, 0)."""
    from matplotlib.path import Path

    squeeze = size * (DIGIT / FONT_DIGIT if narrow else 1)
    x, vertices, codes = 0.0, [np.empty((0, 2))], [np.empty(0, Path.code_type)]
    for letter in text:
        advance, outline, kinds = _letter(letter, bold)
        vertices.append(outline * (squeeze, size) + (x, 0))
        codes.append(kinds)
        x += advance * squeeze
    return x, (np.concatenate(vertices), np.concatenate(codes))
