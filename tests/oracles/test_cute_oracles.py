"""Offsets and spellings against CuTe C++ (compiled for the host), CuTe DSL and pycute."""

# CuTe DSL evaluates annotations, so they are no strings here: no `from __future__ import annotations`.

import random
from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile, best_swizzles, gmma_atom, tile_to_shape
from swizzle_widgets.course.kernel_layouts import KERNEL_LAYOUTS
from swizzle_widgets.model.modes import operand_refusal
from swizzle_widgets.model.swizzle import legal_swizzles
from swizzle_widgets.model.texts.writing import cpp_code
from tests.support import compiled

SOURCES = Path(__file__).parent / "cute"
MODES = {"SW128": "128B", "SW64": "64B", "SW32": "32B", "INTER": "none"}
# The types that WGMMA reads, one of each size: the atoms depend on the size alone.
TYPES = {"float": "tf32", "half_t": "f16", "float_e4m3_t": "e4m3", "cute::uint1b_t": "b1"}


def offsets(tile: Tile) -> np.ndarray:
    """Where the elements of a tile lie, counted in elements from address 0."""
    return tile.bit_addresses(tile.layout.offsets) // tile.element_bits


def atoms():
    """(C++ expression, tile) of every GMMA atom, alone and tiled to 128x64, 128x128 and its own multiples."""
    for major in ("K", "MN"):
        for cpp_mode, mode in MODES.items():
            for cpp_type, dtype in TYPES.items():
                if operand_refusal(dtype, major):
                    continue
                expression = f"GMMA::Layout_{major}_{cpp_mode}_Atom<{cpp_type}>{{}}"
                atom = gmma_atom(dtype, major, mode)
                yield expression, atom
                for rows, cols in ((128, 64), (128, 128), (3 * atom.rows, 2 * atom.cols)):
                    if rows % atom.rows == 0 and cols % atom.cols == 0:
                        shape = f"Shape<Int<{rows}>, Int<{cols}>>{{}}"
                        yield f"tile_to_shape({expression}, {shape})", tile_to_shape(atom, rows, cols)
                        by_row = tile_to_shape(atom, rows, cols, order="row")
                        yield f"tile_to_shape({expression}, {shape}, Step<_2, _1>{{}})", by_row


def generated(count: int = 40):
    """(C++ expression, tile) of layouts: plain, swizzled, with an offset in the swizzle, and in other elements."""
    rng = random.Random(5)
    swizzles = [swizzle for swizzle in legal_swizzles(5, 12) if not swizzle.is_identity]
    for _ in range(count):
        shape = tuple(tuple(rng.randint(1, 5) for _ in range(rng.randint(1, 3))) for _ in range(2))
        stride = tuple(tuple(rng.choice((0, 1, 2, 3, 8, 9, 64, 72, 128)) for _ in mode) for mode in shape)
        tile, swizzle, offset = Tile.of_layout(Layout(shape, stride), "f16"), rng.choice(swizzles), rng.randint(0, 500)
        yield cpp_code(shape, stride), tile
        yield cpp_code(shape, stride, swizzle), tile.with_swizzle(swizzle, "element")
        sw = f"Swizzle<{swizzle.bits}, {swizzle.base}, {swizzle.shift}>{{}}"
        moved = Tile.from_cute(f"{swizzle} o {offset} o {tile.layout}", "f16")
        yield f"make_composed_layout({sw}, Int<{offset}>{{}}, {cpp_code(shape, stride)})", moved


def candidates():
    """(C++ code that the search writes, its tile)."""
    for tile in (Tile(128, 64, "f16"), Tile(64, 128, "bf16"), Tile(32, 32, "f32"), Tile(64, 16, "f32")):
        ranking = best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)])
        yield from ((candidate.cpp, candidate.tile) for candidate in ranking[:8])


