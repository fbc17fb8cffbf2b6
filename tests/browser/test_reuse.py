"""The widgets in other people's notebooks: linked, shown twice, in tabs, by the dozen, closed."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import pytest

from swizzle_widgets import ColumnRead, Swizzle, Tile
from tests.support.agreement import READ, agree, shown_by_python
from tests.support.cells import OUTER, REACH, slide
from tests.support.live import LivePage, frames
from tests.support.states import WIDGETS

pytestmark = pytest.mark.browser

TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
HEATMAP = WIDGETS["BankHeatmap"]
# Of each widget as many.
TWENTY = "ws = [(BankHeatmap, BitDiagram, ColumnRead, SwizzleLab)[i % 4](tile=t) for i in range(20)]"


# --- Links -------------------------------------------------------------------------------------


def test_sliders_linked_in_the_browser_may_pass_through_illegal_moments(cell):
    cell.show("""w = BankHeatmap(t)
sliders = {name: ipywidgets.IntSlider(getattr(w, name), 0, 5, description=name) for name in ("bits", "shift")}
links = [ipywidgets.jslink((slider, "value"), (w, name)) for name, slider in sliders.items()]
ipywidgets.VBox([*sliders.values(), w])""")
    handle = cell.page.locator(".noUi-handle")
    handle.nth(0).focus()
    for _ in range(2):
        cell.page.keyboard.press("ArrowRight")
    cell.wait("document.querySelector('.swz-problem').textContent.startsWith('shift (S) = 3 is too short for bits')")
    assert cell.read()["stale"]
    # Python has the same moment, says the same, and raises nowhere.
    assert cell.python("print(w.bits, '|', w)").startswith("5 | BankHeatmap: shift (S) = 3 is too short")
    handle.nth(1).focus()
    for _ in range(2):
        cell.page.keyboard.press("ArrowRight")
    cell.wait("document.querySelector('.swz-spelled').textContent.startsWith('Sw<5,4,5>')")
    assert cell.agree(HEATMAP)["shift"] == 5
    # And back: the widget moves the slider.
    slide(cell.page, "bits", 1)
    cell.become("[w.bits, sliders['bits'].value]", [1, 1])
    cell.agree(HEATMAP)


def test_tiles_of_two_widgets_linked_in_the_browser(cell):
    """B, M and S pass from page to page without a kernel; then Python's tile is the same in both."""
    cell.show(
        """w, other = BankHeatmap(t), BankHeatmap(t)
links = [ipywidgets.jslink((w, name), (other, name)) for name in ("bits", "base", "shift")]
seen = []
other.observe(lambda change: seen.append(str(change.new.swizzle)), "tile")
ipywidgets.VBox([w, other])""",
        views=2,
    )
    for field, value, spelled in (("bits", 2, "Sw<2,4,3>"), ("base", 3, "Sw<2,3,3>"), ("shift", 4, "Sw<2,3,4>")):
        slide(cell.page, field, value)
        cell.wait(f"document.querySelectorAll('.swz-spelled')[1].textContent.startsWith('{spelled}')")
        cell.become("[str(w.tile.swizzle), str(other.tile.swizzle), seen[-1]]", [spelled] * 3)
    assert cell.value("w.tile == other.tile and other.tile == t.with_swizzle(Swizzle(2, 3, 4), 'byte')")
    cell.agree(HEATMAP, view=1)
    # And from Python to both.
    cell.python("other.tile = t")
    cell.wait("document.querySelectorAll('.swz-spelled')[0].textContent.startsWith('Sw<3,4,3>')")
    cell.become("w.tile == t", True)
    cell.agree(HEATMAP)


def test_linked_in_the_kernel(cell):
    source = """w = BankHeatmap(t)
other = BitDiagram(t)
slider = ipywidgets.IntSlider(3, 0, 3)
links = [ipywidgets.link((w, "bits"), end) for end in ((other, "bits"), (slider, "value"))]
costs = []
w.observe(lambda change: costs.append(w.report.wavefronts), names=["bits"])
ipywidgets.VBox([slider, w, other])"""
    cell.show(source, views=2)
    slide(cell.page, "bits", 2)
    cell.wait("document.querySelectorAll('.swz-spelled')[1].textContent.startsWith('Sw<2,4,3>')")
    assert cell.agree(HEATMAP)["bits"] == 2
    cell.become("[slider.value, other.bits, costs[-1]]", [2, 2, 2])
    cell.python("slider.value = 1")
    cell.wait("document.querySelectorAll('.swz-spelled')[1].textContent.startsWith('Sw<1,4,3>')")
    assert cell.agree(HEATMAP)["bits"] == 1


