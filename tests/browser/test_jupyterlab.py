"""The widgets in a real JupyterLab: picture, verdict and Python trait agree, also while the kernel is busy."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

SETUP = """
from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.widgets import BankHeatmap
t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
"""


def slide(page, field: str, value: int) -> None:
    """Drag a B, M or S slider to a value with the mouse."""
    slider = page.locator(f".swz input[data-field={field}]").first
    low, high = int(slider.get_attribute("min")), int(slider.get_attribute("max"))
    box = slider.bounding_box()
    thumb = 16
    place = lambda number: box["x"] + thumb / 2 + (box["width"] - thumb) * (number - low) / (high - low)  # noqa: E731
    page.mouse.move(place(int(slider.input_value())), box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(place(value), box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    assert slider.input_value() == str(value)


def frames(page, count: int = 3) -> None:
    """Wait until the browser has painted a few frames."""
    page.evaluate(
        "(n) => new Promise((done) => { const f = () => (n-- ? requestAnimationFrame(f) : done()); f(); })", count
    )


def heatmap_counts(page) -> list[str]:
    return page.locator(".swz .swz-count").all_text_contents()


def swizzled_column(page) -> list[str]:
    """The bank numbers in the framed cells of the swizzled picture."""
    return page.locator(".swz-grid").nth(1).locator(".swz-touched text").all_text_contents()


def test_heatmap_slider_picture_verdict_and_trait_agree(open_notebook):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t, access=Access.column(t, 0)); w")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    assert heatmap_counts(page) == ["8 wavefronts", "1 wavefront"]
    assert swizzled_column(page) == [str(4 * row) for row in range(8)]

    slide(page, "bits", 1)
    frames(page)
    assert heatmap_counts(page) == ["8 wavefronts", "4 wavefronts"]
    assert swizzled_column(page) == ["0", "4"] * 4
    assert notebook.value("[w.bits, w.base, w.shift, w.report.wavefronts]") == [1, 4, 3, 4]
    assert notebook.value("w.tile.banks[:, 0].tolist()") == [0, 4] * 4


def test_heatmap_keyboard_moves_slider_and_access(open_notebook):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t, access=Access.ldmatrix(t, num=1)); w")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    page.locator(".swz input[data-field=bits]").focus()
    page.keyboard.press("ArrowLeft")
    frames(page)
    assert heatmap_counts(page)[1] == "2 wavefronts"
    assert notebook.value("w.bits") == 2
    page.locator(".swz-grid").first.focus()
    page.keyboard.press("ArrowRight")
    frames(page)
    # 16-byte rows begin at multiples of eight halves: the arrow jumps over the places between.
    assert notebook.value("w.access['col']") == 8


def test_illegal_swizzle_keeps_the_picture_and_says_why(open_notebook):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t); w")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    before = swizzled_column(page)
    slide(page, "bits", 5)
    frames(page)
    problem = page.locator(".swz-problem")
    assert problem.is_visible()
    assert "|S| must be at least B" in problem.text_content()
    assert swizzled_column(page) == before
    assert notebook.value("w.bits") == 3
    slide(page, "shift", 5)
    frames(page)
    assert not problem.is_visible()
    assert notebook.value("[w.bits, w.base, w.shift]") == [5, 4, 5]


def test_heatmap_answers_while_the_kernel_is_busy(open_notebook):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t); w", "pass")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    page.evaluate(
        """() => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const code = 'import time; time.sleep(4); done = w.bits';
            window.busy = kernel.requestExecute({ code, store_history: false });
            window.busyDone = false;
            window.busy.done.then(() => (window.busyDone = true));
        }"""
    )
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
    )
    slide(page, "bits", 2)
    frames(page)
    assert heatmap_counts(page)[1] == "2 wavefronts"
    assert not page.evaluate("() => window.busyDone")
    page.wait_for_function("() => window.busyDone", timeout=15_000)
    # The cell that slept still saw the old value; the trait follows when the kernel is free again.
    assert notebook.value("[done, w.bits]") == [3, 2]


def test_python_moves_the_picture(open_notebook):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t); w")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    notebook.python("w.swizzle = Swizzle(5, 2, 5)")
    page.wait_for_function("() => document.querySelector('.swz-spelled').textContent.includes('Sw<5,2,5>')")
    frames(page)
    assert heatmap_counts(page)[1] == "1 wavefront"
    notebook.python("w.access = Access.row(t, 2)")
    page.wait_for_function("() => document.querySelectorAll('.swz-count')[0].textContent === '1 wavefront'")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_both_themes(open_notebook, theme):
    notebook = open_notebook(SETUP, "w = BankHeatmap(t); w")
    page = notebook.page
    page.wait_for_selector(".swz-count")
    notebook.set_theme(theme)
    ink, paper = page.evaluate(
        """() => {
            const { color, backgroundColor } = getComputedStyle(document.querySelector('.swz'));
            return [color, backgroundColor];
        }"""
    )
    brightness = lambda color: sum(map(int, color.strip("rgba()").split(",")[:3]))  # noqa: E731
    assert abs(brightness(ink) - brightness(paper)) > 400
