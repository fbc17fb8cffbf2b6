"""Reading and writing what CuTe prints, and taking other libraries' layouts as tiles."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from swizzle_widgets import Access, Layout, Swizzle, Table, Tile, gmma_atom, tile_to_shape
from tests.support.strategies import sizes, strides_for, swizzles
from tests.support.texts import ATOM, COMPOSED, PRINTED


@pytest.mark.parametrize(("text", "tile"), PRINTED)
def test_printed_texts(text, tile):
    assert Tile.from_cute(text, "f16") == tile


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("Sw<3,4,3> o smem_ptr[32b](unset) o (_8,_32):(_32,_1)", "u32"),
        ("smem_subptr[4b](0x7fff21c07000.0) o (_8,_64):(_64,_1)", "u4"),
        ("Sw<3,4,3> o smem_ptr[1b](unset) o (_1024,_8):(_1,_1024)", "b1"),
        ("tensor<ptr<bf16, smem, align<16>> o (8,64):(64,1)>", "bf16"),
        ("ptr<f8E4M3FN, smem> o (8,64):(64,1)", "e4m3"),
    ],
)
def test_a_pointer_says_the_element(text, dtype):
    assert Tile.from_cute(text).dtype == dtype
    with pytest.raises(ValueError, match="bits, but the text says"):
        Tile.from_cute(text, "f64")


def test_a_composition_needs_a_dtype():
    with pytest.raises(ValueError, match="give a dtype"):
        Tile.from_cute("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)")


def test_the_number_in_the_middle_is_swizzled_too():
    """CuTe C++ 4.2 prints these offsets for Sw<3,3,3> o 72 o (8,64):(64,1), every eighth column of three rows."""
    tile = Tile.from_cute("Sw<3,3,3> o 72 o (8,64):(64,1)", "f16")
    found = tile.addresses[:3, ::8].ravel() // 2
    assert found.tolist() == [
        64, 88, 80, 104, 96, 120, 112, 144,
        152, 128, 136, 176, 184, 160, 168, 216,
        208, 200, 192, 248, 240, 232, 224, 288,
    ]  # fmt: skip


def test_a_third_mode_counts_stages():
    text = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1),(_1,_4)):((_64,_512),(_1,_0),(_0,_8192))"
    stages = [Tile.from_cute(text, stage=stage) for stage in range(4)]
    assert [tile.base_address for tile in stages] == [0, 16384, 32768, 49152]
    assert all((tile.addresses - tile.base_address == stages[0].addresses).all() for tile in stages)
    with pytest.raises(ValueError, match="coordinate 4 is outside"):
        Tile.from_cute(text, stage=4)
    with pytest.raises(ValueError, match="no third mode"):
        Tile.from_cute("(8,8):(8,1)", "f16", stage=1)


def test_units_do_not_mix():
    with pytest.raises(ValueError, match="counts bytes of the address: leave unit out"):
        Tile.from_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", unit="element")
    in_bytes = Tile.from_cute("S<3,4,3> o 0 o (8,64):(64,1)", "f16", unit="byte", anchor="address")
    assert in_bytes == ATOM


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("(8,64)(64,1)", "expected ':' and the strides", 6),
        ("(8,64):(64,1", "expected ',' or ')'", 12),
        ("(8,64):(64 1)", "expected ',' or ')'", 11),
        ("(8,?):(64,1)", "a '?' is known only at run time", 3),
        ("(8,8):(_1@0,_1@1)", "a '@' marks coordinates", 9),
        ("gmem_ptr[16b](0x12) o (8,8):(8,1)", "expected smem_ptr", 0),
        ("Sw<3,4,3> o (8,64):(64,1) x", "expected ' o ' or the end", 26),
        ("Sw<3,4> o (8,64):(64,1)", "expected a whole number or '('", 0),
        ("", "expected a whole number or '('", 0),
        ("tensor<(8,64):(64,1)", "expected '>'", 20),
        ("Sw<3,3,3> o Sw<3,3,3> o (8,64):(64,1)", "expected [swizzle o]", 0),
        ("Sw<3,4,3> o smem_ptr[16b](set) o (8,8):(8,1)", "expected smem_ptr", 12),
    ],
)
def test_errors_point_at_the_character(text, problem, place):
    with pytest.raises(ValueError, match=r"expected|known|marks") as error:
        Tile.from_cute(text, "f16")
    first, shown, caret = str(error.value).split("\n")
    assert problem in first
    assert shown == "    " + text
    assert caret == " " * (4 + place) + "^"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("(8,8):(-8,1)", "counts down to 112 bytes below"),
        ("(0,8):(8,1)", "shape = 0 is too small"),
        ("(8,8,8,8):(1,8,64,512)", "has 4 modes: a tile needs two"),
        ("8:1", "has 1 modes: a tile needs two"),
        ("(8,(2,4)):(8,1)", "is not nested as shape"),
        ("Sw<3,4,2> o _0 o (8,8):(8,1)", "too short for bits"),
        ("Sw<3,0,3> o -8 o (8,8):(8,1)", "offset = -8 is too small"),
        ("(4096,4096):(4096,1)", "shared memory has 232448 bytes"),
        ("(999999999999,9):(9,1)", "too large|shared memory"),
        ("(8,8):(99999999,1)", "shared memory has 232448 bytes"),
        ("smem_ptr[24b](unset) o (8,8):(8,1)", "no dtype has 24 bits"),
        ("(" * 40 + "8" + ")" * 40 + ":1", "nested more than 16 deep"),
        ("(" + "8," * 600 + "8)", "at most 1000"),
    ],
)
def test_errors_name_the_rule(text, rule):
    with pytest.raises(ValueError, match=rule):
        Tile.from_cute(text, None if "ptr" in text else "f16")


@pytest.mark.parametrize("text", [None, 5, b"(8,8):(8,1)", ["(8,8):(8,1)"]])
def test_only_strings_are_read(text):
    with pytest.raises(TypeError, match="is a string, not"):
        Tile.from_cute(text, "f16")
    with pytest.raises(TypeError, match="is a string, not"):
        Layout.parse(text)


def test_a_layout_is_no_more_than_a_layout():
    assert Layout.parse(" (_8, (2,_4)) : (_64,(1,2)) ") == Layout((8, (2, 4)), (64, (1, 2)))
    assert Layout.parse("_8:_2") == Layout(8, 2)
    with pytest.raises(ValueError, match="more than a layout"):
        Layout.parse("Sw<3,3,3> o _0 o (8,64):(64,1)")


@given(sizes.flatmap(lambda shape: st.tuples(st.just(shape), strides_for(shape))))
def test_layouts_round_trip(pair):
    layout = Layout(*pair)
    assert Layout.parse(str(layout)) == layout


@st.composite
def tiles(draw):
    """Tiles of any element size, with any swizzle in any unit, at address 0 or not."""
    shape, dtype = draw(st.tuples(sizes, sizes)), draw(st.sampled_from(("u4", "e4m3", "f16", "f32", "f64")))
    assume(Layout(shape).size <= 4000)
    tile = Tile.of_layout(Layout(shape, draw(strides_for(shape))), dtype)
    swizzle, unit = draw(swizzles(4)), draw(st.sampled_from(("element", "byte")))
    base = 8 * draw(st.integers(0, 200))
    anchor = draw(st.sampled_from(("offset", "address")))
    if unit == "byte" and not swizzle.is_identity and swizzle.granule * 8 < tile.element_bits:
        unit = "element"
    layout = tile.layout
    return Tile.of_layout(layout, dtype, base_address=base, swizzle=swizzle, unit=unit, anchor=anchor)


@given(tiles())
def test_tiles_round_trip(tile):
    read = Tile.from_cute(tile.cute_text, tile.dtype, base_address=0 if tile.anchor == "address" else tile.base_address)
    assert np.array_equal(read.addresses, tile.addresses)
    assert read.cute_text == Tile.from_cute(read.cute_text, tile.dtype).cute_text


@given(tiles())
def test_tiles_round_trip_through_the_dsl(tile):
    if problem := said_why(lambda: tile.dsl_text):
        assert "part of the map" in problem
        return
    read = Tile.from_cute(tile.dsl_text, base_address=tile.base_address)
    assert np.array_equal(read.addresses, tile.addresses)
    assert (read.dtype, read.dsl_text) == (tile.dtype, tile.dsl_text)


PIECES = [
    "Sw<3,4,3>", "S<3,3,3>", "Sw<3", " o ", "o", "smem_ptr[16b]", "(unset)", "(0x7f80)", "(_8,_64)", ":", "(64,1)",
    "_0", "72", "-8", ",", "(", ")", "_", "tensor<", ">", "ptr<f16, smem", ", align<1024>", "@0", "?", "9" * 25,
    "smem_subptr[4b](0x0.0)", " ", "\n", "\u0663",
]  # fmt: skip


def said_why(function, *arguments) -> str:
    """What the ValueError of a call says; "" if there was none. Any other exception passes on."""
    try:
        function(*arguments)
    except ValueError as error:
        return str(error) or "nothing"
    return ""


@settings(max_examples=600)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=14).map("".join)))
def test_no_text_does_anything_but_parse_or_say_why(text):
    assert said_why(Tile.from_cute, text, "f16") != "nothing"
    assert said_why(Layout.parse, text) != "nothing"


@settings(max_examples=600)
@given(st.sampled_from([text for text, _ in PRINTED]), st.integers(0, 10**6), st.characters(codec="ascii"))
def test_a_changed_character_parses_or_says_why(text, place, character):
    place %= len(text)
    assert said_why(Tile.from_cute, text[:place] + character + text[place + 1 :], "f16") != "nothing"


# ---- maps of other libraries


def test_a_function_is_recognized():
    swizzle = Swizzle(3, 3, 3)
    tile = Tile.from_map(lambda row, col: swizzle(64 * row + col), (128, 64), "f16")
    assert tile == Tile(128, 64, "f16", swizzle=swizzle, unit="element")
    assert Tile.from_map(lambda row, col: 33 * row + col, (32, 32)) == Tile(32, 32, padding=1)
    moved = Tile.from_map(lambda row, col: swizzle(72 + 64 * row + col), (8, 64), "f16")
    assert moved == Tile.from_cute("Sw<3,3,3> o 72 o (8,64):(64,1)", "f16")


@given(tiles())
def test_every_swizzled_layout_is_found_in_its_table(tile):
    if tile.anchor == "offset":
        tile = replace(tile, base_address=0)
    elements = tile.bit_addresses(tile.layout.offsets) // tile.element_bits
    # A tile begins at a byte.
    assume(elements.min() * tile.element_bits % 8 == 0)
    found = Tile.from_map(elements, dtype=tile.dtype)
    assert np.array_equal(found.addresses, tile.addresses)
    assert isinstance(found.layout, Layout)


@given(st.permutations(range(24)))
def test_any_other_table_stays_one(numbers):
    table = np.array(numbers).reshape(4, 6)
    tile = Tile.from_map(table, dtype="f32")
    assert np.array_equal(tile.addresses, 4 * table)
    assert np.array_equal(tile.banks, table % 32)


def test_a_table_serves_accesses_and_reports():
    xor = np.arange(32)[:, None] * 32 + (np.arange(32) ^ np.arange(32)[:, None] * 5 % 32)
    tile = Tile.from_map(xor, dtype="f32")
    assert isinstance(tile.layout, Table)
    assert Access.column(tile, 3).report().wavefronts == len(np.unique(np.bincount(xor[:, 3] % 32)))
    for refused in (lambda: tile.cute_text, lambda: tile.recast("f16"), lambda: tile.padded(1)):
        with pytest.raises(ValueError, match="table of 32x32 offsets"):
            refused()


@pytest.mark.parametrize(
    ("offsets", "shape", "error", "rule"),
    [
        ([[0.5]], None, TypeError, "whole numbers"),
        ([[-1]], None, ValueError, "at least 0"),
        ([1, 2], None, ValueError, "table of rows and columns"),
        ([[1 << 40]], None, ValueError, "at most 31 bits"),
        (lambda row, col: row, None, ValueError, "needs the shape"),
        (lambda row, col: row, (8,), ValueError, "needs the shape"),
        (lambda row, col: row, (1 << 20, 1 << 20), ValueError, "too large"),
        (lambda row, col: "x", (8, 8), TypeError, "whole number"),
        (lambda row, col: -1, (8, 8), ValueError, "too small"),
        ("text", None, TypeError, "whole numbers"),
        (None, None, TypeError, "whole numbers"),
    ],
)
def test_maps_that_are_none(offsets, shape, error, rule):
    with pytest.raises(error, match=rule):
        Tile.from_map(offsets, shape)


def test_pycute_layouts():
    pycute = pytest.importorskip("pycute")
    plain = pycute.Layout(((8, 2), 64), ((64, 1024), 1))
    assert Tile.from_map(plain, dtype="f16") == Tile.of_layout(Layout(((8, 2), 64), ((64, 1024), 1)), "f16")
    swizzled = pycute.ComposedLayout(pycute.Swizzle(3, 3, 3), 0, pycute.Layout((8, 64), (64, 1)))
    assert Tile.from_map(swizzled, (8, 64), "f16") == COMPOSED


def test_tensor_layouts():
    tensor_layouts = pytest.importorskip("tensor_layouts")
    plain = tensor_layouts.Layout(((8, 2), 64), ((64, 1024), 1))
    assert Tile.from_map(plain, dtype="f16") == Tile.of_layout(Layout(((8, 2), 64), ((64, 1024), 1)), "f16")
    swizzled = tensor_layouts.compose(tensor_layouts.Swizzle(3, 3, 3), tensor_layouts.Layout((8, 64), (64, 1)))
    assert Tile.from_map(swizzled, dtype="f16") == COMPOSED


def test_cute_dsl_layouts():
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute

    found = []

    @cute.jit
    def convert():
        layout = cute.make_layout((8, 64), stride=(64, 1))
        composed = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, layout)
        found.extend((Tile.from_map(layout, dtype="f16"), Tile.from_map(composed, dtype="f16"), str(composed)))

    assert cutlass
    convert()
    plain, swizzled, text = found
    assert plain == Tile(8, 64, "f16")
    assert swizzled == COMPOSED == Tile.from_cute(text, "f16", unit="element")


def test_cute_dsl_layouts_with_stages_and_a_unit():
    cutlass = pytest.importorskip("cutlass")
    from cutlass import cute

    found = []

    @cute.jit
    def convert():
        staged = cute.make_layout(((8, 2), (64, 1), (1, 3)), stride=((64, 512), (1, 0), (0, 1024)))
        composed = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, staged)
        found.extend(Tile.from_map(composed, dtype="f16", stage=2, unit=unit) for unit in (None, "element", "byte"))

    assert cutlass
    convert()
    called, in_elements, in_bytes = found
    row, col = np.ogrid[:16, :64]
    for tile, swizzle, unit in ((called, Swizzle(3, 4, 3), 2), (in_elements, Swizzle(3, 4, 3), 2)):
        assert np.array_equal(tile.addresses, unit * swizzle(2048 + 64 * row + col))
    assert np.array_equal(in_bytes.addresses, Swizzle(3, 4, 3)(4096 + 128 * row + 2 * col))
    with pytest.raises(ValueError, match="no third extent"):
        Tile.from_map(lambda row, col: row, (8, 8), stage=1)


# ---- the algebra: atoms, recast, part


def test_recast_keeps_every_byte():
    for tile in (tile_to_shape(gmma_atom("f16"), 128, 128), gmma_atom("f16", "MN", "64B"), COMPOSED):
        for dtype in ("e4m3", "f32", "f64"):
            other = tile.recast(dtype)
            narrow, wide = sorted((tile, other), key=lambda tile: tile.element_bits)
            step = wide.element_bits // narrow.element_bits
            firsts = narrow.addresses[:, ::step] if tile.order == "row" else narrow.addresses[::step]
            assert np.array_equal(firsts, wide.addresses), (tile, dtype)
            assert other.recast(tile.dtype) == tile


@pytest.mark.parametrize(
    ("tile", "dtype", "rule"),
    [
        (Tile(8, 8, "f16", padding=1), "f32", "not adjacent"),
        (Tile(8, 9, "f16"), "f32", "not adjacent"),
        (Tile.of_layout(Layout((8, 8), (16, 2)), "f16"), "e4m3", "not adjacent"),
        (Tile(8, 64, "f16", swizzle=Swizzle(3, 0, 6), unit="element"), "f32", "moves parts of a 32-bit unit"),
    ],
)
def test_recasts_that_tear_elements(tile, dtype, rule):
    with pytest.raises(ValueError, match=rule):
        tile.recast(dtype)


@given(tiles(), st.data())
def test_a_part_lies_where_it_lay(tile, data):
    row, col = data.draw(st.integers(0, tile.rows - 1)), data.draw(st.integers(0, tile.cols - 1))
    rows, cols = data.draw(st.integers(1, tile.rows - row)), data.draw(st.integers(1, tile.cols - col))
    if problem := said_why(tile.part, row, col, rows, cols):
        assert "middle of a byte" in problem or "must be a multiple of the period" in problem
        return
    part = tile.part(row, col, rows, cols)
    assert np.array_equal(part.addresses, tile.addresses[row : row + rows, col : col + cols])


def test_parts_outside_the_tile():
    for box in ((0, 0, 9, 1), (8, 0, 1, 1), (0, 64, 1, 1), (-1, 0, 1, 1)):
        with pytest.raises(ValueError, match=r"too small|too large"):
            COMPOSED.part(*box)


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("f16", "N"), "major = 'N'"),
        (("f16", "K", "256B"), "mode = '256B'"),
        (("f17",), "dtype 'f17' is not known"),
    ],
)
def test_atoms_that_are_none(arguments, rule):
    with pytest.raises(ValueError, match=rule):
        gmma_atom(*arguments)


def test_what_cannot_be_repeated():
    atom = gmma_atom("f16")
    with pytest.raises(ValueError, match="rows = 12 must be a multiple of the atom's 8"):
        tile_to_shape(atom, 12, 64)
    with pytest.raises(ValueError, match="an atom is a layout without holes"):
        tile_to_shape(Tile(8, 8, padding=1), 16, 16)
    with pytest.raises(TypeError, match="atom must be a Tile"):
        tile_to_shape(atom.layout, 16, 64)
    with pytest.raises(ValueError, match="order = 'z'"):
        tile_to_shape(atom, 16, 64, order="z")


def test_random_coordinates_agree_with_the_table():
    rng = random.Random(3)
    table = Table(np.random.default_rng(3).permutation(64).reshape(8, 8))
    for _ in range(50):
        row, col = rng.randrange(8), rng.randrange(8)
        assert table(row, col) == table.offsets[row, col]
    with pytest.raises(ValueError, match="outside table of 8x8 offsets"):
        table(8, 0)
