// The bits of one address before and after the swizzle, with the wires between them; as Python's bit_diagram.py.

import { BANKS, LINE_BYTES, MEASURES as m, WORD_BYTES } from "../generated.js";
import { Scene, frame } from "./scene.js";

// Bits are numbered as in a bit address: bit 3 is byte bit 0.
const BYTE = 3;
const WORD = BYTE + Math.log2(WORD_BYTES);
const LINE = WORD + Math.log2(BANKS);

export const bitOf = (value, bit) => Math.floor(value / 2 ** bit) % 2;
const fieldOf = (value, low, high) => Math.floor(value / 2 ** low) % 2 ** (high - low);
const length = (value) => value.toString(2).length * (value > 0);
const hex = (value, unit) => `0x${Math.floor(value / 2 ** unit).toString(16)}`;

// What the picture shows, in bits of a bit address. `asked` is {bits, base, shift} that the sliders ask for and that
// is no swizzle; it counts `unitBits`.
export function bitsOf(tile, offset, asked = null, unitBits = 8) {
  const wanted = asked ?? tile.swizzle ?? { bits: 0, base: 0, shift: 0 };
  const plain = tile.with(null);
  const unit = asked ? Math.log2(unitBits) : tile.swizzle?.bits ? tile.up : BYTE;
  const element = Math.log2(tile.elementBits);
  const added = tile.anchor === "offset" ? tile.baseAddress : 0;
  const addresses = [plain, tile].map((each) => each.bitAddress(offset));
  const [source, target] = [Math.max(wanted.shift, 0), Math.max(-wanted.shift, 0)].map((up) => wanted.base + up + unit);
  const last = plain.bitAddress(tile.table.offsets.reduce((a, b) => Math.max(a, b), 0));
  const ends = wanted.bits ? [source + wanted.bits, target + wanted.bits] : [];
  const top = Math.max(m.LEAST_BITS + BYTE, length(last), ...addresses.map(length), ...ends);
  return {
    tile,
    offset,
    wanted,
    unit,
    element,
    added,
    addresses,
    source,
    target,
    top,
    inputs: addresses.map((address) => address - 8 * added),
    low: Math.min(unit, element),
    place: tile.table.cells.get(offset) ?? null,
    broken: asked !== null,
    unitName: asked && unitBits !== 8 ? `${tile.dtype} elements` : (tile.swizzle?.bits && tile.unitName) || "bytes",
  };
}

// The bits (low, count) that the row (0) or column (1) index makes; none unless all are powers of two.
export function modeBits({ tile, element }, mode) {
  const parts = ([tile.geometry.rowMode, tile.geometry.colMode][mode] ?? []).filter(([extent]) => extent > 1);
  if (parts.flat().some((value) => !Number.isInteger(Math.log2(value)))) return [];
  const spans = parts.map(([extent, stride]) => [Math.log2(stride) + element, Math.log2(extent)]);
  const joined = [];
  for (const [low, count] of spans.sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && last[0] + last[1] === low) last[1] += count;
    else joined.push([low, count]);
  }
  return joined;
}

// Where each bit stands: the highest on the left, gaps where elements and words begin.
function columnsOf({ low, top, element }, width) {
  const room = Math.floor((width - m.BIT_LEFT - 3 * m.BIT_GAP) / (top - low));
  const wide = Math.max(m.BIT_NARROW, Math.min(m.BIT_WIDE, room));
  const points = [...new Set([WORD, Math.max(element, low)])].filter((point) => low < point);
  const left = (bit) => m.BIT_LEFT + (top - 1 - bit) * wide + m.BIT_GAP * points.filter((point) => bit < point).length;
  return {
    wide,
    left,
    middle: (bit) => left(bit) + wide / 2,
    span(from, count) {
      const x = left(from + count - 1);
      return [x, left(from) + wide - x];
    },
  };
}

