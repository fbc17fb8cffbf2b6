"""Judges that the exercises of several notebooks share; the model decides every one."""

from __future__ import annotations

import numpy as np

from ..model.access import Access
from ..model.banks import BankReport
from ..model.checks import one_of, plural, whole
from ..model.hardware import WARP_LANES
from ..model.tile import Tile
from . import Feedback

# Far more than a warp's request can take, so that a wild guess still gets its hint.
MOST_WAVEFRONTS = 1024


def predicted(answer, report: BankReport, hint: str, why: str) -> Feedback:
    """Judge a prediction of the wavefronts that a request takes."""
    guess = whole("the number of wavefronts", answer, 0, MOST_WAVEFRONTS)
    return Feedback(guess == report.wavefronts, wavefronts_text(guess, report), hint, why)


def wavefronts_text(guess: int, report: BankReport) -> str:
    """Say what a guess would mean on the machine, without giving the right number away."""
    if guess == report.wavefronts:
        return f"The model counts the same: {report}."
    if guess > report.wavefronts:
        return f"Yours: {plural(guess, 'wavefront')}. The last of them would find nothing left to deliver."
    served = sum(map(len, report.served[:guess]))
    waiting = sum(map(len, report.served)) - served
    words = f"{plural(waiting, 'word')} would still be waiting"
    return f"Yours: {plural(guess, 'wavefront')}. After {'that' if guess == 1 else 'those'}, {words}."


def an_access(answer, tile: Tile) -> Access:
    """Return the answer if it is an Access on `tile`, else say what is asked for."""
    if not isinstance(answer, Access):
        raise TypeError(f"The answer must be an Access on the tile, not {answer!r}.")
    if answer.tile != tile:
        raise ValueError(f"The access must be on the {tile}, but yours is on the {answer.tile}.")
    return answer


def chosen(answer, costs: dict[str, str], right: str, hint: str, why: str) -> Feedback:
    """Judge a choice; `costs` holds, for each letter, what that choice would mean."""
    letter = one_of("the answer", answer, costs)
    return Feedback(letter == right, costs[letter], hint, why)


def one_bank(answer, tile: Tile, hint: str, why: str) -> Feedback:
    """Judge a 4-byte access to one element in each row and in each column, all 32 of them in one bank."""
    access = an_access(answer, tile)
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
