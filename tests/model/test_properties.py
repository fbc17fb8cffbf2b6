"""What must hold for every request and every tile, whatever the numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from swizzle_widgets import Access, Swizzle, Tile, bank_report, bank_reports
from tests.support.strategies import MEMORY, requests, swizzles

LANES = np.arange(32)
PHASES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}


@given(requests())
def test_bounds(request_):
    addresses, width, kind, active = request_
    report = bank_report(addresses, width, kind, active)
    assert report.conflicts >= 0
    for phase in report.phases:
        # At least one lane is served a wavefront, and a bank's words come from as many lanes.
        assert 1 <= phase.wavefronts <= len(phase.lanes)
        # 32 banks deliver 32 words a wavefront.
        wanted = len({word for words in phase.words.values() for word in words})
        assert phase.wavefronts >= wanted / 32
    assert sorted(lane for phase in report.phases for lane in phase.lanes) == [i for i in range(32) if active[i]]


@given(requests(), st.randoms())
def test_the_order_of_lanes_within_a_phase_does_not_matter(request_, random):
    addresses, width, kind, active = request_
    # Rule 3 looks at which lanes are partners, so it is left out.
    assume(not bank_report(addresses, width, kind, active).merged)
    assume(not kind.endswith("matrix"))
    order = []
    for first in range(0, 32, PHASES[width]):
        phase = list(range(first, first + PHASES[width]))
        random.shuffle(phase)
        order += phase
    shuffled = bank_report([addresses[i] for i in order], width, kind, [active[i] for i in order])
    assume(not shuffled.merged)
    assert shuffled.wavefronts == bank_report(addresses, width, kind, active).wavefronts


@given(requests(), st.integers(0, 40))
def test_moving_everything_by_whole_lines_changes_nothing(request_, lines):
    addresses, width, kind, active = request_
    moved = [address + 128 * lines for address in addresses]
    assume(max(moved) <= MEMORY - width)
    plain = bank_report(addresses, width, kind, active)
    assert bank_report(moved, width, kind, active).words_per_bank.tolist() == plain.words_per_bank.tolist()


@given(requests(kinds=("load", "store"), widths=(1, 2, 4)), st.integers(0, 31))
def test_a_lane_less_never_costs_more(request_, lane):
    addresses, width, kind, active = request_
    fewer = [taking and place != lane for place, taking in enumerate(active)]
    assert (
        bank_report(addresses, width, kind, fewer).wavefronts <= bank_report(addresses, width, kind, active).wavefronts
    )


@given(requests(kinds=("load",)))
def test_loads_and_stores_differ_only_by_the_merge(request_):
    addresses, width, _, active = request_
    load, store = (bank_report(addresses, width, kind, active) for kind in ("load", "store"))
    if load.merged:
        assert load.ideal <= store.ideal
    else:
        assert load.phases == store.phases


@given(requests(kinds=("ldmatrix", "stmatrix", "store"), widths=(16,)))
def test_matrices_cost_what_stores_of_their_rows_would(request_):
    addresses, _, kind, active = request_
    active = active if kind.endswith("matrix") else [True] * 32
    ours, store = (bank_report(addresses, 16, which, active) for which in ("ldmatrix", "store"))
    assert ours.phases == store.phases


@given(requests())
def test_inactive_addresses_do_not_matter(request_):
    addresses, width, kind, active = request_
    others = [address if taking else -1 for address, taking in zip(addresses, active)]
    assert bank_report(others, width, kind, active) == bank_report(addresses, width, kind, active)
    many = bank_reports([others, addresses], width, kind, active)
    assert len(set(many.wavefronts.tolist())) == len(set(many.ideal.tolist())) == 1


@given(swizzles(most=3), st.sampled_from(("f32", "f16", "s8")), st.sampled_from((16, 32, 64)))
def test_a_swizzle_permutes_a_tile_of_whole_periods(swizzle, dtype, cols):
    rows = max(8, swizzle.period // cols)
    assume(rows * cols <= 1 << 15 and (rows * cols) % swizzle.period == 0)
    plain = Tile(rows, cols, dtype)
    swizzled = plain.with_swizzle(swizzle, "element")
    assert np.array_equal(np.sort(swizzled.addresses, axis=None), np.sort(plain.addresses, axis=None))


@given(st.sampled_from((4, 8, 16)), st.sampled_from((16, 32, 64, 128, 256, 512, 1024)))
def test_the_rule_for_choosing_makes_columns_and_rows_free(width, row_bytes):
    """M = log2(width), S = log2(max(row, 128)) - M, B = log2(min(row, 128)) - M, counted in bytes."""
    assume(row_bytes >= width)
    base = width.bit_length() - 1
    swizzle = Swizzle(min(row_bytes, 128).bit_length() - 1 - base, base, max(row_bytes, 128).bit_length() - 1 - base)
    tile = Tile(32, row_bytes // 4, "f32", swizzle=swizzle, unit="byte")
    accesses = [Access.column(tile, col, width=width, kind="store") for col in range(0, tile.cols, width // 4)]
    # A copy past L1 that starts within a line of 128 bytes touches one more, whatever the swizzle.
    accesses += [Access.cp_async(tile, line, width) for line in range(0, 32, max(1, 128 // row_bytes))]
    for access in accesses:
        assert access.vectors == "whole"
        assert access.report().excess == 0, access


@given(st.integers(1, 100))
def test_a_column_costs_what_the_row_stride_says(stride):
    """32 lanes, one word each, `stride` words apart: gcd(stride, 32) share a bank."""
    report = bank_report(4 * stride * LANES)
    assert report.wavefronts == np.gcd(stride, 32)
