"""CuTe layouts: shape:stride, nested, evaluated as arrays of offsets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from .checks import one_or_many, power_of_two, shown, whole
from .texts.cute import read_layout
from .texts.parts import MAX_DEPTH, congruent
from .texts.writing import layout_text

# More elements than shared memory has bits cannot be a tile of it.
MAX_SIZE = 1 << 24
# Offsets and coordinates are int64 in arrays.
MAX_OFFSET = (1 << 63) - 1


@dataclass(frozen=True, repr=False)
class Layout:
    """A map from coordinates to offsets, written shape:stride as CuTe does.

    Parameters
    ----------
    shape : int or nested tuple of int
        Positive sizes.
    stride : int or nested tuple of int, optional
        Offsets of one step in each extent, nested as `shape`; a negative one counts down. Left out, the layout
        is compact with its first mode fastest, as CuTe's is.

    Raises
    ------
    TypeError
        If an extent or a stride is not a whole number.
    ValueError
        If shape and stride are nested differently, or a number is out of range.

    Examples
    --------
    >>> Layout((8, 64), (64, 1))(2, 3)
    131
    >>> print(Layout(((8, 16), 64), ((64, 512), 1)))
    ((8,16),64):((64,512),1)
    """

    shape: int | tuple[Any, ...]
    # Left out it is filled in, so that whoever reads it finds one.
    stride: int | tuple[Any, ...] = None  # pyright: ignore[reportAssignmentType]

    def __post_init__(self) -> None:
        shape = _nested("shape", self.shape, 1)
        object.__setattr__(self, "shape", shape)
        stride = _compact(shape)[0] if self.stride is None else _nested("stride", self.stride, None)
        if not congruent(shape, stride):
            raise ValueError(f"stride {stride} is not nested as shape {shape} is")
        object.__setattr__(self, "stride", stride)
        if max(self.size, self.cosize, -self.lowest) > MAX_OFFSET:
            raise ValueError(
                f"a layout of {shown(self.size)} elements with offsets up to {shown(self.cosize - 1)} is too large: "
                "both must fit in 63 bits"
            )

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a layout as CuTe prints it: `(_8,_64):(_64,_1)`, `((2,4),8):((1,16),2)`.

        Raises
        ------
        TypeError
            If `text` is not a string.
        ValueError
            If it is no layout (the message points at the character), or a number is out of range.
        """
        return cls(*read_layout(text))

    @cached_property
    def modes(self) -> tuple[Layout, ...]:
        """The top-level modes, each a layout."""
        if isinstance(self.shape, int) or isinstance(self.stride, int):
            return (self,)
        return tuple(map(Layout, self.shape, self.stride))

    @property
    def rank(self) -> int:
        """The number of top-level modes."""
        return 1 if isinstance(self.shape, int) else len(self.shape)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The size of each top-level mode."""
        return tuple(mode.size for mode in self.modes)

    @property
    def is_flat(self) -> bool:
        """Whether no mode is nested."""
        return len(self.flat) == self.rank

    @cached_property
    def order(self) -> str | None:
        """ "row" or "column", by which neighbors are adjacent; None if neither are, or there are not two modes."""
        if self.rank != 2:
            return None
        row_step, col_step = (mode.flat[0][1] for mode in self.modes)
        rows, cols = self.sizes
        if col_step == 1 or (cols == 1 and row_step != 1):
            return "row"
        return "column" if row_step == 1 or rows == 1 else None

    @cached_property
    def size(self) -> int:
        """The number of coordinates."""
        return prod(extent for extent, _ in self.flat)

    @property
    def cosize(self) -> int:
        """One more than the largest offset."""
        return 1 + sum((extent - 1) * max(stride, 0) for extent, stride in self.flat)

    @property
    def lowest(self) -> int:
        """The smallest offset: 0 unless a stride is negative."""
        return sum((extent - 1) * min(stride, 0) for extent, stride in self.flat)

    @cached_property
    def flat(self) -> tuple[tuple[int, int], ...]:
        """The (extent, stride) pairs from first to last, nesting removed."""
        return tuple(zip(_leaves(self.shape), _leaves(self.stride)))

    def __call__(self, *coordinate: Any) -> Any:
        """Return the offset of a coordinate.

        Parameters
        ----------
        *coordinate : int, integer array or nested tuple
            One for each mode (arrays broadcast), or a single one for the whole layout. A number
            given for a nested mode counts through it, first extent fastest.

        Returns
        -------
        int or numpy.ndarray

        Raises
        ------
        ValueError
            If a coordinate lies outside its mode, or there are too many or too few.
        """
        if len(coordinate) == 1:
            return _offset(self, coordinate[0])
        if len(coordinate) != self.rank:
            raise ValueError(f"{self} has {self.rank} modes, but {len(coordinate)} coordinates were given")
        return _offset(self, tuple(coordinate))

    @property
    def offsets(self) -> np.ndarray:
        """All offsets as an int64 array with one axis a top-level mode.

        Raises
        ------
        ValueError
            If the layout has more elements than shared memory has bits.
        """
        if self.size > MAX_SIZE:
            raise ValueError(f"a layout of {shown(self.size)} elements is too large to list: at most {MAX_SIZE}")
        total = np.zeros((), np.int64)
        for mode in self.modes:
            total = np.add.outer(total, mode._line())
        return total

    def _line(self) -> np.ndarray:
        line = np.zeros(1, np.int64)
        for extent, stride in self.flat:
            line = np.add.outer(np.arange(extent) * stride, line).ravel()
        return line

    def recast(self, from_bits: int, to_bits: int) -> Layout:
        """Return the same memory counted in elements of another size.

        Parameters
        ----------
        from_bits, to_bits : int
            The sizes of the present and the wanted element in bits; powers of two up to 1024.

        Raises
        ------
        ValueError
            If larger elements would gather what is not adjacent, or smaller ones lie along no mode.

        Examples
        --------
        >>> print(Layout((8, 64), (64, 1)).recast(16, 32))
        (8,32):(32,1)
        """
        old = power_of_two("from_bits", from_bits, 1, 1024)
        new = power_of_two("to_bits", to_bits, 1, 1024)
        leaves = _split(self.flat, old // new) if new <= old else _gathered(self.flat, new // old)
        if leaves is None:
            raise ValueError(f"{self} cannot be counted in {new}-bit elements: its {old}-bit ones are not adjacent")
        sizes, strides = (iter(numbers) for numbers in zip(*leaves))
        return Layout(_refilled(self.shape, sizes), _refilled(self.shape, strides))

    def __str__(self) -> str:
        return layout_text(self.shape, self.stride, static=False)

    def __repr__(self) -> str:
        return f"Layout({self.shape!r}, {self.stride!r})"


def _nested(name: str, value, low: int | None, depth: int = 0):
    if depth > MAX_DEPTH:
        raise ValueError(f"{name} is nested more than {MAX_DEPTH} deep")
    if isinstance(value, (tuple, list)):
        if not value:
            raise ValueError(f"{name} holds an empty tuple: a mode needs at least one extent")
        return tuple(_nested(name, item, low, depth + 1) for item in value)
    return whole(name, value, low)


def _compact(shape, step: int = 1):
    if isinstance(shape, int):
        return step, step * shape
    strides = []
    for item in shape:
        stride, step = _compact(item, step)
        strides.append(stride)
    return tuple(strides), step


def _leaves(value) -> list[int]:
    return [value] if isinstance(value, int) else [leaf for item in value for leaf in _leaves(item)]


def _split(leaves: tuple[Any, ...], factor: int) -> tuple[Any, ...] | list[Any] | None:
    """The leaves counted in parts of an element: the leaf with stride 1 counts through the parts; None without one."""
    unit = next((place for place, (_, stride) in enumerate(leaves) if stride == 1), None)
    if unit is None:
        return leaves if factor == 1 else None
    return [
        (extent * factor, 1) if place == unit else (extent, stride * factor)
        for place, (extent, stride) in enumerate(leaves)
    ]


def _gathered(leaves: tuple[Any, ...], factor: int) -> list[Any] | None:
    """The leaves counted in groups of `factor` elements; None if the elements of a group are not adjacent."""
    groups = [min(extent, factor // stride) if 0 < stride < factor else 1 for extent, stride in leaves]
    # The small strides count through one group without a gap, each from where the one before ends; the others step over
    # whole groups.
    reached = 1
    for stride, extent, group in sorted((stride, extent, group) for (extent, stride), group in zip(leaves, groups)):
        fits = stride == reached and extent % group == 0 if group > 1 else extent == 1 or stride % factor == 0
        if not fits:
            return None
        reached *= group
    if reached != factor:
        return None
    return [
        (extent // group, 1 if 0 < stride < factor else stride // factor)
        for (extent, stride), group in zip(leaves, groups)
    ]


def _refilled(shape, numbers):
    """The nesting of `shape` with other numbers."""
    return next(numbers) if isinstance(shape, int) else tuple(_refilled(item, numbers) for item in shape)


def _offset(layout: Layout, coordinate: Any) -> Any:
    if isinstance(coordinate, tuple):
        if len(coordinate) != layout.rank:
            raise ValueError(f"{layout} has {layout.rank} modes, but coordinate {coordinate} has {len(coordinate)}")
        return sum(_offset(mode, item) for mode, item in zip(layout.modes, coordinate))
    index = one_or_many("coordinate", "coordinates", coordinate)
    single = isinstance(index, int)
    largest = index if single else int(index.max(initial=0))
    if largest >= layout.size:
        raise ValueError(f"coordinate {shown(largest)} is outside {layout}, which has {layout.size} elements")
    index = index if single else index.astype(np.int64, copy=False)
    offset = 0
    for extent, stride in layout.flat:
        offset = offset + index % extent * stride
        index = index // extent
    return offset
