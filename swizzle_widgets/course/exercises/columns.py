"""Exercises of notebook 02, why a column is slow."""

from __future__ import annotations

import numpy as np

from ...model.access import Access
from ...model.checks import plural
from ...model.tile import Tile
from ..forms import Choice
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile
from .judges import WAVEFRONTS, chosen, one_bank, one_in_each_row, predicted

PADDED = Tile(32, 32, "f32", padding=1)
WIDE_READ = {"a": "as in the plain tile", "b": "it works and takes more wavefronts", "c": "it does not work"}
# Bytes from row to row of the kernel that exercise 02.6 asks about.
STRIDES = (64, 80, 128, 144)


@exercise("02.1", WAVEFRONTS)
def column_of_eight(guess: int) -> Feedback:
    """Wavefronts of eight lanes that read column 0 of the 8x32 float32 tile."""
    return predicted(
        guess,
        Access.column(Tile(8, 32, "f32")).report(),
        "Write down the byte address of (0, 0), (1, 0) and (2, 0), and the bank of each.",
        "A row is 128 bytes, one full turn through the banks, so all eight elements lie in bank 0 in different words.",
    )


@exercise("02.2", WAVEFRONTS)
def rows_of_24(guess: int) -> Feedback:
    """Wavefronts of 32 lanes that read a column of a tile with rows of 24 floats."""
    return predicted(
        guess,
        Access.column(Tile(32, 24, "f32")).report(),
        "The banks of the column are 0, 24, 48 mod 32 = 16, ... When does bank 0 come back?",
        "After four rows the column is back in bank 0 (4 x 24 = 96 words, three full turns). "
        "So it visits 4 banks, and 32 words over 4 banks are 8 each.",
    )


@exercise("02.3", Choice(WIDE_READ))
def wide_read_of_a_padded_row(letter: str) -> Feedback:
    """What a 16-byte read of row 1 of float tile[32][33] does."""
    try:
        refusal = str(Access.row(PADDED, row=1, width=16).report())
    except ValueError as error:
        refusal = str(error)
    plain = Access.row(Tile(32, 32, "f32"), row=1, width=16).report()
    return chosen(
        letter,
        {
            "a": f"It would, if row 1 began at a multiple of 16 bytes, as it does without padding: {plain}.",
            "b": "More wavefronts are the price of a conflict, and the words of this row lie in different banks.",
            "c": f"The model refuses it: {refusal}.",
        },
        "c",
        "At which byte does row 1 begin when a row takes 33 words?",
        "Row 1 begins at byte 132, and a 16-byte access must start at a multiple of 16. On the GPU this is a "
        "misaligned-address fault, not a slow load.",
    )


@exercise("02.4", WAVEFRONTS)
def ldmatrix_on_plain_rows(guess: int) -> Feedback:
    """Wavefronts of ldmatrix.x4 on a 16x64 float16 tile."""
    return predicted(
        guess,
        Access.ldmatrix(Tile(16, 64, "f16")).report(),
        "Take one 8x8 matrix first: eight rows, 128 bytes apart, 16 bytes each. Then there are four matrices.",
        "The eight rows of a matrix begin in the same bank, so a matrix takes 8 wavefronts where 1 would do, "
        "and x4 loads four.",
    )


def wide_reads(tile: Tile) -> tuple[int, int]:
    """Wavefronts of 16-byte reads of rows and of a column: the costs that exercise 02.5 weighs."""
    rows = max(Access.row(tile, row=row, width=16).report().wavefronts for row in range(tile.rows))
    return rows, Access.column(tile, width=16).report().wavefronts


def added_bytes(tile: Tile) -> int:
    """Bytes of a row-major tile of floats beyond its elements, the last row's padding included."""
    return tile.rows * int(tile.addresses[1, 0] - tile.addresses[0, 0]) - tile.rows * tile.cols * 4


@exercise(
    "02.5",
    start=Tile(32, 32, "f32"),
    goal=Goal(
        lambda padding: Tile(32, 32, "f32", padding=padding),
        {"floats of padding a row": (0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32)},
        swizzle=False,
    ),
)
def padding_for_vectors(answer: object) -> Feedback:
    """A padded 32x32 float32 tile with 16-byte row and column reads, in the fewest bytes."""
    tile = a_tile(answer, Tile(32, 32, "f32"))
    if tile.swizzle is not None or tile.order != "row" or tile.addresses[0, 0]:
        raise ValueError("This exercise is about padding: a row-major tile at byte 0, without a swizzle.")
    plain = Tile(32, 32, "f32")
    target = (wide_reads(plain)[0], Access.column(plain, width=16).report().ideal)
    fewest = next(added_bytes(plain.padded(pad)) for pad in range(0, 33, 4) if wide_reads(plain.padded(pad)) == target)
    try:
        rows, column = wide_reads(tile)
        cost = f"rows {plural(rows, 'wavefront')}, column {plural(column, 'wavefront')}"
        reached = (rows, column) == target
    except ValueError as error:
        cost, reached = f"no 16-byte access ({error})", False
    extra = added_bytes(tile)
    possible = (
        f"Both are as low as can be, but {fewest} bytes suffice."
        if reached and extra != fewest
        else (f"Possible: {target[0]} and {target[1]}.")
    )
    return Feedback(
        reached and extra == fewest,
        f"Yours: {cost}, {extra} bytes added. {possible}",
        "Each row must begin at a multiple of 16 bytes, and eight rows below each other in eight different groups "
        "of four banks.",
        "Four words of padding keep every row 16-byte aligned and move each row on by one group of four banks; "
        "eight rows then cover all 32.",
    )


@exercise("02.6", Choice({str(stride): "" for stride in STRIDES}, "bytes from row to row"))
def row_stride_from_the_profiler(stride: str) -> Feedback:
    """The row stride in bytes with which ldmatrix.x4 takes 16 wavefronts."""
    report = Access.ldmatrix(Tile(16, int(stride) // 2, "f16")).report()
    return Feedback(
        report.wavefronts == 16,
        f"Rows of {stride} bytes would show: {report}.",
        "16 wavefronts for 4 matrices are 4 for each: the eight rows of a matrix begin in only two different places.",
        "With 64-byte rows every second row begins in the same bank: two places for eight rows, "
        "so four wavefronts a matrix.",
    )


@exercise("02.7", start=np.arange(32), goal=one_in_each_row(PADDED, 1))
def conflict_behind_the_padding(answer: object) -> Feedback:
    """One element in each row and column of float tile[32][33], all in one bank."""
    return one_bank(
        answer,
        PADDED,
        "In this tile bank(r, c) = (33 r + c) mod 32 = (r + c) mod 32. Keep the sum constant.",
        "All elements with the same (r + c) mod 32 share a bank: the antidiagonal. Padding moved the conflict there.",
    )
