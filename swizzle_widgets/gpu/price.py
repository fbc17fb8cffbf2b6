"""Runs price.cu: what a bank conflict costs a transpose and a tile pipeline, beside what the model expects."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from ..banks import bank_reports
from ..swizzle import Swizzle
from .counters import COUNTERS, profile
from .device import compiled, connect, progress

VARIANTS = ("plain", "padded", "wrong", "right")
# Sides of the transposed matrix: one that fits the L2 of a large GPU, one that does not.
SIDES = (2048, 16384)
READS = (1, 2, 4, 8, 16)
STREAM_TILES_ACROSS = 128
STREAM_TILES = 128 * 1024
STREAM_THREADS = 128
TILE_BYTES = 64 * 128
ROUNDS = 20

_SASS = "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op"
# The pipe's own counters, which also see it wait, and those of the instructions.
COUNTED = {
    **{name: COUNTERS[name] for name in ("loads", "stores", "conflicts")},
    "load instructions": f"{_SASS}_ld.sum",
    "store instructions": f"{_SASS}_st.sum",
    "ldmatrix instructions": f"{_SASS}_ldsm.sum",
    "cp.async instructions": f"{_SASS}_ldgsts.sum",
}

# The placements of price.cu, in bytes: padding behind the row, or a swizzle.
TRANSPOSE_PLACES = {"plain": 0, "padded": 4, "wrong": Swizzle(3, 4, 3), "right": Swizzle(5, 2, 5)}
STREAM_PLACES = {"plain": 0, "padded": 16, "wrong": Swizzle(3, 5, 3), "right": Swizzle(3, 4, 3)}


@dataclass(frozen=True)
class Wavefronts:
    """What the model expects of one tile: wavefronts of all its stores and of all its loads (one reading)."""

    stores: int
    loads: int


def place(rows, row_bytes, at, how):
    """Byte address of (row, byte) in a row-major tile under a padding (int) or a swizzle."""
    if isinstance(how, Swizzle):
        return how(rows * row_bytes + at)
    return rows * (row_bytes + how) + at


def transpose_wavefronts(variant: str) -> Wavefronts:
    """Return the model's wavefronts for a 32 x 32 tile of floats written by rows and read by columns."""
    line, lane = np.indices((32, 32))
    how = TRANSPOSE_PLACES[variant]
    stores = bank_reports(place(line, 128, 4 * lane, how), 4, "store")
    loads = bank_reports(place(lane, 128, 4 * line, how), 4, "load")
    return Wavefronts(int(stores.wavefronts.sum()), int(loads.wavefronts.sum()))


def stream_wavefronts(variant: str) -> Wavefronts:
    """Return the model's wavefronts for a 64 x 64 tile of halves written by cp.async and read by ldmatrix.x4."""
    how = STREAM_PLACES[variant]
    chunk = np.arange(512).reshape(16, 32)
    stores = bank_reports(place(chunk // 8, 128, chunk % 8 * 16, how), 16, "store")
    block, lane = np.indices((16, 32))
    rows, at = block // 4 * 16 + lane % 16, block % 4 * 32 + lane // 16 * 16
    loads = bank_reports(place(rows, 128, at, how), 16, "ldmatrix")
    return Wavefronts(int(stores.wavefronts.sum()), int(loads.wavefronts.sum()))


def pipe_seconds(about: dict, tiles: int, wavefronts: int) -> float:
    """Return how long shared memory is busy, one wavefront a cycle on every multiprocessor.

    Parameters
    ----------
    about : dict
        Of the record: "multiprocessors" and "clock_hertz" count.
    tiles, wavefronts : int
        How many tiles, and the wavefronts of each.
    """
    return tiles * wavefronts / (about["multiprocessors"] * about["clock_hertz"])


def expected_transposes(found: dict) -> np.ndarray:
    """Return the model's times in seconds, (sides, variants): the copy's, or shared memory's if that is longer."""
    each = [transpose_wavefronts(variant) for variant in VARIANTS]
    busy = [[pipe_seconds(found["about"], (n // 32) ** 2, w.stores + w.loads) for w in each] for n in SIDES]
    return np.maximum(busy, found["transpose_seconds"][:, -1:])


def expected_streams(found: dict) -> np.ndarray:
    """Return the model's times in seconds, (readings, variants): the plain reading's, or shared memory's if longer."""
    each = [stream_wavefronts(variant) for variant in VARIANTS]
    busy = [[pipe_seconds(found["about"], STREAM_TILES, w.stores + n * w.loads) for w in each] for n in READS]
    return np.maximum(busy, found["stream_read_seconds"])


def transposes(quiet: bool = False) -> dict:
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


def streams(quiet: bool = False) -> dict:
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


def counted() -> dict:
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


def _stream_arguments(data, reads: int) -> tuple:
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
