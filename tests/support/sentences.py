"""Whole sentences: expressions, each with what it says indented below it, as tests/data/sentences holds them."""

from __future__ import annotations

import ast
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import swizzle_widgets

SENTENCES = Path(__file__).parents[1] / "data" / "sentences"
MODULES = ("access_names", "atoms", "banks", "checks", "dtypes", "fragments", "hardware", "modes", "patterns", "table")
NAMES = {name: getattr(swizzle_widgets, name) for name in swizzle_widgets.__all__ if hasattr(swizzle_widgets, name)}
NAMES |= {name: import_module(f"swizzle_widgets.model.{name}") for name in MODULES}
NAMES |= {
    "np": np,
    "first_line": lambda make: said(make).partition("\n")[0],
    "tile": swizzle_widgets.Tile(64, 64, "f16"),
}


def said(expression) -> str:
    """What an expression, or a function without arguments, says: its value in words, or the error with its type."""
    try:
        text = str(eval(expression, dict(NAMES)) if isinstance(expression, str) else expression())
    except (TypeError, ValueError, IndexError) as error:
        text = f"{type(error).__name__}: {error}"
    return "\n".join(map(str.rstrip, text.split("\n")))


def sentences() -> list[tuple[str, str]]:
    """Every (expression, what it says)."""
    found: list[tuple[str, list[str]]] = []
    for path in sorted(SENTENCES.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            if not line or line.startswith("    "):
                found[-1][1].append(line[4:])
            else:
                found.append((line, []))
    return [(expression, "\n".join(lines).strip("\n")) for expression, lines in found]


def calls(name: str) -> list[tuple[Any, dict[str, Any]]]:
    """The calls of a class method of Tile with plain arguments: (text, the others by name)."""
    found = []
    for expression, _ in sentences():
        node = ast.parse(expression, mode="eval").body
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != name:
            continue
        with suppress(ValueError):
            text, *dtype = map(ast.literal_eval, node.args)
            options = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
            found.append((text, {**dict(zip(("dtype",), dtype)), **options}))
    return found
