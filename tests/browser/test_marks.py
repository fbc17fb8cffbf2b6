"""SwizzleLab: what is pointed at or focused is marked everywhere; narrow, the result is seen at once."""

from __future__ import annotations

import pytest

from swizzle_widgets import Access, Swizzle, SwizzleLab, Tile
from tests.support.live import LivePage

pytestmark = pytest.mark.browser

TILE = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
# The middles of the frames of a kind, in the scene.
FRAMES = """(kind) => [...document.querySelectorAll(`.swz-lab .swz-marks .${kind}`)].map((frame) => {
    const [box, stage] = [frame, frame.closest('.swz-scene')].map((element) => element.getBoundingClientRect());
    return [box.left - stage.left + box.width / 2, box.top - stage.top + box.height / 2, box.width, box.height];
})"""
# What stands at a point of the first scene: the fill of the topmost rectangle.
FILL = """([x, y]) => document.querySelector('.swz-lab .swz-scene').swzScene().items
    .filter(({ rects }) => rects?.some(([a, b, w, h]) => x > a && x < a + w && y > b && y < b + h))
    .map(({ fill }) => fill).at(-1)"""


@pytest.fixture
def live(browser):
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    live = LivePage(page)
    live.show(SwizzleLab(TILE, Access.ldmatrix(TILE)))
    yield live
    assert live.problems == []
    page.close()


def marks(page, kind: str = "swz-mark") -> list:
    return page.evaluate(FRAMES, kind)


def banks(page) -> list[str]:
    """The fills under the marks: of both tiles, then of time."""
    return [page.evaluate(FILL, mark[:2]) for mark in marks(page)]


def of_word(row: int, col: int) -> list[str]:
    """The banks of an element without and with the swizzle, in the tiles and in time."""
    return [f"bank.{int(tile.banks[row, col])}" for tile in (TILE.with_swizzle(None), TILE)] * 2


def test_a_cell_and_a_slot_of_time_mark_one_word_everywhere(live):
    page = live.page
    # It opens on the first element that the swizzle moves.
    assert banks(page) == of_word(1, 0)
    box = page.locator(".swz-lab .swz-scene").first.bounding_box()
    x, y = marks(page)[0][:2]
    page.mouse.move(box["x"] + x, box["y"] + y + 4 * 12)
    assert banks(page) == of_word(5, 0)
    assert "row 5, columns 0 to 1" in page.locator(".swz-lab .swz-status").inner_text()
    # The slot of time that is marked now marks the same word.
    slot = marks(page)[3]
    page.mouse.move(0, 0)
    assert banks(page) == of_word(1, 0)
    page.mouse.move(box["x"] + slot[0], box["y"] + slot[1])
    assert banks(page) == of_word(5, 0)
    assert "for lane 5" in page.locator(".swz-lab .swz-status").inner_text()


def test_keys_move_the_access_and_the_marks(live):
    page = live.page
    page.locator(".swz-lab [role=application]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("models[0].get('offset') !== 64")
    row, col = divmod(page.evaluate("models[0].get('offset')"), 64)
    page.wait_for_function("document.querySelectorAll('.swz-lab .swz-mark').length === 4")
    assert banks(page) == of_word(row, col)


@pytest.mark.parametrize("way", ["hover", "focus"])
@pytest.mark.parametrize("said", ["bit 7 is 1: it flips bit 4", "bit 4 is 0: bit 7 is 1 and flips it"])
def test_a_bit_frames_what_shares_its_value(live, way, said):
    page = live.page
    button = page.locator(f".swz-lab button[aria-label^='{said[:5]},']")
    getattr(button, way)()
    page.locator(".swz-lab .swz-shared").first.wait_for(state="attached")
    assert page.locator(".swz-lab .swz-status").inner_text().startswith(said)
    # Half of both tiles, 16 rows of 32 words: rows 1, 3, ..., or every second granule of four words.
    cell = [side - 3 for side in marks(page)[0][2:]]
    area = sum(wide * tall for *_, wide, tall in marks(page, "swz-shared"))
    assert area == pytest.approx(2 * 16 * 32 / 2 * cell[0] * cell[1], rel=0.1)
    assert banks(page) == of_word(1, 0)
    page.mouse.move(0, 0)
    button.blur()
    assert marks(page, "swz-shared") == []


def test_narrow_the_result_is_seen_and_more_is_announced(live):
    page = live.page
    page.set_viewport_size({"width": 360, "height": 740})
    results = page.locator(".swz-results button")
    assert results.all_inner_texts() == ["no swizzle: ▲ 32", "Sw<3,4,3>: ✓ 4"]
    sign, area = page.locator(".swz-below"), page.locator(".swz-scroll")
    assert sign.is_visible()
    # Controls and pictures fit the screen.
    assert page.locator(".swz-lab").bounding_box()["height"] <= 740
    results.nth(1).click()
    page.wait_for_function("document.querySelector('.swz-scroll').scrollTop > 300")
    area.evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    sign.wait_for(state="hidden")
