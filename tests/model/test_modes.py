"""What TMA writes and WGMMA reads: the rules one by one, at each limit and one beyond."""

from __future__ import annotations

import re

import pytest

from swizzle_widgets import Access, Swizzle, Table, Tile, best_swizzles, gmma_atom, tile_to_shape
from swizzle_widgets.model.hardware import WGMMA_MAJORS
from swizzle_widgets.model.modes import MODES, mode

ATOM = gmma_atom("f16")


@pytest.mark.parametrize("dtype", WGMMA_MAJORS)
@pytest.mark.parametrize("name", [each.name for each in MODES])
def test_atoms_are_what_wgmma_reads_and_no_others_exist(dtype, name):
    for major in ("K", "MN"):
        if major in WGMMA_MAJORS[dtype]:
            atom = gmma_atom(dtype, major, name)
            assert mode(name).wgmma_refusal(atom) == ""
            assert mode(name).tma_refusal(atom) == ""
        else:
            text = f"WGMMA reads {dtype} operands K-major only: only 16-bit operands may be MN-major"
            with pytest.raises(ValueError, match=text):
                gmma_atom(dtype, major, name)


@pytest.mark.parametrize("dtype", ["s4", "f64", "e2m1", "f32", "u32"])
def test_no_operand_has_another_dtype(dtype):
    with pytest.raises(ValueError, match=f"WGMMA has no {dtype} operands: they are f16, bf16, tf32, e4m3, e5m2, s8"):
        gmma_atom(dtype)


@pytest.mark.parametrize(
    ("tile", "name", "tma", "wgmma"),
    [
        (Tile(64, 64, "f16"), "128B", "", ""),
        (Tile(64, 72, "f16"), "128B", "the 128B swizzle takes rows of at most 128 bytes, these have 144", None),
        (Tile(64, 60, "f16"), "128B", "TMA writes rows of whole 16 bytes side by side, these have 120", None),
        (Tile(64, 32, "f16"), "128B", "", "WGMMA reads rows of 128 bytes in the 128B mode, these have 64"),
        (Tile(64, 8, "f16"), "none", "", ""),
        (Tile(64, 256, "f16"), "none", "", "WGMMA reads rows of 16 bytes in the none mode, these have 512"),
        (Tile(64, 264, "f16"), "none", "the none swizzle takes rows of at most 512 bytes, these have 528", None),
        (Tile(12, 64, "f16"), "128B", "", "WGMMA reads 8 rows of 128 bytes one behind the other, these are not"),
        (Tile(64, 64, "f16", padding=8), "128B", "",
         "WGMMA reads 8 rows of 128 bytes one behind the other, these are not"),
        (Tile(64, 16, "f64"), "128B", "", "WGMMA has no f64 operands: they are "),
        (Tile(32, 64, "tf32", order="column"), "128B", "", "WGMMA reads tf32 operands K-major only"),
        (Tile(64, 64, "bf16", order="column"), "128B", "", ""),
        (Tile(8, 64, "f16", base_address=64), "128B",
         "TMA writes to multiples of 128 bytes, base_address = 64 is none", None),
        (Tile(8, 64, "f16", base_address=512), "128B",
         "TMA permutes addresses, which agree with offsets at multiples of 1024 bytes, base_address = 512 is none",
         None),
        (Tile(8, 64, "f16", base_address=1024), "128B", "", ""),
        (Tile(2, 2, "f16", layout=Table([[0, 1], [3, 2]])), "32B",
         "TMA writes rows of whole 16 bytes side by side, these have 0", None),
        (tile_to_shape(ATOM, 64, 128), "128B", "", ""),
    ],
)  # fmt: skip
def test_rules(tile, name, tma, wgmma):
    assert mode(name).tma_refusal(tile) == tma
    # What TMA does not write, WGMMA does not find.
    found = mode(name).wgmma_refusal(tile)
    assert found == tma if wgmma is None else found.startswith(wgmma) and bool(found) == bool(wgmma)


def test_an_address_rule_needs_no_repeat_but_a_base_offset():
    tile = Tile(8, 64, "f16", base_address=512, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
    found = mode("128B")
    assert (found.tma_refusal(tile), found.wgmma_refusal(tile)) == ("", "")
    # Bits 7 to 9 of the address, 0 at a multiple of the repeat.
    assert [found.base_offset(128 * step) for step in range(10)] == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
    assert [mode("64B").base_offset(128 * step) for step in range(6)] == [0, 1, 2, 3, 0, 5]
    assert [mode("32B").base_offset(128 * step) for step in range(4)] == [0, 1, 0, 3]
    assert (found.wgmma_source(ATOM), found.wgmma_source(tile)) == ("measured", "PTX")
    assert found.wgmma_source(gmma_atom("f16", "MN")) == "PTX"
    assert found.wgmma_source(gmma_atom("bf16")) == "PTX"


@pytest.mark.parametrize(
    ("tile", "end"),
    [
        (Tile(64, 64, "f16"), "; this is the 128B mode of TMA and WGMMA."),
        (Tile(64, 64, "bf16"), "; this is the 128B mode of TMA and WGMMA, by PTX and not measured."),
        (Tile(32, 64, "tf32", order="column"),
         "; this is the 128B mode of TMA only: WGMMA reads tf32 operands K-major only: only 16-bit operands may be "
         "MN-major."),
        (Tile(64, 16, "f64"), "; this is the 128B mode of TMA only: WGMMA has no f64 operands: they are "
         "f16, bf16, tf32, e4m3, e5m2, s8, u8, b1."),
    ],
)  # fmt: skip
def test_verdicts_say_who_takes_the_mode(tile, end):
    ranking = best_swizzles(tile, [Access.row(tile, kind="store")], bits=3)
    assert ranking.of(Swizzle(3, 4, 3), "byte").verdict.endswith(end)


def test_the_chunks_of_a_row():
    assert mode("32B").chunk_order(3).tolist() == [[0, 1]] * 3
    assert mode("32B").chunk_order(5)[4].tolist() == [1, 0]
    assert mode("none").chunk_order(2).tolist() == [[0], [0]]
    with pytest.raises(ValueError, match=re.escape("rows = 257 is too large: it must be at most 256")):
        mode("128B").chunk_order(257)
