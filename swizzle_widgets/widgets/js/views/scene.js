// A picture as a list of rectangles, hatches, lines, badges and texts: the same items as Python's figures/scene.py
// makes from the same numbers. Everything is counted in pixels, y downwards; fills are names ("bank.3", "quiet").

import { MEASURES as m } from "../generated.js";
import { plural } from "../model/checks.js";

export const TIMES = "\u00d7";

export class Scene {
  constructor(width, height = 0) {
    Object.assign(this, { width, height, items: [] });
  }

  rects(fill, rects) {
    if (rects.length) this.items.push({ kind: "rects", fill, rects });
  }

  hatch(rects) {
    if (rects.length) this.items.push({ kind: "hatch", rects });
  }

  lines(lines, fill = "ink", width = 1, dash = false) {
    if (lines.length) this.items.push({ kind: "lines", lines, fill, width, dash });
  }

  text(x, y, text, { size = m.TEXT, fill = "ink", at = "left", bold = false, narrow = false } = {}) {
    this.items.push({ kind: "text", x, y, text, size, fill, at, bold, narrow });
  }

  badge(x, y, text) {
    this.items.push({ kind: "badge", x, y, text });
  }

  // Adds another scene's items, moved to (x, y).
  put(other, x, y) {
    for (const item of other.items) this.items.push(moved(item, x, y));
  }
}

function moved(item, x, y) {
  if (item.rects) return { ...item, rects: item.rects.map(([a, b, w, h]) => [a + x, b + y, w, h]) };
  if (item.lines) return { ...item, lines: item.lines.map((line) => line.map(([a, b]) => [a + x, b + y])) };
  return { ...item, x: item.x + x, y: item.y + y };
}

// The outline of a rectangle.
export const frame = (x, y, width, height) => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
  [x, y],
];

export const NUMBER = { at: "middle", narrow: true };

// How wide a number is that stands in a cell.
export const textWidth = (text, size = m.TEXT) => m.DIGIT * size * text.length;

// What samples mean, in as many lines as the width asks for. An entry is [fill, number in the sample, meaning]; the
// fill is "bank.4", "hatch", "badge", or "" for no sample.
export function keyScene(entries, width) {
  const scene = new Scene(width, entries.length ? m.KEY_LINE : 0);
  let x = 0;
  for (const [fill, number, meaning] of entries) {
    const left = fill ? m.KEY_CELL : 0;
    const wide = left + m.LETTER * meaning.length;
    if (x && x + wide > width) {
      x = 0;
      scene.height += m.KEY_LINE;
    }
    const y = scene.height - m.KEY_LINE / 2;
    sample(scene, x, y, fill, number);
    scene.text(x + left, y, meaning, { fill: "quiet" });
    x += wide + m.KEY_GAP;
  }
  return scene;
}

function sample(scene, x, y, fill, number) {
  const box = [x, y - 6.5, m.KEY_CELL - 5, 13];
  if (fill === "badge") scene.badge(x + m.KEY_CELL / 2, y, number);
  else if (fill === "hatch") scene.hatch([box]);
  else if (fill) {
    scene.rects(fill, [box]);
    const ink = fill.startsWith("bank") ? fill.replace("bank", "ink") : "on-tint";
    if (number) scene.text(x + (m.KEY_CELL - 5) / 2, y, number, { ...NUMBER, fill: ink });
  }
}

// "lanes 0-7", or how many they are where that is longer than `most` letters.
export function lanesShort(lanes, most) {
  const text = `${plural(lanes.length, "lane").split(" ")[1]} ${laneRuns(lanes)}`;
  return text.length <= most ? text : plural(lanes.length, "lane");
}

// What fits a box: the lanes, or how many they are, or nothing.
export function lanesText(lanes, width, height) {
  if (height <= m.TEXT) return "";
  return [laneRuns(lanes), `${TIMES}${lanes.length}`].find((text) => textWidth(text) <= width) ?? "";
}

// Lanes with runs drawn together: "0-3,8".
export function laneRuns(lanes, separator = ",") {
  const runs = [];
  for (const lane of lanes) {
    const run = runs.at(-1);
    if (run && run[1] + 1 === lane) run[1] = lane;
    else runs.push([lane, lane]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(separator);
}

// What an access costs: the fill, the count and the rest of the sentence.
export function verdict(access) {
  if (access.refusal) return ["bad", "✕ no instruction", access.refusal];
  const { cost, least, excess, unit } = access.report();
  const ideal = unit === "line" ? "at least" : "ideal";
  return [excess ? "bad" : "good", `${excess ? "▲" : "✓"} ${plural(cost, unit)}`, `${ideal} ${least}`];
}

// Text in lines of at most so many letters, as Python's textwrap breaks it.
export function wrapped(text, most) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    if (lines.length && `${lines.at(-1)} ${word}`.length <= most) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
