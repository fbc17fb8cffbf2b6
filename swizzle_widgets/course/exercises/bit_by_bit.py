"""Exercises of notebook 04, Swizzle<B,M,S> bit by bit."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...model.access import Access
from ...model.banks import bank_of
from ...model.checks import plural
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Number, Pair, SwizzleNumbers
from ..registry import Feedback, exercise
from .answers import tile_bill
from .judges import WAVEFRONTS, predicted

ATOM = Swizzle(3, 4, 3)
PLACE = Number("byte", 0, 0x3FF, hexadecimal=True)
PICTURE = "0bxxxYYYYxxZZZZxx"


@exercise("04.1", PLACE)
def where_a_byte_goes(place: int) -> Feedback:
    """The place of byte 0x330 under Sw<3,4,3>."""
    offset = 0x330
    right = ATOM(offset)
    return Feedback(
        place == right,
        f"Your place is in bank {bank_of(place)}; the byte came from bank {bank_of(offset)}.",
        "Write 0x330 in binary. Bits 9 to 7 are the source; XOR them into bits 6 to 4 and keep everything else.",
        f"The source bits of 0x330 are 110, and 011 xor 110 = 101 in bits 6 to 4: {right:#x}, bank {bank_of(right)}.",
    )


@exercise("04.2", Pair(Number("granule", 1, 64, powers=True), Number("period", 1, 4096, powers=True)))
def granule_and_period(answer: tuple[int, int]) -> Feedback:
    """Granule and period of Sw<2,3,4> in bytes."""
    swizzle, (granule, period) = Swizzle(2, 3, 4), answer
    return Feedback(
        answer == (swizzle.granule, swizzle.period),
        f"{_granule_text(swizzle, granule)}; {_period_text(swizzle, period)}.",
        "The granule is the largest block that stays together: which low bits are in neither field? "
        "The period is the smallest: above which bit does nothing matter any more?",
        f"The lowest M = 3 bits never change, so 2**3 = {swizzle.granule} bytes move as one; "
        f"the highest bit that is read is bit 8, so the pattern starts again after 2**9 = {swizzle.period} bytes.",
    )


@cache
def _granule_text(swizzle: Swizzle, granule: int) -> str:
    x = np.arange(4096)
    first = x - x % granule
    if not np.array_equal(swizzle(x) - x, swizzle(first) - first):
        return f"Blocks of {plural(granule, 'byte')} do not stay together"
    larger = ", but larger ones do, too" if granule < swizzle.granule else ""
    return f"Blocks of {plural(granule, 'byte')} stay together{larger}"


@cache
def _period_text(swizzle: Swizzle, period: int) -> str:
    x = np.arange(4096)
    if not np.array_equal(swizzle(x + period), swizzle(x) + period):
        return f"the pattern does not repeat after {plural(period, 'byte')}"
    fewer = ", but already after fewer" if period > swizzle.period else ""
    return f"the pattern repeats after {plural(period, 'byte')}{fewer}"


@exercise("04.3", WAVEFRONTS)
def four_bits(guess: int) -> Feedback:
    """Wavefronts of the column under Sw<4,4,4>, the smallest S that B = 4 allows."""
    report = Access.column(Tile(8, 64, "f16", swizzle=Swizzle(4, 4, 4), unit="byte")).report()
    return predicted(
        guess,
        report,
        "B = 4 needs S = 4 at least, so the source now begins at bit M + S = 8. Which row bit does it no longer see?",
        f"The source starts at bit 8, one above the lowest row bit, so rows 0 and 1 (2 and 3 ...) share banks: "
        f"{plural(report.wavefronts, 'wavefront')}.",
    )


@exercise("04.4", Number("different results", 1, 16))
def shift_of_zero(count: int) -> Feedback:
    """How many different results x xor (x & 3) has for x = 0 .. 15."""
    right = len({x ^ (x & 3) for x in range(16)})
    return Feedback(
        count == right,
        f"Yours: {count} places for 16 elements.",
        "Source and target are the same two bits. What is a bit xor itself?",
        f"A bit xor itself is 0: the two low bits vanish, and 16 offsets share {right} places.",
    )


@exercise("04.5", WAVEFRONTS)
def narrow_rows(guess: int) -> Feedback:
    """Wavefronts of a column of an 8x32 f16 tile under Sw<3,4,3> in bytes."""
    plain = Tile(8, 32, "f16")
    without, report = (Access.column(tile).report() for tile in (plain, plain.with_swizzle(ATOM, "byte")))
    return predicted(
        guess,
        report,
        "Row r starts at byte 64 r. Which of bits 7, 8 and 9 does the row number set?",
        f"Row r is 64 r bytes, so r >> 1 sits in bits 7 and 8 and is XORed into the bank: "
        f"{plural(report.wavefronts, 'wavefront')} instead of {without.wavefronts}.",
    )


@exercise("04.6", SwizzleNumbers("bits of the picture", (6, 12, 12)))
def read_a_picture(swizzle: Swizzle) -> Feedback:
    """B, M and S of the bit picture."""
    low_z, low_y = (len(PICTURE) - 1 - PICTURE.rindex(letter) for letter in "ZY")
    right = Swizzle(PICTURE.count("Y"), low_z, low_y - low_z)
    digits = len(PICTURE) - 2
    letters = "".join(
        "Y" if swizzle.source_mask >> bit & 1 else "Z" if swizzle.target_mask >> bit & 1 else "x"
        for bit in reversed(range(digits))
    )
    return Feedback(
        swizzle == right,
        f"{swizzle} looks like 0b{letters}.",
        "B counts the Y, M counts the x to the right of the last Z, S is the distance from the last Y to the last Z.",
        f"Four Y, two low x, and six places from Y down to Z: {right}.",
    )


@exercise("04.7", PLACE)
def who_lives_here(offset: int) -> Feedback:
    """The offset that Sw<3,4,3> stores at byte 0x3a0."""
    place = 0x3A0
    right = ATOM(place)
    return Feedback(
        offset == right,
        f"That element is stored at {ATOM(offset):#x}.",
        "Which map leads back from a place to its element?",
        f"The swizzle is its own inverse: apply it to the place, {place:#x} -> {right:#x}.",
    )


@exercise("04.8", SwizzleNumbers("bytes"))
def free_both_ways(swizzle: Swizzle) -> Feedback:
    """Any swizzle, in bytes, that makes column reads and row writes of a tile with 256-byte rows clean."""
    clean, cost = tile_bill(Tile(32, 128, "f16", swizzle=swizzle, unit="byte"))
    return Feedback(
        clean,
        f"{cost}.",
        "Keep 16 bytes together (M), and let the source begin at the bit where the row number begins (M + S).",
        "A row is 256 = 2**8 bytes, so M + S = 8 with M = 4; three bits give eight rows eight different places.",
    )
