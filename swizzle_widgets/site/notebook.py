"""One notebook, run, as what a page shows: its cells, the state of its widgets, its pictures."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from math import ceil
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from ..course.folding import ANSWER, is_answer
from ..widgets import __all__ as WIDGETS
from .goals import VIEW, goal_state
from .text import code, markdown, plain, shortened

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
QUESTION = "Question"
WORDS_A_MINUTE = 200
MINUTES_A_PICTURE = 0.5

_BUILDS = re.compile(r"^check\(\"(?P<number>[\d.]+)\"", re.MULTILINE)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Block:
    """A cell of a page.

    Attributes
    ----------
    kind : str
        "text" or "code".
    text : str
        The cell's Markdown, or its code, as HTML.
    outputs : list of str
        HTML.
    question : str
        The number of the question that this cell asks; "" if none.
    exercise : str
        The number of the exercise whose answer is built in this cell; "" if none.
    goal : bool
        Whether the page has a goal for the exercise, to be reached without Python.
    answers : bool
        Whether this cell answers its heading, where nothing is judged.
    """

    kind: str
    text: str
    outputs: list[str] = field(default_factory=list)
    question: str = ""
    exercise: str = ""
    goal: bool = False
    answers: bool = False


@dataclass(frozen=True)
class Section:
    """What a page shows in one go.

    Attributes
    ----------
    behind : str
        The number of the question that must be answered first, "answer" if nothing judges what is said; "" if none.
    blocks : list of Block
    """

    behind: str
    blocks: list[Block]


@dataclass(frozen=True)
class Page:
    """One notebook as a page.

    Attributes
    ----------
    name : str
        The file's name without its ending.
    title, summary : str
        The first heading and the first sentences, as plain text.
    sections : list of Section
    widgets : dict
        The state of each live widget by its model's id: {"view": class name, "state": traits}.
    pictures : dict
        The bytes of each picture by its file's name in the site.
    minutes : int
        How long it takes to read, exercises apart.
    text : str
        The Markdown of all cells.
    """

    name: str
    title: str
    summary: str
    sections: list[Section]
    widgets: dict[str, Any]
    pictures: dict[str, bytes]
    minutes: int
    text: str

    @property
    def number(self) -> str:
        """The notebook's number, the digits before its name."""
        return self.name.partition("_")[0]

    @property
    def questions(self) -> list[str]:
        """The numbers of the questions and the goals that are answered on the page, in order."""
        blocks = [block for section in self.sections for block in section.blocks]
        return [block.question or block.exercise for block in blocks if block.question or block.goal]

    @property
    def exercises(self) -> list[str]:
        """The numbers of the exercises whose answers need Python."""
        return [block.exercise for section in self.sections for block in section.blocks if block.exercise]


def read_page(path: Path) -> Page:
    """Run one notebook and return its page."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    options = {"extra_arguments": ["--log-level=ERROR"], "coalesce_streams": True}
    NotebookClient(notebook, timeout=120, resources=folder, **options).execute()
    return page_of(notebook, path)


def page_of(notebook: nbformat.NotebookNode, path: Path) -> Page:
    """Return the page of a notebook that was run, with its widgets' states in its metadata."""
    states = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    reader = _Reader(path, states)
    blocks = [block for cell in notebook.cells for block in reader.blocks(cell)]
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    widgets = {model: {"view": _view(states[model]), "state": _traits(states[model])} for model in reader.shown}
    widgets |= {f"goal-{number}": {"view": VIEW, "state": state} for number, state in reader.goals.items()}
    return Page(
        path.stem, *_opening(texts), list(_sections(blocks)), widgets, reader.pictures,
        _minutes(texts, blocks), "\n\n".join(texts),
    )  # fmt: skip


