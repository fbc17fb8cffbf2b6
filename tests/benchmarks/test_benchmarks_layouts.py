"""How fast layouts, conversions and the search are: `pytest tests/test_benchmarks_layouts.py --benchmark-only`.

Every ratio compares the shortest times of one run on one machine: other work only ever adds to a time.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile, best_swizzles, gmma_atom, tile_to_shape

ROWS, COLS = 128, 64
FLAT = Layout((ROWS, COLS), (COLS, 1))
TILED = tile_to_shape(gmma_atom("f16", swizzle="64B"), ROWS, COLS).layout
LAYOUTS = {"128x64 rows": FLAT, "128x64 of 8x32 atoms": TILED}
AT_LEAST = 300


def ours(layout: Layout) -> np.ndarray:
    """The byte addresses of the tile, from its description."""
    return Tile.of_layout(layout, "f16", swizzle=Swizzle(3, 3, 3), unit="element").addresses


def of_pycute(layout: Layout):
    pycute = pytest.importorskip("pycute", reason="pycute comes with the wheel nvidia-cutlass")
    return pycute.ComposedLayout(pycute.Swizzle(3, 3, 3), 0, pycute.Layout(layout.shape, layout.stride))


def of_tensor_layouts(layout: Layout):
    library = pytest.importorskip("tensor_layouts")
    return library.compose(library.Swizzle(3, 3, 3), library.Layout(layout.shape, layout.stride))


def seconds(function) -> float:
    """The shortest of five calls."""
    times = []
    for _ in range(5):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


@pytest.mark.benchmark(group="addresses of all 8,192 elements")
@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("peer", [of_pycute, of_tensor_layouts])
def test_a_map_against_a_peer(benchmark, name, peer):
    layout = LAYOUTS[name]
    theirs = peer(layout)

    def evaluate():
        return [[theirs(row, col) for col in range(COLS)] for row in range(ROWS)]

    assert np.array_equal(benchmark(ours, layout), 2 * np.array(evaluate()))
    ratio = seconds(evaluate) / benchmark.stats.stats.min
    benchmark.extra_info[f"times faster than {peer.__name__.removeprefix('of_')}"] = round(ratio)
    assert ratio >= AT_LEAST


@pytest.mark.benchmark(group="reading a layout")
def test_from_cute(benchmark):
    text = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))"
    assert benchmark(Tile.from_cute, text).rows == ROWS


@pytest.mark.benchmark(group="reading a layout")
def test_from_map(benchmark):
    table = Tile(ROWS, COLS, "f16", swizzle=Swizzle(3, 3, 3), unit="element").addresses // 2
    assert benchmark(Tile.from_map, table).swizzle == Swizzle(3, 3, 3)


@pytest.mark.benchmark(group="all legal swizzles with B <= 5 and all paddings, four accesses, 128x64 f16")
def test_search(benchmark):
    tile = Tile(ROWS, COLS, "f16")
    accesses = [Access.cp_async(tile), Access.ldmatrix(tile), Access.ldmatrix(tile, trans=True), Access.row(tile)]
    assert benchmark(best_swizzles, tile, accesses).best.swizzle == Swizzle(3, 3, 3)
    assert benchmark.stats.stats.median < 0.1
