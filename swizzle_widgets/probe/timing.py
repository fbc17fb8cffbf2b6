"""Cycles per instruction, from the slope over repetitions: needs a driver and CuPy, no rights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..measured.requests import INSTRUCTIONS, SOURCE_BYTES, Requests
from .device import capability, compiled, connect, progress, shared_bytes_per_block

# Enough warps to keep the pipe full, and so many instructions that a clock's overhead is nothing.
WARPS = 32
FEW, MANY = 64, 320
ROUNDS = 3
# Blocks a launch: each takes one request, so that a progress bar moves.
BATCH = 1024


def cycles(requests: Requests, *, batch: int = BATCH, quiet: bool = False) -> np.ndarray:
    """Measure cycles per instruction of each request.

    One block has a multiprocessor to itself. Its warps all issue the request back to back; a run of
    many repetitions minus a run of few, over the difference, is the cost of one instruction.

    Parameters
    ----------
    requests : Requests
    batch : int
        Requests measured at once, each on a multiprocessor of its own as far as there are. With 1,
        cp.async has the whole L2 for itself.
    quiet : bool
        No progress bar.

    Returns
    -------
    float64 array (n,)
        Cycles per instruction of one warp, the median of three runs; NaN where this GPU lacks the
        instruction.

    Raises
    ------
    ProbeUnavailable
        If there is no GPU, no CuPy or no NVRTC.
    """
    module = compiled("probe.cu")
    found = np.full(len(requests), np.nan)
    batches = [
        (instruction, where[start : start + batch])
        for instruction, where in requests.by_instruction()
        if instruction.capability <= capability()
        for start in range(0, len(where), batch)
    ]
    for instruction, where in progress(batches, "cycles", quiet):
        kernel = module.get_function(f"timed_{instruction.symbol}")
        found[where] = _slopes(kernel, requests[where])
    return found


def available(requests: Requests) -> np.ndarray:
    """Return which requests are of an instruction that the GPU at hand has, bool (n,)."""
    needed = np.array([instruction.capability for instruction in INSTRUCTIONS])
    return needed[requests.instruction] <= capability()


def _slopes(kernel, requests: Requests) -> np.ndarray:
    cp = connect()
    arrays, out = on_device(requests), cp.zeros(1, cp.uint32)
    clocks = cp.zeros((ROUNDS, len(requests), 2), cp.uint32)
    # All of the shared memory that a block can have: a second block would not fit beside it.
    kernel.max_dynamic_shared_size_bytes = shared_bytes_per_block()
    for round_clocks in clocks:
        arguments = (*arrays, np.int32(FEW), np.int32(MANY), np.uint32(0), round_clocks, out)
        kernel((len(requests),), (32 * WARPS,), arguments, shared_mem=shared_bytes_per_block())
    short, long = np.moveaxis(clocks.get().astype(np.int64), -1, 0)
    return np.median((long - short) / ((MANY - FEW) * WARPS), axis=0)


def on_device(requests: Requests) -> tuple[Any, ...]:
    """Return what a kernel of probe.cu takes, on the GPU: addresses, sources, masks, and the data to copy."""
    cp = connect()
    data = cp.zeros(128 * SOURCE_BYTES, cp.uint8)
    return cp.asarray(requests.addresses), cp.asarray(requests.sources), cp.asarray(requests.masks), data
