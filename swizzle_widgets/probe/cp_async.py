"""Runs cp_async.cu: what a copy costs whose source streams from L2, one multiprocessor alone and all of them."""

from __future__ import annotations

import sys

import numpy as np

from ..measured.cp_async import NAMES, REGION_BYTES, ROUNDS, SPAN_BYTES, WHO, destinations
from .counters import profile
from .device import ProbeUnavailable, capability, compiled, connect, progress, shared_bytes_per_block

WARPS = 8
FEW, MANY = 70, 350
_READ = "l1tex__m_xbar2l1tex_read_bytes.sum"


def cycles(quiet: bool = False) -> np.ndarray:
    """Measure cycles per instruction of every destination, float64 (destinations, WHO, ROUNDS).

    Of all multiprocessors the median counts.

    Raises
    ------
    ProbeUnavailable
        If there is no GPU, no CuPy or no NVRTC, or the GPU is older than sm_80.
    """
    launch, requests = _Launcher(), destinations().requests
    clocks = connect().zeros((len(requests), len(WHO), ROUNDS, launch.every, 2), np.uint32)
    for index in progress(range(len(requests)), "cp.async", quiet):
        for who, blocks in enumerate((1, launch.every)):
            for out in clocks[index, who]:
                launch(requests[[index]], blocks, out)
    few, many = np.moveaxis(clocks.get().astype(np.int64), -1, 0)
    each = (many - few) / ((MANY - FEW) * WARPS)
    return np.stack([each[:, 0, :, 0], np.median(each[:, 1], axis=-1)], axis=1)


def bytes_read() -> np.ndarray:
    """Count what came from L2, as a share of what was asked for: float64 (NAMES, 2), of lanes to neighboring words.

    The second number is of copies that all go to one place of their warp.
    """
    rows = profile([sys.executable, "-m", __name__], [_READ], "streamed_", quiet=True)
    read = np.array([int(float(row[_READ].replace(",", ""))) for row in rows], np.float64).reshape(len(NAMES), 2)
    return read / np.array([[_bytes_asked(width)] for width in (4, 8, 16, 16)])


def _bytes_asked(width: int) -> int:
    each = 32 * width * WARPS
    return each * (-(-REGION_BYTES // each // 7) * 7 + FEW + MANY)


class _Launcher:
    """Launches one destination: everything that stays the same is prepared once."""

    def __init__(self):
        cp = connect()
        if capability() < 80:
            raise ProbeUnavailable(f"cp.async needs sm_80 or newer; this GPU is sm_{capability()}.")
        module = compiled("cp_async.cu")
        self.every = cp.cuda.Device().attributes["MultiProcessorCount"]
        self.source = cp.random.randint(0, 256, size=self.every * REGION_BYTES, dtype=cp.uint8)
        self.shared = shared_bytes_per_block()
        self.kernels = {}
        for name in NAMES:
            kernel = module.get_function(name.replace("cp.async", "streamed").replace(".", "_"))
            kernel.max_dynamic_shared_size_bytes = self.shared
            self.kernels[name] = kernel

    def __call__(self, request, blocks: int, out, span: int = SPAN_BYTES) -> None:
        ((instruction, _),) = request.by_instruction()
        addresses = connect().asarray(request.addresses[0])
        numbers = np.uint32(REGION_BYTES), np.int32(FEW), np.int32(MANY)
        arguments = addresses, np.uint32(span), self.source, *numbers, out
        self.kernels[instruction.name]((blocks,), (32 * WARPS,), arguments, shared_mem=self.shared)


def _launch_dense() -> None:
    launch, requests = _Launcher(), destinations().requests
    out = connect().zeros((1, 2), np.uint32)
    for name in NAMES:
        first = int(np.flatnonzero(requests.where(name))[0])
        for span in (SPAN_BYTES, 0):
            launch(requests[[first]], 1, out, span)
    connect().cuda.runtime.deviceSynchronize()


if __name__ == "__main__":
    _launch_dense()
