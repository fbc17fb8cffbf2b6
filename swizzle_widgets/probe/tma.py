"""Runs tma.cu: where each swizzle mode puts a tile's elements, what the encoder takes, how fast it writes."""

from __future__ import annotations

import ctypes

import numpy as np

from ..measured.hopper import (
    BOX_BYTES,
    DUMP_BASES,
    DUMP_ROWS,
    DUMP_WORDS,
    PADDED_COLS,
    PADDING,
    ROW_BYTES,
    SPEED_LOADS,
    SPEED_SHAPES,
    SWIZZLES,
)
from ..model.modes import MODES
from .device import ProbeUnavailable, capability, compiled, connect, progress, shared_bytes_per_block

# CUtensorMapDataType of unsigned integers of 1, 2 and 4 bytes.
_TYPES = {1: 0, 2: 1, 4: 2}
_PROMOTE_L2_128B = 2


def encode(swizzle: str, element_bytes: int, pointer: int, shape, box) -> np.ndarray:
    """Return the tensor map of a row-major matrix.

    Parameters
    ----------
    swizzle : str
        One of SWIZZLES.
    element_bytes : int
        1, 2 or 4.
    pointer : int
        Where the matrix lies in global memory.
    shape, box : (int, int)
        Rows and columns of the matrix and of the box, in elements.

    Returns
    -------
    uint64 array (16,)

    Raises
    ------
    ValueError
        If the driver refuses; the text has its error code.
    """
    words = np.zeros(24, np.uint64)
    # The driver wants the map at a multiple of 64 bytes.
    tensor_map = words[(-words.ctypes.data % 64) // 8 :][:16]
    sizes = (ctypes.c_uint64 * 2)(shape[1], shape[0])
    pitch = (ctypes.c_uint64 * 1)(shape[1] * element_bytes)
    box_sizes, steps = (ctypes.c_uint32 * 2)(box[1], box[0]), (ctypes.c_uint32 * 2)(1, 1)
    code = _driver().cuTensorMapEncodeTiled(
        ctypes.c_void_p(tensor_map.ctypes.data), _TYPES[element_bytes], 2, ctypes.c_void_p(pointer), sizes, pitch,
        box_sizes, steps, 0, SWIZZLES.index(swizzle), _PROMOTE_L2_128B, 0,
    )  # fmt: skip
    if code:
        raise ValueError(f"the driver refuses a box of {box[0]} x {box[1]} under {swizzle}: error {code}")
    return tensor_map.copy()


def _driver():
    for name in ("libcuda.so.1", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise ProbeUnavailable("There is no CUDA driver library (libcuda.so.1): install the NVIDIA driver.")


def require_hopper() -> None:
    """Raise ProbeUnavailable unless the GPU at hand has TMA and WGMMA as sm_90 has them."""
    connect()
    if capability() != 90:
        raise ProbeUnavailable(f"TMA and WGMMA are probed on sm_90 (H100, H200) only; this GPU is sm_{capability()}.")


def encoder_verdicts() -> dict:
    """Ask the driver which boxes it takes.

    Returns
    -------
    dict
        Arrays of one length: "swizzle" (index into SWIZZLES), "element_bytes", "rows", "cols" and "taken".
    """
    require_hopper()
    matrix = connect().zeros((2048, 4096), np.uint8)
    rows = []
    for index, swizzle in enumerate(SWIZZLES):
        for element_bytes in _TYPES:
            for cols in (4, 8, 12, 16, 24, 32, 33, 48, 64, 96, 128, 192, 256, 257):
                for box_rows in (1, 8, 256, 257):
                    try:
                        encode(swizzle, element_bytes, matrix.data.ptr, (512, 1024), (box_rows, cols))
                        taken = 1
                    except ValueError:
                        taken = 0
                    rows.append((index, element_bytes, box_rows, cols, taken))
    names = ("swizzle", "element_bytes", "rows", "cols", "taken")
    return dict(zip(names, np.array(rows, np.int16).T))


def dumps() -> dict:
    """Let the copy engine write a numbered tile under each mode, and one into padded rows, at several bases.

    Returns
    -------
    dict
        Mode name to a uint16 array (bases, halfwords): which element lies where, counted from a
        multiple of 1024 bytes; 65535 where nothing was written. The tile has 32 rows of the mode's
        width (128 bytes for "none") of two-byte elements. "padded" has no mode: its box is PADDING
        elements wider than the matrix, and zeros are written for what lies beyond the edge.
    """
    require_hopper()
    found = {mode.name: _dump(mode.name, (mode.row_bytes or 128) // 2) for mode in MODES}
    return found | {"padded": _dump("none", PADDED_COLS, PADDING)}


def _dump(mode: str, cols: int, beyond: int = 0) -> np.ndarray:
    cp, module = connect(), compiled("tma.cu")
    matrix = cp.arange(DUMP_ROWS * cols, dtype=cp.uint16).reshape(DUMP_ROWS, cols)
    box = (DUMP_ROWS, cols + beyond)
    _set_map(module, encode(mode, 2, matrix.data.ptr, matrix.shape, box))
    out = cp.zeros((len(DUMP_BASES), DUMP_WORDS), cp.uint32)
    for base, image in zip(DUMP_BASES, out):
        numbers = map(np.int32, (base, 2 * box[0] * box[1], DUMP_WORDS))
        module.get_function("tma_dump")((1,), (128,), (*numbers, image), shared_mem=4 * DUMP_WORDS + 1024)
    return out.get().view(np.uint16)


def _set_map(module, tensor_map: np.ndarray) -> None:
    module.get_global("tensor_map").copy_from_host(ctypes.c_void_p(tensor_map.ctypes.data), tensor_map.nbytes)


def bytes_per_cycle(swizzle: str, row_bytes: int, shape, blocks: int) -> float:
    """Measure how fast one multiprocessor takes in boxes, the median of all that take part.

    Parameters
    ----------
    swizzle : str
        One of SWIZZLES.
    row_bytes : int
        Inner length of the box, which has up to 256 rows and 16 KiB.
    shape : (int, int)
        Rows and columns of the matrix of 2-byte elements that the boxes come from.
    blocks : int
        How many multiprocessors load at once.
    """
    require_hopper()
    cp = connect()
    module = compiled("tma.cu")
    kernel = module.get_function("tma_speed")
    shared = shared_bytes_per_block() - 1024
    kernel.max_dynamic_shared_size_bytes = shared
    box = (min(256, BOX_BYTES // row_bytes), row_bytes // 2)
    matrix = cp.random.randint(0, 1 << 16, size=shape, dtype=cp.uint16)
    _set_map(module, encode(swizzle, 2, matrix.data.ptr, shape, box))
    numbers = tuple(map(np.int32, (box[1], box[0], shape[1], shape[0], box[0] * row_bytes, SPEED_LOADS)))
    cycles = cp.zeros((3, blocks), cp.uint64)
    for run in cycles:
        kernel((blocks,), (32,), (*numbers, run), shared_mem=shared)
    return SPEED_LOADS * box[0] * row_bytes / float(np.median(cycles.get(), axis=1).min())


def speeds(quiet: bool = False) -> dict:
    """Measure `bytes_per_cycle` for every mode and row width, one multiprocessor alone and all at once.

    Returns
    -------
    dict
        Arrays of one length: "mode" (index into hopper.MODES), "row_bytes", "source" (index into
        SPEED_SHAPES), "blocks", "bytes_per_cycle".
    """
    every = connect().cuda.Device().attributes["MultiProcessorCount"]
    cases = [
        (index, row_bytes, source, blocks)
        for index, mode in enumerate(MODES)
        for row_bytes in ROW_BYTES
        if row_bytes <= (mode.row_bytes or BOX_BYTES)
        for source in range(len(SPEED_SHAPES))
        for blocks in (1, every)
    ]
    found = []
    for index, row_bytes, source, blocks in progress(cases, "TMA", quiet):
        tile = (BOX_BYTES // row_bytes, row_bytes // 2)
        shape = tuple(SPEED_SHAPES.values())[source] or tile
        found.append((index, row_bytes, source, blocks, bytes_per_cycle(MODES[index].name, row_bytes, shape, blocks)))
    names = ("mode", "row_bytes", "source", "blocks", "bytes_per_cycle")
    return {name: np.array(column) for name, column in zip(names, zip(*found))}
