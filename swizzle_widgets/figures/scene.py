"""A picture as a list of rectangles, lines, hatches and texts: what the figures paint, and the browser draws the same.

Everything is counted in pixels of the page, y downwards. Fills are names ("bank.3", "tint.3", "ink.3", "quiet"),
so that a dark page can give them other colors. Texts stand by their middle line.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.access import Access
from ..model.checks import plural
from . import measures as m
from .measures import DIGIT, TEXT

TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass
class Scene:
    """A picture: its width and height in pixels and its items.

    They are painted in layers: rectangles, hatches, lines, badges, texts; in a layer a color at a time.
    """

    width: int
    height: int = 0
    items: list[dict[str, Any]] = field(default_factory=list)

    def rects(self, fill: str, rects: Iterable[Sequence[float]]) -> None:
        """Fill rectangles (x, y, width, height)."""
        if rects := [tuple(rect) for rect in rects]:
            self.items.append({"kind": "rects", "fill": fill, "rects": rects})

    def hatch(self, rects: Iterable[Sequence[float]]) -> None:
        """Hatch rectangles: banks that deliver nothing."""
        if rects := [tuple(rect) for rect in rects]:
            self.items.append({"kind": "hatch", "rects": rects})

    def lines(
        self, lines: Iterable[Sequence[Sequence[float]]], fill: str = "ink", width: float = 1, dash: bool = False
    ) -> None:
        """Draw polylines."""
        if lines := [[tuple(point) for point in line] for line in lines]:
            self.items.append({"kind": "lines", "lines": lines, "fill": fill, "width": width, "dash": dash})

    def text(
        self, x: float, y: float, text: str, size: int = TEXT, fill: str = "ink", at: str = "left", bold: bool = False,
        narrow: bool = False,
    ) -> None:  # fmt: skip
        """Write a line of text whose left end, middle or right end (`at`) is at x."""
        item = {"kind": "text", "x": x, "y": y, "text": text, "size": size, "fill": fill, "at": at}
        self.items.append(item | {"bold": bold, "narrow": narrow})

    def badge(self, x: float, y: float, text: str) -> None:
        """Write a phase's number on a dark disk."""
        self.items.append({"kind": "badge", "x": x, "y": y, "text": text})

    def put(self, other: Scene, x: float, y: float) -> None:
        """Add another scene's items, moved to (x, y)."""
        self.items.extend(_moved(item, x, y) for item in other.items)


def _moved(item: dict[str, Any], x: float, y: float) -> dict[str, Any]:
    if "rects" in item:
        return item | {"rects": [(a + x, b + y, w, h) for a, b, w, h in item["rects"]]}
    if "lines" in item:
        return item | {"lines": [[(a + x, b + y) for a, b in line] for line in item["lines"]]}
    return item | {"x": item["x"] + x, "y": item["y"] + y}


def frame(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Return the outline of a rectangle as a polyline."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]


def text_width(text: str, size: float = TEXT) -> float:
    """Return how wide a number is that stands in a cell, in pixels."""
    return DIGIT * size * len(text)


def key_scene(entries: Sequence[tuple[str, str, str]], width: int) -> Scene:
    """Return what samples mean, in as many lines as the width asks for.

    An entry is a fill ("bank.4", "hatch", "badge", or "" for no sample), the number in the sample, and the meaning.
    """
    scene, x = Scene(width, m.KEY_LINE if entries else 0), 0.0
    for fill, number, meaning in entries:
        left = m.KEY_CELL if fill else 0
        wide = left + m.LETTER * len(meaning)
        if x and x + wide > width:
            x, scene.height = 0.0, scene.height + m.KEY_LINE
        y = scene.height - m.KEY_LINE / 2
        _sample(scene, x, y, fill, number)
        scene.text(x + left, y, meaning, TEXT, "quiet")
        x += wide + m.KEY_GAP
    return scene


def _sample(scene: Scene, x: float, y: float, fill: str, number: str) -> None:
    if fill == "badge":
        scene.badge(x + m.KEY_CELL / 2, y, number)
    elif fill == "hatch":
        scene.hatch([(x, y - 6.5, m.KEY_CELL - 5, 13)])
    elif fill:
        scene.rects(fill, [(x, y - 6.5, m.KEY_CELL - 5, 13)])
        ink = fill.replace("bank", "ink") if fill.startswith("bank") else "on-tint"
        if number:
            scene.text(x + (m.KEY_CELL - 5) / 2, y, number, TEXT, ink, "middle", narrow=True)


def lanes_named(lanes: Sequence[int], most: int) -> str:
    """Return "lanes 0-7", or how many they are where that is longer than `most` letters."""
    text = plural(len(lanes), "lane").split(" ")[1] + " " + _runs(lanes)
    return text if len(text) <= most else plural(len(lanes), "lane")


def lanes_text(lanes: Sequence[int], width: float, height: float) -> str:
    """Return what fits a box: the lanes, or how many they are, or nothing."""
    for text in (_runs(lanes), f"{TIMES}{len(lanes)}"):
        if height > TEXT and text_width(text) <= width:
            return text
    return ""


def _runs(lanes: Sequence[int]) -> str:
    """Return lanes with runs drawn together: "0-3,8"."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and lane == runs[-1][1] + 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def verdict(access: Access) -> tuple[str, str, str]:
    """Return what an access costs: the fill, the count and the rest of the sentence."""
    if reason := access.refusal:
        return "bad", "✕ no instruction", reason
    report = access.report()
    fill, mark = ("bad", "▲") if report.excess else ("good", "✓")
    ideal = "at least" if report.unit == "line" else "ideal"
    return fill, f"{mark} {plural(report.cost, report.unit)}", f"{ideal} {report.least}"


def wrapped(text: str, most: int) -> list[str]:
    """Return a text in lines of at most so many letters, broken between words."""
    return textwrap.wrap(text, most, break_long_words=False, break_on_hyphens=False)
