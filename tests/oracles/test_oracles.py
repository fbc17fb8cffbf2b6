"""Swizzle and Layout against NVIDIA's own: pycute, and CuTe DSL compiled for the CPU."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from swizzle_widgets import Layout, Swizzle, Tile
from tests.support.strategies import LEGAL

# The largest period among LEGAL, Sw<4,5,7>'s: one whole period of each, and at least 2**12 offsets.
OFFSETS = np.arange(1 << 16)


@pytest.fixture(scope="module")
def pycute():
    return pytest.importorskip("pycute", reason="pycute comes with the wheel nvidia-cutlass")


@pytest.fixture(scope="module")
def cute_maps():
    pytest.importorskip("cutlass.cute", reason="CuTe DSL comes with the wheel nvidia-cutlass-dsl")
    return importlib.import_module("tests.oracles.cute_maps")


def test_the_legal_swizzles_are_all_here():
    assert len(LEGAL) == len(set(LEGAL)) == 354
    assert max(Swizzle(*fields).period for fields in LEGAL) == len(OFFSETS)


def test_pycute(pycute):
    for bits, base, shift in LEGAL:
        # pycute's Swizzle(0, M, 0) calls itself for ever; it is the identity by CuTe's definition.
        theirs = pycute.Swizzle(bits, base, shift)(OFFSETS) if shift else OFFSETS
        assert np.array_equal(Swizzle(bits, base, shift)(OFFSETS), theirs), (bits, base, shift)


def test_pycute_legality(pycute):
    for bits in range(-1, 5):
        for base in range(-1, 3):
            for shift in range(-5, 6):
                try:
                    pycute.Swizzle(bits, base, shift)
                except (AssertionError, ValueError):
                    with pytest.raises(ValueError, match=r"bits|base|shift"):
                        Swizzle(bits, base, shift)
                else:
                    Swizzle(bits, base, shift)


@pytest.mark.parametrize("fields", [(3, 3, 3), (2, 3, 3), (3, 2, -4), (1, 5, 7)])
def test_pycute_composed_tile(pycute, fields):
    shape, stride = ((8, 4), (16, 2)), ((64, 512), (1, 16))
    theirs = pycute.ComposedLayout(pycute.Swizzle(*fields), 0, pycute.Layout(shape, stride))
    tile = Tile.of_layout(Layout(shape, stride), "f16", swizzle=Swizzle(*fields), unit="element")
    expected = [[2 * theirs(row, col) for col in range(32)] for row in range(32)]
    assert tile.addresses.tolist() == expected


@pytest.mark.filterwarnings("ignore:This static loop")
def test_cute_dsl(cute_maps):
    maps = cute_maps.swizzled_offsets(LEGAL, len(OFFSETS))
    assert maps.shape == (354, 1 << 16)
    for fields, theirs in zip(LEGAL, maps):
        assert np.array_equal(Swizzle(*fields)(OFFSETS), theirs), fields


@pytest.mark.parametrize("fields", [(3, 3, 3), (1, 3, 3), (2, 0, -4)])
def test_cute_dsl_composed_tile(cute_maps, fields):
    tile = Tile(8, 64, "f16", swizzle=Swizzle(*fields), unit="element")
    text, offsets = cute_maps.composed_tile(fields, 8, 64)
    assert (tile.addresses // 2).tolist() == offsets
    swizzle, offset, layout = text.split(" o ")
    # CuTe DSL 4.8 leaves out the ">" of a negative shift: S<2,0,-4
    assert (Swizzle.parse(swizzle.rstrip(">") + ">"), offset, layout) == (tile.swizzle, "0", str(tile.layout))
