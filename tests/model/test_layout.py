"""Layout: shape:stride against pycute, its spelling, and what it refuses."""

from __future__ import annotations

import itertools
import random
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from swizzle_widgets import Layout
from tests.support.strategies import sizes, strides_for


@st.composite
def layouts(draw):
    shape = draw(sizes)
    return shape, draw(st.one_of(st.none(), strides_for(shape)))


@given(layouts())
def test_equals_pycute(pair):
    pycute = pytest.importorskip("pycute", reason="pycute comes with the wheel nvidia-cutlass")
    shape, stride = pair
    ours, theirs = Layout(shape, stride), pycute.Layout(shape, stride)
    assume(ours.size <= 4000)
    assert (ours.size, ours.cosize) == (pycute.size(theirs), pycute.cosize(theirs))
    assert str(ours) == str(theirs).replace(" ", "").replace(",)", ")")
    expected = [theirs(index) for index in range(ours.size)]
    assert [ours(index) for index in range(ours.size)] == expected
    assert ours(np.arange(ours.size)).tolist() == expected
    # First mode fastest: Fortran order.
    assert ours.offsets.ravel(order="F").tolist() == expected
    assert [mode.size for mode in ours.modes] == list(ours.offsets.shape)


@given(layouts())
def test_coordinates_as_pycute_takes_them(pair):
    pycute = pytest.importorskip("pycute", reason="pycute comes with the wheel nvidia-cutlass")
    shape, stride = pair
    assume(isinstance(shape, tuple))
    ours, theirs = Layout(shape, stride), pycute.Layout(shape, stride)
    assume(ours.size <= 500)
    for index in range(ours.size):
        nested = pycute.idx2crd(index, shape)
        assert ours(nested) == theirs(nested) == theirs(index)
    for coordinate in itertools.product(*(range(mode.size) for mode in ours.modes)):
        assert ours(*coordinate) == ours(coordinate) == theirs(coordinate) == ours.offsets[coordinate]


@given(layouts())
def test_round_trip(pair):
    layout = Layout(*pair)
    assert eval(repr(layout)) == layout
    assert hash(eval(repr(layout))) == hash(layout)
    shape, stride = str(layout).split(":")
    # CuTe's (8) is a tuple of one, Python's is a number: only tuples of two and more read back.
    if all(len(part) > 1 for part in _tuples(layout.shape)):
        assert Layout(eval(shape), eval(stride)) == layout


def _tuples(value):
    return [] if isinstance(value, int) else [value, *(inner for item in value for inner in _tuples(item))]


def test_by_hand():
    layout = Layout((8, 64), (64, 1))
    assert (layout(2, 3), layout((2, 3)), layout(8), layout.rank, layout.size, layout.cosize) == (
        131,
        131,
        1,
        2,
        512,
        512,
    )
    assert str(layout) == "(8,64):(64,1)"
    tiled = Layout(((8, 16), (64, 1)), ((64, 512), (1, 0)))
    assert str(tiled) == "((8,16),(64,1)):((64,512),(1,0))"
    assert tiled.offsets.shape == (128, 64)
    assert tiled(9, 3) == tiled((1, 1), 3) == 64 + 512 + 3
    assert Layout(8) == Layout(8, 1)
    assert Layout([4, [2, 3]]) == Layout((4, (2, 3)), (1, (4, 8)))


def test_broadcast_coordinates():
    rows, cols = np.arange(8)[:, None], np.arange(64)
    layout = Layout((8, 64), (64, 1))
    assert np.array_equal(layout(rows, cols), layout.offsets)
    assert layout(3, cols).tolist() == list(range(192, 256))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64])
def test_coordinates_of_every_dtype(dtype):
    layout = Layout((100, 100), (1000, 1 << 33))
    rows, cols = np.array([99, 2], dtype), np.array([3, 99])
    offsets = layout(rows, cols)
    assert offsets.dtype == np.int64
    assert offsets.tolist() == [99_000 + (3 << 33), 2000 + (99 << 33)]
    assert type(layout(dtype(3), dtype(4))) is int


def test_the_largest_offsets_fit():
    largest = (1 << 63) - 1
    assert Layout(2, largest - 1)(np.array([1])).tolist() == [largest - 1]
    assert Layout(2, largest - 1).offsets.tolist() == [0, largest - 1]


@pytest.mark.parametrize(
    ("shape", "stride", "text"),
    [
        (0, None, "shape = 0 is too small: it must be at least 1"),
        ((4, -2), None, "shape = -2 is too small"),
        ((4, 2), (1, -(1 << 63)), "too large"),
        ((), None, "shape holds an empty tuple"),
        ((4, ()), None, "shape holds an empty tuple"),
        ((4, 4), (1,), "stride (1,) is not nested as shape (4, 4) is"),
        ((4, 4), 1, "stride 1 is not nested as shape (4, 4) is"),
        (4, (1,), "stride (1,) is not nested as shape 4 is"),
        ((4, (2, 2)), (1, 4), "stride (1, 4) is not nested as shape (4, (2, 2)) is"),
        ((4, 4), ((1, 2), 4), "stride ((1, 2), 4) is not nested"),
        (2, 1 << 63, "is too large: both must fit in 63 bits"),
        ((1 << 32, 1 << 32), (0, 0), "a layout of about 2**64 elements"),
        ((1 << 20000,), None, "a layout of about 2**20000 elements"),
    ],
)
def test_refused(shape, stride, text):
    with pytest.raises(ValueError, match=re.escape(text)):
        Layout(shape, stride)


