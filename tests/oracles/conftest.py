"""What the oracles share: a compiler for CuTe C++ on the host."""

import shutil
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "cute"


@pytest.fixture(scope="session")
def compiler() -> list[str]:
    """The command that compiles a C++ file against CuTe's headers for the host."""
    nvcc = shutil.which("nvcc") or pytest.skip("no nvcc on the PATH")
    headers = Path(pytest.importorskip("cutlass_library").__file__).parent / "source" / "include"
    return [nvcc, "-x", "c++", "-std=c++17", "-O0", f"-I{headers}", f"-I{SOURCES}"]
