"""Patterns: how the lanes of a warp lie on a tile, as plain names and numbers that can be saved and sent."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .banks import check_access, check_request
from .checks import integers, one_of, whole
from .hardware import (
    CACHES,
    CP_ASYNC_WIDTHS,
    MATRIX_ELEMENT_BITS,
    MATRIX_LANES,
    MATRIX_WIDTH,
    SHARED_BYTES,
    WARP_LANES,
)
from .tile import Tile

INACTIVE = -1


@dataclass(frozen=True)
class Pattern:
    """A pattern's name and its arguments.

    Attributes
    ----------
    name : str
        The class method of `Access` that takes the arguments.
    arguments : tuple of (str, value)
        In the order of the signature; lists are tuples.
    """

    name: str
    arguments: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, name: str, /, **arguments: Any) -> Pattern:
        """Return the pattern of this name with these arguments, unchecked."""
        return cls(name, tuple((key, _frozen(value)) for key, value in arguments.items()))

    @classmethod
    def of_spec(cls, spec: dict[str, Any]) -> Pattern:
        """Return the pattern that a dict describes, {"pattern": its name, its arguments ...}, checked by name.

        Raises
        ------
        TypeError
            If `spec` is no dict, or an argument is missing or not one of the pattern's own.
        ValueError
            If there is no pattern of that name.
        """
        if not isinstance(spec, dict):
            raise TypeError(f"an access is described by a dict with a pattern, not by {spec!r}")
        arguments = dict(spec)
        return cls.of(arguments.pop("pattern", None), **arguments)._named()

    @property
    def spec(self) -> dict[str, Any]:
        """The pattern as a dict of JSON values, as `of_spec` takes it."""
        return {
            "pattern": self.name,
            **{key: list(value) if isinstance(value, tuple) else value for key, value in self.arguments},
        }

    def get(self, argument: str, default: Any = None) -> Any:
        """Return an argument, or the default if the pattern has none of that name."""
        return dict(self.arguments).get(argument, default)

    def on(self, tile: Tile) -> Placed:
        """Return where the lanes start on a tile.

        Raises
        ------
        TypeError, ValueError
            If the pattern's name or arguments are wrong, or it does not fit the tile.
        """
        self._named()
        if not isinstance(tile, Tile):
            raise TypeError(f"an access is made on a Tile, not on {tile!r}")
        return _PATTERNS[self.name](tile, **dict(self.arguments))

    def _named(self) -> Pattern:
        one_of("pattern", self.name, PATTERNS)
        known = signatures()[self.name]
        given = [key for key, _ in self.arguments]
        stray = next((key for key in given if key not in known), None)
        if stray is not None:
            raise TypeError(f"{self.name} has no argument {stray!r}: it takes {', '.join(known)}")
        missing = next((key for key, rule in known.items() if "default" not in rule and key not in given), None)
        if missing is not None:
            raise TypeError(f"{self.name} needs the argument {missing!r}")
        return self


class Placed(NamedTuple):
    """A pattern on a tile: for each of the 32 lanes its first element's offset (-1: it takes no part), and the rest."""

    starts: tuple[int, ...]
    width: int
    kind: str
    name: str
    pattern: Pattern


@cache
def signatures() -> dict[str, dict[str, dict[str, Any]]]:
    """Return what each pattern takes: {pattern: {argument: {"type": .., "default": ..}}}.

    The types are "int", "bool", "str", "lanes" (one number a lane, -1 for none), "width" (bytes a lane, null for the
    usual), "kind" and "cache". An argument without a default must be given.
    """
    return {name: dict(map(_rule, _parameters(function))) for name, function in _PATTERNS.items()}


def _parameters(function: Callable) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())[1:]


def _rule(parameter: inspect.Parameter) -> tuple[str, dict[str, Any]]:
    types = {"width": "width", "kind": "kind", "cache": "cache", "rows": "lanes", "cols": "lanes", "offsets": "lanes"}
    rule = {"type": types.get(parameter.name, parameter.annotation)}
    has_default = parameter.default is not inspect.Parameter.empty
    return parameter.name, {**rule, "default": parameter.default} if has_default else rule


def _column(tile: Tile, col: int = 0, row: int = 0, width: int | None = None, kind: str = "load") -> Placed:
    row, col = _inside(tile, row, col)
    rows = row + np.arange(min(WARP_LANES, tile.rows - row))
    name = f"column {col}" + (f" from row {row}" if row else "")
    starts, width = _vectors(tile, rows, col, width, kind)
    return Placed(starts, width, kind, name, Pattern.of("column", col=col, row=row, width=width, kind=kind))


def _row(tile: Tile, row: int = 0, col: int = 0, width: int | None = None, kind: str = "load") -> Placed:
    row, col = _inside(tile, row, col)
    step = elements(tile, _width(tile, width, kind)) if tile.order == "row" else 1
    cols = np.arange(col, tile.cols, step)[:WARP_LANES]
    name = f"row {row}" + (f" from column {col}" if col else "")
    starts, width = _vectors(tile, row, cols, width, kind)
    return Placed(starts, width, kind, name, Pattern.of("row", row=row, col=col, width=width, kind=kind))


