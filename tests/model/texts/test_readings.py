"""Third modes, partitions, units and dtypes: what is read, what is refused, and what the refusal says."""

from __future__ import annotations

import numpy as np
import pytest

from swizzle_widgets import Tile
from tests.support.texts import MN_PARTITIONS, PARTITIONS, SW128

WHOLE = Tile.from_cute(SW128 + "((_8,_16),(_64,_1)):((_64,_512),(_1,_0))")


@pytest.mark.parametrize("partition", PARTITIONS)
def test_a_partition_is_the_tile_it_was_made_of(partition):
    tile = Tile.from_cute(SW128 + partition, partition="mma")
    assert np.array_equal(tile.addresses, WHOLE.addresses)
    if partition.count("_8192"):
        staged = Tile.from_cute(SW128 + partition, partition="mma", stage=2)
        assert np.array_equal(staged.addresses, WHOLE.addresses + 2 * 16384)
    with pytest.raises(ValueError, match='partition="mma"'):
        Tile.from_cute(SW128 + partition)


@pytest.mark.parametrize("partition", MN_PARTITIONS)
def test_a_partition_of_an_mn_major_tile(partition):
    whole = Tile.from_cute(SW128 + "((_64,_2),(_8,_8)):((_1,_512),(_64,_1024))")
    tile = Tile.from_cute(SW128 + partition, partition="mma")
    assert np.array_equal(tile.addresses, whole.addresses)


@pytest.mark.parametrize(
    "stages",
    [
        "(_128,_64,_3):(_64,_1,_8192)",
        "((_8,_16),(_64,_1),(_1,_3)):((_64,_512),(_1,_0),(_0,_8192))",
        "((_8,_16),(_64,_1),_3):((_64,_512),(_1,_0),_8192)",
        "(_128,_64,_3):(_64,_1,_9000)",
    ],
)
def test_a_third_mode_behind_the_first_two_counts_stages(stages):
    step = 2 * int(stages.rsplit("_", 1)[1].rstrip(")"))
    for stage in range(3):
        tile = Tile.from_cute(stages, "f16", stage=stage)
        assert np.array_equal(tile.addresses, Tile.from_cute("(_128,_64):(_64,_1)", "f16").addresses + stage * step)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("((_8,_1),_4,_2):((_1,_0),_2048,_16)", "one thread's view, not a tile"),
        ("((_1,_8),_8,_1):((_0,_1),_1024,_0)", "one thread's view, not a tile"),
        ("((_2,_2,_2),_4,(_2,_2)):((_1,_512,8),_2048,(16,32))", "one thread's view, not a tile"),
        ("((_8,_1),_4,_4,(_1,_3)):((_1,_0),_2048,_16,(_0,_8192))", "one thread's view, not a tile"),
        ("(_128,_64,_2):(_128,_1,_64)", "its third mode counts no stages"),
        ("((_64,(_8,_2)),_2,_4):((_1,(_64,_1024)),_512,_2048)", "its first can be an MMA's"),
        ("(_16,_16,_8,_4):(_64,_1,_1024,_16)", "has 4 modes"),
        ("_64:_1", "has 1 modes"),
    ],
)
def test_what_is_no_tile_and_why(text, said):
    with pytest.raises(ValueError, match="tile") as error:
        Tile.from_cute(text, "f16")
    assert said in str(error.value)
    assert str(error.value).endswith("^")


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", {"unit": "byte"}, "counts elements: leave unit out"),
        ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", {"unit": "element", "anchor": "address"}, "leave anchor out"),
        ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", {"anchor": "offset"}, "leave anchor out"),
        ("(_8,_64):(_64,_1)", {"unit": "byte"}, "this text has none"),
    ],
)
def test_what_the_text_says_is_not_contradicted(text, options, said):
    with pytest.raises(ValueError, match=said):
        Tile.from_cute(text, "f16", **options)


def test_a_unit_that_agrees_is_fine():
    text = "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)"
    assert Tile.from_cute(text, "f16", unit="element", anchor="offset") == Tile.from_cute(text, "f16")


