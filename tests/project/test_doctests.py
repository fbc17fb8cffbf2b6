"""The examples of the docstrings say what they print."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import swizzle_widgets

# The probe's examples, if it had any, would need a GPU.
MODULES = [
    module.name
    for module in pkgutil.walk_packages(swizzle_widgets.__path__, "swizzle_widgets.")
    if not module.name.endswith("__main__")
]


def _namespace() -> dict:
    """What `from swizzle_widgets import *` and `import numpy as np` give."""
    return {"np": np, **{name: getattr(swizzle_widgets, name) for name in swizzle_widgets.__all__}}


def examples(name: str) -> list[doctest.DocTest]:
    """The docstrings of a module that hold examples."""
    module = importlib.import_module(name)
    found = doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=_namespace())
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for test in examples(name):
        runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


def test_there_are_examples():
    assert sum(len(examples(name)) for name in MODULES) >= 20
