"""The widgets in every host that can be run here; the table of hosts in notebook 12 names these tests."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import tarfile
import time
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter

from swizzle_widgets import BankHeatmap, Swizzle, Tile
from swizzle_widgets.model.checks import plural
from tests.support.agreement import READ, agree, shown_by_python
from tests.support.lab import LabNotebook, LabServer, Server, executed_notebook

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
SETUP = """from swizzle_widgets import BankHeatmap, Swizzle, Tile
t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
w = BankHeatmap(t)
w"""
TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")

# The same module as in JupyterLab, in a host whose server takes seconds to start.
of_others = pytest.mark.release

KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"

MARIMO = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from swizzle_widgets import BankHeatmap, Swizzle, Tile

    w = mo.ui.anywidget(BankHeatmap(Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")))
    w
    return mo, w


@app.cell
def _(mo, w):
    mo.md(f"B is {w.value['bits']}, so {w.widget.report.wavefronts} wavefronts")
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def executed():
    """A notebook with one widget, run, its state stored."""
    return executed_notebook(SETUP)


def without_state(notebook):
    """The notebook as it is committed: its outputs, and no widget state."""
    return nbformat.from_dict({**notebook, "metadata": {"kernelspec": notebook.metadata.kernelspec}})


@pytest.fixture(scope="module")
def notebook_server(browser, tmp_path_factory):
    server = LabServer(tmp_path_factory.mktemp("notebook7"), "notebook")
    yield server
    server.close()


@pytest.fixture
def start(tmp_path):
    """Return a function that starts a server in a folder of its own."""
    servers = []

    def start_server(command, ready: str) -> Server:
        servers.append(Server(tmp_path, command, ready))
        return servers[-1]

    yield start_server
    for server in servers:
        server.close()


def agrees(page, bits: int) -> bool:
    """Whether picture and verdict are those of B = `bits`, as Python draws and says them."""
    note = page.locator(".swz").evaluate(READ)
    told = " | ".join(note["live"])
    widget = BankHeatmap(TILE.with_swizzle(Swizzle(bits, 4, 3), "byte"))
    if f"Sw<{bits},4,3> in bytes: LDS.U16: {plural(2 ** (3 - bits), 'wavefront')}" not in told:
        return False
    assert "no swizzle: LDS.U16: 8 wavefronts" in told
    agree(note, shown_by_python(widget, {}))
    return True


def await_agreement(page, bits: int) -> None:
    deadline = time.monotonic() + 15
    while not agrees(page, bits):
        assert time.monotonic() < deadline, page.locator(".swz [aria-live]").all_text_contents()
        page.wait_for_timeout(50)


def slide_to(page, bits: int) -> None:
    """Move B from where it is by keys, and wait until the picture and the verdict follow."""
    slider = page.locator(".swz input[data-field=bits]")
    for _ in range(int(slider.input_value()) - bits):
        slider.press("ArrowLeft")
    await_agreement(page, bits)


def assert_alive(page) -> None:
    page.wait_for_selector(".swz .swz-scene canvas", timeout=90_000)
    await_agreement(page, 3)
    slide_to(page, 2)


@pytest.fixture
def in_jupyterlab(lab_server, open_beside):
    return open_beside(lab_server.write("host.ipynb", [SETUP]))


@pytest.fixture
def in_notebook_7(notebook_server, offline_page):
    yield LabNotebook(notebook_server, offline_page, notebook_server.write("host.ipynb", [SETUP]))
    assert offline_page.outside == []


@pytest.mark.parametrize("opened", ["in_jupyterlab", pytest.param("in_notebook_7", marks=of_others)])
def test_live_busy_and_dead_kernel(request, opened):
    """JupyterLab 4 and Notebook 7: picture and trait agree; with a busy or a dead kernel the widget still answers."""
    notebook = request.getfixturevalue(opened)
    page = notebook.page
    notebook.run()
    assert_alive(page)
    assert notebook.value("[w.bits, w.report.wavefronts]") == [2, 2]
    notebook.python("w.tile = w.tile.with_swizzle(Swizzle(3, 4, 3), w.unit)")
    await_agreement(page, 3)

    page.evaluate(f"() => void {KERNEL}.requestExecute({{ code: 'while True: pass' }})")
    page.wait_for_function(f"() => {KERNEL}.status === 'busy'")
    slide_to(page, 2)
    assert page.evaluate(f"() => {KERNEL}.status") == "busy"
    page.evaluate(f"() => {KERNEL}.interrupt()")
    assert notebook.value("w.bits") == 2

    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget.sessionContext.session === null")
    slide_to(page, 1)


def test_untrusted_notebook(lab_server, open_beside, executed):
    for name, notebook in {"with": executed, "without": without_state(executed)}.items():
        nbformat.write(notebook, lab_server.root / f"untrusted_{name}_state.ipynb")
        page = open_beside(f"untrusted_{name}_state.ipynb").page
        picture = page.locator(".jp-OutputArea img:visible")
        picture.wait_for()
        assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") > 400
        assert page.locator(".swz").count() == 0


@of_others
def test_voila(start, offline_page, tmp_path, executed):
    nbformat.write(without_state(executed), tmp_path / "host.ipynb")
    options = ["--no-browser", "--Voila.ip=127.0.0.1", "--preheat_kernel=False"]
    server = start(lambda port: ["voila", "host.ipynb", f"--port={port}", *options], "voila/static/voila.js")
    offline_page.goto(server.url, timeout=120_000)
    assert_alive(offline_page)
    # Voila's own template asks for its icons; the widget asks for nothing.
    assert all("fontawesome" in url for url in offline_page.outside)


@of_others
def test_marimo(start, offline_page, tmp_path):
    (tmp_path / "app.py").write_text(MARIMO)
    options = ["--headless", "--no-token", "--host=127.0.0.1"]
    server = start(lambda port: ["marimo", "-q", "run", "app.py", f"--port={port}", *options], "health")
    offline_page.goto(server.url)
    assert_alive(offline_page)
    offline_page.get_by_text("B is 2, so 2 wavefronts").wait_for()
    assert offline_page.outside == []


def test_saved_page_without_state(offline_page, executed, tmp_path):
    body, _ = HTMLExporter().from_notebook_node(without_state(executed))
    (tmp_path / "saved.html").write_text(body, encoding="utf-8")
    offline_page.goto((tmp_path / "saved.html").as_uri(), wait_until="domcontentloaded")
    picture = offline_page.locator(".jp-OutputArea img, .jp-RenderedImage img")
    assert picture.first.evaluate("(img) => img.decode().then(() => img.naturalWidth)") > 400


def test_saved_page_with_state(offline_page, executed, tmp_path_factory):
    """The three addresses that nbconvert writes into its pages answer with the published packages."""
    folder = tmp_path_factory.mktemp("npm")
    own = "https://saved.test/page.html"
    body, _ = HTMLExporter().from_notebook_node(executed)
    bodies = {own: body}
    for url in re.findall(r'https://[^"\s]*(?:/require\.min\.js|/embed-amd\.js)', body):
        bodies[url] = published(url, folder)
    assert len(bodies) == 3

    def answer(route):
        url = route.request.url
        if re.search(r"/anywidget@[^/]+/dist/index(\.js)?$", url):
            bodies[url] = installed_anywidget()
        kind = "text/html" if url == own else "text/javascript"
        route.fulfill(body=bodies[url], content_type=kind) if url in bodies else route.fallback()

    offline_page.route("**/*", answer)
    offline_page.goto(own, wait_until="domcontentloaded")
    assert_alive(offline_page)
    assert len(bodies) == 4
    # The loader first looks beside the page. What draws formulas and diagrams is not needed here.
    assert [url for url in offline_page.outside if not re.search("mathjax|mermaid|saved.test/anywidget.js", url)] == []


def published(url: str, folder: Path) -> str:
    """Return what a script's address answers, from its npm package."""
    if loader := re.search(r"/require\.js/([\d.]+)/", url):
        return npm_file(f"requirejs@{loader[1]}", "require.js", folder)
    return npm_file(re.search(r"@jupyter-widgets/html-manager@[^/]+", url)[0], "dist/embed-amd.js", folder)


