"""Runs price.cu: what a bank conflict costs a transpose and a tile pipeline, beside what the model expects."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..measured.price import (
    COUNTED,
    READS,
    SIDES,
    STREAM_THREADS,
    STREAM_TILES,
    STREAM_TILES_ACROSS,
    TILE_BYTES,
    VARIANTS,
)
from .counters import profile
from .device import compiled, connect, progress

ROUNDS = 20


def transposes(quiet: bool = False) -> dict[str, Any]:
    """Time the transposes and a plain copy.

    Returns
    -------
    dict
        "seconds": float64 (sides, variants + 1), the copy last; the median of 20 runs.
    """
    cp = connect()
    module = compiled("price.cu")
    names = [f"transpose_{variant}" for variant in VARIANTS] + ["copy"]
    seconds = np.zeros((len(SIDES), len(names)))
    for i, side in enumerate(progress(SIDES, "transpose", quiet)):
        matrix = cp.random.random((side, side), dtype=cp.float32)
        for j, name in enumerate(names):
            out = cp.full_like(matrix, np.nan)
            kernel = module.get_function(name)
            seconds[i, j] = _seconds(kernel, (side // 32, side // 32), (32, 8), (matrix, out, np.int32(side)))
            if not bool((out == (matrix if name == "copy" else matrix.T)).all()):
                raise RuntimeError(f"{name} of {side} x {side} gives a wrong matrix")
    return {"seconds": seconds}


def streams(quiet: bool = False) -> dict[str, Any]:
    """Time the tile pipeline, each tile read 1, 2, 4, 8 and 16 times.

    Returns
    -------
    dict
        "seconds": float64 (readings, variants), the median of 20 runs; "read_seconds": what it takes
        to read the same bytes and do nothing.
    """
    module = compiled("price.cu")
    data = _stream_data()
    seconds = np.zeros((len(READS), len(VARIANTS)))
    for j, variant in enumerate(progress(VARIANTS, "pipeline", quiet)):
        kernel = module.get_function(f"stream_{variant}")
        for i, reads in enumerate(READS):
            seconds[i, j] = _seconds(kernel, (_blocks(),), (STREAM_THREADS,), _stream_arguments(data, reads))
    count, out = np.uint64(data.nbytes // 16), connect().zeros(1, np.uint32)
    read = _seconds(module.get_function("read"), (4 * _blocks(),), (STREAM_THREADS,), (data, count, out))
    return {"seconds": seconds, "read_seconds": np.array(read)}


def clock_hertz() -> float:
    """Measure the rate of the multiprocessors' clock under load, in cycles per second."""
    cp = connect()
    kernel = compiled("price.cu").get_function("clock_rate")
    out = cp.zeros(2, cp.uint64)
    for _ in range(3):
        kernel((1,), (1,), (np.uint64(20_000_000), out))
    cycles, nanoseconds = out.get().tolist()
    return cycles / nanoseconds * 1e9


def counted() -> dict[str, Any]:
    """Count the wavefronts of one launch of each kernel.

    Returns
    -------
    dict
        "transpose" and "stream": int64 (variants, counters) in the order of COUNTED. A matrix of
        side 2048, and tiles read once.
    """
    metrics = list(COUNTED.values())
    rows = profile([sys.executable, "-m", __name__], metrics, "(transpose|stream)_", quiet=True)
    table = np.array([[int(float(row[metric].replace(",", ""))) for metric in metrics] for row in rows], np.int64)
    return {"transpose": table[: len(VARIANTS)], "stream": table[len(VARIANTS) :]}


def _launch_each() -> None:
    cp = connect()
    module = compiled("price.cu")
    side = SIDES[0]
    matrix = cp.zeros((side, side), cp.float32)
    for variant in VARIANTS:
        kernel = module.get_function(f"transpose_{variant}")
        kernel((side // 32, side // 32), (32, 8), (matrix, cp.empty_like(matrix), np.int32(side)))
    data = _stream_data()
    for variant in VARIANTS:
        module.get_function(f"stream_{variant}")((_blocks(),), (STREAM_THREADS,), _stream_arguments(data, 1))
    cp.cuda.runtime.deviceSynchronize()


def _stream_data():
    cp = connect()
    return cp.random.randint(0, 1 << 16, size=STREAM_TILES * TILE_BYTES // 2, dtype=cp.uint16)


def _stream_arguments(data, reads: int) -> tuple[Any, ...]:
    numbers = np.int32(STREAM_TILES), np.int32(STREAM_TILES_ACROSS), np.int32(reads), np.uint32(0)
    return data, *numbers, connect().zeros(1, np.uint32)


def _blocks() -> int:
    return 5 * connect().cuda.Device().attributes["MultiProcessorCount"]


def _seconds(kernel, grid, block, arguments) -> float:
    cp = connect()
    times = []
    for i in range(ROUNDS + 3):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        kernel(grid, block, arguments)
        end.record()
        end.synchronize()
        if i >= 3:
            times.append(cp.cuda.get_elapsed_time(start, end) / 1e3)
    return float(np.median(times))


if __name__ == "__main__":
    _launch_each()
