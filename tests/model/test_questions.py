"""Questions that kernel authors asked in public, each answered in one expression of the public API.

The cases hold what was asked: every lane's element offset, the instruction and the answer, three
quarters of them measured on an H200. The sources are named in tests/data/questions.json.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile, gmma_atom, tile_to_shape

QUESTIONS = Path(__file__).parents[1] / "data" / "questions.json"
CASES = {case["id"]: case for case in json.loads(QUESTIONS.read_text(encoding="utf-8"))}

lane = np.arange(32)
# A mip-map shader's lanes, which walk a 16x16 array in 2x2 blocks.
x, y = (lane & 1) + 2 * (lane >> 3 & 3), lane >> 1 & 3


def sw(bits: int, base: int, shift: int, unit: str | int = "element") -> dict:
    """A tile's swizzle and what it counts."""
    return {"swizzle": Swizzle(bits, base, shift), "unit": unit}


def stored(tile: Tile) -> Access:
    """The tile's first rows filled by ordinary stores of 16 bytes."""
    return Access.at(tile, *Access.cp_async(tile).coordinates, width=16, kind="store")


ANSWERS = {
    # What does Swizzle<3,3,3> do for the default SM80 atom?
    "C02a": lambda: Access.ldmatrix(Tile(16, 64, "f16", **sw(3, 3, 3))),
    "C02b": lambda: Access.ldmatrix(Tile(16, 64, "f16")),
    "C02c": lambda: Access.ldmatrix(Tile(16, 64, "f16", **sw(3, 3, 3)), trans=True),
    # Do 16 lanes that fill one row in two pages conflict?
    "C04a": lambda: Access.cp_async(Tile.from_cute("Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))", "f16"), cache="ca"),
    "C04b": lambda: Access.cp_async(Tile(64, 64, "f16", **sw(3, 3, 3)), cache="ca"),
    "C04c": lambda: Access.cp_async(Tile(16, 128, "f16"), cache="ca"),
    # Is a swizzle made for 128-byte rows enough for rows of 256?
    "C06a": lambda: Access.ldmatrix(Tile(16, 128, "f16", **sw(3, 3, 3))),
    "C06b": lambda: Access.ldmatrix(Tile(16, 128, "f16", **sw(3, 3, 4))),
    # Does a tile of 8x128 bits need one?
    "C08a": lambda: Access.ldmatrix(Tile(8, 128, "b1", **sw(3, 7, 3)), num=1),
    "C08b": lambda: Access.ldmatrix(Tile(8, 128, "b1"), num=1),
    # Is composition(Swizzle<3,4,3>, half layout) the 128-byte swizzle?
    "C10a": lambda: Access.ldmatrix(Tile(128, 64, "f16", **sw(3, 4, 3))),
    "C10b": lambda: Access.ldmatrix(Tile(128, 64, "f16", **sw(3, 4, 3, "byte"))),
    # Does Swizzle<1,4,3> of the 32-byte atom count bits?
    "C12a": lambda: Access.ldmatrix(Tile(8, 16, "f16", **sw(1, 4, 3, 1)), col=8, num=1),
    "C12b": lambda: Access.ldmatrix(Tile(8, 16, "f16", **sw(1, 4, 3, "byte")), col=8, num=1),
    # Which side pays for WGMMA's layout without a swizzle?
    "C14a": lambda: Access.ldmatrix(gmma_atom("half", swizzle="none"), num=1),
    "C14b": lambda: stored(tile_to_shape(gmma_atom("half", swizzle="none"), 64, 64)),
    # Can the size of the allocation change the conflicts?
    "C16a": lambda: Access.row(Tile(16, 32, "f16"), kind="store"),
    # Are Triton's (vec, perPhase, maxPhase) for rows of 64, 32 and 16 halves right?
    "C18a": lambda: Access.ldmatrix(Tile(16, 64, "f16", **sw(3, 3, 3))),
    "C18b": lambda: Access.ldmatrix(Tile(16, 32, "f16", **sw(2, 3, 3))),
    "C18c": lambda: Access.ldmatrix(Tile(16, 16, "f16", **sw(1, 3, 3))),
    # Does a rule that works for half work for fp8 and float?
    "C20a": lambda: Access.ldmatrix(Tile(16, 128, "e4m3", **sw(4, 4, 4))),
    "C20b": lambda: Access.ldmatrix(Tile(16, 32, "f32", **sw(2, 2, 2))),
    "C20c": lambda: Access.ldmatrix(Tile(16, 64, "f16", **sw(3, 3, 3))),
    # Is a contiguous float4 store a 4-way conflict?
    "C22a": lambda: Access.row(Tile(8, 128, "f32"), width=16, kind="store"),
    # Rows of 128 floats or of 132?
    "C24a": lambda: Access.at(Tile(8, 128, "f32"), lane % 8, lane // 8 * 4, 16, "store"),
    "C24b": lambda: Access.at(Tile(8, 128, "f32", padding=4), lane % 8, lane // 8 * 4, 16, "store"),
    # How many conflicts does one base tile cost?
    "C26a": lambda: Access.at(Tile(16, 16, "f32"), lane // 4, lane % 4 * 2, 8, "store"),
    # Are rows of 32 and of 16 bytes served by byte swizzles?
    "C28a": lambda: Access.ldmatrix(Tile(16, 16, "f16", **sw(3, 4, 3, "byte"))),
    "C28b": lambda: Access.ldmatrix(Tile(16, 8, "f16", **sw(3, 3, 3, "byte")), num=2),
    "C28c": lambda: Access.ldmatrix(Tile(16, 8, "f16"), num=2),
    # A column of floats, by row stride and swizzle.
    "C30a": lambda: Access.column(Tile(32, 32)),
    "C30b": lambda: Access.column(Tile(32, 32, padding=32)),
    "C30c": lambda: Access.column(Tile(32, 16)),
    "C30d": lambda: Access.column(Tile(32, 32, padding=1)),
    "C30e": lambda: Access.column(Tile(32, 32, **sw(5, 0, 5))),
    "C30f": lambda: Access.column(Tile(32, 32, **sw(3, 0, 5))),
    "C30g": lambda: Access.column(Tile(32, 32, **sw(2, 0, 5))),
    # Why does the profiler show conflicts for 128-bit loads?
    "C32a": lambda: Access.column(Tile(32, 32), width=16),
    "C32b": lambda: Access.row(Tile(1, 128), width=16),
    "C32c": lambda: Access.column(Tile(32, 32, **sw(3, 4, 3, "byte")), width=16),
    # Lanes in pairs read one float4: how many transactions?
    "C34a": lambda: Access.at(Tile(1, 32), 0, lane // 2 % 8 * 4, 16),
    # A transpose through a swizzled tile.
    "C36a": lambda: Access.column(Tile(32, 32, **sw(5, 0, 5)), 3, kind="store"),
    "C36b": lambda: Access.row(Tile(32, 32, **sw(5, 0, 5)), 3),
    # A column-major tile of eight rows.
    "C38a": lambda: Access.at(Tile(8, 8, order="column"), lane // 8, lane % 8),
    "C38b": lambda: Access.at(Tile(8, 8, order="column", **sw(3, 2, 3)), lane // 8, lane % 8),
    "C38c": lambda: Access.row(Tile(8, 32, order="column", **sw(3, 2, 3))),
    # Is copying float4 directly a 4-way conflict?
    "C40a": lambda: Access.row(Tile(1, 128), width=16),
    "C40b": lambda: Access.at(Tile(1, 128), 0, 4 * lane),
    # Rows of 8 or of 9 doubles?
    "C42a": lambda: Access.at(Tile(8, 8, "f64"), lane % 8, 0),
    "C42b": lambda: Access.at(Tile(8, 8, "f64", padding=1), lane % 8, 0),
    # Does the proposed index of the mip-map shader help, in either index order?
    "C44a": lambda: Access.at(Tile(16, 16), 2 * y, 2 * x + y % 2, kind="store"),
    "C44b": lambda: Access.at(Tile(16, 16), 2 * y + y // 2, 2 * x + y % 2, kind="store"),
    "C44c": lambda: Access.at(Tile(16, 16), 2 * x + y % 2, 2 * y, kind="store"),
    "C44d": lambda: Access.at(Tile(16, 16), 2 * x + y % 2, 2 * y + y // 2, kind="store"),
    # Why are the WGMMA atoms built with <3,4,3>, <2,4,3>, <1,4,3>, <0,4,3>?
    "C46a": lambda: Access.ldmatrix(gmma_atom("half", swizzle="128B"), num=1),
    "C46b": lambda: Access.ldmatrix(gmma_atom("half", swizzle="64B"), num=1),
    "C46c": lambda: Access.ldmatrix(gmma_atom("half", swizzle="32B"), num=1),
    "C46d": lambda: Access.ldmatrix(gmma_atom("half", swizzle="none"), num=1),
}


def test_every_question_has_an_answer():
    assert ANSWERS.keys() == CASES.keys()
    assert len(CASES) == 58


@pytest.mark.parametrize("name", CASES)
def test_the_expression_asks_what_was_asked(name):
    access, case = ANSWERS[name](), CASES[name]
    asked = case["element_offset_before_swizzle"]
    assert access.starts == (*asked, *[-1] * (32 - len(asked)))
    # A store that the question says is a cp.async: of the two, .ca is the one with banks.
    asked_for = "cp.async.ca.16" if "cp.async" in case["instruction"] else case["instruction"].split()[0]
    assert access.instruction == asked_for.removesuffix(".trans")
    assert access.tile.element_bits == case["element_bits"]
    swizzle = access.tile.swizzle
    if case["swizzle"] is None:
        assert swizzle is None or swizzle.is_identity
    else:
        unit = case["swizzle"]["unit_bits"]
        assert swizzle.recast(access.tile.unit_bits, unit) == Swizzle(*(case["swizzle"][field] for field in "bms"))


@pytest.mark.parametrize("name", CASES)
def test_the_answer(name):
    access, case = ANSWERS[name](), CASES[name]
    report = access.report(allow_torn=True)
    answer = {"wavefronts": report.wavefronts, "ideal": report.ideal, "conflicts": report.conflicts}
    assert answer == case["answer"]
    assert (access.vectors == "whole") == case["vector_stays_contiguous"]
