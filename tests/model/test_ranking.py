"""The search where one layout is not enough, where requests count differently, and where an engine decides."""

from __future__ import annotations

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile, TiledCopy, best_swizzles
from swizzle_widgets.model.candidates import Reason
from swizzle_widgets.model.hardware import SHARED_BYTES
from swizzle_widgets.model.swizzle import legal_swizzles

F32 = Tile(32, 32, "f32")


def at_odds():
    """A column and a diagonal: what spreads the one gathers the other."""
    return [Access.column(F32), Access.at(F32, range(32), range(32), name="the diagonal")]


class TestWeights:
    def test_costs_are_multiplied(self):
        tile = Tile(64, 32, "f32")
        accesses = [Access.column(tile), Access.column(tile, width=16)]
        plain, weighted = best_swizzles(tile, accesses), best_swizzles(tile, accesses, weights=[1, 10])
        for candidate in weighted[:20]:
            one, other = candidate.costs
            assert candidate.cost == one + 10 * other
            assert candidate.excess == candidate.cost - candidate.least_costs[0] - 10 * candidate.least_costs[1]
        assert weighted.weights == (1, 10)
        assert plain.weights == (1, 1)
        assert [candidate.cost for candidate in weighted] == sorted(candidate.cost for candidate in weighted)

    def test_the_heavier_one_decides(self):
        # No swizzle serves both; which of them is served is what the weights say.
        costs = [
            best_swizzles(F32, at_odds(), weights=weights, padding=False).best.costs for weights in ((100, 1), (1, 100))
        ]
        assert costs[0][0] < costs[1][0]
        assert costs[0][1] > costs[1][1]

    @pytest.mark.parametrize("weights", [[1], [1, 2, 3], [0, 1], [-1, 1], ["a", "b"], [1, float("nan")]])
    def test_refused(self, weights):
        with pytest.raises(ValueError, match="one number above 0 for each of the 2 accesses"):
            best_swizzles(F32, at_odds(), weights=weights)


class TestReordered:
    def test_is_allowed_for_loads_and_rejected_for_the_rest(self):
        tile = Tile(32, 64, "f16")
        reads = best_swizzles(tile, [Access.column(tile, width=16)])
        small = [s for s in legal_swizzles(5, 11) if s.bits > 0 and s.base < 3]
        for swizzle in small:
            candidate = reads.of(swizzle, "element")
            vectors = swizzle(np.arange(2048)).reshape(-1, 8) >> 3
            torn = (vectors != vectors[:, :1]).any()
            assert (candidate.reason is Reason.TEARS) == torn, swizzle
            if not torn:
                report = reads.accesses[0].on(candidate.tile).report()
                assert candidate.costs == (report.cost,)
        for kind in ("ldmatrix", "stmatrix", "cp.async.cg", "cp.async.ca"):
            ordered = best_swizzles(tile, [Access.column(tile, kind=kind, width=16)])
            assert all(ordered.of(s, "element").reason in (Reason.TEARS, Reason.REORDERS) for s in small)

    def test_a_vector_across_two_granules_is_torn(self):
        # By offset, from a base that is no multiple of the vector: granules of 16 bytes do not hold it.
        tile = Tile(8, 68, "f16", base_address=8)
        access = Access.offsets(tile, [4, 12], 16)
        ranking = best_swizzles(tile, [access])
        checked = 0
        for swizzle in legal_swizzles(3, 10):
            candidate = ranking.of(swizzle, "element")
            if swizzle.bits and candidate.reason is not Reason.TOO_LARGE:
                refusal = access.on(tile.with_swizzle(swizzle, "element")).refusal
                assert bool(refusal) == (candidate.reason is Reason.TEARS), swizzle
                checked += bool(refusal)
        assert checked > 10


