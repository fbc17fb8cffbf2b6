"""Exercises of notebook 10, what the hardware says. What an H200 did decides, or the model where it equals that."""

from __future__ import annotations

from ...measured import price, recorded
from ...model.access import Access
from ...model.checks import plural
from ...model.hardware import LINE_BYTES
from ...model.tile import Tile
from ..forms import Choice, Number
from ..goals import Goal
from ..registry import Feedback, exercise
from .answers import a_tile
from .judges import MOST_WAVEFRONTS, WAVEFRONTS, an_access, chosen, predicted

SQUARE = Tile(32, 32, "f32")
LINE = Tile(1, 128, "f32")
HALVES = Tile(64, 64, "f16")
COUNTERS = {"a": "loads", "b": "pipe", "c": "conflicts", "d": "instructions"}
# Times a copy's time, of which one was measured.
SLOWDOWNS: dict[str, float] = {"a": 32, "b": 8, "c": 2.5}


def cycles(guess: int, access: Access, hint: str, why: str) -> Feedback:
    """Judge a prediction of the cycles that an instruction took on the H200."""
    record = recorded()
    measured = record.cycles[record.find(access)]
    right = abs(guess - measured) <= 0.5
    verdict = f"{measured:.1f}, as measured" if right else f"the H200 took {'more' if measured > guess else 'fewer'}"
    return Feedback(right, f"Yours: {plural(guess, 'cycle')} an instruction; {verdict}.", hint, why)


@exercise("10.1", Number("cycles", 0, MOST_WAVEFRONTS))
def column_on_the_clock(guess: int) -> Feedback:
    """Cycles per instruction of a column of the 32x32 float32 tile."""
    return cycles(
        guess,
        Access.column(SQUARE),
        "The column is 32 words of one bank. How many wavefronts does shared memory serve in a cycle?",
        "Shared memory serves one wavefront a cycle, and 32 warps leave it no time to rest: cycles = wavefronts.",
    )


@exercise("10.2", WAVEFRONTS)
def broadcast_of_a_vector(guess: int) -> Feedback:
    """Wavefronts of LDS.128 with all lanes on one address."""
    return predicted(
        guess,
        Access.offsets(LINE, [0] * 32, 16).report(),
        "A 16-byte request has four phases of eight lanes. Which of them could be served together?",
        "Neighboring phases merge in pairs when lanes share their vector with a neighbor: four phases become two, "
        "and two never become one.",
    )


@exercise("10.3", Choice(COUNTERS, "counter"))
def counter_that_lies(letter: str) -> Feedback:
    """Which counter is wrong about one LDS.32 along a row."""
    record = recorded()
    place = record.find(Access.row(SQUARE, 1))
    reads = {each: record.counts[name][place] for each, name in COUNTERS.items()}
    texts = {
        each: f"{COUNTERS[each]} read {count}; the model says {0 if COUNTERS[each] == 'conflicts' else 1}."
        for each, count in reads.items()
    }
    return chosen(
        letter,
        texts,
        "b",
        "Three of the four name what they count: loads, conflicts, instructions. One counts whatever passes.",
        "The counter without a kind counts whatever passes the pipe, and something besides the load does in every "
        "launch: Nsight Compute files it under op_misc.",
    )


@exercise("10.4", Number("bytes a cycle", 0, 256))
def bytes_of_narrow_rows(guess: int) -> Feedback:
    """Bytes a cycle at which TMA, on one multiprocessor alone, writes a box with rows of 16 bytes."""
    found = recorded("hopper")
    # Without a swizzle, and the first traffic: one multiprocessor alone, from L2.
    alone = (found["tma_mode"] == 0) & (found["tma_traffic"] == 0)
    rounds = found["tma_bytes_per_cycle"][alone].mean(axis=1)
    speeds = dict(zip(found["tma_row_bytes"][alone].tolist(), rounds.tolist()))
    right = abs(guess - speeds[16]) <= 0.5
    compared = "fewer" if guess > speeds[16] else "more"
    verdict = f"{speeds[16]:.1f}, as measured" if right else f"the H200 moved {compared}"
    return Feedback(
        right,
        f"Yours: {plural(guess, 'byte')} a cycle; {verdict}.",
        f"Rows of 32 bytes move at {speeds[32]:.0f} bytes a cycle, rows of 64 bytes at {speeds[64]:.0f}. "
        "What does the engine do once a cycle?",
        "The engine takes at most one row of a box a cycle, however short the row is.",
    )