def test_both_readings_are_named_with_what_they_cost():
    with pytest.raises(ValueError, match="does not say what") as error:
        Tile.from_cute("S<3,4,3> o 0 o (64,64):(64,1)", "f16")
    said = str(error.value)
    assert "(unit='element'): ldmatrix.x4 costs 8 wavefronts, 4 conflicts" in said
    assert "(unit='byte', anchor='address'): ldmatrix.x4 costs 4 wavefronts, 0 conflicts" in said


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        ("torch.float16", "f16"),
        ("torch.float8_e4m3fn", "e4m3"),
        ("cutlass.Float16", "f16"),
        ("cutlass::bfloat16_t", "bf16"),
        ("cute::half_t", "f16"),
        ("__nv_bfloat16", "bf16"),
        ("Float8E8M0FNU", "e8m0"),
        ("ue8m0", "e8m0"),
        ("tl.float16", "f16"),
        ("uint128_t", "u128"),
        ("float4", "u128"),
        ("int4b_t", "s4"),
        (np.dtype("float32"), "f32"),
    ],
)
def test_dtypes_of_other_libraries(dtype, name):
    assert Tile(8, 8, dtype).dtype == name


@pytest.mark.parametrize("dtype", ["e3m2", "float_e2m3_t", "Float6E3M2FN", "fp6_e2m3"])
def test_dtypes_that_no_power_of_two_holds(dtype):
    with pytest.raises(ValueError, match="has 6 bits, no power of two"):
        Tile(8, 8, dtype)


def test_int4_means_two_types():
    with pytest.raises(ValueError, match=r'say "s4" .* or "u128"'):
        Tile(8, 8, "int4")
    # In C++ it is CUDA's vector; a pointer says the size.
    assert Tile.from_cute("Sw<3,0,3> o _0 o (_32,_8):(_8,_1)", "int4").dtype == "u128"
    assert Tile.from_cute("smem_ptr[4b](unset) o (_32,_8):(_8,_1)", "int4").element_bits == 4


def test_an_xor_of_several_fields_says_so():
    row, col = np.ogrid[:64, :64]
    tile = Tile.from_map(64 * row + (col ^ (row & 7) << 3 ^ row >> 3), dtype="f16")
    assert tile.map_note == "an XOR, but of two fields: no Swizzle<B,M,S> does it"
    assert tile.map_note in str(tile)
    assert Tile.from_map(64 * row + (col ^ (row & 7) << 3), dtype="f16").map_note == ""
    assert Tile.from_map(64 * row + (col + row) % 64, dtype="f16").map_note == ""


@pytest.mark.parametrize(
    ("text", "shape", "said"),
    [
        ("#ttg.swizzled_shared<{vec = 8, perPhase = 1, order = [1, 0]}>", (64, 64), "expected maxPhase"),
        ("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", None, "does not say the shape"),
        ("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", (64, 48), "power of two"),
        ("#ttg.blocked<{order = [1, 0]}>", (64, 64), "expected swizzled_shared"),
        ("#ttg.padded_shared<[128+8] {order = [1, 0], shape = [64, 128]}>", None, "an interval such as"),
        ("#ttg.padded_shared<[500:+4] {order = [1, 0], shape = [64, 64]}>", None, "an interval = 500 must be a power"),
        ("#ttg.padded_shared<[512:+3] {order = [1, 0], shape = [64, 64]}>", None, "a padding = 3 must be a power"),
        ("(8,8):(8,1)", (8, 8), "expected #ttg"),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
            (64, 32),
            "needs at least 8 lines of 64 elements",
        ),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>",
            (64, 128),
            "fp4Padded",
        ),
    ],
)
def test_triton_texts_that_are_refused(text, shape, said):
    with pytest.raises(ValueError, match=r"shape|expected|needs|fp4|power") as error:
        Tile.from_triton(text, shape, None if "nvmma" in text else "f16")
    assert said in str(error.value)


def test_triton_stages_and_older_spellings():
    new = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
    old = "#triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>"
    first, second = (Tile.from_triton(new, (3, 64, 64), stage=stage) for stage in (0, 1))
    assert np.array_equal(second.addresses, first.addresses + 8192)
    assert np.array_equal(Tile.from_triton("#shared = " + old, (64, 64), "f16").addresses, first.addresses)
    assert (first.unit, first.anchor, str(first.swizzle)) == ("byte", "address", "Sw<3,4,3>")


@pytest.mark.parametrize("rows", [4, 8, 12, 256, 264])
def test_a_first_mode_as_large_as_an_mma_may_be_one(rows):
    """8 to 256 rows in steps of 8, of 32 bytes: a third mode may then be stages or not, and the text does not say."""
    text = f"((_{rows},_16),_4,_3):((_64,_1),_16,_{rows * 64})"
    if rows in (8, 256):
        with pytest.raises(ValueError, match=r"its first can be an MMA's \(rows, columns\)"):
            Tile.from_cute(text, "f16")
    else:
        assert Tile.from_cute(text, "f16", stage=1).base_address == rows * 64 * 2
