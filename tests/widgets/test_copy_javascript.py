"""Whole copies by a thread-value layout: the browser's requests, totals and refusals are Python's."""

from __future__ import annotations

import random

import pytest

from swizzle_widgets import Layout, Swizzle, Tile, TiledCopy
from swizzle_widgets.model.access_names import sizes
from swizzle_widgets.widgets.wire import tile_spec

PLAIN = Tile(128, 64, "f16")
SW128 = Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
ROWS, QUADS = "((8,16),8):((128,1),16)", "((4,8),(2,2)):((32,1),(16,8))"
COPIES = [
    *((tile, ROWS, (16, 64), {"kind": kind}) for tile in (PLAIN, SW128) for kind in ("load", "store", "cp.async.cg")),
    *((tile, ROWS, (16, 64), {"kind": "store", "width": width}) for tile in (PLAIN, SW128) for width in (2, 4, 8, 16)),
    *((tile, "(32,8):(1,32)", (32, 8), {"kind": kind}) for tile in (PLAIN, SW128)
      for kind in ("load", "ldmatrix", "stmatrix", "cp.async.ca")),
    *((tile, QUADS, (16, 8), {}) for tile in (PLAIN, SW128, PLAIN.padded(8), Tile(128, 64, "f32"))),
    (Tile(24, 40, "f16"), ROWS, (16, 64), {"predicate": True}),
    (Tile(24, 40, "u8", order="column"), "((8,8),8):((64,8),1)", (64, 8), {"predicate": True, "kind": "store"}),
    (Tile(64, 64, "f32"), "((8,16),4):((64,1),16)", (16, 32), {"kind": "atomic", "width": 4}),
    (Tile(64, 64, "s4"), "((2,32),32):((1024,1),32)", (32, 64), {}),
    (Tile(64, 64, "f64", base_address=1024), "((8,4),2):((8,1),4)", (4, 16), {}),
    (PLAIN, "(48,8):(1,48)", (48, 8), {"predicate": True}),
    *((Tile(128, 64, "f16", base_address=base), ROWS, (16, 64), {}) for base in (4, 8, 24)),
]  # fmt: skip
REFUSED = [
    (PLAIN, "(32,8):(8,1", (16, 16), {}), (PLAIN, "32:1", (16, 16), {}), (PLAIN, "(4,4,4):(1,4,16)", (16, 16), {}),
    (PLAIN, "(32,8):(8,1)", (8, 8), {}), (PLAIN, "(32,8):(1,32)", (48, 8), {}), (PLAIN, "(32,8):(8,1)", (0, 8), {}),
    (PLAIN, "(2048,8):(0,1)", (16, 16), {}), (PLAIN, "(32,16385):(1,32)", (32, 16385), {}),
    (PLAIN, "(32,8):(1,32)", (32, 2**20 + 1), {}), (PLAIN, ROWS, (16, 64), {"width": 3}),
    (PLAIN, ROWS, (16, 64), {"width": 4, "kind": "ldmatrix"}), (PLAIN, ROWS, (16, 64), {"kind": "copy"}),
    (PLAIN, "(32,8):(8,1)", (16, 16), {"width": 16}), (PLAIN, "(32,3):(1,32)", (32, 3), {"width": 8}),
    (Tile(128, 65, "f16"), "(32,8):(1,32)", (32, 8), {"width": 16, "predicate": True}),
    (Tile(128, 64, "f16", layout=Layout.parse("(128,64):(65,1)")), ROWS, (16, 64), {"width": 16}),
    (PLAIN, "(24,8):(1,24)", (24, 8), {"kind": "ldmatrix", "predicate": True}),
    (Tile(8, 8, "s4"), "(8,1):(1,8)", (8, 1), {}), (PLAIN, "Sw<1,0,1> o _0 o (32,8):(1,32)", (32, 8), {}),
    (Tile(128, 64, "f16", swizzle=Swizzle(2, 1, -3), unit="element"), ROWS, (16, 64), {"width": 16}),
    (Tile(128, 64, "f16", swizzle=Swizzle(3, 1, 5), unit="element"), "(32,8):(1,32)", (32, 8), {"kind": "ldmatrix"}),
]  # fmt: skip


