"""Requests that people make: of common tiles, of copies that show what their cost depends on, of public questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..model.access import Access
from ..model.hardware import WARP_LANES
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from .requests import LANES, Requests

# Those that the texts on swizzles name, in bytes, and what none, one granule more and one less do.
_SWIZZLES = ((1, 4, 3), (2, 4, 3), (3, 4, 3), (3, 4, 4), (3, 3, 3), (3, 5, 3), (4, 3, 4), (5, 2, 5))


def tile_requests() -> Requests:
    """Return the rows, columns and matrices of common tiles: plain, padded and under known swizzles."""
    parts = []
    for tile in _tiles():
        for access in _accesses(tile):
            if not access.refusal:
                parts.append(Requests.of_access(access, "tile"))
    return Requests.joined(parts).distinct()


def _tiles():
    for dtype, bytes_each in (("f16", 2), ("f32", 4)):
        for rows in (8, 32):
            for row_bytes in (32, 64, 128, 256):
                plain = Tile(rows, row_bytes // bytes_each, dtype)
                yield plain
                yield plain.padded(4 // bytes_each)
                yield plain.padded(16 // bytes_each)
                for fields in _SWIZZLES:
                    yield plain.with_swizzle(Swizzle(*fields), "byte")


def _accesses(tile: Tile):
    element = tile.element_bits // 8
    middle = tile.cols // 2
    yield Access.row(tile, 1)
    for col in (0, middle):
        for width in {element, 4, 8, 16}:
            for kind in ("load", "store"):
                yield from _legal(Access.column, tile, col, width=width, kind=kind)
        for make in (Access.ldmatrix, Access.stmatrix):
            for num in (1, 2, 4):
                yield from _legal(make, tile, 0, col, num=num)
    yield from _legal(Access.ldmatrix, tile, 0, middle, num=4, trans=True)
    yield from _legal(Access.cp_async, tile)


def _legal(make, *arguments, **options):
    """The access, unless the tile is too small for it or the padding misaligns it."""
    try:
        yield make(*arguments, **options)
    except ValueError:
        return


def copy_requests() -> dict[str, Any]:
    """Return named requests of cp.async that show what its cost depends on, one each."""
    row, chunk = LANES // 8, LANES % 8 * 16
    sixteen = {
        "16 B: one dense row": LANES * 16,
        "16 B: 128-byte rows, Sw<3,4,3>": Swizzle(3, 4, 3)(row * 128 + chunk),
        "16 B: 128-byte rows padded to 144": row * 144 + chunk,
        "16 B: a column of 128-byte rows": LANES * 128,
        "16 B: a column of 144-byte rows": LANES * 144,
    }
    four = {
        "4 B: dense to dense": LANES * 4,
        "4 B: every fourth word to dense": LANES * 16,
        "4 B: one word for all": LANES * 0,
    }
    found = {
        f"{cache}, {name}": Requests.of(f"cp.async.{cache}.16", addresses, family="notebook")
        for name, addresses in sixteen.items()
        for cache in ("ca", "cg")
    }
    return found | {
        f"ca, {name}": Requests.of("cp.async.ca.4", LANES * 4, sources=sources, family="notebook")
        for name, sources in four.items()
    }


def question_requests(path: Path) -> Requests:
    """Return the requests of the public questions in a JSON file, one each, without those whose vectors are cut.

    Parameters
    ----------
    path : path
        tests/data/questions.json of the repository.
    """
    parts = []
    for case in json.loads(Path(path).read_text(encoding="utf-8")):
        if not case["vector_stays_contiguous"]:
            continue
        offsets = np.array(case["element_offset_before_swizzle"], np.int64) * case["element_bits"]
        if case["swizzle"]:
            fields, unit = (case["swizzle"][name] for name in "bms"), case["swizzle"]["unit_bits"]
            offsets = Swizzle(*fields)(offsets // unit) * unit + offsets % unit
        addresses = np.zeros(WARP_LANES, np.int64)
        addresses[: len(offsets)] = offsets // 8
        name = case["instruction"].split(" ")[0]
        parts.append(Requests.of(name, addresses, len(offsets) > LANES, family="question"))
    return Requests.joined(parts)
