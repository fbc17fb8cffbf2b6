"""Random tiles, swizzles and accesses, most of them legal, for what is asked of Python and of JavaScript alike."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from swizzle_widgets import Layout, Table, Tile
from swizzle_widgets.model.hardware import KINDS
from tests.support.strategies import MEMORY

LAYOUTS = [
    Layout(((8, 2), (16, 2)), ((16, 256), (1, 128))),
    Layout(((4, 4), 32), ((32, 128), 1)),
    Layout((32, (8, 4)), (8, (1, 256))),
    Layout(((8, 4), 16), ((1, 128), 8)),
    Layout((16, (4, 16)), (4, (1, 64))),
    Layout((16, 24), (100, 3)),
    Layout((40, 1), (1, 7)),
]


def random_tile(rng: random.Random) -> Tile:
    """A tile without a swizzle: plain, padded, of nested modes, a table, or a part of another, such as a stage."""
    dtype = rng.choice(("f64", "f32", "f16", "f16", "e4m3", "e2m1", "b1"))
    anchor = rng.choice(("offset", "address"))
    if rng.random() < 0.2:
        layout = rng.choice(LAYOUTS)
        return Tile.of_layout(layout, dtype, base_address=16 * rng.randrange(80), anchor=anchor)
    rows, cols = (rng.choice((1, 2, 3, 8, 16, 20, 32, 40, 64)) for _ in range(2))
    tile = Tile(
        rows, cols, dtype, order=rng.choice(("row", "column")), padding=rng.choice((0, 0, 0, 1, 4, 8)),
        base_address=8 * rng.choice((0, 0, 1, 16, 64, 128, 1000)), anchor=anchor,
    )  # fmt: skip
    if rng.random() < 0.2:
        return replace(tile, layout=random_table(rng, tile))
    if rng.random() < 0.1:
        # The second half of a tile lies behind its first, as a stage does.
        half = -(-rows // 2)
        whole_bytes = int(tile.layout.offsets[rows - half, 0]) * tile.element_bits % 8 == 0
        return tile.part(rows - half, 0, half, cols) if whole_bytes else tile
    return tile


def random_table(rng: random.Random, tile: Tile) -> Table:
    """Other places for a tile's elements: lines in another order, or runs of them exchanged by an XOR."""
    offsets = tile.layout.offsets
    rows, cols = offsets.shape
    if rng.random() < 0.5:
        return Table(offsets[rng.sample(range(rows), rows)])
    run = rng.choice((1, 2, 4, 8))
    power = 1 << (max(1, cols // run).bit_length() - 1)
    row, col = np.indices(offsets.shape)
    moved = np.where(col < power * run, col ^ row // rng.choice((1, 2, 4)) % power * run, col)
    return Table(offsets[row, moved])


def random_swizzle(rng: random.Random):
    """([B, M, S], unit), most of them legal, or (None, None)."""
    if rng.random() < 0.15:
        return None, None
    if rng.random() < 0.1:
        # Counted in bits, these fields lie beyond the 32 bits of JavaScript's own bit operators.
        return [2, 20, 9], rng.choice((32, 64, 128))
    if rng.random() < 0.2:
        # From low bits to high ones: vectors are torn.
        return [rng.randint(1, 3), rng.randrange(4), -rng.randint(3, 6)], rng.choice(("element", "byte"))
    bits, base = rng.randrange(5), rng.choice((0, 1, 2, 3, 3, 3, 4, 4, 4, 5, 7))
    shift = rng.choice((bits, bits, 3, 4, rng.randint(bits, 9), rng.randint(0, 9))) * rng.choice((1, 1, 1, 1, -1))
    return [bits, base, shift], rng.choice(("element", "element", "byte", "byte", 4, 16, 32, 128))


def random_spec(rng: random.Random, tile: Tile) -> dict:
    """An access as a widget's controls describe it, now and then one that does not fit."""
    pattern = rng.choice(("column", "row", "cp_async", "ldmatrix", "stmatrix", "at", "offsets"))
    width = rng.choice((None, 1, 2, 4, 8, 16, 16, 16, rng.choice((3, 32))))
    kind = rng.choice(("load", "load", "store", "store", rng.choice(KINDS), rng.choice(KINDS)))
    # Vectors begin at multiples of their length, unless chance wants to see them refused.
    whole = 16 if pattern.endswith("matrix") or kind.endswith("matrix") else width or 1
    step = max(1, 8 * whole // tile.element_bits) if rng.random() < 0.9 else 1

    def near(extent, step):
        # Mostly aligned and inside, sometimes one beyond.
        return rng.randrange(extent) // step * step if rng.random() < 0.97 else rng.choice((-1, extent))

    steps = (1, step) if tile.order == "row" else (step, 1)
    row, col = near(tile.rows, steps[0]), near(tile.cols, steps[1])
    if pattern in ("column", "row"):
        spec = {"row": row, "col": col, "width": width, "kind": kind}
        for name in ("row", "col", "width", "kind"):
            if rng.random() < 0.2:
                del spec[name]
        return {"pattern": pattern, **spec}
    if pattern == "cp_async":
        cache = rng.choice((None, None, "cg", "ca", rng.choice(("ca", "all"))))
        widths = (4, 8, 16, 16, 16, width or 4)
        return {"pattern": pattern, "line": rng.choice((row, 0)), "width": rng.choice(widths), "cache": cache}
    if pattern.endswith("matrix"):
        num, trans = rng.choice((1, 1, 2, 4, 4, rng.choice((1, 3)))), rng.random() < 0.3
        return {"pattern": pattern, "row": row, "col": col, "num": num, "trans": trans}
    count = rng.choice((8, 16, 32, 32, rng.randint(1, 32)))
    options = {"width": width, "kind": kind, "name": f"pattern {rng.randrange(9)}"}
    if pattern == "offsets":
        # Offsets need not lie in the tile; some reach just beyond shared memory.
        size = tile.layout.cosize if rng.random() < 0.9 else 8 * (MEMORY - tile.base_address) // tile.element_bits
        offsets = [rng.randrange(size) // step * step if rng.random() < 0.9 else -1 for _ in range(count)]
        if size > tile.layout.cosize and rng.random() < 0.5:
            offsets[-1] = size // step * step
        return {"pattern": pattern, "offsets": offsets, **options}
    places = [(near(tile.rows, steps[0]), near(tile.cols, steps[1])) for _ in range(count)]
    if rng.random() < 0.9:
        places = [(r, c) if 0 <= r < tile.rows and 0 <= c < tile.cols else (-1, -1) for r, c in places]
    rows, cols = map(list, zip(*places))
    return {"pattern": pattern, "rows": rows, "cols": cols, **options}
