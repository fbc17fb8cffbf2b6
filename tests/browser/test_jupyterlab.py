"""The widgets in a real JupyterLab: picture, verdict and Python trait agree, also while the kernel is busy."""

from __future__ import annotations

import json
import random
import re

import pytest

from tests.support.agreement import agree, shown_by_python
from tests.support.cells import OUTER, REACH, slide
from tests.support.live import frames, traits
from tests.support.states import WIDGETS, next_change

pytestmark = pytest.mark.browser

MAKE = {
    "BankHeatmap": "w = BankHeatmap(t)",
    "BitDiagram": "w = BitDiagram(t, row=5)",
    "ColumnRead": "w = ColumnRead(t)",
    "SwizzleLab": "w = SwizzleLab(t)",
}


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        frames(page)


def column_35(page) -> tuple[float, float]:
    """Where column 35 stands in row 0 of the first panel, right of lane 0, as the line above the picture says."""
    stage = page.locator(".swz-scene").first
    lane = stage.evaluate(
        """(stage) => stage.swzScene().items
            .find(({ kind, text, fill }) => kind === 'text' && text === '0' && fill.startsWith('ink.'))"""
    )
    box = stage.bounding_box()
    x, y = box["x"] + lane["x"], box["y"] + lane["y"]
    while x < box["x"] + box["width"]:
        page.mouse.move(x, y)
        if re.search("row 0, column(s 34 to)? 35:", page.locator(".swz-note").first.inner_text()):
            return x, y
        x += 4
    raise AssertionError("column 35 is nowhere in row 0")


@pytest.mark.parametrize("name", MAKE)
def test_drag_a_slider(cell, name):
    cell.show(f"{MAKE[name]}; w")
    assert cell.agree(WIDGETS[name])["bits"] == 3
    slide(cell.page, "bits", 1)
    assert cell.agree(WIDGETS[name])["bits"] == 1
    slide(cell.page, "base", 2)
    slide(cell.page, "shift", 5)
    state = cell.agree(WIDGETS[name])
    assert [state[trait] for trait in ("bits", "base", "shift")] == [1, 2, 5]


@pytest.mark.parametrize("name", MAKE)
def test_keyboard(cell, name):
    cell.show(f"{MAKE[name]}; w")
    page = cell.page
    page.locator(".swz input[data-field=bits]").focus()
    press(page, "ArrowLeft")
    assert cell.agree(WIDGETS[name])["bits"] == 2
    page.get_by_label("f16 elements", exact=True).focus()
    press(page, "Space")
    state = cell.agree(WIDGETS[name])
    assert (state["unit"], state["base"]) == ("element", 3)
    # Letters and arrows are not JupyterLab's shortcuts in here: the cell is still there, and was not left.
    press(page, "d", "d", "x", "ArrowDown")
    assert cell.page.locator(OUTER).count() == 1


def test_heatmap_moves_its_access(cell):
    cell.show("w = BankHeatmap(t, access=Access.ldmatrix(t, num=1)); w")
    page = cell.page
    page.get_by_role("application", name="tile").focus()
    press(page, "ArrowRight")
    # 16-byte rows begin at multiples of eight halves: the arrow jumps over the places between.
    assert cell.agree(WIDGETS["BankHeatmap"])["access"]["col"] == 8
    page.mouse.click(*column_35(page))
    assert cell.agree(WIDGETS["BankHeatmap"])["access"]["col"] == 32
    menu = page.locator(".swz select")
    # Two matrices, one below the other, do not fit into eight rows: the menu does not offer them.
    assert "ldmatrix.x2" not in menu.locator("option").all_text_contents()
    menu.select_option("row, 16 bytes a lane")
    assert cell.agree(WIDGETS["BankHeatmap"])["access"]["pattern"] == "row"


