"""Errors of the command name what a terminal has: flags and the parts of an access's name, not Python's arguments."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from swizzle_widgets import Tile
from swizzle_widgets.command import main
from swizzle_widgets.command.flags import in_flags
from swizzle_widgets.model.access_names import GRAMMAR
from tests.support.terminal import PLAIN, SWIZZLED, TRITON, unfolded

MODEL = Path(inspect.getfile(Tile)).parent
OF_PYTHON = set(inspect.signature(Tile.from_cute).parameters) | set(inspect.signature(Tile.from_triton).parameters)
# What is given as TEXT on the line, and what the error must name.
WRONG = [
    ([PLAIN], "--dtype f16"), ([PLAIN, "--dtype", "f16", "--stage", "3"], "--stage 3"),
    (["(_128,_64,_2):(_128,_1,_64)", "--dtype", "f16"], "--partition mma"),
    (["((_64,(_8,_2)),_2,_4):((_1,(_64,_1024)),_512,_2048)", "--dtype", "f16"], "--stage"),
    (["(_16,_16,_8,_4):(_64,_1,_1024,_16)", "--dtype", "f16"], "--partition mma"),
    (["S<3,4,3> o 0 o (64,64):(64,1)", "--dtype", "f16"], "(--unit byte --anchor address)"),
    ([SWIZZLED, "--unit", "element"], "--unit byte"), ([SWIZZLED, "--anchor", "offset"], "--anchor address"),
    ([SWIZZLED, "--unit", "word"], "--unit"), ([SWIZZLED, "--partition", "tma"], "--partition tma"),
    ([PLAIN, "--dtype", "f16", "--base-address", "-8"], "--base-address -8"),
    ([PLAIN, "--dtype", "f16", "--base-address", "3"], "--base-address 3"),
    ([PLAIN, "--dtype", "f16", "--base-address", "232447"], "--base-address"),
    (["(_8,_8):(_-8,_1)", "--dtype", "f16"], "--base-address"), ([PLAIN, "--dtype", "f16", "--stage", "-1"], "--stage"),
    ([TRITON, "--dtype", "f16"], "--shape ROWSxCOLS"), ([TRITON, "--shape", "64x48", "--dtype", "f16"], "shape"),
    ([TRITON, "--shape", "64x64"], "--dtype f16"), ([TRITON, "--shape", "64", "--dtype", "f16"], "--shape 64"),
    ([TRITON, "--shape", "64x64", "--dtype", "f16", "--stage", "1"], "--stage 1, but --shape 64x64"),
    ([PLAIN, "--dtype", "f16", "--access", "ldmatri"], "'ldmatri'"),
    ([PLAIN, "--dtype", "f16", "--access", "cp.async:3"], "3 bytes"),
    ([PLAIN, "--dtype", "f16", "--access", "row:3"], "3 bytes"),
    ([PLAIN, "--dtype", "f16", "--access", "m16n8k16.A:0x2"], "0"),
    ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=48x16"], "/predicate"),
    ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/width=3"], "3 bytes"),
]  # fmt: skip


def named_in_python(text: str) -> list[str]:
    """What a text names as Python does; the grammar's own parts and lines that show a text are not looked at."""
    shown = "\n".join(line for line in text.replace(GRAMMAR, "").split("\n") if not line.startswith("    "))
    shown = re.sub(r"access '[^']*'|\b(?:tv|tiler|threads|values)=\S+", "", shown)
    return re.findall(rf"\b\w+=|\b(?:{'|'.join(OF_PYTHON)}) = |\bbase_address\b|predicate=", shown)


@pytest.mark.parametrize(("arguments", "names"), WRONG)
def test_what_is_wrong_is_said_in_flags(arguments, names, capsys):
    status = main(arguments)
    shown = capsys.readouterr()
    assert status == 2 or "does not fit" in shown.out or "cannot be done" in shown.out
    said = shown.err + shown.out
    assert names in unfolded(said)
    assert not named_in_python(said), said


def test_no_message_of_the_model_names_an_argument_that_is_no_flag():
    """Every string of the model that names an argument of these is turned into flags, whoever raises it."""
    found = 0
    for path in MODEL.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        raised = [each for node in ast.walk(tree) for each in strings(node)]
        for text in raised:
            if re.search(rf"\b(?:{'|'.join(OF_PYTHON)}|predicate)=", text):
                found += 1
                assert not named_in_python(in_flags(text)), (path.name, text)
    assert found >= 6


def strings(node: ast.AST) -> list[str]:
    """The strings in what is raised, refused or returned as an explanation."""
    if not isinstance(node, (ast.Raise, ast.Return, ast.Assign)):
        return []
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def test_the_text_itself_is_shown_as_it_is():
    message = "expected '}':\n    #ttg.x<{shape = [64, 64]}>\n        ^"
    assert in_flags(message) == message
