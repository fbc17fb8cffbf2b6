"""From a key on a slider to the new picture on the screen, beside the ways people use now, in one run.

These are measurements, not limits: the tables are printed (pytest -s, or -rP), and the tests assert only
that each way really drew each new picture.
"""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.release]

# Even, so that back and forth ends where it began; enough that a few slow first ones do not move the median.
PRESSES = 32
# The other ways take up to two seconds for each.
FEW_PRESSES = 3
FRAME_MS = 1000 / 60
SIZES = [(8, 64), (32, 32), (128, 64), (128, 128)]

# The clock starts at the key event; it stops in the first task after the frame that shows the changed picture.
WATCH = """
({ slider, picture, image }) => {
    window.stopWatching?.();
    window.paints = [];
    let pressed = null;
    let seen = image && document.querySelector(image).src;
    const handle = document.querySelector(slider);
    const onkey = (event) => (pressed = event.timeStamp);
    handle.addEventListener('keydown', onkey, true);
    const changed = () => {
        if (pressed === null) return;
        const start = pressed;
        pressed = null;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => window.paints.push(performance.now() - start);
            channel.port2.postMessage(null);
        });
    };
    // An output area also changes where no new picture has come.
    const another = () => {
        const source = document.querySelector(image)?.src;
        if (!source || source === seen) return false;
        seen = source;
        return true;
    };
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    const watcher = new MutationObserver(() => (!image || another()) && changed());
    // Our pictures are canvases: no element of the page changes when they are painted.
    const { clearRect } = CanvasRenderingContext2D.prototype;
    if (picture !== 'canvas') watcher.observe(document.querySelector(picture), options);
    else
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
            changed();
            return clearRect.apply(this, box);
        };
    window.stopWatching = () => {
        handle.removeEventListener('keydown', onkey, true);
        watcher.disconnect();
        CanvasRenderingContext2D.prototype.clearRect = clearRect;
    };
}
"""

TILE = 'tile = Tile({rows}, {cols}, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")\n'
SEARCH = """from swizzle_widgets import SwizzleRanking, best_swizzles
plain = Tile({rows}, {cols}, "f16")
SwizzleRanking(best_swizzles(plain, [Access.column(plain, width=16)]))"""
SLIDER = ".swz input[data-field=bits]"
BACK_AND_FORTH = ("ArrowLeft", "ArrowRight")
# What is shown, and what takes the keys; the picture is a canvas.
OURS = {
    "BankHeatmap": (TILE + "BankHeatmap(tile)", SLIDER),
    "BitDiagram": (TILE + "BitDiagram(tile, row=5, col=0)", SLIDER),
    "ColumnRead": (TILE + "ColumnRead(tile)", SLIDER),
    "SwizzleLab": (TILE + "SwizzleLab(tile)", SLIDER),
    "SwizzleRanking": (SEARCH, ".swz-map"),
}

# The same two pictures the way a notebook without this package would do it.
BANKS = """
import ipywidgets, numpy as np
rows, cols = {rows}, {cols}
x = 2 * (np.arange(rows)[:, None] * cols + np.arange(cols))
def banks(bits):
    return [y // 4 % 32 for y in (x, x ^ ((x >> 7 & (1 << bits) - 1) << 4))]
"""
INTERACT = (
    BANKS
    + """
import matplotlib.pyplot as plt
def picture(bits=3):
    figure, axes = plt.subplots(2, 1, figsize=(10, 4))
    for axis, numbers in zip(axes, banks(bits)):
        axis.imshow(numbers, cmap="tab20", aspect="auto")
        for (r, c), bank in np.ndenumerate(numbers):
            axis.text(c, r, str(bank), ha="center", va="center", fontsize=5)
    plt.show()
ipywidgets.interact(picture, bits=(0, 3));
"""
)
HTML = (
    BANKS
    + """
colors = [f"hsl({{11 * bank}} 60% 70%)" for bank in range(32)]
def svg(numbers):
    cells = "".join(
        f'<rect x="{{14 * c}}" y="{{17 * r}}" width="13" height="16" fill="{{colors[b]}}"/>'
        f'<text x="{{14 * c + 7}}" y="{{17 * r + 12}}" font-size="9" text-anchor="middle">{{b}}</text>'
        for (r, c), b in np.ndenumerate(numbers)
    )
    return f'<svg viewBox="0 0 {{14 * cols}} {{17 * rows}}" width="{{14 * cols}}">{{cells}}</svg>'
html = ipywidgets.HTML("".join(map(svg, banks(3))))
slider = ipywidgets.IntSlider(3, 0, 3)
slider.observe(lambda change: setattr(html, "value", "".join(map(svg, banks(change.new)))), names=["value"])
ipywidgets.VBox([slider, html])
"""
)