// Returns {scene, columns, before}: the picture, and where the bits of the upper row stand.
export function bitsScene(bits, width) {
  const { scene: rows, columns, before } = rowsScene(bits, width);
  const scene = new Scene(width, rows.height);
  scene.put(rows, 0, 0);
  const right = columns.left(bits.low) + columns.wide + m.BETWEEN;
  if (width - right >= m.BIT_VALUES) scene.put(valuesScene(bits, width - right), right, 0);
  else {
    const values = valuesScene(bits, width - m.BIT_LEFT);
    scene.put(values, m.BIT_LEFT, scene.height);
    scene.height += values.height;
  }
  return { scene, columns, before };
}

// The two rows of bits with all that belongs to them: {scene, columns, before}.
export function rowsScene(bits, width) {
  const columns = columnsOf(bits, width);
  const before = m.BIT_FIELDS + m.BIT_RULER + m.BIT_NAMES;
  const after = before + m.BIT_TALL + m.BIT_WIRES;
  const scene = new Scene(width, after + m.BIT_TALL + m.BIT_FOOT);
  layoutFields(scene, bits, columns);
  ruler(scene, bits, columns);
  if (!bits.broken) {
    names(scene, bits, columns, before - m.BIT_NAMES);
    wires(scene, bits, columns, before + m.BIT_TALL, after);
  }
  row(scene, bits, columns, before, 0);
  row(scene, bits, columns, after, 1);
  if (bits.broken) collision(scene, bits, columns, before);
  else {
    fields(scene, bits, columns, before, after);
    hardwareFields(scene, bits, columns, after + m.BIT_TALL);
  }
  return { scene, columns, before };
}

// The bits that row and column make, with their values.
function layoutFields(scene, bits, columns) {
  ["row", "column"].forEach((name, index) => {
    const spans = modeBits(bits, index);
    for (const [low, count] of spans) {
      const [x, width] = columns.span(low, count);
      scene.rects("line", [[x + 1, m.BIT_FIELDS - 3, width - 2, 2]]);
      const text = spans.length === 1 && bits.place ? `${name} ${bits.place[index]}` : name;
      const shown = width >= 7 * text.length ? text : name.slice(0, 3);
      scene.text(x + width / 2, 6, shown, { fill: "soft", at: "middle" });
    }
  });
}

const counted = ({ low, unit, top }) =>
  Array.from({ length: top - Math.max(low, unit) }, (_, at) => Math.max(low, unit) + at);

function ruler(scene, bits, columns) {
  const y = m.BIT_FIELDS + 6;
  scene.text(0, y, "bit", { fill: "quiet" });
  for (const bit of counted(bits)) {
    scene.text(columns.middle(bit), y, `${bit - bits.unit}`, { fill: "quiet", at: "middle", narrow: true });
  }
}

// A row of bits; those that the swizzle changed are dark, those inside an element pale.
function row(scene, bits, columns, y, side) {
  const { inputs, low, top, element, broken } = bits;
  scene.text(0, y + m.BIT_TALL / 2, ["before", "after"][side], { fill: "quiet" });
  const edges = [];
  for (let bit = low; bit < top; bit++) {
    const x = columns.left(bit) + 1;
    const dark = side === 1 && !broken && bitOf(inputs[0], bit) !== bitOf(inputs[1], bit);
    const inside = bit < element;
    if (dark || inside) scene.rects(dark ? "ink" : "idle", [[x, y, columns.wide - 2, m.BIT_TALL]]);
    edges.push(frame(x + 0.5, y + 0.5, columns.wide - 3, m.BIT_TALL - 1));
    if (side === 1 && broken) continue;
    const fill = dark ? "paper" : inside ? "quiet" : "ink";
    const style = { size: m.BIT_TEXT, fill, at: "middle", bold: dark };
    scene.text(columns.middle(bit), y + m.BIT_TALL / 2, `${bitOf(inputs[side], bit)}`, style);
  }
  scene.lines(edges, "line");
}

