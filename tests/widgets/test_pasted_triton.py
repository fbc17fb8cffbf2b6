"""Triton's texts become the same tiles in the browser as in Python, or are refused in the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from swizzle_widgets import Tile
from swizzle_widgets.widgets.wire import tile_spec
from tests.support.sentences import calls
from tests.support.texts import CASES

CORPUS = json.loads((Path(__file__).parents[1] / "data" / "texts" / "triton.json").read_text(encoding="utf-8"))
SIZES = {4: "s4", 8: "u8", 16: "f16", 32: "f32", 64: "f64"}
SWIZZLED = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
OLD = "#triton_gpu.shared<{{vec = 8, perPhase = {}, maxPhase = {}, order = [1, 0], hasLeadingOffset = {}}}>"
PADDED = "#ttg.padded_shared<[128:+8] {offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], block = []}>"
MORE = [
    (SWIZZLED, {"shape": [64, 64], "dtype": "half"}), (SWIZZLED, {"shape": [64, 64], "dtype": "f64"}),
    *((SWIZZLED.replace("[1, 0]", "[2, 1, 0]"), {"shape": [3, 16, 64], "dtype": "f16", "stage": at}) for at in (0, 2)),
    (SWIZZLED, {"shape": [4, 16, 64], "dtype": "f16", "stage": 3}),
    (NVMMA, {"shape": [64, 64]}), (NVMMA, {"shape": [2, 64, 64], "dtype": "bf16", "stage": 1}),
    (NVMMA.replace("16}", "16, rank = 3}"), {"shape": [2, 64, 64], "stage": 1}),
    *((OLD.format(phase, 8 // phase, "true"), {"shape": [64, 64], "dtype": "f16"}) for phase in (1, 2, 4)),
    (OLD.format(1, 8, "false"), {"shape": [64, 64], "dtype": "f16"}),
    (PADDED, {"shape": [4, 8], "dtype": "f16"}),
    # A line whose elements are no modes: offsets 0, 1, 3, 2.
    (PADDED.replace("[0, 2]", "[0, 3]"), {"shape": [4, 8], "dtype": "f16"}),
    (PADDED.replace("[0, 2]", "[0, 6]"), {"shape": [4, 8], "dtype": "f16"}),
]  # fmt: skip
REFUSED = [
    (SWIZZLED, {"dtype": "f16"}), (SWIZZLED, {"shape": [64, 64]}), (SWIZZLED, {"shape": [64, 48], "dtype": "f16"}),
    (SWIZZLED, {"shape": [64], "dtype": "f16"}), (SWIZZLED, {"shape": [64, 64], "dtype": "f17"}),
    (SWIZZLED, {"shape": [64, 64], "dtype": "f16", "stage": 1}), (SWIZZLED[:-1], {"shape": [8, 8], "dtype": "f16"}),
    (SWIZZLED.replace("vec = 8, ", ""), {"shape": [64, 64], "dtype": "f16"}),
    (SWIZZLED.replace("vec = 8", "vec = 3"), {"shape": [64, 64], "dtype": "f16"}),
    (SWIZZLED.replace("[1, 0]", "[0, 2, 1]"), {"shape": [64, 64], "dtype": "f16"}),
    (SWIZZLED.replace("order", "CTASplitNum = [2, 1], order"), {"shape": [64, 64], "dtype": "f16"}),
    (SWIZZLED + " x", {"shape": [64, 64], "dtype": "f16"}), ("#ttg.blocked<{order = [1, 0]}>", {"dtype": "f16"}),
    (SWIZZLED, {"shape": [4096, 4096], "dtype": "f16"}), (NVMMA, {"shape": [64, 32]}),
    (NVMMA, {"shape": [64, 64], "dtype": "f32"}), (NVMMA.replace("128", "48"), {"shape": [64, 64]}),
    (NVMMA.replace("16}", "16, fp4Padded = true}"), {"shape": [64, 64]}), (OLD.format(1, 4, "true"), {"shape": [64, 64],
    "dtype": "f16"}), (PADDED, {"shape": [8, 8], "dtype": "f16"}),
    (PADDED.replace("[2, 0]", "[1, 1]"), {"shape": [4, 8], "dtype": "f16"}),
    ("(8,8):(8,1)", {"shape": [8, 8], "dtype": "f16"}), ("", {}),
]  # fmt: skip
# What a log puts around a text is taken away in Python alone.
DAMAGED = [(SWIZZLED.replace("<", "&lt;").replace(">", "&gt;"), {"shape": [64, 64], "dtype": "f16"})]


def in_python(text: str, told: dict) -> dict:
    """Python's tile as the widgets take it, and where each element lies; or its refusal."""
    given = {**told, "shape": tuple(told["shape"])} if "shape" in told else told
    try:
        tile = Tile.from_triton(text, **given)
    except ValueError as error:
        return {"error": str(error)}
    swizzle = None if tile.swizzle is None else str(tile.swizzle)
    # What is said of a map beside it is Python's alone.
    geometry = {name: value for name, value in tile_spec(tile).items() if name != "note"}
    addresses = tile.addresses.ravel().tolist()
    return {"tile": geometry, "swizzle": swizzle, "unit": tile.unit, "addresses": addresses}


def both(engine, text: str, told: dict) -> tuple[dict, dict]:
    asked = {"text": text, "told": told, "maker": "triton"}
    return engine.answer("(pasted) => attempt(() => pastedOf(pasted))", asked), in_python(text, told)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.release)])
def test_every_text_of_the_corpus_is_the_same_tile(engine, every):
    read = 0
    for case in CORPUS[::every]:
        last = case["shape"][0] - 1 if len(case["shape"]) == 3 else 0
        told = {"shape": case["shape"], "dtype": SIZES[case["bits"]], "stage": last}
        ours, theirs = both(engine, case["text"], told)
        assert ours == theirs, (case["text"], told)
        read += "tile" in theirs
    assert read > 500 // every


@pytest.mark.parametrize(
    ("text", "told"), [*MORE, *((case["text"], case["call"]) for case in CASES if case.get("maker") == "from_triton")]
)
def test_tiles_are_the_same(engine, text, told):
    ours, theirs = both(engine, text, told)
    assert "tile" in theirs
    assert ours == theirs


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_refusals_are_the_same(engine, text, told):
    ours, theirs = both(engine, text, told)
    assert "error" in theirs
    assert ours == theirs


def test_every_pinned_text_says_the_same(engine):
    asked = [(text, told) for text, told in calls("Tile.from_triton") if isinstance(told.get("shape", ()), tuple)]
    assert len(asked) > 80
    for text, told in asked:
        # A name before a text is taken away in Python alone.
        ours, theirs = both(engine, text.removeprefix("#shared = "), json.loads(json.dumps(told)))
        assert ours == theirs, (text, told)


@pytest.mark.parametrize(("text", "told"), DAMAGED)
def test_damaged_text_is_refused_here(engine, text, told):
    ours, theirs = both(engine, text, told)
    assert "tile" in theirs
    assert "error" in ours
