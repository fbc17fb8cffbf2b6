"""Exercises of notebook 05, bytes or elements."""

from __future__ import annotations

import numpy as np

from ...model.access import Access
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Number, SwizzleNumbers
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile, tile_bill
from .judges import WAVEFRONTS, predicted

PRINTED = tuple(
    Tile.from_cute(text, "f16")
    for text in ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")
)
ASKED = Tile.from_cute("Sw<2,4,3> o smem_ptr[32b](unset) o (_8,_16):(_16,_1)", "f32")
TMA_128 = Swizzle(3, 4, 3)
ELEMENTS = Number("elements", 0, 512)


@exercise("05.1", ELEMENTS)
def two_prints(count: int) -> Feedback:
    """How many of 512 elements the two printed layouts store at different bytes."""
    one, other = PRINTED
    right = int((one.addresses != other.addresses).sum())
    return Feedback(
        count == right,
        f"Of {one.addresses.size} elements {'that many' if count == right else 'fewer'} come back wrong.",
        "An element of half is two bytes. By how many bits do its element number and its byte number differ?",
        f"Counting bytes instead of halves adds one low bit, so M = 3 becomes 4: one map, {right} differences.",
    )


@exercise("05.2", WAVEFRONTS)
def same_numbers_in_bytes(guess: int) -> Feedback:
    """Wavefronts of column 0 of the 8x32 f32 tile under Sw<3,2,3> in bytes."""
    report = Access.column(Tile(8, 32, "f32", swizzle=Swizzle(3, 2, 3), unit="byte")).report()
    return predicted(
        guess,
        report,
        "In bytes the source is bits 5 to 7, and a row begins at bit 7. How many row bits are read?",
        f"Only the lowest row bit, bit 7, is in the source, so eight rows share two places: {report.wavefronts} each.",
    )


@exercise("05.3", SwizzleNumbers("f64 elements"))
def for_doubles(swizzle: Swizzle) -> Feedback:
    """Byte Sw<3,4,3> counted in f64 elements."""
    right = TMA_128.recast(8, 64)
    return Feedback(
        swizzle == right,
        f"Your {swizzle} in f64 elements keeps {8 * swizzle.granule} bytes together; {TMA_128} in bytes keeps 16.",
        "One f64 is 2**3 bytes. Both fields move down by 3 bits; their distance does not change.",
        f"M = 4 - 3 = 1, B and S stay: {right}.",
    )


@exercise("05.4", ELEMENTS)
def base_of_512(count: int) -> Feedback:
    """How many of 512 elements move if the 128B mode counts the address and the tile begins at byte 512."""
    by_offset = Tile(8, 64, "f16", base_address=512, swizzle=TMA_128, unit="byte")
    by_address = Tile(8, 64, "f16", base_address=512, swizzle=TMA_128, unit="byte", anchor="address")
    right = int((by_offset.addresses != by_address.addresses).sum())
    return Feedback(
        count == right,
        f"Yours: {count} of 512 elements lie elsewhere.",
        "The address of every element is its offset plus 0x200. Is bit 9 in the source field of Sw<3,4,3>?",
        f"Bit 9 is in the source: adding 512 flips it for every element, so all {right} land in another granule.",
    )


@exercise("05.5", SwizzleNumbers("f32 elements"))
def back_to_elements(swizzle: Swizzle) -> Feedback:
    """The swizzle, in f32 elements, of a printed smem_ptr layout."""
    right = ASKED.swizzle.recast(8, 32)
    yours = ASKED.with_swizzle(swizzle, "element")
    moved = int((yours.addresses != ASKED.addresses).sum())
    cost = f"With {swizzle} in elements {moved} of {ASKED.addresses.size} elements would lie elsewhere."
    if swizzle == ASKED.swizzle:
        cost += " These are the numbers in bytes; elements were asked for."
    elif not moved and swizzle != right:
        cost += " In taller tiles some would: the numbers that hold for all tiles differ from yours."
    return Feedback(
        # The tile is all that is asked about: a bit that is 0 throughout it may be read or not.
        not moved,
        cost,
        "smem_ptr says that Sw<2,4,3> counts bytes, and [32b] that an element is four of them.",
        f"Four bytes are two bits: {ASKED.swizzle} in bytes is {right} in f32 elements.",
    )


@exercise("05.6", Number("alignment in bytes", 1, 4096))
def alignment(align: int) -> Feedback:
    """The smallest alignment at which byte addresses and byte offsets agree under Sw<3,4,4>."""
    swizzle = Swizzle(3, 4, 4)
    right = swizzle.period
    x = np.arange(4096)
    moved = int((swizzle(x + align) != swizzle(x) + align).sum())
    return Feedback(
        align == right,
        f"With the tile there, {moved} of 4096 bytes lie elsewhere than at byte 0"
        + (", but a smaller alignment will do." if not moved and align != right else "."),
        "The pattern repeats after 2**(B + M + S) bytes.",
        f"2**(3 + 4 + 4) = {right}: only then does the base add nothing to the bits that the swizzle reads.",
    )


HALF = Tile(64, 32, "f16", swizzle=Swizzle(2, 4, 3), unit="element")
FP8 = Tile(64, 256, "e4m3", swizzle=Swizzle(3, 3, 4), unit="element")


@exercise("05.7", start=HALF, goal=Goal(lambda: HALF))
def write_it_for_half(answer: object) -> Feedback:
    """A tile whose swizzle counts elements and that is Sw<2,4,3> in bytes."""
    wanted = Tile(64, 32, "f16", swizzle=Swizzle(2, 4, 3), unit="byte")
    tile = a_tile(answer, wanted)
    if tile.swizzle is None or tile.unit != "element":
        raise ValueError(f'A swizzle that counts elements (unit="element") is asked for, not {tile.swizzle_name}.')
    moved = int((tile.addresses != wanted.addresses).sum())
    return Feedback(
        not moved,
        f"{moved} of {wanted.addresses.size} elements are not where Sw<2,4,3> in bytes puts them.",
        "A half is 2**1 bytes, and only M depends on the unit.",
        "Sw<2,4,3> in bytes = Sw<2,3,3> in elements of two bytes, every element in its place.",
    )


@exercise("05.8", start=FP8, goal=Goal(lambda: FP8))
def fp8_both_ways(answer: object) -> Feedback:
    """An 8-bit tile, swizzled in elements, clean for column reads and row writes."""
    tile = a_tile(answer, Tile(64, 256, "e4m3"))
    clean, cost = tile_bill(tile)
    in_elements = tile.swizzle is not None and tile.unit == "element"
    asked = f' A swizzle that counts elements (unit="element") is asked for, not {tile.swizzle_name}.'
    return Feedback(
        clean and in_elements,
        f"{cost}." + ("" if in_elements else asked),
        "For one-byte elements, how many elements are 16 bytes, and at which bit does the row number begin "
        "when a row has 256 bytes?",
        "With one byte an element both units count alike: M = 4, M + S = 8, and three bits serve eight rows.",
    )
