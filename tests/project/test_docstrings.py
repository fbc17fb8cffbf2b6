"""Public docstrings have numpydoc's sections, in numpydoc's order, and name parameters that exist."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

import pytest

import swizzle_widgets

# In the order of numpydoc's own validator.
SECTIONS = (
    "Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "See Also", "Notes", "References", "Examples",
)  # fmt: skip
_HEADING = re.compile(r"^([A-Z][A-Za-z ]+)\n(-{3,})$", re.MULTILINE)
_PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .*)?$", re.MULTILINE)
MODULES = [
    found.name
    for found in pkgutil.walk_packages(swizzle_widgets.__path__, "swizzle_widgets.")
    if not found.name.endswith("__main__")
]


def complaints(text: str, names: set[str] | None = None) -> list[str]:
    """What is wrong with a docstring's sections; `names` are the parameters that there are, None if any may be."""
    found = list(_HEADING.finditer(text))
    titles = [heading[1] for heading in found]
    wrong = [f"{title} is no section" for title in titles if title not in SECTIONS]
    wrong += [f"{heading[1]} is underlined by {heading[2]}" for heading in found if len(heading[1]) != len(heading[2])]
    if not wrong and (titles != sorted(titles, key=SECTIONS.index) or len(titles) != len(set(titles))):
        wrong.append(f"sections in the order {', '.join(titles)}")
    if "Parameters" in titles and names is not None:
        at = titles.index("Parameters")
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        described = [
            name.strip("* ") for line in _PARAMETER.findall(text[found[at].end() : end]) for name in line.split(",")
        ]
        wrong += [f"no parameter {name}" for name in described if name not in names]
    return wrong


def documented(module):
    """(name, docstring, parameters) of a module's own public functions and classes, and of their methods."""
    for name, item in vars(module).items():
        if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(item):
            yield name, inspect.cleandoc(item.__doc__ or ""), parameters(item)
            for own, member in vars(item).items():
                member = getattr(member, "__func__", getattr(member, "func", getattr(member, "fget", member)))
                if not own.startswith("_") and inspect.isfunction(member):
                    yield f"{name}.{own}", inspect.cleandoc(member.__doc__ or ""), parameters(member)
        elif inspect.isfunction(item):
            yield name, inspect.cleandoc(item.__doc__ or ""), parameters(item)


def parameters(item) -> set[str] | None:
    try:
        found = inspect.signature(item).parameters
    except (TypeError, ValueError):
        return None
    # Options that are handed on are described under their own names.
    handed_on = any(each.kind is each.VAR_KEYWORD for each in found.values())
    return None if handed_on else set(found)


@pytest.mark.parametrize("name", MODULES)
def test_sections_stand_in_their_order(name):
    wrong = {
        item: found
        for item, text, names in documented(importlib.import_module(name))
        if (found := complaints(text, names))
    }
    assert not wrong


def test_enough_is_read():
    sections = [_HEADING.findall(text) for name in MODULES for _, text, _ in documented(importlib.import_module(name))]
    assert sum(bool(found) for found in sections) > 80


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A.\n\nRaises\n------\nx\n\nReturns\n-------\ny", "sections in the order Raises, Returns"),
        ("A.\n\nArguments\n---------\nx", "Arguments is no section"),
        ("A.\n\nReturns\n------\nx", "Returns is underlined by ------"),
        ("A.\n\nParameters\n----------\nrow, col : int\n    A place.\nrw : int", "no parameter rw"),
    ],
)
def test_what_is_wrong_is_found(text, found):
    assert complaints(text, {"row", "col"}) == [found]
