"""The browser draws the same pictures as the figures: item by item, in a JavaScript engine."""

from __future__ import annotations

import numpy as np
import pytest

from swizzle_widgets import Access, Layout, Swizzle, SwizzleRanking, Tile, best_swizzles
from swizzle_widgets.figures.bank_heatmap import _beside, legend_scene, tile_scene, tiles_scene
from swizzle_widgets.figures.bit_diagram import bits_scene
from swizzle_widgets.figures.cells import Cells, elements_per_cell
from swizzle_widgets.figures.column_read import row_height, time_scene, times_scene, track_of
from swizzle_widgets.figures.lab import lab_bits_scene, lab_scene
from swizzle_widgets.figures.swizzle_ranking import BEST, Shades, map_scene, way_scene
from swizzle_widgets.model.table import Table
from swizzle_widgets.theme import CONFLICT_COLORS
from tests.support.scenes import described, in_javascript, in_python

F16 = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
ODD = Tile(7, 12, "f32", layout=Table(np.random.default_rng(1).permutation(84).reshape(7, 12)))
ACCESSES = [
    Access.ldmatrix(F16),
    Access.ldmatrix(F16.with_swizzle(None), col=16, num=2),
    Access.column(F16, 3),
    Access.column(F16, 8, width=16),
    Access.row(F16, 2),
    Access.column(Tile(16, 64, "f16", swizzle=Swizzle(2, 2, 4), unit="byte"), 8, width=16),
    Access.column(Tile(32, 32, "f32", swizzle=Swizzle(5, 0, 5), unit="element"), 31),
    Access.column(Tile(32, 32, "f32", padding=1, base_address=64)),
    Access.row(Tile(16, 32, "f64"), width=8),
    Access.row(Tile(64, 32, "f16", order="column"), 4),
    Access.column(Tile(8, 128, "u8", swizzle=Swizzle(3, 4, 3), unit="byte"), 4),
    Access.offsets(Tile(8, 64, "e2m1"), [0, 8, 16, 2]),
    Access.column(Tile(512, 1, "f16")),
    Access.column(Tile(1000, 3, "u8")),
    Access.row(Tile(8, 256, "f16", swizzle=Swizzle(3, 3, 3), unit="element"), width=8),
    Access.ldmatrix(Tile(128, 512, "f16")),
    Access.offsets(ODD, [5, 80, 33]),
    Access.column(Tile.of_layout(Layout(((8, 4), (16, 2)), ((16, 256), (1, 128))), "s8")),
    Access.at(F16, [0] * 32, [0] * 32),
]
IDS = [f"{index} {access}" for index, access in enumerate(ACCESSES)]


def at_widths(*widths: int) -> list:
    """Every access at the last width and at one other, but for a tile of 64 Ki elements; a release: at all widths."""
    cases = []
    for index, (access, name) in enumerate(zip(ACCESSES, IDS)):
        slow = access.tile.rows * access.tile.cols > 1 << 15
        kept = set() if slow else {widths[-1], widths[index % (len(widths) - 1)]}
        for width in widths:
            marks = [] if width in kept else [pytest.mark.release]
            cases.append(pytest.param(access, width, id=f"{name}-{width}", marks=marks))
    return cases


@pytest.mark.parametrize(("access", "width"), at_widths(300, 500, 880))
def test_the_tile(access, width):
    cells = Cells(access, elements_per_cell([access.tile]))
    for numbers in ("lanes", "banks", "offsets"):
        expected = in_python(tile_scene(cells, width, numbers))
        found = in_javascript("tile", described(access.tile), access.spec, width, numbers)
        assert found == expected


@pytest.mark.parametrize(("access", "width"), at_widths(300, 428, 880))
def test_time(access, width):
    track = track_of(access, "a label")
    for step in (None, 0, 1, 3):
        expected = in_python(time_scene(track, width, row_height([[track]], 760), step))
        assert in_javascript("time", described(access.tile), access.spec, width, step) == expected


@pytest.mark.parametrize(("access", "width"), at_widths(328, 880))
def test_whole_pictures_with_their_keys(access, width):
    both = [access.on(access.tile.with_swizzle(None)), access]
    tiles = [described(each.tile) for each in both]
    for numbers in ("lanes", "banks", "offsets"):
        found = in_javascript("tiles", tiles, access.spec, width, numbers, 840)
        assert found == in_python(tiles_scene(both, width, numbers, most=840))
    for step in (None, 2):
        found = in_javascript("times", tiles, access.spec, width, step)
        expected = times_scene([track_of(each, "a label") for each in both], width, step)
        assert found == in_python(expected)


