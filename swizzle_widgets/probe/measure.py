"""Measures requests on the GPU at hand: cycles of all, counters where they are permitted."""

from __future__ import annotations

import numpy as np

from ..measured.counters import COUNTERS
from ..measured.record import Record
from ..measured.requests import Requests
from ..measured.survey import survey
from . import counters, device, timing
from .device import ProbeUnavailable


def measure(
    requests: Requests, *, survey_size: int = 0, survey_seed: int = 0, count: bool = True, quiet: bool = False
) -> Record:
    """Measure requests on the GPU at hand: cycles of all, counters where Nsight Compute permits.

    Parameters
    ----------
    requests : Requests
        Those whose instruction this GPU lacks are left out.
    survey_size, survey_seed : int
        Also time `survey(survey_size, survey_seed)`; 0 for no survey.
    count : bool
        Whether to ask for counters. Without Nsight Compute or permission the record has none, and
        its `about` says why.
    quiet : bool
        No progress bars.

    Raises
    ------
    ProbeUnavailable
        If there is no GPU, no CuPy or no NVRTC.
    """
    about = device.about() | {"counters": dict(COUNTERS)}
    requests = requests[timing.available(requests)]
    cycles = _cycles(requests, quiet)
    survey_cycles = np.zeros(0)
    if survey_size:
        surveyed = survey(survey_size, survey_seed)
        about["survey_digest"] = surveyed.digest()
        survey_cycles = _cycles(surveyed, quiet)
    counts = {}
    if count:
        try:
            found = counters.count(requests, quiet=quiet)
            counts = {name: found[metric] for name, metric in COUNTERS.items()}
        except ProbeUnavailable as reason:
            about["no_counters"] = str(reason)
    return Record(about, requests, cycles, counts, survey_size, survey_seed, survey_cycles)


def _cycles(requests: Requests, quiet: bool) -> np.ndarray:
    """Cycles of all; each cp.async with the GPU for itself, since all of them share L2."""
    cycles = np.full(len(requests), np.nan)
    for chosen, batch in ((~requests.is_async, timing.BATCH), (requests.is_async, 1)):
        cycles[chosen] = timing.cycles(requests[chosen], batch=batch, quiet=quiet)
    return cycles