// From each source bit to its target; straight down, what stays. One that is set flips its target.
function wires(scene, bits, columns, top, bottom) {
  const { source, target, unit, low, inputs } = bits;
  const count = bits.wanted.bits;
  const kept = count ? bits.wanted.base + unit : low;
  const stay = counted({ ...bits, low: kept, unit: kept }).filter((bit) => bit < target || bit >= target + count);
  scene.lines(
    stay.map((bit) => [
      [columns.middle(bit), top + 1],
      [columns.middle(bit), bottom - 1],
    ]),
    "line",
  );
  for (let index = 0; index < count; index++) {
    // The farthest pair lies lowest, so that no wire crosses another one's way down.
    const level = source > target ? index : count - 1 - index;
    const y = top + 7 + ((m.BIT_WIRES - 18) * (level + 0.5)) / count;
    const [x, goal] = [columns.middle(source + index), columns.middle(target + index)];
    const on = bitOf(inputs[0], source + index) === 1;
    const fill = on ? "source" : "quiet";
    scene.lines(
      [
        [
          [goal, top + 1],
          [goal, bottom - 1],
        ],
      ],
      "target",
      1.2,
    );
    scene.lines(
      [
        [
          [x, top + 1],
          [x, y],
          [goal, y],
          [goal, bottom - 8],
        ],
      ],
      fill,
      on ? 2 : 1,
      !on,
    );
    scene.text(goal, bottom - 6, "⊕", { size: m.TITLE, fill, at: "middle", bold: on });
  }
}

// B above the bits that are read, S above those that are flipped, M above exactly those that are kept.
function names(scene, { wanted, unit, low, source, target }, columns, y) {
  const { bits, base, shift } = wanted;
  if (!bits) return;
  const way = shift > 0 ? "lower" : "higher";
  const read = [`B = ${bits} bits read`, `B = ${bits} read`, `B = ${bits}`, "B"];
  nameOf(scene, columns.span(source, bits), y, read, "source");
  nameOf(scene, columns.span(target, bits), y, [`S = ${shift} ${way}`, `S = ${shift}`, "S"], "target");
  const first = Math.max(low, unit);
  if (base + unit <= first) return;
  const [x, width] = columns.span(first, base + unit - first);
  scene.rects("raised", [[x + 1, y, width - 2, m.BIT_NAMES - 1]]);
  nameOf(scene, [x, width], y, [`M = ${base} kept`, `M = ${base}`, "M"], "quiet");
}

// The longest of the texts that fits.
function nameOf(scene, [x, width], y, texts, fill) {
  const text = texts.find((each) => 6.5 * each.length <= width) ?? texts.at(-1);
  scene.text(x + width / 2, y + 7, text, { fill, at: "middle", bold: fill !== "quiet" });
}

// Frames around the bits that are read (source) and those that are changed (target).
function fields(scene, bits, columns, before, after) {
  const count = bits.wanted.bits;
  if (!count) return;
  for (const [low, y, fill] of [
    [bits.source, before, "source"],
    [bits.target, before, "target"],
    [bits.target, after, "target"],
  ]) {
    const [x, width] = columns.span(low, count);
    scene.lines([frame(x, y - 1, width, m.BIT_TALL + 2)], fill, 2);
  }
}

// The fields that were asked for; where they lie on the same bits, those are named.
function collision(scene, bits, columns, before) {
  const { source, target, wanted, unit } = bits;
  const [first, end] = [Math.max(source, target), Math.min(source, target) + wanted.bits];
  for (const [low, fill, y] of [
    [source, "source", before - 2],
    [target, "target", before + 2],
  ]) {
    const [left, wide] = columns.span(low, wanted.bits);
    scene.lines([frame(left, y, wide, m.BIT_TALL)], fill, 2);
  }
  if (end <= first) return;
  const [x, width] = columns.span(first, end - first);
  scene.hatch([[x + 1, before + m.BIT_TALL + 3, width - 2, m.BIT_WIRES - 6]]);
  const name = end - first === 1 ? `bit ${first - unit}` : `bits ${first - unit} to ${end - 1 - unit}`;
  scene.text(x + width / 2, before + m.BIT_TALL + m.BIT_WIRES / 2, name, { fill: "bad", at: "middle", bold: true });
}

