// The ranking: the good ones with small pictures of their time, and the map of B, M and S; as Python's
// swizzle_ranking.py.

import { BANKS, CONFLICT_COLORS, IDEAL_COLORS, MEASURES as m } from "../generated.js";
import { plural, range } from "../model/checks.js";
import { NUMBER, Scene, frame } from "./scene.js";

// --- The good ones -----------------------------------------------------------------------------

// One way: {name, count, ideal, unit, grids: [[instruction, [busy banks of a wavefront as bits ...]] ...]}.
export function wayScene({ name, count, ideal, grids }, width) {
  const scene = new Scene(width);
  const [first, other] = name.split(" = ");
  scene.text(0, 8, first, { size: m.TITLE, bold: true });
  scene.text(0, 25, other ? `= ${other}` : "", { fill: "quiet" });
  const [mark, fill] = count === ideal ? ["✓", "good"] : ["▲", "bad"];
  scene.text(0, 42, `${mark} ${plural(count, "wavefront")}, ideal ${ideal}`, { fill, bold: true });
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

// Grids of M and S, one for each B, with the same rows and columns. `all` shows hopeless rows and S < 0, too. M is
// written `raise` larger. Returns {scene, cells: [{way, x, y}], folded}.
export function mapScene(ways, { ideal, chosen, raise, all }, width) {
  const { rows, shifts, folded } = usefulOf(ways, all);
  const fits = (way) => rows.includes(way.base) && shifts.includes(way.shift);
  const widths = [...new Set(ways.filter((way) => way.bits && fits(way)).map((way) => way.bits))].sort((a, b) => a - b);
  const wide = shifts.length * m.WAY_WIDE;
  const columns = Math.max(
    1,
    Math.min(widths.length, Math.floor((width - m.WAY_LEFT + m.BETWEEN) / (wide + m.BETWEEN))),
  );
  const tall = m.WAY_TOP + rows.length * m.WAY_TALL;
  const made = { scene: new Scene(width), cells: [], folded };
  widths.forEach((bits, at) => {
    const x = m.WAY_LEFT + (at % columns) * (wide + m.BETWEEN);
    const y = Math.floor(at / columns) * (tall + m.BETWEEN_ROWS);
    heads(made.scene, { bits, rows, shifts, raise, x, y, first: at % columns === 0 });
    for (const way of ways.filter((each) => each.bits === bits && fits(each))) {
      const place = {
        way,
        x: x + shifts.indexOf(way.shift) * m.WAY_WIDE,
        y: y + m.WAY_TOP + rows.indexOf(way.base) * m.WAY_TALL,
      };
      wayCell(made.scene, place, ideal, way === chosen);
      made.cells.push(place);
    }
  });
  made.scene.height = Math.ceil(widths.length / columns) * (tall + m.BETWEEN_ROWS) + 4;
  made.scene.width = Math.max(width, m.WAY_LEFT + wide);
  return made;
}

// The rows (M) where something is better than no swizzle, and the columns (S) that were tried there.
function usefulOf(ways, all) {
  const plain = ways.find((way) => way.bits === 0)?.wavefronts ?? Infinity;
  const shown = ways.filter((way) => way.bits > 0 && (all || way.shift >= 0));
  const better = shown.filter((way) => way.wavefronts >= 0 && way.wavefronts < plain);
  const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);
  const rows = sorted((all ? shown : better).map((way) => way.base));
  const shifts = sorted(shown.filter((way) => rows.includes(way.base)).map((way) => way.shift));
  const folded = sorted(shown.map((way) => way.base).filter((base) => !rows.includes(base)));
  return { rows, shifts, folded };
}

function heads(scene, { bits, rows, shifts, raise, x, y, first }) {
  scene.text(x, y + 8, `B = ${bits}`, { size: m.TITLE, bold: true });
  shifts.forEach((shift, at) => {
    const text = `${shift}`.replace("-", "−");
    scene.text(x + (at + 0.5) * m.WAY_WIDE, y + 25, at ? text : `S ${text}`, { fill: "quiet", at: "middle" });
  });
  if (!first) return;
  rows.forEach((base, at) => {
    const middle = y + m.WAY_TOP + (at + 0.5) * m.WAY_TALL;
    scene.text(x - 5, middle, `M ${base + raise}`, { fill: "quiet", at: "right" });
  });
}

function wayCell(scene, { way, x, y }, ideal, chosen) {
  const [fill, ink] = wayColors(way.wavefronts, ideal);
  scene.rects(fill, [[x, y, m.WAY_WIDE - 1, m.WAY_TALL - 1]]);
  const text = way.wavefronts < 0 ? "\u00d7" : `${way.wavefronts}`;
  scene.text(x + (m.WAY_WIDE - 1) / 2, y + (m.WAY_TALL - 1) / 2, text, { ...NUMBER, fill: ink });
  if (chosen) scene.lines([frame(x - 1, y - 1, m.WAY_WIDE + 1, m.WAY_TALL + 1)], "ink", 2);
}

function wayColors(count, ideal) {
  if (count < 0) return ["raised", "quiet"];
  if (count <= ideal) return IDEAL_COLORS;
  return CONFLICT_COLORS[Math.min(CONFLICT_COLORS.length - 1, Math.floor(2 * Math.log2(count / ideal)))];
}
