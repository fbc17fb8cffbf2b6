// Several tiles in one picture, and what stands under a point of it.

import { BANKS, MEASURES as m, WORD_BYTES } from "../generated.js";
import { Scene, keyScene, laneRuns } from "./scene.js";
import { joined, rowHeight, timeKey, timeLeft, timeScene, trackColumns } from "./time.js";
import { legendScene, standBeside, tileKey, tileScene } from "./tile.js";

// All panels, beside or above each other. Returns {scene, panels: [{cells, place, x, y}]}, (x, y) where the cells
// begin.
export function tilesScene(all, width, numbers = "lanes", most = m.TALLEST_LIVE) {
  const half = Math.floor((width - m.BETWEEN) / 2);
  const beside = all.length > 1 && standBeside(all, half, width, most);
  const columns = beside ? 2 : 1;
  const each = beside ? most : Math.floor(most / all.length);
  const scene = new Scene(width);
  const panels = [];
  for (let at = 0; at < all.length; at += columns) {
    let height = 0;
    all.slice(at, at + columns).forEach((cells, place) => {
      const panel = tileScene(cells, beside ? half : width, { numbers, most: each });
      const x = place * (half + m.BETWEEN);
      scene.put(panel.scene, x, scene.height);
      panels.push({ cells, place: panel.place, x: x + panel.place.left, y: scene.height + panel.top });
      height = Math.max(height, panel.scene.height);
    });
    scene.height += height + m.BETWEEN_ROWS;
  }
  const legend = legendScene(width);
  scene.put(legend, 0, scene.height);
  scene.height += legend.height + m.LEGEND_KEY;
  const places = panels.map(({ place }) => place);
  const key = keyScene(tileKey(all, places, numbers), width);
  scene.put(key, 0, scene.height);
  scene.height += key.height;
  return { scene, panels };
}

// All tracks, two beside each other where there is room. Returns {scene, panels}, a panel is
// {track, left, wide, tops, row, x, y}, (x, y) its corner.
export function timesScene(tracks, width, step) {
  const columns = trackColumns(tracks.length, width);
  const room = Math.floor((width - (columns - 1) * m.BETWEEN) / columns);
  const lines = [];
  for (let at = 0; at < tracks.length; at += columns) lines.push(tracks.slice(at, at + columns));
  const row = rowHeight(lines, width < m.TWO_TRACKS ? m.TALLEST_NARROW : m.TALLEST_TIME);
  const left = timeLeft(tracks);
  const scene = new Scene(width);
  const panels = [];
  for (const line of lines) {
    const shown = line.map((track) => timeScene(track, room, row, step, true, left));
    shown.forEach(({ scene: panel, wide, tops }, place) => {
      const x = place * (room + m.BETWEEN);
      scene.put(panel, x, scene.height);
      panels.push({ track: line[place], left, wide, tops, row, x, y: scene.height });
    });
    scene.height += Math.max(...shown.map((each) => each.scene.height)) + m.BETWEEN_ROWS;
  }
  const key = keyScene(timeKey(tracks, Math.floor((room - left) / BANKS), row), width);
  scene.put(key, 0, scene.height);
  scene.height += key.height;
  return { scene, panels };
}

// The slot of time under a point: {panel, wavefront, bank, delivery}; null if nothing is shown there.
export function slotAt(panels, [x, y], step) {
  for (const panel of panels) {
    const bank = Math.floor((x - panel.x - panel.left) / panel.wide);
    const wavefront = panel.tops.findIndex((top) => y - panel.y >= top && y - panel.y < top + panel.row);
    if (bank < 0 || bank >= BANKS || wavefront < 0 || wavefront >= step) continue;
    const delivery = panel.track.rows[wavefront].deliveries.find((each) => each.bank === bank);
    return { panel, wavefront, bank, delivery };
  }
  return null;
}

// The box of a bank's slot in a wavefront.
export const slotBox = ({ left, wide, tops, row, x, y }, wavefront, bank) => [
  x + left + bank * wide,
  y + tops[wavefront],
  wide,
  row,
];

// What was served up to `step`, in the order of time, track after track, as slotAt has it.
const servedSlots = (panels, step) =>
  panels.flatMap((panel) =>
    panel.track.rows
      .slice(0, step)
      .flatMap(({ deliveries }, wavefront) =>
        joined(deliveries).map((delivery) => ({ panel, wavefront, bank: delivery.bank, delivery })),
      ),
  );

