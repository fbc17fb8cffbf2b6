"""One open notebook whose last cell shows one widget after the other, for the tests of a module."""

from __future__ import annotations

import time

from tests.support.agreement import READ, agree, shown_by_python
from tests.support.lab import LabNotebook
from tests.support.live import frames, traits

SETUP = """
import ipywidgets
from swizzle_widgets import Access, BankHeatmap, BitDiagram, ColumnRead, Swizzle, SwizzleLab, Tile
from swizzle_widgets.widgets.base import TileWidget
t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
"""


# A widget of its own, shown beside others, reaches the front end's models, as other code on the page would.
REACH = """
import anywidget
reach = anywidget.AnyWidget(_esm="export default { render({ model }) { globalThis.reached = model.widget_manager; } }")
"""
PATIENCE_S = 10


class WidgetCell:
    """The last cell of a notebook in JupyterLab.

    Parameters
    ----------
    notebook : LabNotebook
        Its first cell has run `SETUP`.
    """

    def __init__(self, notebook: LabNotebook):
        self.notebook, self.page = notebook, notebook.page
        self.python, self.value = notebook.python, notebook.value

    def show(self, source: str, views: int = 1) -> None:
        """Run `source` in the cell and wait until its widgets are drawn; those of before are closed.

        Its names start from `SETUP`, whatever the test before it has made of them.
        """
        self.python(f"ipywidgets.Widget.close_all()\n{SETUP}")
        self.run(source, views)
        if views:
            self.page.locator(OUTER).first.scroll_into_view_if_needed()
            frames(self.page)

    def run(self, source: str, views: int = 0) -> None:
        """Run `source` in the notebook's last cell and wait until so many views are on the page."""
        self.page.evaluate(
            """async (source) => {
                const { content } = window.jupyterapp.shell.currentWidget;
                content.activeCellIndex = content.widgets.length - 1;
                content.activeCell.model.sharedModel.setSource(source);
                await window.jupyterapp.commands.execute('notebook:run-cell');
            }""",
            source,
        )
        self.wait(f"[...document.querySelectorAll('{OUTER}')].filter((card) => card.offsetWidth).length === {views}")

    def wait(self, condition: str, timeout: int = 15_000) -> None:
        """Wait until a JavaScript expression is true."""
        self.page.wait_for_function(f"() => {condition}", timeout=timeout)

    def reached(self, name: str) -> str:
        """Wait until REACH, which stands beside the widget `name`, is there; return that widget's model id."""
        self.wait("globalThis.reached")
        return self.value(f"{name}.model_id")

    def become(self, expression: str, expected) -> None:
        """Wait until a Python expression in the kernel has the expected value."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.value(expression)) != expected:
            assert time.monotonic() < deadline, f"{expression} is {found}, not {expected}"

    def keep_busy(self) -> None:
        """Let the kernel sleep until the test has looked; `released` wakes it."""
        self.page.evaluate(
            """() => {
                const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
                const code = 'import time; from pathlib import Path\\nwhile not Path("go").exists(): time.sleep(0.02)';
                window.busyDone = false;
                kernel.requestExecute({ code, store_history: false }).done.then(() => (window.busyDone = true));
            }"""
        )
        self.wait("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'")

    def release(self, root) -> None:
        """Wake the kernel that `keep_busy` put to sleep."""
        assert not self.page.evaluate("() => window.busyDone")
        (root / "go").touch()
        self.wait("window.busyDone")
        (root / "go").unlink()

    def read(self, view: int = 0) -> dict:
        """What a view of the widget shows."""
        frames(self.page)
        return self.page.locator(OUTER).nth(view).evaluate(READ)

    def agree(self, fresh, view: int = 0) -> dict:
        """Check that picture, verdict and the traits of `w` in the kernel agree; return the traits.

        `fresh` makes a widget of the same class here, which computes what the traits mean. The front end sends
        one change at a time and waits for the kernel in between, so the traits may be a few answers behind.
        """
        names = list(traits(fresh()))
        deadline = time.monotonic() + PATIENCE_S
        while True:
            state = self.value(f"w.get_state({names})")
            try:
                agree(self.read(view), shown_by_python(fresh(), state))
                return state
            except AssertionError:
                if time.monotonic() > deadline:
                    raise


# A card that is not part of another.
OUTER = ".swz:not(.swz .swz)"


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
