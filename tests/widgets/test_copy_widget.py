"""Widgets that walk through the requests of a whole copy: traits, totals and what they refuse."""

from __future__ import annotations

import json

import pytest
import traitlets
from matplotlib.figure import Figure

from swizzle_widgets import Access, BankHeatmap, ColumnRead, Swizzle, SwizzleLab, Tile, TiledCopy
from swizzle_widgets.widgets.copy_widget import copy_spec
from swizzle_widgets.widgets.wire import tile_spec

WIDGETS = (BankHeatmap, ColumnRead, SwizzleLab)
TILE = Tile(64, 64, "f16")
SWIZZLED = TILE.with_swizzle(Swizzle(2, 3, 3), "element")
EPILOGUE = TiledCopy.fragment(TILE, "m16n8k16.C", warps=(4, 1), kind="store")
# Its second step begins at a column whose lanes lie elsewhere: one request is dearer than the others.
UNEVEN = TiledCopy.from_tv(Tile(64, 64, "f16"), "((8,4),8):((256,1),32)", (32, 64), kind="store", width=2)
TALL = TiledCopy.of_threads(Tile(128, 64, "f16"), "(128,1):(1,128)", "(1,8):(8,1)")
COPIES = (
    EPILOGUE,
    UNEVEN,
    TiledCopy.ldmatrix(SWIZZLED),
    TiledCopy.cp_async(SWIZZLED),
    TiledCopy.of_threads(SWIZZLED, "(16,8):(8,1)", "(1,8):(8,1)", kind="store"),
)


@pytest.fixture(params=WIDGETS, ids=lambda widget: widget.__name__)
def widget(request):
    return request.param(SWIZZLED, EPILOGUE)


def test_it_opens_on_the_worst_request(widget):
    report = EPILOGUE.on(SWIZZLED).report()
    assert widget.request == report.worst_place
    assert widget.access == report.worst.access
    assert f"{report.requests} requests" in repr(widget)
    assert f"{report.wavefronts} wavefronts, ideal {report.ideal}, {report.conflicts} conflicts" in repr(widget)


def test_the_worst_request_is_found_where_it_stands():
    # Plain rows of 128 bytes: the request that is spread over rows is the dearest, wherever it is.
    tile = Tile(64, 64, "f16")
    for copy in COPIES:
        copy = copy.on(tile)
        each = [access.report().excess for access in copy.accesses]
        lab = SwizzleLab(tile, copy)
        assert each[lab.request] == max(each)
        assert lab.request == each.index(max(each))


def test_a_request_brings_its_access_and_another_access_is_none(widget):
    seen = []
    widget.observe(lambda change: seen.append((widget.request, widget.access.name)), ["request", "access"])
    widget.request = 5
    assert widget.access == EPILOGUE.accesses[5].on(SWIZZLED)
    assert set(seen) == {(5, EPILOGUE.where(5))}
    widget.access = Access.column(SWIZZLED)
    assert widget.request is None
    assert widget.copy is not None
    widget.access = EPILOGUE.accesses[9].on(SWIZZLED)
    widget.request = 9
    assert widget.access.name == EPILOGUE.where(9)


def test_a_swizzle_leaves_the_request_and_changes_the_totals(widget):
    widget.request = 3
    before = widget.totals
    widget.tile = TILE
    assert widget.request == 3
    assert widget.access.name == EPILOGUE.where(3)
    assert widget.totals != before
    assert widget.totals == f"all 64 requests: no swizzle: {str(EPILOGUE.report()).split(': ')[1].split(';')[0]}"


def test_another_copy_opens_on_its_worst(widget):
    widget.request = 3
    widget.copy = TiledCopy.ldmatrix(TILE)
    assert widget.request == TiledCopy.ldmatrix(SWIZZLED).report().worst_place
    assert widget.access.kind == "ldmatrix"
    widget.copy = None
    assert widget.request is None
    assert widget.totals == ""
    assert widget.access.kind == "ldmatrix"


