"""Exercises of notebook 09, claims checked.

A claim is judged by cases that the model computes: it is true if it holds in all of them, false if
in none, and depends if in some.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ...model.access import Access
from ...model.banks import bank_report
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Choice
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile, bill, columns, is_free, is_whole, row_writes, tile_bill

SW343, SW333 = Swizzle(3, 4, 3), Swizzle(3, 3, 3)
LANES = np.arange(32)


VERDICTS = {
    "true": "it holds in every case that it speaks of",
    "false": "it holds in none",
    "depends": "it holds in some: it leaves something open that decides",
}


def claim(number: str, hint: str, why: str) -> Callable[[Callable], Callable]:
    """Register a function that returns the cases of a claim, by name, as the exercise `number`."""

    def register(cases: Callable[[], dict[str, bool]]) -> Callable[[], dict[str, bool]]:
        counted = cache(cases)

        def judge(word: str) -> Feedback:
            found = counted()
            right = "true" if all(found.values()) else "depends" if any(found.values()) else "false"
            return Feedback(word == right, _evidence(word, right, found), hint, why)

        judge.__doc__ = f"Whether claim {number.partition('.')[2]} is true, false, or depends on the case."
        exercise(number, Choice(VERDICTS, "the claim"))(judge)
        return cases

    return register


def _evidence(word: str, right: str, found: dict[str, bool]) -> str:
    """The cases, or for a wrong verdict only one that speaks against it."""
    holds, fails = ([name for name, value in found.items() if bool(value) == side] for side in (True, False))
    if word == right:
        sides = (("holds", holds), ("fails", fails))
        return "The claim " + " and ".join(f"{verb} for {', '.join(names)}" for verb, names in sides if names) + "."
    if word == "depends":
        return "No two of the cases that the model tried come out differently."
    if word == "true":
        return f"The claim fails for {fails[0]}."
    if right == "depends":
        return (
            f"A case refutes it as it stands, but the claim holds for {holds[0]}. Here false means that it holds in no "
            "case. What does it leave open?"
        )
    return f"The claim holds for {holds[0]}."


def _conflicts(access: Access) -> bool:
    return access.report().conflicts > 0


def _right(tile: Tile) -> bool:
    """Whether 16-byte column reads and row writes of a tile are clean everywhere, by cp.async and ldmatrix too."""
    return is_whole(accesses := columns(tile, 16) + row_writes(tile)) and is_free(accesses)


def _passes_row_test(tile: Tile) -> bool:
    """Whether no bank repeats within any 32 elements that follow each other in a row."""
    return all(
        len(set(row[start : start + 32])) == 32 for row in tile.banks.tolist() for start in range(0, tile.cols, 32)
    )


@claim(
    "09.1",
    "A swizzle moves every element of a row. Is there an access that was clean because of where they were?",
    "It moves conflicts: under Sw<5,2,5> the column is free, and the diagonal lies in one bank.",
)
def never_slower():
    swizzled = Tile(32, 32, "f32", swizzle=Swizzle(5, 2, 5), unit="byte")
    accesses = {"the column": Access.column(swizzled), "the diagonal": Access.at(swizzled, LANES, LANES)}
    plain = swizzled.with_swizzle(None)
    return {
        name: access.report().wavefronts <= access.on(plain).report().wavefronts for name, access in accesses.items()
    }


@claim(
    "09.2",
    "Look at a 16-byte load that conflicts in one of its four phases only.",
    "Each phase is counted alone: an 8-way conflict in one phase of four costs 8 + 1 + 1 + 1 wavefronts.",
)
def n_times():
    one_phase = bank_report(np.where(LANES < 8, 128 * LANES, 16 * LANES), 16)
    all_phases = bank_report(128 * LANES, 16)
    return {
        "a 4-byte load, 32-way": bank_report(128 * LANES, 4).wavefronts == 32,
        "a 16-byte load, 8-way in every phase": all_phases.wavefronts == 8 * all_phases.ideal,
        "a 16-byte load, 8-way in one phase": one_phase.wavefronts == 8 * one_phase.ideal,
    }


@claim(
    "09.3",
    "How many bytes does one wavefront deliver, and how many does the instruction move? Can its phases merge?",
    "Its four phases never merge, so four is the minimum even when all lanes name one row; 512 different bytes need "
    "four wavefronts anyway.",
)
def four_wavefronts():
    tile = Tile(64, 64, "f16", swizzle=SW343, unit="byte")
    reports = {
        "ldmatrix.x4 on a swizzled tile": Access.ldmatrix(tile).report(),
        "ldmatrix.x4 with all lanes on one row": bank_report(0 * LANES, kind="ldmatrix"),
    }
    return {name: report.wavefronts == 4 and not report.conflicts for name, report in reports.items()}


@claim(
    "09.4",
    "Which lanes are served together, in a load of 4 bytes a lane and in one of 16?",
    "Up to 4 bytes a lane all lanes are one phase. In a wider access the order decides who shares a phase.",
)
def order_is_nothing():
    def same(order: np.ndarray, width: int) -> bool:
        return bank_report(width * order, width).wavefronts == bank_report(width * LANES, width).wavefronts

    return {"a 4-byte load of a row": same(LANES % 4 * 8 + LANES // 4, 4),
            "a 16-byte load of a row": same(LANES % 4 * 8 + LANES // 4, 16)}  # fmt: skip


@claim(
    "09.5",
    "Count different words in the busiest bank when lanes share a word in pairs.",
    "A bank delivers its word to every lane that wants it, be it two lanes or all; other banks deliver others.",
)
def broadcast_to_all_only():
    return {
        "pairs of lanes on one word": bank_report(4 * (LANES // 2), 4).conflicts > 0,
        "three words for all lanes": bank_report(4 * (LANES % 3), 4).conflicts > 0,
        "the bytes of eight words": bank_report(LANES, 1).conflicts > 0,
    }


@claim(
    "09.6",
    "Which 32 banks do 32 neighboring words lie in, if the first is word 5?",
    "32 neighboring words lie in 32 different banks, wherever the first one is. (Global memory is another matter.)",
)
def rows_begin_anywhere():
    return {f"a first word of {word}": bank_report(4 * (word + LANES), 4).wavefronts == 1 for word in (0, 1, 5, 31)}


@claim(
    "09.7",
    "What is the stride in words before and after, and what is its greatest common divisor with 32?",
    "A stride of 3 words is odd and clean. With the fourth float it is 4, and each member takes 4 wavefronts.",
)
def pad_three_floats():
    def wavefronts(stride: int, member: int) -> int:
        return bank_report(4 * (stride * LANES + member), 4).wavefronts

    return {f"member {name}": wavefronts(4, at) < wavefronts(3, at) for at, name in enumerate("xyz")}


@claim(
    "09.8",
    "Rotate each row by its number. How many wavefronts does a column take?",
    "Any order in which no column meets a bank twice will do: (column + row) mod 32 is as clean. XOR is cheap, and its "
    "own inverse; that is why hardware and CuTe use it.",
)
def only_xor():
    words = Tile.from_map(lambda row, col: 32 * row + (col + row) % 32, (32, 32), "f32")
    granules = Tile.from_map(lambda row, col: 32 * row + (col + 4 * row) % 32, (32, 32), "f32")
    return {
        "rows of words, rotated": any(Access.column(words, col).report().conflicts for col in range(32)),
        "rows of granules, rotated": not is_free(columns(granules, 16)),
    }


@claim(
    "09.9",
    "Which step changes no bit that the swizzle reads?",
    "Adding and XOR do not commute: 8 columns or a row on, another granule changes places. Whole periods, 1024 bytes, "
    "change no source bit.",
)
def fixed_steps():
    addresses = Tile(64, 64, "f16", swizzle=SW343, unit="byte").addresses
    return {
        "8 columns on": bool((addresses[:, 8:] - addresses[:, :-8] == 16).all()),
        "a row on": bool((addresses[1:] - addresses[:-1] == 128).all()),
        "8 rows on": bool((addresses[8:] - addresses[:-8] == 1024).all()),
    }


@claim(
    "09.10",
    "Does a bank know which GPU it is in?",
    "In bytes it is SM80's own default for half, Sw<3,3,3> in elements, and cp.async writes it without a conflict.",
)
def wrong_on_a100():
    tile = Tile(64, 64, "f16", swizzle=SW343, unit="byte")
    default = tile.with_swizzle(SW333, "element")
    return {
        "16-byte cp.async writes": any(map(_conflicts, row_writes(tile))),
        "the map beside SM80's default": not np.array_equal(tile.addresses, default.addresses),
    }


@claim(
    "09.11",
    "What must the address of a 16-byte load be a multiple of?",
    "It makes columns of floats clean, but not those of 64 halves; and the next row starts at byte 132, where no "
    "16-byte access may start.",
)
def one_element_of_padding():
    floats, halves = Tile(32, 32, "f32", padding=1), Tile(32, 64, "f16", padding=1)

    def clean(tile: Tile, width: int) -> bool:
        try:
            return not _conflicts(Access.column(tile, width=width))
        except ValueError:
            return False

    return {
        "4-byte columns of floats": clean(floats, 4),
        "16-byte columns of floats": clean(floats, 16),
        "columns of halves": clean(halves, 2),
    }


@claim(
    "09.12",
    "Which lanes of a column read lie in one row? And what does the test say of a plain tile and of a swizzled one?",
    "Of two float tiles, one plain and one in the 128B mode, both pass; of two tiles of half both fail, as two halves "
    "share a word. In each pair only one has clean columns.",
)
def row_test():
    pairs = {
        f"two tiles of {dtype}, one plain and one in the 128B mode": (
            Tile(8, cols, dtype),
            Tile(8, cols, dtype, swizzle=SW343, unit="byte"),
        )
        for dtype, cols in (("f32", 32), ("f16", 64))
    }
    return {name: all(_passes_row_test(tile) == _right(tile) for tile in pair) for name, pair in pairs.items()}


@exercise("09.13", goal=Goal(lambda: Tile(32, 32, "f32")))
def counterexample(answer: object) -> Feedback:
    """A swizzled tile that passes the row test and whose 16-byte columns conflict."""
    tile = a_tile(answer, Tile(32, 32, "f32"))
    passes, reads, swizzled = _passes_row_test(tile), columns(tile, 16), bool(tile.swizzle and tile.swizzle.bits)
    conflicts = not any(access.refusal for access in reads) and not is_free(reads)
    name = f"it has {tile.swizzle_name}" if swizzled else "it has no swizzle"
    return Feedback(
        swizzled and passes and conflicts,
        f"Your tile: {name}, the row test {'passes' if passes else 'fails'}. {bill('16-byte column reads', reads)}.",
        "A swizzle with whole vectors permutes each row, so the row test passes. How many places does B = 1 give to "
        "the eight lanes of a phase?",
        "Sw<1,4,3> in bytes permutes every row and offers two places where eight are wanted: 4-way. A row says nothing "
        "about a column, with or without a swizzle.",
    )


def _behind(address: int) -> Tile:
    return Tile(64, 64, "f16", base_address=address, swizzle=SW333, unit="element")


@exercise("09.14", start=_behind(2560), goal=Goal(_behind, {"base_address": (2560, 2816, 3072, 3200)}))
def behind_a_buffer(answer: object) -> Feedback:
    """A 64x64 f16 tile beyond byte 2500 that is TMA's 128B map by offset and by address, clean both ways."""
    tile = a_tile(answer, Tile(64, 64, "f16"))
    if tile.base_address < 2500:
        raise ValueError(f"The tile starts at byte {tile.base_address}; bytes 0 to 2499 are taken.")
    wanted = Tile(64, 64, "f16", base_address=tile.base_address, swizzle=SW343, unit="byte", anchor="address")
    by_offset = Tile(64, 64, "f16", base_address=tile.base_address, swizzle=SW343, unit="byte")
    lost = int((tile.addresses != wanted.addresses).sum())
    moved = int((wanted.addresses != by_offset.addresses).sum())
    clean, cost = tile_bill(tile)
    return Feedback(
        not lost and not moved and clean,
        f"{lost} of 4096 elements are not where TMA writes them; at this base TMA and the offset rule differ in "
        f"{moved}. "
        f"{cost}.",
        "After how many bytes does the 128B pattern repeat?",
        "Sw<3,4,3> in bytes repeats every 1024 bytes, so the first place beyond 2500 is byte 3072.",
    )


@claim(
    "09.15",
    "Build a tile for each row width, and ask `Access.column(tile, col, row=row, width=16)` for a report: of each "
    "vector, and from row 1 on, too.",
    "Eight rows of 16 * 2^b bytes that begin with a line fill 2^b lines, and B >= b is enough. Where they begin inside "
    "a line they touch one line more, and there only B = b, the mode of that row width, is clean.",
)
def serves_rows_up_to():
    rows = {"from rows 0, 8, 16, ... on": range(0, 17, 8), "from every row on": range(8)}
    return {
        f"Sw<{bits},4,3> on rows of {row} bytes, {name}": is_free(
            columns(Tile(64, row // 2, "f16", swizzle=Swizzle(bits, 4, 3), unit="byte"), 16, starts)
        )
        for name, starts in rows.items()
        for bits, widths in ((3, (128, 64, 32, 16)), (2, (64, 32, 16)))
        for row in widths
    }
