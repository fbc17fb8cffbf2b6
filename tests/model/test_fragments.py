"""The fragments of MMA instructions, against the formulas of the PTX ISA written out one by one."""

import re

import pytest

from swizzle_widgets import Tile, TiledCopy
from swizzle_widgets.model.fragments import depths, fragment_layout

DTYPES = {64: "f64", 32: "tf32", 16: "f16", 8: "e4m3", 4: "s4", 1: "b1"}


def a_place(bits, k, lane, i):
    """PTX: row and column of element a_i of mma.m16n8k<k>, from the page of each type and shape."""
    group, inside = lane // 4, lane % 4
    match bits, k:
        case 64, 4 | 8 | 16:
            return group + 8 * (i % 2), inside + 4 * (i // 2)
        case 32, 4:
            return (group if i == 0 else group + 8), inside
        case 32, 8:
            return (group if i in (0, 2) else group + 8), (inside if i in (0, 1) else inside + 4)
        case 16, 8:
            return (group if i in (0, 1) else group + 8), inside * 2 + (i & 1)
        case 16, 16:
            row = group if 0 <= i < 2 or 4 <= i < 6 else group + 8
            return row, inside * 2 + (i & 1) + (8 if i >= 4 else 0)
        case 8, 16:
            return (group if i < 4 else group + 8), inside * 4 + (i & 3)
        case 8, 32:
            row = group if 0 <= i < 4 or 8 <= i < 12 else group + 8
            return row, inside * 4 + (i & 3) + (16 if i >= 8 else 0)
        case 4, 32:
            return (group if i < 8 else group + 8), inside * 8 + (i & 7)
        case 4, 64:
            row = group if 0 <= i < 8 or 16 <= i < 24 else group + 8
            return row, inside * 8 + (i & 7) + (32 if i >= 16 else 0)
        case 1, 128:
            return (group if i < 32 else group + 8), inside * 32 + (i & 31)
        case 1, 256:
            row = group if 0 <= i < 32 or 64 <= i < 96 else group + 8
            return row, inside * 32 + (i & 31) + (128 if i >= 64 else 0)


def b_place(bits, k, lane, i):
    """PTX: column (n) and row (k) of element b_i: neighbors along k fill a register, the second half follows."""
    group, inside = lane // 4, lane % 4
    run = {64: 1, 32: 1, 16: 2, 8: 4, 4: 8, 1: 32}[bits]
    return group, inside * run + i % run + 4 * run * (i // run)


def c_place(lane, i):
    """PTX: row and column of element c_i of m16n8."""
    return lane // 4 + (8 if i >= 2 else 0), (lane % 4) * 2 + (i & 1)


def d_place(thread, i):
    """PTX: row and column of element d_i of wgmma.m64n<N>."""
    lane, warp = thread % 32, thread // 32
    return 16 * warp + lane // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (lane % 4) + i % 2


def held(name, bits, warps=None):
    """{(thread, value): (row, col)} of a fragment."""
    layout, (rows, _), _ = fragment_layout(name, bits, warps)
    threads, values = layout.sizes
    indices = layout.offsets
    return {(t, v): divmod(int(indices[t, v]), rows)[::-1] for t in range(threads) for v in range(values)}


def test_the_sizes_and_their_k():
    assert {bits: depths(bits) for bits in (1, 2, 4, 6, 8, 16, 32, 64, 128)} == {
        1: (128, 256), 2: (), 4: (32, 64), 6: (), 8: (16, 32), 16: (8, 16), 32: (4, 8), 64: (4, 8, 16), 128: (),
    }  # fmt: skip


@pytest.mark.parametrize(("bits", "k"), [(bits, k) for bits in DTYPES for k in depths(bits)])
def test_a_and_b_are_held_as_the_tables_say(bits, k):
    a, b = held(f"m16n8k{k}.A", bits), held(f"m16n8k{k}.B", bits)
    assert len(a) == 16 * k
    assert len(b) == 8 * k
    assert all(place == a_place(bits, k, *who) for who, place in a.items())
    assert all(place == b_place(bits, k, *who) for who, place in b.items())


@pytest.mark.parametrize("bits", [16, 32])
def test_the_accumulator_is_held_as_the_table_says(bits):
    c = held("mma.m16n8k16.C", bits)
    assert len(c) == 128
    assert all(place == c_place(*who) for who, place in c.items())


@pytest.mark.parametrize("columns", [8, 64, 256])
def test_a_warpgroup_holds_its_accumulator_as_the_table_says(columns):
    d = held(f"wgmma.m64n{columns}.D", 32)
    assert len(d) == 64 * columns
    assert all(place == d_place(*who) for who, place in d.items())


def test_warps_stand_down_first_and_share_what_the_others_hold():
    """Warp w of (2, 3) is at (w % 2, w // 2): it has its own rows of A, its own columns of B, and both of C."""
    a, b, c = (held(f"m16n8k16.{operand}", 16, (2, 3)) for operand in "ABC")
    for (thread, value), place in a.items():
        row, col = a_place(16, 16, thread % 32, value)
        assert place == (row + 16 * (thread // 32 % 2), col)
    for (thread, value), place in b.items():
        n, k = b_place(16, 16, thread % 32, value)
        assert place == (n + 8 * (thread // 64), k)
    for (thread, value), place in c.items():
        row, col = c_place(thread % 32, value)
        assert place == (row + 16 * (thread // 32 % 2), col + 8 * (thread // 64))
    two = held("wgmma.m64n16.D", 32, (8, 2))
    for (thread, value), place in two.items():
        warp = thread // 32
        row, col = d_place(thread % 32, value)
        assert place == (row + 16 * (warp % 8), col + 16 * (warp // 8))


def test_operands_are_loaded_and_accumulators_stored():
    tile = Tile(64, 64, "f16")
    assert [TiledCopy.fragment(tile, f"m16n8k16.{operand}").kind for operand in "ABC"] == ["load", "load", "store"]
    assert TiledCopy.fragment(tile, "wgmma.m64n64.D").kind == "store"
    assert TiledCopy.fragment(tile, "m16n8k16.C", kind="load").kind == "load"


def test_a_pair_of_f16_is_stored_with_4_bytes_and_of_f32_with_8():
    assert TiledCopy.fragment(Tile(64, 64, "f16"), "wgmma.m64n64.D").width == 4
    assert TiledCopy.fragment(Tile(64, 64, "f32"), "wgmma.m64n64.D").width == 8


@pytest.mark.parametrize(
    ("name", "dtype", "options", "message"),
    [
        ("m16n8k16.D", "f16", {}, "fragment 'm16n8k16.D' is not known: it must be m16n8k16.A, .B or .C (with the k "
         "of the dtype), or wgmma.m64n128.D"),
        ("m16n8k32.A", "f16", {}, "m16n8k32 does not exist for 16-bit elements: mma.sync has m16n8k8, m16n8k16"),
        ("m16n8k16.B", "f32", {}, "m16n8k16 does not exist for 32-bit elements: mma.sync has m16n8k4, m16n8k8"),
        ("wgmma.m64n12.D", "f32", {}, "wgmma.m64n12.D: the n of WGMMA is a multiple of 8 from 8 to 256"),
        ("wgmma.m64n264.D", "f32", {}, "wgmma.m64n264.D: the n of WGMMA is a multiple of 8 from 8 to 256"),
        ("wgmma.m64n0.D", "f32", {}, "wgmma.m64n0.D: the n of WGMMA is a multiple of 8 from 8 to 256"),
        ("wgmma.m64n64.D", "f32", {"warps": (2, 1)}, "warps = (2, 1): a warpgroup is 4 warps along M"),
        ("m16n8k16.A", "f16", {"warps": (33, 1)}, "warps = 33 is too large: it must be at most 32"),
        ("m16n8k16.A", "f16", {"warps": (3, 11)}, "warps = (3, 11): a block has at most 32 warps"),
        ("m16n8k16.A", "f16", {"warps": 4}, "warps = 4: two numbers, the warps along M and along N"),
        ("m16n8k16.A", "f16", {"kind": "ldmatrix"},
         "kind = 'ldmatrix' is not known: it must be one of 'load', 'store', 'atomic'"),
    ],
)  # fmt: skip
def test_what_is_no_fragment_is_refused_with_the_rule(name, dtype, options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        TiledCopy.fragment(Tile(128, 128, dtype), name, **options)


def test_sizes_without_an_mma_have_no_fragment():
    with pytest.raises(ValueError, match=r"does not exist for 2-bit elements: mma\.sync has none"):
        fragment_layout("m16n8k16.A", 2)
    with pytest.raises(TypeError, match="the name of a fragment is a string, not 3"):
        fragment_layout(3, 16)
