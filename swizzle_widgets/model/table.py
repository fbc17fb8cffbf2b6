"""Maps given as tables of offsets: kept as they are, or recognized as a swizzled layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .checks import integers, shown, whole
from .layout import MAX_SIZE, Layout
from .swizzle import OFFSET_BITS, Swizzle, legal_swizzles


class Table:
    """A map from (row, col) to an offset, written out; it takes a `Layout`'s place in a tile.

    Parameters
    ----------
    offsets : integer array, shape (rows, cols)
        Not negative.

    Raises
    ------
    TypeError
        If the offsets are not integers.
    ValueError
        If they are not a table, too many or too large, or one is negative.
    """

    rank = 2
    is_flat = False

    def __init__(self, offsets: Any) -> None:
        table = integers("offsets", offsets)
        if table.ndim != 2 or not 1 <= table.size <= MAX_SIZE:
            raise ValueError(f"offsets must be a table of rows and columns, at most {MAX_SIZE}, not {table.shape}")
        if int(table.max()) >> OFFSET_BITS:
            raise ValueError(f"offsets must have at most {OFFSET_BITS} bits, but one is {table.max()}")
        self.offsets: np.ndarray = table.astype(np.int64)
        self.offsets.setflags(write=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of rows and columns."""
        return self.offsets.shape

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return self.offsets.size

    @property
    def cosize(self) -> int:
        """One more than the largest offset."""
        return 1 + int(self.offsets.max())

    @property
    def lowest(self) -> int:
        """A bound of the smallest offset, as `Layout.lowest`: 0."""
        return 0

    @property
    def order(self) -> str | None:
        """As `Layout.order`, read off the first neighbors."""
        rows, cols = self.sizes
        first = self.offsets[0, 0]
        row_step = self.offsets[1, 0] - first if rows > 1 else 0
        col_step = self.offsets[0, 1] - first if cols > 1 else 0
        if col_step == 1 or (cols == 1 and row_step != 1):
            return "row"
        return "column" if row_step == 1 or rows == 1 else None

    def __call__(self, row: Any, col: Any) -> Any:
        """Return the offset of (row, col): ints, or integer arrays, which broadcast."""
        rows, cols = integers("rows", row), integers("cols", col)
        if rows.max(initial=0) >= self.sizes[0] or cols.max(initial=0) >= self.sizes[1]:
            raise ValueError(f"a coordinate is outside {self}")
        found = self.offsets[rows, cols]
        return found if np.ndim(found) else int(found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and np.array_equal(self.offsets, other.offsets)

    def __hash__(self) -> int:
        return hash((self.sizes, self.offsets.tobytes()))

    def __str__(self) -> str:
        return f"table of {self.sizes[0]}x{self.sizes[1]} offsets"

    def __repr__(self) -> str:
        return f"Table({self.offsets.tolist()!r})"


def recognized(table: Table) -> tuple[Layout | Table, Swizzle | None, int]:
    """Return layout, swizzle and offset with table(r, c) == swizzle(offset + layout(r, c)).

    Every layout with strides that are not negative is found, alone or under the simplest of the legal
    swizzles that fit. What is none of these comes back as it is, with no swizzle and the offset 0.
    """
    offsets = table.offsets
    corner = np.ix_(*(_corners(extent) for extent in table.sizes))
    for swizzle in legal_swizzles(OFFSET_BITS, int(offsets.max()).bit_length()):
        if _is_sum(swizzle(offsets[corner])):
            plain = swizzle(offsets)
            layout = plain_layout(plain - plain[0, 0])
            if layout is not None:
                return layout, None if swizzle.is_identity else swizzle, int(plain[0, 0])
    return table, None, 0


def xor_note(table: Table) -> str:
    """Say of how many fields a map is an XOR that no single swizzle makes; "" if it is none.

    In an XOR each bit of the offset is the XOR of some bits of row and column. A field is a run of neighboring bits
    XORed into a run of neighboring lower ones, as a swizzle's is.
    """
    rows, cols = table.sizes
    if rows & (rows - 1) or cols & (cols - 1):
        return ""
    offsets, first = table.offsets, int(table.offsets[0, 0])
    row_bits = [int(offsets[1 << bit, 0]) ^ first for bit in range(rows.bit_length() - 1)]
    col_bits = [int(offsets[0, 1 << bit]) ^ first for bit in range(cols.bit_length() - 1)]
    if not np.array_equal(offsets, first ^ _xor_of(row_bits, rows)[:, None] ^ _xor_of(col_bits, cols)):
        return ""
    fields = _fields(row_bits + col_bits)
    if fields < 2:
        return "an XOR of rows and columns, but no Swizzle<B,M,S> does it"
    words = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
    return f"an XOR, but of {words.get(fields, fields)} fields: no Swizzle<B,M,S> does it"


def _xor_of(bases: list[int], count: int) -> np.ndarray:
    """The XOR of the bases whose bits are set in 0 .. count - 1."""
    total = np.zeros(count, np.int64)
    for bit, base in enumerate(bases):
        total ^= np.where(np.arange(count) >> bit & 1, base, 0)
    return total


def _fields(bases: list[int]) -> int:
    """The number of runs of neighboring (distance, target bit) pairs: what is XORed in beside each base's own bit."""
    pairs = set()
    for base in bases:
        own = base.bit_length() - 1
        pairs |= {(own - bit, bit) for bit in range(own) if base >> bit & 1}
    return sum((distance, bit - 1) not in pairs for distance, bit in pairs)


def plain_layout(offsets: np.ndarray) -> Layout | None:
    """Return the layout with these offsets, shape (rows, cols), of which the first is 0; None if there is none."""
    if not _is_sum(offsets) or offsets[0, 0]:
        return None
    modes = [mode for line in (offsets[:, 0], offsets[0]) if (mode := _mode(line)) is not None]
    if len(modes) < 2:
        return None
    shape, stride = zip(*(map(_unwrapped, zip(*mode)) for mode in modes))
    return Layout(shape, stride)


def _corners(extent: int) -> list[int]:
    """0 and the powers of two below `extent`: few enough to test hundreds of swizzles on."""
    return [0, *(1 << bit for bit in range((extent - 1).bit_length()))]


def _is_sum(offsets: np.ndarray) -> bool:
    """Whether rows and columns contribute independently."""
    return np.array_equal(offsets, offsets[:, :1] + offsets[:1] - offsets[0, 0])


def _unwrapped(numbers: tuple[Any, ...]):
    return numbers[0] if len(numbers) == 1 else numbers


def _mode(line: np.ndarray) -> list[tuple[int, int]] | None:
    """The (extent, stride) pairs that count through `line`, first fastest; None if there are none."""
    if len(line) == 1:
        return [(1, 0)]
    stride = int(line[1])
    straight = int(np.argmin(np.append(line == stride * np.arange(len(line)), False)))
    for extent in range(straight, 1, -1):
        blocks = line.reshape(-1, extent) if len(line) % extent == 0 else None
        if stride >= 0 and blocks is not None and (blocks - blocks[:, :1] == blocks[0]).all():
            rest = _mode(blocks[:, 0]) if len(blocks) > 1 else []
            return None if rest is None else [(extent, stride), *rest]
    return None


def tabulated(function: Callable[..., Any], shape: Any, stage: int) -> np.ndarray:
    """Return the offsets of a callable map, int array of shape (rows, cols).

    Raises
    ------
    ValueError
        If the shape is missing or too large, or the map has no stages to choose from.
    """
    shape = getattr(function, "shape", None) if shape is None else shape
    try:
        rows, cols, *stages = Layout(tuple(shape)).sizes
        (count,) = stages or (1,)
    except (TypeError, ValueError):
        raise ValueError(f"shape = {shape!r}: a map needs the shape (rows, cols)") from None
    if rows * cols > MAX_SIZE:
        raise ValueError(f"a map of {shown(rows * cols)} elements is too large: at most {MAX_SIZE}")
    behind = (whole("stage", stage, 0, count - 1),) if stages else ()
    if stage and not stages:
        raise ValueError(f"stage = {stage}, but shape = {shape!r} has no third extent to count stages")
    try:
        function(0, 0, *behind)

        def at(row, col):
            return function(row, col, *behind)
    except TypeError:
        # Layouts of the CuTe DSL take one coordinate.
        def at(row, col):
            return function((row, col, *behind))

    return np.array([[whole("offset", at(row, col), 0) for col in range(cols)] for row in range(rows)])
