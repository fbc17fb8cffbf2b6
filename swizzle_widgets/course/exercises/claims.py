"""Exercises of notebook 09, claims checked.

A claim is judged by cases that the model computes: it is true if it holds in all of them, false if
in none, and depends if in some.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...model.access import Access
from ...model.banks import bank_report
from ...model.modes import mode, mode_of
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Choice
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
        def judge(word: str) -> Feedback:
            found = cases()
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
    "What does a bank hand out at once: a byte, a word? And which lanes are served together?",
    "Lanes share a word at no cost, and phases never meet: only two words of one bank in one phase conflict.",
)
def one_bank_conflicts():
    halves = bank_report(2 * LANES[:2], 2)
    words = bank_report(128 * LANES[:2], 4)
    phases = bank_report(np.where(LANES < 16, 16 * (LANES % 8) + 128 * (LANES // 8), 0), 16, active=LANES < 16)
    return {
        "two words of one bank": words.conflicts > 0,
        "two halves of one word": halves.conflicts > 0,
        "16-byte loads of lanes 0 and 8": phases.conflicts > 0,
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
    "What if the rows are 33 floats long?",
    "The row stride decides: 32 floats send every row to one bank, 33 floats to the next one.",
)
def columns_conflict():
    return {
        f"rows of {32 + pad} floats": _conflicts(Access.column(Tile(32, 32, "f32", padding=pad))) for pad in (0, 1, 2)
    }


@claim(
    "09.5",
    "Must they lie in the same word, or is the same bank enough?",
    "The word is what is shared. Two halves in two words of one bank conflict like any others.",
)
def halves_are_free():
    return {
        "two halves of one word": bank_report([0, 2], 2).conflicts == 0,
        "two halves in two words of one bank": bank_report([0, 128], 2).conflicts == 0,
    }


@claim(
    "09.6",
    "Try k = 2: which bit of the bank number never changes?",
    "Odd k below 32 permutes the rows; an even k loses a bit, and rows share banks.",
)
def any_k():
    return {f"k = {k}": len({(r * k) % 32 for r in range(32)}) == 32 for k in (1, 2, 3, 4)}


@claim(
    "09.7",
    "The source field stays as it was. What is z xor y xor y?",
    "The source bits never change, so the second XOR takes back the first: every element has a place of its own.",
)
def its_own_inverse():
    offsets = np.arange(4096)
    swizzles = [Swizzle(B, M, S) for B in (1, 2, 3) for M in range(4) for S in (B, B + 1, -B)]
    return {f"{len(swizzles)} legal swizzles": all(np.array_equal(sw(sw(offsets)), offsets) for sw in swizzles)}


@claim(
    "09.8",
    "The period is a number of bytes. How many rows are that?",
    "The period is 2**(B+M+S) bytes; that is 2**B rows only where a row is 2**(M+S) bytes.",
)
def repeats_after_2b():
    return {f"rows of {row} bytes": SW343.period == row << SW343.bits for row in (64, 128, 256)}


@claim(
    "09.9",
    "How many lanes are served together in a 16-byte load, and how many in a 4-byte load?",
    "Three bits give eight places: enough for the 8 lanes of a 16-byte phase, not for the 32 of a 4-byte one.",
)
def three_bits():
    tile = Tile(32, 32, "f32", swizzle=SW343, unit="byte")
    return {f"{width}-byte columns": not _conflicts(Access.column(tile, width=width)) for width in (16, 8, 4)}


@claim(
    "09.10",
    "Which unit does the swizzle count in this sentence?",
    "2**3 = 8 units: bytes if it counts bytes, 16 bytes on half, 32 bytes on float.",
)
def granule_of_8():
    return {f"{bits // 8}-byte units": SW333.granule * bits // 8 == 8 for bits in (8, 16, 32)}


@claim(
    "09.11",
    "Which unit is meant: bytes, or elements of half?",
    "In bytes it is the 128B mode. In elements of half its span is 256 bytes, and no mode does that.",
)
def is_128():
    return {name: mode_of(SW343, bits) == mode("128B") for name, bits in (("bytes", 8), ("f16 elements", 16))}


@claim(
    "09.12",
    "The 64B mode of TMA and WGMMA has granules of 16 bytes and two bits.",
    "The 64B mode is Sw<2,4,3> in bytes. Three bits of 16-byte granules span 128 bytes; no mode moves 8-byte granules.",
)
def is_64():
    return {f"{bits // 8}-byte units": mode_of(SW333, bits) == mode("64B") for bits in (8, 16, 32)}


@claim(
    "09.13",
    "A composition counts elements; the mode counts bytes.",
    "Counted in halves, Sw<3,4,3> stores half of the atom's elements elsewhere than the 128B mode does.",
)
def composition_is_the_atom():
    tile = Tile(8, 64, "f16", swizzle=SW343, unit="element")
    return {"the 8x64 atom of half": np.array_equal(tile.addresses, mode("128B").tile(8, 64, "f16").addresses)}


@claim(
    "09.14",
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
    "09.15",
    "At which bit does the number of a 256-byte row begin, and at which does the source?",
    "The row begins at bit 8. In bytes the source begins at 7, and in elements the granule is 32 bytes: 2-way in both.",
)
def f16_128():
    return {name: _right(Tile(64, 128, "f16", swizzle=SW343, unit=name)) for name in ("byte", "element")}


@claim(
    "09.16",
    "In which unit would 16-byte vectors stay whole, and does the source then meet the row number?",
    "In bytes its granules cut 16-byte vectors; in elements the column read is 2-way. Sw<2,4,3> in bytes is right.",
)
def f32_16():
    return {name: _right(Tile(64, 16, "f32", swizzle=SW333, unit=name)) for name in ("byte", "element")}


@claim(
    "09.17",
    "The source bits come from the whole offset, not from the column alone.",
    "The row number fills the bits above the row. Only a whole tile of at most 2**(M+S) bytes has nothing there.",
)
def short_rows_do_nothing():
    tiles = {cols: Tile(8, cols, "f16", swizzle=SW343, unit="byte") for cols in (16, 32)}
    return {
        f"rows of {2 * cols} bytes": np.array_equal(tile.addresses, tile.with_swizzle(None).addresses)
        for cols, tile in tiles.items()
    }


@claim(
    "09.18",
    "A row of 128 halves: at which bit does its number begin, counted in elements?",
    "128 = 2**7 elements, so M + S = 7; a granule of 16 bytes is 8 elements, M = 3, and S = 4.",
)
def shift_of_128_halves():
    return {
        "a 64x128 tile of half": _right(Tile(64, 128, "f16", swizzle=Swizzle(3, 3, 4), unit="element")),
        "a 64x128 tile of bf16": _right(Tile(64, 128, "bf16", swizzle=Swizzle(3, 3, 4), unit="element")),
    }


@claim(
    "09.19",
    "32 lanes of 4 bytes want 32 places. How many does B = 3 offer?",
    "It is clean nowhere. Sw<5,2,5> in bytes gives each of the 32 rows a bank of its own.",
)
def best_for_32_bits():
    return {
        f"{dtype} K = {cols}, {unit}s": not _conflicts(
            Access.column(Tile(32, cols, dtype, swizzle=SW333, unit=unit), width=4)
        )
        for dtype, cols in (("f32", 32), ("f32", 16), ("f16", 64))
        for unit in ("byte", "element")
    }


@claim(
    "09.20",
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
    "09.21",
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


@claim(
    "09.22",
    "Can two different maps both be clean?",
    "A tile at byte 512 is clean by the offset rule and by the address rule, and no element lies at the same place. A "
    "padded tile is clean, too.",
)
def clean_proves_right():
    by_offset = Tile(8, 64, "f16", base_address=512, swizzle=SW343, unit="byte")
    by_address = Tile(8, 64, "f16", base_address=512, swizzle=SW343, unit="byte", anchor="address")
    padded = Tile(8, 64, "f16", base_address=512, padding=8)
    assert all(is_free(columns(tile, 16)) for tile in (by_offset, by_address, padded))
    return {
        "two clean tiles at byte 512": np.array_equal(by_offset.addresses, by_address.addresses),
        "a swizzled and a padded tile, both clean": np.array_equal(by_offset.addresses, padded.addresses),
    }


@exercise("09.23")
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


@exercise("09.24", start=Tile(64, 64, "f16", base_address=2560, swizzle=SW333, unit="element"))
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
    "09.25",
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
