"""ColumnRead's picture: time, a row a wavefront, 32 banks wide, with the lanes that are served; and its animation."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from ..model.access import Access
from ..model.checks import plural, whole
from ..model.hardware import BANKS, LINE_BYTES, MATRIX_KINDS
from ..model.reports import BankReport
from . import measures as m
from .page import DPI, MARGIN, PAGE, png, to_figure
from .scene import Scene, key_scene, lanes_named, lanes_text, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A GIF counts in hundredths of a second, and browsers slow down frames shorter than two of them.
SLOWEST, FASTEST = 0.1, 50
HOLD_SECONDS = 1.5


def column_read(
    accesses: Sequence[Access | str], labels: Sequence[str], step: int | None = None, ax: Axes | None = None,
    dpi: float = DPI, title: str | None = None,
) -> Figure:  # fmt: skip
    """Return what 32 banks deliver over time: a row a wavefront, for each variant of a tile.

    Idle banks are hatched, wavefronts numbered, phases bracketed and named; rows are equally high in all variants, so
    that heights compare times.

    Parameters
    ----------
    accesses : sequence of Access or str
        The variants; a string in place of an access says why there is none.
    labels : sequence of str
        Their names. More than two get letters.
    step : int, optional
        Wavefronts delivered so far, counted for each variant from its own start; all of them, if left out.
    ax, dpi, title
        Somebody's axes to draw in, the resolution of a figure of its own, and a line above the picture.

    Raises
    ------
    TypeError, ValueError
        If there are no variants, not one label each, or `step` is no whole number or negative.
    """
    tracks = _tracks(accesses, labels)
    step = step if step is None else whole("step", step, 0)
    return to_figure(times_scene(tracks, PAGE - 2 * MARGIN, step), ax, dpi, title)


def column_read_gif(
    path: str | os.PathLike[str], accesses: Sequence[Access | str], labels: Sequence[str], speed: float
) -> None:
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
    from PIL import Image

    if isinstance(speed, bool) or not isinstance(speed, Real):
        raise TypeError(f"speed must be a number of wavefronts per second, not {speed!r}")
    if not SLOWEST <= speed <= FASTEST:
        raise ValueError(f"speed = {speed} wavefronts per second: it must be {SLOWEST} to {FASTEST}")
    tracks = _tracks(accesses, labels)
    last = max(track.wavefronts for track in tracks)
    scenes = (times_scene(tracks, PAGE - 2 * MARGIN, step) for step in range(last + 1))
    frames = [Image.open(io.BytesIO(png(to_figure(scene)))) for scene in scenes]
    durations = [round(100 / speed) * 10] * last + [round(1000 * HOLD_SECONDS)]
    frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)


# --- Tracks ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Track:
    """One variant: its name, and its report or the reason why it has none."""

    label: str
    report: BankReport | None
    reason: str = ""

    @property
    def wavefronts(self) -> int:
        """Rows of the finished grid: wavefronts, for cp.async.cg lines."""
        return self.report.cost if self.report else 0

    @property
    def part(self) -> str:
        """What a phase is called: one 8x8 matrix of ldmatrix and stmatrix is one."""
        return "matrix" if self.report and self.report.kind in MATRIX_KINDS else "phase"

    @property
    def gaps(self) -> int:
        """Spaces between phases."""
        return max(0, len(self.report.phases) - 1) if self.report else 0

    def busy(self, step: int) -> int:
        """The per cent of the banks' time in which they deliver, over the first `step` wavefronts."""
        return round(100 * sum(map(len, self.report.served[:step])) / (BANKS * max(1, step)))


def track_of(access: Access | str, label: str) -> Track:
    """Return an access, or the reason why there is none, as a track."""
    reason = access if isinstance(access, str) else access.refusal
    return Track(label, None, reason) if reason else Track(label, access.report())


def _tracks(accesses, labels) -> list[Track]:
    if not accesses:
        raise ValueError("nothing to read: give at least one access")
    if len(accesses) != len(labels):
        raise ValueError(f"{len(accesses)} accesses need as many labels, not {len(labels)}")
    letters = len(accesses) > 2
    names = [f"{chr(65 + at)}  {label}" if letters else label for at, label in enumerate(labels)]
    return [track_of(access, name) for access, name in zip(accesses, names)]


# --- The picture -----------------------------------------------------------------------------------


