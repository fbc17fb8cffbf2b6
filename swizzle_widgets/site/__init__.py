"""The course as a folder of pages: widgets alive, no server, no kernel, no network.

`python -m swizzle_widgets.site notebooks site` runs each notebook and writes one page for each. A page holds
the state of its widgets; `widgets.js` beside it holds their code. Nothing is fetched from elsewhere, so the
pages also open from a disk.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

import nbformat
from latex2mathml.converter import convert as mathml
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from pygments.formatters import HtmlFormatter

from ..widgets.assets import file_text, module_text

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
HERE = Path(__file__).parent
COURSE = "GPU shared memory, seen"

_MATH = re.compile(r"(`+)(?:.|\n)*?\1|\$\$(?P<block>[^$]+)\$\$|\$(?P<inline>[^$\n]+)\$")
_NOTEBOOK_LINK = re.compile(r"\]\((?P<name>[\w-]+)\.ipynb(?P<anchor>#[^)]*)?\)")


@dataclass(frozen=True)
class Page:
    """One notebook as a page.

    Attributes
    ----------
    name : str
        The file's name without its ending.
    title, summary : str
        The first heading and the first paragraph, as plain text.
    body : str
        The cells as HTML.
    widgets : dict
        The state of each live widget by its model's id: {"view": class name, "state": traits}.
    """

    name: str
    title: str
    summary: str
    body: str
    widgets: dict


def build(notebooks: Path, out: Path) -> list[Page]:
    """Run every notebook of a folder and write the site.

    Parameters
    ----------
    notebooks : Path
        A folder of .ipynb files; their order is that of their names.
    out : Path
        The folder to write; it is made if missing. Files of the same names are replaced.

    Returns
    -------
    list of Page

    Raises
    ------
    ValueError
        If the folder has no notebooks.
    """
    paths = sorted(notebooks.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"{notebooks} has no notebooks")
    pages = [read_page(path) for path in paths]
    out.mkdir(parents=True, exist_ok=True)
    (out / "widgets.js").write_text(script(), encoding="utf-8")
    (out / "style.css").write_text(style(), encoding="utf-8")
    for at, page in enumerate(pages):
        before, after = pages[at - 1] if at else None, pages[at + 1] if at + 1 < len(pages) else None
        (out / f"{page.name}.html").write_text(html(page, before, after), encoding="utf-8")
    (out / "index.html").write_text(index(pages), encoding="utf-8")
    return pages


def read_page(path: Path) -> Page:
    """Run one notebook and return its page."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    states = notebook.metadata.pop("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    exporter = HTMLExporter(template_name="basic", preprocessors=[_LiveOutputs(states=states), _LocalText()])
    body, _ = exporter.from_notebook_node(notebook)
    title, summary = _opening(notebook)
    return Page(path.stem, title, summary, body, {key: _traits(states[key]) for key in _shown(notebook, states)})


def script() -> str:
    """Return the code of all widgets as one classic script, which also runs from a disk."""
    views = ("bank_heatmap.js", "bit_diagram.js", "column_read.js", "swizzle_lab.js")
    text = module_text("model.js", "card.js", *views, "page.js")
    return f"(() => {{\n{text}}})();\n"


def style() -> str:
    """Return the style sheet of the pages, widgets and code included."""
    code = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    return "\n".join(
        [
            (HERE / "page.css").read_text(),
            code,
            f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
            file_text("style.css"),
        ]
    )


def html(page: Page, before: Page | None, after: Page | None) -> str:
    """Return a page with its navigation."""
    links = [_link("index", "All notebooks")]
    links += [_link(before.name, f"← {before.title}")] if before else []
    links += [_link(after.name, f"{after.title} →")] if after else []
    navigation = f'<nav aria-label="Course">{"".join(links)}</nav>'
    state = json.dumps(page.widgets).replace("</", "<\\/")
    body = f"{navigation}<main>{page.body}</main>{navigation}"
    body += f'<script type="application/json" id="widget-states">{state}</script><script src="widgets.js"></script>'
    return _document(f"{page.title} · {COURSE}", page.summary, body)


def index(pages: list[Page]) -> str:
    """Return the list of all pages."""
    items = "".join(f"<li>{_link(page.name, page.title)}<p>{escape(page.summary)}</p></li>" for page in pages)
    return _document(
        COURSE, "Bank conflicts and CuTe's Swizzle, in live pictures", f"<main><h1>{COURSE}</h1><ol>{items}</ol></main>"
    )


class _LiveOutputs(Preprocessor):
    """Puts a place for the live widget where its view was; without JavaScript the picture and the sentence stay."""

    def __init__(self, states: dict):
        super().__init__(enabled=True)
        self.states = states

    def preprocess_cell(self, cell, resources, index):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            model = data.pop(WIDGET_VIEW, {}).get("model_id")
            if model in self.states and _view(self.states[model]):
                text, picture = escape(data.pop("text/plain", "")), data.pop("image/png", "")
                picture = f'<img alt="{text}" src="data:image/png;base64,{picture.strip()}">' if picture else text
                data["text/html"] = f'<div class="swz-live" data-model="{escape(model)}">{picture}</div>'
        return cell, resources


class _LocalText(Preprocessor):
    """Makes Markdown independent of the network: formulas become MathML, links to notebooks links to pages."""

    def __init__(self):
        super().__init__(enabled=True)

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "markdown":
            cell.source = _NOTEBOOK_LINK.sub(r"](\g<name>.html\g<anchor>)", _MATH.sub(_formula, cell.source))
        return cell, resources


def _formula(match: re.Match) -> str:
    block, inline = match["block"], match["inline"]
    if block is None and inline is None:
        return match[0]
    return mathml(block or inline, display="block" if block else "inline")


def _view(record: dict) -> str | None:
    """The class of a widget of ours, None for any other."""
    package, _, name = record["state"].get("_anywidget_id", "").rpartition(".")
    return name if package.startswith(__package__.partition(".")[0]) else None


def _traits(record: dict) -> dict:
    state = {name: value for name, value in record["state"].items() if not name.startswith("_")}
    return {"view": _view(record), "state": state}


def _shown(notebook, states: dict) -> list[str]:
    """The models of our widgets that some output shows."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    models = (output.get("data", {}).get(WIDGET_VIEW, {}).get("model_id") for output in outputs)
    return [model for model in models if model in states and _view(states[model])]


def _opening(notebook) -> tuple[str, str]:
    text = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    blocks = [block.strip() for block in text.split("\n\n") if block.strip()]
    title = next((block.lstrip("# ") for block in blocks if block.startswith("#")), "Notebook").splitlines()[0]
    summary = next((block for block in blocks if block[0] not in "#!|-"), "")
    return title, re.sub(r"[*`_\[\]]|\(.*?\.ipynb\)", "", " ".join(summary.split()))


def _link(name: str, text: str) -> str:
    return f'<a href="{escape(name)}.html">{escape(text)}</a>'


def _document(title: str, summary: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><meta name="description" content="{escape(summary)}">'
        f'<link rel="stylesheet" href="style.css"></head><body>{body}</body></html>\n'
    )
