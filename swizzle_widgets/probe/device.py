"""The way to the GPU: CuPy, the compiler, and sentences that say what to do where one is missing."""

from __future__ import annotations

import datetime
import subprocess
import tempfile
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any


class ProbeUnavailable(RuntimeError):
    """Something that the probe needs is not there; the text says what, and what to do."""


def connect() -> Any:
    """Return the cupy module, once it has found a GPU.

    Raises
    ------
    ProbeUnavailable
        If CuPy is not installed, or finds no driver or no GPU.
    """
    try:
        import cupy
    except ImportError:
        raise ProbeUnavailable(
            "The probe needs CuPy, which is not installed. With an NVIDIA driver for CUDA 13 (580 or newer): "
            'pip install "cupy-cuda13x[ctk]"; for CUDA 12: pip install "cupy-cuda12x[ctk]".'
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise ProbeUnavailable(
            f"CuPy finds no working NVIDIA driver ({error}). nvidia-smi should list a GPU: install or update the "
            "driver, or run this where there is a GPU (on Colab: Runtime, Change runtime type, a GPU)."
        ) from None
    if count == 0:
        raise ProbeUnavailable(
            "There is no NVIDIA GPU here. Run this where there is one (on Colab: Runtime, Change runtime type, a GPU)."
        )
    return cupy


def capability() -> int:
    """Return the compute capability of the GPU at hand: 90 for sm_90."""
    return int(connect().cuda.Device().compute_capability)


def compiled(name: str, specific: bool = False) -> Any:
    """Return a cupy.RawModule of a .cu file of this package, built for the GPU at hand.

    Parameters
    ----------
    name : str
        The file's name.
    specific : bool
        Build for sm_90a rather than sm_90, which WGMMA needs.

    Raises
    ------
    ProbeUnavailable
        If there is no GPU, or no run-time compiler (NVRTC).
    """
    cupy = connect()
    source = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "module.cubin"
        path.write_bytes(cubin(source, name, f"sm_{capability()}{'a' if specific else ''}"))
        module = cupy.RawModule(path=str(path))
        module.compile()
    return module


def cubin(source: str, name: str, architecture: str) -> bytes:
    """Return the machine code of CUDA C++ source for an architecture such as "sm_90a", compiled by NVRTC.

    Raises
    ------
    ProbeUnavailable
        If CuPy does not find NVRTC.
    RuntimeError
        If the source does not compile; the text is the compiler's.
    """
    from cupy.cuda import nvrtc

    try:
        program = nvrtc.createProgram(source, name, (), ())
    except (RuntimeError, ImportError) as error:
        raise ProbeUnavailable(
            f"CuPy does not find NVRTC, the run-time compiler ({error}). "
            'It comes with the extra ctk: pip install "cupy-cuda13x[ctk]".'
        ) from None
    try:
        nvrtc.compileProgram(program, (f"-arch={architecture}", "-std=c++17"))
    except nvrtc.NVRTCError:
        raise RuntimeError(f"{name} does not compile for {architecture}:\n{nvrtc.getProgramLog(program)}") from None
    return nvrtc.getCUBIN(program)


def about() -> dict[str, Any]:
    """Return what a record says about the machine: device, capability, SMs, driver, CUDA, date."""
    cupy = connect()
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    cuda = cupy.cuda.runtime.driverGetVersion()
    return {
        "device": properties["name"].decode(),
        "capability": capability(),
        "multiprocessors": properties["multiProcessorCount"],
        "driver": _driver_version(),
        "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}",
        "nvrtc": ".".join(map(str, cupy.cuda.nvrtc.getVersion())),
        "cupy": cupy.__version__,
        "date": datetime.date.today().isoformat(),
    }


def _driver_version() -> str:
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def shared_bytes_per_block() -> int:
    """Return the shared memory that one block can ask for, in bytes."""
    return connect().cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]


def progress(items: Iterable[Any], what: str, quiet: bool = False) -> Iterable[Any]:
    """Return `items` with a progress bar around them; without tqdm, or if quiet, as they are."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return items
    return tqdm(items, desc=what, unit="", disable=quiet)
