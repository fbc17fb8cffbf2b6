"""Addresses that a kernel dumped: the browser's request costs what Python's bank_report says."""

from __future__ import annotations

import contextlib
import io
import random

import numpy as np
import pytest

from swizzle_widgets import bank_report
from swizzle_widgets.model.hardware import KIND_WIDTHS, LINE_BYTES, SHARED_BYTES

GENERIC = 0x7FFF21C00000


def dumped(engine, text: str, **told) -> dict:
    return engine.answer("(dump) => attempt(() => dumpedOf(dump))", {"text": text, "told": told})


def test_every_kind_and_width_at_random(engine):
    chance = random.Random(5)
    for kind, widths in KIND_WIDTHS.items():
        for width in widths:
            for start in (0, GENERIC):
                step = chance.choice((1, 2, 8, 9, 33))
                most = SHARED_BYTES // width // 40
                places = [chance.choice((lane * step, chance.randrange(most))) * width for lane in range(32)]
                text = chance.choice((", ", "\n", " ")).join(
                    chance.choice((str, hex))(start + place) for place in places
                )
                expected = bank_report(np.array(places), width, kind)
                found = dumped(engine, text, width=width, kind=kind)
                assert found["addresses"] == [str(start + place) for place in places]
                assert found["report"] == str(expected), (kind, width)
                lines = len({place // LINE_BYTES for place in places})
                assert (found["lines"], found["bytes"]) == (lines, LINE_BYTES)
                assert run(found["code"]) == str(expected)


def test_lanes_that_take_no_part(engine):
    found = dumped(engine, "0 - 128 -1 256", width=4)
    active = np.isin(np.arange(32), [0, 2, 4])
    assert found["report"] == str(bank_report(np.arange(32) // 2 * 128, 4, "load", active))
    assert run(found["code"]) == found["report"]
    assert found["code"] == (
        'print(bank_report([0, 0, 128, 0, 256], 4, "load", active=[True, False, True, False, True]))'
    )


@pytest.mark.parametrize("start", [0, GENERIC])
def test_the_line_of_code_leaves_out_who_takes_no_part(engine, start):
    """Lane 0 of a line that the others' pointers begin in: its place is 0, and it is absent."""
    found = dumped(engine, f"- {start + 132} {start + 260}", width=4)
    assert run(found["code"]) == found["report"] == str(bank_report([0, 4, 132], 4, "load", [False, True, True]))


def test_the_line_of_code_names_no_lanes_where_all_take_part(engine):
    assert dumped(engine, "0 128", width=4)["code"] == 'print(bank_report([0, 128], 4, "load"))'


def run(code: str) -> str:
    """What a line of code prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {"bank_report": bank_report})
    return said.getvalue().strip()


@pytest.mark.parametrize(
    ("text", "told", "said"),
    [
        ("", {}, "0 addresses: one request has 1 to 32, one a lane"),
        ("0 " * 33, {}, "33 addresses: one request has 1 to 32, one a lane"),
        ("0 x1", {}, "lane 1: 'x1' is no address: decimal or 0x, in bytes"),
        ("2 0", {"width": 4}, "lane 0: its address is no multiple of 4 bytes"),
        ("0 2", {"width": 4}, "lane 1: its address is no multiple of 4 bytes"),
        ("- -", {}, "no lane has an address"),
        ("0 0x7fff21c00000", {}, "addresses 0x0 to 0x7fff21c00000 lie further apart"),
        ("0 4", {"width": 3}, "width = 3 bytes is no instruction"),
        ("0 16 32", {"width": 16, "kind": "ldmatrix"}, "ldmatrix takes its row addresses from the first 8, 16 or 32"),
    ],
)
def test_what_is_refused(engine, text, told, said):
    assert dumped(engine, text, **told)["error"].startswith(said)
