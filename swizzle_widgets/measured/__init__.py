"""What an NVIDIA H200 answered, and how it compares with the model. Needs numpy alone, and no GPU."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from ..model.checks import one_of
from .record import Record, compare_cycles
from .requests import FAMILIES, INSTRUCTION_NAMES, INSTRUCTIONS, Requests
from .survey import survey

EXPERIMENTS = ("requests", "hopper", "price", "cp_async", "atomics", "whole_copies")

__all__ = [
    "EXPERIMENTS",
    "FAMILIES",
    "INSTRUCTIONS",
    "INSTRUCTION_NAMES",
    "Record",
    "Requests",
    "compare_cycles",
    "recorded",
    "survey",
]


@cache
def recorded(experiment: str = "requests") -> Any:
    """Return what was recorded on an NVIDIA H200.

    Parameters
    ----------
    experiment : str
        "requests" gives a `Record`; the others give a dict of arrays, and of what `about` says:
        data/README.md has the names.
    """
    one_of("experiment", experiment, EXPERIMENTS)
    if experiment == "requests":
        return _read("requests", Record.load).with_more(_read("notebooks", Record.load))
    return _read(experiment, _arrays)


def _read(name: str, load):
    with resources.as_file(resources.files(__package__) / "data" / f"h200_{name}.npz") as path:
        return load(path)


def _arrays(path) -> dict[str, Any]:
    with np.load(path) as data:
        return {name: json.loads(str(data[name])) if name == "about" else data[name] for name in data.files}