class _Reader:
    """Turns cells into blocks; collects the models whose state the page needs, and the pictures."""

    def __init__(self, path: Path, states: dict[str, Any]):
        self.path, self.states = path, states
        self.shown: list[str] = []
        self.goals: dict[str, dict[str, Any]] = {}
        self.pictures: dict[str, bytes] = {}

    def blocks(self, cell: nbformat.NotebookNode) -> Iterator[Block]:
        if cell.cell_type == "markdown":
            # A heading begins a block of its own, so that what waits for an answer ends there.
            for part in re.split(r"^(?=##? )", cell.source, flags=re.MULTILINE):
                if part.strip():
                    yield Block("text", markdown(part, path=str(self.path.parent)))
        elif cell.cell_type == "code" and cell.source.strip():
            before = len(self.shown)
            outputs = [html for output in cell.outputs for html in [self.output(output)] if html]
            built = _BUILDS.search(cell.source)
            asked = (self.states[model] for model in self.shown[before:] if _view(self.states[model]) == QUESTION)
            question = next((state["state"]["number"] for state in asked), "")
            exercise = built["number"] if built else ""
            goal = self.goal(exercise)
            # What the cell printed is about an answer that nobody gave.
            shown = [goal] if goal else outputs
            yield Block("code", code(cell.source), shown, question, exercise, bool(goal), is_answer(cell))

    def goal(self, exercise: str) -> str:
        """The goal of an exercise as HTML; "" if it has none."""
        state = goal_state(exercise) if exercise else None
        if state is None:
            return ""
        self.goals[exercise] = state
        caption = f"<figcaption>{escape(state['asks'])}</figcaption>"
        return f'<figure class="swz-live" data-models="goal-{escape(exercise)}">{caption}</figure>'

    def output(self, output: nbformat.NotebookNode) -> str:
        """An output as HTML; of its forms the richest that a page can show."""
        if output.output_type == "stream":
            return "" if output.name == "stderr" else f"<pre>{escape(_ANSI.sub('', output.text))}</pre>"
        if output.output_type == "error":
            raise ValueError(f"{self.path.name}: a cell fails with {output.ename}: {output.evalue}")
        data = output.data
        models = self.ours(data.get(WIDGET_VIEW, {}).get("model_id"))
        if models:
            self.shown += models
            caption = f"<figcaption>{escape(data.get('text/plain', ''))}</figcaption>"
            name = escape(" ".join(models))
            return f'<figure class="swz-live" data-models="{name}">{self.picture(data)}{caption}</figure>'
        if "text/html" in data:
            return f'<div class="output-html">{data["text/html"]}</div>'
        if "text/markdown" in data:
            return markdown(data["text/markdown"])
        return self.picture(data) or f"<pre>{escape(data.get('text/plain', ''))}</pre>"

    def picture(self, data: dict[str, Any]) -> str:
        """The output's picture as an <img> that names its size, so that nothing jumps, and waits until it is seen."""
        if "image/png" not in data:
            return ""
        png = base64.b64decode(data["image/png"])
        name = f"pictures/{self.path.stem}_{len(self.pictures)}.png"
        self.pictures[name] = png
        # A PNG's width and height stand at byte 16.
        width, height = struct.unpack(">II", png[16:24])
        alt = escape(data.get("text/plain", "Picture"))
        return f'<img src="{escape(name)}" width="{width}" height="{height}" loading="lazy" alt="{alt}">'

    def ours(self, model: str | None) -> list[str]:
        """The widget itself, or those of ours that a box holds."""
        if model not in self.states:
            return []
        record = self.states[model]
        if _view(record):
            return [model]
        children = record["state"].get("children", ())
        return [found for child in children for found in self.ours(child.removeprefix("IPY_MODEL_"))]


def _sections(blocks: list[Block]) -> Iterator[Section]:
    """What stands after a question, or answers a heading, waits up to the next heading or question."""
    behind, held = "", []
    for block in blocks:
        # An exercise begins with its number in bold: its text is no answer to the question before it.
        begins = block.kind == "text" and re.match(r"<h[12] |<p><strong>\d\d\.\d+</strong>", block.text)
        if begins or block.question or block.goal:
            if held:
                yield Section(behind, held)
            behind, held = "", []
        if block.answers and not behind:
            yield Section("", held)
            behind, held = ANSWER, []
        held.append(block)
        if block.question:
            yield Section("", held)
            behind, held = block.question, []
    if held:
        yield Section(behind, held)


def _minutes(texts: list[str], blocks: list[Block]) -> int:
    """How long it takes to read, exercises apart."""
    read = "\n".join(texts).partition("\n## Exercises")[0]
    words = len(re.findall(r"\w+", read))
    pictures = sum("<img" in html for block in blocks for html in block.outputs)
    return ceil(words / WORDS_A_MINUTE + pictures * MINUTES_A_PICTURE)


def _view(record: dict[str, Any]) -> str | None:
    """The class of a widget of ours, None for any other."""
    package, _, name = record["state"].get("_anywidget_id", "").rpartition(".")
    return name if package.split(".")[0] == __package__.split(".")[0] and name in (*WIDGETS, QUESTION) else None


def _traits(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record["state"].items() if not name.startswith("_")}


def _opening(texts: list[str]) -> tuple[str, str]:
    """The notebook's title, and its first sentences as far as a search page shows them."""
    blocks = [block.strip() for block in (texts[0] if texts else "").split("\n\n") if block.strip()]
    title = next((block for block in blocks if block.startswith("#")), "Notebook").splitlines()[0].lstrip("# ")
    prose = " ".join(block for block in blocks if not re.match(r"[#!|<-]|```", block))
    return plain(title), shortened(plain(prose))
