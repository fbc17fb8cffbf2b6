"""Pasted texts become the same tiles in the browser as in Python, or are refused in the same words."""

from __future__ import annotations

import random

import pytest

from swizzle_widgets import Tile
from swizzle_widgets.model.dtypes import DTYPE_ALIASES, DTYPE_BITS
from swizzle_widgets.model.hardware import SHARED_BYTES
from swizzle_widgets.widgets.wire import tile_spec
from tests.support.sentences import calls
from tests.support.texts import CASES, CPP, MN_PARTITIONS, PARTITIONS, PRINTED, SW128

SIZES = {"8": "u8", "16": "f16", "32": "f32", "64": "f64", "128": "u128"}
STAGED = "((_8,_16),(_64,_1),(_1,_4)):((_64,_512),(_1,_0),(_0,_8192))"


def in_python(text: str, told: dict) -> dict:
    """Python's tile as the widgets take it, and where each element lies; or its refusal."""
    try:
        tile = Tile.from_cute(text, **told)
    except ValueError as error:
        return {"error": str(error)}
    swizzle = None if tile.swizzle is None else str(tile.swizzle)
    # What is said of a map beside it is Python's alone.
    geometry = {name: value for name, value in tile_spec(tile).items() if name != "note"}
    return {
        "tile": geometry, "swizzle": swizzle, "unit": tile.unit, "addresses": tile.addresses.ravel().tolist(),
    }  # fmt: skip


def both(engine, text: str, told: dict) -> tuple[dict, dict]:
    ours = engine.answer("(pasted) => attempt(() => pastedOf(pasted))", {"text": text, "told": told})
    return ours, in_python(text, told)