def installed_anywidget() -> str:
    """Return anywidget's own module, which its Python package brings for Notebook and its npm package for pages."""
    files = importlib.metadata.files("anywidget")
    module = next(file for file in files if str(file).endswith("nbextensions/anywidget/index.js"))
    return module.locate().read_text(encoding="utf-8")


def npm_file(package: str, name: str, folder: Path) -> str:
    """Return a file of a published npm package."""
    try:
        packed = subprocess.run(
            [shutil.which("npm") or "npm", "pack", package, "--silent"],
            cwd=folder, check=True, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        reason = f"npm could not fetch {package}: {error}"
        (pytest.fail if os.environ.get("SWIZZLE_REQUIRE_BROWSER") == "1" else pytest.skip)(reason)
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        return archive.extractfile(f"package/{name}").read().decode()


@pytest.mark.parametrize(("cell", "fewest"), [("12-hosts", 10), ("12-keys", 6)])
def test_every_row_of_a_table_of_notebook_12_names_its_test(cell, fewest):
    notebook = nbformat.read(ROOT / "notebooks" / "12_use_it_in_your_own_work.ipynb", as_version=4)
    section = next(each.source for each in notebook.cells if each.id == cell)
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")][2:]
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    assert len(rows) >= fewest
    for where, *_, proof in rows:
        named = re.findall(r"`(test_\w+)`", proof)
        assert named or proof.strip() == "not tested", where
        assert all(f"\ndef {name}(" in tests for name in named), where
