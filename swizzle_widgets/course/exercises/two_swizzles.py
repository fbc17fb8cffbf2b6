"""Exercises of notebook 07, Sw<3,4,3> against Sw<3,3,3>."""

from __future__ import annotations

from ...model.access import Access
from ...model.checks import plural
from ...model.modes import MODES, mode, mode_of
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import Choice, Number, Pair, SwizzleNumbers
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile, tile_bill
from .judges import WAVEFRONTS, predicted

READINGS = {
    "A": (Swizzle(3, 4, 3), "byte"),
    "B": (Swizzle(3, 4, 3), "element"),
    "C": (Swizzle(3, 3, 3), "byte"),
    "D": (Swizzle(3, 3, 3), "element"),
}
MYSTERY = Swizzle(3, 3, 4)


@exercise("07.1", Choice({name: f"{swizzle}, counted in {unit}s" for name, (swizzle, unit) in READINGS.items()},
                         "clean readings", several=True))  # fmt: skip
def free_readings(letters: tuple[str, ...]) -> Feedback:
    """Which of the four readings make column 0 of the 8x64 f16 tile clean."""
    costs = {
        letter: Access.column(Tile(8, 64, "f16", swizzle=swizzle, unit=unit)).report().wavefronts
        for letter, (swizzle, unit) in READINGS.items()
    }
    right = tuple(letter for letter, cost in costs.items() if cost == 1)
    yours = ", ".join(f"{letter} {plural(costs[letter], 'wavefront')}" for letter in letters) or "none"
    return Feedback(
        letters == right,
        f"Yours: {yours}." + ("" if set(right) <= set(letters) else " There is another clean one."),
        "Translate all four into bytes: M grows by 1 from halves to bytes. Rows begin at bit 7, banks at bit 2.",
        "A and D are one map, 16-byte granules from bit 7. B moves 32-byte granules, C reads a column bit.",
    )


@exercise("07.2", SwizzleNumbers("bytes"))
def the_64_byte_mode(swizzle: Swizzle) -> Feedback:
    """The 64B mode of TMA and WGMMA, in bytes."""
    right = mode("64B").swizzle
    span = 1 << swizzle.base + swizzle.bits
    wrong = [name for name in ("bits", "base", "shift") if getattr(swizzle, name) != getattr(right, name)]
    near = {
        "shift": " B and M are right. S says by which line of 128 bytes a granule is moved, as in the 128B mode.",
        "bits": " M and S are right.",
        "base": " B and S are right.",
    }
    return Feedback(
        swizzle == right,
        f"Your {swizzle} in bytes has granules of {swizzle.granule} bytes and moves them within {span} bytes."
        + (near[wrong[0]] if len(wrong) == 1 else ""),
        "Granules of 16 bytes as in the 128B mode, moved within 64 bytes instead of 128, by the same row bits.",
        f"64 bytes are four granules of 16, so two bits are enough: {right}.",
    )


@exercise("07.3", Pair(Number("bytes of an element", 1, 16), Choice({m.name: "" for m in MODES[1:]}, "mode")))
def mode_of_233(answer: tuple[int, str]) -> Feedback:
    """The element size in bytes for which Sw<2,3,3> counted in elements is a hardware mode, and the mode."""
    (size, named), swizzle = answer, Swizzle(2, 3, 3)
    if size & (size - 1):
        return Feedback(False, f"No element has {size} bytes: sizes are powers of two.", *_MODE_OF_233)
    found = mode_of(swizzle, 8 * size)
    verdict = "no mode" if found is None else "a mode, and the one you name" if found.name == named else "another mode"
    return Feedback(
        found is not None and found.name == named,
        f"In elements of {plural(size, 'byte')} it is {swizzle.recast(8 * size, 8)} in bytes: {verdict}.",
        *_MODE_OF_233,
    )


_MODE_OF_233 = (
    "M in bytes = M in elements + log2(size), and it is 4 in each mode. Modes are named after their span, 2^(M+B).",
    "4 = 3 + log2(size), so an element has 2 bytes, as f16 has, and 2^(4+2) = 64.",
)


@exercise("07.4", WAVEFRONTS)
def the_copied_spelling(guess: int) -> Feedback:
    """Wavefronts of ldmatrix.x4 on composition(Swizzle<3,4,3>, (128,64):(64,1)) of half."""
    report = Access.ldmatrix(Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="element")).report()
    return predicted(
        guess,
        report,
        "A composition counts halves. Translate it into bytes, then count how many of eight rows share a place.",
        f"It is Sw<3,5,3> in bytes: rows share places in pairs, each phase takes two turns: {report.wavefronts}.",
    )


@exercise("07.5", SwizzleNumbers("bytes"))
def from_the_banks(swizzle: Swizzle) -> Feedback:
    """The swizzle, in bytes, that shows given banks in column 0 of an 8x64 f16 tile, with B = 3."""
    wanted, yours = (
        Tile(8, 64, "f16", swizzle=choice, unit="byte").banks[:, 0].tolist() for choice in (MYSTERY, swizzle)
    )
    return Feedback(
        yours == wanted and swizzle.bits == 3,
        f"Yours has B = {swizzle.bits} and gives {yours}; wanted: B = 3 and {wanted}.",
        "Neighboring places are 2 banks apart: how many bytes are that? And each row has a place of its own, so which "
        "bit of the byte offset is the lowest of the source?",
        f"2 banks are 8 bytes, so M = 3. The row number begins at bit 7 = M + S, so S = 4: {MYSTERY} in bytes.",
    )


FP8 = Tile(64, 32, "e4m3", swizzle=Swizzle(3, 3, 3), unit="element")


@exercise("07.6", start=FP8, goal=Goal(lambda: FP8))
def repair_fp8(answer: object) -> Feedback:
    """A 64x32 e4m3 tile, clean both ways, in the map of a hardware mode."""
    tile = a_tile(answer, Tile(64, 32, "e4m3"))
    clean, cost = tile_bill(tile)
    found = None if tile.swizzle is None else mode_of(tile.swizzle, tile.unit_bits)
    fits = found is not None and found.row_bytes == 32
    name = f"the {found.name} mode" if found else "no mode of the hardware"
    return Feedback(
        fits and clean,
        f"{cost}. The map is {name}.",
        "The rows have 32 bytes. Which mode has that name, and what does it look like in your unit?",
        "Rows of 32 bytes take the 32B mode, Sw<1,4,3>; one byte an element, so both units count alike.",
    )