@pytest.mark.parametrize("value", [True, 4.0, float("nan"), "4", None, {4}, np.array([4, 4])])
def test_refused_types(value):
    with pytest.raises(TypeError, match="shape must be a whole number, not"):
        Layout((2, value))


def test_refused_depth():
    shape = 1
    for _ in range(20):
        shape = (shape,)
    with pytest.raises(ValueError, match="nested more than 16 deep"):
        Layout(shape)
    endless = [1]
    endless.append(endless)
    with pytest.raises(ValueError, match="nested more than 16 deep"):
        Layout(endless)


@pytest.mark.parametrize(
    ("coordinate", "text"),
    [
        ((32,), "coordinate 32 is outside (8,4):(4,1), which has 32 elements"),
        ((8, 0), "coordinate 8 is outside 8:4, which has 8 elements"),
        ((0, [0, 4]), "coordinate 4 is outside 4:1"),
        ((-1,), "coordinate = -1 is too small"),
        ((0, [-1, 2]), "coordinates must be at least 0, but one is -1"),
        ((1, 2, 3), "(8,4):(4,1) has 2 modes, but 3 coordinates were given"),
        ((), "(8,4):(4,1) has 2 modes, but 0 coordinates were given"),
        (((1, 2, 3),), "has 2 modes, but coordinate (1, 2, 3) has 3"),
        (((1, (0, 1)),), "4:1 has 1 modes, but coordinate (0, 1) has 2"),
        ((1 << 80,), "coordinate about 2**80 is outside"),
    ],
)
def test_refused_coordinates(coordinate, text):
    with pytest.raises(ValueError, match=re.escape(text)):
        Layout((8, 4), (4, 1))(*coordinate)


@pytest.mark.parametrize("coordinate", [True, 1.0, "1", None, [1.0], [True]])
def test_refused_coordinate_types(coordinate):
    with pytest.raises(TypeError, match=r"coordinates? must be (a )?whole number"):
        Layout((8, 4))(coordinate)


def test_too_large_to_list():
    layout = Layout((1 << 13, 1 << 12))
    assert layout((1 << 13) - 1, 5) == (1 << 13) - 1 + (5 << 13)
    with pytest.raises(ValueError, match="33554432 elements is too large to list: at most 16777216"):
        layout.offsets  # noqa: B018


def made(chance: random.Random) -> Layout:
    """Two modes, nested at will; extents and strides are often those of groups that may be gathered."""

    def nested(depth: int = 0):
        if depth < 2 and chance.random() < 0.35:
            return tuple(nested(depth + 1) for _ in range(chance.randint(1, 3)))
        return chance.choice((1, 2, 3, 4, 8))

    def stepped(shape):
        return chance.choice((0, 1, 1, 2, 4, 8, 16, 3, 40)) if isinstance(shape, int) else tuple(map(stepped, shape))

    shape = nested(), nested()
    return Layout(shape, stepped(shape))


def bits(layout: Layout, size: int) -> np.ndarray:
    return np.sort((layout.offsets.ravel()[:, None] * size + np.arange(size)).ravel())


def test_recast_covers_the_same_memory():
    """Every bit that the elements cover is covered as often by larger or smaller ones, or the recast is refused."""
    chance, recast = random.Random(1), {"larger": 0, "smaller": 0, "refused": 0}
    for _ in range(5000):
        layout, old, new = made(chance), chance.choice((4, 8, 16, 32)), chance.choice((4, 8, 16, 32, 64))
        if layout.size > 4000 or old == new:
            continue
        try:
            counted = layout.recast(old, new)
        except ValueError:
            recast["refused"] += 1
            continue
        recast["larger" if new > old else "smaller"] += 1
        assert np.array_equal(bits(layout, old), bits(counted, new)), (layout, old, new)
    assert recast["larger"] > 200
    assert recast["smaller"] > 500


@pytest.mark.parametrize(
    ("shape", "stride", "bits"),
    [
        ((8, 8), (4, 2), 64), (((2, 2), 8), ((1, 1), 0), 32), ((8, 3), (4, 1), 32), ((4, 2), (-2, 1), 32),
        ((6, 8), (1, 8), 32), ((2, 8), (1, 4), 32), ((8, 2), (1, 6), 32),
    ],
)  # fmt: skip
def test_what_is_not_adjacent_is_not_gathered(shape, stride, bits):
    with pytest.raises(ValueError, match=rf"cannot be counted in {bits}-bit elements: its 8-bit ones are not adjacent"):
        Layout(shape, stride).recast(8, bits)
