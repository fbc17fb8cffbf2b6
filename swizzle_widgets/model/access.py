"""An access: one instruction of a warp on a tile, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .banks import bank_report, words_report
from .hardware import MATRIX_WIDTH, ORDERED_KINDS, WARP_LANES, WORD_BYTES
from .patterns import INACTIVE, Pattern, elements
from .reports import BankReport, instruction_name
from .tile import Tile
from .units import unit_size
from .vectors import reordered, torn

WORD_BITS = 8 * WORD_BYTES


@dataclass(frozen=True)
class Access:
    """One instruction of a warp on a tile.

    Use the class methods: `column`, `row`, `cp_async`, `ldmatrix`, `stmatrix`, `at` for any
    coordinates and `offsets` for any element offsets.

    A lane touches `width` bytes: a vector of neighboring elements in the tile's own order (along
    a row of a row-major tile, along a column of a column-major one), starting at the lane's element.

    Parameters
    ----------
    tile : Tile
    pattern : Pattern
        The class method and its arguments.

    Attributes
    ----------
    starts : tuple of int
        For each of the 32 lanes the offset of its first element, in elements, before the
        swizzle; -1 for a lane that takes no part.
    width : int
        Bytes a lane.
    kind : str
        "load", "store", "ldmatrix", "stmatrix", "cp.async.cg" or "cp.async.ca".
    name : str
        The pattern in words, such as "column 0".

    Raises
    ------
    TypeError, ValueError
        If the pattern is none, or does not fit the tile.
    """

    tile: Tile
    pattern: Pattern = field(compare=False)
    starts: tuple[int, ...] = field(init=False)
    width: int = field(init=False)
    kind: str = field(init=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.pattern, Pattern):
            raise TypeError(f"pattern must be a Pattern, not {self.pattern!r}; Access.from_spec takes a dict")
        for name, value in self.pattern.on(self.tile)._asdict().items():
            object.__setattr__(self, name, value)

    @classmethod
    def column(cls, tile: Tile, col: int = 0, row: int = 0, width: int | None = None, kind: str = "load") -> Access:
        """Lane l touches row `row` + l of column `col`; lanes beyond the last row take no part.

        Parameters
        ----------
        tile : Tile
        col, row : int
            The element that lane 0 touches.
        width : int, optional
            Bytes a lane; one element, but at least one byte, if left out.
        kind : str
            "load" or "store".

        Raises
        ------
        TypeError, ValueError
            If the element is outside the tile, the width is no instruction, or a vector does not
            fit or is not aligned.
        """
        return cls(tile, Pattern.of("column", col=col, row=row, width=width, kind=kind))

    @classmethod
    def row(cls, tile: Tile, row: int = 0, col: int = 0, width: int | None = None, kind: str = "load") -> Access:
        """Lane l touches the l-th vector of row `row`, counted from column `col`; lanes beyond the end take no part.

        Parameters and errors are those of `column`.
        """
        return cls(tile, Pattern.of("row", row=row, col=col, width=width, kind=kind))

    @classmethod
    def cp_async(cls, tile: Tile, line: int = 0, width: int = MATRIX_WIDTH, cache: str | None = None) -> Access:
        """The warp fills whole lines (rows, or columns in column order) one after the other by cp.async.

        Parameters
        ----------
        tile : Tile
        line : int
            The line that lane 0 begins.
        width : int
            Bytes a lane: 4, 8 or 16.
        cache : str, optional
            "cg" (past L1) has no bank conflicts and pays for the 128-byte lines of its destination; only
            16 bytes a lane. "ca" (through L1) costs as a store whose lanes share no words. Left out, "cg"
            where the width allows it.

        Raises
        ------
        TypeError, ValueError
            If there is no such instruction, the line is outside the tile, or the line's length is
            not a multiple of the width.
        """
        return cls(tile, Pattern.of("cp_async", line=line, width=width, cache=cache))

    @classmethod
    def ldmatrix(cls, tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Access:
        """Load `num` 8x8 matrices of 16-bit elements (8 lines of 16 bytes each) whose corner is (row, col).

        Lane l gives the address of line l % 8 of matrix l // 8. x1 is one matrix, x2 two below each
        other, x4 a square of two by two: first down, then across; with `trans` first across, then down.
        Elements of other sizes move in 16-bit halves or groups, which `name` says.

        Parameters
        ----------
        tile : Tile
        row, col : int
            The element in the corner.
        num : int
            1, 2 or 4 matrices (x1, x2, x4).
        trans : bool
            Whether the instruction is the .trans form. It changes the order of the four matrices
            in the usual use, never the cost.

        Raises
        ------
        TypeError, ValueError
            If the matrices do not fit into the tile, or a line's 16 bytes are not aligned.
        """
        return cls(tile, Pattern.of("ldmatrix", row=row, col=col, num=num, trans=trans))

    @classmethod
    def stmatrix(cls, tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Access:
        """Store `num` 8x8 matrices; parameters and errors are those of `ldmatrix`."""
        return cls(tile, Pattern.of("stmatrix", row=row, col=col, num=num, trans=trans))

    @classmethod
    def at(
        cls,
        tile: Tile,
        rows: int | Sequence[int] | np.ndarray,
        cols: int | Sequence[int] | np.ndarray,
        width: int | None = None,
        kind: str = "load",
        name: str = "chosen elements",
    ) -> Access:
        """Lane l touches the vector that starts at (rows[l], cols[l]).

        Parameters
        ----------
        tile : Tile
        rows, cols : int or sequence of int
            One a lane, at most 32 (they broadcast); -1 in both marks a lane that takes no part.
        width : int, optional
            Bytes a lane; 16 for ldmatrix, stmatrix and cp.async, else one element, if left out.
        kind : str
            "load", "store", "ldmatrix", "stmatrix", "cp.async.cg" or "cp.async.ca".
        name : str
            The pattern in words.

        Raises
        ------
        TypeError, ValueError
            As `column`.
        """
        return cls(tile, Pattern.of("at", rows=rows, cols=cols, width=width, kind=kind, name=name))

    @classmethod
    def offsets(
        cls,
        tile: Tile,
        offsets: Sequence[int] | np.ndarray,
        width: int | None = None,
        kind: str = "load",
        name: str = "chosen offsets",
    ) -> Access:
        """Lane l touches the vector that starts `offsets[l]` elements into the tile, counted before the swizzle.

        Parameters
        ----------
        tile : Tile
        offsets : sequence of int
            At most 32; -1 marks a lane that takes no part. They need not lie in the tile's layout.
        width, kind, name
            As for `at`.

        Raises
        ------
        TypeError, ValueError
            If there are more than 32 offsets, the width is no instruction for the kind, or an
            address is not a whole byte, not a multiple of the width or is beyond shared memory.
        """
        return cls(tile, Pattern.of("offsets", offsets=offsets, width=width, kind=kind, name=name))

    @classmethod
    def from_spec(cls, tile: Tile, spec: dict[str, Any]) -> Access:
        """Return the access that `spec` describes: {"pattern": the class method's name, its arguments ...}.

        Raises
        ------
        TypeError, ValueError
            If the pattern is unknown, an argument is not one of its own, or the class method refuses it.
        """
        return cls(tile, Pattern.of_spec(spec))

    @property
    def spec(self) -> dict[str, Any]:
        """The pattern as a dict of JSON values, as `from_spec` takes it."""
        return self.pattern.spec

    def on(self, tile: Tile) -> Access:
        """Return the same pattern and instruction on another tile (padded or swizzled, say).

        Raises
        ------
        ValueError
            If the pattern does not fit there; if it was made from offsets and the other tile has
            another layout, also if a lane's start is no element of this tile.
        """
        if self.pattern.name != "offsets" or not isinstance(tile, Tile) or tile.layout == self.tile.layout:
            return Access(tile, self.pattern)
        rows, cols = self.coordinates
        return Access.at(tile, rows, cols, self.width, self.kind, self.name)

    @property
    def instruction(self) -> str:
        """The instruction's name, such as LDS.128, ldmatrix.x4 or cp.async.cg.16."""
        return instruction_name(self.kind, self.width, sum(start >= 0 for start in self.starts))

    @cached_property
    def coordinates(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each lane's first element, int64 of shape (32,), -1 for a lane that takes no part.

        Raises
        ------
        ValueError
            If a lane starts at an offset that is no element of the tile.
        """
        offsets = self.tile.layout.offsets.ravel()
        order = np.argsort(offsets, kind="stable")
        starts = np.asarray(self.starts)
        place = order[np.searchsorted(offsets, starts, sorter=order).clip(max=len(order) - 1)]
        stray = self._active & (offsets[place] != starts)
        if stray.any():
            lane = int(np.flatnonzero(stray)[0])
            raise ValueError(f"lane {lane} starts at offset {starts[lane]}, which is no element of {self.tile}")
        rows, cols = np.divmod(place, self.tile.cols)
        return np.where(self._active, rows, INACTIVE), np.where(self._active, cols, INACTIVE)

    @cached_property
    def addresses(self) -> np.ndarray:
        """Byte address of each lane's vector after the swizzle, int64 of shape (32,); 0 for inactive lanes.

        Of a reordered vector the aligned address of its bytes, of a torn one that of its first element.
        """
        first = self._bits[:, 0] >> 3
        if self.vectors == "whole":
            return first
        return np.where(self._reordered, first // self.width * self.width, first)

    @property
    def vectors(self) -> str:
        """What the swizzle leaves of the lanes' vectors: "whole", "reordered" or "torn", the worst of all lanes.

        A reordered vector has its elements in another order within its own aligned bytes: a load or a store
        moves it so, at the cost of any other; cp.async, TMA, ldmatrix and stmatrix cannot. A torn one
        has them elsewhere: no instruction moves it.
        """
        return "torn" if self.torn_lanes else "reordered" if self.reordered_lanes else "whole"

    @cached_property
    def reordered_lanes(self) -> tuple[int, ...]:
        """The lanes whose vector the swizzle reorders within its own aligned bytes."""
        return tuple(np.flatnonzero(self._reordered).tolist())

    @cached_property
    def torn_lanes(self) -> tuple[int, ...]:
        """The lanes whose vector the swizzle tears apart."""
        return tuple(np.flatnonzero(torn(self._bits, self.width) & self._active).tolist())

    @property
    def refusal(self) -> str:
        """Why no instruction can do this access: the swizzle, the lanes and the rule; "" if one can."""
        if self.torn_lanes:
            return self._refusal("tears", self.torn_lanes, "which no instruction gathers")
        if self.reordered_lanes and self.kind in ORDERED_KINDS:
            return self._refusal("reorders", self.reordered_lanes, f"and {self.instruction} moves them in order only")
        return ""

    def report(self, allow_torn: bool = False) -> BankReport:
        """Return what the access costs.

        Parameters
        ----------
        allow_torn : bool
            Count the words of a refused access as if one instruction could still move them.

        Raises
        ------
        ValueError
            If no single instruction can do this access under the swizzle, unless `allow_torn`.
        """
        if not allow_torn and self.refusal:
            raise ValueError(self.refusal)
        if not self.torn_lanes:
            return bank_report(self.addresses, self.width, self.kind, self._active)
        # An element of 8 bytes is two words.
        words = (self._bits >> 3)[:, :, None] // WORD_BYTES + np.arange(max(1, self.tile.element_bits // WORD_BITS))
        return words_report(self.addresses, words.reshape(WARP_LANES, -1), self.width, self.kind, self._active)

    def explain(self) -> str:
        """Return what the request costs, bank by bank, and the swizzle or padding that would do better."""
        from .explain import explain_access

        return explain_access(self)

    def __str__(self) -> str:
        return f"{self.instruction}, {self.name}"

    def _refusal(self, verb: str, lanes: tuple[int, ...], rule: str) -> str:
        tile, swizzle = self.tile, self.tile.swizzle
        # Without a swizzle no vector is torn or reordered.
        assert swizzle is not None
        first, granule = swizzle.target_base, swizzle.granule * unit_size(tile.unit, tile.dtype)
        size = f"{granule // 8} bytes" if granule % 8 == 0 else f"{granule} bits"
        shown = ", ".join(map(str, lanes[:8])) + (" ..." if len(lanes) > 8 else "")
        counted = "address" if tile.anchor == "address" else "offset"
        return (
            f"{tile.swizzle_name} {verb} the {self.width}-byte vectors of lanes {shown}: it moves granules of {size}, "
            f"bits {first} to {first + swizzle.bits - 1} of the {counted} in {tile.unit_name}, {rule}"
        )

    @property
    def _active(self) -> np.ndarray:
        return np.asarray(self.starts) >= 0

    @cached_property
    def _reordered(self) -> np.ndarray:
        return reordered(self._bits, self.width, self.tile.element_bits) & self._active

    @cached_property
    def _bits(self) -> np.ndarray:
        """Bit address of every element of every lane, shape (32, elements a lane); 0 for inactive lanes."""
        run = np.arange(elements(self.tile, self.width))
        bits = self.tile.bit_addresses(np.maximum(self.starts, 0)[:, None] + run)
        return np.where(self._active[:, None], bits, 0)
