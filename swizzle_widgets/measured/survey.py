"""Requests at random, the same on every machine: of every instruction, in several families."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.checks import whole
from ..model.hardware import WARP_LANES
from ..model.swizzle import Swizzle
from .requests import FAMILIES, INSTRUCTIONS, LANES, SOURCE_BYTES, Requests


def survey(per_family: int, seed: int) -> Requests:
    """Return random requests of every instruction and of the families random ... source.

    Parameters
    ----------
    per_family : int
        How many of each instruction and family; there are 148 such pairs.
    seed : int
        The same seed gives the same requests on every machine and NumPy.
    """
    whole("per_family", per_family, 1)
    draw = Draw(whole("seed", seed, 0))
    parts = []
    for which, instruction in enumerate(INSTRUCTIONS):
        for family, make in _FAMILIES.items():
            if (family == "partial" and instruction.is_matrix) or (family == "source" and not instruction.is_async):
                continue
            addresses = make(draw, per_family, instruction.width)
            active = np.broadcast_to(instruction.lanes > LANES, addresses.shape)
            if family == "partial":
                active = _some_lanes(draw, per_family)
            sources = _mixed(draw, per_family, instruction.width) % SOURCE_BYTES if family == "source" else None
            parts.append(Requests._filled(which, FAMILIES.index(family), addresses, active, sources))
    return Requests.joined(parts)


class Draw:
    """Random integers whose stream NumPy promises not to change: the raw output of PCG64."""

    def __init__(self, seed: int):
        self._raw = np.random.PCG64(seed).random_raw

    def below(self, limit: Any, shape: Any) -> np.ndarray:
        """Integers from 0 to limit - 1; limit may be an array that broadcasts to the shape."""
        raw = self._raw(int(np.prod(shape))) >> np.uint64(11)
        return (raw.reshape(shape) % np.asarray(limit, np.uint64)).astype(np.int64)


def _random(draw: Draw, count: int, width: int) -> np.ndarray:
    lines = 1 << draw.below(7, (count, 1))
    return draw.below(lines * (128 // width), (count, WARP_LANES)) * width


def _strided(draw: Draw, count: int, width: int) -> np.ndarray:
    stride = draw.below(1024 // width + 1, (count, 1))
    start = draw.below(64, (count, 1))
    return (start + LANES * stride) * width


def _swizzled(draw: Draw, count: int, width: int) -> np.ndarray:
    """Lanes on a block of a row-major tile, under a random swizzle that leaves vectors whole."""
    pitch = 16 << draw.below(6, (count, 1))
    across = np.minimum(1 << draw.below(6, (count, 1)), pitch // width)
    by_rows = draw.below(2, (count, 1)) == 1
    row, col = np.where(by_rows, LANES // across, LANES % (32 // across.clip(max=32))), 0
    col = np.where(by_rows, LANES % across, LANES // (32 // across.clip(max=32)))
    first = draw.below(pitch // width, (count, 1))
    plain = row * pitch + (first + col) * width % pitch
    bits, base, extra = draw.below(6, count), draw.below(3, count) + width.bit_length() - 1, draw.below(4, count)
    swizzles = map(Swizzle, bits.tolist(), base.tolist(), (bits + extra).tolist())
    return np.stack([swizzle(addresses) for swizzle, addresses in zip(swizzles, plain)])


def _broadcast(draw: Draw, count: int, width: int) -> np.ndarray:
    """Few addresses, each wanted by many lanes: in runs, in turns, or at random."""
    groups = 1 << draw.below(5, (count, 1))
    shared = draw.below(4096 // width, (count, 16)) * width
    pattern = draw.below(3, (count, 1))
    chosen = np.where(pattern == 0, LANES * groups // 32, LANES % groups)
    chosen = np.where(pattern == 2, draw.below(groups, (count, WARP_LANES)), chosen)
    return np.take_along_axis(shared, chosen, axis=1)


def _pairs(draw: Draw, count: int, width: int) -> np.ndarray:
    """Lanes l and l xor step on one address; the step may be another in the upper half, and one lane astray."""
    steps = np.array([1, 2, 1, 2, 3, 4, 8, 16])
    lower = steps[draw.below(len(steps), (count, 1))]
    upper = np.where(draw.below(3, (count, 1)) > 0, lower, steps[draw.below(4, (count, 1))])
    step = np.where(LANES < 16, lower, upper)
    free = _random(draw, count, width)
    paired = np.take_along_axis(free, np.minimum(LANES, LANES ^ step), axis=1)
    astray = (draw.below(4, (count, 1)) == 0) & (draw.below(WARP_LANES, (count, 1)) == LANES)
    return np.where(astray, draw.below(128 // width, (count, 1)) * width, paired)


def _mixed(draw: Draw, count: int, width: int) -> np.ndarray:
    kinds = [make(draw, count, width) for make in (_random, _strided, _swizzled, _broadcast, _pairs)]
    return np.stack(kinds)[draw.below(len(kinds), count), np.arange(count)]


_FAMILIES = {
    "random": _random, "strided": _strided, "swizzled": _swizzled, "broadcast": _broadcast, "pairs": _pairs,
    "partial": _mixed, "source": _mixed,
}  # fmt: skip


def _some_lanes(draw: Draw, count: int) -> np.ndarray:
    """Masks: the first lanes, every so-manieth lane, whole groups of eight, or lanes at random; never none."""
    style = draw.below(4, (count, 1))
    first = draw.below(31, (count, 1)) >= LANES
    every = LANES % (draw.below(4, (count, 1)) + 2) == 0
    eights = np.repeat(draw.below(2, (count, 4)) == 1, 8, axis=1)
    some = draw.below(8, (count, WARP_LANES)) < draw.below(8, (count, 1)) + 1
    active = np.select([style == 0, style == 1, style == 2], [first, every, eights], some)
    active[~active.any(axis=1), 0] = True
    return active
