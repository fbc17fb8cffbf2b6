"""Two layouts for some accesses each: the least of all divisions, counted on real tiles. Records stay as made."""

from __future__ import annotations

import dataclasses
import math
import pkgutil
from importlib import import_module

import pytest

import swizzle_widgets.model
from swizzle_widgets import Access, Tile, best_swizzles
from swizzle_widgets.model.swizzle import legal_swizzles

F16 = Tile(16, 32, "f16")
F32 = Tile(16, 16, "f32")
BYTES = Tile(32, 32, "u8", base_address=32, anchor="address")


def costs_under_each(tile: Tile, accesses) -> list[list[float]]:
    """The cost of each access under each swizzle that leaves the tile in its place; infinite where it is refused."""
    costs = []
    for swizzle in legal_swizzles(2, (tile.layout.cosize - 1).bit_length()):
        try:
            swizzled = tile if swizzle.is_identity else tile.with_swizzle(swizzle, "element")
        except ValueError:
            continue
        moved = [access.on(swizzled) for access in accesses]
        costs.append([math.inf if access.refusal else access.report().cost for access in moved])
    return costs


@pytest.mark.parametrize(
    ("accesses", "weights"),
    [
        ([Access.column(F16), Access.ldmatrix(F16, num=1), Access.column(F16, 8, width=16)], (1, 1, 1)),
        ([Access.column(F32), Access.row(F32, width=16), Access.column(F32, width=8, kind="store")], (3, 1, 2)),
        ([Access.column(BYTES), Access.column(BYTES, width=4), Access.ldmatrix(BYTES, num=2)], (1, 5, 1)),
    ],
    ids=["f16", "f32", "anchored"],
)
def test_the_division_is_the_cheapest_there_is(accesses, weights):
    tile, places = accesses[0].tile, range(len(accesses))
    ranking = best_swizzles(tile, accesses, bits=2, padding=False, weights=weights)
    costs = costs_under_each(tile, accesses)
    divisions = [({place}, set(places) - {place}) for place in places]
    assert sum(candidate.cost for candidate, _ in ranking.divided) == min(
        sum(min(sum(weights[place] * cost[place] for place in part) for cost in costs) for part in division)
        for division in divisions
    )
    for candidate, part in ranking.divided:
        assert candidate.accesses == tuple(accesses[place] for place in part)
        reports = [access.on(candidate.tile).report() for access in candidate.accesses]
        assert candidate.costs == tuple(report.cost for report in reports)
        assert candidate.least_costs == tuple(report.least for report in reports)


def test_only_two_to_ten_accesses_are_divided():
    rows = [Access.row(F16, row) for row in range(11)]
    divided = {count: len(best_swizzles(F16, rows[:count], bits=1).divided) for count in (1, 2, 10, 11)}
    assert divided == {1: 0, 2: 2, 10: 2, 11: 0}


def test_every_record_of_the_model_stays_as_it_was_made():
    found = {
        thing
        for module in pkgutil.walk_packages(swizzle_widgets.model.__path__, "swizzle_widgets.model.")
        for thing in vars(import_module(module.name)).values()
        if dataclasses.is_dataclass(thing)
    }
    assert len(found) > 10
    assert [thing.__name__ for thing in found if not thing.__dataclass_params__.frozen] == []
