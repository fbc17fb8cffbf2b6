"""Exercises of notebook 06, choosing a swizzle."""

from __future__ import annotations

from ..model.access import Access
from ..model.checks import plural, whole
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from . import Feedback, exercise
from .answers import a_swizzle, a_tile, bill, columns, is_free, row_writes
from .judges import predicted

# The entries of the handbook's table: dtype, columns, swizzle.
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
def entries_right_in_bytes(answer) -> Feedback:
    """The entries of the guide whose 16-byte column reads and row writes are clean, counted in bytes."""
    if not isinstance(answer, (list, tuple, set)):
        raise TypeError(f"A list of entry numbers is asked for, such as [1, 2], not {answer!r}.")
    chosen = {whole("the entry", number, 1, len(GUIDE)) for number in answer}
    verdicts = {}
    for number, (dtype, cols, swizzle) in enumerate(GUIDE, 1):
        tile = Tile(32, cols, dtype, swizzle=swizzle, unit="byte")
        verdicts[number] = is_free(columns(tile, 16) + row_writes(tile))
    right = {number for number, free in verdicts.items() if free}
    wrong = sorted(chosen ^ right)
    return Feedback(
        chosen == right,
        f"You chose {sorted(chosen)}; judged wrongly: {len(wrong)} of the five entries.",
        "Entry by entry: does 2**M bytes hold 16 bytes, and is M + S the bit where the row number begins?",
        f"Only {sorted(right)}: 128-byte rows, M + S = 7 and 16-byte granules. "
        "Entries 1 and 4 cut 16-byte vectors; in entries 2 and 5 the row number begins at bit 8.",
    )


@exercise("06.5")
def scalar_columns_of_a_wide_tile(answer) -> Feedback:
    """The fewest wavefronts of a 4-byte column in a 32x32 f32 tile whose 8-byte vectors stay whole."""
    report = Access.column(Tile(32, 32, "f32", swizzle=Swizzle(4, 3, 4), unit="byte")).report()
    return predicted(
        answer,
        report,
        "Whole 8-byte vectors are granules of 8 bytes. How many has a 128-byte line, and how many lanes read?",
        "A line has 16 granules of 8 bytes, and a column meets one word of each. "
        f"16 banks for 32 lanes: {plural(report.wavefronts, 'wavefront')}.",
    )


@exercise("06.6")
def floats_in_long_rows(answer) -> Feedback:
    """The swizzle, in elements, of a 64x64 f32 tile under 8-byte rows and columns."""
    tile = Tile(64, 64, "f32", swizzle=a_swizzle(answer), unit="element")
    reads, writes = columns(tile, 8), row_writes(tile, 8)
    return Feedback(
        is_free(reads + writes),
        f"{bill('8-byte column reads', reads)}. {bill('8-byte row writes', writes)}.",
        "Take the rule in bytes first: accesses of 8 bytes, rows of 256. Then convert: which number moves?",
        "In bytes M = log2(8) = 3, S = log2(256) - 3 = 5, B = log2(128) - 3 = 4. A float is 2**2 bytes, so in elements "
        "M = 1: Sw<4,1,5>.",
    )


@exercise("06.7", begun=True)
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
def weigh_two_plans(answer) -> Feedback:
    """Wavefronts that narrow writes save on a 32x32 f32 tile with scalar column reads, and the stores they add."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(f"Two numbers are asked for, (wavefronts saved, store instructions added), not {answer!r}.")
    saved, added = (whole(name, value, -4096, 4096) for name, value in zip(("the wavefronts", "the stores"), answer))
    stores, wavefronts = {}, {}
    for width, swizzle in ((16, Swizzle(3, 4, 3)), (4, Swizzle(5, 2, 5))):
        tile = Tile(32, 32, "f32", swizzle=swizzle, unit="byte")
        stores[width] = len(row_writes(tile, width))
        wavefronts[width] = [
            sum(access.report().wavefronts for access in part) for part in (row_writes(tile, width), columns(tile, 4))
        ]
    right = sum(wavefronts[16]) - sum(wavefronts[4]), stores[4] - stores[16]
    return Feedback(
        (saved, added) == right,
        f"Yours: B takes {sum(wavefronts[16]) - saved} wavefronts and {stores[16] + added} stores; "
        f"A takes {sum(wavefronts[16])} and {stores[16]}.",
        "The tile has 4096 bytes. How many bytes does one store of a warp write in each plan, and how many does "
        "one wavefront take? Then count the columns by the table.",
        f"Writes: {wavefronts[16][0]} wavefronts in both plans, in {stores[16]} stores or {stores[4]}. "
        f"Columns: {wavefronts[16][1]} wavefronts or {wavefronts[4][1]}. "
        f"B saves {right[0]} wavefronts for {right[1]} more stores: narrow writes cost instructions, not wavefronts.",
    )