# Damaged text is mended in Python alone.
DAMAGED = ["Sw<3,4,3> o smem_ptr16b o (_64,_64):(_64,_1)"]
ASKED = [(case["text"], case["call"]) for case in CASES if "maker" not in case and case["text"] not in DAMAGED]
CLEAN = [
    *((text, {"dtype": SIZES[bits]}) for text, bits, *_ in CPP),
    *((text, {"dtype": "f16"}) for text, _ in PRINTED),
    *((SW128 + text, {"partition": "mma", "stage": stage}) for text in PARTITIONS[:2] for stage in (0, 2)),
    *((SW128 + text, {"partition": "mma"}) for text in (PARTITIONS[2], *MN_PARTITIONS)),
    *((text, {"dtype": "f16", "stage": stage}) for text in (SW128 + STAGED, STAGED) for stage in range(4)),
    *(("S<3,4,3> o 0 o (8,64):(64,1)", {"dtype": "half", "unit": unit}) for unit in ("byte", "element")),
    ("S<3,4,3> o 0 o (8,64):(64,1)", {"dtype": "half", "unit": "byte", "anchor": "offset"}),
    ("smem_ptr[16b](0x400) o (8,8):(-8,1)", {}),
    ("smem_ptr[16b](0x7fff21c07400) o (8,8):(-8,1)", {}),
    ("Sw<3,3,3> o _512 o (8,64):(-64,1)", {"dtype": "f16"}),
    # At a multiple of the swizzle's period an offset inside it is an address.
    ("smem_ptr[16b](0x400) o Sw<3,3,3> o _72 o (_8,_64):(_64,_1)", {}),
    ("Sw<3,4,3> o smem_ptr[16b](0x400) o (8,64):(-64,1)", {}),
    ("smem_ptr[4b](unset) o (_32,_8):(_8,_1)", {"dtype": "int4"}),
    ("Sw<3,0,3> o _0 o (_32,_8):(_8,_1)", {"dtype": "int4"}),
]  # fmt: skip
REFUSED = [
    *((text, {"dtype": "f16"}) for text in (
        "((_8,_1),_4,_2):((_1,_0),_2048,_16)", "(_128,_64,_2):(_128,_1,_64)", "_64:_1",
        "((_64,(_8,_2)),_2,_4):((_1,(_64,_1024)),_512,_2048)", "(_16,_16,_8,_4):(_64,_1,_1024,_16)",
        "S<3,4,3> o 0 o (64,64):(64,1)", "S<3,4,3> o 0 o (8,8):(-8,1)", "S<3,0,3> o 0 o (8,9):(9,1)",
        "(8,8):(-8,1)", "(0,8):(8,1)", "Sw<3,4,2> o _0 o (8,8):(8,1)", "Sw<3,0,3> o -8 o (8,8):(8,1)",
        "(4096,4096):(4096,1)", "(8,8):(99999999,1)", "(8,64)(64,1)", "gmem_ptr[16b](0x12) o (8,8):(8,1)", "",
        "smem_ptr[16b](0x41) o (8,8):(8,1)", "Sw<3,3,3> o _64 o (8,64):(-64,1)", "smem_ptr[32b](unset) o (8,8):(8,1)",
        "smem_ptr[16b](0x410) o Sw<3,3,3> o _72 o (_8,_64):(_64,_1)",
    )),
    ("(8,8):(8,1)", {}), ("(8,8):(8,1)", {"dtype": "int4"}), ("(8,8):(8,1)", {"dtype": "e3m2"}),
    ("(8,8):(8,1)", {"dtype": "f17"}), ("(8,8):(8,1)", {"dtype": "f16", "stage": 1}),
    ("(8,8):(8,1)", {"dtype": "f16", "unit": "byte"}), ("(8,8):(8,1)", {"dtype": "f16", "partition": "mma"}),
    ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", {"dtype": "f16", "unit": "byte"}),
    ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", {"dtype": "f16", "anchor": "address"}),
    (SW128 + "(_8,_64):(_64,_1)", {"unit": "element"}), (SW128 + STAGED, {"stage": 4}),
    (SW128 + "(_8,_64):(_64,_1)", {"partition": "tma"}), ("smem_ptr[24b](unset) o (8,8):(8,1)", {}),
    ("Sw<3,0,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), [*CLEAN, *ASKED])
def test_pasted_tiles_are_the_same(engine, text, told):
    ours, theirs = both(engine, text, told)
    assert ours == theirs


def test_the_clean_cases_are_tiles(engine):
    assert all("tile" in in_python(text, told) for text, told in CLEAN)


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_refusals_are_the_same(engine, text, told):
    ours, theirs = both(engine, text, told)
    assert "error" in theirs
    assert ours == theirs


def test_every_pinned_text_says_the_same(engine):
    asked = [(text, told) for text, told in calls("Tile.from_cute") if "base_address" not in told]
    assert len(asked) > 90
    for text, told in asked:
        if isinstance(text, str):
            ours, theirs = both(engine, text, told)
            assert ours == theirs, (text, told)


@pytest.mark.parametrize(
    ("shape", "bits"),
    [
        # Python takes its time with a text of two million elements.
        pytest.param("({},1):(1,0)", 8 * SHARED_BYTES, marks=pytest.mark.release),
        pytest.param("(1,{}):(0,1)", 8 * SHARED_BYTES, marks=pytest.mark.release),
        ("({},1):(1,0)", 8 * SHARED_BYTES + 8),
        ("(1,{}):(0,1)", 8 * SHARED_BYTES + 8),
    ],
)
def test_a_tile_of_bits_fills_shared_memory_and_no_more(engine, shape, bits):
    pasted = {"text": shape.format(bits), "told": {"dtype": "b1"}}
    theirs = engine.answer("({ text, told }) => attempt(() => ({ rows: pastedTile(text, told).tile.rows }))", pasted)
    if bits > 8 * SHARED_BYTES:
        assert theirs == in_python(pasted["text"], pasted["told"])
    else:
        assert theirs == {"rows": Tile.from_cute(pasted["text"], "b1").rows}


@pytest.mark.parametrize("beyond", [-2, 0, 2, 14, 16])
@pytest.mark.parametrize("strides", ["(-64,1)", "(64,-1)", "(64,1)"])
def test_rows_that_count_down_end_inside_shared_memory(engine, strides, beyond):
    """The last byte of the tile is `beyond` bytes from the end, whichever way rows and columns run."""
    past = 2 * sum((size - 1) * max(int(stride), 0) for size, stride in zip((8, 64), strides[1:-1].split(","))) + 2
    ours, theirs = both(engine, f"smem_ptr[16b]({SHARED_BYTES - past + beyond:#x}) o (8,64):{strides}", {})
    assert ours == theirs
    assert ("error" in ours) == (beyond > 0)


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_text_is_refused_here(engine, text):
    ours, theirs = both(engine, text, {"dtype": "f16"})
    assert "tile" in theirs
    assert "error" in ours


def test_dtypes_are_read_alike(engine):
    names = [*DTYPE_BITS, *DTYPE_ALIASES, "cute::half_t", "torch.float8_e4m3fn", "__nv_bfloat16", "int4b_t", "Float16"]
    for name in names:
        ours, theirs = both(engine, "(8,8):(8,1)", {"dtype": name})
        assert ours == theirs


def test_texts_made_at_random_are_read_alike(engine):
    """Modes, stages, offsets, pointers and swizzles in all combinations; most are tiles, the others refused alike."""
    chance = random.Random(13)
    tiles = 0
    for _ in range(400):
        text, told = made(chance)
        ours, theirs = both(engine, text, told)
        tiles += "tile" in theirs
        assert ours == theirs, (text, told)
    assert 60 < tiles < 390


def made(chance: random.Random) -> tuple[str, dict]:
    rows, cols = 8 << chance.randrange(4), 8 << chance.randrange(4)
    shape, stride = chance.choice([
        (f"({rows},{cols})", f"({cols},1)"), (f"({rows},{cols})", f"(1,{rows + chance.randrange(3)})"),
        (f"((8,{rows // 8}),{cols})", f"(({cols},{8 * cols}),1)"),
        (f"({rows},{cols},3)", f"({cols},1,{rows * cols - chance.choice((0, 0, 8))})"),
        (f"(({rows},16),2,(2,2))", f"((64,1),{64 * rows},(16,32))"),
        (f"({rows},{cols})", f"(-{cols},1)"),
    ])  # fmt: skip
    swizzle = f"{chance.randrange(4)},{chance.randrange(6)},{chance.choice((3, 3, 4, -3, 2))}"
    place = hex(chance.choice((0, 16, 1024, 4096, 0x7FFF21C07480)))
    front = chance.choice([
        "", f"Sw<{swizzle}> o _{chance.choice((0, 0, 64, 72, 512))} o ", f"Sw<{swizzle}> o smem_ptr[16b]({place}) o ",
        f"S<{swizzle}> o 0 o ", f"smem_ptr[16b]({place}) o ", f"smem_ptr[16b]({place}) o Sw<{swizzle}> o _72 o ",
    ])  # fmt: skip
    told = {"dtype": chance.choice(("f16", "bf16", "half", "f16", "f32"))}
    for name, choices in (("unit", ("byte", "element")), ("stage", (1, 2)), ("partition", ("mma",))):
        if chance.random() < 0.25:
            told[name] = chance.choice(choices)
    return f"{front}{shape}:{stride}", told
