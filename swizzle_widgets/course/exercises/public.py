"""Exercises of notebook 11, asked in public: threads that the notebook does not answer."""

from __future__ import annotations

from functools import cache

from ...model.access import Access
from ...model.checks import plural
from ...model.copy import TiledCopy
from ...model.hardware import WARP_LANES
from ...model.reports import BankReport
from ...model.swizzle import Swizzle
from ...model.tile import Tile
from ..forms import SwizzleNumbers
from ..goals import Goal
from ..kernel_layouts import KERNEL_LAYOUTS
from ..registry import Feedback, exercise
from .answers import a_tile, copy_bill
from .judges import WAVEFRONTS_AND_CONFLICTS, predicted_pair

LANES = range(WARP_LANES)
DOUBLES = Tile(8, 8, "f64")
K_MAJOR = Tile(8, 128, "f32")


@exercise("11.2", WAVEFRONTS_AND_CONFLICTS)
def column_of_doubles(answer: tuple[int, int]) -> Feedback:
    """Wavefronts and conflicts of an 8-byte load of an 8x8 f64 table in which lane l reads row l mod 8, column 0."""
    report, padded = _doubles(DOUBLES), _doubles(DOUBLES.padded(1))
    return predicted_pair(
        answer,
        report,
        "each phase of an LDS.64 needs one wavefront at least, and only what is beyond them is a conflict",
        "A row is 64 bytes, so it begins in bank 0 or in bank 16. How many different rows does each half-warp read, "
        "and how many of them begin in the same bank?",
        "Each of the two phases wants eight doubles, four in banks 0 and 1 and four in banks 16 and 17: "
        f"{report.wavefronts} wavefronts, of which {report.ideal} are the minimum. The thread's cure, 9 doubles a row, "
        f"takes {padded.wavefronts}, the minimum.",
    )


@cache
def _doubles(tile: Tile) -> BankReport:
    return Access.at(tile, [lane % 8 for lane in LANES], 0).report()


def column_by_column(tile: Tile) -> TiledCopy:
    """The 16-byte stores in which lane l writes the vector l // 8 of row l mod 8, for each four vectors of a row."""
    return TiledCopy.from_tv(tile, "((8,4),4):((1,32),8)", tiler=(8, 16), width=16, kind="store")


@exercise("11.3", start=K_MAJOR.padded(4), goal=Goal(K_MAJOR.padded, {"floats of padding a row": (4, 0, 1)}))
def a_tile_without_padding(answer: object) -> Feedback:
    """An 8x128 f32 tile, no byte larger, whose 16-byte stores down the rows and 16-byte row reads are clean."""
    tile = a_tile(answer, K_MAJOR)
    try:
        stores, reads = column_by_column(tile), TiledCopy.row(tile, 16)
    except ValueError as error:
        return Feedback(False, f"No such instruction: {error}.", *_NO_PADDING)
    extra = tile.size_bytes - K_MAJOR.size_bytes
    (stored, written), (loaded, read) = copy_bill("Stores", stores), copy_bill("Row reads", reads)
    return Feedback(
        stored and loaded and extra <= 0,
        f"{written}. {read}. The tile ends {plural(max(extra, 0), 'byte')} later than it must.",
        *_NO_PADDING,
    )


_NO_PADDING = (
    "Notebook 06 has the rule: which M keeps a float4 in one piece, at which bit does the number of a 512-byte row "
    "begin, and how many float4 fit into 128 bytes?",
    "M = log2(16) = 4, S = log2(512) - 4 = 5, B = log2(128) - 4 = 3: Sw<3,4,5> in bytes, Sw<3,2,5> in floats. "
    "The eight rows of a phase go to eight different groups of four banks, as with 132 floats a row.",
)


FRAGMENTS = next(exhibit for exhibit in KERNEL_LAYOUTS if exhibit.name == "SM80 tf32, M-major")
# Both accesses stay within one atom.
ATOM = Tile.from_cute(FRAGMENTS.atom, FRAGMENTS.dtype)
LEAST = " and ".join(str(access.report().least) for access in FRAGMENTS.accesses)


@exercise("11.1", SwizzleNumbers("tf32 elements", (5, 6, 6)))
def columns_of_tf32(swizzle: Swizzle) -> Feedback:
    """A swizzle, in elements, that serves 16-byte copies and 4-byte fragments of an M-major tf32 tile."""
    tile = ATOM.with_swizzle(swizzle, "element")
    on_it = [Access.from_spec(tile, pattern) for pattern in FRAGMENTS.patterns]
    refused = next((access.refusal for access in on_it if access.refusal), "")
    # Hundreds of answers are judged for the page, most of them refused: those are not counted.
    reports = [] if refused else [access.report() for access in on_it]
    counts = " and ".join(plural(report.cost, report.unit) for report in reports)
    yours = f"no instruction, {refused}" if refused else counts
    return Feedback(
        not refused and not any(report.excess for report in reports),
        f"Yours: {yours}. Possible: {LEAST}."
        + (" In bytes it would be right; elements were asked for." if swizzle == Swizzle(2, 5, 2) else ""),
        "The fragment reads eight neighbors, 32 bytes, of each of four lines. So which granule must stay together, and "
        "how many places are there in a line for it?",
        "Granules of 32 bytes, four to a line of 128 bytes: M = 3, B = 2, and S = 2 reaches the line's number. In "
        "bytes that is Sw<2,5,2>, the one layout that Blackwell's tensor cores take for M-major tf32.",
    )
