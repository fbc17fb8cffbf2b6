"""Take the README's pictures again: `python tests/browser/pictures.py`. Needs a Chromium, as the browser tests do."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

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
)
from tests.support.live import LivePage

OUT = Path(__file__).parents[2] / "notebooks" / "pictures"

tile = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
square = Tile(32, 32, "f32", swizzle=Swizzle(5, 2, 5), unit="byte")
tall = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
WIDGETS = {
    "swizzle_lab": SwizzleLab(tile, access=Access.ldmatrix(tile, num=1)),
    "bank_heatmap": BankHeatmap(square),
    "bit_diagram": BitDiagram(tile, row=5),
    "column_read": ColumnRead(tile, compare=[None, (Swizzle(3, 3, 3), "byte")], step=1),
    "swizzle_ranking": SwizzleRanking(best_swizzles(tall, [Access.ldmatrix(tall), Access.cp_async(tall)])),
}

if __name__ == "__main__":
    chromium = os.environ.get("SWIZZLE_CHROMIUM") or shutil.which("chromium")
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        for name, widget in WIDGETS.items():
            live = LivePage(page)
            live.show(widget)
            page.locator(".swz").first.screenshot(path=OUT / f"{name}.png")
            page.unroute_all()
        browser.close()
