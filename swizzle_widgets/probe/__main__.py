"""python -m swizzle_widgets.probe: measure, compare with the model, write records."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..measured import EXPERIMENTS
from ..measured.known import question_requests, tile_requests
from ..measured.requests import Requests
from ..measured.survey import survey
from ..model.checks import one_of
from . import ProbeUnavailable, connect, experiments, measure

COUNTED_SEED, TIMED_SEED = 2026, 2027
# What is one dict of arrays; "requests" is a Record.
_RUN = {
    "hopper": experiments.hopper,
    "price": experiments.price_of_conflicts,
    "cp_async": experiments.copies_from_l2,
    "atomics": experiments.atomics_on_shared,
    "whole_copies": experiments.copies_of_tiles,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the experiments that the command line names; return the process's exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        names = [one_of("experiment", name, EXPERIMENTS) for name in options.experiments]
        requests = _asked(options) if "requests" in names else None
    except ValueError as error:
        parser.error(str(error))
    try:
        connect()
        for name in names:
            path = options.out / f"{name}.npz"
            if name == "requests":
                _measure(requests, options, path)
            else:
                _save(path, _RUN[name](options.quiet))
            print(f"written: {path}")
    except ProbeUnavailable as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m swizzle_widgets.probe",
        description="Measure shared-memory requests on the GPU at hand and compare them with the bank model.",
    )
    names = ", ".join(EXPERIMENTS)
    parser.add_argument("experiments", nargs="*", default=["requests"], help=f"some of {names}; the first, if left out")
    parser.add_argument("--out", type=Path, default=Path(), help="folder for the records (default: here)")
    parser.add_argument("--counted", type=int, default=1, help="random requests an instruction and family to count")
    parser.add_argument("--timed", type=int, default=50, help="random requests an instruction and family to time")
    parser.add_argument("--tiles", action="store_true", help="count rows, columns and matrices of common tiles, too")
    parser.add_argument("--questions", type=Path, help="count the requests of tests/data/questions.json, too")
    parser.add_argument("--file", type=Path, help="count the requests of a file that Requests.save wrote, too")
    parser.add_argument("--no-counters", action="store_true", help="cycles only: needs no Nsight Compute")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    return parser


def _asked(options) -> Requests:
    parts = [survey(options.counted, COUNTED_SEED)] if options.counted else []
    parts += [tile_requests()] if options.tiles else []
    parts += [question_requests(options.questions)] if options.questions else []
    parts += [Requests.load(options.file)] if options.file else []
    if not parts:
        raise ValueError("--counted 0 leaves nothing to count: add --tiles, --questions or --file")
    return Requests.joined(parts)


def _measure(requests: Requests, options, path: Path) -> None:
    record = measure(
        requests,
        survey_size=options.timed,
        survey_seed=TIMED_SEED,
        count=not options.no_counters,
        quiet=options.quiet,
    )
    record.save(path)
    print(record.report())
    if "no_counters" in record.about:
        print(record.about["no_counters"])


def _save(path: Path, found: dict[str, Any]) -> None:
    np.savez_compressed(path, **{name: json.dumps(v) if name == "about" else v for name, v in found.items()})


if __name__ == "__main__":
    sys.exit(main())
