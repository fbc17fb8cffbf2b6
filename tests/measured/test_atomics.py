"""What an H200 did with atomics on shared memory, and the rule that fits every launch."""

import numpy as np
import pytest

from swizzle_widgets.measured import atomics, recorded
from swizzle_widgets.model.banks import bank_report, bank_reports


@pytest.fixture(scope="module")
def found():
    return recorded("atomics")


def _lanes_of_the_fullest_bank(found):
    return np.array(
        [
            np.bincount(addresses[active] // 4 % 32).max()
            for addresses, active in zip(found["addresses"], found["active"])
        ]
    )


def _counted(found, operation):
    counts = found["counted_all"][atomics.OPERATIONS.index(operation)]
    return dict(zip(atomics.COUNTED, counts.T))


def test_the_requests_are_those_that_were_measured(found):
    addresses, active = atomics.requests()
    np.testing.assert_array_equal(found["addresses"], addresses)
    np.testing.assert_array_equal(found["active"], active)
    assert found["counted_all"].shape == (len(atomics.OPERATIONS), len(addresses), len(atomics.COUNTED))


@pytest.mark.parametrize("operation", atomics.OPERATIONS[:4])
def test_an_atomic_takes_a_wavefront_for_every_lane_of_its_fullest_bank(found, operation):
    counted, lanes = _counted(found, operation), _lanes_of_the_fullest_bank(found)
    assert set(range(1, 11)) | {16, 32} <= set(lanes.tolist())
    np.testing.assert_array_equal(counted["wavefronts"], lanes)
    np.testing.assert_array_equal(counted["conflicts"], lanes - 1)
    model = bank_reports(found["addresses"], 4, "atomic", found["active"])
    np.testing.assert_array_equal(counted["wavefronts"], model.wavefronts)
    np.testing.assert_array_equal(counted["conflicts"], model.conflicts)
    cycles = np.median(found["cycles"][atomics.OPERATIONS.index(operation)], axis=1)
    np.testing.assert_allclose(cycles, lanes, atol=0.4)


def test_compare_and_swap_takes_two(found):
    counted, lanes = _counted(found, "atom.cas.b32"), _lanes_of_the_fullest_bank(found)
    np.testing.assert_array_equal(counted["wavefronts"], 2 * lanes)
    np.testing.assert_array_equal(counted["conflicts"], lanes - 1)
    cycles = np.median(found["cycles"][atomics.OPERATIONS.index("atom.cas.b32")], axis=1)
    np.testing.assert_allclose(cycles, 2 * lanes, atol=0.5)


@pytest.mark.parametrize("operation", atomics.OPERATIONS[5:])
def test_a_float_addition_is_a_loop_of_compare_and_swap(found, operation):
    counted, lanes = _counted(found, operation), _lanes_of_the_fullest_bank(found)
    np.testing.assert_array_equal(counted["instructions"], lanes)
    np.testing.assert_array_equal(counted["wavefronts"], 2 * lanes)
    # The loads before each try; the counter of conflicts sees nothing of the loop.
    assert (counted["loads"] >= lanes - 1).all()
    assert counted["conflicts"].max() == 0
    cycles = np.median(found["cycles"][atomics.OPERATIONS.index(operation)], axis=1)
    assert (cycles > 3 * lanes).all()


def test_the_model_of_one_atomic_equals_that_of_many(found):
    model = bank_reports(found["addresses"], 4, "atomic", found["active"])
    for addresses, active, wavefronts in zip(found["addresses"], found["active"], model.wavefronts):
        report = bank_report(addresses, kind="atomic", active=active)
        assert (report.wavefronts, report.ideal) == (wavefronts, 1)
        assert sum(len(lanes) for turn in report.served for _, lanes in turn.values()) == active.sum()


def test_an_atomic_of_another_width_is_refused():
    assert str(bank_report([0] * 32, kind="atomic")) == "ATOMS.32: 32 wavefronts, ideal 1, 31 conflicts"
    with pytest.raises(ValueError, match=r"width = 8 bytes.*not measured"):
        bank_report([0] * 32, 8, "atomic")
