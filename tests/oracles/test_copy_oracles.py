"""Which element each thread holds, against CuTe C++ (compiled for the host), CuTe DSL and pycute."""

# CuTe DSL evaluates annotations, so they are no strings here: no `from __future__ import annotations`.

from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Layout, Tile, TiledCopy
from swizzle_widgets.model.fragments import fragment_layout
from swizzle_widgets.model.thread_values import raked, thread_values
from tests.support import compiled

SOURCES = Path(__file__).parent / "cute"

# What make_tiled_copy takes: (threads, values).
RAKED = (
    ("(16,8):(8,1)", "(1,8):(8,1)"), ("(64,4):(1,64)", "(1,8):(8,1)"), ("(32,4):(1,32)", "(1,2):(2,1)"),
    ("(8,4):(4,1)", "(2,4):(4,1)"), ("(8,4):(1,8)", "(4,2):(1,4)"), ("(1,32):(32,1)", "(4,1):(1,4)"),
)  # fmt: skip

# (name, bits, warps, the MMA atom, the operand of its TiledMMA)
FRAGMENTS = tuple(
    (f"m16n8k{k}.{operand}", bits, warps, atom, operand)
    for k, bits, atom in (
        (8, 16, "SM80_16x8x8_F32F16F16F32_TN"), (16, 16, "SM80_16x8x16_F32F16F16F32_TN"),
        (4, 32, "SM80_16x8x4_F32TF32TF32F32_TN"), (8, 32, "SM80_16x8x8_F32TF32TF32F32_TN"),
        (16, 8, "SM80_16x8x16_S32S8S8S32_TN"), (32, 8, "SM80_16x8x32_S32S8S8S32_TN"),
        (32, 4, "SM80_16x8x32_S32S4S4S32_TN"), (64, 4, "SM80_16x8x64_S32S4S4S32_TN"),
        (128, 1, "SM80_16x8x128_S32U1U1S32_TN_XORPOPC"), (256, 1, "SM80_16x8x256_S32U1U1S32_TN_XORPOPC"),
        (4, 64, "SM90_16x8x4_F64F64F64F64_TN"), (8, 64, "SM90_16x8x8_F64F64F64F64_TN"),
        (16, 64, "SM90_16x8x16_F64F64F64F64_TN"),
    )
    for operand in "ABC" for warps in ((1, 1), (2, 2), (4, 1))
    # The strides of this A are nested once too often in CUTLASS 4.2: it does not compile.
    if (k, operand) != (128, "A")
) + tuple(
    (f"wgmma.m64n{columns}.D", 32, warps, f"SM90_64x{columns}x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>", "C")
    for columns in (8, 64, 256) for warps in ((4, 1), (8, 2))
)  # fmt: skip

# (matrices, warps, operand): the instructions that make_tiled_copy_A and _B give for a TiledMMA's operand.
LDMATRIX = ((4, (2, 2), "A"), (4, (4, 1), "A"), (2, (4, 1), "B"), (1, (1, 1), "C"))


def cpp(text: str) -> str:
    """The C++ expression of a flat layout."""
    layout = Layout.parse(text)
    shape, stride = (", ".join(f"Int<{number}>" for number in numbers) for numbers in (layout.shape, layout.stride))
    return f"Layout<Shape<{shape}>, Stride<{stride}>>{{}}"


def mma(atom: str, warps: tuple[int, int], name: str = "") -> str:
    across, down = warps[1], warps[0] // 4 if name.startswith("wgmma") else warps[0]
    return f"TiledMMA<MMA_Atom<{atom}>, Layout<Shape<Int<{down}>, Int<{across}>, _1>>>{{}}"


def ldsm(matrices: int, warps: tuple[int, int], operand: str) -> str:
    atom = f"Copy_Atom<SM75_U32x{matrices}_LDSM_N, half_t>{{}}"
    return f"make_tiled_copy_{operand}({atom}, {mma('SM80_16x8x16_F32F16F16F32_TN', warps)})"


@pytest.fixture(scope="module")
def printed() -> list:
    """What CuTe C++ prints for every case: (text, indices of shape (threads, values)) or a tiler."""
    plain = "Copy_Atom<UniversalCopy<half_t>, half_t>{}"
    shown = [f"show_threads(make_tiled_copy({plain}, {cpp(t)}, {cpp(v)}).get_layoutS_TV());" for t, v in RAKED]
    shown += [
        f"show_threads({mma(atom, warps, name)}.get_layout{operand}_TV());"
        for name, _, warps, atom, operand in FRAGMENTS
    ]
    for matrices, warps, operand in LDMATRIX:
        copy = ldsm(matrices, warps, operand)
        shown.append(f"{{ auto copy = {copy}; show_threads(copy.get_layoutS_TV()); show_tiler(copy); }}")
    body = "\n".join(f"  {line}" for line in shown)
    source = f'#include "threads.hpp"\nusing namespace cute;\nint main() {{\n{body}\n}}\n'
    return compiled.built("threads", source, *compiled.HOST, folders=(SOURCES,), run=True).checked().splitlines()


def cases(lines: list[str]):
    """(text, indices, tiler or None) of every case, in the order they were printed."""
    place = 0
    for count in range(len(RAKED) + len(FRAGMENTS) + len(LDMATRIX)):
        text, sizes, indices = lines[place : place + 3]
        place += 3
        tiler = None
        if count >= len(RAKED) + len(FRAGMENTS):
            tiler = tuple(map(int, lines[place].split()))
            place += 1
        yield text, np.array(indices.split(), int).reshape(*map(int, sizes.split())), tiler


