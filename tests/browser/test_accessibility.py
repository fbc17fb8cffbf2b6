"""Access for all: axe-core, the keyboard alone, what a screen reader hears, reduced motion, zoom, other scripts."""

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
from tests.support.axe import violations
from tests.support.live import LivePage, traits

pytestmark = pytest.mark.browser

TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
PLAIN = Tile(8, 64, "f16")
LARGE = Tile(128, 128, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
WIDGETS = {
    "BankHeatmap": lambda: BankHeatmap(TILE),
    "BankHeatmap without swizzle": lambda: BankHeatmap(PLAIN),
    "BankHeatmap, large": lambda: BankHeatmap(LARGE),
    "BitDiagram": lambda: BitDiagram(TILE, row=5),
    "ColumnRead": lambda: ColumnRead(TILE, step=1),
    "SwizzleLab": lambda: SwizzleLab(TILE),
    "SwizzleRanking": lambda: SwizzleRanking(best_swizzles(PLAIN, [Access.column(PLAIN), Access.row(PLAIN, width=16)])),
}
CHINESE = "第三列每个线程读取一个半精度浮点数观察共享内存的存储体冲突与波前数量"


@pytest.fixture(scope="module")
def live(browser):
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    live = LivePage(page)
    yield live
    page.close()
    assert not live.problems


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", WIDGETS)
def test_axe_finds_nothing(live, name, theme):
    live.show(WIDGETS[name](), theme=theme)
    # Once as it opens, once with the error line.
    for change in ({}, {"bits": 9}):
        live.set(**change)
        _wait_for_transitions(live.page)
        assert violations(live.page, theme) == []


def test_axe_would_find_something(live):
    live.show(BankHeatmap(TILE))
    live.page.evaluate("() => document.querySelectorAll('.swz label').forEach((label) => label.remove())")
    impacts = {impact for impact, *_ in violations(live.page)}
    assert impacts & {"serious", "critical"}


# What stands for the focused element in a list of stops, and how its outline looks.
STOP = """
() => {
  const element = document.activeElement;
  if (!element.closest('.swz')) return null;
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return {
    name: name.trim().replace(/\\s+/g, ' '), tag: element.tagName, outline: `${outlineStyle} ${outlineWidth}`,
    hidden: outlineColor === 'rgba(0, 0, 0, 0)', onPage: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}
"""


def stops(page) -> list[dict]:
    """Press Tab through the widget and return where the focus stopped."""
    page.evaluate("() => document.activeElement.blur()")
    found = []
    while len(found) < 50:
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return found
        found.append(stop)
    raise AssertionError("the focus never leaves the widget")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("BankHeatmap", ["B bits XORed", "M low bits kept", "S distance", "bytes", "access", "lanes", "tile"]),
        ("BankHeatmap without swizzle", ["swizzle this tile", "access", "tile"]),
        ("BitDiagram", ["B bits XORed", "M low bits kept", "S distance", "bytes", "row", "column", "bit 1"]),
        ("ColumnRead", ["B bits XORed", "M low bits kept", "S distance", "bytes", "access", "Play", "Step"]),
    ],
)  # fmt: skip
def test_tab_stops_at_everything_and_shows_where(live, name, names, theme):
    live.show(WIDGETS[name](), theme=theme)
    found = stops(live.page)
    for expected in names:
        assert any(stop["name"].startswith(expected) for stop in found), (expected, found)
    for stop in found:
        assert stop["name"]
        assert stop["outline"] == "solid 2px"
        assert stop["onPage"]
        assert not stop["hidden"]


def spoken(page) -> str:
    """What the live regions say."""
    return " | ".join(page.locator("[aria-live=polite]").all_text_contents())


def press(live, *keys: str) -> None:
    for key in keys:
        live.page.keyboard.press(key)
        live.frames()


def test_bank_heatmap_by_keyboard(live):
    live.show(BankHeatmap(TILE))
    page = live.page
    assert spoken(page) == (
        "no swizzle: LDS.U16: 8 wavefronts, ideal 1, 7 conflicts. "
        "Sw<3,4,3> in bytes: LDS.U16: 1 wavefront, ideal 1, 0 conflicts"
    )
    page.get_by_label("B bits XORed").focus()
    press(live, "ArrowLeft")
    assert "Sw<2,4,3> in bytes: LDS.U16: 2 wavefronts" in spoken(page)
    press(live, "End")
    assert page.get_by_role("alert").inner_text().startswith("shift (S) = 3 is too short for bits (B) = 5")
    press(live, "ArrowLeft", "ArrowLeft")
    assert page.get_by_role("alert").count() == 0
    page.get_by_label("bytes").focus()
    press(live, "ArrowRight")
    assert (live.get("unit"), live.get("base")) == ("element", 3)
    page.get_by_label("access").focus()
    press(live, "ArrowDown")
    assert live.get("access")["width"] == 4
    page.get_by_role("application", name="tile").focus()
    press(live, "ArrowRight", "ArrowDown")
    assert (live.get("access")["row"], live.get("access")["col"]) == (1, 2)


