"""Exercises of notebook 03, XOR."""

from __future__ import annotations

import numpy as np

from ...model.banks import bank_of, bank_report
from ...model.checks import plural
from ...model.hardware import BANKS, LINE_BYTES, WORD_BYTES
from ...model.reports import BankReport
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Number, Pair
from ..registry import Feedback, exercise
from .judges import WAVEFRONTS, one_bank, one_in_each_row, predicted

# slot = column xor row, for every row: five row bits XORed into five column bits.
XORED = Tile(32, 32, "f32", swizzle=Swizzle(5, 0, 5), unit="element")

# The k that exercises 03.7 and 03.8 name themselves.
GIVEN, TABLED = 4, 8


def column_report(k: int, rows: int = 32) -> BankReport:
    """The cost of column 0 of rows of 32 words whose column c is stored in slot (c xor k r) mod 32."""
    row = np.arange(rows)
    return bank_report(LINE_BYTES * row + WORD_BYTES * (k * row % BANKS))


@exercise("03.1", Number("slot", 0, 31))
def slot_of_one_element(slot: int) -> Feedback:
    """The slot of column 6 in row 21."""
    right = int(XORED.banks[21, 6])
    holds = int(np.flatnonzero(XORED.banks[21] == slot)[0])
    return Feedback(
        slot == right,
        f"In row 21, slot {slot} holds the element of column {holds}.",
        "Write both numbers in binary, 00110 and 10101, and keep the bits in which they differ.",
        f"6 xor 21 = 00110 xor 10101 = {right:05b} = {right}. A shift by 21 would give {6 + 21}.",
    )


@exercise("03.2", Pair(Number("bank in row 8", 0, 31), Number("bank in row 13", 0, 31)))
def banks_of_a_column(banks: tuple[int, int]) -> Feedback:
    """The banks of column 3 in rows 8 and 13."""
    rows = (8, 13)
    right = tuple(int(XORED.banks[row, 3]) for row in rows)
    wrong = [row for row, bank, there in zip(rows, banks, right) if bank != there]
    cost = "Both rows keep their element where you say."
    if wrong:
        row, bank = wrong[0], banks[rows.index(wrong[0])]
        column = int(np.flatnonzero(XORED.banks[row] == bank)[0])
        cost = f"In row {row}, bank {bank} holds the element of column {column}."
        cost += f" Row {rows[0]} is right." if wrong == [rows[1]] else ""
    return Feedback(
        not wrong,
        cost,
        "Row 8 is 01000 in binary and flips one bit of 00011. Which bits does row 13 flip?",
        f"3 xor 8 = {right[0]} and 3 xor 13 = {right[1]}. Each row flips other bits, so eight rows meet eight banks.",
    )


@exercise("03.3", WAVEFRONTS)
def twice_the_row(guess: int) -> Feedback:
    """Wavefronts of column 0 over 32 rows with k = 2."""
    return predicted(
        guess,
        column_report(2),
        "The banks are 2r mod 32. Which rows share a bank with row 0?",
        "2r mod 32 takes 16 values, and row r + 16 has the same as row r: two words a bank.",
    )


@exercise("03.4", Number("k", 1, 31))
def smallest_whole_vector(k: int) -> Feedback:
    """The smallest k > 0 that keeps four neighboring words together and in order in every row."""
    right = next(k for k in range(1, BANKS) if not _reordered_rows(k))
    reordered = _reordered_rows(k)
    cost = f"k = {k} keeps every float4 whole."
    if reordered:
        slots = " ".join(map(str, np.arange(4) ^ k * reordered[0] % BANKS))
        cost = f"With k = {k}, columns 0 1 2 3 of row {reordered[0]} lie in slots {slots}."
    return Feedback(
        k == right,
        cost + ("" if reordered or k == right else " A smaller k does, too."),
        "The two lowest bits of the column say where in its float4 a word stands. Which k r never touches them?",
        "k r must be a multiple of 4 for every row, so that the two lowest bits of the column stay as they are.",
    )


