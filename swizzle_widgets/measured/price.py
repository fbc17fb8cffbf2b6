"""What the kernels of price.cu should cost: their placements, the wavefronts that the model counts, and times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.banks import bank_reports
from ..model.swizzle import Swizzle
from .counters import COUNTERS

VARIANTS = ("plain", "padded", "wrong", "right")
# Sides of the transposed matrix: one that fits the L2 of a large GPU, one that does not.
SIDES = (2048, 16384)
READS = (1, 2, 4, 8, 16)
STREAM_TILES_ACROSS = 128
STREAM_TILES = 128 * 1024
STREAM_THREADS = 128
TILE_BYTES = 64 * 128

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
TRANSPOSE_PLACES: dict[str, int | Swizzle] = {
    "plain": 0,
    "padded": 4,
    "wrong": Swizzle(3, 4, 3),
    "right": Swizzle(5, 2, 5),
}
STREAM_PLACES: dict[str, int | Swizzle] = {
    "plain": 0,
    "padded": 16,
    "wrong": Swizzle(3, 5, 3),
    "right": Swizzle(3, 4, 3),
}


@dataclass(frozen=True)
class Wavefronts:
    """What the model expects of one tile: wavefronts of all its stores and of all its loads (one reading)."""

    stores: int
    loads: int


def place(rows: Any, row_bytes: int, at: Any, how: Any) -> Any:
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


def pipe_seconds(about: dict[str, Any], tiles: int, wavefronts: int) -> float:
    """Return how long shared memory is busy, one wavefront a cycle on every multiprocessor.

    Parameters
    ----------
    about : dict
        Of the record: "multiprocessors" and "clock_hertz" count.
    tiles, wavefronts : int
        How many tiles, and the wavefronts of each.
    """
    return tiles * wavefronts / (about["multiprocessors"] * about["clock_hertz"])


def expected_transposes(found: dict[str, Any]) -> np.ndarray:
    """Return the model's times in seconds, (sides, variants): the copy's, or shared memory's if that is longer."""
    each = [transpose_wavefronts(variant) for variant in VARIANTS]
    busy = [[pipe_seconds(found["about"], (n // 32) ** 2, w.stores + w.loads) for w in each] for n in SIDES]
    return np.maximum(busy, found["transpose_seconds"][:, -1:])


def expected_streams(found: dict[str, Any]) -> np.ndarray:
    """Return the model's times in seconds, (readings, variants): the plain reading's, or shared memory's if longer."""
    each = [stream_wavefronts(variant) for variant in VARIANTS]
    busy = [[pipe_seconds(found["about"], STREAM_TILES, w.stores + n * w.loads) for w in each] for n in READS]
    return np.maximum(busy, found["stream_read_seconds"])