def in_python(tile: Tile, tv: str, tiler: tuple[int, int], told: dict) -> dict:
    """What Python says of the copy, as copyOf has it."""
    try:
        copy = TiledCopy.from_tv(tile, tv, tiler, **told)
        report = copy.report()
    except ValueError as error:
        return {"error": str(error)}
    names = ("requests", "wavefronts", "ideal", "conflicts", "cost", "least", "excess")
    rows, cols = report.worst.access.coordinates
    return {
        "width": copy.width, "rows": copy.rows.tolist(), "cols": copy.cols.tolist(),
        "where": [copy.where(request) for request in range(len(copy))], "text": str(report), "unit": report.unit,
        "sums": {**{name: getattr(report, name) for name in names}, "instruction": copy.instruction},
        "worst": {"where": report.worst.where, "rows": rows.tolist(), "cols": cols.tolist(),
                  "report": str(report.worst.report)},
    }  # fmt: skip


def both(engine, tile: Tile, tv: str, tiler: tuple[int, int], told: dict) -> tuple[dict, dict]:
    swizzle = tile.swizzle and [tile.swizzle.bits, tile.swizzle.base, tile.swizzle.shift]
    geometry = {name: value for name, value in tile_spec(tile).items() if name != "note"}
    item = {"geometry": geometry, "swizzle": swizzle, "unit": tile.unit, "told": {"tv": tv, "tiler": tiler, **told}}
    return engine.answer("(item) => attempt(() => copyOf(item))", item), in_python(tile, tv, tiler, told)


@pytest.mark.parametrize(("tile", "tv", "tiler", "told"), COPIES)
def test_whole_copies_are_the_same(engine, tile, tv, tiler, told):
    ours, theirs = both(engine, tile, tv, tiler, told)
    assert "error" not in theirs
    assert ours == theirs


@pytest.mark.parametrize(("tile", "tv", "tiler", "told"), REFUSED)
def test_refusals_are_the_same(engine, tile, tv, tiler, told):
    ours, theirs = both(engine, tile, tv, tiler, told)
    assert "error" in theirs
    assert ours == theirs


@pytest.mark.parametrize(
    "text", ["16x64", "10x20", "0x9", "2x10x64", "16", "16x", "x16", "1x2x3x4", "16x-4", "16X64", " 1x2", ""]
)
@pytest.mark.parametrize("most", [2, 3])
def test_sizes_are_read_alike(engine, text, most):
    def in_python():
        try:
            return list(sizes("tiler", text, most))
        except ValueError as error:
            return {"error": str(error)}

    asked = {"text": text, "most": most}
    assert engine.answer('({ text, most }) => attempt(() => sizesOf("tiler", text, most))', asked) == in_python()


@pytest.mark.parametrize("count", [75, pytest.param(150, marks=pytest.mark.release)])
def test_copies_made_at_random_are_the_same(engine, count):
    """Threads, values, tilers, kinds and swizzles in many combinations; many are copies, the others refused alike."""
    chance = random.Random(17)
    done = 0
    for _ in range(count):
        case = made(chance)
        ours, theirs = both(engine, *case)
        assert ours == theirs, case
        done += "error" not in theirs
    assert count / 5 < done < 0.95 * count


def made(chance: random.Random) -> tuple[Tile, str, tuple[int, int], dict]:
    down, across, values = 1 << chance.randrange(6), 1 << chance.randrange(4), 1 << chance.randrange(5)
    rows, cols = down, across * values
    tv = chance.choice([
        f"(({across},{down}),{values}):(({rows * values},1),{rows})",
        f"(({down},{across}),{values}):((1,{rows}),{down * across})",
        f"({down * across},{values}):(1,{down * across})", f"({down * across},{values}):({values},1)",
    ])  # fmt: skip
    dtype = chance.choice(("f16", "f32", "u8", "f64"))
    swizzle = chance.choice((None, Swizzle(3, 4, 3), Swizzle(2, 4, 3), Swizzle(2, 3, 3)))
    unit = None if swizzle is None else "byte"
    tile = Tile(64, 32, dtype, order=chance.choice(("row", "row", "column")), swizzle=swizzle, unit=unit)
    told = {"kind": chance.choice(("load", "store", "load", "store", "cp.async.cg", "ldmatrix", "atomic"))}
    for name, choices in (("width", (4, 8, 16)), ("predicate", (True,))):
        if chance.random() < 0.3:
            told[name] = chance.choice(choices)
    return tile, tv, (rows, cols), told