def _reordered_rows(k: int) -> list[int]:
    """The rows in which columns 0 to 3 are no longer four neighboring words in order."""
    slots = np.arange(4) ^ (k * np.arange(32) % BANKS)[:, None]
    return np.flatnonzero((np.diff(slots) != 1).any(axis=1)).tolist()


@exercise("03.5", Number("byte address", 0, XORED.size_bytes - 1))
def address_of_an_element(address: int) -> Feedback:
    """The byte address of (6, 9) with slot = column xor row."""
    right = int(XORED.addresses[6, 9])
    row, col = (int(place[0]) for place in np.nonzero(XORED.addresses == address // WORD_BYTES * WORD_BYTES))
    cost = f"There, in bank {bank_of(address)}, lies the element ({row}, {col})."
    if address % WORD_BYTES:
        asked = "the element that is asked for" if (row, col) == (6, 9) else "another element"
        cost = f"That byte is inside {asked}, and an element starts at a multiple of {WORD_BYTES} bytes."
    return Feedback(
        address == right,
        cost,
        "A row is 128 bytes and stays where it was; only the slot within the row changes: 9 xor 6.",
        f"6 x 128 + 4 x (9 xor 6) = 768 + 4 x {9 ^ 6} = {right}.",
    )


@exercise("03.6", start=3 * np.arange(32) % 32, goal=one_in_each_row(XORED, 3))
def conflict_behind_the_xor(answer: object) -> Feedback:
    """One element in each row and column of the XORed tile, all in one bank."""
    return one_bank(
        answer,
        XORED,
        "bank(r, c) = c xor r. Which c gives the same bank in every row?",
        "c = r xor b puts every row in bank b; with b = 0 that is the main diagonal. XOR moved the conflict there.",
    )


@exercise("03.7", Number("k", 0, 31))
def multiplier_for_ldmatrix(k: int) -> Feedback:
    """Another k that makes ldmatrix.x1 on rows of 64 halves clean and keeps 16-byte vectors whole."""
    rows = np.arange(8)
    reordered = [row for row in _reordered_rows(k) if row < 8]
    if reordered:
        cost = (
            f"With k = {k}, the words of each 16 bytes in row {reordered[0]} are reordered. A plain load could still "
            "fetch them, in another order; no ldmatrix can."
        )
        return Feedback(False, cost, *_FOR_LDMATRIX)
    report = bank_report(LINE_BYTES * rows + WORD_BYTES * (k * rows % BANKS), kind="ldmatrix")
    cost = f"Yours: {report}. Possible: 1 wavefront."
    if k == GIVEN:
        cost = f"k = {GIVEN} was given. Which other k does as well?"
    return Feedback(k != GIVEN and not report.conflicts, cost, *_FOR_LDMATRIX)


_FOR_LDMATRIX = (
    "k must be a multiple of 4, to keep 16 bytes together, and k r mod 32 must differ in all eight rows.",
    "k = 4, 12, 20 or 28: a multiple of 4 keeps the vectors whole, and an odd one visits all eight groups of "
    "four banks in eight rows.",
)


@exercise("03.8", Number("k", 0, 31))
def multiplier_from_the_profiler(k: int) -> Feedback:
    """Another k than 8 with which a column of 32 rows takes 8 wavefronts."""
    report = column_report(k)
    cost = f"With k = {k} each load would show {plural(report.wavefronts, 'wavefront')} and "
    cost += f"{plural(report.conflicts, 'conflict')}." + (" Which other k does?" if k == TABLED else "")
    return Feedback(
        k != TABLED and report.wavefronts == column_report(TABLED).wavefronts,
        cost,
        "Eight wavefronts mean eight words a bank, so the 32 rows use only 4 banks.",
        "k r mod 32 takes 32 / gcd(k, 32) values. Four values need gcd(k, 32) = 8: k = 8 or k = 24.",
    )