# --- More than one view ------------------------------------------------------------------------


def test_two_views_move_together_and_play_at_one_speed(cell):
    source = """w = ColumnRead(t, speed=8)
steps = []
w.observe(lambda change: steps.append(change.new), names=["step"])
display(w, ipywidgets.VBox([w, reach]))"""
    cell.show(REACH + source, views=2)
    slide(cell.page, "bits", 1)
    for view in range(2):
        assert cell.agree(WIDGETS["ColumnRead"], view)["bits"] == 1
    cell.page.evaluate(
        """async (id) => {
            globalThis.turns = [];
            (await reached.get_model(id)).on('change:step', () => turns.push(performance.now()));
        }""",
        cell.reached("w"),
    )
    cell.page.get_by_role("button", name="Play", exact=True).nth(1).click()
    cell.wait(
        "turns.length && [...document.querySelectorAll('.swz-play')].every((button) => button.textContent === 'Play')"
    )
    for view in range(2):
        assert cell.agree(WIDGETS["ColumnRead"], view)["step"] == 8
    turns = cell.page.evaluate("() => turns")
    # It stood at the end, so it began anew.
    # A step takes 125 ms, less half a frame, or longer; two views do not halve it.
    assert len(turns) == 9
    assert min(after - before for before, after in pairwise(turns)) > 100
    # The front end may leave steps out while the kernel is slow, but two views never take two at once or go back.
    steps = cell.value("steps")
    assert steps == sorted(set(steps))


def test_shown_again_after_a_change(cell):
    cell.show("w = BankHeatmap(t); w")
    slide(cell.page, "bits", 2)
    cell.agree(HEATMAP)
    cell.page.evaluate("() => window.jupyterapp.commands.execute('notebook:insert-cell-below')")
    cell.run("w", views=2)
    for view in range(2):
        assert cell.agree(HEATMAP, view)["bits"] == 2
    cell.page.evaluate("() => window.jupyterapp.commands.execute('notebook:delete-cell')")


def test_a_copied_cell_is_another_view(cell):
    cell.show("w = BankHeatmap(t); w")
    for command in ("copy-cell", "paste-cell-below"):
        cell.page.evaluate("(name) => window.jupyterapp.commands.execute(`notebook:${name}`)", command)
    cell.wait(f"document.querySelectorAll('{OUTER}').length === 2")
    slide(cell.page, "bits", 2)
    for view in range(2):
        assert cell.agree(HEATMAP, view)["bits"] == 2
    cell.page.evaluate("() => window.jupyterapp.commands.execute('notebook:delete-cell')")


# --- Inside other widgets ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["BankHeatmap", "ColumnRead", "SwizzleLab"])
@pytest.mark.parametrize("box", ["Tab", pytest.param("Accordion", marks=pytest.mark.release)])
def test_drawn_when_its_tab_opens(cell, box, name):
    cell.show(f"w = {name}(tile=t)\nbox = ipywidgets.{box}([ipywidgets.HTML('first'), ipywidgets.VBox([w])])\n"
              "box.selected_index = 0\nbox", views=0)  # fmt: skip
    cell.python("w.bits = 2\nbox.selected_index = 1")
    cell.wait(f"document.querySelector('{OUTER}')?.offsetWidth > 300")
    assert cell.agree(WIDGETS[name])["bits"] == 2
    # The pictures have the card's size again, and no text is cut for want of room.
    for scene in cell.read()["scenes"]:
        assert scene["width"] > 300
        assert all("…" not in item["text"] for item in scene["items"] if item["kind"] == "text")


# --- Leaving nothing behind --------------------------------------------------------------------

COUNT = """
const watched = new Set();
globalThis.watching = () => watched.size;
const { observe, disconnect } = ResizeObserver.prototype;
ResizeObserver.prototype.observe = function (...target) { watched.add(this); return observe.apply(this, target); };
ResizeObserver.prototype.disconnect = function () { watched.delete(this); return disconnect.apply(this); };
const asked = new Set();
globalThis.pending = () => asked.size;
const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis;
globalThis.requestAnimationFrame = (work) => {
  const id = request((time) => { asked.delete(id); work(time); });
  asked.add(id);
  return id;
};
globalThis.cancelAnimationFrame = (id) => { asked.delete(id); cancel(id); };
"""