def _cp_async(tile: Tile, line: int = 0, width: int = MATRIX_WIDTH, cache: str | None = None) -> Placed:
    if whole("width", width) not in CP_ASYNC_WIDTHS:
        raise ValueError(f"width = {width} bytes is no instruction: cp.async copies 4, 8 or 16 bytes a lane")
    # PTX: only .ca copies less than 16 bytes.
    cache = one_of("cache", ("cg" if width == MATRIX_WIDTH else "ca") if cache is None else cache, CACHES)
    line, step = whole("line", line, 0, tile.lines - 1), elements(tile, width)
    if tile.line_length % step:
        raise ValueError(f"a line of {tile.line_length} {tile.dtype} elements is not a multiple of {width} bytes")
    a_line = tile.line_length // step
    vectors = line * a_line + np.arange(WARP_LANES)
    vectors = vectors[vectors < tile.lines * a_line]
    places = tile.on_lines(vectors // a_line, vectors % a_line * step)
    kind = f"cp.async.{cache}"
    starts, width = _vectors(tile, *places, width, kind)
    pattern = Pattern.of("cp_async", line=line, width=width, cache=cache)
    return Placed(starts, width, kind, f"from line {line}", pattern)


def _ldmatrix(tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Placed:
    return _matrices("ldmatrix", tile, row, col, num, trans)


def _stmatrix(tile: Tile, row: int = 0, col: int = 0, num: int = 4, trans: bool = False) -> Placed:
    return _matrices("stmatrix", tile, row, col, num, trans)


def _at(
    tile: Tile, rows: Any, cols: Any, width: int | None = None, kind: str = "load", name: str = "chosen elements"
) -> Placed:
    starts, width = _vectors(tile, rows, cols, width, kind)
    rows, cols = (lane_numbers(key, values).tolist() for key, values in (("rows", rows), ("cols", cols)))
    pattern = Pattern.of("at", rows=rows, cols=cols, width=width, kind=kind, name=_text(name))
    return Placed(starts, width, kind, name, pattern)


def _offsets(
    tile: Tile, offsets: Any, width: int | None = None, kind: str = "load", name: str = "chosen offsets"
) -> Placed:
    starts, width = _request(tile, lane_numbers("offsets", offsets), width, kind)
    given = np.asarray(offsets).tolist()
    pattern = Pattern.of("offsets", offsets=given, width=width, kind=kind, name=_text(name))
    return Placed(starts, width, kind, name, pattern)


_PATTERNS: dict[str, Callable[..., Placed]] = {
    "column": _column,
    "row": _row,
    "cp_async": _cp_async,
    "ldmatrix": _ldmatrix,
    "stmatrix": _stmatrix,
    "at": _at,
    "offsets": _offsets,
}
PATTERNS = tuple(_PATTERNS)


def _matrices(kind: str, tile: Tile, row: int, col: int, num: int, trans: bool) -> Placed:
    if whole("num", num) not in (1, 2, 4):
        raise ValueError(f"num = {num} is no instruction: {kind} moves 1, 2 or 4 matrices")
    if not isinstance(trans, (bool, np.bool_)):
        raise TypeError(f"trans must be True or False, not {trans!r}")
    row, col = _inside(tile, row, col)
    line, position = tile.on_lines(row, col)
    lanes = np.arange(MATRIX_LANES[0] * num)
    matrix, within = lanes // 8, lanes % 8
    down, across = (matrix // 2, matrix % 2) if trans and num == 4 else (matrix % 2, matrix // 2)
    places = tile.on_lines(line + 8 * down + within, position + across * elements(tile, MATRIX_WIDTH))
    starts, width = _vectors(tile, *places, MATRIX_WIDTH, kind)
    name = f"corner ({row}, {col}){', .trans' if trans else ''}{_moved(tile)}"
    pattern = Pattern.of(kind, row=row, col=col, num=num, trans=bool(trans))
    return Placed(starts, width, kind, name, pattern)


def _moved(tile: Tile) -> str:
    """What ldmatrix moves where an element is not of its size."""
    size = MATRIX_ELEMENT_BITS
    if tile.element_bits == size:
        return ""
    if tile.element_bits > size:
        part = {2: "halves", 4: "quarters"}[tile.element_bits // size]
        return f", moves {size}-bit {part} of {tile.dtype}"
    count = size // tile.element_bits
    return f", moves {size}-bit {'pairs' if count == 2 else f'groups of {count}'} of {tile.dtype}"


def _vectors(tile: Tile, rows: Any, cols: Any, width: int | None, kind: str) -> tuple[tuple[int, ...], int]:
    """The starts of the lanes and the width of a request for the vectors at (rows[l], cols[l])."""
    rows, cols = np.atleast_1d(lane_numbers("rows", rows)), lane_numbers("cols", cols)
    try:
        rows, cols = np.broadcast_arrays(rows, cols)
    except ValueError:
        raise ValueError(f"rows of shape {rows.shape} and cols of shape {cols.shape} do not pair up") from None
    if rows.ndim != 1 or len(rows) > WARP_LANES:
        raise ValueError(f"a warp has {WARP_LANES} lanes: rows and cols of shape {rows.shape} are too many")
    used = ~((rows == INACTIVE) & (cols == INACTIVE))
    outside = used & ((rows < 0) | (rows >= tile.rows) | (cols < 0) | (cols >= tile.cols))
    if outside.any():
        lane = int(np.flatnonzero(outside)[0])
        _inside(tile, int(rows[lane]), int(cols[lane]), f"lane {lane}: ")
    starts = np.where(used, tile.layout(np.where(used, rows, 0), np.where(used, cols, 0)), INACTIVE)
    placed = _request(tile, starts, width, kind)
    _check_neighbors(tile, placed[1], rows, cols, used)
    return placed


def _request(tile: Tile, starts: np.ndarray, width: int | None, kind: str) -> tuple[tuple[int, ...], int]:
    """The starts of all 32 lanes and the width, if their plain addresses are a legal request."""
    if starts.ndim != 1 or not 1 <= len(starts) <= WARP_LANES:
        raise ValueError(f"offsets must be a list of 1 to {WARP_LANES}, one a lane, not of shape {starts.shape}")
    if starts.min() < INACTIVE:
        raise ValueError(f"offset {starts.min()} is negative: -1 marks a lane that takes no part")
    width = _width(tile, width, kind)
    elements(tile, width)
    padded = np.concatenate([starts, np.full(WARP_LANES - len(starts), INACTIVE)])
    active = padded >= 0
    bits = padded * tile.element_bits
    split = active & (bits % 8 != 0)
    if split.any():
        lane = int(np.flatnonzero(split)[0])
        raise ValueError(
            f"lane {lane} starts at offset {padded[lane]} in the middle of a byte: "
            f"{8 // tile.element_bits} {tile.dtype} elements share one"
        )
    check_request(np.where(active, bits // 8 + tile.base_address, 0), width, kind, active)
    return tuple(padded.tolist()), width


def _check_neighbors(tile: Tile, width: int, rows: np.ndarray, cols: np.ndarray, used: np.ndarray) -> None:
    """Refuse vectors that run beyond their line or over a gap in the layout."""
    run = np.arange(elements(tile, width))
    if len(run) == 1:
        return
    if tile.order is None:
        raise ValueError(f"{width}-byte vectors need neighboring {tile.dtype} elements: {tile.layout} has none")
    lines, positions = tile.on_lines(rows, cols)
    lines, positions = lines[:, None], positions[:, None] + run
    beyond = used & (positions[:, -1] >= tile.line_length)
    if beyond.any():
        lane = int(np.flatnonzero(beyond)[0])
        raise ValueError(
            f"lane {lane}: {width} bytes from ({rows[lane]}, {cols[lane]}) "
            f"run beyond the line of {tile.line_length} elements"
        )
    keep = used[:, None]
    offsets: Any = tile.layout(*tile.on_lines(np.where(keep, lines, 0), np.where(keep, positions, 0)))
    gap = used & (offsets - offsets[:, :1] != run).any(axis=1)
    if gap.any():
        lane = int(np.flatnonzero(gap)[0])
        raise ValueError(
            f"lane {lane}: the {width} bytes from ({rows[lane]}, {cols[lane]}) are not neighbors in {tile.layout}"
        )


def _width(tile: Tile, width: int | None, kind: str) -> int:
    """The width in bytes; left out, that of the kind, or one element and at least a byte for loads and stores."""
    if width is None and kind in ("load", "store"):
        width = max(1, tile.element_bits // 8)
    return check_access(width, kind)


def elements(tile: Tile, width: int) -> int:
    """Return how many elements `width` bytes hold; ValueError if that is no whole number."""
    bits = 8 * whole("width", width, 1)
    if bits % tile.element_bits:
        raise ValueError(f"width = {width} bytes holds no whole number of {tile.element_bits}-bit elements")
    return bits // tile.element_bits


def _inside(tile: Tile, row: int, col: int, where: str = "") -> tuple[int, int]:
    row, col = whole("row", row), whole("col", col)
    if not (0 <= row < tile.rows and 0 <= col < tile.cols):
        raise ValueError(f"{where}({row}, {col}) is outside the tile of {tile.rows} rows and {tile.cols} columns")
    return row, col


def lane_numbers(name: str, values: Any) -> np.ndarray:
    """Return numbers of lanes as int64, or raise as `integers` does."""
    array = integers(name, values, low=None)
    # Shared memory has no more places, and so no product below overflows.
    if array.size and array.max() > 8 * SHARED_BYTES:
        raise ValueError(f"{name} must be at most {8 * SHARED_BYTES}, the bits of shared memory, not {array.max()}")
    return array.astype(np.int64)


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, not {name!r}")
    return name


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple, range)) else value
