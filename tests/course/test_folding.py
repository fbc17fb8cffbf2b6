"""What waits for an answer is folded in the saved notebooks, and nothing that is shown before gives it away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from swizzle_widgets.course.folding import fold, folded, waiting
from swizzle_widgets.course.registry import everything
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
    """What JupyterLab shows of a folded output: the first line of the first that has a text."""
    outputs = [text for text in texts(cell)[1:] if text.strip()]
    return next(line for line in outputs[0].splitlines() if line.strip()) if outputs else ""


def before_and_folded(number: str) -> tuple[list[str], list[str]]:
    """The texts that stand before a question, and the first lines of the outputs that wait for its answer."""
    before = []
    for path in NOTEBOOKS:
        listed = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for cell in listed:
            if re.search(rf"question\(\"{re.escape(number)}\"\)", "".join(cell["source"])):
                waits = waiting(listed)
                return before, [first_line(each) for each in listed if waits.get(each.get("id")) == number]
            before += texts(cell)
    pytest.skip(f"no notebook asks {number} yet")


QUESTIONS = [number for number, each in everything().items() if each.form and number[:2] not in ("09", "10")]


@pytest.mark.parametrize("number", QUESTIONS)
def test_nothing_seen_earlier_answers_a_question(number):
    before, folded_lines = before_and_folded(number)
    _, patterns = GIVEAWAYS[number]
    for pattern in patterns:
        found = [re.search(pattern, text, re.MULTILINE) for text in (*before, *folded_lines)]
        assert not any(found), (pattern, next(match for match in found if match)[0])
