"""Collects the requests that the notebooks show: python -m tests.support.notebook_requests notebooks/*.ipynb

Writes tests/data/notebook_requests.npz, which `python -m swizzle_widgets.probe --file` measures.
"""

import json
import linecache
import os
import sys
from pathlib import Path

import numpy as np

from swizzle_widgets import course
from swizzle_widgets.measured import Record, Requests
from swizzle_widgets.measured.known import copy_requests
from swizzle_widgets.measured.requests import INSTRUCTIONS, SPAN_BYTES
from swizzle_widgets.model.banks import _Requests

# A notebook that sweeps makes thousands of requests: of each at most so many are measured, chosen at random.
MOST = 1500
OUT = Path(__file__).resolve().parents[1] / "data" / "notebook_requests.npz"


def collect(paths) -> Requests:
    """Run the code cells of notebooks and return the requests that they ask the model or the record for."""
    kept, found = [*copy_requests().values()], []
    report, find = _Requests.report, Record.find

    def noting_report(self, words):
        found.extend(_synchronous(self))
        return report(self, words)

    def noting_find(self, request):
        place = find(self, request)
        # What is not recorded yet is to be: any place will do until then.
        return 0 if place is None else place

    _Requests.report, Record.find = noting_report, noting_find
    # What a question or an exercise asks the model to judge an answer is not shown.
    judges = course.check, course.question
    course.check = course.question = lambda *arguments, **options: None
    try:
        for path in [Path(path).resolve() for path in paths]:
            _run(path)
            kept.append(_chosen(Requests.joined(found).distinct()))
            found.clear()
    finally:
        _Requests.report, Record.find = report, find
        course.check, course.question = judges
    return Requests.joined(kept).distinct()


def _chosen(requests: Requests) -> Requests:
    if len(requests) <= MOST:
        return requests
    return requests[np.sort(np.random.RandomState(0).choice(len(requests), MOST, replace=False))]


def _synchronous(request: _Requests):
    """The request of the model as one of the probe, for each instruction that makes it; none if its vectors are cut."""
    lanes = int(request.active.sum())
    for instruction in INSTRUCTIONS:
        same = (instruction.kind, instruction.width) == (request.kind, request.width) and not instruction.is_async
        fits = request.addresses.max() + request.width <= SPAN_BYTES
        whole = (request.addresses % request.width == 0).all()
        if same and fits and whole and lanes and (not instruction.is_matrix or instruction.lanes == lanes):
            yield Requests.of(instruction.name, request.addresses, request.active, family="notebook")


def _run(path: Path) -> None:
    names = {"display": lambda *objects, **options: None, "__name__": "notebook"}
    os.chdir(path.parent)
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            source, name = "".join(cell["source"]), f"{path.stem}[{number}]"
            # CuTe DSL reads the source of the functions that it compiles.
            linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
            exec(compile(source, name, "exec"), names)


if __name__ == "__main__":
    requests = collect(sys.argv[1:])
    requests.save(OUT)
    print(f"{len(requests)} requests")
