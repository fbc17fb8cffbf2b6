// The ranking: the good ones with small pictures of their time, and the map of B, M and S; as Python's
// swizzle_ranking.py.

import { BANKS, CONFLICT_COLORS, IDEAL_COLORS, MEASURES as m } from "../generated.js";
import { range } from "../model/checks.js";
import { NUMBER, Scene, TIMES, frame, wrapped } from "./scene.js";
import { legendScene } from "./tile.js";

// --- The good ones -----------------------------------------------------------------------------

// One way: {name, note, said, count, ideal, grids: [[instruction, [busy banks of a wavefront as bits ...]] ...]}.
export function wayScene({ name, note, said, count, ideal, grids }, width) {
  const scene = new Scene(width);
  scene.text(0, 8, name, { size: m.TITLE, bold: true });
  scene.text(0, 25, note, { fill: "quiet" });
  const [mark, fill] = count === ideal ? ["✓", "good"] : ["▲", "bad"];
  scene.text(0, 42, `${mark} ${said}`, { fill, bold: true });
  const small = smallTimes(grids, width);
  scene.put(small, 0, 54);
  scene.height = 54 + small.height;
  return scene;
}

function smallTimes(grids, width) {
  const fit = Math.max(1, Math.floor((width + m.SMALL_GAP) / (BANKS * 2 + m.SMALL_GAP)));
  const shown = grids.slice(0, fit);
  const wide = Math.min(3, Math.floor((width + m.SMALL_GAP) / shown.length / BANKS)) || 1;
  const scene = new Scene(width);
  shown.forEach(([, served], at) => {
    const grid = smallTime(served, wide);
    scene.put(grid, at * (BANKS * wide + m.SMALL_GAP), 0);
    scene.height = Math.max(scene.height, grid.height);
  });
  const names = shown.map(([name]) => name);
  if (grids.length > fit) names.push(`and ${grids.length - fit} more`);
  scene.text(0, scene.height + 9, names.join(", "), { fill: "quiet" });
  scene.height += 18;
  return scene;
}

function smallTime(served, wide) {
  const row = Math.max(1, Math.min(4, Math.floor(m.SMALL_TALL / Math.max(1, served.length))));
  const scene = new Scene(BANKS * wide, row * served.length);
  scene.rects("idle", [[0, 0, scene.width, scene.height]]);
  for (const bank of range(BANKS)) {
    const rows = range(served.length).filter((at) => Math.floor(served[at] / 2 ** bank) % 2);
    scene.rects(
      `bank.${bank}`,
      rows.map((at) => [bank * wide, at * row, wide, row < 3 ? row : row - 1]),
    );
  }
  return scene;
}

// --- The map -----------------------------------------------------------------------------------

const COUNTED = "wavefronts (of cp.async.cg lines), all accesses together";

// Grids of M and S, one for each B, with the same rows and columns. `all` shows hopeless rows and S < 0, too. M is
// written `raise` larger, as it counts `unitName`. Returns {scene, cells: [{way, x, y}]}.
export function mapScene(ways, { ideal, chosen, raise, unitName, all }, width) {
  const { rows, shifts, folded, plain } = usefulOf(ways, all);
  const inside = ways.filter((way) => way.bits && rows.includes(way.base) && shifts.includes(way.shift));
  const colors = shadesOf([plain, ...inside.map((way) => way.cost)], ideal);
  const made = { scene: new Scene(width), cells: [] };
  const top = head(made.scene, unitName);
  const wide = shifts.length * m.WAY_WIDE;
  const grids = [...new Set(inside.map((way) => way.bits))].sort((a, b) => a - b);
  const most = Math.floor((width - m.WAY_LEFT + m.BETWEEN) / (wide + m.BETWEEN));
  const columns = Math.max(1, Math.min(grids.length, most));
  const tall = m.WAY_TOP + rows.length * m.WAY_TALL;
  const blanks = new Set();
  grids.forEach((bits, at) => {
    const x = m.WAY_LEFT + (at % columns) * (wide + m.BETWEEN);
    const y = top + Math.floor(at / columns) * (tall + m.BETWEEN_ROWS);
    heads(made.scene, { bits, rows, shifts, raise, x, y, first: at % columns === 0 });
    const mine = inside.filter((way) => way.bits === bits);
    mapCells(made, { mine, bits, rows, shifts, colors, x, y: y + m.WAY_TOP, blanks });
    const spot = made.cells.find(({ way }) => way === chosen && way.bits === bits);
    if (spot) made.scene.lines([frame(spot.x - 1, spot.y - 1, m.WAY_WIDE + 1, m.WAY_TALL + 1)], "ink", 2);
  });
  made.scene.height = top + Math.ceil(grids.length / columns) * (tall + m.BETWEEN_ROWS);
  mapKey(made.scene, keyOf({ cells: made.cells, plain, ideal, colors, blanks }));
  foot(made.scene, all ? null : folded.map((base) => base + raise));
  made.scene.width = Math.max(width, m.WAY_LEFT + wide);
  return made;
}

// The rows (M) where something is better than no swizzle, and the columns (S) that were tried there.
function usefulOf(ways, all) {
  const none = ways.find((way) => way.bits === 0);
  const plain = none && none.cost >= 0 ? none.cost : Infinity;
  const shown = ways.filter((way) => way.bits > 0 && (all || way.shift >= 0));
  const better = shown.filter((way) => way.cost >= 0 && way.cost < plain);
  const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);
  const rows = sorted((all ? shown : better).map((way) => way.base));
  const shifts = sorted(shown.filter((way) => rows.includes(way.base)).map((way) => way.shift));
  const folded = sorted(shown.map((way) => way.base).filter((base) => !rows.includes(base)));
  return { rows, shifts, folded, plain };
}

