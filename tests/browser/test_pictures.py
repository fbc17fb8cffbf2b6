"""The pictures on a page: nothing moves, nothing is too small to read, all views mark the same word, words fall."""

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

WIDE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
TALL = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
LARGE = Tile(128, 512, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
WIDGETS = {
    "BankHeatmap": lambda: BankHeatmap(TALL, Access.ldmatrix(TALL)),
    "BankHeatmap, 512 x 1": lambda: BankHeatmap(Tile(512, 1, "f16")),
    "BankHeatmap, 1000 x 3": lambda: BankHeatmap(Tile(1000, 3, "u8")),
    "BankHeatmap, 128 x 512": lambda: BankHeatmap(LARGE, Access.ldmatrix(LARGE)),
    "BitDiagram": lambda: BitDiagram(tile=WIDE, row=5),
    "ColumnRead": lambda: ColumnRead(TALL, Access.ldmatrix(TALL)),
    "SwizzleLab": lambda: SwizzleLab(TALL, Access.ldmatrix(TALL)),
    "SwizzleRanking": lambda: SwizzleRanking(best_swizzles(TALL, [Access.ldmatrix(TALL), Access.row(TALL)])),
}


def in_release(width: int):
    """A width between or beyond others, tried before a release."""
    return pytest.param(width, marks=pytest.mark.release)


HEIGHT = "() => document.querySelector('.swz').offsetHeight"
MARKS = "() => [...document.querySelectorAll('.swz-marks i')].map((mark) => mark.getBoundingClientRect().toJSON())"


@pytest.fixture
def live(browser):
    page = browser.new_page(viewport={"width": 1100, "height": 1000})
    live = LivePage(page)
    yield live
    page.close()
    assert not live.problems


@pytest.mark.parametrize("width", [in_release(1400), 1100, in_release(760), 360])
@pytest.mark.parametrize("name", WIDGETS)
def test_no_text_is_too_small_and_no_widget_too_tall(live, name, width):
    live.page.set_viewport_size({"width": width, "height": 1000})
    live.show(WIDGETS[name]())
    live.frames(3)
    sizes = live.page.evaluate(
        """() => {
          const words = [...document.querySelectorAll('.swz *')].filter((element) =>
            element.offsetWidth && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
          const scenes = [...document.querySelectorAll('.swz-scene')].flatMap((stage) => stage.swzScene().items);
          return [
            ...words.map((element) => parseFloat(getComputedStyle(element).fontSize)),
            ...scenes.filter(({ kind }) => kind === 'text').map(({ size }) => size),
          ];
        }"""
    )
    assert min(sizes) >= 11
    assert live.page.evaluate("() => document.documentElement.scrollWidth") <= width
    if width >= 760:
        assert live.page.evaluate(HEIGHT) <= 900


@pytest.mark.parametrize("tile", [WIDE, TALL], ids=str)
def test_the_lab_stands_on_one_screen(live, tile):
    live.page.set_viewport_size({"width": 1116, "height": 1000})
    live.show(SwizzleLab(tile, Access.ldmatrix(tile, num=4 if tile is TALL else 1)))
    assert live.page.evaluate("() => document.querySelector('.swz').offsetWidth") == 1100
    assert live.page.evaluate(HEIGHT) <= 760


@pytest.mark.parametrize("width", [1100, in_release(760), 500, 360])
@pytest.mark.parametrize("name", ["BankHeatmap", "BitDiagram", "ColumnRead", "SwizzleLab"])
def test_nothing_jumps(live, name, width):
    """Step, play, ask for what is no swizzle and come back: the card keeps its height, the page its verdicts apart."""
    live.page.set_viewport_size({"width": width, "height": 1000})
    live.show(WIDGETS[name]())
    live.frames(3)
    height = live.page.evaluate(HEIGHT)
    changes = (
        [{"step": 0}, {"step": 3}, {"playing": True}, {"playing": False}]
        if name in ("ColumnRead", "SwizzleLab")
        else []
    )
    for change in (*changes, {"bits": 4}, {"bits": 3}, {"bits": 5, "shift": -2}, {"bits": 3, "shift": 3}):
        live.set(**change)
        assert live.page.evaluate(HEIGHT) == height, change
        if change.get("bits", 0) > 3:
            # No state shows a verdict that is not its own.
            shown = live.page.evaluate(
                "() => [...document.querySelectorAll('.swz-scene')].flatMap((stage) => stage.swzScene().items)"
                ".filter(({ kind }) => kind === 'text').map(({ text }) => text)"
            )
            assert not [text for text in shown if "Sw<3,4,3>" in text or "✓" in text]


def test_what_is_pointed_at_is_marked_in_all_views(live):
    live.show(SwizzleLab(TALL, Access.ldmatrix(TALL)))
    live.set(step=32)
    stage = live.page.locator(".swz-scene").first
    text = stage.evaluate(
        "(stage) => stage.swzScene().items.find(({ text, fill }) => text === '5' && fill.startsWith('ink.'))"
    )
    stage.hover(position={"x": text["x"], "y": text["y"]})
    live.frames()
    # Two tiles and two times.
    boxes = live.page.evaluate(MARKS)
    assert len(boxes) == 4
    assert "row 5, columns" in live.page.locator(".swz-note").first.inner_text()
    bits = live.page.locator(".swz-scene").nth(1).evaluate("(stage) => stage.swzScene().items.map(({ text }) => text)")
    assert any(str(text).startswith("row 5, column ") for text in bits)
    # And back from a slot of time.
    slot = boxes[2]
    live.page.mouse.move(slot["x"] + slot["width"] / 2, slot["y"] + slot["height"] / 2)
    live.frames()
    assert "for lane 5" in live.page.locator(".swz-note").first.inner_text()
    assert live.page.evaluate(MARKS) == boxes


@pytest.mark.parametrize("make", [lambda: ColumnRead(WIDE, Access.column(WIDE, 3)), lambda: SwizzleLab(WIDE)])
def test_what_is_refused_is_said_by_its_kind(live, make):
    """Fields that collide are no swizzle; a swizzle that leads out of memory is one, and does not fit."""
    told = '() => [...document.querySelectorAll(".swz [aria-live]")].map((region) => region.textContent).join(" ")'
    for change, verdict in (
        ({"bits": 4, "base": 4, "shift": 3}, "is no swizzle"),
        ({"bits": 3, "base": 4, "shift": -14}, "does not fit this tile"),
    ):
        live.show(make())
        live.set(**change)
        name = "Sw<{bits},{base},{shift}>".format(**change)
        assert f"{name} {verdict}: " in live.page.evaluate(told)
        assert f"{name} {verdict}" in live.page.locator(".swz").first.inner_text()


@pytest.mark.parametrize("make", [lambda: ColumnRead(TALL, Access.ldmatrix(TALL), compare=[None]),
                                  lambda: SwizzleLab(TALL, Access.ldmatrix(TALL))])  # fmt: skip
def test_keys_reach_the_slots_of_time(live, make):
    live.show(make())
    live.page.locator(".swz-picture").first.focus()
    note = live.page.locator(".swz-note").first
    for keys, said in (
        (["Shift+ArrowRight"], "wavefront 1 of 32 (matrix 1), bank 0: byte 0 (0x0) for lane 0"),
        (["Shift+ArrowDown"] * 8, "wavefront 9 of 32 (matrix 2), bank 0"),
        (["Shift+ArrowUp"], "wavefront 8 of 32 (matrix 1), bank 0"),
        (["Shift+ArrowDown"] * 25 + ["Shift+ArrowRight"], "wavefront 1 of 4 (matrix 1), bank 4"),
    ):
        for key in keys:
            live.page.keyboard.press(key)
        live.frames()
        assert said in note.inner_text()
        told = live.page.evaluate("() => [...document.querySelectorAll('[aria-live]')].map((one) => one.textContent)")
        assert note.inner_text() in told
        assert live.page.evaluate(MARKS)


def test_words_fall_and_then_stay(live):
    live.show(SwizzleLab(WIDE, Access.column(WIDE, 3)))
    live.set(step=0)
    # Idle banks stand in every row that is done.
    served = (
        "() => document.querySelector('.swz-scene').swzScene().items"
        ".filter(({ kind }) => kind === 'hatch').flatMap(({ rects }) => rects).length"
    )
    assert live.page.evaluate(served) == 0
    live.page.get_by_role("button", name="Step").click()
    live.page.wait_for_function("() => document.querySelectorAll('.swz-flyer').length > 0")
    live.page.wait_for_function("() => document.querySelectorAll('.swz-flyer').length === 0")
    first = live.page.evaluate(served)
    assert first > 0
    live.page.get_by_role("button", name="Step").click()
    live.page.wait_for_function("() => document.querySelectorAll('.swz-flyer').length === 0")
    assert live.page.evaluate(served) >= first


def test_the_page_gives_the_picture_its_colors(live):
    pixel = "() => [...document.querySelector('canvas').getContext('2d').getImageData(1, 1, 1, 1).data]"
    for theme in ("light", "dark"):
        live.show(BankHeatmap(WIDE), theme=theme)
        assert live.page.evaluate(pixel)[3] in (0, 255)
        dark = live.page.evaluate("() => getComputedStyle(document.querySelector('.swz')).getPropertyValue('--dark')")
        assert dark.strip() == ("1" if theme == "dark" else "")
