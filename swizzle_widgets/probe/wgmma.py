"""Runs wgmma.cu: products under matching and mismatching layouts, and what reading the operands costs."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..measured.counters import GMMA_COUNTERS
from ..measured.hopper import DESCRIPTORS, READ_ROUNDS, STORED, WIDTHS
from ..measured.survey import Draw
from ..model.modes import MODES, SwizzleMode
from ..model.swizzle import Swizzle
from .counters import profile
from .device import compiled, connect
from .tma import require_hopper

SIZE = 64
B_AT = 8192
IMAGE_BYTES = 16384
# The layout field of a matrix descriptor (PTX, "Matrix descriptor").
_FIELD = {"none": 0, "128B": 1, "64B": 2, "32B": 3}
# Without a swizzle an operand is made of core matrices, 8 rows of 16 bytes; a 32-byte row holds two.
_CORE_BYTES = 128
FEW, MANY = 64, 1088


def products() -> dict[str, Any]:
    """Multiply 64 x K by K x 64 with the operands stored one way and described another.

    Returns
    -------
    dict
        Arrays of one length: "stored" (index into STORED), "mode" (index into MODES),
        "width" (the N of m64nNk16, one of WIDTHS), "wrong" and "of": how many of the results differ
        from the exact ones.
    """
    require_hopper()
    module = compiled("wgmma.cu", specific=True)
    found = []
    for width in WIDTHS:
        kernel = module.get_function(f"wgmma_product_{width}")
        for index, mode in enumerate(MODES):
            a, b = operands(mode)
            exact = a.astype(np.float64) @ b[:width].astype(np.float64).T
            for stored, swizzle in enumerate(STORED):
                if mode.name == "none" and swizzle is not None:
                    continue
                got = _product(kernel, mode, image(a, b, mode, swizzle), width)
                found.append((stored, index, width, int((got != exact).sum()), exact.size))
    return dict(zip(("stored", "mode", "width", "wrong", "of"), np.array(found, np.int32).T))


def operands(mode: SwizzleMode) -> tuple[np.ndarray, np.ndarray]:
    """Two float16 arrays (64, K) of small whole numbers, K as many as a row of the mode holds."""
    rng = np.random.RandomState(0)
    k = (mode.row_bytes or 32) // 2
    return tuple(rng.randint(-8, 9, (SIZE, k)).astype(np.float16) for _ in range(2))


def image(a: np.ndarray, b: np.ndarray, mode: SwizzleMode, swizzle: Swizzle | None) -> np.ndarray:
    """The bytes of shared memory with both operands in it, stored under `swizzle`, uint8 (16384,)."""
    memory = np.zeros(IMAGE_BYTES // 2, np.float16)
    rows, cols = np.indices(a.shape)
    if mode.name == "none":
        places = rows // 8 * 2 * _CORE_BYTES + cols // 8 * _CORE_BYTES + rows % 8 * 16 + cols % 8 * 2
    else:
        places = rows * mode.row_bytes + cols * 2
    for operand, start in ((a, 0), (b, B_AT)):
        memory[_stored(places + start, swizzle) // 2] = operand
    return memory.view(np.uint8)


def _stored(places: np.ndarray, swizzle: Swizzle | None) -> np.ndarray:
    return places if swizzle is None else swizzle(places)


def _descriptor(mode: SwizzleMode) -> tuple[int, int, int]:
    """Layout field, leading and stride byte offsets."""
    if mode.name == "none":
        return _FIELD["none"], _CORE_BYTES, 2 * _CORE_BYTES
    return _FIELD[mode.name], 16, 8 * mode.row_bytes


def _product(kernel, mode: SwizzleMode, memory: np.ndarray, width: int) -> np.ndarray:
    cp = connect()
    steps = (mode.row_bytes or 32) // 32
    out = cp.zeros((SIZE, width), cp.float32)
    numbers = (*_descriptor(mode), steps, 32)
    kernel((1,), (128,), (cp.asarray(memory), *map(np.int32, numbers), out), shared_mem=IMAGE_BYTES + 1024)
    return out.get()


def speeds() -> np.ndarray:
    """Measure the cycles of one m64n64k16 in each mode, float64 in the order of MODES."""
    require_hopper()
    cp = connect()
    kernel = compiled("wgmma.cu", specific=True).get_function("wgmma_speed")
    found = []
    for mode in MODES:
        memory = cp.asarray(image(*operands(mode), mode, mode.swizzle))
        clocks, out = cp.zeros(3, cp.uint32), cp.zeros(128, cp.float32)
        numbers = (*_descriptor(mode), FEW, MANY)
        kernel((1,), (128,), (memory, *map(np.int32, numbers), clocks, out), shared_mem=IMAGE_BYTES + 1024)
        _, short, long = clocks.get().astype(np.int64)
        found.append((long - short) / (MANY - FEW))
    return np.array(found)


def operand_reads() -> dict[str, Any]:
    """Count wavefronts and conflicts of one product's operand reads, for every `_descriptors`.

    Returns
    -------
    dict
        Arrays of one length: "width" (the N of m64nNk16), "mode" (index into MODES), "leading" and "stride" (bytes
        between core matrices), "matching" (whether the descriptor is the one that the operands are stored for),
        "wavefronts" and "conflicts".
    """
    require_hopper()
    rows = profile([sys.executable, "-m", __name__], GMMA_COUNTERS.values(), "wgmma_product", quiet=True)
    asked = dict(zip(("width", "mode", "leading", "stride", "matching"), np.array(_descriptors(), np.int32).T))
    return asked | {
        name: np.array([int(float(row[metric].replace(",", ""))) for row in rows], np.int64)
        for name, metric in GMMA_COUNTERS.items()
    }


def _descriptors() -> list[tuple[int, int, int, int, bool]]:
    """Those that match, READ_ROUNDS times, and DESCRIPTORS at random that read anything, of each width and mode."""
    draw, found = Draw(0), []
    for width in WIDTHS:
        for index, mode in enumerate(MODES):
            found += [(width, index, *_descriptor(mode)[1:], True)] * READ_ROUNDS
            found += [(width, index, *pair, False) for pair in 16 + 16 * draw.below(64, (DESCRIPTORS, 2))]
    return found


def _launch_each() -> None:
    """What runs under Nsight Compute."""
    cp, module = connect(), compiled("wgmma.cu", specific=True)
    out = cp.zeros((SIZE, SIZE), cp.float32)
    for width, index, leading, stride, _ in _descriptors():
        mode = MODES[index]
        memory = cp.asarray(image(*operands(mode), mode, mode.swizzle))
        numbers = map(np.int32, (_FIELD[mode.name], leading, stride, 1, 32))
        kernel = module.get_function(f"wgmma_product_{width}")
        kernel.max_dynamic_shared_size_bytes = 4 * IMAGE_BYTES
        kernel((1,), (128,), (memory, *numbers, out), shared_mem=4 * IMAGE_BYTES)
    cp.cuda.runtime.deviceSynchronize()


if __name__ == "__main__":
    _launch_each()
