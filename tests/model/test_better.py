"""A better layout for whole copies: counted with all of their requests, and as good as the full search finds."""

from dataclasses import replace

import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile, TiledCopy, best_swizzles
from swizzle_widgets.model.better import better_candidate, moved, report_of, stored_as

PLAIN = Tile(64, 64, "f16")
CASES = {
    "ldmatrix": [TiledCopy.ldmatrix(PLAIN)],
    "write and read": [TiledCopy.cp_async(PLAIN), TiledCopy.ldmatrix(PLAIN), TiledCopy.stmatrix(PLAIN, trans=True)],
    "fragments": [TiledCopy.fragment(PLAIN, f"m16n8k16.{operand}", (2, 2)) for operand in "ABC"],
    "columns and rows": [TiledCopy.column(PLAIN), TiledCopy.row(PLAIN, 16)],
    "a request and a copy": [Access.column(PLAIN, 5), TiledCopy.column(PLAIN, 16, "store")],
    "a worse swizzle": [TiledCopy.ldmatrix(replace(PLAIN, swizzle=Swizzle(2, 3, 3), unit="element"))],
    "floats": [TiledCopy.fragment(Tile(64, 32, "f32"), "wgmma.m64n32.D")],
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_better_is_as_good_as_the_full_search_finds(name):
    requests = CASES[name]
    best = better_candidate(requests)
    then = [report_of(moved(request, best)) for request in requests]
    assert None not in then
    now = sum(request.report().excess for request in requests)
    assert sum(report.excess for report in then) < now
    full = best_swizzles(requests[0].tile, requests).best
    assert sum(report.excess for report in then) <= sum(report_of(moved(r, full)).excess for r in requests)


def test_what_no_instruction_can_do_is_made_possible():
    torn = TiledCopy.ldmatrix(replace(PLAIN, swizzle=Swizzle(3, 3, 3), unit="byte"))
    assert report_of(torn) is None
    best = better_candidate([torn])
    assert best.swizzle == Swizzle(3, 3, 3)
    assert report_of(moved(torn, best)).excess == 0


def test_nothing_is_better_than_the_ideal_or_than_a_layout_that_cannot_change():
    assert better_candidate([TiledCopy.ldmatrix(replace(PLAIN, swizzle=Swizzle(3, 4, 3), unit="byte"))]) is None
    fixed = Tile.of_layout(Layout(((2, 2), 1), ((32, 64), 0)), "f32", base_address=4, anchor="address")
    assert better_candidate([Access.column(fixed)]) is None


def test_all_stages_are_stored_so():
    stages = [replace(PLAIN, base_address=8192 * stage) for stage in range(3)]
    copy = TiledCopy.ldmatrix(stages)
    better = moved(copy, better_candidate([copy]))
    assert [stage.base_address for stage in better.stages] == [0, 8192, 16384]
    assert better.report().excess == 0
    assert len(better) == len(copy)


def test_a_tile_is_stored_as_a_candidate_says():
    ranking = best_swizzles(PLAIN, [Access.column(PLAIN)])
    padded = next(candidate for candidate in ranking if candidate.padding)
    swizzled = replace(PLAIN, swizzle=Swizzle(1, 4, 3), unit="byte")
    assert stored_as(swizzled, padded) == PLAIN.padded(padded.padding)
    for candidate in ranking[:5]:
        assert stored_as(swizzled, candidate) == candidate.tile
    none = next(candidate for candidate in ranking if candidate.swizzle is None and not candidate.padding)
    assert stored_as(swizzled, none) == PLAIN


def test_a_request_that_does_not_fit_the_candidate_is_none():
    ranking = best_swizzles(PLAIN, [Access.column(PLAIN)])
    odd = next(candidate for candidate in ranking if candidate.padding == 1)
    assert moved(TiledCopy.ldmatrix(PLAIN), odd) is None
    assert report_of(None) is None
