"""Wavefronts and conflicts as Nsight Compute counts them, one launch a request."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
import tempfile
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np

from ..measured.counters import COUNTERS
from ..measured.requests import SPAN_BYTES, Requests
from .device import ProbeUnavailable, compiled, connect, progress
from .timing import on_device


def count(requests: Requests, metrics: Any = None, *, quiet: bool = False) -> dict[str, Any]:
    """Count what each request costs, alone in a launch of one warp.

    Parameters
    ----------
    requests : Requests
        Instructions that this GPU lacks are refused.
    metrics : sequence of str, optional
        Names of Nsight Compute metrics; those of COUNTERS, if left out.
    quiet : bool
        No progress bar.

    Returns
    -------
    dict
        For each metric an int64 array (n,).

    Raises
    ------
    ProbeUnavailable
        If there is no GPU, CuPy or Nsight Compute, or no permission to read counters.
    """
    connect()
    metrics = tuple(COUNTERS.values()) if metrics is None else metrics
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "requests.npz"
        requests.save(job)
        rows = profile([sys.executable, "-m", __name__, str(job), *["--quiet"] * quiet], metrics, "once_", quiet)
    if len(rows) != len(requests):
        raise RuntimeError(f"Nsight Compute reported {len(rows)} launches of {len(requests)}")
    # The child launches instruction by instruction.
    order = np.concatenate([where for _, where in requests.by_instruction()])
    counts = {metric: np.zeros(len(requests), np.int64) for metric in metrics}
    for metric in metrics:
        counts[metric][order] = [int(float(row[metric].replace(",", ""))) for row in rows]
    return counts


def profile(command: list[str], metrics: Any, kernels: str, quiet: bool = False) -> list[dict[str, Any]]:
    """Run a command under Nsight Compute.

    Parameters
    ----------
    command : list of str
    metrics : sequence of str
    kernels : str
        Only kernels whose names begin so are profiled.

    Returns
    -------
    list of dict
        One a launch, in order: metric (and "Kernel Name") to the text that Nsight Compute gives.

    Raises
    ------
    ProbeUnavailable
        If Nsight Compute is missing, may not read counters, or fails (for a metric that this GPU lacks, say).
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.csv"
        options = [
            "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(log), "--target-processes", "all",
            # Leave clocks and caches as they are: neither changes how many wavefronts there are.
            "--clock-control", "none", "--cache-control", "none",
            "--kernel-name-base", "function", "--kernel-name", f"regex:^{kernels}", "--metrics", ",".join(metrics),
        ]  # fmt: skip
        run = subprocess.run(
            [_ncu(), *options, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
        )
        text = (log.read_text(encoding="utf-8") if log.exists() else "") + "\n" + run.stdout
    if "ERR_NVGPUCTRPERM" in text:
        raise ProbeUnavailable(
            "Nsight Compute may not read this GPU's counters (ERR_NVGPUCTRPERM). Run as root, or have the driver allow "
            "it to all: options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then reboot. "
            "Cycles can be measured without it."
        )
    if run.returncode:
        raise ProbeUnavailable(f"Nsight Compute could not count. Its last words were:\n{text.strip()[-2000:]}")
    lines = [line for line in text.splitlines() if line.startswith('"')]
    # The second line of the table holds the units.
    return [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["ID"]]


def _ncu() -> str:
    installed = glob("/usr/local/cuda/bin/ncu") + sorted(glob("/opt/nvidia/nsight-compute/*/ncu"))
    path = shutil.which("ncu") or (installed[-1] if installed else None)
    if path is None:
        raise ProbeUnavailable(
            "Counters need Nsight Compute, and there is no ncu on the PATH. It comes with the CUDA toolkit, or alone "
            "from developer.nvidia.com/nsight-compute. Cycles can be measured without it."
        )
    return path


def _launch_all(requests: Requests, quiet: bool) -> None:
    """What runs under Nsight Compute: every request in a launch of its own."""
    cp = connect()
    module, arrays, out = compiled("probe.cu"), on_device(requests), cp.zeros(1, cp.uint32)
    launches = [(instruction, index) for instruction, where in requests.by_instruction() for index in where.tolist()]
    for instruction, index in progress(launches, "counters", quiet):
        kernel = module.get_function(f"once_{instruction.symbol}")
        kernel((1,), (32,), (np.int32(index), *arrays, out), shared_mem=SPAN_BYTES)
    cp.cuda.runtime.deviceSynchronize()


if __name__ == "__main__":
    _launch_all(Requests.load(Path(sys.argv[1])), "--quiet" in sys.argv)
