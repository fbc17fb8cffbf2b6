"""Runs tma.cu: where each swizzle mode puts a tile's elements, what the encoder takes, how fast it writes."""

from __future__ import annotations

import ctypes
from typing import Any

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
    SPEED_PITCH,
    SPEED_ROUNDS,
    SWIZZLES,
    TRAFFIC,
    Traffic,
)
from ..model.modes import MODES
from .device import ProbeUnavailable, capability, compiled, connect, progress, shared_bytes_per_block

# CUtensorMapDataType of unsigned integers of 1, 2 and 4 bytes.
_TYPES = {1: 0, 2: 1, 4: 2}
_PROMOTE_L2_128B = 2


def encode(swizzle: str, element_bytes: int, pointer: int, shape: Any, box: Any) -> np.ndarray:
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


def encoder_verdicts() -> dict[str, Any]:
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


def dumps() -> dict[str, Any]:
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


def bytes_per_cycle(module: Any, matrix: Any, swizzle: str, row_bytes: int, traffic: Traffic) -> np.ndarray:
    """Measure how fast a multiprocessor takes in boxes.

    Parameters
    ----------
    module : cupy.RawModule
        tma.cu, compiled.
    matrix : cupy uint16 array
        What the boxes come from, rows of SPEED_PITCH bytes.
    swizzle : str
        One of SWIZZLES.
    row_bytes : int
        Inner length of the box, which has up to 256 rows and 16 KiB.
    traffic : Traffic

    Returns
    -------
    float64 array (SPEED_ROUNDS,)
        The median of all multiprocessors that take part.
    """
    cp, kernel = connect(), module.get_function("tma_speed")
    shared = shared_bytes_per_block() - 1024
    kernel.max_dynamic_shared_size_bytes = shared
    blocks = cp.cuda.Device().attributes["MultiProcessorCount"] if traffic.everyone else 1
    box = (min(256, BOX_BYTES // row_bytes), row_bytes // 2)
    _set_map(module, encode(swizzle, 2, matrix.data.ptr, matrix.shape, box))
    rows, cols = (box[0], box[1]) if traffic.bytes is None else (traffic.bytes // SPEED_PITCH, SPEED_PITCH // 2)
    apart, box_bytes = rows if traffic.own else 0, box[0] * row_bytes
    numbers = tuple(map(np.int32, (box[1], box[0], cols, rows, apart, box_bytes, SPEED_LOADS)))
    cycles = cp.zeros((1 + SPEED_ROUNDS, blocks), cp.uint64)
    for run in cycles:
        kernel((blocks,), (32,), (*numbers, run), shared_mem=shared)
    # The first run warms the caches.
    return SPEED_LOADS * box_bytes / np.median(cycles.get()[1:].astype(np.float64), axis=1)


def speeds(quiet: bool = False) -> dict[str, Any]:
    """Measure `bytes_per_cycle` for every mode, row width and traffic.

    Returns
    -------
    dict
        Arrays of one length: "mode" (index into MODES), "row_bytes", "traffic" (index into TRAFFIC),
        "bytes_per_cycle" (cases, SPEED_ROUNDS), of each multiprocessor.
    """
    require_hopper()
    cp, module = connect(), compiled("tma.cu")
    every = cp.cuda.Device().attributes["MultiProcessorCount"]
    rows = every * max(traffic.bytes or 0 for traffic in TRAFFIC) // SPEED_PITCH
    matrix = cp.random.randint(0, 1 << 32, size=(rows, SPEED_PITCH // 4), dtype=cp.uint32).view(cp.uint16)
    cases = [
        (index, row_bytes, which)
        for index, mode in enumerate(MODES)
        for row_bytes in ROW_BYTES
        if row_bytes <= (mode.row_bytes or BOX_BYTES)
        for which in range(len(TRAFFIC))
    ]
    found = [
        bytes_per_cycle(module, matrix, MODES[index].name, row_bytes, TRAFFIC[which])
        for index, row_bytes, which in progress(cases, "TMA", quiet)
    ]
    names = ("mode", "row_bytes", "traffic")
    return dict(zip(names, np.array(cases).T)) | {"bytes_per_cycle": np.array(found)}
