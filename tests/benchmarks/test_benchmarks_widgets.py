"""How long each widget takes to be made, and to be shown: its state for the browser and its still picture.

Run with `pytest tests/benchmarks --benchmark-only`; compare within one run.
"""

from __future__ import annotations

import pytest

from swizzle_widgets import (
    Access,
    BankHeatmap,
    BitDiagram,
    ColumnRead,
    Swizzle,
    SwizzleLab,
    SwizzleRanking,
    Tile,
    best_swizzles,
    figures,
)

TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element")
READ = Access.ldmatrix(TILE, num=1)
# Found once: what is timed is the widget, not the search.
PLAIN = TILE.with_swizzle(None)
RANKING = best_swizzles(PLAIN, [READ.on(PLAIN)])
WIDGETS = {
    "BankHeatmap": lambda: BankHeatmap(TILE, READ),
    "BitDiagram": lambda: BitDiagram(TILE),
    "ColumnRead": lambda: ColumnRead(TILE, READ),
    "SwizzleLab": lambda: SwizzleLab(TILE, READ),
    "SwizzleRanking": lambda: SwizzleRanking(RANKING),
}


@pytest.mark.benchmark(group="a widget of an 8x64 f16 tile, made")
@pytest.mark.parametrize("name", WIDGETS)
def test_making(benchmark, name):
    assert benchmark(WIDGETS[name]).tile.rows == TILE.rows


@pytest.mark.benchmark(group="a widget of an 8x64 f16 tile, shown")
@pytest.mark.parametrize("name", WIDGETS)
def test_showing(benchmark, name):
    widget = WIDGETS[name]()

    def show() -> tuple:
        return widget.get_state(), figures.png(widget.figure())

    state, png = benchmark(show)
    assert state["tile"]
    assert png.startswith(b"\x89PNG")