def test_bit_diagram_by_keyboard(live):
    live.show(BitDiagram(TILE, row=0))
    page = live.page
    page.locator(".swz-bit-button[tabindex='0']").focus()
    press(live, *["ArrowLeft"] * 6)
    bit = page.locator(".swz-bit-button:focus")
    assert bit.get_attribute("aria-label") == "bit 7, source"
    assert bit.get_attribute("aria-pressed") == "false"
    press(live, "Space")
    assert bit.get_attribute("aria-pressed") == "true"
    assert "row 1, column 0: byte 128 (bank 0) goes to 144 (bank 4)" in spoken(page)
    press(live, "Home")
    assert page.locator(".swz-bit-button:focus").get_attribute("aria-label") == "bit 11"
    page.get_by_label("row", exact=True).focus()
    press(live, "ArrowUp")
    assert live.get("offset") == 128


def test_column_read_by_keyboard(live):
    live.show(ColumnRead(TILE))
    page = live.page
    page.get_by_role("application").focus()
    # It opens with the finished picture.
    press(live, "Home", "ArrowRight", "ArrowRight")
    assert live.get("step") == 2
    assert "A  no swizzle: 2 wavefronts so far, lane 1 now" in spoken(page)
    assert "C  Sw<3,4,3> in bytes: done after LDS.U16: 1 wavefront" in spoken(page)
    press(live, "ArrowLeft")
    assert live.get("step") == 1
    press(live, "End")
    assert "no swizzle: done after LDS.U16: 8 wavefronts, ideal 1, 7 conflicts" in spoken(page)
    press(live, "Home", " ")
    assert live.get("playing") is True
    press(live, " ")
    assert live.get("playing") is False


def test_pictures_and_groups_have_names(live):
    live.show(SwizzleLab(TILE))
    page = live.page
    assert page.get_by_role("region", name="Swizzle lab").count() == 1
    assert page.get_by_role("application", name="tile and time").count() == 1
    assert page.get_by_role("radiogroup", name="counted in").count() == 1
    assert page.get_by_role("group", name="animation").count() == 1
    assert page.get_by_role("group", name="bits before the swizzle").count() == 1
    # An alert that several parts share is read once.
    live.set(bits=9)
    assert page.get_by_role("alert").count() == 1


def test_reduced_motion(browser):
    page = browser.new_page(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
    live = LivePage(page)
    live.show(ColumnRead(TILE, playing=True, step=0))
    assert live.get("playing") is False
    page.get_by_role("application").focus()
    press(live, "ArrowRight")
    assert live.get("step") == 1
    assert page.evaluate("() => document.getAnimations().length") == 0
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getAnimations().length > 0")
    page.close()
    assert not live.problems


# 400% zoom on a screen of 1280 pixels leaves 320 CSS pixels; a small phone has 360.
@pytest.mark.parametrize("width", [320, pytest.param(360, marks=pytest.mark.release)])
@pytest.mark.parametrize("name", WIDGETS)
def test_narrow_pages_scroll_down_only(live, name, width):
    page = live.page
    page.set_viewport_size({"width": width, "height": 640})
    live.show(WIDGETS[name]())
    for change in ({}, {"bits": 9}):
        live.set(**change)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert outside(page) == []
    page.set_viewport_size({"width": 1100, "height": 900})


def test_numbers_stay_sharp_when_the_page_is_zoomed(browser):
    page = browser.new_page(viewport={"width": 1600, "height": 900})
    live = LivePage(page)
    live.show(BankHeatmap(Tile(8, 8, "f32", swizzle=Swizzle(2, 2, 2), unit="element")))
    pixels = "() => { const { width, offsetWidth } = document.querySelector('canvas'); return width / offsetWidth; }"
    assert page.evaluate(pixels) == pytest.approx(1, abs=0.01)
    # What 200% does: half the viewport, twice the device pixels. This picture stays as wide as it is.
    zoomed = {"width": 800, "height": 450, "deviceScaleFactor": 2, "mobile": False}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", zoomed)
    page.wait_for_function(f"() => Math.abs(({pixels})() - 2) < 0.01")
    page.close()
    assert not live.problems


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize("view", [BankHeatmap, ColumnRead, SwizzleLab])
def test_chinese_names_fit(live, view, width):
    page = live.page
    page.set_viewport_size({"width": width, "height": 700})
    widget = view(TILE, Access.at(TILE, range(8), 2, name=CHINESE))
    live.show(widget)
    if view is not BankHeatmap:
        live.set(variants=[{**item, "label": CHINESE} for item in traits(widget)["variants"]])
    assert CHINESE in page.locator("select").first.text_content()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert outside(page) == []
    page.set_viewport_size({"width": 1100, "height": 900})


def outside(page) -> list[str]:
    """The texts and controls that reach over the card's edge; pictures may scroll inside it."""
    return page.evaluate(
        """() => {
          const card = document.querySelector('.swz');
          const edge = card.getBoundingClientRect().right;
          const parts = 'p, label, button, select, input, output, table, summary';
          return [...card.querySelectorAll(parts)]
            .filter((element) => element.offsetWidth && !element.closest('.swz-picture, .swz-hidden'))
            .filter((element) => element.getBoundingClientRect().right > edge)
            .map((element) => `${element.tagName} ${element.className} ${element.textContent}`);
        }"""
    )


def _wait_for_transitions(page) -> None:
    page.evaluate("() => Promise.all(document.getAnimations().map((animation) => animation.finished))")
