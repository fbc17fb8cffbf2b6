"""ipywidgets' containers in a real JupyterLab: in each a widget has room, and nothing is clipped or lies on another."""

from __future__ import annotations

from itertools import pairwise

import pytest

pytestmark = pytest.mark.browser

SOURCE = """import ipywidgets
from swizzle_widgets import Access, BankHeatmap, BitDiagram, ColumnRead, Swizzle, SwizzleLab, Tile
t = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
a = Access.ldmatrix(t)
{}"""
TWO = "BankHeatmap(t, a), ColumnRead(t, a)"
CONTAINERS = {
    "HBox": (f"ipywidgets.HBox([{TWO}])", 2),
    "Box": (f"ipywidgets.Box([{TWO}])", 2),
    "VBox": (f"ipywidgets.VBox([{TWO}])", 2),
    "GridBox": (
        f'ipywidgets.GridBox([{TWO}], layout=ipywidgets.Layout(grid_template_columns="minmax(0, 1fr) minmax(0, 1fr)"))',
        2,
    ),
    "Tab": ("ipywidgets.Tab([SwizzleLab(t, a)])", 1),
    "Accordion": ("ipywidgets.Accordion([BitDiagram(t)], selected_index=0)", 1),
    "layout": ('BankHeatmap(t, a, layout={"width": "60%"})', 1),
}
# Of each card: where it is, how much of it the boxes around it cut off, its scenes' sizes.
CARDS = """() => [...document.querySelectorAll('.jp-OutputArea .swz')]
    .filter((card) => card.offsetWidth).map((card) => {
    const box = card.getBoundingClientRect();
    let cut = 0;
    for (let outer = card.parentElement; outer && !outer.matches('.jp-OutputArea'); outer = outer.parentElement) {
        if (getComputedStyle(outer).overflow === 'visible') continue;
        const edge = outer.getBoundingClientRect();
        cut = Math.max(cut, box.right - edge.right, box.bottom - edge.bottom, edge.left - box.left);
    }
    const scenes = [...card.querySelectorAll('.swz-scene')].map((stage) => [stage.clientWidth, stage.swzScene()])
        .map(([wide, scene]) => [wide, scene.width, scene.height]);
    return { left: box.left, right: box.right, top: box.top, bottom: box.bottom, cut, scenes };
})"""


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_gives_its_widgets_room(cell, name):
    make, count = CONTAINERS[name]
    cell.show(SOURCE.format(make), views=count)
    page = cell.page
    page.wait_for_function(f"({CARDS})().length === {count}")
    page.wait_for_function(f"({CARDS})().every(({{ scenes }}) => scenes.every(([, , height]) => height > 0))")
    cards = page.evaluate(CARDS)
    for card in cards:
        assert card["cut"] <= 1
        assert card["right"] - card["left"] >= 300
        assert card["bottom"] - card["top"] >= 200
        for wide, drawn, height in card["scenes"]:
            assert drawn <= wide
            assert height > 60
    for first, second in pairwise(cards):
        beside = first["right"] <= second["left"] + 1 and abs(first["top"] - second["top"]) < 2
        assert beside if name in ("HBox", "Box", "GridBox") else first["bottom"] <= second["top"] + 1
