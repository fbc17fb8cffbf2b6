// The lab's picture: tiles above their time, a column each; one below the other on a narrow page. As Python's lab.py.

import { MEASURES as m } from "../generated.js";
import { Scene } from "./scene.js";
import { bitsScene, rowsScene, valuesScene } from "./bits.js";
import { legendScene, tileScene } from "./tile.js";
import { rowHeight, timeLeft, timeScene } from "./time.js";

// Returns {scene, tiles, times}: panels as tilesScene and timesScene give them.
export function labScene(cells, tracks, width, step) {
  const columns = width >= m.TWO_TRACKS ? cells.length : 1;
  const room = Math.floor((width - (columns - 1) * m.BETWEEN) / columns);
  const row = rowHeight([tracks], m.LAB_TIME);
  const left = timeLeft(tracks);
  const shown = cells.map((each) => tileScene(each, room, { most: m.LAB_TILE }));
  const timed = tracks.map((track) => timeScene(track, room, row, step, false, left));
  const result = { scene: new Scene(width), tiles: [], times: [] };
  for (let at = 0; at < cells.length; at += columns) {
    const end = at + columns;
    putTiles(result, cells.slice(at, end), shown.slice(at, end), room);
    putTimes(result, tracks.slice(at, end), timed.slice(at, end), room, row);
  }
  return result;
}

function putTiles({ scene, tiles }, cells, shown, room) {
  shown.forEach((panel, column) => {
    const x = column * (room + m.BETWEEN);
    scene.put(panel.scene, x, scene.height);
    tiles.push({ cells: cells[column], place: panel.place, x: x + panel.place.left, y: scene.height + panel.top });
  });
  scene.height += Math.max(...shown.map((panel) => panel.scene.height)) + m.LAB_BETWEEN;
}

function putTimes({ scene, times }, tracks, timed, room, row) {
  timed.forEach(({ scene: panel, left, wide, tops }, column) => {
    const x = column * (room + m.BETWEEN);
    scene.put(panel, x, scene.height);
    times.push({ track: tracks[column], left, wide, tops, row, x, y: scene.height });
  });
  scene.height += Math.max(...timed.map((panel) => panel.scene.height)) + m.LAB_BETWEEN;
}

// The banks' colors and the bits of one element: on a wide page the bits stand under the swizzled tile. Returns what
// bitsScene returns.
export function labBitsScene(bits, width) {
  const scene = new Scene(width);
  if (width < m.TWO_TRACKS) {
    const legend = legendScene(width);
    const below = bitsScene(bits, width);
    const top = legend.height + m.LAB_BETWEEN;
    scene.put(legend, 0, 0);
    scene.put(below.scene, 0, top);
    scene.height = top + below.scene.height;
    return { scene, columns: below.columns, before: below.before + top };
  }
  const room = Math.floor((width - m.BETWEEN) / 2);
  const { scene: rows, columns, before } = rowsScene(bits, room);
  const legend = legendScene(room);
  const left = room + m.BETWEEN;
  scene.put(rows, left, 0);
  scene.put(legend, 0, 0);
  const values = valuesScene(bits, room - m.LEGEND_NAME);
  const top = legend.height + m.LAB_BETWEEN;
  scene.put(values, m.LEGEND_NAME, top);
  scene.height = Math.max(rows.height, top + values.height);
  return { scene, columns: { ...columns, left: (bit) => left + columns.left(bit) }, before };
}
