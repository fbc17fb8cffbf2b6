"""The browser's reader of printed texts, held equal to Python's on clean texts, and as strict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swizzle_widgets
from swizzle_widgets.model.texts.cute import _read

from .test_asked import CASES
from .test_cute import PRINTED
from .test_damage import CORPUS

SCRIPT = Path(swizzle_widgets.__file__).parent / "widgets" / "js" / "model" / "texts.js"
CALL = """
function called(text) {
  try { return JSON.stringify(readCute(text)); } catch (error) { return JSON.stringify(String(error.message)); }
}
"""
TEXTS = [*CORPUS, *(text for text, _ in PRINTED), *(case["text"] for case in CASES if "maker" not in case)]
TEXTS += ["S<3,3,3> o _0 o (_8,_64):(_64,_1)", "S<3,3,3> o 0 o (8,64):(_64,1)", "S<3,3,3> o _0 o (_8,_8):(_-8,_1)"]
REFUSED = [
    "(8,64)(64,1)", "(8,64):(64,1", "(8,?):(64,1)", "(8,8):(_1@0,_1@1)", "gmem_ptr[16b](0x12) o (8,8):(8,1)",
    "Sw<3,4> o (8,64):(64,1)", "",
    "tensor<(8,64):(64,1)", "Sw<3,3,3> o Sw<3,3,3> o (8,64):(64,1)", "Sw3,4,3 o (8,8):(8,1)",
    "!cute.ptr<f16, smem>", "(8,(2,4)):(8,1)", "sA: (8,8):(8,1)", "(" * 18 + "8" + ")" * 18 + ":1",
    "smem_ptr[16b](0x0) o Sw<3,3,3> o M_0|(16&48)=17 o (_16,_16):(_64,_1)",
]  # fmt: skip


@pytest.fixture(scope="module")
def called():
    racer = pytest.importorskip("py_mini_racer").MiniRacer()
    racer.eval(SCRIPT.read_text().replace("export function", "function") + CALL)
    return lambda text: json.loads(racer.call("called", text))


def in_python(text: str):
    """Python's reading as JSON has it; the text and caret of its refusal."""
    try:
        return json.loads(json.dumps(vars(_read(text))))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("text", TEXTS)
def test_clean_texts_are_read_alike(called, text):
    assert called(text) == in_python(text)


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_point_at_the_same_character(called, text):
    ours, theirs = in_python(text), called(text)
    assert isinstance(ours, str)
    assert isinstance(theirs, str)
    assert theirs.split("\n")[1:] == ours.split("\n")[1:]
