"""Judges and forms that the exercises of several notebooks share; the model decides every one."""

from __future__ import annotations

import numpy as np

from ...model.access import Access
from ...model.checks import plural
from ...model.hardware import WARP_LANES
from ...model.reports import BankReport
from ...model.tile import Tile
from ..forms import Number, Pair
from ..goals import Goal
from ..registry import Feedback

# A warp that moves 16 bytes a lane wants 128 words: no request takes more.
MOST_WAVEFRONTS = 128
WAVEFRONTS = Number("wavefronts", 0, MOST_WAVEFRONTS)
WAVEFRONTS_AND_CONFLICTS = Pair(Number("wavefronts", 0, 32), Number("conflicts", 0, 32))


def predicted(guess: int, report: BankReport, hint: str, why: str) -> Feedback:
    """Judge a prediction of the wavefronts that a request takes."""
    return Feedback(guess == report.wavefronts, wavefronts_text(guess, report), hint, why, report)


def predicted_pair(answer: tuple[int, int], report: BankReport, minimum: str, hint: str, why: str) -> Feedback:
    """Judge (wavefronts, conflicts); `minimum` says what decides how many of the wavefronts are conflicts."""
    wavefronts, conflicts = answer
    cost = wavefronts_text(wavefronts, report)
    if wavefronts == report.wavefronts and conflicts != report.conflicts:
        cost = f"The wavefronts are right. You count {plural(conflicts, 'conflict')}, but {minimum}."
    return Feedback(answer == (report.wavefronts, report.conflicts), cost, hint, why, report)


def wavefronts_text(guess: int, report: BankReport) -> str:
    """Say what a guess would mean on the machine, without giving the right number away."""
    if guess == report.wavefronts:
        return f"The model counts the same: {report}."
    if guess > report.wavefronts:
        return f"Yours: {plural(guess, 'wavefront')}. {_why_fewer(guess, report)}"
    served = sum(map(len, report.served[:guess]))
    waiting = sum(map(len, report.served)) - served
    words = f"{plural(waiting, 'word')} would still be waiting"
    return f"Yours: {plural(guess, 'wavefront')}. After {'that' if guess == 1 else 'those'}, {words}."


def _why_fewer(guess: int, report: BankReport) -> str:
    """A fact about the request that a guess beyond its wavefronts must have overlooked."""
    wanted = sum(map(len, report.served))
    if guess > wanted:
        return f"It takes fewer: {plural(wanted, 'word')} must be delivered, and each wavefront delivers at least one."
    for phase in report.phases:
        for words in phase.words.values():
            shared = next((lanes for lanes in words.values() if len(lanes) > 1), None)
            if shared:
                return f"It takes fewer: lanes {shared[0]} and {shared[1]} want one word, and both get it at once."
        if len(phase.words) > 1:
            first, other = (min(next(iter(words.values()))) for words in list(phase.words.values())[:2])
            if first != other:
                return f"It takes fewer: lanes {first} and {other} want different banks, and one wavefront serves both."
    return "It takes fewer: in each wavefront every bank can deliver a word."


def an_access(answer: object, tile: Tile) -> Access:
    """Return the answer if it is an Access on `tile`, else say what is asked for."""
    if not isinstance(answer, Access):
        raise TypeError(f"The answer must be an Access on the tile, not {type(answer).__name__}.")
    if answer.tile != tile:
        raise ValueError(f"The access must be on the {tile}, but yours is on the {answer.tile}.")
    return answer


def chosen(letter: str, costs: dict[str, str], right: str, hint: str, why: str) -> Feedback:
    """Judge a choice; `costs` holds, for each letter, what that choice would mean."""
    return Feedback(letter == right, costs[letter], hint, why)


def one_bank(answer: object, tile: Tile, hint: str, why: str) -> Feedback:
    """Judge the columns of 32 elements, one in each row, that should lie in one bank and in 32 columns.

    The answer is an array of 32 column numbers, row 0 first, or a 4-byte Access to the elements.
    """
    if isinstance(answer, Access):
        return _one_bank(an_access(answer, tile), hint, why)
    columns = _whole_numbers(answer)
    if columns is None or columns.shape != (WARP_LANES,):
        raise ValueError(f"Give {WARP_LANES} column numbers, one for each row from row 0 on.")
    inside = columns % tile.cols
    feedback = _one_bank(Access.at(tile, np.arange(WARP_LANES), inside), hint, why)
    beyond = columns[inside != columns]
    if not len(beyond):
        return feedback
    cost = f"There is no column {beyond[0]}: they are numbered 0 to {tile.cols - 1}."
    if feedback.right:
        cost += f" The idea is right: take the numbers modulo {tile.cols}."
    return Feedback(False, cost, hint, why)


def one_in_each_row(tile: Tile, first: int) -> Goal:
    """Return what a reader sets to choose one element in each row of a tile; `first` is the step from row to row."""

    def make(how: str, step: int, start: int) -> Access:
        rows = np.arange(WARP_LANES)
        columns = (step * rows) % WARP_LANES ^ start if how == "xor" else (step * rows + start) % WARP_LANES
        return Access.at(tile, rows, columns)

    steps = (first, *(step for step in range(-4, 5) if step != first))
    return Goal(
        make,
        {"how": ("plus", "xor"), "b": steps, "a": tuple(range(WARP_LANES))},
        "Row r takes column b r plus a, or b r xor a; all modulo 32.",
        swizzle=False,
    )


def _one_bank(access: Access, hint: str, why: str) -> Feedback:
    rows, cols = access.coordinates
    report = access.report()
    lines = [len(np.unique(line[line >= 0])) for line in (rows, cols)]
    return Feedback(
        lines == [WARP_LANES, WARP_LANES] and report.wavefronts == WARP_LANES,
        f"Yours: {plural(lines[0], 'row')}, {plural(lines[1], 'column')}, {plural(report.wavefronts, 'wavefront')}; "
        f"asked for: {WARP_LANES} of each.",
        hint,
        why,
    )


def _whole_numbers(answer: object) -> np.ndarray | None:
    """The answer as an int64 array if it holds whole numbers only, else None."""
    try:
        array = np.asarray(answer)
    except (TypeError, ValueError):
        return None
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.floor(array)).all() and array.size:
        array = array.clip(-(2**53), 2**53).astype(np.int64)
    # Whole numbers beyond 64 bits come as objects, and are no columns.
    return array.astype(np.int64) if array.dtype.kind in "iu" else None