def test_threads_and_values_hold_what_make_tiled_copy_gives_them(printed):
    for (threads, values), (text, theirs, _) in zip(RAKED, cases(printed)):
        ours, tiler = raked(threads, values)
        assert np.array_equal(ours, theirs), (threads, values)
        assert np.array_equal(thread_values(text, tiler)[1], theirs)


def test_fragments_are_those_of_a_tiled_mma(printed):
    found = list(cases(printed))[len(RAKED) :]
    for (name, bits, warps, atom, _), (text, theirs, _) in zip(FRAGMENTS, found):
        layout, tiler, _ = fragment_layout(name, bits, warps)
        if (name, bits) == ("m16n8k32.B", 4):
            # CUTLASS 4.2's own table is wrong here: it gives one element to two lanes, and leaves others out.
            assert len(np.unique(theirs[:32])) == 160 < len(np.unique(layout.offsets[:32])) == 256
            continue
        assert np.array_equal(layout.offsets, theirs), (name, bits, warps, atom)
        assert np.array_equal(thread_values(text, tiler)[1], theirs), text


def test_ldmatrix_takes_the_row_addresses_of_a_tiled_copy(printed):
    """The source's thread-value layout as CuTe prints it: each matrix is loaded as often as CuTe loads it."""
    tile = Tile(64, 32, "f16")
    found = list(cases(printed))[len(RAKED) + len(FRAGMENTS) :]
    for (matrices, warps, operand), (text, theirs, tiler) in zip(LDMATRIX, found):
        copy = TiledCopy.from_tv(tile, text, tiler, kind="ldmatrix", num=matrices)
        corners = [(row, col) for col in range(0, 32, tiler[1]) for row in range(0, 64, tiler[0])]
        expected = []
        for row, col in corners:
            for warp in range(len(theirs) // 32):
                for vector in range(theirs.shape[1] // 8):
                    lanes = theirs[32 * warp : 32 * warp + 8 * matrices, 8 * vector]
                    expected.append([(row + index % tiler[0], col + index // tiler[0]) for index in lanes])
        places = (array[:, : 8 * matrices].tolist() for array in (copy.rows, copy.cols))
        assert [list(zip(*both)) for both in zip(*places)] == expected
        assert (copy.rows[:, 8 * matrices :] == -1).all()
        # Warps beside each other load the same A again.
        times = warps[1] if operand == "A" else warps[0] if operand == "B" else 1
        assert copy.report().requests == times * 64 * 32 // 64 // matrices


def test_layouts_of_pycute_are_taken_as_they_are():
    pycute = pytest.importorskip("pycute")
    for text, tiler in (("((8,16),8):((128,1),16)", (16, 64)), ("((4,8,2,2),(2,2)):((64,1,16,256),(32,8))", (32, 16))):
        ours = Layout.parse(text)
        theirs = pycute.Layout(ours.shape, ours.stride)
        _, indices = thread_values(theirs, tiler)
        assert indices.tolist() == [
            [theirs(thread, value) for value in range(ours.sizes[1])] for thread in range(ours.sizes[0])
        ]


def test_layouts_of_the_dsl_are_taken_as_they_are():
    """make_layout_tv gives the tiler and the thread-value layout; each index is evaluated by the DSL itself."""
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute

    tile, results = Tile(128, 64, "f16"), []

    @cute.jit
    def evaluate(rakes: cutlass.Constexpr):
        for threads, values in rakes:
            made = [cute.make_layout(layout.shape, stride=layout.stride) for layout in (threads, values)]
            tiler, tv = cute.make_layout_tv(*made)
            theirs = [
                [cute.crd2idx((thread, value), tv) for value in range(values.size)] for thread in range(threads.size)
            ]
            copies = TiledCopy.from_tv(tile, tv, tuple(tiler)), TiledCopy.of_threads(tile, *made)
            results.append((tuple(tiler), theirs, *copies))

    rakes = [tuple(map(Layout.parse, pair)) for pair in (RAKED[0], RAKED[3])]
    evaluate(rakes)
    for (threads, values), (tiler, theirs, by_tv, by_threads) in zip(rakes, results):
        ours, expected = raked(threads, values)
        assert tiler == expected == by_tv.tiler == by_threads.tiler
        assert ours.tolist() == theirs
        assert np.array_equal(by_tv.rows, by_threads.rows)
        assert np.array_equal(by_tv.cols, by_threads.cols)
    assert len(results) == 2


def test_the_layout_of_a_tiled_copy_of_the_dsl_is_taken_as_it_is():
    """make_tiled_copy_A of ldmatrix.x4: the row addresses that the DSL gives out are those of CuTe C++."""
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute
    from cutlass.cute.nvgpu import warp

    tile, results = Tile(64, 64, "f16"), []

    @cute.jit
    def evaluate():
        atom = warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
        mma = cute.make_tiled_mma(atom, cute.make_layout((2, 2, 1)))
        matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), cutlass.Float16)
        copy = cute.make_tiled_copy_A(matrices, mma)
        results.append(TiledCopy.from_tv(tile, copy.layout_src_tv_tiled, (32, 16), kind="ldmatrix"))
        results.append(thread_values(mma.tv_layout_A, (16, 16))[1])

    evaluate()
    copy, operand = results
    expected = TiledCopy.from_tv(tile, "((16,2,2,2),8):((1,256,16,0),32)", (32, 16), kind="ldmatrix")
    assert np.array_equal(copy.rows, expected.rows)
    assert np.array_equal(copy.cols, expected.cols)
    assert np.array_equal(operand, fragment_layout("m16n8k16.A", 16)[0].offsets)