// The map's title and what its numbers are. Returns where the panels begin.
function head(scene, unitName) {
  scene.text(0, 8, "What each swizzle costs", { size: m.TITLE, bold: true });
  const lines = wrapped(`${COUNTED}; B, M and S count ${unitName}`, Math.floor(scene.width / 6));
  lines.forEach((text, line) => scene.text(0, 26 + line * 15, text, { fill: "quiet" }));
  return 26 + lines.length * 15;
}

const signed = (shift) => `${shift}`.replace("-", "−");

function heads(scene, { bits, rows, shifts, raise, x, y, first }) {
  scene.text(x, y + 8, `B = ${bits}`, { size: m.TITLE, bold: true });
  shifts.forEach((shift, at) => {
    const text = at ? signed(shift) : `S = ${signed(shift)}`;
    scene.text(x + (at + 0.5) * m.WAY_WIDE, y + 25, text, { fill: "quiet", at: "middle" });
  });
  if (!first) return;
  rows.forEach((base, at) => {
    const middle = y + m.WAY_TOP + (at + 0.5) * m.WAY_TALL;
    scene.text(x - 5, middle, `M = ${base + raise}`, { fill: "quiet", at: "right" });
  });
}

// Costs; what no swizzle can be is hatched, what would do nothing is empty.
function mapCells({ scene, cells }, { mine, bits, rows, shifts, colors, x, y, blanks }) {
  rows.forEach((base, line) => {
    shifts.forEach((shift, place) => {
      const [left, top] = [x + place * m.WAY_WIDE, y + line * m.WAY_TALL];
      const box = [left, top, m.WAY_WIDE - 1, m.WAY_TALL - 1];
      const way = mine.find((each) => each.base === base && each.shift === shift);
      if (way) {
        wayCell(scene, box, ...colors(way.cost), way.cost < 0 ? TIMES : `${way.cost}`);
        cells.push({ way, x: left, y: top });
        return;
      }
      blanks.add(Math.abs(shift) < bits);
      if (Math.abs(shift) < bits) scene.hatch([box]);
      else scene.rects("idle", [box]);
    });
  });
}

function wayCell(scene, [x, y, wide, tall], fill, ink, text) {
  scene.rects(fill, [[x, y, wide, tall]]);
  if (text) scene.text(x + wide / 2, y + tall / 2, text, { ...NUMBER, fill: ink });
}

// The colors of costs: the ideal has its own, the others are spread over the shades, each its own while they last.
function shadesOf(costs, ideal) {
  const worse = [...new Set(costs.filter((cost) => cost > ideal && cost < Infinity))].sort((a, b) => a - b);
  const [most, last] = [CONFLICT_COLORS.length, worse.length - 1];
  return (count) => {
    if (count < 0) return ["raised", "quiet"];
    if (count <= ideal) return IDEAL_COLORS;
    const at = worse.indexOf(count);
    if (last >= most) return CONFLICT_COLORS[Math.floor((at * most) / (last + 1))];
    return CONFLICT_COLORS[last ? Math.floor((at * (most - 1)) / last) : Math.floor(most / 2)];
  };
}

// --- The map's key -----------------------------------------------------------------------------

// What occurs in the map, each as [fill, ink, text in the cell, what it means]; fill null is hatched.
function keyOf({ cells, plain, ideal, colors, blanks }) {
  const entries = plain < Infinity ? [[...colors(plain), `${plain}`, "without a swizzle"]] : [];
  entries.push([...IDEAL_COLORS, `${ideal}`, "the ideal"]);
  const reasons = [...new Set(cells.filter(({ way }) => way.cost < 0).map(({ way }) => way.reason))];
  if (reasons.length) entries.push(["raised", "quiet", TIMES, `rejected: ${reasons.join(", ")}`]);
  if (blanks.has(true)) entries.push([null, "", "", "no swizzle: B bits need S of B or more"]);
  if (blanks.has(false)) entries.push(["idle", "", "", "no effect: its bits lie beyond the tile"]);
  return entries;
}

// The entries in lines as wide as the scene.
function mapKey(scene, entries) {
  let x = 0;
  for (const [fill, ink, text, meaning] of entries) {
    const wide = m.WAY_WIDE + 6 + 6.4 * meaning.length;
    if (x && x + wide > scene.width) {
      x = 0;
      scene.height += m.WAY_KEY;
    }
    const box = [x, scene.height, m.WAY_WIDE - 1, m.WAY_TALL - 1];
    if (fill === null) scene.hatch([box]);
    else wayCell(scene, box, fill, ink, text);
    scene.text(x + m.WAY_WIDE + 5, scene.height + (m.WAY_TALL - 1) / 2, meaning, { fill: "quiet" });
    x += wide + m.BETWEEN;
  }
  scene.height += m.WAY_KEY;
}

// What is left out, and the banks' colors.
function foot(scene, folded) {
  const useless = folded?.length ? `M = ${folded.join(", ")}, never better than no swizzle, and ` : "";
  const lines = folded ? wrapped(`left out: ${useless}S < 0`, Math.floor(scene.width / 6)) : [];
  for (const line of lines) {
    scene.text(0, scene.height + 8, line, { fill: "quiet" });
    scene.height += 15;
  }
  const legend = legendScene(scene.width);
  scene.put(legend, 0, scene.height + 4);
  scene.height += 4 + legend.height;
}
