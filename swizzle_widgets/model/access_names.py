"""Names of accesses, for the command line and for tests, and the copies over a whole tile that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .checks import one_of
from .copy import TiledCopy
from .field_names import usual_name
from .fragments import fragment_layout
from .hardware import KINDS
from .thread_values import raked, thread_values
from .tile import Tile

GRAMMAR = """\
accesses, each counted over the whole tile:
  ldmatrix stmatrix          every 8x8 matrix once; .x1 .x2 .x4 and .trans may follow
  cp.async                   16 bytes a lane, lines filled one after the other; cp.async.ca, cp.async.ca:8
  column row                 a warp walks down each column or along each row, an element a lane;
                             column:16 has vectors of 16 bytes; store.column:16 writes them, atomic.column adds
  m16n8k16.A (.B .C)         an operand of mma.sync by plain loads, C by stores; m16n8k16.C:2x4 for 2 warps
                             along M and 4 along N; load., store. or atomic. may stand before
  wgmma.m64n128.D            the accumulator of a warpgroup; wgmma.m64n128.D:8x1 for two
  tv=LAYOUT/tiler=16x64      threads that hold what CuTe's thread-value layout says
  threads=LAYOUT/values=LAYOUT   what make_tiled_copy takes
                             to these two, /width=16 (bytes), /kind=store and /predicate may be added
  LDSM.16.M88.4 and the like  names of SASS, PTX and CuTe's copy atoms, where they say which elements
"""

_MATRIX = re.compile(r"(ldmatrix|stmatrix)(?:\.x([124]))?(\.trans)?")
_ASYNC = re.compile(r"cp\.async(?:\.(ca|cg))?(?::([0-9]+))?")
_LINE = re.compile(r"(?:(load|store|atomic)\.)?(column|row)(?::([0-9]+))?")
_FRAGMENT = re.compile(
    r"(?:(load|store|atomic)\.)?((?:mma\.)?m16n8k[0-9]+\.[ABC]|wgmma\.m64n[0-9]+\.D)(?::([0-9]+)x([0-9]+))?"
)


@dataclass(frozen=True)
class NamedCopy:
    """An access as it was named, and how it is made on tiles (the stages of one)."""

    name: str
    make: Callable[[list[Tile]], TiledCopy]


def usual(tile: Tile) -> list[str]:
    """Return four accesses that a tile of that dtype usually serves, in whole vectors: one layout serves all four."""
    if tile.element_bits == 16:
        return ["cp.async", "ldmatrix", "ldmatrix.trans", "stmatrix"]
    if tile.element_bits < 16:
        return ["cp.async", "ldmatrix", "stmatrix", "row:16"]
    return ["cp.async", "ldmatrix" if tile.element_bits == 32 else "row", "row:16", "column:16"]


def read_access(name: str) -> NamedCopy:
    """Read the name of an access.

    Raises
    ------
    ValueError
        If it is none; the message says what is expected.
    """
    for pattern, read in _READERS:
        if found := pattern.fullmatch(name):
            return NamedCopy(name, read(found))
    if "=" in name:
        return NamedCopy(name, _by_threads(name))
    if known := usual_name(name):
        return NamedCopy(name, read_access(known).make)
    raise ValueError(f"access {name!r} is not known.\n{GRAMMAR}")


def _matrix(found: re.Match[str]) -> Callable[[list[Tile]], TiledCopy]:
    make = TiledCopy.ldmatrix if found[1] == "ldmatrix" else TiledCopy.stmatrix
    trans = bool(found[3])
    if found[2]:
        return lambda tiles: make(tiles, num=int(found[2]), trans=trans)

    def widest(tiles):
        # The sums do not depend on how matrices share instructions, so take the largest that divide the tile.
        for num in (4, 2):
            try:
                return make(tiles, num=num, trans=trans)
            except ValueError:
                continue
        return make(tiles, num=1, trans=trans)

    return widest


def _async(found: re.Match[str]) -> Callable[[list[Tile]], TiledCopy]:
    width = int(found[2] or 16)
    return lambda tiles: TiledCopy.cp_async(tiles, width=width, cache=found[1])


def _line(found: re.Match[str]) -> Callable[[list[Tile]], TiledCopy]:
    make = TiledCopy.column if found[2] == "column" else TiledCopy.row
    width = int(found[3]) if found[3] else None
    return lambda tiles: make(tiles, width=width, kind=found[1] or "load")


def _fragment(found: re.Match[str]) -> Callable[[list[Tile]], TiledCopy]:
    warps = (int(found[3]), int(found[4])) if found[3] else None
    if found[2].endswith((".C", ".D")):
        # What is wrong with the name or the warps is wrong for every tile.
        fragment_layout(found[2], 32, warps)
    return lambda tiles: TiledCopy.fragment(tiles, found[2], warps, kind=found[1])


_READERS = ((_MATRIX, _matrix), (_ASYNC, _async), (_LINE, _line), (_FRAGMENT, _fragment))


def _by_threads(name: str) -> Callable[[list[Tile]], TiledCopy]:
    parts = _parts(name)
    options: dict[str, Any] = {
        "kind": one_of("kind", parts.get("kind", "load"), KINDS),
        "predicate": "predicate" in parts,
    }
    if "width" in parts:
        options["width"] = _number(name, parts["width"])
    if "tv" in parts:
        down, across = sizes(f"access {name!r}: tiler", parts["tiler"])
        tiler = (down, across)
        thread_values(parts["tv"], tiler)
        return lambda tiles: TiledCopy.from_tv(tiles, parts["tv"], tiler, **options)
    raked(parts["threads"], parts["values"])
    return lambda tiles: TiledCopy.of_threads(tiles, parts["threads"], parts["values"], **options)


def _parts(name: str) -> dict[str, str]:
    """The parts of "tv=../tiler=../width=16", each of them known, given once, and with a value where it needs one."""
    parts: dict[str, str] = {}
    problem = ""
    for part in name.split("/"):
        key, equals, value = part.partition("=")
        if key in parts:
            problem = f"{key!r} is given twice"
        elif bool(equals and value) == (key == "predicate"):
            problem = f"{part!r} has no value" if key != "predicate" else f"{key!r} takes no value"
        parts[key] = value
    needed = {"tv", "tiler"} if "tv" in parts else {"threads", "values"}
    unknown, missing = set(parts) - needed - {"width", "kind", "predicate"}, needed - set(parts)
    if unknown:
        problem = f"{min(unknown)!r} is not known"
    elif missing:
        problem = f"{min(missing)!r} is missing"
    if problem:
        raise ValueError(f"access {name!r}: {problem}.\n{GRAMMAR}")
    return parts


def _number(name: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"access {name!r}: width = {text!r} must be a number of bytes")
    return int(text)


def sizes(what: str, text: str, most: int = 2) -> tuple[int, ...]:
    """Rows and columns from "16x64"; with `most` = 3 also stages before them."""
    parts = text.split("x")
    if not 2 <= len(parts) <= most or not all(part.isdecimal() for part in parts):
        raise ValueError(f"{what} = {text!r} must be rows x columns, such as 16x64")
    return tuple(map(int, parts))
