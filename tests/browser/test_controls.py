"""The controls that an author leaves out are hidden, in every widget, and each name hides its own."""

from __future__ import annotations

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
    best_swizzles,
)
from tests.support.live import LivePage

pytestmark = pytest.mark.browser

TILE = Tile(32, 32, "f32", swizzle=Swizzle(3, 2, 3), unit="element")
# What each widget has of "swizzle", "unit", "access", "playback" and "numbers".
PARTS = {
    BankHeatmap: {"swizzle", "unit", "access", "numbers"},
    ColumnRead: {"swizzle", "unit", "access", "playback"},
    BitDiagram: {"swizzle", "unit"},
    SwizzleLab: {"swizzle", "unit", "access", "playback"},
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