def recasts():
    """(C++ recast expression, tile) to larger and smaller elements."""
    for shape, stride in (((8, 64), (64, 1)), ((64, 8), (1, 64)), (((8, 2), 64), ((64, 1024), 1))):
        tile = Tile.of_layout(Layout(shape, stride), "f16", swizzle=Swizzle(3, 3, 3), unit="element")
        for cpp_type, dtype in (("float", "f32"), ("uint8_t", "u8")):
            yield f"recast_layout<half_t, {cpp_type}>({cpp_code(shape, stride, tile.swizzle)})", tile.recast(dtype)


def gallery():
    """(C++ expression as its source has it, tile) of every exhibit of the gallery, tiled."""
    rows_of_64 = "composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{})"
    rows_of_32 = "composition(Swizzle<2,3,3>{}, Layout<Shape<_8,_32>, Stride<_32,_1>>{})"
    atoms = {
        "SM80 half, K-major, K = 64": rows_of_64,
        "SM80 half, K-major, K = 32": rows_of_32,
        "SM80 half, M-major": "composition(Swizzle<3,3,3>{}, Layout<Shape<_64,_8>, Stride<_1,_64>>{})",
        "SM80 tf32, K-major, K = 32": "composition(Swizzle<3,2,3>{}, Layout<Shape<_8,_32>, Stride<_32,_1>>{})",
        "SM80 tf32, K-major, K = 16": "composition(Swizzle<2,2,3>{}, Layout<Shape<_8,_16>, Stride<_16,_1>>{})",
        "SM80 tf32, M-major": "composition(Swizzle<3,2,3>{}, Layout<Shape<_32,_8>, Stride<_1,_32>>{})",
        "SM80 int8, K-major": "composition(Swizzle<2,4,3>{}, Layout<Shape<_16,_64>, Stride<_64,_1>>{})",
        "SIMT float, padded": "Layout<Shape<_128,_8>, Stride<_1,Int<128 + 4>>>{}",
        "FlashAttention-2, head dimension 128": rows_of_64,
        "FlashAttention-2, head dimension 96": rows_of_32,
        "Matrix transpose, padded": "Layout<Shape<_32,_32>, Stride<Int<33>,_1>>{}",
    }
    for exhibit in KERNEL_LAYOUTS:
        atom = f"{exhibit.source}{{}}" if exhibit.source.startswith("GMMA") else atoms[exhibit.name]
        yield atom, Tile.from_cute(exhibit.atom, exhibit.dtype)
        if exhibit.tile.layout.is_flat:
            continue
        yield f"tile_to_shape({atom}, Shape<Int<{exhibit.rows}>, Int<{exhibit.cols}>>{{}})", exhibit.tile


CASES = {
    "atoms": list(atoms()),
    "generated": list(generated()),
    "candidates": list(candidates()),
    "recasts": list(recasts()),
    "gallery": list(gallery()),
}


@pytest.fixture(scope="session")
def printed() -> dict[str, list[tuple[str, np.ndarray]]]:
    """What CuTe C++ prints for every case, and its offsets."""
    shown = "\n".join(f"  show({expression});" for cases in CASES.values() for expression, _ in cases)
    source = f'#include "show.hpp"\nusing namespace cute;\nint main() {{\n{shown}\n}}\n'
    lines = iter(compiled.built("offsets", source, *compiled.HOST, folders=(SOURCES,), run=True).checked().splitlines())
    return {name: [(next(lines), np.array(next(lines).split(), int)) for _ in CASES[name]] for name in CASES}


@pytest.mark.parametrize("group", CASES)
def test_offsets_equal_cute_cpp(group, printed):
    for (expression, tile), (text, theirs) in zip(CASES[group], printed[group]):
        assert np.array_equal(offsets(tile).ravel(), theirs), (expression, text)
    assert len(printed[group]) == len(CASES[group]) > 5


