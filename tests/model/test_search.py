"""The search: its costs are the model's, what it rejects is wrong, and its order is the one it states."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swizzle_widgets import Access, Swizzle, Tile, best_swizzles, gmma_atom, tile_to_shape
from swizzle_widgets.model.candidates import Reason
from swizzle_widgets.model.hardware import SHARED_BYTES
from swizzle_widgets.model.swizzle import legal_swizzles

SWIZZLED_TABLE = Tile.from_map(np.random.default_rng(1).permutation(64)[:, None] * 32 + np.arange(32), dtype="f32")


def wide(tile: Tile) -> list[Access]:
    """The write by cp.async and the reads by ldmatrix, plain and transposed."""
    return [Access.cp_async(tile), Access.ldmatrix(tile), Access.ldmatrix(tile, trans=True)]


def scalar(tile: Tile) -> list[Access]:
    """A column and a row, one element a lane."""
    return [Access.column(tile, kind="store"), Access.row(tile)]


SEARCHES = {
    "f16 K=64": (Tile(128, 64, "f16"), wide),
    "f16 K=128": (Tile(64, 128, "f16"), wide),
    "columns first": (Tile(64, 32, "f16", order="column"), wide),
    "fp8": (Tile(64, 128, "e4m3"), wide),
    "fp4": (Tile(32, 128, "e2m1"), wide),
    "floats": (Tile(32, 32, "f32"), scalar),
    "doubles": (Tile(32, 16, "f64"), scalar),
    "odd rows": (Tile(24, 48, "f16"), wide),
    "padded already": (Tile(32, 64, "f16", padding=8), wide),
    "moved": (Tile(64, 64, "f16", base_address=640), wide),
    "at an address": (
        Tile(64, 64, "f16", base_address=1024, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address"),
        wide,
    ),
    "atoms": (tile_to_shape(gmma_atom("f16"), 64, 128), wide),
    "a table": (SWIZZLED_TABLE, scalar),
}


@pytest.fixture(scope="module", params=SEARCHES)
def ranking(request):
    tile, accesses = SEARCHES[request.param]
    return best_swizzles(tile, accesses(tile))


def test_costs_are_those_of_the_model(ranking):
    for candidate in ranking:
        reports = [access.on(candidate.tile).report() for access in ranking.accesses]
        assert candidate.costs == tuple(report.cost for report in reports), candidate
        assert candidate.least_costs == tuple(report.least for report in reports), candidate
        assert candidate.excess == sum(report.excess for report in reports)


def test_the_order(ranking):
    cost = [(candidate.cost, candidate.extra_bytes) for candidate in ranking]
    assert cost == sorted(cost)
    for before, after in pairwise(ranking):
        if before.cost == after.cost and before.extra_bytes == after.extra_bytes:
            simple = [(way.swizzle is not None, way.mode is None, way.swizzle.bits if way.swizzle else 0)
                      for way in (before, after) if not way.padding]  # fmt: skip
            assert simple == sorted(simple), (before, after)
    assert ranking.best == ranking[0]


def test_every_legal_swizzle_is_judged_once(ranking):
    judged = [way.swizzle for way in (*ranking, *ranking.rejected) if not way.padding]
    top = (ranking.tile.layout.cosize - 1).bit_length()
    legal = {(b, m, s) for b in range(1, 6) for m in range(top) for s in range(-top, top + 1)
             if b <= abs(s) and b + m + abs(s) <= top}  # fmt: skip
    assert len(judged) == len(set(judged))
    assert {(way.bits, way.base, way.shift) for way in judged if way} == legal
    assert None in judged


def test_what_is_rejected_cuts_a_vector(ranking):
    """In every rejected swizzle some aligned vector of the tile is torn, and in no other one any is."""
    tile, width = ranking.tile, 8 * max(access.width for access in ranking.accesses)
    granules = np.arange(-(-tile.layout.cosize * tile.element_bits // width))[:, None] * (width // tile.element_bits)
    vectors = granules + np.arange(width // tile.element_bits)
    for swizzle in legal_swizzles(5, (tile.layout.cosize - 1).bit_length()):
        torn = (swizzle(vectors) - swizzle(vectors[:, :1]) != vectors - vectors[:, :1]).any()
        misplaced = (swizzle(vectors[:, 0]) * tile.element_bits % width).any()
        candidate = ranking.of(swizzle, "element") if swizzle.bits else ranking.of(Swizzle(0, 0, 0), "element")
        assert (candidate.reason in (Reason.TEARS, Reason.REORDERS)) == bool(torn or misplaced), candidate


def test_no_candidate_leaves_its_bytes(ranking):
    tile = ranking.tile
    size = tile.layout.size * tile.element_bits // 8
    for candidate in ranking:
        first, last = candidate.tile.addresses.min(), candidate.tile.addresses.max()
        assert tile.base_address <= first
        assert last < tile.base_address + size + candidate.extra_bytes, candidate


def test_the_grid_shows_the_same(ranking):
    for bits in range(1, 6):
        grid = ranking.grid(bits)
        reach = grid.shape[1] // 2
        for base, column in np.argwhere(grid != -2):
            candidate = ranking.of(Swizzle(bits, int(base), int(column) - reach), "element")
            assert grid[base, column] == (-1 if candidate.rejected else candidate.cost)
        assert (grid[:, reach - bits + 1 : reach + bits] == -2).all()


# ---- the answers that are known


@pytest.mark.parametrize(
    ("rows", "cols", "dtype", "elements", "in_bytes", "mode"),
    [
        (64, 64, "f16", (3, 3, 3), (3, 4, 3), "128B"),
        (64, 128, "f16", (3, 3, 4), (3, 4, 4), None),
        (64, 128, "bf16", (3, 3, 4), (3, 4, 4), None),
        (64, 32, "f32", (3, 2, 3), (3, 4, 3), "128B"),
        (64, 16, "f32", (2, 2, 3), (2, 4, 3), "64B"),
        (64, 16, "f16", (1, 3, 3), (1, 4, 3), "32B"),
    ],
)
def test_rows_of_every_width(rows, cols, dtype, elements, in_bytes, mode):
    tile = Tile(rows, cols, dtype)
    best = best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)]).best
    assert best.swizzle == Swizzle(*elements)
    assert best.swizzle_in_bytes == Swizzle(*in_bytes)
    assert best.excess == best.extra_bytes == 0
    assert (best.mode and best.mode.name) == mode


def test_pages_of_64_halves_are_clean_under_the_128b_mode():
    tile = tile_to_shape(gmma_atom("f16"), 64, 128)
    best = best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile, col=64)]).best
    assert (best.swizzle, best.mode.name, best.excess) == (Swizzle(3, 3, 3), "128B", 0)


def test_a_column_of_floats_takes_five_bits():
    tile = Tile(32, 32, "f32")
    ranking = best_swizzles(tile, scalar(tile))
    assert ranking.best.swizzle == Swizzle(5, 0, 5)
    assert (ranking[1].padding, ranking[1].extra_bytes) == (1, 128)
    assert best_swizzles(tile, scalar(tile), bits=3)[0].padding == 1
    assert best_swizzles(tile, scalar(tile), bits=3, padding=False)[0].excess == 3


def test_nothing_to_gain_is_said():
    tile = Tile(32, 32, "f32")
    assert best_swizzles(tile, [Access.row(tile)]).best.name == "no swizzle"


def test_verdicts():
    tile = Tile(128, 64, "f16")
    ranking = best_swizzles(tile, wide(tile))
    assert ranking.best.verdict == (
        "Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: 8 wavefronts and 4 lines, the ideal; "
        "this is the 128B mode of TMA and WGMMA."
    )
    assert ranking[1].verdict == (
        "8 f16 elements of padding: 8 wavefronts and 7 lines, ideal 8 and 4 (cp.async.cg.16, "
        "from line 0 takes 7 instead of 4); 2048 bytes more than the elements."
    )
    assert ranking.of(Swizzle(3, 4, 3), "element").verdict == (
        "Sw<3,4,3> in f16 elements = Sw<3,5,3> in bytes: 16 wavefronts and 4 lines, ideal 8 and 4 (ldmatrix.x4, "
        "corner (0, 0) takes 8 instead of 4; ldmatrix.x4, corner (0, 0), .trans takes 8 instead of 4)."
    )
    assert ranking.of(Swizzle(3, 2, 3), "element").verdict == (
        "Sw<3,2,3> in f16 elements = Sw<3,3,3> in bytes: rejected, its granules of 64 bits reorder the 128-bit "
        "vectors of cp.async.cg.16, from line 0, which moves them in order only."
    )
    assert str(ranking).startswith("128x64 f16 tile, (128,64):(64,1), no swizzle under cp.async.cg.16, from line 0; ")
    assert repr(ranking) == f"<Ranking of {len(ranking)} candidates, best: {ranking.best.name}>"


def test_code_is_in_the_unit_that_it_is_used_in():
    """TMA takes a swizzle of the pointer's bytes only; everything else is a composition, in elements."""
    tile = Tile(128, 64, "f16")
    ranking = best_swizzles(tile, wide(tile))
    layout = "Layout<Shape<Int<128>, Int<64>>, Stride<Int<64>, Int<1>>>"
    assert ranking.best.cpp == f"ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, {layout}>{{}}"
    assert ranking.of(Swizzle(3, 4, 3), "element").cpp == f"composition(Swizzle<3, 4, 3>{{}}, {layout}{{}})"
    assert ranking[1].cpp == "Layout<Shape<Int<128>, Int<64>>, Stride<Int<72>, Int<1>>>{}"
    assert ranking.best.dsl == (
        "smem.allocate_tensor(cutlass.Float16, cute.make_layout((128, 64), stride=(64, 1)), "
        "byte_alignment=1024, swizzle=cute.make_swizzle(3, 4, 3))"
    )
    with pytest.raises(ValueError, match="is no CuTe layout"):
        best_swizzles(SWIZZLED_TABLE, scalar(SWIZZLED_TABLE)).best.cpp  # noqa: B018