IDLE = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"


def paints(
    page,
    slider: str,
    picture: str,
    before: str = "true",
    presses: int = PRESSES,
    image: str | None = None,
    keys: tuple[str, str] = BACK_AND_FORTH,
) -> list[float]:
    """Press an arrow key back and forth and return the milliseconds from each key to its picture.

    `image` is a selector of an image that must get another source, where that is the picture.
    """
    page.evaluate(WATCH, {"slider": slider, "picture": picture, "image": image})
    page.locator(slider).first.focus()
    for press in range(presses):
        # A kernel that still draws the last value may leave out the next one.
        page.wait_for_function(f"() => {before}")
        # A reader's keys come at any moment of a frame; without this, all would come right after one.
        page.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", FRAME_MS * press / presses)
        page.keyboard.press(keys[press % 2])
        page.wait_for_function("(n) => window.paints.length >= n", arg=press + 1, timeout=30_000)
    times = page.evaluate("() => window.paints")
    assert len(times) == presses
    return times


def row(way: str, times: list[float]) -> str:
    return f"  {way:44} median {statistics.median(times):7.1f}   worst {max(times):7.1f}"


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_slider_to_paint(cell, lab_server, capsys, rows, cols):
    lines = [f"\nslider event to paint, {rows}x{cols} f16, milliseconds"]
    for name, (source, slider) in OURS.items():
        # The best swizzle of a ranking may stand at the left or the right end of its map, with others above it.
        keys = ("ArrowUp", "ArrowDown") if name == "SwizzleRanking" else BACK_AND_FORTH
        cell.show(source.format(rows=rows, cols=cols))
        lines.append(row(f"{name}, kernel idle", paints(cell.page, slider, "canvas", keys=keys)))
        cell.keep_busy()
        lines.append(row(f"{name}, kernel busy", paints(cell.page, slider, "canvas", keys=keys)))
        cell.release(lab_server.root)
    # Beyond, a matplotlib picture with numbers takes many seconds.
    if rows * cols <= 1024:
        cell.run(INTERACT.format(rows=rows, cols=cols))
        cell.page.wait_for_selector(".widget-interact img")
        handle = ".widget-inline-hbox .noUi-handle"
        lines.append(
            row(
                "interact and matplotlib, kernel idle",
                paints(cell.page, handle, ".widget-interact", IDLE, FEW_PRESSES, ".widget-interact img"),
            )
        )
        cell.run(HTML.format(rows=rows, cols=cols))
        cell.page.wait_for_selector(".widget-html svg")
        lines.append(
            row("ipywidgets.HTML, kernel idle", paints(cell.page, ".noUi-handle", ".widget-html", IDLE, FEW_PRESSES))
        )
    with capsys.disabled():
        print("\n".join(lines))


# Notes the time of every frame while the animation plays.
FRAMES = """
() => {
    window.times = [];
    window.playing = true;
    const note = (time) => {
        times.push(time);
        if (playing) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}
"""


@pytest.mark.parametrize(("rows", "cols"), [(8, 64), (32, 32), (128, 128)])
def test_frames_of_the_animation(cell, capsys, rows, cols):
    tile = TILE.format(rows=rows, cols=cols)
    cell.show(f"{tile}w = ColumnRead(tile, speed=8)\nw")
    cell.page.evaluate(FRAMES)
    cell.page.get_by_role("button", name="Play", exact=True).click()
    cell.become("w.step == w.last_step and not w.playing", True)
    times = cell.page.evaluate("() => (playing = false, times)")
    gaps = [after - before for before, after in pairwise(times)]
    dropped = sum(round(gap / FRAME_MS) - 1 for gap in gaps if gap > 1.5 * FRAME_MS)
    with capsys.disabled():
        print(f"\nColumnRead playing, {rows}x{cols} f16: {len(gaps)} frames, {dropped} dropped")
