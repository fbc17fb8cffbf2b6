"""Exercises of notebook 06, choosing a swizzle."""

from __future__ import annotations

from .._checks import whole
from ..access import Access
from ..banks import plural
from ..swizzle import Swizzle
from ..tile import Tile
from . import Feedback, exercise
from .answers import a_swizzle, a_tile, bill, columns, is_free, row_writes

# The rows of the handbook's table: dtype, columns, swizzle.
GUIDE = (
    ("f16", 64, Swizzle(3, 3, 3)),
    ("f16", 128, Swizzle(3, 4, 3)),
    ("f32", 32, Swizzle(3, 4, 3)),
    ("f32", 16, Swizzle(3, 3, 3)),
    ("bf16", 128, Swizzle(3, 4, 3)),
)


@exercise("06.1")
def base_of_8_bytes(answer) -> Feedback:
    """M in bytes for 8-byte loads."""
    base = whole("M", answer, 0, 10)
    tile = Tile(32, 32, "f32", swizzle=Swizzle(3, base, 8), unit="byte") if base >= 2 else None
    cut = tile is None or any(access.cut_lanes for access in columns(tile, 8))
    return Feedback(
        base == 3,
        f"Granules of {1 << base} bytes {'cut' if cut else 'keep'} the 8-byte vectors"
        + (", but fewer of them fit into a line than could." if not cut and base != 3 else "."),
        "The granule must hold one access, 2**M >= 8, and the smaller it is, the more of them a line has to offer.",
        "2**3 = 8 bytes: the smallest granule that keeps one lane's bytes together.",
    )


@exercise("06.2")
def shift_of_256_byte_rows(answer) -> Feedback:
    """S in bytes for rows of 256 bytes and M = 4."""
    shift = whole("S", answer, 3, 12)
    tile = Tile(32, 128, "f16", swizzle=Swizzle(3, 4, shift), unit="byte")
    reads = columns(tile, 16)
    return Feedback(
        is_free(reads),
        f"{bill(f'16-byte column reads under {tile.swizzle}', reads)}.",
        "The row number begins at bit log2(256), and the source begins at bit M + S.",
        "log2(256) = 8 = M + S, so S = 8 - 4 = 4.",
    )


@exercise("06.3")
def bits_of_64_byte_rows(answer) -> Feedback:
    """B in bytes for rows of 64 bytes, 16-byte accesses and M = 4, S = 3."""
    bits = whole("B", answer, 0, 3)
    tile = Tile(32, 32, "f16", swizzle=Swizzle(bits, 4, 3), unit="byte")
    reads = columns(tile, 16)
    more = ", but elements also leave their row: a bit more than is needed" if bits > 2 else ""
    return Feedback(
        bits == 2,
        f"{bill(f'16-byte column reads under {tile.swizzle}', reads)}{more}.",
        "How many granules of 16 bytes has a row of 64 bytes?",
        "Four granules a row can be permuted with two bits; two rows share a 128-byte line, "
        "which already keeps them in different banks.",
    )


@exercise("06.4")
def rows_right_in_bytes(answer) -> Feedback:
    """The rows of the guide whose 16-byte column reads and row writes are clean, counted in bytes."""
    if not isinstance(answer, (list, tuple, set)):
        raise TypeError(f"A list of row numbers is asked for, such as [1, 2], not {answer!r}.")
    chosen = {whole("the row", number, 1, len(GUIDE)) for number in answer}
    verdicts = {}
    for number, (dtype, cols, swizzle) in enumerate(GUIDE, 1):
        tile = Tile(32, cols, dtype, swizzle=swizzle, unit="byte")
        verdicts[number] = is_free(columns(tile, 16) + row_writes(tile))
    right = {number for number, free in verdicts.items() if free}
    wrong = sorted(chosen ^ right)
    return Feedback(
        chosen == right,
        f"You chose {sorted(chosen)}; of the five rows, {len(wrong)} are judged wrongly.",
        "Row by row: does 2**M bytes hold 16 bytes, and is M + S the bit where the row number begins?",
        f"Only {sorted(right)}: 128-byte rows, M + S = 7 and 16-byte granules. "
        "Rows 1 and 4 cut 16-byte vectors, rows 2 and 5 begin at bit 8.",
    )


@exercise("06.5")
def padding(answer) -> Feedback:
    """The smallest padding, in f16 elements, that makes 16-byte column reads of a 128x64 tile clean."""
    count = whole("the padding", answer, 0, 64)
    plain = Tile(128, 64, "f16")
    tile = plain.padded(count)
    extra = tile.rows * count * tile.element_bits // 8
    right = next(n for n in range(1, 65) if _padded_free(plain.padded(n)))
    try:
        reads = columns(tile, 16)
    except ValueError as error:
        cost = f"No instruction: {error}."
    else:
        cost = f"{bill('16-byte column reads', reads)}."
    return Feedback(
        count == right,
        f"{cost} It costs {plural(extra, 'byte')}.",
        "Every row must start at a multiple of 16 bytes, and eight rows in eight different groups of four banks.",
        f"{right} halves are 16 bytes: rows of 144 bytes, each one group of four banks further than the last.",
    )


def _padded_free(tile: Tile) -> bool:
    try:
        return is_free(columns(tile, 16))
    except ValueError:
        return False


@exercise("06.6")
def fp8_in_long_rows(answer) -> Feedback:
    """The swizzle, in bytes, of a 64x256 e4m3 tile under ldmatrix and cp.async."""
    tile = Tile(64, 256, "e4m3", swizzle=a_swizzle(answer), unit="byte")
    reads, writes = columns(tile, 16), row_writes(tile)
    return Feedback(
        is_free(reads + writes),
        f"{bill('16-byte column reads', reads)}. {bill('16-byte row writes', writes)}.",
        "The dtype does not matter once you count bytes: access 16, row 256.",
        "M = log2(16) = 4, S = log2(256) - 4 = 4, B = log2(128) - 4 = 3.",
    )


@exercise("06.7")
def transpose(answer) -> Feedback:
    """A 32x64 f32 tile, no byte larger, whose scalar rows and columns are both clean."""
    plain = Tile(32, 64, "f32")
    tile = a_tile(answer, plain)
    if tile.size_bytes > plain.size_bytes:
        raise ValueError(f"The tile has {tile.size_bytes} bytes; {plain.size_bytes} must do.")
    writes = [Access.row(tile, row, col, kind="store") for row in range(32) for col in (0, 32)]
    reads = columns(tile, 4)
    return Feedback(
        is_free(writes + reads),
        f"{bill('Row writes', writes)}. {bill('Column reads', reads)}.",
        "32 lanes want 32 banks at once: how many bits is that, and at which bit does the row number begin?",
        "w = 4, row = 256 bytes: M = 2, S = 8 - 2 = 6, B = 7 - 2 = 5. Five bits give 32 rows 32 places.",
    )


@exercise("06.8")
def two_readers(answer) -> Feedback:
    """A 64x128 f16 tile, written by cp.async, read by ldmatrix.x4 everywhere."""
    tile = a_tile(answer, Tile(64, 128, "f16"))
    reads = [Access.ldmatrix(tile, row, col) for row in range(0, 64, 16) for col in range(0, 128, 16)]
    writes = row_writes(tile)
    return Feedback(
        is_free(reads + writes),
        f"{bill('ldmatrix.x4', reads)}. {bill('cp.async', writes)}.",
        "Either let the source begin at bit log2(256), or cut the tile into two pages of 128-byte rows.",
        "One 256-byte row takes M = S = 4 in bytes, two pages S = 3; padding by 16 bytes needs no XOR.",
    )