def held(page) -> dict:
    """What the page still holds of what was made in it, once its garbage is collected."""
    frames(page)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    metrics = {item["name"]: item["value"] for item in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    counted = {name: metrics[name] for name in ("Nodes", "JSEventListeners")}
    return {**counted, "observers": page.evaluate("() => watching()"), "frames": page.evaluate("() => pending()")}


def test_closed_views_leave_nothing(browser):
    page = browser.new_page()
    page.add_init_script(COUNT)
    live = LivePage(page)
    kinds = list(WIDGETS.values())
    live.show()
    before = held(page)
    live.mount(
        *(kinds[index % len(kinds)]() for index in range(18)),
        *(ColumnRead(TILE, playing=True, loop=True) for _ in range(2)),
    )
    # Asked in the same task as the change, before a frame can answer it.
    page.evaluate("() => { models.forEach((model) => model.set('bits', 2)); globalThis.busy = pending(); }")
    assert page.evaluate("() => models.every((model) => model.listening) && watching() && busy")
    alive = held(page)
    page.evaluate("() => cleanups.forEach((cleanup) => cleanup())")
    assert page.evaluate("() => models.some((model) => model.listening)") is False
    page.evaluate("() => { document.querySelector('main').replaceChildren(); models = []; cleanups = []; }")
    # Less than one widget's share of twenty; a collection may need another turn while animations end.
    small = {name: (alive[name] - before[name]) / 20 for name in ("Nodes", "JSEventListeners")}
    for _ in range(20):
        after = held(page)
        left = {name: after[name] - before[name] for name in small}
        if (after["observers"], after["frames"]) == (0, 0) and all(left[name] < small[name] for name in small):
            break
    page.close()
    assert (after["observers"], after["frames"]) == (0, 0)
    assert all(left[name] < small[name] for name in small), (left, small)
    assert not live.problems


def test_twenty_widgets_in_a_notebook_are_let_go(cell):
    cell.page.evaluate(COUNT)
    before = held(cell.page)
    cell.show(f"import gc, weakref\n{TWENTY}\ndisplay(ipywidgets.VBox(ws))", views=20)
    cell.python("for w in ws: w.bits = 2")
    told = "(line) => line.textContent.startsWith('Sw<2,4,3>')"
    cell.wait(f"[...document.querySelectorAll('.swz-spelled')].every({told})")
    assert held(cell.page)["observers"] > before["observers"]
    cell.python("gone = [weakref.ref(w) for w in ws]; ipywidgets.Widget.close_all()")
    cell.wait("!document.querySelector('.swz')")
    cell.run("del w, ws; gc.collect()")
    after = held(cell.page)
    # JupyterLab itself keeps the nodes of closed views, also those of ipywidgets.HTML; ours do nothing any more.
    assert after["observers"] == before["observers"]
    assert after["frames"] <= before["frames"]
    assert cell.value("sum(reference() is not None for reference in gone)") == 0


def test_the_kernel_lets_a_closed_widget_go():
    gone = []
    for make in WIDGETS.values():
        widget = make()
        widget.observe(lambda change: None, names=["bits"])
        gone.append(weakref.ref(widget))
        widget.close()
        del widget
    gc.collect()
    assert [reference() for reference in gone] == [None] * len(gone)


def test_close_takes_the_views_away(cell):
    cell.show("w = ColumnRead(t, playing=True, loop=True)\ndisplay(w, w)", views=2)
    cell.python("w.close()")
    cell.wait("!document.querySelector('.swz')")


def test_the_picture_outlives_its_kernel(open_beside, lab_server):
    tile = "from swizzle_widgets import *\nt = Tile(8, 64, 'f16', swizzle=Swizzle(3, 4, 3), unit='byte')"
    notebook = open_beside(lab_server.write("outlives.ipynb", [tile, "ColumnRead(t)"]))
    notebook.run()
    page = notebook.page
    page.wait_for_selector(".swz-scene canvas")
    # The kernel has answered what the page itself asked of it.
    assert notebook.value("1") == 1
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    slide(page, "bits", 2)
    page.get_by_role("button", name="Reset", exact=True).click()
    page.get_by_role("button", name="Step", exact=True).click()
    # What falls has landed.
    page.wait_for_function("() => !document.querySelector('.swz').getAnimations({ subtree: true }).length")
    frames(page)
    widget = ColumnRead(TILE)
    agree(page.locator(".swz").evaluate(READ), shown_by_python(widget, {"bits": 2, "step": 1}))
    assert (widget.bits, widget.step) == (2, 1)
    # Run again, it is a new widget in its first state.
    notebook.run()
    told = "document.querySelector('.swz [aria-live]').textContent"
    page.wait_for_function(
        f"() => document.querySelectorAll('.swz').length === 1 && {told}.includes('Sw<3,4,3> in bytes: done')"
    )
    agree(page.locator(".swz").evaluate(READ), shown_by_python(ColumnRead(TILE), {}))
