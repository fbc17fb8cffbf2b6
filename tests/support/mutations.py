"""Small changes to a source text that a test should notice: Python by its syntax tree, JavaScript by tokens."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutation(NamedTuple):
    """One change: the line, what stood there and what stands there now, and the whole source after it."""

    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.line}: {self.before}  ->  {self.after}"


# --- Python ------------------------------------------------------------------------------------


def python_mutations(source: str) -> list[tuple[int, int]]:
    """Return every change of a Python source: (number of the node, number of its change)."""
    tree = ast.parse(source)
    return [(place, way) for place, node in enumerate(_running(tree)) for way in range(len(_ways(node)))]


def mutate_python(source: str, place: int, way: int) -> Mutation:
    """Return one of the changes that `python_mutations` lists."""
    tree = ast.parse(source)
    node = list(_running(tree))[place]
    before = _shown(node)
    line = node.lineno
    after = copy.deepcopy(node)
    _ways(after)[way](after)
    _replace(tree, node, after)
    return Mutation(line, before, _shown(after), ast.unparse(ast.fix_missing_locations(tree)))


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run: no annotations, no docstrings, nothing for type checkers alone."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_text(child) or _is_for_checkers(child):
                continue
            yield child
            yield from _running(child)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_checkers(node: ast.AST) -> bool:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.FunctionDef) and any(ast.unparse(mark) == "overload" for mark in node.decorator_list)


def _ways(node: ast.AST) -> list:
    """What can be done to a node: functions that change it in place."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return [lambda it: _set(it, value=not it.value)]
        if isinstance(node.value, int):
            return [lambda it: _set(it, value=it.value + 1), lambda it: _set(it, value=it.value - 1)]
    if isinstance(node, ast.Compare):
        return [lambda it, at=at: _swap(it.ops, at) for at in range(len(node.ops))]
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in SWAPS:
        return [lambda it: _set(it, op=SWAPS[type(it.op)]())]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return [lambda it: _set(it, test=ast.UnaryOp(ast.Not(), it.test))]
    if isinstance(node, ast.comprehension):
        return [lambda it, at=at: it.ifs.pop(at) for at in range(len(node.ifs))]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        return [lambda it: _set(it, op=ast.UAdd() if isinstance(it.op, ast.USub) else None)]
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        nothing = lambda it: _set(it, value=ast.Constant(None))  # noqa: E731
        return (
            [nothing] if isinstance(node.value, ast.Constant) else [nothing, lambda it: _set(it, value=ast.Constant(0))]
        )
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return [lambda it: _set(it, dropped=True)]
    return []


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _set(node: ast.AST, **fields) -> None:
    for name, value in fields.items():
        setattr(node, name, value)


def _swap(operators: list, at: int) -> None:
    operators[at] = SWAPS[type(operators[at])]()


def _standing(node: ast.AST) -> ast.AST:
    """The node as it is written after the change: without its operator, or dropped."""
    if getattr(node, "dropped", False):
        return ast.Pass()
    return node.operand if isinstance(node, ast.UnaryOp) and node.op is None else node


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, _standing(new))
            elif isinstance(value, list) and any(item is old for item in value):
                value[next(at for at, item in enumerate(value) if item is old)] = _standing(new)


def _shown(node: ast.AST) -> str:
    node = _standing(node)
    if isinstance(node, (ast.If, ast.While)):
        return f"if {ast.unparse(node.test)}"
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))


# `lineno` is missing on comprehensions.
ast.comprehension.lineno = property(lambda self: self.target.lineno)

# --- JavaScript --------------------------------------------------------------------------------

TOKENS = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\s+"
    r"|(?<=[(,=!&|?:;])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+/[a-z]*|[A-Za-z_$][\w$]*)"
    r"|(?P<number>0x[0-9a-fA-F]+|\d+)|(?P<operator>>>>=?|===|!==|=>|\+\+|--|&&|\|\||\?\?|\?\.|\.\.\.|<<|>>|<=|>=|[+\-*/%&|^<>!]=?)|(?P<rest>.)",
    re.DOTALL,
)
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||", "||": "&&", "+": "-", "-": "+",
    "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", ">>>": "<<", "&": "|", "|": "&", "^": "|", "!": "",
    "??": "&&",
}  # fmt: skip
WORDS = {"true": "false", "false": "true"}


def javascript_mutations(source: str) -> list[tuple[int, int]]:
    """Return every change of a JavaScript source: (where the token begins, number of its change)."""
    found = []
    for token in TOKENS.finditer(source):
        text = token.group()
        ways = 2 if token.lastgroup == "number" else int(text in OPERATORS or text in WORDS)
        found += [(token.start(), way) for way in range(ways)]
    return found


def mutate_javascript(source: str, place: int, way: int) -> Mutation:
    """Return one of the changes that `javascript_mutations` lists."""
    token = TOKENS.match(source, place)
    text = token.group()
    new = str(int(text, 0) + (1, -1)[way]) if token.lastgroup == "number" else {**OPERATORS, **WORDS}[text]
    changed = source[:place] + new + source[token.end() :]
    line = source.count("\n", 0, place)
    before, after = (every.split("\n")[line].strip() for every in (source, changed))
    return Mutation(line + 1, before, after, changed)
