"""A cell with the tag "answer" waits though nothing is judged: folded in the notebook, behind a word on the site."""

from __future__ import annotations

import json
from pathlib import Path

from swizzle_widgets.course.folding import ANSWER, fold, folded, waiting
from swizzle_widgets.site.notebook import Block, _sections

ASKED = Path(__file__).parents[2] / "notebooks" / "11_asked_in_public.ipynb"


def test_an_answer_is_folded_where_nothing_is_judged():
    output = [{"output_type": "stream", "name": "stdout", "text": "4"}]
    cells = [
        {"cell_type": "code", "id": name, "source": "print(4)", "outputs": output, "metadata": {"tags": tags}}
        for name, tags in (("shown", []), ("asked", [ANSWER]))
    ]
    assert waiting(cells) == {"asked": ANSWER}
    assert fold({"cells": cells})
    assert [folded(cell) for cell in cells] == [False, True]


def test_every_thread_of_notebook_11_waits():
    cells = json.loads(ASKED.read_text(encoding="utf-8"))["cells"]
    answers = [cell for cell in cells if cell["cell_type"] == "code" and cell["id"].endswith("-answer")]
    assert len(answers) == 11
    assert all(folded(cell) for cell in answers)


def test_on_the_site_it_waits_with_its_reason_until_the_next_heading():
    asks, answer = Block("text", "<h2 id=a>4?</h2>"), Block("code", "", ["4"], answers=True)
    reason, after = Block("text", "<p>Since.</p>"), Block("text", "<h2 id=b>Next</h2>")
    found = [(section.behind, section.blocks) for section in _sections([asks, answer, reason, after])]
    assert found == [("", [asks]), (ANSWER, [answer, reason]), ("", [after])]
