"""Exercises of notebook 06, choosing a swizzle."""

from __future__ import annotations

from functools import cache

from ...model.access import Access
from ...model.checks import plural
from ...model.copy import TiledCopy
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Choice, Number, Pair, SwizzleNumbers
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile, bill, columns, copy_bill, is_free, is_whole, row_writes, tile_bill
from .judges import WAVEFRONTS, predicted

# The entries of the handbook's table: dtype, columns, swizzle.
GUIDE = (
    ("f16", 64, Swizzle(3, 3, 3)),
    ("f16", 128, Swizzle(3, 4, 3)),
    ("f32", 32, Swizzle(3, 4, 3)),
    ("f32", 16, Swizzle(3, 3, 3)),
    ("bf16", 128, Swizzle(3, 4, 3)),
)


@exercise("06.1", Number("M", 0, 10))
def base_of_8_bytes(base: int) -> Feedback:
    """M in bytes for 8-byte loads."""
    tile = Tile(32, 32, "f32", swizzle=Swizzle(3, base, 8), unit="byte") if base >= 2 else None
    cut = tile is None or any(access.vectors != "whole" for access in columns(tile, 8))
    return Feedback(
        base == 3,
        f"Granules of {1 << base} bytes {'keep' if not cut else 'reorder' if tile else 'tear'} the 8-byte vectors"
        + (", but fewer of them fit into a line than could." if not cut and base != 3 else "."),
        "The granule must hold one access, 2**M >= 8, and the smaller it is, the more of them a line has to offer.",
        "2**3 = 8 bytes: the smallest granule that keeps one lane's bytes together.",
    )


@exercise("06.2", Number("S", 0, 12))
def shift_of_512_byte_rows(shift: int) -> Feedback:
    """S in bytes for rows of 512 bytes and M = 4."""
    if shift < 3:
        return Feedback(False, f"With B = 3, S = {shift} would make source and target overlap.", *_FOR_512)
    tile = Tile(32, 256, "f16", swizzle=Swizzle(3, 4, shift), unit="byte")
    reads = columns(tile, 16)
    return Feedback(
        is_free(reads),
        f"{bill(f'16-byte column reads under {tile.swizzle}', reads)}.",
        *_FOR_512,
    )


_FOR_512 = (
    "The row number begins at bit log2(512), and the source begins at bit M + S.",
    "log2(512) = 9 = M + S, so S = 9 - 4 = 5.",
)


@exercise("06.3", Number("B", 0, 3))
def bits_of_64_byte_rows(bits: int) -> Feedback:
    """B in bytes for rows of 64 bytes, 16-byte accesses and M = 4, S = 3, whatever the first row is."""
    tile = Tile(40, 32, "f16", swizzle=Swizzle(bits, 4, 3), unit="byte")
    reads = {row: columns(tile, 16, range(row, row + 1)) for row in range(8)}
    bad = [row for row, accesses in reads.items() if not is_free(accesses)]
    cost = "16-byte column reads are clean from every row on."
    if bad:
        start = next(row for row in bad)
        cost = f"From row {start} on: {bill('16-byte column reads', reads[start])}."
        cost += " From row 0 on they are clean." if start else ""
    return Feedback(
        not bad,
        cost,
        "How many granules of 16 bytes has a row of 64 bytes? And must the eight rows that are read start at row 0?",
        "Four granules a row can be permuted with two bits; two rows share a 128-byte line, which already keeps them "
        "in different banks. A third bit makes granules leave their row: from an odd row on two rows would meet.",
    )


@exercise("06.4", Choice({str(number): "" for number in range(1, 6)}, "entries", several=True))
def entries_right_in_bytes(entries: tuple[str, ...]) -> Feedback:
    """The entries of the guide whose 16-byte column reads and row writes are clean, counted in bytes."""
    chosen, right = set(map(int, entries)), _clean_entries()
    wrong = sorted(chosen ^ right)
    return Feedback(
        chosen == right,
        f"You chose {sorted(chosen)}; judged wrongly: {len(wrong)} of the five entries.",
        "Entry by entry: does 2**M bytes hold 16 bytes, and is M + S the bit where the row number begins?",
        f"Only {sorted(right)}: 128-byte rows, M + S = 7 and 16-byte granules. "
        "Entries 1 and 4 reorder 16-byte vectors; in entries 2 and 5 the row number begins at bit 8.",
    )


@cache
def _clean_entries() -> frozenset[int]:
    tiles = (Tile(32, cols, dtype, swizzle=swizzle, unit="byte") for dtype, cols, swizzle in GUIDE)
    accesses = ((number, columns(tile, 16) + row_writes(tile)) for number, tile in enumerate(tiles, 1))
    return frozenset(number for number, both in accesses if is_whole(both) and is_free(both))


