"""cp.async: past L1 (.cg) it pays for lines, through L1 (.ca) it is a store whose lanes share nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swizzle_widgets import Access, Swizzle, Tile, bank_report, bank_reports

LANES = np.arange(32)
vectors = st.lists(st.integers(0, 2000), min_size=32, max_size=32)
masks = st.lists(st.booleans(), min_size=32, max_size=32)


@given(vectors, masks)
def test_past_l1_it_pays_for_the_lines_of_eight_lanes(places, active):
    addresses = [16 * place for place in places]
    report = bank_report(addresses, 16, "cp.async.cg", active)
    groups = [[lane for lane in range(first, first + 8) if active[lane]] for first in range(0, 32, 8)]
    groups = [group for group in groups if group]
    lines = sum(len({addresses[lane] // 128 for lane in group}) for group in groups)
    assert (report.unit, report.cost, report.lines) == ("line", lines, lines)
    assert report.least == report.fewest_lines == report.wavefronts == report.ideal == len(groups)
    assert (report.conflicts, report.excess) == (0, lines - len(groups))
    # One dict a line, which holds every lane's words once.
    assert len(report.served) == lines
    for turn in report.served:
        assert len({word // 32 for word, _ in turn.values()}) == 1
        assert all(word % 32 == bank for bank, (word, _) in turn.items())
    assert sum(len(lanes) for turn in report.served for _, lanes in turn.values()) == 4 * sum(active)
    many = bank_reports(np.array([addresses]), 16, "cp.async.cg", np.array(active))
    assert [each.tolist() for each in (many.cost, many.least, many.excess, many.wavefronts)] == [
        [report.cost], [report.least], [report.excess], [report.ideal]
    ]  # fmt: skip


@given(st.sampled_from((4, 8, 16)), vectors, masks)
def test_through_l1_no_lane_shares_a_word(width, places, active):
    addresses = [width * place for place in places]
    report = bank_report(addresses, width, "cp.async.ca", active)
    # A line for each lane: the banks stay, and no two lanes want one word.
    apart = [address % 128 + 128 * lane for lane, address in enumerate(addresses)]
    store = bank_report(apart, width, "store", active)
    assert (report.wavefronts, report.ideal, report.cost) == (store.wavefronts, store.ideal, store.wavefronts)
    assert report.unit == "wavefront"
    assert len(report.served) == report.wavefronts
    assert all(len(lanes) == 1 for turn in report.served for _, lanes in turn.values())
    assert report.words_per_bank.sum() == width // 4 * sum(active)
    many = bank_reports(np.array([addresses]), width, "cp.async.ca", np.array(active))
    assert (many.wavefronts.tolist(), many.ideal.tolist(), many.lines) == ([report.wavefronts], [report.ideal], None)


def test_sentences():
    tile = Tile(64, 64, "f16")
    assert str(Access.cp_async(tile).report()) == "cp.async.cg.16: 4 lines of 128 bytes, at least 4, no bank conflicts"
    padded = Access.cp_async(tile.padded(8)).report()
    assert str(padded) == "cp.async.cg.16: 7 lines of 128 bytes, at least 4, no bank conflicts"
    through = Access.cp_async(tile, cache="ca").report()
    assert str(through) == "cp.async.ca.16: 4 wavefronts, ideal 4, 0 conflicts"
    one = bank_report([0], 16, "cp.async.cg")
    assert str(one) == "cp.async.cg.16: 1 line of 128 bytes, at least 1, no bank conflicts"


def test_the_cache_is_the_one_that_the_width_allows():
    tile = Tile(64, 64, "f16")
    assert [Access.cp_async(tile, width=width).instruction for width in (4, 8, 16)] == [
        "cp.async.ca.4", "cp.async.ca.8", "cp.async.cg.16"
    ]  # fmt: skip
    for width in (4, 8):
        with pytest.raises(ValueError, match=f"width = {width} bytes is no instruction: cp.async.cg copies 16 bytes"):
            bank_report(LANES * width, width, "cp.async.cg")
    for width in (1, 2):
        with pytest.raises(ValueError, match=r"cp\.async\.ca copies 4, 8 or 16 bytes a lane"):
            bank_report(LANES * width, width, "cp.async.ca")
    assert [bank_report([0], None, f"cp.async.{cache}").width for cache in ("cg", "ca")] == [16, 16]


@pytest.mark.parametrize("swizzle", [(3, 4, 3), (3, 4, 4), (4, 4, 4), (1, 7, 1), (1, 6, 5)])
def test_a_swizzle_of_whole_lines_or_within_them_costs_none(swizzle):
    for row in (32, 64, 128):
        assert Access.cp_async(Tile(32, row, "f16", swizzle=Swizzle(*swizzle), unit="byte")).report().excess == 0


def test_what_banks_forgive_lines_do_not():
    # Bit 4, which tells neighboring vectors apart, is added to bit 7: every other vector goes to another line.
    apart = Tile(64, 64, "f16", swizzle=Swizzle(1, 4, -3), unit="byte")
    assert Access.cp_async(apart).report().lines == 8
    assert Access.cp_async(apart, cache="ca").report().conflicts == 0
