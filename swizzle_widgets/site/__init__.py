"""The course as a folder of pages: widgets alive, no server, no kernel, no network.

`python -m swizzle_widgets.site notebooks site` runs each notebook and writes one page for each. A page holds
the state of its widgets; `widgets.js` beside it holds their code. Nothing is fetched from elsewhere, and the
pages tell the browser to refuse it; so they also open from a disk.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

import nbformat
from jinja2 import pass_context
from latex2mathml.converter import convert as mathml
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import ExtractOutputPreprocessor, Preprocessor
from pygments.formatters import HtmlFormatter

from ..widgets import __all__ as WIDGETS
from ..widgets.generated import module_text, style_text

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
COURSE = "GPU shared memory, seen"
SUMMARY = (
    "Bank conflicts in GPU shared memory and CuTe's Swizzle<B,M,S> in interactive pictures: "
    "what a request costs, why a column is slow, how XOR repairs it."
)
# What a page may load: what lies beside it. No script in its text, no request to anywhere. On a disk some
# browsers know no "self", hence "file:".
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)
DESCRIPTION_LENGTH = 160

_EXERCISE = re.compile(r"^check\(", re.MULTILINE)
_NOTEBOOK = re.compile(r"(?P<name>[\w-]+)\.ipynb(?P<anchor>#.*)?")


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
    pictures : dict
        The bytes of each picture by its file's name in the site.
    exercises : bool
        Whether the notebook has any.
    """

    name: str
    title: str
    summary: str
    body: str
    widgets: dict
    pictures: dict
    exercises: bool


def build(notebooks: Path, out: Path, binder: str | None = None) -> list[Page]:
    """Run every notebook of a folder and write the site.

    Parameters
    ----------
    notebooks : Path
        A folder of .ipynb files; their order is that of their names.
    out : Path
        The folder to write; it is made if missing. Files of the same names are replaced.
    binder : str, optional
        "organization/repository/tag" on GitHub, where Binder finds the notebooks; the pages then link to it.

    Returns
    -------
    list of Page

    Raises
    ------
    ValueError
        If the folder has no notebooks, or `binder` has not three parts.
    """
    paths = sorted(notebooks.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"{notebooks} has no notebooks")
    if binder is not None and not re.fullmatch(r"[\w.-]+/[\w.-]+/[\w.-]+", binder):
        raise ValueError(f"binder = {binder!r} must be organization/repository/tag")
    pages = [read_page(path) for path in paths]
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    (out / "widgets.js").write_text(script(), encoding="utf-8")
    (out / "style.css").write_text(style(), encoding="utf-8")
    for at, page in enumerate(pages):
        before, after = pages[at - 1] if at else None, pages[at + 1] if at + 1 < len(pages) else None
        (out / f"{page.name}.html").write_text(html(page, before, after, binder), encoding="utf-8")
        for name, data in page.pictures.items():
            (out / name).write_bytes(data)
    (out / "index.html").write_text(index(pages), encoding="utf-8")
    return pages


