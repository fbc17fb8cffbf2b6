"""What an H200 did with cp.async from L2 and with whole copies, against the model."""

import numpy as np
import pytest

from swizzle_widgets.measured import cp_async, recorded, whole_copies
from swizzle_widgets.model.banks import bank_reports


@pytest.fixture(scope="module")
def copied():
    return cp_async.destinations(), recorded("cp_async")


def _of(copied, name, families=cp_async.FAMILIES):
    """Requests of one instruction, and their cycles (n, WHO)."""
    where, found = copied
    chosen = where.requests.where(name) & np.isin(where.family, families)
    return where.requests[chosen], np.median(found["cycles"][chosen], axis=2)


def test_the_destinations_are_those_that_were_measured(copied):
    where, found = copied
    assert where.requests.digest() == found["about"]["digest"]
    assert found["cycles"].shape == (len(where.requests), len(cp_async.WHO), cp_async.ROUNDS)
    assert all(len(set(addresses)) == 32 for addresses in where.requests.addresses.tolist())
    assert set(where.family.tolist()) == set(cp_async.FAMILIES)


def test_banks_and_lines_vary_separately(copied):
    where, _ = copied
    grid = where.lines > 0
    for instruction, chosen in where.requests.by_instruction():
        chosen = chosen[grid[chosen]]
        group = 128 // instruction.width
        addresses = where.requests.addresses[chosen].reshape(len(chosen), -1, group)
        lines = [{len(set(lane // 128)) for lane in groups} for groups in addresses]
        assert lines == [{count} for count in where.lines[chosen].tolist()]
        model = where.requests[chosen].model()
        np.testing.assert_array_equal(model.wavefronts, where.ways[chosen] * (32 // group))


def test_the_source_streamed(copied):
    read = copied[1]["counted_read"]
    np.testing.assert_allclose(read[:, 0], 1, atol=0.001)
    # .ca fetches for every copy; .cg hardly ever when the destination is one and the same.
    np.testing.assert_allclose(read[:3, 1], 1, atol=0.001)
    assert read[3, 1] < 0.1


@pytest.mark.parametrize("name", cp_async.NAMES[:3])
def test_ca_costs_as_a_store_whose_lanes_share_no_words(copied, name):
    requests, cycles = _of(copied, name)
    wavefronts = requests.model().wavefronts
    assert len(np.unique(wavefronts)) >= 7
    middles = []
    for count in np.unique(wavefronts):
        same = cycles[wavefronts == count]
        # Whatever the lines are, however the lanes are mixed, alone or with all multiprocessors.
        assert np.ptp(same) <= 0.08 * same.min()
        middles.append(np.median(same))
    assert (np.diff(middles) > 1).all()


def _whole_sectors(addresses):
    """Of 16 pairs of neighboring lanes, those whose 32 bytes lie in one aligned run of 32 bytes."""
    pairs = addresses.reshape(len(addresses), 16, 2) // 32
    return (pairs[..., 0] == pairs[..., 1]).sum(axis=1)


def test_cg_fetches_a_sector_again_for_each_half_that_lands_elsewhere(copied):
    alone, everyone = range(2)
    requests, cycles = _of(copied, "cp.async.cg.16", ("xor", "rotated", "swizzled"))
    whole = _whole_sectors(requests.addresses)
    assert set(whole.tolist()) == {0, 16}
    np.testing.assert_allclose(cycles[whole == 16, everyone], 13.5, atol=0.3)
    np.testing.assert_allclose(cycles[whole == 0, everyone], 28.7, atol=0.5)
    np.testing.assert_allclose(cycles[whole == 16, alone], 6, atol=0.3)


def test_cg_alone_pays_for_each_run_of_lanes_on_a_line(copied):
    requests, cycles = _of(copied, "cp.async.cg.16", ("runs", "spread"))
    lines = requests.addresses.astype(int) // 128
    runs = 1 + (np.diff(lines, axis=1) != 0).sum(axis=1)
    assert set(runs.tolist()) == {4, 8, 16, 32}
    np.testing.assert_allclose(cycles[:, 0], np.maximum(runs, 6), atol=0.6)


def test_the_model_equals_the_counters_of_whole_copies():
    found = recorded("whole_copies")
    assert len(whole_copies.COPIES) == 27
    conflicting = 0
    for copy in whole_copies.COPIES:
        addresses = whole_copies.addresses(found, copy)
        model = bank_reports(addresses, copy.width, copy.kind)
        loads = copy.kind in ("load", "ldmatrix")
        expected = (model.wavefronts.sum(), 0) if loads else (0, model.wavefronts.sum())
        counted = found[f"counted_{copy.name}"]
        assert counted.tolist() == [[*map(int, expected), int(model.conflicts.sum())]] * whole_copies.ROUNDS, copy.name
        conflicting += model.conflicts.sum() > 0
    assert conflicting >= 9


def test_whole_copies_reach_every_byte_of_their_tile_once():
    found = recorded("whole_copies")
    for copy in whole_copies.COPIES:
        places = whole_copies.addresses(found, copy)
        if "ldmatrix_b" in copy.name or "ldmatrix_a_plain" in copy.name or "ldmatrix_a_sw" in copy.name:
            # Warps beside one another read the same fragments.
            assert len(np.unique(places)) < places.size
        assert places.size % 32 == 0
        assert (places % copy.width == 0).all()
