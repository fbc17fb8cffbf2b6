"""The scenes of the pictures, as Python makes them and as the browser's modules make them in a JavaScript engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import swizzle_widgets.widgets
from swizzle_widgets.widgets.bundle import bundle
from swizzle_widgets.widgets.generated import GENERATED, generated_text
from swizzle_widgets.widgets.wire import tile_spec

JS = Path(swizzle_widgets.widgets.__file__).parent / "js"
ENTRY = """
import { Access } from "./model/access.js";
import { Swizzle } from "./model/swizzle.js";
import { Tile } from "./model/tile.js";
import { bitsOf, bitsScene } from "./views/bits.js";
import { cellsOf, elementsPerCell } from "./views/cells.js";
import { labBitsScene, labScene } from "./views/lab.js";
import { mapScene, wayScene } from "./views/ranking.js";
import { bestOf, wayOf } from "./swizzle_ranking.js";
import { legendScene, standBeside, tileScene } from "./views/tile.js";
import { tilesScene, timesScene } from "./views/panels.js";
import { rowHeight, timeScene, trackOf } from "./views/time.js";

function tileOf({ spec, swizzle, unit }) {
  return new Tile(spec, swizzle && new Swizzle(...swizzle), unit ?? "byte");
}

globalThis.scenes = {
  tile(tile, access, width, numbers) {
    const shown = new Access(tileOf(tile), access);
    return tileScene(cellsOf(shown, elementsPerCell([shown.tile])), width, { numbers }).scene;
  },
  beside(tiles, access, half, width) {
    const all = tiles.map((tile) => new Access(tileOf(tile), access));
    const per = elementsPerCell(all.map((each) => each.tile));
    return standBeside(all.map((each) => cellsOf(each, per)), half, width);
  },
  time(tile, access, width, step) {
    const track = trackOf(new Access(tileOf(tile), access), "a label");
    return timeScene(track, width, rowHeight([[track]], 760), step).scene;
  },
  bits: (tile, offset, width) => bitsScene(bitsOf(tileOf(tile), offset), width).scene,
  labBits: (tile, offset, width) => labBitsScene(bitsOf(tileOf(tile), offset), width).scene,
  lab(tiles, access, width, step) {
    const all = tiles.map((tile) => new Access(tileOf(tile), access));
    const per = elementsPerCell(all.map((each) => each.tile));
    return labScene(all.map((each) => cellsOf(each, per)), all.map((each) => trackOf(each, "")), width, step).scene;
  },
  ways: (rows, best, width) => best.map((row) => wayScene(bestOf(row, rows.map(wayOf)), width)),
  map(rows, options, chosen, width) {
    const ways = rows.map(wayOf);
    const way = ways.find(({ bits, base, shift }) => `${[bits, base, shift]}` === `${chosen}`);
    return mapScene(ways, { ...options, chosen: way, raise: 0, all: false }, width).scene;
  },
  legend: legendScene,
  tiles(tiles, access, width, numbers, most) {
    const all = tiles.map((tile) => new Access(tileOf(tile), access));
    const per = elementsPerCell(all.map((each) => each.tile));
    return tilesScene(all.map((each) => cellsOf(each, per)), width, numbers, most).scene;
  },
  times(tiles, access, width, step) {
    const all = tiles.map((tile) => trackOf(new Access(tileOf(tile), access), "a label"));
    return timesScene(all, width, step).scene;
  },
};
"""


@cache
def engine():
    """The views in a JavaScript engine."""
    from py_mini_racer import MiniRacer

    context = MiniRacer()
    context.eval(bundle(JS / "scenes_test.js", {GENERATED: generated_text(), JS / "scenes_test.js": ENTRY}))
    return context


def close() -> None:
    """End the engine, if there is one; its threads would keep Python from ending."""
    if engine.cache_info().currsize:
        engine().close()
        engine.cache_clear()


def described(tile) -> dict:
    """A tile as ENTRY takes it."""
    swizzle = tile.swizzle and [tile.swizzle.bits, tile.swizzle.base, tile.swizzle.shift]
    return {"spec": tile_spec(tile), "swizzle": swizzle, "unit": tile.unit}


def in_javascript(name: str, *arguments):
    """What a function of ENTRY returns."""
    return _read(engine().eval(f"JSON.stringify(scenes.{name}(...{json.dumps(arguments)}))"))


def in_python(scene) -> dict:
    """A scene of the figures, as JSON has it."""
    return rounded({"width": scene.width, "height": scene.height, "items": scene.items})


def rounded(scene: dict) -> dict:
    """A scene as JSON has it, numbers to a thousandth of a pixel."""
    return _read(json.dumps(scene, default=float))


def _read(text: str):
    return json.loads(text, parse_float=lambda number: round(float(number), 3))