@exercise("10.5", Choice({letter: f"about {factor:g} times" for letter, factor in SLOWDOWNS.items()}))
def slowdown_of_a_transpose(letter: str) -> Feedback:
    """How much longer than a copy the plain transpose takes."""
    seconds = recorded("price")["transpose_seconds"][-1]
    slow = seconds[price.VARIANTS.index("plain")] / seconds[-1]
    texts = {
        each: f"Yours: {factor:g} times a copy's time; measured: {'about that' if each == 'c' else 'far less'}."
        for each, factor in SLOWDOWNS.items()
    }
    return chosen(
        letter,
        texts,
        "c",
        "The copy has a time of its own: 8 KiB of global memory a tile. What does shared memory do meanwhile?",
        f"It took {slow:.1f} times a copy's time: 1056 cycles of shared memory a tile beside the cycles that global "
        "memory needs anyway.",
    )


@exercise(
    "10.6",
    start=Access.offsets(LINE, range(0, 64, 2), 8),
    goal=Goal(
        lambda step, share, count: Access.offsets(
            LINE, [2 * (step * (lane // share) % count) for lane in range(32)], 8
        ),
        {"b": (1, 2, 4), "d": (1, 2, 4, 8), "n": (64, 32, 16, 8)},
        "Lane l reads the 8-byte vector b floor(l / d) mod n.",
        swizzle=False,
    ),
)
def one_wavefront_for_pairs(answer: object) -> Feedback:
    """An 8-byte load of all lanes that takes 1 wavefront and wants 16 different vectors."""
    access = an_access(answer, LINE)
    report = access.report()
    lanes = sum(start >= 0 for start in access.starts)
    apart = len(set(access.starts) - {-1})
    asked = (report.instruction, lanes, report.wavefronts)
    return Feedback(
        asked == ("LDS.64", 32, 1) and apart == 16,
        f"Yours: {report.instruction} of {plural(lanes, 'lane')}, {plural(apart, 'vector')}, "
        f"{plural(report.wavefronts, 'wavefront')}; asked for: LDS.64 of 32, 16, 1.",
        "An 8-byte load has two phases of 16 lanes. When are they served as one?",
        "Lanes 2i and 2i + 1 on vector i: the two phases merge, and 16 vectors of 8 bytes fill one line.",
    )


@exercise("10.7", Number("readings", 1, 100))
def reads_until_memory_is_faster(reads: int) -> Feedback:
    """The fewest readings of a tile at which shared memory is the slowest part though nothing conflicts."""
    found = recorded("price")
    each, arriving = price.stream_wavefronts("right"), float(found["stream_read_seconds"])

    def busy(reads: int) -> float:
        return price.pipe_seconds(found["about"], price.STREAM_TILES, each.stores + reads * each.loads)

    spare = arriving / price.pipe_seconds(found["about"], price.STREAM_TILES, 1) - each.stores
    return Feedback(
        busy(reads - 1) <= arriving < busy(reads),
        f"Read {reads} times, shared memory is busy for {1e6 * busy(reads):.0f} us; reading 1 GiB from global memory "
        f"alone takes {1e6 * arriving:.0f} us.",
        f"A tile takes {each.stores} wavefronts to store and {each.loads} to read once. "
        "When do they take longer than its bytes?",
        f"While a tile arrives, shared memory has time to store it and for {spare:.0f} wavefronts more: "
        f"{spare / each.loads:.1f} readings without a conflict, {spare / each.loads / 2:.1f} with a 2-way and "
        f"{spare / each.loads / 8:.1f} with an 8-way one.",
    )


@exercise(
    "10.8",
    start=HALVES.padded(8),
    goal=Goal(HALVES.padded, {"halves of padding a row": (8, 0, 16)}, accesses=({"pattern": "ldmatrix"},)),
)
def clean_for_copies_and_ldmatrix(answer: object) -> Feedback:
    """A 64x64 float16 tile whose ldmatrix has no conflict and whose rows each fill one aligned line."""
    tile = a_tile(answer, HALVES)
    lines = sum(len(set((row // LINE_BYTES).tolist())) for row in tile.addresses)
    try:
        report = Access.ldmatrix(tile).report()
        # The copies must be possible, too; what they cost are the lines.
        Access.cp_async(tile).report()
    except ValueError as error:
        return Feedback(False, f"No such instruction: {error}.", *_CLEAN)
    return Feedback(
        report.conflicts == 0 and lines == tile.rows,
        f"Yours: {report}; rows touch {plural(lines, 'line')}, possible: {tile.rows}.",
        *_CLEAN,
    )


_CLEAN = (
    "Padding moves the rows off their lines. What moves 16-byte granules within a 128-byte row and nothing else?",
    "Sw<3,4,3> in bytes permutes the eight granules of a row by the row's number: ldmatrix finds eight different "
    "groups of banks, and a row's copies still fill exactly one line.",
)