@pytest.mark.parametrize("name", ["BitDiagram", "SwizzleLab"])
def test_click_a_bit(cell, name):
    cell.show(f"{MAKE[name]}; w")
    before = cell.agree(WIDGETS[name])["offset"]
    cell.page.get_by_role("button", name="bit 8, source").click()
    # Bit 8 of the byte is bit 7 of a half's offset.
    assert cell.agree(WIDGETS[name])["offset"] == before ^ 128
    if name == "BitDiagram":
        cell.page.get_by_label("column", exact=True).fill("9")
        assert cell.agree(WIDGETS[name])["offset"] == (before ^ 128) + 9


@pytest.mark.parametrize("name", ["ColumnRead", "SwizzleLab"])
def test_step_and_play(cell, name):
    cell.show(f"{MAKE[name]}; w")
    page = cell.page
    button = lambda text: page.get_by_role("button", name=text, exact=True)  # noqa: E731
    # It opens with the finished picture.
    assert cell.agree(WIDGETS[name])["step"] is None
    page.get_by_role("application").focus()
    press(page, "Home")
    assert cell.agree(WIDGETS[name])["step"] == 0
    for _ in range(3):
        button("Step").click()
    assert cell.agree(WIDGETS[name])["step"] == 3
    button("Back").click()
    assert cell.agree(WIDGETS[name])["step"] == 2
    cell.python("w.speed = 8")
    cell.become("w.speed", 8)
    button("Play").click()
    cell.wait("document.querySelector('.swz-play').textContent === 'Pause'")
    # It stops by itself at the end, in the browser and in Python.
    cell.wait("document.querySelector('.swz-play').textContent === 'Play'")
    state = cell.agree(WIDGETS[name])
    assert (state["step"], state["playing"]) == (8, False)
    if name == "ColumnRead":
        button("Reset").click()
    else:
        page.get_by_role("application").focus()
        press(page, "Home")
    assert cell.agree(WIDGETS[name])["step"] == 0


def test_illegal_swizzle_blanks_its_panel_and_says_why(cell):
    cell.show("w = BankHeatmap(t); w")
    start = cell.agree(WIDGETS["BankHeatmap"])
    before = cell.read()
    slide(cell.page, "bits", 5)
    note = cell.read()
    assert "shift (S) = 3 is too short for bits (B) = 5" in note["problems"][0]
    assert note["stale"]
    # The card keeps its height, the panel without a swizzle its verdict; the other has none, and says what is asked.
    assert note["height"] == before["height"]
    assert note["live"][0].startswith("no swizzle: LDS.U16: 8 wavefronts")
    assert note["live"][0] in before["live"][0]
    assert "Sw<3,4,3>" in before["live"][0]
    assert "Sw<3,4,3>" not in note["live"][0]
    words = [item["text"] for item in note["scenes"][0]["items"] if item["kind"] == "text"]
    assert any("Sw<5,4,3>" in word for word in words)
    # Python says the same, and keeps the last legal tile.
    cell.become("w.bits", 5)
    assert cell.value("w.problem") == note["problems"][0]
    assert cell.value("w.tile == t")
    slide(cell.page, "shift", 5)
    state = cell.agree(WIDGETS["BankHeatmap"])
    assert [state[trait] for trait in ("bits", "base", "shift")] == [5, 4, 5]
    assert cell.value("w.problem") == ""
    assert state["tile"] == start["tile"]


@pytest.mark.parametrize("name", MAKE)
def test_answers_while_the_kernel_is_busy(cell, lab_server, name):
    cell.show(f"{MAKE[name]}; w")
    before = cell.agree(WIDGETS[name])
    cell.keep_busy()
    slide(cell.page, "bits", 2)
    browser_alone = cell.read()
    cell.release(lab_server.root)
    # What the browser showed alone is what Python says once it is free again and the trait has followed.
    state = cell.agree(WIDGETS[name])
    assert (before["bits"], state["bits"]) == (3, 2)
    assert cell.read() == browser_alone


