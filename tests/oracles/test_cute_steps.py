"""The C++ that notebook 08 shows compiles, and does what our tiles say; what TMA must refuse, it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Layout, Swizzle, Tile, gmma_atom, tile_to_shape
from tests.support import compiled

STEPS = Path(__file__).parents[2] / "notebooks" / "cute"
IN_ELEMENTS = Tile(128, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element")
WIDE = Layout((128, 128), (128, 1))
TILES = {
    "Plain": Tile(128, 64, "f16"),
    "InElements": IN_ELEMENTS,
    "InBytes": Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address"),
    "Mixed": Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="element"),
    "Narrow": tile_to_shape(gmma_atom("f16"), 128, 64),
    "Pages": tile_to_shape(gmma_atom("f16"), 128, 128),
    "WideRows": Tile.of_layout(WIDE, "f16", swizzle=Swizzle(3, 3, 4), unit="element"),
    "WideRowsWrong": Tile.of_layout(WIDE, "f16", swizzle=Swizzle(3, 3, 3), unit="element"),
}


# As the second line of each kernel calls nvcc.
DEVICE = ("-std=c++17", "--expt-relaxed-constexpr")


@pytest.fixture(scope="session")
def memory() -> dict[str, tuple[str, np.ndarray]]:
    """For each layout what CuTe prints, and the elements' numbers in the order of memory, written through a tensor."""
    source = (STEPS / "layouts.cpp").read_text(encoding="utf-8")
    lines = compiled.built("layouts", source, *compiled.HOST, run=True).checked().splitlines()
    return {name: (text, np.array(numbers.split(), int)) for name, text, numbers in zip(*[iter(lines)] * 3)}


def test_every_layout_is_shown(memory):
    assert memory.keys() == TILES.keys()


@pytest.mark.parametrize("name", TILES)
def test_memory_holds_what_our_tile_says(name, memory):
    tile, (text, found) = TILES[name], memory[name]
    assert tile.cute_text == text
    expected = np.empty(tile.rows * tile.cols, int)
    expected[tile.addresses.ravel() // 2] = np.arange(tile.rows * tile.cols) % 2048
    assert np.array_equal(found, expected)


def test_the_two_units_are_one_map_and_the_mixture_is_not():
    assert np.array_equal(IN_ELEMENTS.addresses, TILES["InBytes"].addresses)
    assert np.array_equal(IN_ELEMENTS.addresses, TILES["Narrow"].addresses)
    assert (TILES["Mixed"].addresses != TILES["InBytes"].addresses).sum() == 6144


def test_print_layout_spells_the_atom_of_bytes_in_elements():
    source = (STEPS / "print_atom.cpp").read_text(encoding="utf-8")
    printed = compiled.built("print_atom", source, *compiled.HOST, run=True).checked()
    assert printed == (STEPS / "print_atom.txt").read_text()
    in_bytes, in_elements = (Tile.from_cute(line, "f16") for line in printed.splitlines()[:2])
    assert (in_bytes.swizzle, in_bytes.unit) == (Swizzle(1, 4, 3), "byte")
    assert (in_elements.swizzle, in_elements.unit) == (Swizzle(1, 3, 3), "element")
    assert np.array_equal(in_bytes.addresses, in_elements.addresses)


def test_tma_refuses_a_swizzle_counted_in_halves():
    """The right map in the wrong unit; mixed.cu shows that the wrong map passes."""
    function = "auto load(half_t const* p) { return make_load(p, InElements{}); }"
    source = f'#define main of_the_other_file\n#include "mixed.cu"\n{function}\n'
    built = compiled.built("load", source, *DEVICE, "-arch=sm_90a", "-c", folders=(STEPS,))
    assert built.status != 0
    assert "Unsupported layout swizzle" in built.messages


@pytest.mark.parametrize(("name", "arch"), [("ampere", "sm_80"), ("hopper", "sm_90a"), ("mixed", "sm_90a")])
def test_the_kernels_compile(name, arch):
    source = (STEPS / f"{name}.cu").read_text(encoding="utf-8")
    assert f"-arch={arch} -I<cutlass>/include {name}.cu -o {name} && ./{name}" in source.splitlines()[1]
    built = compiled.built(name, source, *DEVICE, f"-arch={arch}")
    assert built.status == 0, built.messages
    assert "warpgroup" not in built.messages  # nvcc's warning of a serialized wgmma


def recorded(name: str) -> list[str]:
    return (STEPS / f"{name}.txt").read_text().splitlines()


@pytest.mark.parametrize("name", ["ampere", "hopper"])
def test_the_kernels_were_right_on_a_gpu(name):
    lines = recorded(name)
    assert len(lines) == 2
    assert all(line.endswith(": 0 of 16384 results wrong") for line in lines)


def test_what_tma_misplaced_on_a_gpu_is_what_the_model_says():
    in_bytes, in_elements = recorded("mixed")
    differ = (TILES["Mixed"].addresses != TILES["InBytes"].addresses).sum()
    assert in_bytes.endswith(": 0 of 8192 elements misplaced")
    assert in_elements.endswith(f": {differ} of 8192 elements misplaced")


RECAST = """#include <cute/tensor.hpp>
using namespace cute;
int main() { print(recast_layout<uint8_t, float>(composition(Swizzle<3, 1, 3>{}, Layout<_1024>{}))); }
"""


def test_recast_layout_of_a_small_granule_is_another_map():
    """What notebook 05 warns of: no error, and another swizzle."""
    printed = compiled.built("recast", RECAST, *compiled.HOST, run=True).checked()
    assert printed.startswith("Sw<2,0,3> ")
    with pytest.raises(ValueError, match="moves parts"):
        Swizzle(3, 1, 3).recast(8, 32)


def test_a_short_shift_does_not_compile():
    source = "#include <cute/tensor.hpp>\nauto swizzle = cute::Swizzle<2, 0, 1>{};\n"
    built = compiled.built("short", source, *compiled.HOST, "-c")
    assert built.status != 0
    assert "abs(SShift) must be more than BBits" in built.messages


def test_a_short_shift_is_the_identity_in_the_dsl():
    """What notebook 04 says of version 4.8.1."""
    cutlass = pytest.importorskip("cutlass")
    cute, printed, places = cutlass.cute, [], []

    @cute.jit
    def make():
        composed = cute.make_composed_layout(cute.make_swizzle(2, 0, 1), 0, cute.make_layout((8, 8), stride=(8, 1)))
        printed.append(str(composed))
        places.extend(int(composed((row, col))) for row in range(8) for col in range(8))

    make()
    assert printed[0].startswith("S<0,4,3> o 0")
    assert places == list(range(64))
