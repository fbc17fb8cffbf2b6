"""Exercises of notebook 01, thirty-two banks."""

from __future__ import annotations

import numpy as np

from ...model.access import Access
from ...model.banks import bank_of, bank_report
from ...model.checks import plural
from ...model.hardware import BANKS, LINE_BYTES, WARP_LANES, WORD_BYTES
from ...model.tile import Tile
from ..forms import Choice, Number
from ..goals import Goal
from ..registry import Feedback, exercise
from .judges import WAVEFRONTS, WAVEFRONTS_AND_CONFLICTS, an_access, chosen, predicted, predicted_pair

LANES = np.arange(WARP_LANES)
# The notebook's 4 KiB of shared memory, a 128-byte line a row.
MEMORY = Tile(32, 32, "f32")
# A page asks for the verdicts on a thousand pairs: what they are judged by is counted once.
WIDE_LOAD = bank_report(16 * LANES, width=16)
PAIRS_APART = bank_report(16 * LANES, width=8)
PROFILER_LINE = {
    "a": "eight lanes of each quarter-warp want different words of one bank",
    "b": "two lanes of each quarter-warp do",
    "c": "nothing: that is what 16-byte loads cost",
}


@exercise("01.1", Number("bank", 0, 255))
def bank_of_a_byte(bank: int) -> Feedback:
    """The bank of byte 200."""
    right = bank_of(200)
    cost = (
        f"Your bank {bank} holds bytes {4 * bank} to {4 * bank + 3} of each 128-byte line; "
        f"byte 200 is byte {200 % LINE_BYTES} of its line."
    )
    if bank >= BANKS:
        cost = f"There is no bank {bank}: the {BANKS} banks are numbered 0 to {BANKS - 1}."
    return Feedback(
        bank == right,
        cost,
        "Divide by 4 bytes a word, then count words modulo 32.",
        f"200 // 4 = {200 // WORD_BYTES}, and {200 // WORD_BYTES} modulo 32 = {right}.",
    )


@exercise("01.2", WAVEFRONTS)
def every_second_word(guess: int) -> Feedback:
    """Wavefronts of 32 lanes that read every second word."""
    return predicted(
        guess,
        bank_report(2 * WORD_BYTES * LANES),
        "Lane 0 reads word 0. Which is the next lane whose word lies in bank 0?",
        "Only the even banks are used, so 32 words share 16 banks: lanes l and l + 16 want two words of one bank.",
    )


@exercise("01.3", WAVEFRONTS)
def neighboring_halves(guess: int) -> Feedback:
    """Wavefronts of 32 lanes that read 32 consecutive 2-byte elements."""
    return predicted(
        guess,
        bank_report(2 * LANES, width=2),
        "Count distinct words in each bank, not lanes.",
        "Lanes 2i and 2i + 1 want the two halves of one word. The bank delivers the word once, to both.",
    )


@exercise("01.4", WAVEFRONTS_AND_CONFLICTS)
def wide_load(answer: tuple[int, int]) -> Feedback:
    """(wavefronts, conflicts) of a warp that reads 512 consecutive bytes, 16 a lane."""
    most = f"one wavefront carries at most 32 words, {LINE_BYTES} bytes"
    return predicted_pair(
        answer,
        WIDE_LOAD,
        most,
        "How many bytes does the warp ask for, and how many can 32 banks deliver in one wavefront? "
        "A conflict is a wavefront beyond that minimum.",
        "The warp asks for 512 bytes and a wavefront carries at most 128, so 4 is the minimum: "
        "none of them is a conflict.",
    )


@exercise("01.5", Number("byte address", 0, MEMORY.size_bytes - 1))
def same_bank_as_byte_1000(address: int) -> Feedback:
    """A byte address whose word conflicts with that at byte 1000."""
    # The address may name any byte of the word.
    address -= address % WORD_BYTES
    report = bank_report([1000, address])
    return Feedback(
        report.conflicts == 1,
        f"Lane 0 wants word {1000 // WORD_BYTES} of bank {bank_of(1000)}, lane 1 word {address // WORD_BYTES} of bank "
        f"{bank_of(address)}: {plural(report.wavefronts, 'wavefront')}, {plural(report.conflicts, 'conflict')}.",
        "You need another word of the same bank. After how many bytes do the banks repeat?",
        "The banks repeat every 128 bytes: 1000 plus or minus any multiple of 128 is another word of the same bank.",
    )


@exercise(
    "01.6",
    start=Access.offsets(MEMORY, 32 * LANES),
    goal=Goal(
        lambda first, step, count: Access.offsets(MEMORY, first + step * (LANES % count)),
        {"a": tuple(range(BANKS)), "b": (32, 1, 4, 8, 31, 33), "n": (32, 16, 8, 4, 3, 2, 1)},
        "Lane l reads word a + b (l mod n).",
        swizzle=False,
    ),
)
def crowded_bank(answer: object) -> Feedback:
    """An access of 32 lanes, all in bank 7, that takes exactly 3 wavefronts."""
    access = an_access(answer, MEMORY)
    report = access.report()
    lanes = sum(len(phase.lanes) for phase in report.phases)
    inside = sum(len(who) for phase in report.phases for who in phase.words.get(7, {}).values())
    elsewhere = any(set(phase.words) != {7} for phase in report.phases)
    return Feedback(
        (lanes, inside, elsewhere, report.wavefronts) == (WARP_LANES, WARP_LANES, False, 3),
        f"Yours: {plural(lanes, 'lane')}, {inside} of them in bank 7, {plural(report.wavefronts, 'wavefront')}; "
        f"asked for: {WARP_LANES}, {WARP_LANES} and 3.",
        "Bank 7 holds words 7, 39, 71 and so on. How many different ones may the lanes ask for?",
        "Wavefronts count different words, not lanes: three words of bank 7, shared by 32 lanes, take three.",
    )


@exercise("01.7", Choice(PROFILER_LINE))
def profiler_line(letter: str) -> Feedback:
    """What 8 wavefronts and 4 conflicts of an LDS.128 mean."""

    def report(step: int):
        return str(Access.offsets(Tile(8, 128, "f32"), step * LANES, width=16).report())

    return chosen(
        letter,
        {
            "a": f"Eight lanes of a quarter-warp in the same banks would show: {report(32)}.",
            "b": f"Two lanes of a quarter-warp in the same banks show: {report(8)}.",
            "c": f"The width alone would show: {report(4)}.",
        },
        "b",
        "An LDS.128 has four phases. How many wavefronts does each take here, and how many would it take at best?",
        "Eight wavefronts over four phases are two for each: somewhere two lanes of one quarter-warp want "
        "different words of a bank.",
    )


@exercise("01.8", WAVEFRONTS_AND_CONFLICTS)
def pairs_of_words_apart(answer: tuple[int, int]) -> Feedback:
    """(wavefronts, conflicts) of 8-byte reads, 16 bytes from lane to lane."""
    return predicted_pair(
        answer,
        PAIRS_APART,
        "each half-warp is a phase of its own, and one wavefront for each is the ideal",
        "Take lanes 0 to 15 alone. Lane 0 reads words 0 and 1; which is the next lane that needs bank 0?",
        "In a phase of 16 lanes, lanes l and l + 8 want different words of the same two banks: 2 wavefronts, "
        "one of them a conflict. The other half-warp takes as many again.",
    )
