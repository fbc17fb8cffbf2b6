"""Access patterns: which lane of a warp touches which elements of a tile, and by which instruction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .banks import BankReport, bank_report, check_access, instruction_name, words_report
from .checks import integers, one_of, whole
from .hardware import CP_ASYNC_WIDTHS, MATRIX_LANES, MATRIX_WIDTH, SHARED_BYTES, WARP_LANES, WORD_BYTES
from .tile import Tile

INACTIVE = -1
WORD_BITS = 8 * WORD_BYTES
# The class methods of Access that make one from plain numbers.
PATTERNS = ("column", "row", "cp_async", "ldmatrix", "stmatrix", "at", "offsets")


@dataclass(frozen=True)
class Access:
    """One instruction of a warp on a tile.

    Use the class methods: `column`, `row`, `cp_async`, `ldmatrix`, `stmatrix`, `at` for any
    coordinates and `offsets` for any element offsets.

    A lane touches `width` bytes: a vector of neighboring elements in the tile's own order (along
    a row of a row-major tile, along a column of a column-major one), starting at the lane's element.

    Attributes
    ----------
    tile : Tile
    starts : tuple of int
        For each of the 32 lanes the offset of its first element, in elements, before the
        swizzle; -1 for a lane that takes no part.
    width : int
        Bytes a lane.
    kind : str
        "load", "store", "ldmatrix" or "stmatrix".
    name : str
        The pattern in words, such as "column 0".
    spec : dict
        The class method and the arguments that made the access, as `from_spec` takes them.
    """

    tile: Tile
    starts: tuple[int, ...]
    width: int
    kind: str
    name: str
    spec: dict = field(compare=False)

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
        row, col = _inside(tile, row, col)
        rows = row + np.arange(min(WARP_LANES, tile.rows - row))
        name = f"column {col}" + (f" from row {row}" if row else "")
        return cls.at(tile, rows, col, width, kind, name)._made_by("column", row=row, col=col)

    @classmethod
    def row(cls, tile: Tile, row: int = 0, col: int = 0, width: int | None = None, kind: str = "load") -> Access:
        """Lane l touches the l-th vector of row `row`, counted from column `col`; lanes beyond the end take no part.

        Parameters and errors are those of `column`.
        """
        row, col = _inside(tile, row, col)
        step = _elements(tile, _width(tile, width, kind)) if tile.order == "row" else 1
        cols = np.arange(col, tile.cols, step)[:WARP_LANES]
        name = f"row {row}" + (f" from column {col}" if col else "")
        return cls.at(tile, row, cols, width, kind, name)._made_by("row", row=row, col=col)

    @classmethod
    def cp_async(cls, tile: Tile, line: int = 0, width: int = MATRIX_WIDTH) -> Access:
        """The warp fills whole lines (rows, or columns in column order) one after the other, as cp.async copies do.

        Parameters
        ----------
        tile : Tile
        line : int
            The line that lane 0 begins.
        width : int
            Bytes a lane: 4, 8 or 16.

        Raises
        ------
        TypeError, ValueError
            If the width is none of these, the line is outside the tile, or the line's length is
            not a multiple of the width.
        """
        _check_tile(tile)
        if whole("width", width) not in CP_ASYNC_WIDTHS:
            raise ValueError(f"width = {width} bytes is no instruction: cp.async copies 4, 8 or 16 bytes a lane")
        lines, length = lines_of(tile)
        line, step = whole("line", line, 0, lines - 1), _elements(tile, width)
        if length % step:
            raise ValueError(f"a line of {length} {tile.dtype} elements is not a multiple of {width} bytes")
        vectors = line * (length // step) + np.arange(WARP_LANES)
        vectors = vectors[vectors < lines * (length // step)]
        position = vectors % (length // step) * step
        access = cls._on_lines(
            tile, vectors // (length // step), position, width, "store", f"cp.async from line {line}"
        )
        return replace(access, spec={"pattern": "cp_async", "line": line, "width": width})

    @classmethod
    def ldmatrix(cls, tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Access:
        """Load `num` 8x8 matrices of 16-bit elements (8 lines of 16 bytes each) whose corner is (row, col).

        Lane l gives the address of line l % 8 of matrix l // 8. x1 is one matrix, x2 two below each
        other, x4 a square of two by two: first down, then across; with `trans` first across, then down.

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
        return cls._matrix("ldmatrix", tile, row, col, num, trans)

    @classmethod
    def stmatrix(cls, tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Access:
        """Store `num` 8x8 matrices; parameters and errors are those of `ldmatrix`."""
        return cls._matrix("stmatrix", tile, row, col, num, trans)

    @classmethod
    def at(
        cls, tile: Tile, rows, cols, width: int | None = None, kind: str = "load", name: str = "chosen elements"
    ) -> Access:
        """Lane l touches the vector that starts at (rows[l], cols[l]).

        Parameters
        ----------
        tile : Tile
        rows, cols : int or sequence of int
            One a lane, at most 32 (they broadcast); -1 in both marks a lane that takes no part.
        width, kind
            As for `column`.
        name : str
            The pattern in words.

        Raises
        ------
        TypeError, ValueError
            As `column`.
        """
        _check_tile(tile)
        rows, cols = np.atleast_1d(_lanes("rows", rows)), _lanes("cols", cols)
        try:
            rows, cols = np.broadcast_arrays(rows, cols)
        except ValueError:
            raise ValueError(f"rows of shape {rows.shape} and cols of shape {cols.shape} do not pair up") from None
        if rows.ndim != 1 or len(rows) > WARP_LANES:
            raise ValueError(f"a warp has {WARP_LANES} lanes: rows and cols of shape {rows.shape} are too many")
        taking_part = ~((rows == INACTIVE) & (cols == INACTIVE))
        for lane in np.flatnonzero(taking_part):
            _inside(tile, int(rows[lane]), int(cols[lane]), f"lane {lane}: ")
        starts = np.where(taking_part, tile.layout(np.where(taking_part, rows, 0), np.where(taking_part, cols, 0)), -1)
        access = cls.offsets(tile, starts, width, kind, name)
        access._check_neighbors(rows, cols)
        return access._made_by("at", rows=rows.tolist(), cols=cols.tolist(), name=name)

    @classmethod
    def offsets(
        cls, tile: Tile, offsets, width: int | None = None, kind: str = "load", name: str = "chosen offsets"
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
        _check_tile(tile)
        if not isinstance(name, str):
            raise TypeError(f"name must be a string, not {name!r}")
        starts = _lanes("offsets", offsets)
        if starts.ndim != 1 or not 1 <= len(starts) <= WARP_LANES:
            raise ValueError(f"offsets must be a list of 1 to {WARP_LANES}, one a lane, not of shape {starts.shape}")
        if starts.min() < INACTIVE:
            raise ValueError(f"offset {starts.min()} is negative: -1 marks a lane that takes no part")
        width = _width(tile, width, kind)
        _elements(tile, width)
        padded = np.concatenate([starts, np.full(WARP_LANES - len(starts), INACTIVE)])
        access = cls(tile, tuple(padded.tolist()), width, kind, name, {})
        access = access._made_by("offsets", offsets=starts.tolist(), name=name)
        # The plain addresses must be a legal request; what the swizzle does to vectors is `cut_lanes`.
        bits = padded * tile.element_bits
        split = access._active & (bits % 8 != 0)
        if split.any():
            lane = int(np.flatnonzero(split)[0])
            raise ValueError(
                f"lane {lane} starts at offset {padded[lane]} in the middle of a byte: "
                f"{8 // tile.element_bits} {tile.dtype} elements share one"
            )
        plain = bits // 8 + tile.base_address
        bank_report(np.where(access._active, plain, 0), width, kind, access._active)
        return access

    @classmethod
    def from_spec(cls, tile: Tile, spec: dict) -> Access:
        """Return the access that `spec` describes: {"pattern": the class method's name, its arguments ...}.

        Raises
        ------
        TypeError, ValueError
            If the pattern is unknown, an argument is not one of its own, or the class method refuses it.
        """
        if not isinstance(spec, dict):
            raise TypeError(f"an access is described by a dict with a pattern, not by {spec!r}")
        arguments = dict(spec)
        pattern = one_of("pattern", arguments.pop("pattern", None), PATTERNS)
        return getattr(cls, pattern)(tile, **arguments)

    def on(self, tile: Tile) -> Access:
        """Return the same pattern and instruction on another tile (padded or swizzled, say).

        Raises
        ------
        ValueError
            If the pattern does not fit there; if it was made from offsets and the other tile has
            another layout, also if a lane's start is no element of this tile.
        """
        _check_tile(tile)
        if self.spec["pattern"] != "offsets" or tile.layout == self.tile.layout:
            return Access.from_spec(tile, self.spec)
        rows, cols = self.coordinates
        return Access.at(tile, rows, cols, self.width, self.kind, self.name)

    @property
    def instruction(self) -> str:
        """The instruction's name, such as LDS.128 or ldmatrix.x4."""
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
        """Byte address of each lane's first element after the swizzle, int64 of shape (32,); 0 for inactive lanes."""
        return self._bits[:, 0] >> 3

    @cached_property
    def cut_lanes(self) -> tuple[int, ...]:
        """The lanes whose vector the swizzle cuts: its elements are no longer neighbors in order."""
        step = np.arange(self._bits.shape[1]) * self.tile.element_bits
        whole_vectors = (self._bits - self._bits[:, :1] == step).all(axis=1)
        return tuple(np.flatnonzero(~whole_vectors & self._active).tolist())

    def report(self, allow_cut: bool = False) -> BankReport:
        """Return what the access costs.

        Parameters
        ----------
        allow_cut : bool
            Count the words of a cut vector as if one instruction could still move them.

        Raises
        ------
        ValueError
            If the swizzle cuts a lane's vector, unless `allow_cut`: then no single instruction can
            do this access.
        """
        if not self.cut_lanes:
            return bank_report(self.addresses, self.width, self.kind, self._active)
        if not allow_cut:
            raise ValueError(self.cut_text)
        # An element of 8 bytes is two words.
        words = (self._bits >> 3)[:, :, None] // WORD_BYTES + np.arange(max(1, self.tile.element_bits // WORD_BITS))
        return words_report(words.reshape(WARP_LANES, -1), self.width, self.kind, self._active)

    @property
    def cut_text(self) -> str:
        """Why no instruction can do this access: which lanes are cut and by which bits; "" if none is."""
        if not self.cut_lanes:
            return ""
        swizzle, granule = self.tile.swizzle, self.tile.swizzle.granule * self.tile.unit_bits
        lanes = ", ".join(map(str, self.cut_lanes[:8])) + (" ..." if len(self.cut_lanes) > 8 else "")
        first = swizzle.target_base
        moved = f"bits {first} to {first + swizzle.bits - 1} of the offset in {self.tile.unit_name}"
        return (
            f"{self.tile.swizzle_name} cuts the {self.width}-byte vectors of lanes {lanes}: it moves granules of "
            f"{_bytes(granule)}, {moved}, and a vector needs granules of at least {self.width} bytes"
        )

    def explain(self) -> str:
        """Return what the request costs, bank by bank, and the swizzle or padding that would do better."""
        from .explain import explain_access

        return explain_access(self)

    def __str__(self) -> str:
        return f"{self.instruction}, {self.name}"

    @classmethod
    def _matrix(cls, kind, tile, row, col, num, trans):
        if whole("num", num) not in (1, 2, 4):
            raise ValueError(f"num = {num} is no instruction: {kind} moves 1, 2 or 4 matrices")
        if not isinstance(trans, (bool, np.bool_)):
            raise TypeError(f"trans must be True or False, not {trans!r}")
        row, col = _inside(tile, row, col)
        line, position = (row, col) if tile.order == "row" else (col, row)
        lanes = np.arange(MATRIX_LANES[0] * num)
        matrix, within = lanes // 8, lanes % 8
        down, across = (matrix // 2, matrix % 2) if trans and num == 4 else (matrix % 2, matrix // 2)
        positions = position + across * _elements(tile, MATRIX_WIDTH)
        name = f"corner ({row}, {col}){', .trans' if trans else ''}"
        access = cls._on_lines(tile, line + 8 * down + within, positions, MATRIX_WIDTH, kind, name)
        return replace(access, spec={"pattern": kind, "row": row, "col": col, "num": num, "trans": bool(trans)})

    @classmethod
    def _on_lines(cls, tile, lines, positions, width, kind, name):
        rows, cols = (lines, positions) if tile.order == "row" else (positions, lines)
        return cls.at(tile, rows, cols, width, kind, name)

    def _made_by(self, pattern: str, **arguments) -> Access:
        return replace(self, spec={"pattern": pattern, **arguments, "width": self.width, "kind": self.kind})

    @property
    def _active(self) -> np.ndarray:
        return np.asarray(self.starts) >= 0

    @cached_property
    def _bits(self) -> np.ndarray:
        """Bit address of every element of every lane, shape (32, elements a lane); 0 for inactive lanes."""
        run = np.arange(_elements(self.tile, self.width))
        bits = self.tile.bit_addresses(np.maximum(self.starts, 0)[:, None] + run)
        return np.where(self._active[:, None], bits, 0)

    def _check_neighbors(self, rows, cols) -> None:
        """Refuse vectors that run beyond their line or over a gap in the layout."""
        run = np.arange(_elements(self.tile, self.width))
        if len(run) == 1:
            return
        if self.tile.order is None:
            raise ValueError(
                f"{self.width}-byte vectors need neighboring {self.tile.dtype} elements: {self.tile.layout} has none"
            )
        length = self.tile.cols if self.tile.order == "row" else self.tile.rows
        positions = (cols if self.tile.order == "row" else rows)[:, None] + run
        used = np.asarray(self.starts[: len(rows)]) >= 0
        beyond = used & (positions[:, -1] >= length)
        if beyond.any():
            lane = int(np.flatnonzero(beyond)[0])
            raise ValueError(
                f"lane {lane}: {self.width} bytes from ({rows[lane]}, {cols[lane]}) "
                f"run beyond the line of {length} elements"
            )
        positions = np.where(used[:, None], positions, 0)
        lines = np.where(used, rows if self.tile.order == "row" else cols, 0)[:, None]
        offsets = self.tile.layout(lines, positions) if self.tile.order == "row" else self.tile.layout(positions, lines)
        gap = used & (offsets - offsets[:, :1] != run).any(axis=1)
        if gap.any():
            lane = int(np.flatnonzero(gap)[0])
            raise ValueError(
                f"lane {lane}: the {self.width} bytes from ({rows[lane]}, {cols[lane]}) "
                f"are not neighbors in {self.tile.layout}"
            )


def _check_tile(tile) -> None:
    if not isinstance(tile, Tile):
        raise TypeError(f"an access is made on a Tile, not on {tile!r}")


def _width(tile: Tile, width: int | None, kind: str) -> int:
    """The width in bytes; left out, that of the kind, or one element and at least a byte for loads and stores."""
    if width is None and kind in ("load", "store"):
        width = max(1, tile.element_bits // 8)
    return check_access(width, kind)


def _elements(tile: Tile, width: int) -> int:
    """How many elements `width` bytes hold."""
    bits = 8 * whole("width", width, 1)
    if bits % tile.element_bits:
        raise ValueError(f"width = {width} bytes holds no whole number of {tile.element_bits}-bit elements")
    return bits // tile.element_bits


def lines_of(tile: Tile) -> tuple[int, int]:
    """Return the number and the length of the runs of neighboring elements: rows, or columns in column order."""
    return (tile.rows, tile.cols) if tile.order == "row" else (tile.cols, tile.rows)


def _inside(tile: Tile, row, col, where: str = "") -> tuple[int, int]:
    _check_tile(tile)
    row, col = whole("row", row), whole("col", col)
    if not (0 <= row < tile.rows and 0 <= col < tile.cols):
        raise ValueError(f"{where}({row}, {col}) is outside the tile of {tile.rows} rows and {tile.cols} columns")
    return row, col


def _lanes(name: str, values) -> np.ndarray:
    array = integers(name, values, low=None)
    # Shared memory has no more places, and so no product below overflows.
    if array.size and array.max() > 8 * SHARED_BYTES:
        raise ValueError(f"{name} must be at most {8 * SHARED_BYTES}, the bits of shared memory, not {array.max()}")
    return array.astype(np.int64)


def _bytes(bits: int) -> str:
    return f"{bits // 8} bytes" if bits % 8 == 0 else f"{bits} bits"
