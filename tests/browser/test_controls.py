"""The controls that an author leaves out are hidden, in every widget, and each name hides its own."""

from __future__ import annotations

import numpy as np
import pytest

from swizzle_widgets import (
    Access,
    BankHeatmap,
    BitDiagram,
    ColumnRead,
    Swizzle,
    SwizzleLab,
    SwizzleRanking,
    Tile,
    TiledCopy,
    best_swizzles,
)
from swizzle_widgets.widgets.wire import tile_spec
from tests.support.live import LivePage

pytestmark = pytest.mark.browser

TILE = Tile(32, 32, "f32", swizzle=Swizzle(3, 2, 3), unit="element")
# What each widget has of "swizzle", "unit", "access", "playback", "numbers" and "text".
PARTS = {
    BankHeatmap: {"swizzle", "unit", "access", "numbers"},
    ColumnRead: {"swizzle", "unit", "access", "playback"},
    BitDiagram: {"swizzle", "unit"},
    SwizzleLab: {"swizzle", "unit", "access", "playback", "text"},
    SwizzleRanking: {"unit"},
}
# The fields and buttons that are seen, by what they say.
SEEN = """() => [...document.querySelectorAll(".swz input, .swz select, .swz-controls button, .swz summary")]
  .filter((each) => each.checkVisibility())
  .map((each) => `${each.type}:${(each.name ?? "").split(/[0-9]/)[0]}:${each.value}`)"""


@pytest.fixture
def live(browser):
    context = browser.new_context()
    yield LivePage(context.new_page())
    context.close()


@pytest.mark.parametrize("widget", PARTS, ids=lambda widget: widget.__name__)
def test_each_name_hides_its_own_controls(live, widget):
    plain = TILE.with_swizzle(None)
    made = widget(best_swizzles(plain, [Access.column(plain)]) if widget is SwizzleRanking else TILE)
    live.show(made)
    everything = live.page.evaluate(SEEN)
    every = made.controls
    hidden = {}
    for name in every:
        live.set(controls=[other for other in every if other != name])
        live.frames()
        hidden[name] = len(everything) - len(live.page.evaluate(SEEN))
    assert {name for name, count in hidden.items() if count > 0} == PARTS[widget]
    live.set(controls=[])
    live.frames()
    assert len(everything) - len(live.page.evaluate(SEEN)) == sum(hidden.values())
    live.set(controls=every)
    live.frames()
    assert live.page.evaluate(SEEN) == everything
    assert not live.problems


@pytest.mark.parametrize("width", [1100, 360])
def test_a_layout_is_pasted_into_the_lab(live, width):
    live.page.set_viewport_size({"width": width, "height": 900})
    live.show(SwizzleLab(TILE))
    height = live.page.locator(".swz").bounding_box()["height"]
    live.page.locator(".swz-paste > summary").click()
    box = live.page.locator(".swz-paste-box").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert live.page.locator(".swz").bounding_box()["height"] == height
    live.page.locator(".swz-paste textarea").fill("S<3,4,3> o 0 o (16,64):(64,1)")
    live.page.get_by_label("dtype, where the text").fill("f16")
    live.page.locator(".swz-paste button").click()
    assert "elements of the layout" in live.page.locator(".swz-pasted-said").text_content()
    live.page.locator(".swz-paste select").select_option("byte")
    live.page.locator(".swz-paste button").click()
    live.frames()
    assert not live.page.locator(".swz-paste-box").is_visible()
    tile = Tile.from_cute("S<3,4,3> o 0 o (16,64):(64,1)", "f16", unit="byte")
    assert live.get("tile") == tile_spec(tile)
    assert [live.get(name) for name in ("bits", "base", "shift", "unit")] == [3, 4, 3, "byte"]
    assert not live.problems


def test_a_map_that_no_single_swizzle_makes_says_so(live):
    rows, cols = np.indices((32, 32))
    # Row bits 0, 2 and 4 into column bits 0, 1 and 2: three distances.
    mixed = cols ^ (rows & 1) ^ (rows >> 2 & 1) << 1 ^ (rows >> 4 & 1) << 2
    tile = Tile.from_map(rows * 32 + mixed, dtype="f32")
    assert "no Swizzle<B,M,S> does it" in tile.map_note
    live.show(BankHeatmap(tile))
    assert tile.map_note in live.page.locator(".swz-closed > summary").text_content()
    assert tile.map_note in str(best_swizzles(tile, [Access.column(tile)]))
    assert not live.problems


@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("widget", [BankHeatmap, ColumnRead, SwizzleLab], ids=lambda widget: widget.__name__)
def test_the_requests_of_a_copy_are_walked_through(live, widget, width):
    tile = Tile(64, 64, "f16", swizzle=Swizzle(2, 3, 3), unit="element")
    copy = TiledCopy.fragment(tile, "m16n8k16.C", warps=(4, 1), kind="store")
    live.page.set_viewport_size({"width": width, "height": 900})
    live.show(widget(tile, copy))
    which, totals = live.page.locator(".swz-which"), live.page.locator(".swz-totals")
    assert which.text_content() == "request 1 of 64, the worst"
    assert totals.text_content() == widget(tile, copy).totals
    height = live.page.locator(".swz").bounding_box()["height"]
    live.page.get_by_role("button", name="next request").click()
    live.page.get_by_role("button", name="next request").press("Enter")
    live.frames()
    assert which.text_content() == "request 3 of 64"
    assert live.get("access") == copy.accesses[2].spec
    assert live.page.locator(".swz").bounding_box()["height"] == height
    # Without a kernel the page counts the copy on another swizzle, and keeps the request.
    live.set(bits=3)
    assert totals.text_content() == widget(tile.with_swizzle(Swizzle(3, 3, 3), "element"), copy).totals
    live.set(request=9)
    assert live.get("access") == copy.accesses[9].spec
    live.set(access=Access.column(tile).spec)
    assert (live.get("request"), which.text_content()) == (None, "none of the 64 requests")
    live.page.get_by_role("button", name="worst request").click()
    live.frames()
    assert live.get("request") == 0
    live.set(tile=tile_spec(Tile(8, 8, "f16")), access=Access.column(Tile(8, 8, "f16")).spec)
    assert which.count() == 0
    assert not live.problems
