"""Exact limits, degenerate extents and odd shapes of layouts, tables and texts."""

from __future__ import annotations

import numpy as np
import pytest

from swizzle_widgets import Layout, Table, Tile


@pytest.mark.parametrize(("depth", "legal"), [(15, True), (16, True), (17, False), (1000, False)])
def test_nesting(depth, legal):
    shape = "(" * depth + "8" + ")" * depth
    text = f"{shape}:{shape.replace('8', '1')}"
    if legal:
        assert Layout.parse(text).size == 8
    else:
        with pytest.raises(ValueError, match=r"nested more than 16 deep|at most 1000"):
            Layout.parse(text)


def test_a_text_of_a_thousand_characters_is_read_and_no_longer_one():
    text = "(8,8):(8,1)"
    assert Layout.parse(text + " " * (1000 - len(text))) == Layout((8, 8), (8, 1))
    with pytest.raises(ValueError, match="a text of 1001 characters is no layout"):
        Layout.parse(text + " " * (1001 - len(text)))


@pytest.mark.parametrize("piece", ["a ", "sA: ", "(", "&lt;", "o ", "_", "[0] ", "1,", "Sw<", "12:30:01 ", "> "])
def test_long_texts_are_refused(piece):
    text = piece * (8000 // len(piece))
    with pytest.raises(ValueError, match=r"expected|at most|nested"):
        Tile.from_cute(text, "f16")


@pytest.mark.parametrize(
    ("offsets", "order"),
    [
        ([[0, 1, 2]], "row"),
        ([[0], [1], [2]], "column"),
        ([[0], [2], [4]], "row"),
        ([[0, 2, 4]], "column"),
        ([[0, 2], [1, 3]], "column"),
        ([[5]], "row"),
        ([[0, 7], [3, 1]], None),
        ([[0, 1], [9, 5], [2, 3]], "row"),
    ],
)
def test_the_order_of_tables(offsets, order):
    assert Table(offsets).order == order
    assert Tile.from_map(offsets, dtype="f32").order == order


@pytest.mark.parametrize(
    ("layout", "order"),
    [
        (Layout((16, 1), (1, 16)), "column"),
        (Layout((16, 1), (4, 1)), "row"),
        (Layout((1, 16), (1, 1)), "row"),
        (Layout((2, 8), (100, 3)), None),
        (Layout((8, 8, 2, 2)), None),
        (Layout(8, 1), None),
    ],
)
def test_the_order_of_layouts(layout, order):
    assert layout.order == order


def test_negative_strides_count_down():
    layout = Layout((4, 8), (-8, 1))
    assert (layout.lowest, layout.cosize) == (-24, 8)
    assert layout.offsets.tolist() == [[-8 * row + col for col in range(8)] for row in range(4)]
    assert Layout.parse(str(layout)) == layout
    with pytest.raises(ValueError, match="counts down to offset -24"):
        Tile.of_layout(layout, "f16")


def test_recast_of_leaves_smaller_than_the_group():
    assert Layout(((2, 8), 4), ((1, 2), 16)).recast(16, 64) == Layout(((1, 4), 4), ((1, 1), 4))


@pytest.mark.parametrize("corner", [(0, 0), (2, 8), (7, 63), (3, 1)])
def test_a_part_of_a_plain_layout_is_a_layout(corner):
    row, col = corner
    tile = Tile(8, 64, "f16")
    part = tile.part(row, col, min(4, 8 - row), min(16, 64 - col))
    assert isinstance(part.layout, Layout)
    assert np.array_equal(part.addresses, tile.addresses[row : row + part.rows, col : col + part.cols])


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ((0, 0, 0, 4), "rows = 0 is too small: it must be at least 1"),
        ((0, 0, 4, 0), "cols = 0 is too small: it must be at least 1"),
        ((7, 0, 2, 4), "rows = 2 is too large: it must be at most 1"),
        ((0, 1, 4, 4), "offset 1 of e2m1 elements is in the middle of a byte"),
    ],
)
def test_a_part_is_inside_and_begins_at_a_byte(part, message):
    with pytest.raises(ValueError, match=message):
        Tile(8, 64, "e2m1").part(*part)
    assert Tile(8, 64, "e2m1").part(0, 2, 4, 4).base_address == 1


def test_a_map_is_counted_before_it_is_asked():
    with pytest.raises(ValueError, match="a map of 33554432 elements is too large: at most 16777216"):
        Tile.from_map(lambda row, col: pytest.fail("asked"), (1 << 13, 1 << 12), "f16")