class TestCopies:
    def test_a_copy_counts_with_all_its_requests(self):
        tile = Tile(64, 64, "f16")
        copy = TiledCopy.ldmatrix(tile)
        ranking = best_swizzles(tile, [copy, Access.row(tile)])
        for candidate in (ranking[0], ranking[3], ranking[-1]):
            reports = [access.report() for access in copy.on(candidate.tile).accesses]
            assert candidate.costs[0] == sum(report.cost for report in reports)
            assert candidate.least_costs[0] == sum(report.least for report in reports)
        assert ranking.best.swizzle == Swizzle(3, 3, 3)
        assert ranking.best.excess == 0
        assert str(copy.on(tile)) in str(ranking)


class TestEngines:
    def test_tma_writes_its_modes_and_nothing_else(self):
        tile = Tile(64, 64, "f16")
        ranking = best_swizzles(tile, [Access.ldmatrix(tile)], modes="tma")
        assert {candidate.swizzle_in_bytes for candidate in ranking if candidate.swizzle} == {Swizzle(3, 4, 3)}
        assert ranking.best.swizzle == Swizzle(3, 3, 3)
        assert {candidate.padding for candidate in ranking} == {0, 8, 16, 24, 32, 40, 48, 56}
        assert ranking.of(Swizzle(3, 3, 4), "element").rejected == "no mode of TMA does it"
        assert ranking.of(Swizzle(2, 3, 3), "element").rejected == (
            "the 64B swizzle takes rows of at most 64 bytes, these have 128"
        )

    def test_wgmma_reads_whole_rows_only(self):
        tile = Tile(64, 32, "f16")
        ranking = best_swizzles(tile, [Access.ldmatrix(tile)], modes="wgmma")
        assert [candidate.swizzle_in_bytes for candidate in ranking] == [Swizzle(2, 4, 3)]
        assert ranking.of(Swizzle(3, 3, 3), "element").rejected == (
            "WGMMA reads rows of 128 bytes in the 128B mode, these have 64"
        )
        assert {way.rejected for way in ranking.rejected if way.padding} == {"WGMMA reads no padded lines"}

    def test_nothing_fits(self):
        tile = Tile(64, 64, "f64")
        ranking = best_swizzles(tile, [Access.row(tile)], modes="wgmma")
        assert len(ranking) == 0
        assert repr(ranking) == "<Ranking of 0 candidates, best: none>"
        with pytest.raises(ValueError, match="no swizzle and no padding of 64x64 f64 tile"):
            ranking.best  # noqa: B018
        with pytest.raises(ValueError, match="modes = 'TMA' is not known: it must be one of 'tma', 'wgmma'"):
            best_swizzles(tile, [Access.row(tile)], modes="TMA")


class TestAdvice:
    def test_nothing_to_say_where_one_swizzle_does(self):
        tile = Tile(64, 64, "f16")
        assert best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)]).advice == ""

    def test_two_layouts_and_what_they_cost(self):
        ranking = best_swizzles(F32, at_odds(), padding=False)
        (one, first), (other, second) = ranking.divided
        assert sorted(first + second) == [0, 1]
        assert one.excess == other.excess == 0
        assert ranking.advice == (
            f"No single swizzle reaches the ideal: the best is {ranking.best.verdict} Two layouts, {one.name} for "
            f"{one.accesses[0]} (1 wavefront) and {other.name} for {other.accesses[0]} (1 wavefront), take 4096 bytes "
            "more, and to write the tile a second time at least 32 wavefronts."
        )
        assert str(ranking).endswith(ranking.advice)

    def test_padding_is_named_where_it_does_better(self):
        accesses = [Access.column(F32, kind="store"), Access.row(F32)]
        ranking = best_swizzles(F32, accesses, bits=3)
        assert "Better is 1 f32 element of padding: 2 wavefronts, the ideal; 128 bytes more" in ranking.advice

    def test_two_layouts_are_the_best_two(self):
        ranking = best_swizzles(F32, at_odds(), bits=2, padding=False)
        alone = [best_swizzles(F32, [access], bits=2, padding=False).best.cost for access in at_odds()]
        assert sum(candidate.cost for candidate, _ in ranking.divided) == sum(alone)

    def test_one_access_or_too_many_are_not_divided(self):
        assert best_swizzles(F32, [Access.row(F32)]).divided == ()
        assert best_swizzles(F32, [Access.row(F32)] * 11, bits=1).divided == ()
        assert len(best_swizzles(F32, [Access.row(F32)] * 10, bits=1).divided) == 2


