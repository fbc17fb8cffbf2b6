"""From a key on a slider to the new picture on the screen, beside the ways people use now, in one run.

These are measurements, not limits: the table is printed (pytest -s, or -rP), and the test asserts only
that each way really drew each new picture.
"""

from __future__ import annotations

import statistics

import pytest

pytestmark = pytest.mark.browser

PRESSES = 15

# The clock starts at the key event; it stops in the first task after the frame that shows the changed picture.
# Our widgets change it inside a frame, which is painted at once; what a kernel's message changes waits for the next.
WATCH = """
({ slider, picture, insideFrame }) => {
    window.stopWatching?.();
    window.paints = [];
    let pressed = null;
    const handle = document.querySelector(slider);
    const onkey = (event) => (pressed = event.timeStamp);
    handle.addEventListener('keydown', onkey, true);
    const changed = () => {
        if (pressed === null) return;
        const start = pressed;
        pressed = null;
        const stop = () => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => window.paints.push(performance.now() - start);
            channel.port2.postMessage(null);
        };
        insideFrame ? stop() : requestAnimationFrame(stop);
    };
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    const watcher = new MutationObserver((list) => list.some((item) => item.target.tagName !== 'OUTPUT') && changed());
    watcher.observe(document.querySelector(picture), options);
    window.stopWatching = () => {
        handle.removeEventListener('keydown', onkey, true);
        watcher.disconnect();
    };
}
"""

OURS = """
from swizzle_widgets import BankHeatmap, Swizzle, Tile
t = Tile({rows}, {cols}, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
w = BankHeatmap(t)
w
"""

# The same two pictures the way a notebook without this package would do it.
INTERACT = """
import ipywidgets, matplotlib.pyplot as plt, numpy as np
rows, cols = {rows}, {cols}
def picture(bits=3):
    x = 2 * (np.arange(rows)[:, None] * cols + np.arange(cols))
    figure, axes = plt.subplots(2, 1, figsize=(10, 4))
    for axis, y in zip(axes, (x, x ^ ((x >> 7 & (1 << bits) - 1) << 4))):
        banks = y // 4 % 32
        axis.imshow(banks, cmap="tab20", aspect="auto")
        if rows * cols <= 2048:
            for (r, c), bank in np.ndenumerate(banks):
                axis.text(c, r, str(bank), ha="center", va="center", fontsize=5)
    plt.show()
ipywidgets.interact(picture, bits=(0, 3));
"""

BUSY = "import time; time.sleep(12)"


def paints(page, slider: str, picture: str, inside_frame: bool) -> list[float]:
    """Press an arrow key back and forth and return the milliseconds from each key to its picture."""
    page.evaluate(WATCH, {"slider": slider, "picture": picture, "insideFrame": inside_frame})
    page.locator(slider).first.focus()
    for press in range(PRESSES):
        page.keyboard.press("ArrowLeft" if press % 2 == 0 else "ArrowRight")
        page.wait_for_function("(n) => window.paints.length >= n", arg=press + 1, timeout=30_000)
    return page.evaluate("() => window.paints")


@pytest.mark.parametrize(("rows", "cols"), [(8, 64), (32, 32), (128, 64), (128, 128)])
def test_slider_to_paint(open_notebook, capsys, rows, cols):
    size = {"rows": rows, "cols": cols}
    notebook = open_notebook(OURS.format(**size))
    page = notebook.page
    page.wait_for_selector(".swz-count")
    slider, picture = ".swz input[data-field=bits]", ".swz-panels"
    table = {"BankHeatmap, kernel idle": paints(page, slider, picture, True)}

    page.evaluate(
        """(code) => {
            window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code });
        }""",
        BUSY,
    )
    table["BankHeatmap, kernel busy"] = paints(page, slider, picture, True)

    notebook = open_notebook(INTERACT.format(**size))
    page.wait_for_selector(".jp-OutputArea img")
    handle = ".widget-inline-hbox .noUi-handle"
    table["interact and matplotlib, kernel idle"] = paints(page, handle, ".jp-OutputArea", False)

    with capsys.disabled():
        print(f"\nslider event to paint, {rows}x{cols} f16, {PRESSES} key presses, milliseconds")
        for way, times in table.items():
            assert len(times) == PRESSES
            print(f"  {way:40} median {statistics.median(times):7.1f}   worst {max(times):7.1f}")
