"""Runs atomics.cu: cycles and counters of atomics on shared memory."""

from __future__ import annotations

import sys

import numpy as np

from ..measured.atomics import OPERATIONS, ROUNDS, SPAN_BYTES, requests
from ..measured.counters import ATOMIC_COUNTERS
from .counters import profile
from .device import compiled, connect, progress, shared_bytes_per_block

WARPS = 32
FEW, MANY = 64, 320
_SEED = np.uint32(1)


def cycles(quiet: bool = False) -> np.ndarray:
    """Measure cycles per instruction, float64 (operations, requests, rounds); every warp on words of its own."""
    cp, module = connect(), compiled("atomics.cu")
    addresses, active = _on_device()
    clocks = cp.zeros((len(OPERATIONS), ROUNDS, len(addresses), 2), cp.uint32)
    out, shared = cp.zeros(1, cp.uint32), shared_bytes_per_block()
    for operation, rounds in zip(progress(OPERATIONS, "atomics", quiet), clocks):
        kernel = module.get_function(f"timed_{_symbol(operation)}")
        kernel.max_dynamic_shared_size_bytes = shared
        for each in rounds:
            arguments = addresses, active, _SEED, np.int32(FEW), np.int32(MANY), each, out
            kernel((len(addresses),), (32 * WARPS,), arguments, shared_mem=shared)
    few, many = np.moveaxis(clocks.get().astype(np.int64), -1, 0)
    return np.moveaxis((many - few) / ((MANY - FEW) * WARPS), 1, 2)


def counts(quiet: bool = False) -> np.ndarray:
    """Count every operation of every request once, int64 (operations, requests, ATOMIC_COUNTERS)."""
    metrics = list(ATOMIC_COUNTERS.values())
    rows = profile([sys.executable, "-m", __name__], metrics, "once_", quiet)
    table = [[int(float(row[metric].replace(",", ""))) for metric in metrics] for row in rows]
    return np.array(table, np.int64).reshape(len(OPERATIONS), -1, len(metrics))


def _symbol(operation: str) -> str:
    return operation.replace(".", "_")


def _on_device():
    cp = connect()
    addresses, active = requests()
    masks = (active.astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)
    return cp.asarray(addresses), cp.asarray(masks)


def _launch_all() -> None:
    """What runs under Nsight Compute: one warp, one atomic a launch."""
    cp, module = connect(), compiled("atomics.cu")
    addresses, active = _on_device()
    out = cp.zeros(1, cp.uint32)
    for operation in OPERATIONS:
        kernel = module.get_function(f"once_{_symbol(operation)}")
        for each, mask in zip(addresses, active.get()):
            kernel((1,), (32,), (each, mask, _SEED, out), shared_mem=SPAN_BYTES)
    cp.cuda.runtime.deviceSynchronize()


if __name__ == "__main__":
    _launch_all()