class TestNearTheEndOfSharedMemory:
    @pytest.mark.parametrize("spare", [0, 1])
    def test_a_padding_that_fits_to_the_byte(self, spare):
        # 32 lines of 33 words: 4,224 bytes.
        tile = Tile(32, 32, "f32", base_address=SHARED_BYTES - 4224 + 4 * (1 - spare))
        ranking = best_swizzles(tile, [Access.column(tile)])
        assert [way.padding for way in (*ranking, *ranking.rejected) if way.padding == 1] == [1]
        assert any(candidate.padding == 1 for candidate in ranking) == bool(spare)

    def test_the_last_block_of_a_swizzle_must_be_whole(self):
        tile = Tile(3, 32, "f32", base_address=SHARED_BYTES - 384)
        ranking = best_swizzles(tile, [Access.column(tile)])
        for candidate in ranking:
            assert candidate.tile.addresses.max() < SHARED_BYTES
        # Its target is bit 6, so it permutes 128 words, of which the tile has 96.
        upwards = ranking.of(Swizzle(1, 0, -6), "element")
        assert upwards.reason is Reason.TOO_LARGE
        assert upwards.rejected == "it needs 512 bytes from byte 232064, and shared memory has 232448"
        elsewhere = Tile(3, 32)
        assert best_swizzles(elsewhere, [Access.column(elsewhere)]).of(Swizzle(1, 0, -6), "element").extra_bytes == 128


@pytest.mark.parametrize(
    "tile",
    [Tile(1, 64, "f16"), Tile(64, 1, "f16"), Tile(1, 1), Tile(64, 1, "f16", order="column"), Tile(16, 64, "e2m1")],
)
def test_degenerate_tiles_are_searched_like_any_other(tile):
    ranking = best_swizzles(tile, [Access.offsets(tile, [0], kind="store")])
    assert ranking.best.swizzle is None
    assert ranking.best.cost == 1
    for candidate in ranking[:30]:
        assert candidate.costs == (ranking.accesses[0].on(candidate.tile).report().cost,)


def test_the_order_among_equals_sign_then_distance_then_granule():
    """Positive shifts before negative, short before long, large granules before small."""
    tile = Tile(32, 32, "f32")
    ranking = best_swizzles(tile, [Access.row(tile, kind="store")], bits=2, padding=False)
    free = [candidate.swizzle for candidate in ranking if candidate.cost == 1 and candidate.swizzle]
    of_no_mode = [s for s in free if ranking.of(s, "element").mode is None]
    keys = [(s.bits, s.shift < 0, abs(s.shift), -s.base) for s in of_no_mode]
    assert keys == sorted(keys)
    assert len({key[:3] for key in keys}) < len(keys)
    assert any(s.shift < 0 for s in free)
    assert np.flatnonzero([ranking.of(s, "element").mode is not None for s in free]).tolist() == list(
        range(len(free) - len(of_no_mode))
    )


def test_a_candidate_is_made_once_with_its_requests():
    """A picture asks for the best again at each step: neither the tile nor the accesses on it are made anew."""
    ranking = best_swizzles(F32, [Access.column(F32)])
    best = ranking.best
    assert ranking[0] is best is ranking[:3][0]
    assert ranking.of(best.swizzle, "element") is best
    assert best.placed is best.placed
    assert [access.tile for access in best.placed] == [best.tile]
