"""How fast the model is. Run with `pytest tests/test_benchmarks.py --benchmark-only`; compare within one run."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile, bank_report, bank_reports

ROWS, COLS = 128, 64


def bare_numpy() -> np.ndarray:
    """The expression that someone who knows the answer would write: Sw<3,3,3> on halves."""
    offset = np.arange(ROWS)[:, None] * COLS + np.arange(COLS)
    swizzled = offset ^ (offset >> 3 & 7 << 3)
    return swizzled * 2 // 4 % 32


def package() -> np.ndarray:
    return Tile(ROWS, COLS, "f16", swizzle=Swizzle(3, 3, 3), unit="element").banks


@pytest.fixture(scope="module")
def requests():
    """10,000 requests of 32 lanes, addresses in bytes; a third of them pair-sharing."""
    addresses = np.random.default_rng(0).integers(0, 1024, (10_000, 32)) * 16
    addresses[::3] = addresses[::3, np.arange(32) & ~1]
    return addresses


@pytest.mark.benchmark(group="bank map of a 128x64 f16 tile under Sw<3,3,3>")
class TestBankMap:
    def test_bare_numpy(self, benchmark):
        benchmark(bare_numpy)

    def test_package(self, benchmark):
        assert np.array_equal(benchmark(package), bare_numpy())

    def test_pycute(self, benchmark):
        pycute = pytest.importorskip("pycute", reason="pycute comes with the wheel nvidia-cutlass")
        layout = pycute.ComposedLayout(pycute.Swizzle(3, 3, 3), 0, pycute.Layout((ROWS, COLS), (COLS, 1)))

        def evaluate():
            return [[layout(row, col) * 2 // 4 % 32 for col in range(COLS)] for row in range(ROWS)]

        assert np.array_equal(benchmark.pedantic(evaluate, rounds=5), bare_numpy())

    def test_tensor_layouts(self, benchmark):
        library = pytest.importorskip("tensor_layouts")
        layout = library.compose(library.Swizzle(3, 3, 3), library.Layout((ROWS, COLS), (COLS, 1)))

        def evaluate():
            return [[layout(row, col) * 2 // 4 % 32 for col in range(COLS)] for row in range(ROWS)]

        assert np.array_equal(benchmark.pedantic(evaluate, rounds=5), bare_numpy())

    def test_cute_dsl(self, benchmark):
        """The fastest way to have the DSL evaluate a map on the CPU: a loop that it compiles."""
        pytest.importorskip("cutlass.cute", reason="CuTe DSL comes with the wheel nvidia-cutlass-dsl")
        maps = importlib.import_module("cute_maps")

        def evaluate():
            return maps.swizzled_offsets(((3, 3, 3),), ROWS * COLS).reshape(ROWS, COLS) * 2 // 4 % 32

        assert np.array_equal(benchmark.pedantic(evaluate, rounds=5), bare_numpy())


@pytest.mark.benchmark(group="one report: 8 rows of column 0 of an 8x64 f16 tile, stride 128 bytes")
class TestOneReport:
    def test_package(self, benchmark):
        access = Access.column(Tile(8, 64, "f16"))
        assert benchmark(access.report).wavefronts == 8

    def test_package_from_the_tile_on(self, benchmark):
        assert benchmark(lambda: Access.column(Tile(8, 64, "f16")).report()).wavefronts == 8

    def test_tensor_layouts(self, benchmark):
        analysis = pytest.importorskip("tensor_layouts.analysis")
        column = importlib.import_module("tensor_layouts").Layout(8, 64)
        assert benchmark(analysis.bank_conflicts, column, element_bytes=2)["max_ways"] == 8


@pytest.mark.benchmark(group="10,000 bank reports")
class TestReports:
    @pytest.mark.parametrize("width", [4, 8, 16])
    def test_at_once(self, benchmark, requests, width):
        assert len(benchmark(bank_reports, requests, width)) == 10_000

    def test_one_by_one(self, benchmark, requests):
        benchmark.pedantic(lambda: [bank_report(line, 16) for line in requests], rounds=1)


@pytest.mark.benchmark(group="a nested layout of 128x64")
def test_layout_offsets(benchmark):
    layout = Layout(((8, 16), (64, 1)), ((64, 512), (1, 0)))
    assert benchmark(lambda: layout.offsets).shape == (ROWS, COLS)


@pytest.mark.benchmark(group="a new Python that imports")
@pytest.mark.parametrize(
    "statement",
    [
        "pass",
        "import numpy",
        "import swizzle_widgets",
        "import anywidget",
        "from swizzle_widgets import SwizzleLab",
        "import matplotlib.pyplot",
        "import tensor_layouts",
        "import pycute",
        "from cutlass import cute",
    ],
)
def test_import(benchmark, statement):
    if subprocess.run([sys.executable, "-c", statement], capture_output=True, check=False).returncode:
        pytest.skip(f"not installed: {statement}")
    benchmark.pedantic(lambda: subprocess.run([sys.executable, "-c", statement], check=True), rounds=5)
