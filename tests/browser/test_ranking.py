"""SwizzleRanking in a browser: mouse, keys and unit switch choose a swizzle, and the traits follow."""

from __future__ import annotations

import pytest

from swizzle_widgets import Access, SwizzleRanking, Tile, best_swizzles
from tests.support.live import LivePage, traits

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser):
    tile = Tile(64, 64, "f16")
    page = browser.new_page()
    live = LivePage(page)
    live.show(SwizzleRanking(best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)])))
    yield page
    assert live.problems == []
    page.close()


def chosen(page) -> tuple:
    return tuple(page.evaluate('["bits", "base", "shift", "unit"].map((name) => models[0].get(name))'))


def test_a_click_chooses_a_cell(page):
    page.locator(".swz-way", has_text="Sw<2,3,3> in f16").click()
    page.wait_for_function('document.querySelector(".swz-count").textContent === "12 wavefronts"')
    assert chosen(page) == (2, 3, 3, "element")
    assert "ldmatrix.x4, corner (0, 0) takes 8 instead of 4" in page.locator(".swz-verdict").inner_text()


def test_keys_walk_over_the_cells(page):
    page.locator(".swz-ranks", has_text="B = 3").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function('document.querySelector(".swz-count").textContent === "12 wavefronts"')
    assert chosen(page) == (3, 3, 4, "element")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function('document.querySelector(".swz-count").textContent === "36 wavefronts"')
    assert chosen(page) == (3, 3, -3, "element")


def test_the_unit_rewrites_m(page):
    page.get_by_label("bytes").check()
    page.wait_for_function("models[0].get('unit') === 'byte'")
    assert chosen(page) == (3, 4, 3, "byte")
    page.locator(".swz-best button").last.click()
    page.wait_for_function('document.querySelector(".swz-count").textContent === "12 wavefronts"')
    assert chosen(page) == (2, 5, 2, "byte")
    assert page.locator("[aria-live]").inner_text() == page.locator(".swz-verdict .swz-detail").inner_text()


def test_another_search_is_drawn_anew(page):
    tile = Tile(32, 32, "f32")
    other = SwizzleRanking(best_swizzles(tile, [Access.column(tile, width=16)]))
    page.evaluate("(state) => models[0].set(state)", traits(other))
    page.wait_for_function('document.querySelector(".swz-count").textContent === "4 wavefronts"')
    assert "4 is the ideal" in page.locator(".swz-note").first.inner_text()
    assert page.locator(".swz-way").count() == sum(bits > 0 for bits, *_ in other.ways)
    # What is no search is said, and the picture stays.
    page.evaluate("models[0].set('best', [[[9, 9, 9], 'none']])")
    page.locator(".swz-problem", has_text="best must hold").wait_for()
    assert page.locator(".swz-way").count() == sum(bits > 0 for bits, *_ in other.ways)
