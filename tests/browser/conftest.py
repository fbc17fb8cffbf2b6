"""Fixtures of the tests that need a browser."""

from __future__ import annotations

import re

import pytest

from tests.support.cells import SETUP, WidgetCell
from tests.support.lab import LabNotebook, LabServer

OUTSIDE = re.compile(r"^(https?|wss?)://(?!127\.0\.0\.1[:/])")


@pytest.fixture(scope="session")
def lab_server(browser, tmp_path_factory):
    """One JupyterLab for all tests; each opens notebooks of its own."""
    server = LabServer(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture
def offline_page(browser):
    """A page of its own that only reaches this machine; `outside` collects what it wanted from elsewhere."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    page = context.new_page()
    page.outside = []

    def refuse(route):
        page.outside.append(route.request.url)
        route.abort()

    context.route(OUTSIDE, refuse)
    yield page
    context.close()


@pytest.fixture(scope="session")
def cell(lab_server, browser):
    """A cell of one notebook that many tests share: `show` puts another widget into it."""
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    # Nothing that is shown may ask any other machine.
    page.on("request", lambda request: problems.append(request.url) if OUTSIDE.match(request.url) else None)
    notebook = LabNotebook(lab_server, page, lab_server.write("cells.ipynb", [SETUP, ""]))
    notebook.python(SETUP)
    yield WidgetCell(notebook)
    page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    page.close()
    assert not problems


@pytest.fixture
def open_beside(cell, lab_server):
    """Return a function that opens another notebook of `lab_server` on the page of `cell`, whose widgets are closed.

    A notebook that it opened before is closed.
    """
    opened = []

    def open_notebook(name: str) -> LabNotebook:
        close()
        opened.append(LabNotebook(lab_server, cell.page, name))
        return opened[-1]

    def close():
        while opened:
            opened.pop().close()

    cell.show("", views=0)
    yield open_notebook
    close()
