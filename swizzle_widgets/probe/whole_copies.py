"""Runs whole_copies.cu: where CuTe's threads go, and what Nsight Compute counts of it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..measured.counters import COUNTERS
from ..measured.whole_copies import COPIES, COUNTED, ROUNDS
from .counters import profile
from .device import ProbeUnavailable, connect
from .tma import require_hopper

SHARED_BYTES = 32 * 1024
_MOST_STEPS = 64


def cubin() -> Path:
    """Compile whole_copies.cu with nvcc and CuTe's headers; return a file in a new folder.

    Raises
    ------
    ProbeUnavailable
        If there is no nvcc, or it does not find the headers.
    """
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise ProbeUnavailable("Whole copies are CuTe kernels: put nvcc, of the CUDA toolkit, on the PATH.")
    path = Path(tempfile.mkdtemp()) / "whole_copies.cubin"
    with resources.as_file(resources.files(__package__).joinpath("whole_copies.cu")) as source:
        options = ["-std=c++17", "-cubin", "--expt-relaxed-constexpr", "-gencode=arch=compute_90a,code=sm_90a"]
        run = subprocess.run(
            [nvcc, *options, *_headers(), str(source), "-o", str(path)], capture_output=True, text=True
        )
    if run.returncode:
        raise ProbeUnavailable(
            "nvcc does not compile whole_copies.cu. CuTe's headers come with pip install nvidia-cutlass, or name "
            f"their folder in CPATH. Its last words were:\n{run.stderr.strip()[-1000:]}"
        )
    return path


def _headers() -> list[str]:
    found = importlib.util.find_spec("cutlass_library")
    return [f"-I{Path(found.origin).parent / 'source' / 'include'}"] if found else []


def places(path: Path) -> dict[str, Any]:
    """Return where every vector of every copy begins: name to uint16 (steps, threads), in bytes."""
    require_hopper()
    cp, module = connect(), connect().RawModule(path=str(path))
    found = {}
    for copy in COPIES:
        out = cp.full((_MOST_STEPS, copy.threads), -1, cp.int32)
        module.get_function(f"places_{copy.name}")((1,), (copy.threads,), (out,), shared_mem=SHARED_BYTES)
        told = out.get()
        found[copy.name] = told[(told >= 0).all(axis=1)].astype(np.uint16)
    return found


def counted(path: Path) -> dict[str, Any]:
    """Count every copy ROUNDS times, name to int64 (ROUNDS, counters) in the order of COUNTED."""
    metrics = [COUNTERS[name] for name in COUNTED]
    rows = profile([sys.executable, "-m", __name__, str(path)], metrics, "once_", quiet=True)
    table = np.array([[int(float(row[metric].replace(",", ""))) for metric in metrics] for row in rows], np.int64)
    return dict(zip([copy.name for copy in COPIES], table.reshape(len(COPIES), ROUNDS, len(metrics))))


def _launch_each(path: str) -> None:
    cp, module = connect(), connect().RawModule(path=path)
    out = cp.zeros(1, cp.uint32)
    for copy in COPIES:
        for _ in range(ROUNDS):
            module.get_function(f"once_{copy.name}")((1,), (copy.threads,), (out,), shared_mem=SHARED_BYTES)
    cp.cuda.runtime.deviceSynchronize()


if __name__ == "__main__":
    _launch_each(sys.argv[1])
