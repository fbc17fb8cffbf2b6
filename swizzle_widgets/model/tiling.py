"""The requests of a copy as arrays: which vector each lane of each warp moves in each step over a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .checks import plural
from .hardware import KIND_WIDTHS, MATRIX_LANES, WARP_LANES
from .patterns import INACTIVE
from .tile import Tile


@dataclass(frozen=True, eq=False)
class CopyRequests:
    """All requests of a copy, in order: stage by stage, step by step (down first), warp by warp, vector by vector.

    Attributes
    ----------
    width : int
        Bytes a lane.
    rows, cols : int64 array, shape (n, 32)
        The first element of each lane's vector; -1 for a lane that takes no part.
    addresses : int64 array, shape (n, 32)
        The byte address of the aligned vector after the swizzle; 0 for a lane that takes no part.
    torn : bool array, shape (n,)
        Whether the swizzle tears a vector of the request apart: no instruction moves it.
    reordered : bool array, shape (n,)
        Whether it keeps every vector in its own aligned bytes, but moves elements within one.
    places : int64 array, shape (n, 5)
        Stage, row and column of the step's corner, warp, and the vector's number.
    """

    width: int
    rows: np.ndarray
    cols: np.ndarray
    addresses: np.ndarray
    torn: np.ndarray
    reordered: np.ndarray
    places: np.ndarray

    @property
    def active(self) -> np.ndarray:
        """Which lanes take part, bool of shape (n, 32)."""
        return self.rows != INACTIVE


@dataclass(frozen=True, eq=False)
class HeldValues:
    """What the threads hold of every step: rows, cols and whether inside, each of shape (steps, threads, values)."""

    stages: Sequence[Tile]
    rows: np.ndarray
    cols: np.ndarray
    inside: np.ndarray
    corners: np.ndarray

    @classmethod
    def of(cls, stages: Sequence[Tile], indices: np.ndarray, tiler: tuple[int, int], predicate: bool) -> HeldValues:
        """Lay the tiler over the tile; `indices` (threads, values) count through it, first mode fastest."""
        tile = stages[0]
        sizes = (tile.rows, tile.cols)
        if not predicate and any(size % step for size, step in zip(sizes, tiler)):
            raise ValueError(
                f"the tiler of {tiler[0]}x{tiler[1]} does not divide the tile of {tile.rows}x{tile.cols}: "
                "predicate=True leaves out the lanes beyond it"
            )
        down, across = (-(-size // step) for size, step in zip(sizes, tiler))
        step = np.arange(down * across)
        corners = np.stack([step % down * tiler[0], step // down * tiler[1]], 1)
        rows = corners[:, 0, None, None] + indices % tiler[0]
        cols = corners[:, 1, None, None] + indices // tiler[0]
        return cls(stages, rows, cols, (rows < tile.rows) & (cols < tile.cols), corners)

    def widths(self, kind: str) -> list[int]:
        """The widths in bytes that could be tried, widest first."""
        values, bits = self.rows.shape[2], self.stages[0].element_bits
        return [
            width
            for width in reversed(KIND_WIDTHS[kind])
            if 8 * width % bits == 0 and values % (8 * width // bits) == 0
        ]

    def chosen_width(self, width: int | None, kind: str) -> int:
        """The width as asked for, if every thread can have it, or the widest that all can."""
        widths = self.widths(kind)
        if width is not None:
            if width not in widths:
                values, tile = self.rows.shape[2], self.stages[0]
                raise ValueError(
                    f"{plural(values, f'{tile.dtype} value')} of a thread are no vectors of {plural(width, 'byte')}"
                )
            if fault := self.fault(width):
                raise ValueError(fault)
            return width
        narrowest, fault = None, f"{plural(self.rows.shape[2], 'value')} of a thread fill no whole bytes"
        for candidate in widths:
            if not (fault := self.fault(candidate)):
                if self.whole(candidate):
                    return candidate
                narrowest = candidate
        if narrowest is None:
            raise ValueError(f"no width fits all threads: {fault}")
        # What the swizzle cuts at every width stays at the narrowest, where the report says so.
        return narrowest

    def fault(self, width: int) -> str:
        """Why some thread's values are no vectors of `width` bytes before the swizzle; "" if all are."""
        tile = self.stages[0]
        count = 8 * width // tile.element_bits
        if not self._all_inside:
            vectors = self._vectors(self.inside, count)
            partly = np.any(vectors, axis=-1) & ~np.all(vectors, axis=-1)
            if partly.any():
                return f"{self._who(partly, count)} is partly outside the tile, and a predicate takes whole vectors"
        inside = self.inside[..., ::count]
        for stage, offsets, breaks in zip(self.stages, self._offsets, self._breaks):
            apart = inside & _broken(breaks, count)
            if apart.any():
                return f"{self._who(apart, count)} is no run of neighbors in {stage.layout}"
            bits = offsets[..., ::count] * stage.element_bits + 8 * stage.base_address
            astray = inside & (bits & 8 * width - 1 != 0)
            if astray.any():
                first = int(bits[tuple(np.argwhere(astray)[0])])
                where = f"byte {first // 8}" if first % 8 == 0 else f"bit {first}"
                return f"{self._who(astray, count)} starts at {where}, no multiple of {plural(width, 'byte')}"
        return ""

    def whole(self, width: int) -> bool:
        """Whether the swizzle leaves every vector of `width` bytes whole."""
        count = 8 * width // self.stages[0].element_bits
        inside = self.inside[..., ::count]
        return not any((_broken(moves, count) & inside).any() for moves in self._moves)

    def requests(self, width: int, lanes: int) -> CopyRequests:
        """The requests, of which each warp's first `lanes` take part; those without an active lane are left out."""
        parts = [self._stage(number, width, lanes) for number in range(len(self.stages))]
        return CopyRequests(width, *(np.concatenate(arrays) for arrays in zip(*parts)))

    def _stage(self, number: int, width: int, lanes: int) -> tuple[np.ndarray, ...]:
        count = 8 * width // self.stages[number].element_bits
        inside = self.inside[..., ::count]
        first = self._bits[number][..., ::count] & -8 * width
        torn = moved = _broken(self._moves[number], count)
        if moved.any():
            torn = (self._vectors(self._bits[number], count) & -8 * width != first[..., None]).any(axis=-1)
        active = by_warp(inside, False)
        active[:, lanes:] = False
        kept = active.any(axis=1)
        places = (by_warp(at[..., ::count], INACTIVE) for at in (self.rows, self.cols))
        rows, cols = (np.where(active, at, INACTIVE)[kept] for at in places)
        addresses, torn, moved = (np.where(active, by_warp(of, 0), 0)[kept] for of in (first >> 3, torn, moved))
        torn, moved = np.any(torn, axis=1), np.any(moved, axis=1)
        return rows, cols, addresses, torn, moved & ~torn, self._places(number, inside.shape)[kept]

    def _places(self, stage: int, shape: tuple[int, ...]) -> np.ndarray:
        steps, threads, vectors = shape
        warps = -(-threads // WARP_LANES)
        step, warp, vector = (axis.ravel() for axis in np.indices((steps, warps, vectors)))
        return np.column_stack([np.full(len(step), stage), self.corners[step], warp, vector])

    @cached_property
    def _offsets(self) -> list[np.ndarray]:
        """For each stage the element offsets before the swizzle; that of (0, 0) for what is outside."""
        rows, cols = self.rows, self.cols
        if not self._all_inside:
            rows, cols = np.where(self.inside, rows, 0), np.where(self.inside, cols, 0)
        places = rows * self.stages[0].cols + cols
        return [stage.layout.offsets.take(places) for stage in self.stages]

    @cached_property
    def _bits(self) -> list[np.ndarray]:
        """For each stage where the elements lie, in bits."""
        return [stage.bit_addresses(offsets) for stage, offsets in zip(self.stages, self._offsets)]

    @cached_property
    def _breaks(self) -> list[np.ndarray]:
        """For each stage where the next value of a thread is no neighbor before the swizzle."""
        return [_not_rising(offsets, 1) for offsets in self._offsets]

    @cached_property
    def _moves(self) -> list[np.ndarray]:
        """For each stage where the next value of a thread is no neighbor in shared memory."""
        return [_not_rising(bits, stage.element_bits) for stage, bits in zip(self.stages, self._bits)]

    @cached_property
    def _all_inside(self) -> bool:
        return bool(self.inside.all())

    @staticmethod
    def _vectors(array: np.ndarray, count: int) -> np.ndarray:
        return array.reshape(*array.shape[:2], -1, count)

    def _who(self, wrong: np.ndarray, count: int) -> str:
        """The first vector at fault in words: "thread 3, values 8 to 15 from (0, 24)"."""
        step, thread, vector = np.argwhere(wrong)[0]
        first = int(vector) * count
        at = (int(self.rows[step, thread, first]), int(self.cols[step, thread, first]))
        # One value alone is in every respect whole.
        return f"thread {thread}, values {first} to {first + count - 1} from {at}"


def _not_rising(values: np.ndarray, step: int) -> np.ndarray:
    """Where the next along the last axis is not `step` more; False at the last."""
    found = np.zeros(values.shape, bool)
    np.not_equal(values[..., 1:] - values[..., :-1], step, out=found[..., :-1])
    return found


def _broken(breaks: np.ndarray, count: int) -> np.ndarray:
    """Which vectors of `count` values have a break inside, shape (steps, threads, vectors)."""
    broken = np.zeros_like(breaks[..., ::count])
    for place in range(count - 1):
        broken |= breaks[..., place::count]
    return broken


def by_warp(array: np.ndarray, fill: Any) -> np.ndarray:
    """(steps, threads, vectors) as requests (steps * warps * vectors, 32); `fill` where the last warp is short."""
    steps, threads, vectors = array.shape
    warps = -(-threads // WARP_LANES)
    full = np.full((steps, warps * WARP_LANES, vectors), fill, array.dtype)
    full[:, :threads] = array
    return full.reshape(steps, warps, WARP_LANES, vectors).swapaxes(2, 3).reshape(-1, WARP_LANES)


def check_matrix_lanes(kind: str, requests: CopyRequests, lanes: int) -> None:
    """Refuse ldmatrix and stmatrix of which a lane would have to stay out."""
    active = requests.active[:, :lanes]
    short = ~active.all(axis=1)
    if short.any():
        lane = int(np.flatnonzero(~active[np.flatnonzero(short)[0]])[0])
        raise ValueError(
            f"{kind}.x{lanes // MATRIX_LANES[0]} takes {lanes} row addresses, "
            f"but lane {lane} of a warp has none: it cannot be predicated lane by lane"
        )
