"""What the reader must not see yet: the outputs between a question and the next heading or question.

A cell with the tag "answer" waits, too: its heading asks, and no form judges what the reader says to it.

In a saved notebook they are folded by cell metadata, which JupyterLab and Notebook 7 honor; running a cell unfolds it.

    python -m swizzle_widgets.course.folding notebooks/*.ipynb

folds the notebooks in place.
"""

from __future__ import annotations

import json
import re
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

_ASKS = re.compile(r"^\s*(?:\w+ = )?(?:question|check)\(\s*[\"'](\d\d\.\d+)[\"']", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
# The tag of a cell that answers its heading, and what it waits for: no number, nothing is judged.
ANSWER = "answer"


def waiting(cells: list[dict[str, Any]]) -> dict[str, str]:
    """Return the code cells whose outputs wait for an answer, by id, each with the number of the question, or "answer".

    Parameters
    ----------
    cells : list of dict
        The cells of a notebook, as its file holds them.
    """
    asked, found = None, {}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            asked = None if _HEADING.search(_without_fences(source)) else asked
            continue
        numbers = _ASKS.findall(source)
        if numbers:
            # The question's own output is the form, or that nothing has been answered yet.
            asked = numbers[-1]
        elif cell.get("outputs") and (asked or is_answer(cell)):
            found[cell["id"]] = asked or ANSWER
    return found


def fold(notebook: dict[str, Any]) -> bool:
    """Fold in a notebook what waits for an answer, unfold the rest; return whether anything has changed."""
    hidden, changed = waiting(notebook["cells"]), False
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        metadata, before = cell["metadata"], deepcopy(cell["metadata"])
        metadata.get("jupyter", {}).pop("outputs_hidden", None)
        metadata.pop("collapsed", None)
        if cell["id"] in hidden:
            # Both names of one thing: JupyterLab's and the notebook format's older one.
            metadata["collapsed"] = True
            metadata.setdefault("jupyter", {})["outputs_hidden"] = True
        elif metadata.get("jupyter") == {}:
            del metadata["jupyter"]
        changed |= metadata != before
    return changed


def is_answer(cell: dict[str, Any]) -> bool:
    """Whether a cell answers its heading, where nothing is judged."""
    return ANSWER in cell.get("metadata", {}).get("tags", ())


def folded(cell: dict[str, Any]) -> bool:
    """Whether a cell's saved outputs are folded."""
    metadata = cell["metadata"]
    return metadata.get("collapsed") is True and metadata.get("jupyter", {}).get("outputs_hidden") is True


def _without_fences(source: str) -> str:
    """Markdown without its code blocks, where a line may begin with a # of another meaning."""
    return re.sub(r"^```.*?^```", "", source, flags=re.MULTILINE | re.DOTALL)


def main(paths: list[str]) -> None:
    """Fold notebooks in place."""
    for path in map(Path, paths):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if fold(notebook):
            # As Jupyter itself writes it, so that a later save changes nothing else.
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(f"{path.name}: {len(waiting(notebook['cells']))} cells folded")


if __name__ == "__main__":
    main(sys.argv[1:])
