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


def cell(page, text: str, nth: int = 0) -> dict:
    """Where a number of the map stands on the page."""
    return page.evaluate(
        """([text, nth]) => {
            const stage = document.querySelector('.swz-map .swz-scene');
            const items = stage.swzScene().items.filter((item) => item.kind === 'text' && item.text === text);
            const box = stage.getBoundingClientRect();
            return { x: box.left + items[nth].x, y: box.top + items[nth].y };
        }""",
        [text, nth],
    )


def costs(page, text: str) -> None:
    page.wait_for_function(f'document.querySelector(".swz-count").textContent === "{text}"')


def test_the_good_ones_stand_first_with_their_time(page):
    names = page.locator(".swz-way").evaluate_all("(ways) => ways.map((way) => way.ariaLabel ?? way.title)")
    assert len(names) == 6
    assert names[0].startswith("Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes")
    drawn = page.locator(".swz-way .swz-scene").evaluate_all(
        "(stages) => stages.map((stage) => stage.swzScene().items.filter((i) => i.fill?.startsWith('bank')).length)"
    )
    assert all(count >= 32 for count in drawn)


def test_a_click_chooses_a_cell(page):
    page.locator("button.swz-way", has_text="").last.click()
    assert page.locator(".swz-way.swz-chosen").count() == 1
    first = chosen(page)
    page.mouse.click(**cell(page, "36"))
    page.wait_for_function("(first) => `${models[0].get('bits')}${models[0].get('base')}` !== first", arg="33")
    assert chosen(page) != first


def test_keys_walk_over_the_cells(page):
    page.locator(".swz-map").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("models[0].get('shift') === 4")
    assert chosen(page) == (3, 3, 4, "element")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("models[0].get('shift') === 3")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("models[0].get('base') === 4")
    assert chosen(page) == (3, 4, 3, "element")


def test_negative_shifts_and_hopeless_rows_are_folded(page):
    shown = "() => document.querySelector('.swz-map .swz-scene').swzScene().items.length"
    few = page.evaluate(shown)
    page.get_by_label("S < 0").check()
    page.wait_for_function(f"(few) => ({shown})() > 2 * few", arg=few)


def test_the_unit_rewrites_m(page):
    page.get_by_role("radio", name="bytes").check()
    page.wait_for_function("models[0].get('unit') === 'byte'")
    assert chosen(page) == (3, 4, 3, "byte")
    assert page.locator("[aria-live]").inner_text() == page.locator(".swz-verdict .swz-detail").inner_text()


def test_another_search_is_drawn_anew(page):
    # The one before has a copy by cp.async, which pays for lines.
    costs(page, "8 wavefronts and lines")
    tile = Tile(32, 32, "f32")
    other = SwizzleRanking(best_swizzles(tile, [Access.column(tile, width=16)]))
    page.evaluate("(state) => models[0].set(state)", traits(other))
    costs(page, "4 wavefronts")
    drawn = page.evaluate("document.querySelector('.swz-map .swz-scene').swzScene().items.map((item) => item.text)")
    assert drawn[drawn.index("the ideal") - 1] == "4"
    # What is no search is said, and the picture stays.
    page.evaluate("models[0].set('best', [[[9, 9, 9], 'none']])")
    page.locator(".swz-problem", has_text="best must hold").wait_for()
    assert page.locator(".swz-way").count() == len(other.best)