def read_page(path: Path) -> Page:
    """Run one notebook and return its page."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    options = {"extra_arguments": ["--log-level=ERROR"], "coalesce_streams": True}
    NotebookClient(notebook, timeout=120, resources=folder, **options).execute()
    states = notebook.metadata.pop("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    title, summary = _opening(notebook)
    live = _Live(states)
    exporter = _Exporter(template_name="basic", preprocessors=[ExtractOutputPreprocessor(enabled=True), live])
    resources = {**folder, "unique_key": path.stem, "output_files_dir": "pictures"}
    body, resources = exporter.from_notebook_node(notebook, resources)
    widgets = {model: {"view": _view(states[model]), "state": _traits(states[model])} for model in live.shown}
    return Page(path.stem, title, summary, body, widgets, resources["outputs"], live.exercises)


def script() -> str:
    """Return the code of all widgets as one classic script, which also runs from a disk."""
    return module_text("page.js")


def style() -> str:
    """Return the style sheet of the pages, widgets and code included."""
    code, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    own = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    return "\n".join([code, f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}", style_text(), own])


def html(page: Page, before: Page | None, after: Page | None, binder: str | None = None) -> str:
    """Return a page with its navigation."""
    links = [f'<a href="index.html">{escape(COURSE)}</a>']
    links += [f'<a href="{before.name}.html" rel="prev">← {escape(before.title)}</a>'] if before else []
    links += [f'<a href="{after.name}.html" rel="next">{escape(after.title)} →</a>'] if after else []
    top, bottom = (f'<nav aria-label="{place}">{"".join(links)}</nav>' for place in ("Course", "Course, again"))
    answering = _answering(page.name, binder) if page.exercises else ""
    # As JSON, "<" may be written so everywhere; then nothing in a state can end the element or open a comment.
    state = json.dumps(page.widgets, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    data = f'<script type="application/json" id="widget-states">{state}</script><script src="widgets.js"></script>'
    body = f"{top}<main>{page.body}{answering}</main>{bottom}{data}"
    return _document(f"{page.title} · {COURSE}", page.summary, body)


def index(pages: list[Page]) -> str:
    """Return the list of all pages."""
    items = "".join(
        f'<li><a href="{page.name}.html">{escape(page.title)}</a><p>{escape(page.summary)}</p></li>' for page in pages
    )
    return _document(
        f"{COURSE}: bank conflicts and CuTe swizzles",
        SUMMARY,
        f'<main><h1>{escape(COURSE)}</h1><p>{escape(SUMMARY)}</p><ol class="course">{items}</ol></main>',
    )


def markdown(source: str, **options) -> str:
    """Return Markdown as HTML: formulas as MathML, headings with anchors, links to notebooks as links to pages.

    Parameters
    ----------
    source : str
    **options
        Those of nbconvert's renderer: where pictures are found, say.
    """
    return MarkdownWithMath(renderer=_Text(escape=False, embed_images=True, **options)).render(source)


class _Text(IPythonRenderer):
    def heading(self, text, level, **attributes):
        anchor = unescape(re.sub(r"<[^>]*>", "", text)).replace(" ", "-")
        return f'<h{level} id="{escape(anchor)}">{text}</h{level}>\n'

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, display="block")

    def link(self, text, url, title=None):
        found = _NOTEBOOK.fullmatch(url)
        return super().link(text, f"{found['name']}.html{found['anchor'] or ''}" if found else url, title)


class _Exporter(HTMLExporter):
    @pass_context
    def markdown2html(self, context, source):
        path = context["resources"]["metadata"]["path"]
        return markdown(source, path=path, attachments=context.get("cell", {}).get("attachments", {}))


class _Live(Preprocessor):
    """Puts a place for the live widget where its view was; without JavaScript the picture and the sentence stay.

    `shown` collects the models that need their state in the page, `exercises` whether an answer is checked.
    """

    def __init__(self, states: dict):
        super().__init__(enabled=True)
        self.states, self.shown, self.exercises = states, [], False

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "code":
            for output in cell.outputs:
                self._revive(output, resources)
            if _EXERCISE.search(cell.source):
                cell.metadata.tags = ["exercise"]
                if not self.exercises:
                    cell.outputs.append(nbformat.v4.new_output("display_data", {"text/html": _NEEDS_KERNEL}))
                self.exercises = True
        return cell, resources

    def _revive(self, output, resources):
        data = output.get("data", {})
        models = self._ours(data.pop(WIDGET_VIEW, {}).get("model_id"))
        if models:
            self.shown += models
            data["text/html"] = _figure(models, data.pop("text/plain", ""), _picture(output, resources))
            data.pop("image/png", None)

    def _ours(self, model: str | None) -> list[str]:
        """The widget itself, or those of ours that a box holds."""
        if model not in self.states:
            return []
        record = self.states[model]
        if _view(record):
            return [model]
        children = record["state"].get("children", ())
        return [found for child in children for found in self._ours(child.removeprefix("IPY_MODEL_"))]


_NEEDS_KERNEL = '<p class="needs-kernel">Checking an answer needs Python: <a href="#answer">open this notebook</a>.</p>'


def _figure(models: list[str], sentence: str, picture: str) -> str:
    caption = f"<figcaption>{escape(sentence)}</figcaption>"
    return f'<figure class="swz-live" data-models="{escape(" ".join(models))}">{picture}{caption}</figure>'


def _picture(output, resources) -> str:
    """The output's picture as an <img> that names its size, so that nothing jumps, and waits until it is seen."""
    name = output.get("metadata", {}).get("filenames", {}).get("image/png")
    if name is None:
        return ""
    # A PNG's width and height stand at byte 16.
    width, height = struct.unpack(">II", resources["outputs"][name][16:24])
    return f'<img src="{escape(Path(name).as_posix())}" width="{width}" height="{height}" loading="lazy" alt="Picture">'


def _answering(name: str, binder: str | None) -> str:
    install = "python3 -m venv .venv && .venv/bin/pip install -e ."
    command = f"{install} && .venv/bin/jupyter lab notebooks/{name}.ipynb"
    url = f"https://mybinder.org/v2/gh/{binder}?urlpath=lab/tree/notebooks/{name}.ipynb"
    online = f'<p><a href="{url}">Open this notebook on Binder</a>, or, in' if binder else "<p>In"
    return (
        '<section id="answer"><h2>Answer the exercises</h2>'
        "<p>The pictures of this page are computed in your browser. Checking an answer needs Python.</p>"
        f"{online} a copy of the course's repository:</p><pre>{escape(command)}</pre></section>"
    )


def _view(record: dict) -> str | None:
    """The class of a widget of ours, None for any other."""
    package, _, name = record["state"].get("_anywidget_id", "").rpartition(".")
    return name if package.split(".")[0] == __package__.split(".")[0] and name in WIDGETS else None


def _traits(record: dict) -> dict:
    return {name: value for name, value in record["state"].items() if not name.startswith("_")}


def _opening(notebook) -> tuple[str, str]:
    """The notebook's title, and its first sentences as far as a search page shows them."""
    text = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    blocks = [block.strip() for block in text.split("\n\n") if block.strip()]
    title = next((block for block in blocks if block.startswith("#")), "Notebook").splitlines()[0].lstrip("# ")
    prose = " ".join(block for block in blocks if not re.match(r"[#!|<-]|```", block))
    return _plain(title), _shortened(_plain(prose))


def _plain(markdown: str) -> str:
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return re.sub(r"[*`$\\]", "", without_links)


def _shortened(text: str) -> str:
    """Whole sentences, as many as fit; broken off where they would say too little."""
    if len(text) <= DESCRIPTION_LENGTH:
        return text
    head = text[: DESCRIPTION_LENGTH - 4]
    end = max(head.rfind(mark) for mark in (". ", "? ", "! "))
    return head[: end + 1] if end >= DESCRIPTION_LENGTH // 2 else f"{head[: head.rfind(' ')]} ..."


def _document(title: str, summary: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><meta property="og:title" content="{escape(title)}">'
        f'<meta name="description" property="og:description" content="{escape(summary)}">'
        # Without an icon of its own a page asks the server for one.
        f'<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"></head>\n<body>{body}</body></html>\n'
    )
