"""Tile: dtypes, orders, units, bases; addresses and banks element by element; what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from swizzle_widgets import Layout, Swizzle, Tile
from swizzle_widgets.model.dtypes import DTYPE_ALIASES, DTYPE_BITS, dtype_name
from tests.support.reference import element_bit
from tests.support.strategies import MEMORY, swizzles

BITS = {
    64: "f64 s64 u64",
    32: "f32 tf32 s32 u32",
    16: "f16 bf16 s16 u16",
    8: "e4m3 e5m2 e8m0 s8 u8",
    4: "e2m1 s4 u4",
    1: "b1",
    128: "u128",
}
NAMES = {name: bits for bits, names in BITS.items() for name in names.split()}


class TestDtypes:
    def test_bits(self):
        assert NAMES == DTYPE_BITS
        for name, bits in NAMES.items():
            assert Tile(8, 8, name).element_bits == bits
            assert Tile(8, 8, name).size_bytes == 64 * bits // 8

    def test_every_alias_has_the_size_in_its_name(self):
        sizes = {"half": 16, "float": 32, "double": 64, "int": 32, "floate4m3": 8, "floate5m2": 8, "floate2m1": 4}
        sizes |= dict.fromkeys(("boolean", "bin1"), 1) | {"float4": 128, "ue8m0": 8, "floatue8m0": 8, "bfloat": 16}
        for alias, name in DTYPE_ALIASES.items():
            stated = re.match(r"(?:tf|nvbf|nvf|bf|f|fp|i|s|u)?(?:loat|int|nt|i|p)?(\d+)", alias)
            assert NAMES[name] == (sizes[alias] if alias in sizes else int(stated.group(1))), alias
            assert alias not in NAMES, "an alias hides a name"

    @pytest.mark.parametrize(
        ("spelling", "name"),
        [
            ("half", "f16"),
            ("__half", "f16"),
            ("half_t", "f16"),
            ("float", "f32"),
            ("double", "f64"),
            ("bfloat16_t", "bf16"),
            ("tfloat32_t", "tf32"),
            ("Float8E4M3FN", "e4m3"),
            ("float8_e4m3fn", "e4m3"),
            ("float8_e5m2", "e5m2"),
            ("float_e4m3_t", "e4m3"),
            ("float_e5m2_t", "e5m2"),
            ("uint1b_t", "b1"),
            ("fp8", "e4m3"),
            ("fp8_e5m2", "e5m2"),
            ("FP16", "f16"),
            ("int8_t", "s8"),
            ("uint8_t", "u8"),
            ("int4_t", "s4"),
            ("int4b_t", "s4"),
            ("fp4", "e2m1"),
            ("float4_e2m1fn", "e2m1"),
            (np.float16, "f16"),
            (np.dtype("<f4"), "f32"),
            (np.dtype("u2"), "u16"),
            (np.int8, "s8"),
            (float, "f64"),
            (int, "s64"),
        ],
    )
    def test_spellings(self, spelling, name):
        assert dtype_name(spelling) == name
        assert Tile(8, 8, spelling).dtype == name

    @pytest.mark.parametrize(
        "dtype", ["f17", "", "complex64", None, 16, True, bool, np.complex64, ["f16"], float("nan")]
    )
    def test_unknown(self, dtype):
        with pytest.raises(ValueError, match=r"dtype .* is not known: it must be one of f64, .*, or an alias of one"):
            Tile(8, 8, dtype)


@st.composite
def tiles(draw):
    """(Tile, the same as plain numbers)."""
    dtype = draw(st.sampled_from(sorted(NAMES)))
    rows, cols, padding = draw(st.integers(1, 20)), draw(st.integers(1, 20)), draw(st.integers(0, 9))
    order, anchor = draw(st.sampled_from(("row", "column"))), draw(st.sampled_from(("offset", "address")))
    size = max(1, NAMES[dtype] // 8)
    base = size * draw(st.sampled_from((0, 1, 3, 16, 128, 1000)))
    swizzle = draw(st.one_of(st.none(), swizzles(most=4)))
    unit = None if swizzle is None else draw(st.sampled_from(("element", "byte", 1, 4, 16, 32, 128)))
    unit_bits = {"element": NAMES[dtype], "byte": 8}.get(unit, unit)
    assume(swizzle is None or not swizzle.bits or unit_bits << swizzle.base >= NAMES[dtype])
    # A far target can lie beyond shared memory; the test of that error is below.
    assume(swizzle is None or unit_bits * swizzle.target_mask < 8 * 100_000)
    tile = Tile(
        rows, cols, dtype, order=order, padding=padding, base_address=base, swizzle=swizzle, unit=unit, anchor=anchor
    )

    def bit(row, col):
        offset = row * (cols + padding) + col if order == "row" else col * (rows + padding) + row
        return element_bit(offset, NAMES[dtype], base, swizzle, unit_bits, anchor)

    return tile, [[bit(row, col) for col in range(cols)] for row in range(rows)]


@given(tiles())
def test_addresses_and_banks_element_by_element(pair):
    tile, bits = pair
    assert tile.addresses.tolist() == [[bit // 8 for bit in line] for line in bits]
    assert tile.banks.tolist() == [[bit // 8 // 4 % 32 for bit in line] for line in bits]
    assert tile.bit_addresses(tile.layout.offsets).tolist() == bits
    for array in (tile.addresses, tile.banks):
        assert (array.dtype, array.shape) == (np.int64, (tile.rows, tile.cols))
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


@given(tiles())
def test_no_two_elements_share_bits(pair):
    tile, _ = pair
    bits = tile.bit_addresses(tile.layout.offsets).ravel()
    assert len(set(bits.tolist())) == tile.rows * tile.cols
    assert not (bits % tile.element_bits).any()


class TestUnits:
    @pytest.mark.parametrize(
        ("fields", "unit", "banks"),
        [
            ((3, 4, 3), "byte", [0, 4, 8, 12, 16, 20, 24, 28]),
            ((3, 4, 3), "element", [0, 0, 8, 8, 16, 16, 24, 24]),
            ((3, 3, 3), "byte", [0, 4, 8, 12, 0, 4, 8, 12]),
            ((3, 3, 3), "element", [0, 4, 8, 12, 16, 20, 24, 28]),
        ],
    )
    def test_the_same_numbers_in_two_units_are_two_maps(self, fields, unit, banks):
        assert Tile(8, 64, "f16", swizzle=Swizzle(*fields), unit=unit).banks[:, 0].tolist() == banks

    @given(tiles(), st.sampled_from((1, 4, 8, 16, 32, 64, 128)))
    def test_recast_changes_the_unit_and_not_the_map(self, pair, unit):
        tile, _ = pair
        assume(tile.swizzle is not None)
        assume(tile.swizzle.is_identity or unit <= tile.unit_bits << tile.swizzle.base)
        recast = tile.with_swizzle(tile.swizzle.recast(tile.unit_bits, unit), unit)
        assert np.array_equal(recast.addresses, tile.addresses)

    def test_names(self):
        assert Tile(8, 64, "half", swizzle=Swizzle(3, 3, 3), unit="element").swizzle_name == "Sw<3,3,3> in f16 elements"
        assert Tile(8, 64, "half", swizzle=Swizzle(3, 4, 3), unit="byte").swizzle_name == "Sw<3,4,3> in bytes"
        assert Tile(8, 64, "half", swizzle=Swizzle(3, 2, 3), unit=32).swizzle_name == "Sw<3,2,3> in 32-bit units"
        assert (Tile(8, 64).swizzle_name, Tile(8, 64).unit_name, Tile(8, 64).unit_bits) == ("no swizzle", "", None)

    def test_with_swizzle(self):
        tile = Tile(8, 64, "f16", base_address=256)
        swizzled = tile.with_swizzle(Swizzle(3, 4, 3), "byte")
        assert swizzled == Tile(8, 64, "f16", base_address=256, swizzle=Swizzle(3, 4, 3), unit="byte")
        assert swizzled.with_swizzle(None) == tile
        with pytest.raises(ValueError, match="has no unit of its own"):
            tile.with_swizzle(Swizzle(3, 4, 3))


class TestAnchor:
    @pytest.mark.parametrize("base", [0, 1024, 4096])
    def test_the_same_at_a_multiple_of_the_period(self, base):
        offset, address = (
            Tile(8, 64, "f16", base_address=base, swizzle=Swizzle(3, 4, 3), unit="byte", anchor=anchor)
            for anchor in ("offset", "address")
        )
        assert np.array_equal(offset.addresses, address.addresses)

    @pytest.mark.parametrize("base", [128, 256, 512, 16])
    def test_different_elsewhere(self, base):
        offset, address = (
            Tile(8, 64, "f16", base_address=base, swizzle=Swizzle(3, 4, 3), unit="byte", anchor=anchor)
            for anchor in ("offset", "address")
        )
        assert np.array_equal(offset.addresses, Swizzle(3, 4, 3)(np.arange(512) * 2).reshape(8, 64) + base)
        assert np.array_equal(address.addresses, Swizzle(3, 4, 3)(np.arange(512) * 2 + base).reshape(8, 64))
        assert not np.array_equal(offset.addresses, address.addresses)

    def test_the_chunks_that_tma_was_seen_to_write(self):
        # Measured on an H200: the 16-byte chunks of rows 0 to 7 in the 128-byte mode.
        seen = ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"]
        tile = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
        stored = [[tile.addresses[row, 8 * chunk] // 16 % 8 for chunk in range(8)] for row in range(8)]
        # Its own inverse, so "which chunk is here" and "where is this chunk" read the same.
        assert ["".join(map(str, row)) for row in stored] == seen


class TestShape:
    def test_by_hand(self):
        assert Tile(2, 3).addresses.tolist() == [[0, 4, 8], [12, 16, 20]]
        assert Tile(2, 3, order="column").addresses.tolist() == [[0, 8, 16], [4, 12, 20]]
        assert Tile(2, 3, padding=1).addresses.tolist() == [[0, 4, 8], [16, 20, 24]]
        assert Tile(2, 3, order="column", padding=1).addresses.tolist() == [[0, 12, 24], [4, 16, 28]]
        assert Tile(2, 3, base_address=100).addresses.tolist() == [[100, 104, 108], [112, 116, 120]]
        assert Tile(32, 32, padding=1).banks[:, 0].tolist() == list(range(32))
        assert Tile(2, 10, "e2m1").addresses[0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
        assert Tile(1, 17, "b1").size_bytes == 3

    def test_of_layout(self):
        layout = Layout(((8, 16), 64), ((64, 512), 1))
        tile = Tile.of_layout(layout, "f16", base_address=128)
        assert (tile.rows, tile.cols, tile.layout) == (128, 64, layout)
        assert np.array_equal(tile.addresses, 128 + 2 * np.arange(128 * 64).reshape(128, 64))
        with pytest.raises(ValueError, match=r"layout \(8,2,2\):\(1,8,16\) has 3 modes: a tile needs two"):
            Tile.of_layout(Layout((8, 2, 2)))
        with pytest.raises(TypeError, match="layout must be a Layout, not "):
            Tile.of_layout(((8, 64), (64, 1)))

    @given(tiles())
    @settings(max_examples=50)
    def test_order_says_which_neighbors_are_adjacent(self, pair):
        tile, _ = pair
        offsets = tile.layout.offsets
        along = {"row": np.diff(offsets, axis=1), "column": np.diff(offsets, axis=0)}
        assert (along[tile.order] == 1).all()

    @pytest.mark.parametrize(
        ("stride", "order"), [((64, 1), "row"), ((1, 8), "column"), ((128, 2), None), ((70, 1), "row")]
    )
    def test_order_of_layouts(self, stride, order):
        assert Tile(8, 64, "f16", layout=Layout((8, 64), stride)).order == order

    def test_padded(self):
        assert Tile(32, 32).padded(1) == Tile(32, 32, padding=1)
        assert Tile(8, 64, "f16", order="column").padded(8) == Tile(8, 64, "f16", order="column", padding=8)
        assert Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element", base_address=64).padded(8) == Tile(
            8, 64, "f16", padding=8, base_address=64
        )
        with pytest.raises(ValueError, match="cannot be padded: only plain row- or column-major tiles can"):
            Tile.of_layout(Layout(((8, 2), 64), ((64, 512), 1))).padded(1)
        with pytest.raises(ValueError, match="padding = -1 is too small"):
            Tile(8, 8).padded(-1)

    def test_value_semantics(self):
        one, two = (Tile(8, 64, name, swizzle=Swizzle(3, 3, 3), unit="element") for name in ("half", "f16"))
        assert one == two
        assert hash(one) == hash(two)
        assert one.addresses is one.addresses
        assert one != Tile(8, 64, "bf16", swizzle=Swizzle(3, 3, 3), unit="element")

    def test_text(self):
        tile = Tile(8, 64, "half", base_address=256, swizzle=Swizzle(3, 3, 3), unit="element")
        assert str(tile) == "8x64 f16 tile at byte 256, (8,64):(64,1), Sw<3,3,3> in f16 elements"
        assert str(Tile(8, 32)) == "8x32 f32 tile, (8,32):(32,1), no swizzle"


class TestRefused:
    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ({"rows": 0}, "rows = 0 is too small: it must be at least 1"),
            ({"cols": -3}, "cols = -3 is too small: it must be at least 1"),
            ({"cols": 1 << 70}, "cols = about 2**70 is too large"),
            ({"order": "rows"}, "order = 'rows' is not known: it must be one of 'row', 'column'"),
            ({"order": 1}, "order = 1 is not known"),
            ({"padding": -1}, "padding = -1 is too small: it must be at least 0"),
            ({"base_address": -4}, "base_address = -4 is too small: it must be at least 0"),
            ({"base_address": 2}, "base_address = 2 must be a multiple of the 4 bytes of an f32 element"),
            ({"anchor": "base"}, "anchor = 'base' is not known: it must be one of 'offset', 'address'"),
            ({"unit": "byte"}, "unit = 'byte' without a swizzle"),
            ({"swizzle": Swizzle(3, 4, 3)}, "Sw<3,4,3> has no unit of its own: say what it counts"),
            (
                {"swizzle": Swizzle(3, 4, 3), "unit": "bytes"},
                "unit = 'bytes' is not known: it must be one of 'byte', 'element'",
            ),
            ({"swizzle": Swizzle(3, 4, 3), "unit": 12}, "unit (in bits) = 12 must be a power of two"),
            ({"swizzle": Swizzle(3, 4, 3), "unit": 256}, "unit (in bits) = 256 is too large: it must be at most 128"),
            (
                {"swizzle": Swizzle(3, 1, 3), "unit": "byte"},
                "Sw<3,1,3> in bytes moves granules of 16 bits: it would cut elements of 32 bits",
            ),
            (
                {"swizzle": Swizzle(1, 4, -14), "unit": "byte"},
                "Sw<1,4,-14> in bytes sends an element to byte 264188: shared memory has 232448 bytes",
            ),
            ({"layout": Layout((8, 32))}, "layout (8,32):(1,8) does not have the two modes 8 and 64"),
            ({"layout": Layout(512)}, "does not have the two modes 8 and 64"),
            ({"layout": Layout((8, 64)), "padding": 1}, "a layout already says where the elements lie"),
            ({"layout": Layout((8, 64)), "order": "column"}, "a layout already says where the elements lie"),
            ({"layout": Layout((8, 64), (1 << 40, 1))}, "the tile ends at byte 30786325577984"),
        ],
    )
    def test_values(self, arguments, text):
        with pytest.raises(ValueError, match=re.escape(text)):
            Tile(**{"rows": 8, "cols": 64, **arguments})

    @pytest.mark.parametrize("name", ["rows", "cols", "padding", "base_address"])
    @pytest.mark.parametrize("value", [True, 8.0, float("nan"), "8", None, [8]])
    def test_numbers(self, name, value):
        with pytest.raises(TypeError, match=re.escape(f"{name} must be a whole number, not {value!r}")):
            Tile(**{"rows": 8, "cols": 64, name: value})

    @pytest.mark.parametrize("value", [True, 8.0, float("nan"), [8]])
    def test_unit(self, value):
        with pytest.raises(TypeError, match=re.escape(f"unit (in bits) must be a whole number, not {value!r}")):
            Tile(8, 64, swizzle=Swizzle(3, 4, 3), unit=value)

    @pytest.mark.parametrize("swizzle", ["Sw<3,4,3>", (3, 4, 3), 3])
    def test_swizzle(self, swizzle):
        with pytest.raises(
            TypeError, match=r"swizzle must be a Swizzle or None, not .*; Swizzle.parse reads a spelling"
        ):
            Tile(8, 64, swizzle=swizzle, unit="byte")

    @pytest.mark.parametrize("layout", ["(8,64):(64,1)", ((8, 64), (64, 1)), 512])
    def test_layout(self, layout):
        with pytest.raises(TypeError, match="layout must be a Layout, not"):
            Tile(8, 64, layout=layout)

    def test_shared_memory_is_full_at_227_kib(self):
        assert Tile(1, MEMORY, "u8").size_bytes == MEMORY
        assert Tile(227, 256, "f32").size_bytes == MEMORY
        assert Tile(1, 8 * MEMORY, "b1").size_bytes == MEMORY
        for full in (
            {"cols": MEMORY + 1},
            {"cols": MEMORY, "base_address": 1},
            {"rows": 2, "cols": MEMORY - 10, "padding": 10},
        ):
            with pytest.raises(ValueError, match=r"shared memory has 232448 bytes \(227 KiB\) a block"):
                Tile(**{"rows": 1, "dtype": "u8", **full})

    def test_a_layout_that_repeats_itself_endlessly(self):
        with pytest.raises(ValueError, match="has 1048576000 elements: shared memory has"):
            Tile.of_layout(Layout((1024000, 1024), (0, 0)), "b1")