// What the hardware reads from the address after the swizzle; not where a base comes to it and moves the banks.
function hardwareFields(scene, bits, columns, y) {
  if (bits.added % LINE_BYTES) return;
  for (const [name, low, high] of [
    ["line", LINE, bits.top],
    ["bank", WORD, LINE],
    ["in word", bits.low, WORD],
  ]) {
    if (high <= low) continue;
    const [x, width] = columns.span(low, high - low);
    const value = fieldOf(bits.inputs[1], low, high);
    const bank = name === "bank";
    scene.rects(bank ? `bank.${value}` : "line", [[x + 1, y + 3, width - 2, bank ? m.BIT_FOOT - 3 : 2]]);
    const text = name === "in word" ? name : `${name} ${value}`;
    const style = { fill: bank ? `ink.${value}` : "soft", at: "middle", bold: bank };
    if (width >= 6 * text.length) scene.text(x + width / 2, y + 10, text, style);
  }
}

// The element, its address before and after in the picture's unit, its bank, and the key of the wires.
export function valuesScene(bits, width) {
  const { tile, place, inputs, unit, unitName, added, broken, wanted } = bits;
  const beside = width >= m.BIT_VALUES + m.BIT_KEY_WIDE;
  const scene = new Scene(width, beside ? m.BIT_VALUES_LOW : m.BIT_VALUES_TALL);
  const element = place ? `row ${place[0]}, column ${place[1]}` : `offset ${bits.offset}, no element`;
  scene.text(0, 8, element, { size: m.TITLE, bold: true });
  if (broken) {
    scene.text(0, 27, `${hex(inputs[0], unit)}, in ${unitName}`, { size: m.TITLE });
    const collide = Math.abs(wanted.shift) < wanted.bits;
    const text = collide ? `B = ${wanted.bits} does not fit S = ${wanted.shift}: the fields collide` : "no swizzle";
    scene.text(0, 47, text, { size: m.TITLE, fill: "bad", bold: true });
    return scene;
  }
  scene.text(0, 27, `${hex(inputs[0], unit)} → ${hex(inputs[1], unit)}, in ${unitName}`, { size: m.TITLE });
  if (added) scene.text(0, 43, `and the base, byte 0x${added.toString(16)}, comes to it`, { fill: "quiet" });
  const top = added ? 50 : 38;
  bits.addresses.forEach((address, at) => {
    const bank = fieldOf(address, WORD, LINE);
    scene.rects(`bank.${bank}`, [[86 * at, top, 62, 20]]);
    const style = { size: m.TITLE, fill: `ink.${bank}`, at: "middle", bold: true };
    scene.text(86 * at + 31, top + 10, `bank ${bank}`, style);
  });
  scene.text(74, top + 10, "→", { size: m.TITLE, fill: "quiet", at: "middle" });
  scene.text(0, top + 30, tile.swizzleName, { fill: "quiet" });
  if (wanted.bits) key(scene, ...(beside ? [m.BIT_VALUES, 8] : [0, top + 46]));
  return scene;
}

// What wires and dark bits mean.
function key(scene, x, y) {
  const line = (at) => [
    [
      [x, y + at * m.BIT_KEY],
      [x + 18, y + at * m.BIT_KEY],
    ],
  ];
  scene.lines(line(0), "source", 2);
  scene.lines(line(1), "quiet", 1, true);
  scene.rects("ink", [[x + 3, y + 2 * m.BIT_KEY - 5, 11, 11]]);
  ["a 1: flips the bit below", "a 0: flips nothing", "a bit that was flipped"].forEach((text, at) => {
    scene.text(x + 26, y + at * m.BIT_KEY, text, { fill: "quiet" });
  });
}
