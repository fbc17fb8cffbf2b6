"""Whole copies against an H200: the requests that CuTe's threads made, and what the counters said of them.

The rules are said once by CuTe (`measured.whole_copies`, compiled and run there) and once here, by the
package's own constructors.
"""

import pytest

from swizzle_widgets import Tile, TiledCopy
from swizzle_widgets.measured import recorded
from swizzle_widgets.measured.whole_copies import COPIES, COUNTED, addresses

VALUES = {"(1,8)": "(1,8):(8,1)", "(1,2)": "(1,2):(2,1)", "(1,1)": "(1,1):(1,1)"}
# Row addresses of a warp's x4 for the operands of TiledMMAs whose warps beside each other share the operand.
SHARED = {
    "A of TiledMMA(SM80_16x8x16, warps (2,2), tile 32x32x16)": ("((8,2,2,2,2),8):((1,8,256,16,0),32)", (32, 16)),
    "B of TiledMMA(SM80_16x8x16, warps (4,1), tile 64x16x16), .trans": ("((8,2,2,4),8):((16,128,8,0),1)", (16, 16)),
}


def said_here(copy) -> TiledCopy:
    """The copy of a record, made by the constructor that its rule calls for."""
    tile = Tile.from_cute(copy.layout, copy.dtype)
    if copy.rule.startswith("threads "):
        threads, values = copy.rule.removeprefix("threads ").split(", values ")
        return TiledCopy.of_threads(tile, threads, VALUES[values], copy.width, copy.kind)
    if copy.rule in SHARED:
        return TiledCopy.from_tv(tile, *SHARED[copy.rule], kind=copy.kind)
    if copy.kind in ("ldmatrix", "stmatrix"):
        return getattr(TiledCopy, copy.kind)(tile)
    warps = (4, 1) if "warps (4,1)" in copy.rule else (2, 2)
    return TiledCopy.fragment(tile, "m16n8k16.C", warps)


@pytest.fixture(scope="module")
def found() -> dict:
    return recorded("whole_copies")


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_our_totals_are_what_was_counted(copy, found):
    ours = said_here(copy)
    assert (ours.kind, ours.width) == (copy.kind, copy.width)
    report = ours.report()
    loads, stores, conflicts = found[f"counted_{copy.name}"][-1].tolist()
    assert (report.wavefronts, report.conflicts) == (loads + stores, conflicts)


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_our_requests_are_those_that_cute_made(copy, found):
    """The same requests, lane by lane; in which order a warp makes them is the compiler's."""
    theirs, ours = addresses(found, copy), said_here(copy).requests.addresses
    assert sorted(map(tuple, ours.tolist())) == sorted(map(tuple, theirs.tolist()))


def test_the_record_holds_every_way_to_say_a_copy():
    kinds = {(copy.kind, copy.width) for copy in COPIES}
    assert kinds >= {("store", 4), ("store", 8), ("store", 16), ("load", 16), ("ldmatrix", 16), ("stmatrix", 16)}
    assert len(COPIES) >= 12
    assert COUNTED == ("loads", "stores", "conflicts")
