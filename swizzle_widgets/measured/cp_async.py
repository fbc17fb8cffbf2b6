"""cp.async with a source that streams: the destinations that were tried, with banks and lines varied separately."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model.hardware import LINE_BYTES, WARP_LANES
from .requests import INSTRUCTION_NAMES, INSTRUCTIONS, Requests
from .survey import Draw

NAMES = ("cp.async.ca.4", "cp.async.ca.8", "cp.async.ca.16", "cp.async.cg.16")
# Who copies: one multiprocessor, or all of them, each from 128 KiB of its own that stay in L2.
WHO = ("one multiprocessor", "all multiprocessors")
REGION_BYTES = 128 * 1024
# Every copy under way has so many bytes to itself.
SPAN_BYTES = 4096
ROUNDS = 5
FAMILIES = ("spread", "mixed", "xor", "rotated", "shifted", "swizzled", "runs", "padded", "random")
SEED = 2028
_RANDOM = 60


@dataclass(frozen=True)
class Destinations:
    """Where copies go.

    Attributes
    ----------
    requests : Requests
        Each from a dense source.
    lines, ways : int64 array (n,)
        For a group of lanes that fill 128 bytes: how many 128-byte lines they touch, and how many of them want one
        bank (words of that bank, that is). 0 for destinations drawn at random.
    shared : bool array (n,)
        Whether all groups of the warp touch the same lines.
    family : str array (n,)
        One of FAMILIES.
    """

    requests: Requests
    lines: np.ndarray
    ways: np.ndarray
    shared: np.ndarray
    family: np.ndarray


def destinations() -> Destinations:
    """Return every destination that was measured, the same on every machine."""
    draw = Draw(SEED)
    parts, notes = [], []
    for name in NAMES:
        width = INSTRUCTIONS[INSTRUCTION_NAMES.index(name)].width
        group = LINE_BYTES // width
        for note in _grid(group):
            plain = _placed(*note, group, width)
            mixed = plain[np.concatenate([start + _order(draw, group) for start in range(0, WARP_LANES, group)])]
            parts += [Requests.of(name, plain), Requests.of(name, mixed)]
            notes += [(*note, "spread"), (*note, "mixed")]
        for family, addresses in _in_runs(width):
            parts.append(Requests.of(name, addresses))
            notes.append((0, 0, False, family))
        fewest = width * WARP_LANES // LINE_BYTES
        lines = fewest + draw.below(WARP_LANES + 1 - fewest, _RANDOM)
        places = [_order(draw, count * LINE_BYTES // width)[:WARP_LANES] for count in lines.tolist()]
        parts.append(Requests.of(name, np.array(places) * width))
        notes += [(0, 0, False, "random")] * _RANDOM
    lines, ways, shared, family = map(np.array, zip(*notes))
    return Destinations(Requests.joined(parts), lines, ways, shared, family)


def _in_runs(width: int):
    """Yield families and addresses in which neighboring lanes stay neighbors: what a tile's rows make of a copy."""
    lane, group = np.arange(WARP_LANES), LINE_BYTES // width
    number, place = np.divmod(lane, group)
    for step in range(8):
        # Every line in another order, as under a swizzle of 16-byte granules; and all in one.
        yield "xor", (number * group + (place ^ step * 16 // width)) * width
        yield "rotated", (number * group + (place + step * 16 // width) % group) * width
        yield "shifted", lane * width + step * 16
    yield "swizzled", (number * group + (place ^ number % 8 * 16 // width)) * width
    for run in (1, 2, 4, 8, 16, 32):
        if run <= group:
            # Runs of lanes, each on a line of its own, at its place in the line; and rows padded by 16 bytes.
            yield "runs", (lane // run * group + place) * width
            yield "padded", lane // run * (run * width + 16) + lane % run * width


def _grid(group: int):
    """Yield lines, ways and whether the groups of a warp share lines: everything that fits."""
    powers = [1 << k for k in range(group.bit_length())]
    for lines in powers:
        for ways in powers:
            if ways <= lines:
                yield lines, ways, False
                if 1 < WARP_LANES // group <= lines:
                    yield lines, ways, True


def _placed(lines: int, ways: int, shared: bool, group: int, width: int) -> np.ndarray:
    """Addresses of 32 lanes: each group on `lines` lines, `ways` lanes in every bank that it touches."""
    number, lane = np.divmod(np.arange(WARP_LANES), group)
    turn, line = np.divmod(lane, lines)
    each = group // lines
    place = (line // ways * each + turn + number * each) % group
    return (line + (0 if shared else number * lines)) * LINE_BYTES + place * width


def _order(draw: Draw, count: int) -> np.ndarray:
    return np.argsort(draw.below(1 << 40, count), kind="stable")
