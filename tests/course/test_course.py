"""The notebooks as files: their form, their links, and that the map of the source texts names cells that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# GitHub shows no notebook much larger than this.
MOST_BYTES = 1_500_000


def load(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def sources(notebook: dict, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_the_course_is_complete():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, len(NOTEBOOKS) + 1)]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request) -> Path:
    return request.param


def test_saved_with_outputs_and_without_what_changes_by_itself(path):
    notebook = load(path)
    assert set(notebook["metadata"]) == {"kernelspec"} or set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert path.stat().st_size < MOST_BYTES
    for cell in notebook["cells"]:
        assert "execution" not in cell["metadata"], cell["id"]
        if cell["cell_type"] == "code":
            assert cell["execution_count"] is not None, cell["id"]
            text = json.dumps(cell["outputs"])
            assert '"output_type": "error"' not in text, cell["id"]
            assert not re.search(r"\b0x[0-9a-f]{9,}", text), cell["id"]


def test_title_and_cell_ids_carry_the_number(path):
    notebook, number = load(path), path.name[:2]
    first = sources(notebook, "markdown")[0]
    assert first.startswith(f"# {number} · "), first.splitlines()[0]
    assert [cell["id"] for cell in notebook["cells"] if not cell["id"].startswith(f"{number}-")] == []


def test_links_lead_somewhere(path):
    for text in sources(load(path), "markdown"):
        for target in re.findall(r"\]\(([\w-]+\.ipynb)", text):
            assert (path.parent / target).exists(), target


def test_the_notebook_ends_with_the_next_one(path):
    following = NOTEBOOKS[NOTEBOOKS.index(path) + 1 :]
    last = "\n".join(sources(load(path), "markdown")[-2:])
    assert not following or f"({following[0].name})" in last


def test_the_map_of_the_texts_names_cells_that_exist():
    ids = {cell["id"] for path in NOTEBOOKS for cell in load(path)["cells"]}
    table = (ROOT / "notebooks" / "SOURCES.md").read_text(encoding="utf-8").partition("| text item |")[2]
    rows = [line for line in table.splitlines() if line.startswith(("| H: ", "| N: "))]
    assert len(rows) >= 57  # the topics of both texts, as they were counted when the map was made
    for row in rows:
        _, _, notebooks, cells, _ = row.replace("\\|", "").split("|")
        named = re.findall(r"\b(?:0[1-9]|1[0-2])-[a-z][\w-]*\b", cells)
        assert named, row
        assert set(named) - ids == set(), row
        assert {name[:2] for name in named} >= set(notebooks.replace(",", " ").split()), row
