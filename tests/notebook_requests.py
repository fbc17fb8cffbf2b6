"""Collects the requests that the notebooks show, for the probe: python tests/notebook_requests.py notebooks/*.ipynb

Writes tests/data/notebook_requests.npz, which `python -m swizzle_widgets.gpu --file` measures.
"""

import json
import sys
from pathlib import Path

from swizzle_widgets.banks import _Requests
from swizzle_widgets.gpu import Record, Requests
from swizzle_widgets.gpu.requests import INSTRUCTIONS, SPAN_BYTES, copy_requests

OUT = Path(__file__).parent / "data" / "notebook_requests.npz"


def collect(paths) -> Requests:
    """Run the code cells of notebooks and return every request that they ask the model or the record for."""
    found = list(copy_requests().values())
    report, find = _Requests.report, Record.find

    def noting_report(self, words):
        found.extend(_synchronous(self))
        return report(self, words)

    def noting_find(self, request):
        place = find(self, request)
        # What is not recorded yet is to be: any place will do until then.
        return 0 if place is None else place

    _Requests.report, Record.find = noting_report, noting_find
    try:
        for path in paths:
            _run(path)
    finally:
        _Requests.report, Record.find = report, find
    return Requests.joined(found).distinct()


def _synchronous(request: _Requests):
    """The request of the model as one of the probe, for each instruction that makes it."""
    lanes = int(request.active.sum())
    for instruction in INSTRUCTIONS:
        same = (instruction.kind, instruction.width) == (request.kind, request.width) and not instruction.is_async
        fits = request.addresses.max() + request.width <= SPAN_BYTES
        if same and fits and lanes and (not instruction.is_matrix or instruction.lanes == lanes):
            yield Requests.of(instruction.name, request.addresses, request.active, family="notebook")


def _run(path: str) -> None:
    names = {"display": lambda *objects, **options: None, "__name__": "notebook"}
    for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), path, "exec"), names)


if __name__ == "__main__":
    requests = collect(sys.argv[1:])
    requests.save(OUT)
    print(f"{len(requests)} requests")
