"""What waits for an answer is folded in the saved notebooks, and nothing that is shown before gives it away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from swizzle_widgets.course.folding import fold, folded, waiting
from swizzle_widgets.course.registry import known
from tests.course.giveaways import GIVEAWAYS

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def code(name: str, source: str, outputs: bool = True) -> dict:
    output = {"output_type": "stream", "name": "stdout", "text": ["2\n"]}
    return {"cell_type": "code", "id": name, "source": source, "outputs": [output] * outputs, "metadata": {}}


def text(source: str) -> dict:
    return {"cell_type": "markdown", "id": "text", "source": source, "metadata": {}}


SECTION = [
    code("before", "print(1)"),
    code("asks", 'question("01.2")'),
    text("Look:\n```\n# no heading\n```"),
    code("picture", "ColumnRead(t)"),
    code("silent", "t = 1", outputs=False),
    code("asks-again", 'answer = Tile(8, 8)\ncheck("01.3", answer)'),
    code("table", "print(report)"),
    text("## Another section"),
    code("after", "print(3)"),
]


def test_what_lies_between_a_question_and_the_next_heading_or_question_waits():
    assert waiting(SECTION) == {"picture": "01.2", "table": "01.3"}


def test_folding_sets_both_names_and_unfolds_the_rest():
    notebook = json.loads(json.dumps({"cells": SECTION}))
    notebook["cells"][0]["metadata"] = {"collapsed": True, "jupyter": {"outputs_hidden": True}, "tags": ["kept"]}
    assert fold(notebook)
    assert [cell["id"] for cell in notebook["cells"] if cell["cell_type"] == "code" and folded(cell)] == [
        "picture",
        "table",
    ]
    assert notebook["cells"][0]["metadata"] == {"tags": ["kept"]}
    assert notebook["cells"][3]["metadata"] == {"collapsed": True, "jupyter": {"outputs_hidden": True}}
    assert not fold(notebook)


def asking(path: Path) -> dict:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    if not any("question(" in "".join(cell["source"]) for cell in notebook["cells"]):
        pytest.skip("asks with check alone")
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_saved_notebooks_are_folded(path):
    assert not fold(asking(path)), "run: python -m swizzle_widgets.course.folding notebooks/*.ipynb"


def texts(cell: dict) -> list[str]:
    """All that a cell says: its source and the text of its outputs."""
    found = ["".join(cell["source"])]
    for output in cell.get("outputs", ()):
        data = {"text/plain": output.get("text", ""), **output.get("data", {})}
        found += ["".join(value) for kind, value in data.items() if kind.startswith("text/")]
    return found


def first_line(cell: dict) -> str:
    """What JupyterLab shows of a folded output: the first line of the first output's first text."""
    output = cell["outputs"][0]
    data = {"text": output.get("text"), **output.get("data", {})}
    shown = next(filter(None, map(data.get, ("text/html", "text/markdown", "text/plain", "text"))), "")
    return next((line for line in "".join(shown).splitlines() if line), "")


ALL_CELLS = [
    {**cell, "waits": waiting(cells).get(cell["id"])}
    for cells in (json.loads(path.read_text(encoding="utf-8"))["cells"] for path in NOTEBOOKS)
    for cell in cells
]
# Where each question is asked. That every one is, and once, test_exercises.py says.
PLACES = {
    number: index
    for index, cell in enumerate(ALL_CELLS)
    for number in re.findall(r"^question\(\"(\d\d\.\d+)\"\)", "".join(cell["source"]), re.MULTILINE)
}


def test_every_question_has_its_row():
    assert set(GIVEAWAYS) == set(PLACES)


def matches(number: str, said: list[str]) -> list[str]:
    """What a question's patterns find in texts; a dot stays in its line, a bounded one need not."""
    patterns = [re.compile(pattern.replace(".{", r"[\s\S]{"), re.MULTILINE) for pattern in GIVEAWAYS[number][1]]
    return [match[0] for pattern in patterns for text in said for match in [pattern.search(text)] if match]


@pytest.mark.parametrize("number", PLACES)
def test_nothing_seen_earlier_answers_a_question(number):
    before = [text for cell in ALL_CELLS[: PLACES[number]] for text in texts(cell)]
    placeholders = [first_line(cell) for cell in ALL_CELLS if cell["waits"] == number]
    assert matches(number, [*before, *placeholders]) == []


@pytest.mark.parametrize("number", PLACES)
def test_the_patterns_find_the_answer_where_it_is_told(number):
    """Below the question, or in the judge's own words on the right answer."""
    below = [text for cell in ALL_CELLS[PLACES[number] + 1 :] for text in texts(cell)]
    right = [f"{each.cost} {each.why}" for each in known(number).verdicts.values() if each.right]
    assert matches(number, [*below, *right])
