"""Short enough to be read: modules, functions and lines."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "swizzle_widgets"
MODULE_LINES, FUNCTION_LINES, LINE = 400, 50, 120

# A function's first line, as the formatter leaves it: it ends with the brace that opens its body.
_FUNCTION = re.compile(r"\bfunction\b.*\{$|=> \{$|^\s*(?:static |async |get |set )*#?\w+\([^()]*\) \{$|^\s*\) \{$")
_STATEMENT = re.compile(r"^\s*(?:\} )?(?:if|for|while|switch|catch|else)\b")


def own_lines(text: str) -> dict[str, int]:
    """The lines of each JavaScript function of more than one line, by its first line; those within it count themselves.

    Files are formatted (test_biome.py), so a body ends at the first line indented as its function that closes it.
    """
    lines = text.split("\n")
    owner: list[tuple[int, str]] = []
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        if _FUNCTION.search(line) and not _STATEMENT.match(line):
            owner.append((indent, f"{number}: {line.strip()}"))
        if owner:
            counts[owner[-1][1]] = counts.get(owner[-1][1], 0) + 1
            if indent == owner[-1][0] and line.lstrip().startswith("}"):
                owner.pop()
    return counts


def test_functions_within_functions_count_for_themselves():
    inner = "  const inner = (b) => {\n    a = b;\n  };\n"
    text = f"function outer() {{\n  let a;\n{inner}  if (a) {{\n    a();\n  }}\n}}\nlet c;\n"
    assert own_lines(text) == {"1: function outer() {": 6, "3: const inner = (b) => {": 3}
    long = "class A {\n  get(a) {\n" + "    a();\n" * 60 + "  }\n}\n"
    assert own_lines(long) == {"2: get(a) {": 62}


def test_javascript_functions_are_short():
    counts = {
        (path.relative_to(PACKAGE).as_posix(), head): count
        for path in PACKAGE.rglob("*.js")
        for head, count in own_lines(path.read_text(encoding="utf-8")).items()
    }
    assert len(counts) > 200
    assert not {head: count for head, count in counts.items() if count > FUNCTION_LINES}


def test_lines_of_scripts_and_styles_are_short():
    # Those of Python are ruff's.
    long = [
        f"{path.relative_to(PACKAGE).as_posix()}:{number}"
        for kind in ("js", "css")
        for path in PACKAGE.rglob(f"*.{kind}")
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LINE
    ]
    assert not long


def test_modules_are_short():
    counts = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for path in PACKAGE.rglob("*.py")
    }
    assert len(counts) > 80
    assert not {name: count for name, count in counts.items() if count > MODULE_LINES}
