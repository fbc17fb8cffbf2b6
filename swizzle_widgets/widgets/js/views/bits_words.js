// The bits in words, and the table of what a swizzle says in bytes and in elements.

import { h, write } from "../dom.js";
import { BANKS, WORD_BYTES } from "../generated.js";
import { plural } from "../model/checks.js";
import { bitOf } from "./bits.js";

const hex = (value) => `0x${value.toString(16)}`;
const span = (low, count) => (count === 1 ? `bit ${low}` : `bits ${low}-${low + count - 1}`);

// What a screen reader hears.
export function bitsSentence({ tile, addresses, place, source, target, wanted, unit }) {
  const count = wanted.bits;
  const verb = count === 1 ? "flips" : "flip";
  const moved = count
    ? `${span(source - unit, count)} (source) ${verb} ${span(target - unit, count)} (target)`
    : "no bit flips another";
  const where = place ? `row ${place[0]}, column ${place[1]}` : "no element of this tile";
  const [before, after] = addresses.map((bits) => {
    const byte = Math.floor(bits / 8);
    return `${byte}${bits % 8 ? ` bit ${bits % 8}` : ""} (bank ${Math.floor(byte / WORD_BYTES) % BANKS})`;
  });
  return `${tile.swizzleName}: ${moved}. ${where}: byte ${before} goes to ${after}.`;
}

// What a swizzle does with a bit: "source", "target", "kept" or "".
export function bitRole({ source, target, wanted, unit }, bit) {
  const within = (low) => bit >= low && bit < low + wanted.bits;
  if (within(source)) return "source";
  if (within(target)) return "target";
  return wanted.bits && bit < wanted.base + unit ? "kept" : "";
}

// What is said of the bit under the pointer.
export function bitSentence(bits, bit) {
  const { source, target, unit, inputs, broken } = bits;
  const role = broken ? "" : bitRole(bits, bit);
  const value = (at) => bitOf(inputs[0], at);
  const name = `bit ${bit - unit}`;
  const flips = (at) => (value(at) ? "flips" : "leaves");
  if (role === "source") return `${name} is ${value(bit)}: it ${flips(bit)} bit ${bit - source + target - unit}`;
  if (role !== "target") return `${name} is ${value(bit)}${role ? ", and is kept" : ""}`;
  const from = bit - target + source;
  return `${name} is ${value(bit)}: bit ${from - unit} is ${value(from)} and ${flips(from)} it`;
}

// The rows of the table: what a swizzle says in one unit.
const FACTS = [
  ["B, M, S", ({ bits, base, shift }) => `${bits}, ${base}, ${shift}`],
  ["source YYY", (swizzle) => span(swizzle.sourceBase, swizzle.bits)],
  ["target ZZZ", (swizzle) => span(swizzle.targetBase, swizzle.bits)],
  ["source mask", (swizzle) => hex((2 ** swizzle.bits - 1) * 2 ** swizzle.sourceBase)],
  ["target mask", (swizzle) => hex((2 ** swizzle.bits - 1) * 2 ** swizzle.targetBase)],
  ["granule", (swizzle) => 2 ** swizzle.base],
  ["period", (swizzle) => swizzle.period],
];

// Returns {element, draw(tile)}. `swizzleIn(tile, unit)` counts the swizzle in a unit, or is null.
export function bitsTable(swizzleIn) {
  const heads = ["byte", "element"].map((unit) => ({ unit, cell: h("th", { scope: "col" }) }));
  const rows = FACTS.map(([name, fact]) => ({ name, fact, cells: heads.map(() => h("td", {})) }));
  const body = rows.map(({ name, cells }) => h("tr", {}, h("th", { scope: "row" }, name), ...cells));
  const note = h("p", { class: "swz-note" });
  const head = h("thead", {}, h("tr", {}, h("td", {}), ...heads.map(({ cell }) => cell)));
  const element = h("div", {}, h("table", { class: "swz-facts" }, head, h("tbody", {}, ...body)), note);

  function draw(tile) {
    heads.forEach(({ unit, cell }, column) => {
      const swizzle = tile.swizzle.bits ? swizzleIn(tile, unit) : null;
      write(cell, unit === "byte" ? "in bytes" : `in ${tile.dtype} elements`);
      for (const part of [cell, ...rows.map(({ cells }) => cells[column])]) {
        part.hidden = unit === "element" && tile.elementBits === 8;
        part.classList.toggle("swz-bit-counted", unit === tile.unit);
      }
      for (const { fact, cells } of rows) write(cells[column], swizzle ? fact(swizzle) : "-");
    });
    write(note, tile.swizzle.bits ? periodText(tile) : "");
  }

  return { element, draw };
}

// "Period: 8 rows of this tile.", where rows (columns) lie a fixed distance apart.
function periodText(tile) {
  const [line, count] = tile.order === "row" ? ["row", tile.rows] : ["column", tile.cols];
  if (!tile.order || count === 1) return "";
  const start = (index) => tile.elementBits * (tile.order === "row" ? tile.offset(index, 0) : tile.offset(0, index));
  const pitch = start(1) - start(0);
  const starts = Array.from({ length: count }, (_, index) => start(index));
  if (!(pitch > 0) || starts.some((at, index) => at !== index * pitch)) return "";
  const lines = (tile.swizzle.period * tile.unitBits) / pitch;
  if (Number.isInteger(1 / lines)) return `Each ${line} of this tile holds ${plural(1 / lines, "period")}.`;
  if (!Number.isInteger(lines)) return `The ${line}s are ${pitch / 8} bytes apart, which does not divide the period.`;
  return `Period: ${lines} ${line}s${lines > count ? `, and this tile has ${count}` : " of this tile"}.`;
}
