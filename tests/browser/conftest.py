"""Fixtures of the tests that need a browser."""

from __future__ import annotations

import re

import pytest

from tests.support.cells import SETUP, WidgetCell
from tests.support.lab import LabNotebook, LabServer


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

    context.route(re.compile(r"^https?://(?!127\.0\.0\.1[:/])"), refuse)
    yield page
    context.close()


@pytest.fixture
def open_notebook(lab_server, browser, request):
    """Return a function that opens cells as a notebook in JupyterLab and runs them."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))

    def open_and_run(*cells: str) -> LabNotebook:
        name = lab_server.write(
            f"{request.node.name.replace('/', '_')}.ipynb".replace("[", "-").replace("]", ""), list(cells)
        )
        notebook = LabNotebook(lab_server, page, name)
        notebook.run()
        return notebook

    yield open_and_run
    # Its own kernel alone: others may serve the cell that many tests share.
    page.evaluate("() => window.jupyterapp?.shell.currentWidget?.sessionContext.shutdown()")
    page.close()
    assert not problems


@pytest.fixture(scope="session")
def cell(lab_server, browser):
    """A cell of one notebook that many tests share: `show` puts another widget into it."""
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    notebook = LabNotebook(lab_server, page, lab_server.write("cells.ipynb", [SETUP, ""]))
    notebook.python(SETUP)
    yield WidgetCell(notebook)
    page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    page.close()
    assert not problems
