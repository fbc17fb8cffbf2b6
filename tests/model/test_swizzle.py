"""Swizzle: the XOR on numbers and arrays, its fields, spellings and units, and what it refuses."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swizzle_widgets import Swizzle
from swizzle_widgets.model.swizzle import OFFSET_BITS
from tests.support.reference import swizzle as bit_by_bit
from tests.support.strategies import LEGAL, swizzles

INTEGER_DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize(
    ("fields", "pairs"),
    [
        ((3, 4, 3), {0x00: 0x00, 0x80: 0x90, 0x100: 0x120, 0x200: 0x240, 0x3FF: 0x38F, 0x70: 0x70}),
        ((3, 3, 3), {64: 72, 128: 144, 448: 504, 7: 7, 512: 512}),
        ((2, 4, 3), {0x80: 0x90, 0x100: 0x120, 0x200: 0x200}),
        ((2, 1, -3), {0b10: 0b10010, 0b100: 0b100100, 0b10000: 0b10000}),
        ((0, 4, 3), {0x80: 0x80, 12345: 12345}),
    ],
)
def test_by_hand(fields, pairs):
    assert {offset: Swizzle(*fields)(offset) for offset in pairs} == pairs


def test_equals_bit_by_bit_on_every_small_swizzle():
    # Offsets around each power of two touch every bit that any of these swizzles reads or writes.
    offsets = sorted({max(0, (1 << bit) + near) for bit in range(18) for near in range(-3, 4)})
    for fields in LEGAL:
        expected = [bit_by_bit(*fields, offset) for offset in offsets]
        assert [Swizzle(*fields)(offset) for offset in offsets] == expected, fields
        assert Swizzle(*fields)(np.array(offsets)).tolist() == expected, fields


@given(swizzles(), st.integers(0, 1 << 80))
def test_any_int(swizzle, offset):
    assert swizzle(offset) == bit_by_bit(swizzle.bits, swizzle.base, swizzle.shift, offset)


class TestArrays:
    @pytest.mark.parametrize("dtype", INTEGER_DTYPES)
    def test_every_dtype_keeps_its_values(self, dtype):
        swizzles = [Swizzle(3, 4, 3), Swizzle(3, 4, -3), Swizzle(4, 2, 5), Swizzle(2, 1, -20), Swizzle(1, 0, 0 + 30)]
        values = [0, 1, 2, 3, 6, 7, 64, 100, 127, np.iinfo(dtype).max]
        for swizzle in swizzles:
            array = np.array(values, dtype)
            expected = [bit_by_bit(swizzle.bits, swizzle.base, swizzle.shift, int(value)) for value in values]
            assert swizzle(array).tolist() == expected, swizzle
            assert array.tolist() == values, "the input was changed"

    def test_a_target_above_the_dtype_is_not_lost(self):
        # 2 << 20 needs 22 bits; in uint8 arithmetic it would vanish.
        assert Swizzle(1, 1, -20)(np.array([2], np.uint8)).tolist() == [2 | 2 << 20]

    def test_result_dtype(self):
        for dtype in INTEGER_DTYPES:
            expected = np.uint64 if dtype is np.uint64 else np.int64
            assert Swizzle(3, 4, 3)(np.zeros(3, dtype)).dtype == expected

    def test_shape_is_kept(self):
        offsets = np.arange(24).reshape(2, 3, 4)
        assert Swizzle(1, 0, 1)(offsets).shape == (2, 3, 4)
        assert Swizzle(1, 0, 1)(offsets[:, ::2]).tolist() == [
            [[0, 1, 3, 2], [8, 9, 11, 10]],
            [[12, 13, 15, 14], [20, 21, 23, 22]],
        ]

    @pytest.mark.parametrize("empty", [[], np.array([], np.int32), np.zeros((0, 32), np.uint64)])
    def test_empty(self, empty):
        assert Swizzle(3, 4, 3)(empty).shape == np.shape(empty)

    @pytest.mark.parametrize("dtype", INTEGER_DTYPES)
    def test_single_values_give_an_int(self, dtype):
        for single in (dtype(100), np.array(100, dtype)):
            assert type(Swizzle(2, 0, 5)(single)) is int
            assert Swizzle(2, 0, 5)(single) == bit_by_bit(2, 0, 5, 100)

    def test_lists(self):
        assert Swizzle(3, 4, 3)([0x80, 0x100]).tolist() == [0x90, 0x120]


class TestFields:
    def test_masks_say_what_is_read_and_what_changes(self):
        offsets = np.arange(1 << 16)
        for fields in LEGAL:
            swizzle = Swizzle(*fields)
            read = {bit for bit in range(16) if swizzle(1 << bit) != 1 << bit}
            changed = int(np.bitwise_or.reduce(swizzle(offsets) ^ offsets))
            assert swizzle.source_mask == sum(1 << bit for bit in read), fields
            assert swizzle.target_mask == changed, fields
            assert swizzle.source_mask & swizzle.target_mask == 0, fields
            if swizzle.bits:
                assert swizzle.source_base == min(read), fields
                assert 1 << swizzle.target_base == changed & -changed, fields

    def test_period_is_the_least(self):
        for fields in LEGAL:
            swizzle = Swizzle(*fields)
            swizzled = swizzle(np.arange(2 * max(swizzle.period, 2)))

            def repeats(step, swizzled=swizzled):
                return np.array_equal(swizzled[step:], swizzled[:-step] + step)

            assert repeats(swizzle.period), fields
            # The repeats of a map form a group, so a smaller one would also show at half the period.
            assert swizzle.period == 1 or not repeats(swizzle.period // 2), fields

    def test_its_own_inverse_and_a_permutation_of_a_period(self):
        for fields in LEGAL:
            swizzle = Swizzle(*fields)
            offsets = np.arange(swizzle.period)
            assert np.array_equal(swizzle(swizzle(offsets)), offsets), fields
            assert np.array_equal(np.sort(swizzle(offsets)), offsets), fields

    def test_granule_is_the_largest_block_that_stays_whole(self):
        for fields in LEGAL:
            swizzle = Swizzle(*fields)
            swizzled = swizzle(np.arange(max(swizzle.period, 64)))

            def whole(block, swizzled=swizzled):
                blocks = swizzled.reshape(-1, block)
                return np.array_equal(blocks, blocks[:, :1] + np.arange(block)) and not (blocks[:, 0] % block).any()

            assert whole(swizzle.granule), fields
            assert swizzle.is_identity or not whole(2 * swizzle.granule), fields

    def test_identity(self):
        for base, shift in ((0, 0), (4, 3), (5, -7)):
            swizzle = Swizzle(0, base, shift)
            assert swizzle.is_identity
            assert (swizzle.source_mask, swizzle.target_mask, swizzle.period) == (0, 0, 1)
        assert not Swizzle(1, 0, 1).is_identity

    def test_value_semantics(self):
        assert Swizzle(3, 4, 3) == Swizzle(np.int8(3), np.uint64(4), 3)
        assert hash(Swizzle(3, 4, 3)) == hash(Swizzle(3, 4, 3))
        assert Swizzle(3, 4, 3) != Swizzle(3, 4, -3)
        assert all(type(value) is int for value in dataclasses.astuple(Swizzle(np.int8(3), np.uint64(4), 3)))
        with pytest.raises(dataclasses.FrozenInstanceError):
            Swizzle(3, 4, 3).bits = 2


class TestSpelling:
    @pytest.mark.parametrize(
        "text",
        [
            "Sw<3,4,3>",
            "S<3,4,3>",
            "Swizzle<3, 4, 3>",
            "Swizzle<3,4,3>",
            "cute::Swizzle<3,4,3>",
            "Swizzle(3, 4, 3)",
            "<3,4,3>",
            "(3, 4, 3)",
            "3,4,3",
            "  3 , 4 , 3\n",
        ],
    )
    def test_spellings(self, text):
        assert Swizzle.parse(text) == Swizzle(3, 4, 3)

    def test_negative_shift(self):
        assert Swizzle.parse("Sw<2,1,-3>") == Swizzle(2, 1, -3)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "3,4",
            "3,4,3,0",
            "3 4 3",
            "Sw<3,4,3",
            "Sw 3,4,3>",
            "Sw(3,4,3>",
            "Sw<3,4,x>",
            "Sw<3,4,3.0>",
            "Sw<3,,3>",
            "Sw<3,4,+3>",
            "Sw<3,4,--3>",
            "Tw<3,4,3>",
            "Sw<3,4,3> o 0 o 8:1",
            "Sw<3,4,٣>",
            "Sw<3,4,9999999999>",
        ],
    )
    def test_rejects(self, text):
        with pytest.raises(ValueError, match="is no swizzle: write it like") as error:
            Swizzle.parse(text)
        assert repr(text) in str(error.value)

    def test_illegal_numbers_are_the_constructors_errors(self):
        with pytest.raises(ValueError, match=r"shift \(S\) = 2 is too short for bits \(B\) = 3"):
            Swizzle.parse("Sw<3,4,2>")
        with pytest.raises(ValueError, match=r"bits \(B\) = -1 is too small"):
            Swizzle.parse("Sw<-1,4,2>")

    @pytest.mark.parametrize("text", [None, 3, (3, 4, 3), b"Sw<3,4,3>"])
    def test_only_strings(self, text):
        with pytest.raises(TypeError, match="must be a string"):
            Swizzle.parse(text)

    @given(swizzles())
    def test_round_trip(self, swizzle):
        assert Swizzle.parse(str(swizzle)) == swizzle
        assert Swizzle.parse(repr(swizzle)) == swizzle
        assert eval(repr(swizzle)) == swizzle

    def test_text(self):
        assert str(Swizzle(3, 4, 3)) == f"{Swizzle(3, 4, 3)}" == "Sw<3,4,3>"
        assert repr(Swizzle(2, 1, -3)) == "Swizzle(2, 1, -3)"


class TestRecast:
    @pytest.mark.parametrize(
        ("fields", "old", "new", "expected"),
        [
            ((3, 3, 3), 16, 8, (3, 4, 3)),
            ((3, 4, 3), 8, 16, (3, 3, 3)),
            ((3, 4, 3), 8, 32, (3, 2, 3)),
            ((3, 4, 3), 8, 128, (3, 0, 3)),
            ((3, 4, 3), 8, 1, (3, 7, 3)),
            ((2, 4, -3), 8, 16, (2, 3, -3)),
            ((3, 4, 3), 16, 16, (3, 4, 3)),
            ((0, 1, 3), 8, 64, (0, 0, 3)),
        ],
    )
    def test_by_hand(self, fields, old, new, expected):
        assert Swizzle(*fields).recast(old, new) == Swizzle(*expected)

    @given(swizzles(), st.sampled_from([1, 4, 8, 16, 32, 64, 128]), st.sampled_from([1, 4, 8, 16, 32, 64, 128]))
    def test_moves_the_same_bits_or_says_why_not(self, swizzle, old, new):
        granule = old << swizzle.base
        if swizzle.bits and new > granule:
            with pytest.raises(
                ValueError, match=f"its granule is {granule} bits, so it moves parts of a {new}-bit unit"
            ):
                swizzle.recast(old, new)
            return
        top = swizzle.base + swizzle.bits + abs(swizzle.shift) + old.bit_length() - new.bit_length()
        if swizzle.bits and top > OFFSET_BITS:
            with pytest.raises(ValueError, match=f"the fields of <B,M,S> need {top} bits"):
                swizzle.recast(old, new)
            return
        recast = swizzle.recast(old, new)
        block = max(old, new)
        for bit in (step * block for step in range(0, 4096, 37)):
            assert swizzle(bit // old) * old == recast(bit // new) * new
        if swizzle.bits:
            assert recast.recast(new, old) == swizzle

    @pytest.mark.parametrize(("old", "new"), [(12, 8), (8, 12), (0, 8), (8, 0), (2048, 8), (8, -8)])
    def test_units_that_are_none(self, old, new):
        with pytest.raises(ValueError, match=r"(from|to)_bits = -?\d+ (must be a power of two|is too (small|large))"):
            Swizzle(3, 4, 3).recast(old, new)

    @pytest.mark.parametrize("unit", [8.0, True, "8", None])
    def test_units_that_are_no_numbers(self, unit):
        with pytest.raises(TypeError, match=r"to_bits must be a whole number, not"):
            Swizzle(3, 4, 3).recast(8, unit)


class TestRefused:
    @pytest.mark.parametrize("place", range(3))
    @pytest.mark.parametrize(
        "value", [True, np.True_, 3.0, np.float32(3), float("nan"), float("inf"), "3", None, [3], 3j, np.array([3])]
    )
    def test_fields_that_are_no_whole_numbers(self, place, value):
        fields = [3, 4, 3]
        fields[place] = value
        name = ("bits (B)", "base (M)", "shift (S)")[place]
        with pytest.raises(TypeError) as error:
            Swizzle(*fields)
        assert str(error.value) == f"{name} must be a whole number, not {value!r}"

    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ((-1, 4, 3), "bits (B) = -1 is too small: it must be at least 0"),
            ((3, -1, 3), "base (M) = -1 is too small: it must be at least 0"),
            ((3, 4, 2), "shift (S) = 2 is too short for bits (B) = 3: |S| must be at least B"),
            ((3, 4, -2), "shift (S) = -2 is too short for bits (B) = 3: |S| must be at least B"),
            ((3, 3, 0), "shift (S) = 0 is too short for bits (B) = 3"),
            ((10, 12, 10), "need 32 bits, B + M + |S|: an offset has at most 31"),
            ((3, 4, 10**30), "need about 2**99 bits"),
            ((3, 10**5000, 3), "need about 2**16609 bits"),
            ((10**5001, 0, -(10**5000)), "shift (S) = about -2**16609 is too short for bits (B) = about 2**16612"),
        ],
    )
    def test_fields_out_of_range(self, fields, text):
        with pytest.raises(ValueError, match=re.escape(text)):
            Swizzle(*fields)

    def test_the_largest_swizzle_is_legal(self):
        assert Swizzle(10, 11, 10)((1 << 31) - 1) == (1 << 31) - 1 - (0x3FF << 11)

    @pytest.mark.parametrize("offset", [True, 1.0, float("nan"), "1", None, 1j, b"1"])
    def test_offset_that_is_no_whole_number(self, offset):
        with pytest.raises(TypeError) as error:
            Swizzle(3, 4, 3)(offset)
        assert str(error.value) == f"offset must be a whole number, not {offset!r}"

    @pytest.mark.parametrize(
        ("offsets", "sample"),
        [
            ([0.5, 1], "float64 such as 0.5"),
            (np.array([[2.0]], np.float32), "float32 such as 2.0"),
            ([True, False], "bool such as True"),
            (["1"], "such as '1'"),
            ([None], "object such as None"),
            ([1 << 70], "object such as 1180591620717411303424"),
        ],
    )
    def test_offsets_that_are_no_whole_numbers(self, offsets, sample):
        with pytest.raises(TypeError, match=f"offsets must be whole numbers of at most 64 bits, not .*{sample}"):
            Swizzle(3, 4, 3)(offsets)

    def test_negative_offsets(self):
        with pytest.raises(ValueError, match="offset = -1 is too small: it must be at least 0"):
            Swizzle(3, 4, 3)(-1)
        with pytest.raises(ValueError, match="offsets must be at least 0, but one is -7"):
            Swizzle(3, 4, 3)([3, -7])