def test_show_changes_tile_and_copy_at_once(widget):
    small = Tile(16, 16, "f32")
    widget.show(small, TiledCopy.of_threads(small, "(8,4):(4,1)", "(1,4):(4,1)"))
    assert (widget.tile, widget.request, len(widget.copy)) == (small, 0, 2)
    widget.show(SWIZZLED, Access.column(SWIZZLED))
    assert (widget.copy, widget.request) == (None, None)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("request", 64, "request = 64 is too large: it must be at most 63"),
        ("request", -1, "request = -1 is too small"),
        ("request", "5", "request must be a whole number, not '5'"),
        ("copy", 5, "copy must be a TiledCopy or None, not 5"),
        ("copy", TiledCopy.ldmatrix([TILE, TILE]), "the copy has 2 stages"),
        ("copy", TALL, "does not divide the tile"),
        ("tile", Tile(24, 64, "f16"), "does not divide the tile"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_has_changed(widget, name, value, error):
    before = widget.get_state()
    with pytest.raises((TypeError, ValueError, traitlets.TraitError), match=error.replace("(", r"\(")):
        setattr(widget, name, value)
    assert widget.get_state() == before


def test_without_a_copy_there_is_no_request(widget):
    widget.copy = None
    with pytest.raises(ValueError, match="shows no copy"):
        widget.request = 0
    with pytest.raises(ValueError, match="shows no copy"):
        type(widget)(TILE, request=2)
    assert type(widget)(TILE, EPILOGUE, request=2).access.name == EPILOGUE.where(2)


def test_what_the_browser_sends(widget):
    widget.set_state({"request": 7, "access": EPILOGUE.accesses[7].spec})
    assert (widget.request, widget.access.name, widget.problem) == (7, EPILOGUE.where(7), "")
    widget.set_state({"request": 700})
    assert widget.request == 7
    assert widget.problem == "request = 700 is too large: it must be at most 63"
    widget.set_state({"copy": None, "request": 8, "access": EPILOGUE.accesses[8].spec})
    assert widget.copy is not None
    assert (widget.request, widget.problem) == (8, "copy = None comes from the browser: only Python sets it")
    widget.set_state({"copy": copy_spec(widget.copy), "request": 9, "access": EPILOGUE.accesses[9].spec})
    assert (widget.request, widget.problem) == (9, "")
    small = Tile(8, 8, "f16")
    widget.set_state({"tile": tile_spec(small), "access": Access.column(small).spec})
    assert (widget.tile.rows, widget.copy, widget.request) == (8, None, None)


def test_a_slider_that_no_instruction_survives_says_so(widget):
    widget.copy = TiledCopy.ldmatrix(TILE)
    widget.set_state({"bits": 3, "base": 2, "shift": 3, "unit": "byte"})
    assert widget.totals.endswith("Sw<3,2,3> in bytes: no instruction can do it")


@pytest.mark.parametrize("copy", COPIES, ids=str)
@pytest.mark.parametrize("swizzle", [None, (3, 3, 3), (3, 4, 3), (1, 2, 4), (3, 0, 3)], ids=str)
def test_the_browser_says_the_same_of_a_copy(engine, copy, swizzle):
    tile = TILE.with_swizzle(swizzle and Swizzle(*swizzle), "element" if swizzle else None)
    lab = SwizzleLab(TILE, copy.on(TILE))
    place = len(copy) // 2
    item = {"geometry": tile_spec(tile), "swizzle": swizzle, "unit": "element" if swizzle else None}
    found = engine.answer("walkOf", {**item, "copy": copy_spec(lab.copy), "place": place})
    bits, base, shift = swizzle or (0, 4, 3)
    lab.set_state({"bits": bits, "base": base, "shift": shift, "unit": "element"})
    assert found == {"totals": lab.totals, "access": copy.accesses[place].spec}


def test_a_still_says_what_the_whole_copy_costs(widget):
    axes = Figure().subplots()
    widget.figure(ax=axes)
    assert axes.get_title() == f"all 64 requests: {widget.totals.split('; ')[-1]}"
    widget.figure(ax=axes, title="mine")
    assert axes.get_title() == "mine"


def test_a_copy_is_sent_in_few_bytes():
    assert len(json.dumps(copy_spec(EPILOGUE))) < 320 * len(EPILOGUE)