WATCH_PROBLEMS = """
() => {
    window.problems = [];
    const shown = ({ target }) => target.matches('.swz-problem') && !target.hidden;
    const note = (list) => problems.push(...list.filter(shown).map(({ target }) => target.textContent));
    new MutationObserver(note).observe(document.body, { subtree: true, attributes: true });
}
"""


@pytest.mark.parametrize("name", MAKE)
def test_python_moves_the_picture(cell, name):
    cell.show(f"{MAKE[name]}; w")
    cell.python("w.tile = w.tile.with_swizzle(Swizzle(5, 2, 5), w.unit)")
    cell.wait("document.querySelector('.swz-spelled').textContent.includes('Sw<5,2,5>')")
    cell.agree(WIDGETS[name])
    cell.python("w.recast('element')")
    cell.wait("document.querySelector('.swz-spelled').textContent.startsWith('Sw<5,1,5> in f16 elements')")
    cell.agree(WIDGETS[name])
    cell.python("w.tile = Tile(16, 32, 'f16', swizzle=Swizzle(2, 4, 3), unit='byte')")
    cell.wait("document.querySelector('.swz-spelled').textContent.startsWith('Sw<2,4,3> in bytes')")
    cell.agree(WIDGETS[name])
    # Tile and access change together; the browser never shows one without the other.
    cell.page.evaluate(WATCH_PROBLEMS)
    cell.python("w.tile = Tile(8, 32, 'f32', swizzle=Swizzle(2, 4, 2), unit='byte')")
    cell.wait("document.querySelector('.swz-spelled').textContent.startsWith('Sw<2,4,2> in bytes')")
    cell.agree(WIDGETS[name])
    assert cell.page.evaluate("() => window.problems") == []
    # Refused in Python: nothing moves.
    assert "too short" in cell.python("w.bits = 5")
    assert cell.agree(WIDGETS[name])["bits"] == 2


# Sets traits in the front end, as `cell.page` sees them, and returns the state it then has.
SET = """
async ({ id, change }) => {
  const model = await reached.get_model(id);
  model.set(change);
  model.save_changes();
  await new Promise(requestAnimationFrame);
  // JSON would make null of what is no number.
  const kept = (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value);
  return JSON.stringify(model.get_state(), kept);
}
"""


@pytest.mark.parametrize("name", MAKE)
def test_random_states_from_both_sides(cell, name):
    rng, fresh = random.Random(name), WIDGETS[name]
    cell.show(f"{REACH}\n{MAKE[name]}\nipywidgets.VBox([w, reach])")
    cell.python("from math import inf, nan\nfrom swizzle_widgets.widgets.wire import spec_tile")
    start, model = traits(fresh()), cell.reached("w")
    # From Python, which takes what is legal and refuses the rest.
    for trait, value in next_change(rng, fresh()).items():
        told = f"spec_tile({value!r})" if trait == "tile" else repr(value)
        cell.python(f"w.{trait} = {told}")
    cell.agree(fresh)
    # From the front end, which shows what is legal and says what is wrong with the rest.
    state = json.loads(cell.page.evaluate(SET, {"id": model, "change": next_change(rng, fresh())}))
    agree(cell.read(), shown_by_python(fresh(), {trait: state[trait] for trait in start}))
    # A legal state heals both.
    cell.page.evaluate(SET, {"id": model, "change": start})
    assert cell.agree(fresh) == start


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_both_themes(cell, theme):
    cell.show("w = SwizzleLab(t); w")
    cell.notebook.set_theme(theme)
    ink, paper = cell.page.evaluate(
        """() => {
            const { color, backgroundColor } = getComputedStyle(document.querySelector('.swz'));
            return [color, backgroundColor];
        }"""
    )
    brightness = lambda color: sum(map(int, color.strip("rgba()").split(",")[:3]))  # noqa: E731
    assert abs(brightness(ink) - brightness(paper)) > 400
    cell.agree(WIDGETS["SwizzleLab"])