def test_dsl_code_runs():
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute

    tile = Tile(64, 128, "f16")
    chosen = best_swizzles(tile, wide(tile))[:8]
    makers = [eval(f"lambda: {candidate.dsl}", {"cute": cute}) for candidate in chosen]
    texts = []

    @cute.jit
    def evaluate():
        texts.extend(str(make()) for make in makers)

    assert cutlass
    evaluate()
    for candidate, text in zip(chosen, texts):
        # The DSL's text does not say what its swizzle counts.
        read = Tile.from_cute(text, "f16", unit="element" if " o " in text else None)
        assert np.array_equal(read.addresses, candidate.tile.addresses)


def test_a_base_that_the_swizzle_would_leave():
    tile = Tile(8, 64, "f16", base_address=64, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
    ranking = best_swizzles(tile, [Access.ldmatrix(tile, num=1)])
    assert "base_address = 64 is no multiple" in ranking.of(Swizzle(3, 3, 3), "element").rejected
    assert ranking.of(Swizzle(1, 3, 5), "element").rejected == ""
    assert ranking.best.padding


def test_memory_that_does_not_suffice():
    tile = Tile(SHARED_BYTES // 128, 64, "f16")
    ranking = best_swizzles(tile, [Access.ldmatrix(tile)])
    assert not any(candidate.padding for candidate in ranking)
    reasons = {way.rejected for way in ranking.rejected if way.padding == 8}
    assert reasons == {f"it needs {1816 * 144} bytes from byte 0, and shared memory has 232448"}


def test_the_mode_depends_on_row_and_base():
    narrow, moved = Tile(64, 32, "f16"), Tile(64, 64, "f16", base_address=128)
    ranking = best_swizzles(narrow, [Access.ldmatrix(narrow)])
    assert ranking.best.mode.name == "64B"
    assert ranking.of(Swizzle(3, 3, 3), "element").verdict.endswith(
        "this is the 128B mode of TMA only: WGMMA reads rows of 128 bytes in the 128B mode, these have 64."
    )
    assert best_swizzles(moved, [Access.ldmatrix(moved)]).of(Swizzle(3, 3, 3), "element").mode is None


@settings(max_examples=30)
@given(st.data())
def test_any_access_of_any_tile(data):
    dtype = data.draw(st.sampled_from(("f64", "f32", "f16", "e4m3")))
    rows, cols = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    tile = Tile(rows, cols, dtype, order=data.draw(st.sampled_from(("row", "column"))))
    lanes = st.lists(st.integers(0, rows * cols - 1), min_size=1, max_size=32)
    accesses = [Access.offsets(tile, data.draw(lanes), kind=kind) for kind in ("load", "store")]
    ranking = best_swizzles(tile, accesses, bits=data.draw(st.integers(0, 3)))
    for candidate in data.draw(st.lists(st.sampled_from(list(ranking)), max_size=5)):
        reports = [access.on(candidate.tile).report() for access in accesses]
        assert candidate.costs == tuple(report.cost for report in reports)
        assert candidate.least_costs == tuple(report.least for report in reports)


# ---- errors


def test_arguments_that_are_none():
    tile = Tile(32, 32)
    access = Access.row(tile)
    with pytest.raises(TypeError, match="tile must be a Tile"):
        best_swizzles("tile", [access])
    for accesses in (access, [tile], "row", None):
        with pytest.raises(TypeError, match="accesses must be a list of Access"):
            best_swizzles(tile, accesses)
    with pytest.raises(ValueError, match="accesses is empty"):
        best_swizzles(tile, [])
    with pytest.raises(ValueError, match=r"bits \(B\) = -1 is too small"):
        best_swizzles(tile, [access], bits=-1)
    with pytest.raises(ValueError, match="outside"):
        best_swizzles(Tile(8, 8), [Access.column(tile, 31)])
    with pytest.raises(ValueError, match="was not tried"):
        best_swizzles(tile, [access]).of(Swizzle(6, 0, 6), "element")