@pytest.mark.parametrize("access", ACCESSES, ids=IDS)
def test_beside_or_above(access):
    tiles = [access.tile.with_swizzle(None), access.tile]
    per = elements_per_cell(tiles)
    for width in (400, 640, 880, 1080):
        half = (width - 24) // 2
        expected = _beside([Cells(access.on(tile), per) for tile in tiles], half, width)
        assert in_javascript("beside", [described(tile) for tile in tiles], access.spec, half, width) == expected


BIT_TILES = [
    F16,
    F16.with_swizzle(Swizzle(3, 3, 3), "element"),
    F16.with_swizzle(Swizzle(2, 4, -3), "byte"),
    F16.with_swizzle(None),
    Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", base_address=1024),
    Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", base_address=144),
    Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", base_address=128, anchor="address"),
    Tile(8, 64, "e2m1", swizzle=Swizzle(2, 4, 3), unit="byte"),
    Tile(32, 33, "f32"),
    ODD,
    Tile.of_layout(Layout(((8, 4), (16, 2)), ((16, 256), (1, 128))), "s8"),
]


@pytest.mark.parametrize("width", [320, 880])
@pytest.mark.parametrize("tile", BIT_TILES, ids=str)
def test_bits(tile, width):
    for offset in (0, 1, 79, 80):
        expected = in_python(bits_scene(tile, offset, width))
        assert in_javascript("bits", described(tile), offset, width) == expected
        expected = in_python(lab_bits_scene(tile, offset, width))
        assert in_javascript("labBits", described(tile), offset, width) == expected


@pytest.mark.parametrize("width", [300, 880, 1092])
@pytest.mark.parametrize("access", ACCESSES[:5], ids=IDS[:5])
def test_the_lab(access, width):
    both = [access.on(access.tile.with_swizzle(None)), access]
    for step in (None, 2):
        found = in_javascript("lab", [described(each.tile) for each in both], access.spec, width, step)
        assert found == in_python(lab_scene(both, width, step))


@pytest.mark.parametrize("width", [300, 500, 880])
def test_the_legend(width):
    assert in_javascript("legend", width) == in_python(legend_scene(width))


def _search(tile, *accesses, **options):
    return best_swizzles(tile, [make(tile) for make in accesses], **options)


RANKINGS = {
    "two": lambda: _search(Tile(16, 64, "f16"), Access.ldmatrix, Access.row),
    "lines": lambda: _search(Tile(64, 64, "f16"), Access.cp_async, Access.ldmatrix),
    "column": lambda: _search(Tile(32, 32, "f32"), Access.column, padding=False),
    "nothing to gain": lambda: _search(Tile(32, 32, "f32"), Access.row),
    "modes": lambda: _search(Tile(64, 64, "f16"), Access.ldmatrix, modes="wgmma"),
    "columns": lambda: _search(Tile(64, 32, "f16", order="column"), Access.row),
    "table": lambda: _search(Tile.from_map([[3, 1, 8], [0, 7, 2], [5, 4, 6]], dtype="f32"), Access.row),
}


@pytest.mark.parametrize("width", [300, 880])
@pytest.mark.parametrize("name", RANKINGS)
def test_the_ranking(name, width):
    ranking = RANKINGS[name]()
    widget = SwizzleRanking(ranking)
    ways = in_javascript("ways", widget.ways, widget.best, 260)
    assert ways == [in_python(way_scene(way, 260)) for way in ranking[:BEST]]
    chosen = widget.tile.swizzle
    options = {"ideal": widget.ideal, "unitName": f"{ranking.tile.dtype} elements"}
    found = in_javascript("map", widget.ways, options, chosen and [chosen.bits, chosen.base, chosen.shift], width)
    assert found | {"width": width} == in_python(map_scene(ranking, chosen, width))


@pytest.mark.parametrize("count", range(1, len(CONFLICT_COLORS) + 1))
def test_every_cost_of_a_map_has_its_own_shade(count):
    costs = [5 * 2**at + 1 for at in range(count)]
    shades = Shades.of([5, *costs], 5)
    assert len({shades.colors(cost) for cost in [-1, 5, *costs]}) == count + 2
