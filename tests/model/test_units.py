"""Units are never guessed: every door by which a swizzle enters without one names both readings."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import numpy as np
import pytest

import swizzle_widgets.model
from swizzle_widgets import Access, Swizzle, Table, Tile, best_swizzles
from swizzle_widgets.model.modes import mode_of

SWIZZLE = Swizzle(3, 4, 3)
TILE = Tile(8, 64, "f16")
PRINTED = "S<3,4,3> o 0 o (8,64):(64,1)"
READINGS = r"unit=.element. .*Sw<3,5,3> in bytes.* or unit=.byte. .*Sw<3,4,3> in bytes"


class AsPrinted:
    """A layout of the CuTe DSL, which says how it is printed."""

    shape = (8, 64)

    def __call__(self, row, col):
        return row * 64 + col

    def __str__(self):
        return PRINTED


# Each leaves the unit out.
DOORS = {
    "tile.Tile": lambda: Tile(8, 64, "f16", swizzle=SWIZZLE),
    "tile.Tile.of_layout": lambda: Tile.of_layout(TILE.layout, "f16", swizzle=SWIZZLE),
    "tile.Tile.with_swizzle": lambda: TILE.with_swizzle(SWIZZLE),
    "ranking.Ranking.of": lambda: best_swizzles(TILE, [Access.column(TILE)], bits=1).of(SWIZZLE),
}
# These ask in words of their own, since what they take is a number of bits, or a text.
OTHER_DOORS = {
    "modes.mode_of": lambda: mode_of(SWIZZLE),
    "tile.Tile.from_cute": lambda: Tile.from_cute(PRINTED, "f16"),
}
# A Tile has its unit; a Swizzle is counted by who calls it; these take and return what is counted already.
TOLD = {
    "placement.Placement": "the fields of a Tile, which asks",
    "atoms.gmma_atom": "names a mode, which counts bytes",
    "texts.parts.Parts": "its field `counts` says, or that the text does not",
    "candidates.Candidate": "counted in elements, says its docstring and its name",
    "candidates.tma_mode": "counted in elements",
    "modes.SwizzleMode": "counts bytes",
    "ranking.Ranking": "a list of what was tried, in elements",
    "requests_under.Ways": "in elements",
    "swizzle.fields_of": "offsets and fields in one unit",
    "units.unit_readings": "it is what says the readings",
    "units.checked_unit": "it is what asks",
    "texts.writing.cpp_code": "pointer_bits says which",
    "texts.writing.dsl_code": "pointer_dtype says which",
    "tile.Tile.from_map": "reads offsets, or with a unit what the layout prints",
}


@pytest.mark.parametrize("name", DOORS)
def test_a_door_names_both_readings(name):
    with pytest.raises(ValueError, match=r"^Sw<3,4,3> has no unit of its own: say what it counts, " + READINGS):
        DOORS[name]()


def test_doors_of_texts_and_numbers_ask_too():
    with pytest.raises(ValueError, match=r"has no unit of its own: .*unit_bits=8 for bytes or the size of an element"):
        OTHER_DOORS["modes.mode_of"]()
    with pytest.raises(ValueError, match=r"elements .*\(unit='element'\).* or bytes .*\(unit='byte'"):
        OTHER_DOORS["tile.Tile.from_cute"]()


def test_a_map_is_what_it_returns_unless_a_unit_is_said():
    # Called, it has no swizzle; printed, it has one, which counts what is said.
    assert Tile.from_map(AsPrinted(), dtype="f16") == TILE
    assert Tile.from_map(AsPrinted(), dtype="f16", unit="element").swizzle == SWIZZLE
    assert Tile.from_map(np.arange(512).reshape(8, 64), dtype="f16") == TILE
    assert Tile.from_map(Table([[0, 1], [3, 2]]).offsets).unit == "element"


def test_the_identity_needs_no_unit_where_nothing_is_kept():
    assert mode_of(Swizzle(0, 4, 3)).name == "none"
    assert best_swizzles(TILE, [Access.column(TILE)], bits=1).of(Swizzle(0, 7, 3)).swizzle is None


def test_every_door_is_walked():
    """What takes a swizzle, anywhere in the model, is one of the doors or says what its swizzle counts."""
    found = set()
    for module in pkgutil.walk_packages(swizzle_widgets.model.__path__, "swizzle_widgets.model."):
        for name, thing in vars(import_module(module.name)).items():
            if getattr(thing, "__module__", None) != module.name or name.startswith("_"):
                continue
            where = f"{module.name.removeprefix('swizzle_widgets.model.')}.{name}"
            found |= {where} if _takes_a_swizzle(thing) else set()
            if inspect.isclass(thing):
                methods = inspect.getmembers(thing, inspect.isroutine)
                public = [(key, method) for key, method in methods if not key.startswith("_")]
                found |= {f"{where}.{key}" for key, method in public if _takes_a_swizzle(method)}
    assert found <= DOORS.keys() | OTHER_DOORS.keys() | TOLD.keys()
    # Tile's options and texts are swizzles by another name.
    by_another_name = {"tile.Tile.of_layout", "tile.Tile.from_cute", "tile.Tile.from_map"}
    assert (DOORS.keys() | OTHER_DOORS.keys() | TOLD.keys()) - found <= by_another_name


def _takes_a_swizzle(thing) -> bool:
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return False
    return any("Swizzle" in str(p.annotation).replace("SwizzleMode", "") or p.name == "swizzle" for p in parameters)
