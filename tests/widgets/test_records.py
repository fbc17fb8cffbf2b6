"""Records of tiles and accesses, as traits hold them: what Python refuses the browser refuses, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from swizzle_widgets import Access, Layout, Table, Tile
from swizzle_widgets.widgets.wire import spec_tile, tile_spec

# What no field, or only another one, can hold.
JUNK = [
    None, True, False, -2, -1, 0, 1, 2, 3, 4, 8, 16, 64, 512, 2**31, 2**53, 0.5, 1e308, "", "3", "row", "f16", "load",
    "ldmatrix", "ca", [], [1], [[1]], [None], [[8, 64]], [[8, -64]], [[-8, 64]], [[8, 0.5]], [[8]], [[2, 1], [4, 16]],
    [0] * 32, [0] * 33, [-1] * 4, [0, -2], {}, {"rows": 1},
]  # fmt: skip
TABLE = replace(Tile(2, 4, "f16"), layout=Table([[0, 1, 2, 3], [5, 4, 7, 6]]))
TILES = [
    Tile(8, 64, "f16"),
    TABLE,
    Tile(16, 64, "e2m1", order="column", base_address=4),
    Tile.of_layout(Layout(((8, 2), (16, 2)), ((16, 256), (1, 128))), "f32", base_address=16, anchor="address"),
]
SPECS = [
    {"pattern": "column", "col": 0, "row": 0, "width": 2, "kind": "load"},
    {"pattern": "row", "row": 1, "col": 0, "width": 4, "kind": "store"},
    {"pattern": "cp_async", "line": 0, "width": 16, "cache": "cg"},
    {"pattern": "ldmatrix", "row": 0, "col": 0, "num": 4, "trans": False},
    {"pattern": "stmatrix", "row": 0, "col": 0, "num": 1, "trans": True},
    {"pattern": "at", "rows": [0, 1, 2, -1], "cols": [0, 0, 0, -1], "width": 2, "kind": "load", "name": "n"},
    {"pattern": "at", "rows": [1], "cols": [0, 1, 2], "width": 2, "kind": "store", "name": "one row"},
    {"pattern": "at", "rows": [0, 1, 2], "cols": 1, "width": 2, "kind": "store", "name": "one column"},
    {"pattern": "offsets", "offsets": [0, 1, 2, -1], "width": 2, "kind": "load", "name": "n"},
]


def spoiled(record: dict):
    """(the record with a field exchanged for junk, whether both are numbers); and without the field."""
    for name, value in record.items():
        yield from (({**record, name: junk}, type(junk) is type(value) is int) for junk in JUNK)
        yield {other: value for other, value in record.items() if other != name}, False


def tables(record: dict):
    """A table's record with entries that are no offsets, too few or too many of them, or none."""
    offsets = record["offsets"]
    yield from ({**record, "offsets": [*offsets[:-1], last]} for last in (-1, -2, 0.5, None, "3", 2**40))
    for wrong in ([], offsets[:-1], [*offsets, 8], [-1, *offsets[1:]], "01235476"):
        yield {**record, "offsets": wrong}
    yield from ({**record, name: 0, "offsets": []} for name in ("rows", "cols"))


def attempt(make) -> dict:
    try:
        return make()
    except (TypeError, ValueError) as error:
        return {"error": str(error).replace("'", '"')}


def test_what_is_no_tile_is_refused(engine):
    records = [record for tile in TILES for record, _ in spoiled(tile_spec(tile))] + [*tables(tile_spec(TABLE)), *JUNK]
    theirs = engine.answer("(all) => all.map((spec) => attempt(() => new Tile(spec) && {}))", records)
    refused = 0
    for record, their in zip(records, theirs):
        our = attempt(lambda record=record: spec_tile(record) and {}).get("error", "")
        # The name of a layout and its order follow from its modes; the browser takes them as they are told.
        if not our.endswith("its parts contradict each other"):
            assert bool(our) == ("error" in their), (record, our, their)
            refused += bool(our)
    assert refused > 500


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_what_is_no_access_is_refused_in_the_same_words(engine, tile):
    cases = [*((spec, True) for spec in SPECS), *((junk, False) for junk in JUNK)]
    cases += [case for spec in SPECS for case in spoiled(spec)] + [({**spec, "speed": 3}, True) for spec in SPECS]
    theirs = engine.answer(
        """({ geometry, specs }) => specs.map((spec) => attempt(() => new Access(new Tile(geometry), spec).starts))""",
        {"geometry": tile_spec(tile), "specs": [record for record, _ in cases]},
    )
    refused = 0
    for (record, numbers), their in zip(cases, theirs):
        our = attempt(lambda record=record: list(Access.from_spec(tile, record).starts))
        if isinstance(their, dict):
            their["error"] = their["error"].replace("'", '"')
        assert isinstance(their, dict) == isinstance(our, dict), (record, our, their)
        # Each language writes a value of another type in its own way.
        if numbers or isinstance(our, list):
            assert their == our, record
            refused += isinstance(our, dict)
    assert refused > 150


@pytest.mark.parametrize("length", [57, 58, 59])
def test_a_long_value_is_cut_in_an_error(engine, length):
    text = "x" * length
    said = engine.answer("(value) => attempt(() => whole('rows', value))", text)["error"]
    quoted = f'"{text}"'
    assert said == f"rows must be a whole number, not {quoted if len(quoted) <= 60 else quoted[:60] + ' ...'}"