@exercise("06.5", WAVEFRONTS)
def scalar_columns_of_a_wide_tile(guess: int) -> Feedback:
    """The fewest wavefronts of a 4-byte column in a 32x32 f32 tile whose 8-byte vectors stay whole."""
    report = Access.column(Tile(32, 32, "f32", swizzle=Swizzle(4, 3, 4), unit="byte")).report()
    return predicted(
        guess,
        report,
        "Whole 8-byte vectors are granules of 8 bytes. How many has a 128-byte line, and how many lanes read?",
        "A line has 16 granules of 8 bytes, and a column meets one word of each. "
        f"16 banks for 32 lanes: {plural(report.wavefronts, 'wavefront')}.",
    )


@exercise("06.6", SwizzleNumbers("f32 elements"))
def floats_in_long_rows(swizzle: Swizzle) -> Feedback:
    """The swizzle, in elements, of a 64x64 f32 tile under 8-byte rows and columns."""
    plain = Tile(64, 64, "f32")
    clean, cost = tile_bill(plain.with_swizzle(swizzle, "element"), 8)
    if not clean and swizzle == Swizzle(4, 3, 5):
        cost += ". These are the numbers in bytes; elements were asked for"
    return Feedback(
        clean,
        f"{cost}.",
        "Take the rule in bytes first: accesses of 8 bytes, rows of 256. Then convert: which number moves?",
        "In bytes M = log2(8) = 3, S = log2(256) - 3 = 5, B = log2(128) - 3 = 4. A float is 2**2 bytes, so in elements "
        "M = 1: Sw<4,1,5>.",
    )


TRANSPOSED = Tile(32, 64, "f32", swizzle=Swizzle(5, 2, 5), unit="byte")


@exercise("06.7", start=TRANSPOSED, goal=Goal(lambda: TRANSPOSED, accesses=({"pattern": "column"},)))
def transpose(answer: object) -> Feedback:
    """A 32x64 f32 tile, no byte larger, whose scalar rows and columns are both clean."""
    plain = Tile(32, 64, "f32")
    tile = a_tile(answer, plain)
    if tile.size_bytes > plain.size_bytes:
        raise ValueError(f"The tile has {tile.size_bytes} bytes; {plain.size_bytes} must do.")
    stored, writes = copy_bill("Row writes", TiledCopy.row(tile, 4, "store"))
    loaded, reads = copy_bill("Column reads", TiledCopy.column(tile, 4))
    return Feedback(
        stored and loaded,
        f"{writes}. {reads}.",
        "32 lanes want 32 banks at once: how many bits is that, and at which bit does the row number begin?",
        "w = 4, row = 256 bytes: M = 2, S = 8 - 2 = 6, B = 7 - 2 = 5. Five bits give 32 rows 32 places.",
    )


@cache
def _plans() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """(stores, wavefronts of the writes, wavefronts of the reads) of plan A and of plan B."""
    plans = []
    for width, swizzle in ((16, Swizzle(3, 4, 3)), (4, Swizzle(5, 2, 5))):
        tile = Tile(32, 32, "f32", swizzle=swizzle, unit="byte")
        parts = row_writes(tile, width), columns(tile, 4)
        plans.append((len(parts[0]), *(sum(access.report().wavefronts for access in part) for part in parts)))
    return tuple(plans)


@exercise("06.8", Pair(Number("wavefronts saved", -16, 112), Number("stores added", 0, 32)))
def weigh_two_plans(answer: tuple[int, int]) -> Feedback:
    """Wavefronts that narrow writes save on a 32x32 f32 tile with scalar column reads, and the stores they add."""
    (stores, *wavefronts), (more_stores, *fewer) = _plans()
    right = sum(wavefronts) - sum(fewer), more_stores - stores
    saved, added = answer
    return Feedback(
        answer == right,
        f"Yours: B takes {sum(wavefronts) - saved} wavefronts and {stores + added} stores; "
        f"A takes {sum(wavefronts)} and {stores}.",
        "The tile has 4096 bytes. How many bytes does one store of a warp write in each plan, and how many does "
        "one wavefront take? Then count the columns by the table.",
        f"Writes: {wavefronts[0]} wavefronts in both plans, in {stores} stores or {more_stores}. "
        f"Columns: {wavefronts[1]} wavefronts or {fewer[1]}. "
        f"B saves {right[0]} wavefronts for {right[1]} more stores: narrow writes cost instructions, not wavefronts.",
    )
