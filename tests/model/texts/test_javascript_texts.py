"""The browser's reader of printed texts, held equal to Python's on clean texts, and as strict."""

from __future__ import annotations

import json

import pytest

from swizzle_widgets import Access, Swizzle, Tile, TiledCopy
from swizzle_widgets.model.texts.cute import _read
from swizzle_widgets.model.texts.writing import cpp_code, dsl_code
from tests.support.engine import Engine
from tests.support.texts import CASES, CORPUS, PRINTED

ASKED = [case for case in CASES if "maker" not in case]
TEXTS = [*CORPUS, *(text for text, _ in PRINTED), *(case["text"] for case in ASKED)]
TEXTS += ["S<3,3,3> o _0 o (_8,_64):(_64,_1)", "S<3,3,3> o 0 o (8,64):(_64,1)", "S<3,3,3> o _0 o (_8,_8):(_-8,_1)"]
REFUSED = [
    "(8,64)(64,1)", "(8,64):(64,1", "(8,?):(64,1)", "(8,8):(_1@0,_1@1)", "gmem_ptr[16b](0x12) o (8,8):(8,1)",
    "Sw<3,4> o (8,64):(64,1)", "",
    "tensor<(8,64):(64,1)", "Sw<3,3,3> o Sw<3,3,3> o (8,64):(64,1)", "Sw3,4,3 o (8,8):(8,1)",
    "!cute.ptr<f16, smem>", "(8,(2,4)):(8,1)", "sA: (8,8):(8,1)", "(" * 18 + "8" + ")" * 18 + ":1",
    "smem_ptr[16b](0x0) o Sw<3,3,3> o M_0|(16&48)=17 o (_16,_16):(_64,_1)",
]  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    engine = Engine("texts.js")
    yield engine
    engine.close()


def in_python(text: str):
    """Python's reading as JSON has it; the text and caret of its refusal."""
    try:
        return json.loads(json.dumps(vars(_read(text))))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("text", TEXTS)
def test_clean_texts_are_read_alike(engine, text):
    assert engine.answer("parts", text) == in_python(text)


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_point_at_the_same_character(engine, text):
    ours, theirs = in_python(text), engine.answer("parts", text)
    assert isinstance(ours, str)
    assert isinstance(theirs, str)
    assert theirs.split("\n")[1:] == ours.split("\n")[1:]


@pytest.mark.parametrize("fields", [None, (3, 4, 3), (2, 3, -3)])
@pytest.mark.parametrize(
    ("shape", "stride"),
    [((64, 64), (64, 1)), (((8, 16), (64, 2)), ((64, 512), (1, 8192))), (((8,), (8, 8)), ((8,), (1, 64)))],
)
def test_code_is_written_alike(engine, shape, stride, fields):
    swizzle = fields and Swizzle(*fields)
    asked = {"layout": {"shape": shape, "stride": stride}, "swizzle": fields, "bits": 16, "dtype": "f16"}
    expected = [cpp_code(shape, stride, swizzle), cpp_code(shape, stride, swizzle, 16)]
    expected += [dsl_code(shape, stride, swizzle), dsl_code(shape, stride, swizzle, "f16")]
    assert engine.answer("written", asked) == expected


@pytest.mark.parametrize("fields", [None, (2, 4, 3), (0, 4, 3)])
def test_the_python_lines_make_what_is_shown(engine, fields, capsys):
    text, options = "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_64):(_64,_1)", {"dtype": "f16", "unit": None, "stage": 0}
    access = Access.ldmatrix(Tile.from_cute(text, "f16"), 16, 16, trans=True)
    code = engine.answer(
        "inPython", {"text": text, "options": options, "swizzle": fields, "unit": "byte", "access": access.spec}
    )
    names = {"Access": Access, "Swizzle": Swizzle, "Tile": Tile}
    exec(code, names)
    expected = (3, 4, 3) if fields is None else fields
    assert (names["tile"].swizzle or Swizzle(0, 4, 3)) == Swizzle(*expected)
    assert capsys.readouterr().out == f"{access.on(names['tile']).report()}\n"


def test_the_python_line_of_a_triton_layout_makes_its_tile(engine):
    text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [2, 1, 0]}>"
    tile = Tile.from_triton(text, (2, 64, 64), "f16", stage=1)
    options = {"shape": "2x64x64", "dtype": "f16", "stage": 1, "unit": None, "partition": None}
    access = {"pattern": "ldmatrix", "num": 4}
    asked = {"text": text, "options": options, "swizzle": None, "unit": "byte", "access": access}
    lines = engine.answer("inPython", asked)
    told = {}
    exec(lines.rsplit("\n", 1)[0], {"Tile": Tile}, told)
    assert told["tile"] == tile
    assert lines.startswith("tile = Tile.from_triton(")


def test_the_python_line_of_a_whole_copy_makes_it(engine, capsys):
    text = "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1)"
    access = {"pattern": "ldmatrix", "num": 4}
    copy = {"tv": "(32,8):(1,32)", "tiler": [32, 8], "width": None, "kind": "ldmatrix", "predicate": True}
    asked = {"text": text, "options": {}, "swizzle": None, "unit": "byte", "access": access, "copy": copy}
    exec(engine.answer("inPython", asked), {"Access": Access, "Tile": Tile, "TiledCopy": TiledCopy})
    tile = Tile.from_cute(text)
    expected = TiledCopy.from_tv(tile, "(32,8):(1,32)", (32, 8), kind="ldmatrix", predicate=True).report()
    assert capsys.readouterr().out.splitlines()[-1] == str(expected)
