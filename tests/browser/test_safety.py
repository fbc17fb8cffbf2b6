"""Nothing that is data can run: hostile names, hostile saved states, on a static page and in JupyterLab."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from playwright.sync_api import TimeoutError

import swizzle_widgets
from swizzle_widgets import Access, BankHeatmap, Tile, site, widgets
from swizzle_widgets.site.notebook import WIDGET_STATE, WIDGET_VIEW, Block, Page, Section, page_of
from swizzle_widgets.site.pages import COURSE, Site
from swizzle_widgets.site.script import script, style
from tests.support.cells import OUTER
from tests.support.lab import code_notebook, executed_notebook
from tests.support.live import traits

MARKUP = "<img src=x onerror=\"window.hacked='markup'\"><svg onload=\"window.hacked='svg'\">"
SCRIPT = "</script><script>window.hacked='script'</script><!--<script>"
HOSTILE = [
    MARKUP,
    SCRIPT,
    "javascript:window.hacked='url'",
    "1; background: url(https://hostile.test/)",
    "constructor",
    1e308,
    2**53 + 1,
    -(2**53),
    None,
    [MARKUP, [MARKUP], {}],
    {"__proto__": {"hacked": "prototype"}, "constructor": {"prototype": {"hacked": "prototype"}}, "toString": MARKUP},
]
# Also as parts of the values that are dictionaries.
HOSTILE_FIELDS = [MARKUP, 1e308, -1, None, "__proto__"]

SETUP = """from IPython.display import display
from swizzle_widgets import *
t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
ranking = best_swizzles(t, [Access.column(t, 0)])
display(BankHeatmap(t), BitDiagram(t), ColumnRead(t), SwizzleLab(t), SwizzleRanking(ranking))"""
VIEW, STATE = WIDGET_VIEW, WIDGET_STATE

# Each widget shows its state, which its live region then says, or what is wrong with it.
SILENT = """
(selector) => [...document.querySelectorAll(selector)].flatMap((place, index) => {
  const said = [...place.querySelectorAll('[aria-live]')].some((region) => region.textContent.trim());
  const visible = (line) => !line.hidden && line.textContent.trim() && line.getBoundingClientRect().height > 0;
  const refused = [...place.querySelectorAll('.swz-problem, .swz-failed')].some(visible);
  return said || refused ? [] : [`${index}: ${place.textContent.slice(0, 200)}`];
})
"""
HACKED = "() => window.hacked ?? ({}).hacked ?? null"


@pytest.fixture(scope="module")
def saved():
    """A notebook with one widget of each class, run: its state and the ids of its models."""
    return executed_notebook(SETUP)


def models(notebook) -> list[str]:
    return [output.data[VIEW]["model_id"] for output in notebook.cells[0].outputs]


def own_traits(record: dict) -> dict:
    ours = ("layout", "tooltip", "tabbable")
    return {name: value for name, value in record["state"].items() if name[0] != "_" and name not in ours}


def hostile_states(traits: dict) -> list[dict]:
    """The traits with each of them replaced by each hostile value, and each entry of each dictionary, too."""
    states = [{**traits, name: value} for name in traits for value in HOSTILE]
    for name, entries in traits.items():
        if isinstance(entries, dict):
            states += [{**traits, name: {**entries, key: value}} for key in entries for value in HOSTILE_FIELDS]
    states.append(dict.fromkeys(traits, MARKUP))
    return states


@pytest.fixture
def guarded(offline_page):
    """A page that must ask nothing of any other machine."""
    yield offline_page
    assert offline_page.outside == []


@pytest.mark.browser
@pytest.mark.parametrize("name", widgets.__all__)
def test_hostile_states_on_a_static_page(saved, guarded, tmp_path, name):
    shown = page_of(saved, Path("saved.ipynb")).widgets.values()
    traits = next(own_traits(record) for record in shown if record["view"] == name)
    shown = {f"m{at}": {"view": name, "state": state} for at, state in enumerate(hostile_states(traits))}
    shown["m0"]["view"] = "constructor"
    body = "".join(f'<figure class="swz-live" data-models="{model}">picture</figure>' for model in shown)
    sections = [Section("", [Block("text", body), Block("code", "", [], "", exercise="01.1")])]
    page = Page("hostile", MARKUP, SCRIPT, sections, shown, {}, 1, SCRIPT)
    # Its neighbors' titles are as hostile.
    others = [dataclasses.replace(page, name=other) for other in ("before", "after")]
    (tmp_path / "hostile.html").write_text(Site([others[0], page, others[1]], None).page(page), encoding="utf-8")
    (tmp_path / "widgets.js").write_text(script(), encoding="utf-8")
    (tmp_path / "style.css").write_text(style(), encoding="utf-8")
    guarded.goto((tmp_path / "hostile.html").as_uri(), timeout=120_000)
    assert guarded.evaluate(SILENT, "figure.swz-live") == []
    assert guarded.locator("figure.swz-live").count() == len(shown)
    assert guarded.title() == f"{MARKUP} · {COURSE}"
    assert guarded.evaluate(HACKED) is None
    # The first has a class that does not exist: its picture stays.
    assert "picture" in guarded.locator("figure").first.text_content()


@pytest.mark.browser
def test_hostile_outputs_and_text_cannot_run(guarded, tmp_path):
    """Whatever a notebook prints is text; what it gives as HTML or in Markdown may run no script."""
    (tmp_path / "notebooks").mkdir()
    output = f"from IPython.display import HTML\nHTML({SCRIPT[9:] + MARKUP!r})"
    notebook = code_notebook(f"print({MARKUP!r})", f"{SCRIPT!r}", output, opening=f"# {MARKUP}\n\n{MARKUP}")
    nbformat.write(notebook, tmp_path / "notebooks" / "hostile.ipynb")
    site.build(tmp_path / "notebooks", tmp_path / "site")
    refused = []
    guarded.on("console", lambda message: refused.append(message.text))
    for name in ("index", "hostile"):
        guarded.goto((tmp_path / "site" / f"{name}.html").as_uri())
        assert guarded.evaluate(HACKED) is None
    assert any(MARKUP in text for text in guarded.locator(".output > pre").all_text_contents())
    # The markup is there, and the page's own policy is what keeps it from running.
    assert any("Content Security Policy" in text for text in refused)


def restored(open_beside, name: str, count: int) -> list[str]:
    """Open a saved notebook and return what its outputs say if they are not `count` whole widgets.

    ipywidgets restores a saved state once and gives up without a word if that fails, so it is opened up to three times.
    """
    for _ in range(3):
        page = open_beside(name).page
        with contextlib.suppress(TimeoutError):
            # Whole widgets: the parts of a SwizzleLab are cards, too.
            page.wait_for_function(
                f"(n) => document.querySelectorAll('{OUTER}').length === n", arg=count, timeout=40_000
            )
            return []
        said = page.locator(".jp-OutputArea-child").all_text_contents()
    return [text[:200] for text in said] or ["no output"]


@pytest.mark.browser
def test_hostile_states_in_jupyterlab(saved, lab_server, cell, open_beside):
    """In a notebook that the reader trusts, so that its saved state is shown; the kernel knows nothing of it."""
    notebook = copy.deepcopy(saved)
    outputs, states = [], notebook.metadata.widgets[STATE]["state"]
    for model in models(saved):
        record = states[model]
        every = hostile_states(own_traits(record))
        # JupyterLab shows 50 outputs of a cell: nine of each widget, from all traits.
        for at, state in enumerate(every[:: len(every) // 8][:9]):
            states[f"{model}-{at}"] = {**record, "state": {**record["state"], **state}}
            data = {VIEW: {"model_id": f"{model}-{at}", "version_major": 2, "version_minor": 0}, "text/plain": MARKUP}
            outputs.append(nbformat.v4.new_output("display_data", data))
    notebook.cells[0].outputs = outputs
    nbformat.write(notebook, lab_server.root / "hostile.ipynb")
    NotebookNotary(data_dir=str(lab_server.root / "data")).sign(nbformat.read(lab_server.root / "hostile.ipynb", 4))
    assert restored(open_beside, "hostile.ipynb", len(outputs)) == []
    assert cell.page.evaluate(SILENT, ".jp-OutputArea-child") == []
    assert cell.page.evaluate(HACKED) is None


@pytest.mark.browser
def test_an_untrusted_notebook_runs_none_of_its_outputs_and_shows_no_widget(saved, lab_server, open_beside):
    """JupyterLab does run the module of a saved state, trusted or not, once it is open; notebook 12 warns of it."""
    notebook = copy.deepcopy(saved)
    for record in notebook.metadata.widgets[STATE]["state"].values():
        if "_esm" in record["state"]:
            record["state"]["_esm"] = "window.restored = true; export default { render() {} }"
    for output in notebook.cells[0].outputs:
        output.data["text/html"] = MARKUP + SCRIPT[9:]
    nbformat.write(notebook, lab_server.root / "untrusted_hostile.ipynb")
    page = open_beside("untrusted_hostile.ipynb").page
    page.locator(".jp-OutputArea-output:visible").first.wait_for()
    page.wait_for_function("() => window.restored")
    assert page.evaluate(HACKED) is None
    assert page.locator(".swz").count() == 0


@pytest.mark.browser
def test_a_name_is_shown_as_it_is_written(guarded, tmp_path):
    tile = Tile(8, 64, "f16")
    widget = BankHeatmap(tile, access=Access.offsets(tile, [0, 64, 128], name=MARKUP))
    record = {"state": {**traits(widget), "_anywidget_id": widget._anywidget_id}}
    notebook = code_notebook("BankHeatmap(t)", opening="# A")
    data = {VIEW: {"model_id": "m", "version_major": 2, "version_minor": 0}, "text/plain": repr(widget)}
    notebook.cells[-1].outputs = [nbformat.v4.new_output("display_data", data)]
    notebook.metadata["widgets"] = {STATE: {"state": {"m": record}}}
    page = page_of(notebook, Path("named.ipynb"))
    (tmp_path / "named.html").write_text(Site([page], None).page(page), encoding="utf-8")
    guarded.goto((tmp_path / "named.html").as_uri())
    # Without its script the page shows the sentence, which holds the name.
    assert guarded.locator("figcaption").text_content() == repr(widget)
    assert MARKUP in repr(widget)
    (tmp_path / "widgets.js").write_text(script(), encoding="utf-8")
    guarded.reload()
    assert guarded.locator(".swz select option").first.text_content() == MARKUP
    assert guarded.evaluate(HACKED) is None
    assert widget.png().startswith(b"\x89PNG")


FORBIDDEN = {
    "markup from text": r"(?:inner|outer|Adjacent)HTML|document\.write|createContextualFragment|DOMParser|srcdoc",
    "code from text": r"\beval\b|new Function|\bFunction\(|set(?:Timeout|Interval)\(\s*[\"'`]",
    "a request": r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|@import|url\(",
    "an address": r"https?://(?!www\.w3\.org/2000/svg)",
}


def test_no_source_makes_markup_or_code_from_text_or_asks_the_network():
    room = Path(swizzle_widgets.__file__).parent
    sources = [file for file in room.rglob("*") if file.suffix in (".js", ".css")]
    # Those of the widgets, of their models and views, and of the site.
    assert {"widgets", "site"} == {file.relative_to(room).parts[0] for file in sources}
    assert len(sources) >= 40
    for file in sources:
        text = file.read_text(encoding="utf-8")
        for what, pattern in FORBIDDEN.items():
            assert not re.search(pattern, text), f"{file.name}: {what}"