def times_scene(tracks: Sequence[Track], width: int, step: int | None = None) -> Scene:
    """Return all tracks, two beside each other where there is room, `step` wavefronts done (None: all)."""
    columns = track_columns(len(tracks), width)
    room = (width - (columns - 1) * m.BETWEEN) // columns
    lines = [tracks[at : at + columns] for at in range(0, len(tracks), columns)]
    row, left = row_height(lines, m.TALLEST_NARROW if width < m.TWO_TRACKS else m.TALLEST_TIME), time_left(tracks)
    scene = Scene(width)
    for line in lines:
        panels = [time_scene(track, room, row, step, left=left) for track in line]
        for place, panel in enumerate(panels):
            scene.put(panel, place * (room + m.BETWEEN), scene.height)
        scene.height += max(panel.height for panel in panels) + m.BETWEEN_ROWS
    key = key_scene(time_key(tracks, (room - left) // BANKS, row), width)
    scene.put(key, 0, scene.height)
    scene.height += key.height
    return scene


def time_key(tracks: Sequence[Track], wide: int, row: int) -> list[tuple[str, str, str]]:
    """What rows, numbers and hatches mean, and that phases wait for each other."""
    served = [track for track in tracks if track.wavefronts]
    if not served:
        return []
    line = f"line of {LINE_BYTES} bytes" if served[0].report.unit == "line" else "wavefront, a trip to memory"
    numbered = all(numbers_fit(track, wide, row) for track in served)
    entries = [
        ("", "", f"one row: one {line}"),
        ("bank.4", "5" if numbered else "", "what lane 5 gets" if numbered else "served"),
        ("hatch", "", "an idle bank"),
    ]
    if any(track.gaps for track in served):
        parts = "matrices" if served[0].part == "matrix" else "phases"
        entries.append(("", "", f"{parts} are served one after another"))
    return entries


def time_left(tracks: Sequence[Track]) -> int:
    """Pixels on the left of the rows: the numbers of the wavefronts, and names where there are several phases."""
    return m.TIME_LEFT + (m.TIME_PHASES if any(track.gaps for track in tracks) else 0)


def numbers_fit(track: Track, wide: int, row: int) -> bool:
    """Whether the lanes fit all cells of a track; else none is numbered."""
    boxes = (box for served in track.report.served for box in deliveries(served))
    return all(lanes_text(lanes, count * wide, row) for _, count, lanes in boxes)


def track_columns(count: int, width: int) -> int:
    """Return how many tracks stand beside each other: two, or as many as have room, in lines as full as they can be."""
    if width < m.TWO_TRACKS:
        return 1
    most = 2 if count < 3 else (width + m.BETWEEN) // (m.TRACK_LEAST + m.BETWEEN)
    lines = -(-count // most)
    return -(-count // lines)


def row_height(lines: Sequence[Sequence[Track]], most: int) -> int:
    """The height of a wavefront, the same for all: that at which `most` pixels hold every line of tracks."""
    head = m.TRACK_NAME + m.TRACK_VERDICT + m.TRACK_AXIS + m.BETWEEN_ROWS
    fixed = sum(head + m.PHASE_GAP * max(track.gaps for track in line) for line in lines)
    rows = sum(max(track.wavefronts for track in line) for line in lines)
    return max(m.ROW_LOWEST, min(m.ROW_TALL, (most - fixed) // max(1, rows)))


def time_scene(
    track: Track, width: int, row: int, step: int | None = None, named: bool = True, left: int | None = None
) -> Scene:
    """Return one track, its finished height whatever the step, so that nothing moves while it fills."""
    scene = Scene(width)
    left = time_left([track]) if left is None else left
    wide = min(m.BANK_WIDEST, (width - left) // BANKS)
    if named:
        scene.text(0, 8, track.label, m.TITLE, bold=True)
        scene.height = m.TRACK_NAME
    if track.report is None:
        _refusal(scene, track.reason)
        return scene
    done = track.wavefronts if step is None else min(step, track.wavefronts)
    _reading(scene, track, done)
    scene.height += m.TRACK_VERDICT
    scene.text(left - 5, scene.height + 6, "bank", m.TEXT, "quiet", "right")
    for bank in range(0, BANKS, 4):
        x = left + (bank + 0.5) * wide
        scene.text(x, scene.height + 6, str(bank), m.TEXT, "quiet", "middle", narrow=True)
    scene.height += m.TRACK_AXIS
    _rows(scene, track, left, wide, row, done)
    scene.height += track.wavefronts * row + m.PHASE_GAP * track.gaps
    return scene


def _refusal(scene: Scene, reason: str) -> None:
    scene.text(0, scene.height + 11, "✕ no instruction", m.TITLE, "bad", bold=True)
    scene.height += m.TRACK_VERDICT
    for line in wrapped(reason, scene.width // 6):
        scene.text(0, scene.height + 6, line, m.TEXT, "quiet")
        scene.height += m.TEXT + 4


def _reading(scene: Scene, track: Track, done: int) -> None:
    """The count, large; the ideal and the share of busy banks once all is done."""
    report, y = track.report, scene.height + 11
    over = done == track.wavefronts
    # A running count gives nothing away, the whole one would.
    fill = "ink" if not over else "bad" if report.excess else "good"
    scene.text(0, y, str(done), m.COUNT, fill, bold=True)
    words = plural(done, report.unit).split(" ")[1]
    least = "at least" if report.unit == "line" else "ideal"
    rest = f"{words}, {least} {report.least}, {track.busy(done)}% of the banks busy" if over else f"{words} so far"
    scene.text(15 * len(str(done)) + 5, y + 2, rest, 12, "quiet")


def _rows(scene: Scene, track: Track, left: int, wide: int, row: int, done: int) -> None:
    top, gap = scene.height, m.GAP if row > 3 else 0
    every = numbered_rows(row)
    fills: dict[str, list[Any]] = {}
    idle, texts, phases, at = [], [], [], 0
    for index, phase in enumerate(track.report.phases):
        first = top + at * row + index * m.PHASE_GAP
        rows = max(0, min(len(phase.turns), done - at))
        for turn in range(rows):
            y = first + turn * row
            if (at + turn + 1) % every == 0:
                scene.text(left - 5, y + (row - 1) / 2, str(at + turn + 1), m.TEXT, "quiet", "right", narrow=True)
            served = track.report.served[at + turn]
            boxes = deliveries(served)
            for bank, count, _ in boxes:
                for part in range(bank, bank + count):
                    # Words that go to the same lanes touch, so that the number is not cut by a line.
                    full = wide - (m.GAP if part == bank + count - 1 else 0)
                    fills.setdefault(f"bank.{part}", []).append((left + part * wide, y, full, row - gap))
            idle += [(left + bank * wide, y, count * wide - m.GAP, row - gap) for bank, count in idle_runs(served)]
            texts += [(left, wide, y, row, box) for box in boxes]
        if track.gaps and rows:
            phases.append((first, rows * row, phase_words(track, index, rows, rows * row)))
        at += len(phase.turns)
    for phase in phases:
        _phase(scene, left, *phase)
    scene.hatch(idle)
    for bank in sorted(fills, key=lambda name: int(name[5:])):
        scene.rects(bank, fills[bank])
    if numbers_fit(track, wide, row):
        for text in texts:
            _served_text(scene, *text)


def numbered_rows(row: int) -> int:
    """Every which wavefront is numbered on the left."""
    return 1 if row > m.TEXT else next(step for step in (2, 4, 8, 16, 32) if step * row >= 2 * m.TEXT or step == 32)


def phase_words(track: Track, index: int, rows: int, height: int) -> list[str]:
    """What a phase is called, which lanes it holds and what it took so far: as much as its height holds."""
    report = track.report
    name, lanes = f"{track.part} {index + 1}", lanes_named(report.phases[index].lanes, m.PHASE_LETTERS)
    if height >= 3 * m.PHASE_LINE:
        return [name, lanes, plural(rows, report.unit)]
    if height >= 2 * m.PHASE_LINE:
        return [f"{name}: {rows}", lanes]
    # A row is enough for a line: the gap below it is free.
    return [f"{name}: {rows}"] if height + m.PHASE_GAP >= m.TEXT else []


def _phase(scene: Scene, left: int, y: float, height: float, words: list[str]) -> None:
    """A bracket along the rows of a phase, and words on its left."""
    x = left - 24
    scene.lines([[(x, y + 0.5), (x, y + height - 1.5)]], "soft", 2)
    # A single line stands in the middle of a low phase.
    first = y + (min(height, m.PHASE_LINE) - 1) / 2
    for line, text in enumerate(words):
        scene.text(left - m.TIME_LEFT - m.TIME_PHASES, first + line * m.PHASE_LINE, text, m.TEXT, "quiet")


def _served_text(scene: Scene, left: float, wide: int, y: float, row: int, box: tuple[Any, ...]) -> None:
    bank, count, lanes = box
    text = lanes_text(lanes, count * wide, row)
    if text:
        x = left + bank * wide + (count * wide - 1) / 2
        ink = f"ink.{bank + (count - 1) // 2}"
        scene.text(x, y + (row - 1) / 2, text, m.TEXT, ink, "middle", narrow=True)


def idle_runs(served: dict[str, Any]) -> list[tuple[int, int]]:
    """First bank and length of each run of banks that deliver nothing."""
    runs: list[tuple[int, int]] = []
    for bank in range(BANKS):
        if bank in served:
            continue
        if runs and sum(runs[-1]) == bank:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((bank, 1))
    return runs


def deliveries(served: dict[str, Any]) -> list[tuple[int, int, tuple[int, ...]]]:
    """First bank, number of banks and lanes of each delivery; neighboring words for the same lanes are one."""
    boxes: list[tuple[int, int, int, tuple[int, ...]]] = []
    for bank, (word, lanes) in sorted(served.items()):
        if boxes:
            first, count, start, same = boxes[-1]
            if first + count == bank and start + count == word and same == lanes:
                boxes[-1] = (first, count + 1, start, same)
                continue
        boxes.append((bank, 1, word, lanes))
    return [(bank, count, lanes) for bank, count, _, lanes in boxes]
