"""The C++ that notebook 08 shows compiles, and does what our tiles say; what TMA must refuse, it refuses."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Layout, Swizzle, Tile, gmma_atom, tile_to_shape

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


@pytest.fixture(scope="session")
def nvcc() -> list[str]:
    """nvcc with CuTe's headers and the steps."""
    found = shutil.which("nvcc") or pytest.skip("no nvcc on the PATH")
    headers = Path(pytest.importorskip("cutlass_library").__file__).parent / "source" / "include"
    return [found, "-std=c++17", "--expt-relaxed-constexpr", f"-I{headers}", f"-I{STEPS}"]


def compiled(command: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="session")
def memory(nvcc, tmp_path_factory) -> dict[str, tuple[str, np.ndarray]]:
    """For each layout what CuTe prints, and the elements' numbers in the order of memory, written through a tensor."""
    program = tmp_path_factory.mktemp("steps") / "host"
    built = compiled([*nvcc, "-x", "c++", "-O0", str(STEPS / "host.cpp"), "-o", str(program)])
    assert built.returncode == 0, built.stderr
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
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


def test_tma_refuses_a_swizzle_counted_in_halves(nvcc, tmp_path):
    """The right map in the wrong unit; the device program below shows that the wrong map passes."""
    source = tmp_path / "load.cu"
    function = "auto load(cute::half_t const* p) { return steps::make_load(p, steps::InElements{}); }"
    source.write_text(f'#include "tma_copy.hpp"\n{function}\n')
    built = compiled([*nvcc, "-arch=sm_90a", "-c", str(source), "-o", str(tmp_path / "load.o")])
    assert built.returncode != 0
    assert "Unsupported layout swizzle" in built.stderr


def test_the_device_program_compiles(nvcc, tmp_path):
    program = tmp_path / "device"
    built = compiled([*nvcc, "-arch=sm_90a", str(STEPS / "device.cu"), "-o", str(program)])
    assert built.returncode == 0, built.stderr
    assert "warpgroup" not in built.stderr