// Where Shift and an arrow lead from a slot: to the next one served, or to the next wavefront; null for other keys.
export function slotByKey(panels, step, from, { key, shiftKey }) {
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  const all = servedSlots(panels, step);
  if (!shiftKey || !way || !all.length) return null;
  const row = ({ panel, wavefront }) => `${panels.indexOf(panel)} ${wavefront}`;
  const track = from && panels.find((panel) => panel.track === from.panel.track);
  const start = track ? { ...from, panel: track } : null;
  let at = start ? all.findIndex((slot) => row(slot) === row(start) && slot.bank === start.bank) : -1;
  if (at < 0) return all[0];
  do at += way;
  while (key.match(/Up|Down/) && all[at] && row(all[at]) === row(start));
  return all[at] ?? start;
}

// The boxes of all slots up to `step` that match.
export function slotsWhere(panel, step, matches) {
  return panel.track.rows
    .slice(0, step)
    .flatMap(({ deliveries }, wavefront) =>
      deliveries.filter(matches).map(({ bank }) => slotBox(panel, wavefront, bank)),
    );
}

export function slotText({ panel, wavefront, bank, delivery }) {
  const { unit, part, gaps, wavefronts, rows } = panel.track;
  const phase = gaps ? ` (${part} ${rows[wavefront].phase + 1})` : "";
  const where = `${unit} ${wavefront + 1} of ${wavefronts}${phase}, bank ${bank}`;
  if (!delivery) return `${where}: idle`;
  const byte = delivery.word * WORD_BYTES;
  return `${where}: byte ${byte} (0x${byte.toString(16)}) for ${lanesNamed(delivery.lanes)}`;
}

export const lanesNamed = (lanes) => `lane${lanes.length > 1 ? "s" : ""} ${laneRuns(lanes, ", ")}`;

// The cell under a point: {panel, cell, row, col}, row and column those of its first element; null if there is none.
export function cellAt(panels, [x, y]) {
  for (const panel of panels) {
    const found = panel.place.cellAt(x - panel.x, y - panel.y);
    if (!found || panel.cells.blank) continue;
    const { per, split, cols } = panel.cells;
    return { panel, cell: found[0] * cols + found[1], row: found[0], col: Math.floor(found[1] / split) * per };
  }
  return null;
}

// The box of an element's cells in a panel.
export function cellBox({ cells, place, x, y }, row, col) {
  const [left, top] = place.at(row, Math.floor(col / cells.per) * cells.split);
  return [x + left, y + top, place.wide * cells.split, place.tall];
}

// The boxes around all cells of a panel that match, neighbors in one: `matches(cell)` is asked for each.
export function boxesWhere({ cells: { rows, cols }, place, x, y }, matches) {
  const boxes = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const first = col;
      while (col < cols && matches(row * cols + col) && (col === first || col % place.bandCols)) col++;
      if (col === first) continue;
      const [left, top] = place.at(row, first);
      if (top + place.tall <= place.height) grow(boxes, [x + left, y + top, (col - first) * place.wide, place.tall]);
      // The cell behind a band's end is asked again.
      col--;
    }
  }
  return boxes;
}

// Adds a box, or makes the one that it continues downwards taller.
function grow(boxes, [x, y, wide, tall]) {
  const above = boxes.find((box) => box[0] === x && box[2] === wide && box[1] + box[3] === y);
  if (above) above[3] += tall;
  else boxes.push([x, y, wide, tall]);
}

// What a cell is, in words.
export function cellText({ panel: { cells }, cell, row, col }) {
  const { tile } = cells.access;
  const last = col + cells.per - 1;
  const lanes = cells.lanes.get(cell);
  const columns = cells.per > 1 ? `columns ${col} to ${last}` : `column ${col}`;
  const byte = Math.floor(cells.words[cell] * WORD_BYTES);
  const where = cells.per > 1 || cells.split > 1 ? byte : tile.address(row, col);
  const wanted = lanes ? `, wanted by ${lanesNamed(lanes)}` : "";
  return `row ${row}, ${columns}: byte ${where} (0x${where.toString(16)}), bank ${cells.banks[cell]}${wanted}`;
}
