"""Texts that CuTe C++ and Triton printed, against where their own arithmetic puts each element.

tests/data/texts/ holds the programs that printed them and what they printed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from swizzle_widgets import Tile
from tests.support.texts import CPP, checksum

DATA = Path(__file__).parents[2] / "data" / "texts"
TRITON = json.loads((DATA / "triton.json").read_text())


@pytest.mark.parametrize(("text", "bits", "rows", "cols", "total"), CPP, ids=[case[0] for case in CPP])
def test_cute_puts_its_elements_there(text, bits, rows, cols, total):
    dtype = {"8": "u8", "16": "f16", "32": "f32", "64": "f64", "128": "u128"}[bits]
    tile = Tile.from_cute(text, dtype)
    assert (tile.rows, tile.cols) == (int(rows), int(cols))
    assert checksum(tile.addresses) == int(total)


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.release)])
def test_triton_puts_its_elements_there(step):
    wrong = []
    for case in TRITON[::step]:
        shape, total = case["shape"], case["checksum"]
        tiles = [Tile.from_triton(case["text"], stage=stage) for stage in range(shape[0] if len(shape) == 3 else 1)]
        offsets = [tile.addresses.ravel() * 8 // case["bits"] for tile in tiles]
        if checksum([offset for one in offsets for offset in one]) != total:
            wrong.append((case["text"], shape))
    assert not wrong, wrong[:8]
    assert len(TRITON) > 500