@pytest.mark.parametrize("group", CASES)
def test_what_cute_cpp_prints_is_read_back(group, printed):
    for (expression, tile), (text, theirs) in zip(CASES[group], printed[group]):
        read = Tile.from_cute(text, tile.dtype)
        assert np.array_equal(offsets(read).ravel(), theirs), (expression, text)


@pytest.mark.parametrize("group", ["atoms", "recasts", "gallery"])
def test_what_we_print_is_what_cute_cpp_prints(group, printed):
    for (expression, tile), (text, _) in zip(CASES[group], printed[group]):
        assert tile.cute_text == text, expression


def sampled(tile: Tile, count: int = 60) -> list[tuple[int, int]]:
    """Some coordinates of a tile: every power of two in each direction, and random ones."""
    rng = random.Random(7)
    powers = [(0, 0)] + [(1 << bit, 0) for bit in range(20)] + [(0, 1 << bit) for bit in range(20)]
    inside = [(row, col) for row, col in powers if row < tile.rows and col < tile.cols]
    return inside + [(rng.randrange(tile.rows), rng.randrange(tile.cols)) for _ in range(count)]


def in_elements(tile: Tile) -> Swizzle:
    return tile.swizzle.recast(tile.unit_bits, tile.element_bits)


def test_offsets_equal_pycute():
    pycute = pytest.importorskip("pycute")
    for expression, tile in CASES["atoms"] + CASES["generated"]:
        layout = pycute.Layout(tile.layout.shape, tile.layout.stride)
        swizzle = None if tile.swizzle is None else in_elements(tile)
        if swizzle is not None and swizzle.shift:
            offset = tile.base_address * 8 // tile.element_bits
            layout = pycute.ComposedLayout(pycute.Swizzle(swizzle.bits, swizzle.base, swizzle.shift), offset, layout)
        ours = offsets(tile)
        for row, col in sampled(tile):
            assert layout(row, col) == ours[row, col], (expression, row, col)


@pytest.fixture(scope="session")
def from_dsl():
    """What CuTe DSL prints for its own atoms, tiled to 128x128, and its offsets in elements at sampled coordinates."""
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute
    from cutlass.cute.nvgpu import warpgroup

    names = {"tf32": cutlass.TFloat32, "f16": cutlass.Float16, "bf16": cutlass.BFloat16, "e4m3": cutlass.Float8E4M3FN}
    cases = [
        (dtype, major, mode, tile_to_shape(gmma_atom(dtype, major, MODES[mode]), 128, 128))
        for dtype in names for major in ("K", "MN") for mode in MODES if not operand_refusal(dtype, major)
    ]  # fmt: skip

    @cute.jit
    def evaluate(found: cutlass.Constexpr):
        for dtype, major, mode, tile in cases:
            atom = warpgroup.make_smem_layout_atom(
                getattr(warpgroup.SmemLayoutAtomKind, f"{major}_{mode}"), names[dtype]
            )
            tiled = cute.tile_to_shape(atom, (128, 128), order=(0, 1))
            swizzle = in_elements(tile)
            plain = cute.make_layout(tile.layout.shape, stride=tile.layout.stride)
            ours = cute.make_composed_layout(cute.make_swizzle(swizzle.bits, swizzle.base, swizzle.shift), 0, plain)
            places = [cute.crd2idx(coordinate, ours) for coordinate in sampled(tile, 10)]
            found.append((str(atom), str(tiled), places))

    found = []
    evaluate(found)
    return [(*case, *result) for case, result in zip(cases, found)]


def test_atoms_equal_the_dsl(from_dsl):
    """The DSL prints its atoms like compositions, but hands their swizzle to the pointer, where it counts bytes."""
    for dtype, _, _, tile, _, text, places in from_dsl:
        read = Tile.from_cute(text, dtype, unit="byte", anchor="address")
        assert np.array_equal(read.addresses, tile.addresses), text
        assert [offsets(tile)[place] for place in sampled(tile, 10)] == places, text
    assert len(from_dsl) == 24
