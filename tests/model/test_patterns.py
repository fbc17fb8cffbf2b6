"""Patterns: the values that access specs are, their signatures, and accesses made from them directly."""

from __future__ import annotations

import inspect
import json
import re

import numpy as np
import pytest

from swizzle_widgets import Access, Tile
from swizzle_widgets.model.patterns import PATTERNS, Pattern, signatures

TILE = Tile(40, 16, "f16")


def test_signatures_are_those_of_the_class_methods():
    assert tuple(signatures()) == PATTERNS
    for name, arguments in signatures().items():
        _, *parameters = inspect.signature(getattr(Access, name)).parameters.values()
        assert list(arguments) == [parameter.name for parameter in parameters]
        for parameter in parameters:
            default = {} if parameter.default is parameter.empty else {"default": parameter.default}
            assert {key: value for key, value in arguments[parameter.name].items() if key == "default"} == default
    types = {rule["type"] for arguments in signatures().values() for rule in arguments.values()}
    assert types == {"int", "bool", "str", "lanes", "width", "kind", "cache"}
    assert json.loads(json.dumps(signatures())) == signatures()


def test_an_access_made_from_its_pattern_is_the_access():
    made = Access(TILE, Pattern.of("column", col=8, row=3))
    assert made == Access.column(TILE, 8, row=3)
    # The pattern is filled in, so that it can be sent and used on another tile.
    assert made.spec == {"pattern": "column", "row": 3, "col": 8, "width": 2, "kind": "load"}
    assert made.on(Tile(40, 16, "f16", padding=2)).starts[0] == 3 * 18 + 8
    assert made.pattern.get("row") == 3
    assert made.pattern.get("trans") is None
    assert hash(made.pattern) == hash(Pattern.of_spec(made.spec))


@pytest.mark.parametrize(
    ("pattern", "error", "text"),
    [
        ({"pattern": "column"}, TypeError, "pattern must be a Pattern, not {'pattern': 'column'}"),
        (Pattern("diagonal"), ValueError, "pattern = 'diagonal' is not known"),
        (Pattern.of("column", line=3), TypeError, "column has no argument 'line': it takes col, row, width, kind"),
        (Pattern.of("at", rows=3), TypeError, "at needs the argument 'cols'"),
        (Pattern.of("offsets"), TypeError, "offsets needs the argument 'offsets'"),
        (Pattern.of("column", col=16), ValueError, "(0, 16) is outside the tile"),
        (Pattern.of("at", rows=0, cols=0, name=3), TypeError, "name must be a string, not 3"),
        (Pattern.of("cp_async", cache="L2"), ValueError, "cache = 'L2' is not known: it must be one of 'cg', 'ca'"),
        (Pattern.of("cp_async", width=8, cache="cg"), ValueError, "cp.async.cg copies 16 bytes a lane"),
    ],
)
def test_a_wrong_pattern_makes_no_access(pattern, error, text):
    with pytest.raises(error, match=re.escape(text)):
        Access(TILE, pattern)


def test_arguments_are_plain_values_whatever_they_came_as():
    access = Access.at(TILE, np.arange(8, dtype=np.uint8), range(0, 16, 2), name="a diagonal")
    assert access.spec == {
        "pattern": "at", "rows": list(range(8)), "cols": list(range(0, 16, 2)), "width": 2, "kind": "load",
        "name": "a diagonal",
    }  # fmt: skip
    assert json.loads(json.dumps(access.spec)) == access.spec


@pytest.mark.parametrize(
    ("dtype", "moved"),
    [
        ("f16", ""), ("e4m3", ", moves 16-bit pairs of e4m3"), ("e2m1", ", moves 16-bit groups of 4 of e2m1"),
        ("b1", ", moves 16-bit groups of 16 of b1"), ("tf32", ", moves 16-bit halves of tf32"),
        ("f64", ", moves 16-bit quarters of f64"),
    ],
)  # fmt: skip
def test_ldmatrix_says_what_it_moves(dtype, moved):
    tile = Tile(16, 256, dtype)
    assert str(Access.ldmatrix(tile)) == f"ldmatrix.x4, corner (0, 0){moved}"
    assert str(Access.stmatrix(tile, num=1, trans=True)) == f"stmatrix.x1, corner (0, 0), .trans{moved}"
