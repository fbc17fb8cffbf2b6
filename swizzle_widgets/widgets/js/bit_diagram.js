// BitDiagram: the bits of one address before and after the swizzle, and what the hardware reads from them.

import { mount } from "./card.js";
import { swizzleControls, swizzleIn } from "./controls.js";
import { freshId, h, put, s, write } from "./dom.js";
import { BANKS, BANK_COLORS, BANK_INKS, OFFSET_BITS, WORD_BYTES } from "./generated.js";
import { ModelError, plural, whole } from "./model/checks.js";
import { liveRegion } from "./reading.js";
import { SWIZZLE_TRAITS, readTile, save } from "./state.js";

// Bits are numbered as in a bit address: bit 3 is byte bit 0.
const BYTE_POINT = 3;
const WORD_POINT = BYTE_POINT + Math.log2(WORD_BYTES);
const LINE_POINT = WORD_POINT + Math.log2(BANKS);
const LEAST_BYTE_BITS = 12;

const BIT_WIDTH = 26;
const BIT_GUTTER = 48;
const BIT_GAP = 8;
const BIT_HEIGHT = 28;
const FIELD_HEIGHT = 17;
const XOR_HEIGHT = 80;

const bitOf = (value, bit) => Math.floor(value / 2 ** bit) % 2;
const fieldOf = (value, { low, count }) => Math.floor(value / 2 ** low) % 2 ** count;
const inField = (bit, { low, count }) => bit >= low && bit < low + count;
const binary = (value, field) => fieldOf(value, field).toString(2).padStart(field.count, "0");
const bankAt = (address) => fieldOf(address, { low: WORD_POINT, count: LINE_POINT - WORD_POINT });
const hex = (value) => `0x${value.toString(16)}`;

// "bits 7-9", counted from `point`; below the byte point numbers are negative and need a word.
function bitNames({ low, count }, point) {
  if (count === 1) return `bit ${low - point}`;
  return `bits ${low - point}${low < point ? " to " : "-"}${low + count - 1 - point}`;
}

// "640", or "640 bit 4" for an element that does not begin a byte.
function byteText(bits, write = String) {
  const rest = bits % 8;
  return write(Math.floor(bits / 8)) + (rest ? ` bit ${rest}` : "");
}

// All that is shown: addresses, fields and their places, in bits.
function readBits(tile, offset) {
  const { swizzle, up } = tile;
  const addresses = [tile.with(null), tile].map((variant) => variant.bitAddress(offset));
  // What comes to the address behind the swizzle.
  const added = tile.anchor === "offset" ? 8 * tile.baseAddress : 0;
  return {
    tile,
    addresses,
    added,
    inputs: addresses.map((address) => address - added),
    source: { low: swizzle.sourceBase + up, count: swizzle.bits },
    target: { low: swizzle.targetBase + up, count: swizzle.bits },
    kept: swizzle.base + up,
    element: Math.log2(tile.elementBits),
    place: tile.table.cells.get(offset),
  };
}

// The bits to draw: the whole tile, both fields, and the address itself.
function columnRange({ tile, addresses, source, target, element }) {
  const end = [...tile.table.cells.keys()].reduce((most, offset) => Math.max(most, offset), 0);
  const last = Math.max(tile.with(null).bitAddress(end), ...addresses);
  const fields = tile.swizzle.bits ? [source, target].map(({ low, count }) => low + count) : [];
  const top = Math.max(LEAST_BYTE_BITS + BYTE_POINT, last.toString(2).length, ...fields);
  return { lowest: Math.min(BYTE_POINT, element), top };
}

// --- The picture -------------------------------------------------------------------------------

function gridOf({ lowest, top }) {
  const bits = Array.from({ length: top - lowest }, (_, index) => top - 1 - index);
  const left = (bit) => BIT_GUTTER + (top - 1 - bit) * BIT_WIDTH + (bit < BYTE_POINT ? BIT_GAP : 0);
  return {
    bits,
    left,
    middle: (bit) => left(bit) + BIT_WIDTH / 2,
    span: (low, high) => ({ x: left(high - 1), width: left(low) + BIT_WIDTH - left(high - 1) }),
    width: left(lowest) + BIT_WIDTH + 4,
  };
}

const bitLabel = (y, text, attributes = {}) => s("text", { x: 0, y, class: "swz-bit-label", ...attributes }, text);

// Bit numbers counted from `point`; bits below it are parts of the unit and have no number.
function bitRuler(grid, y, name, point, lowest) {
  const numbers = grid.bits
    .filter((bit) => bit >= lowest)
    .map((bit) => s("text", { x: grid.middle(bit), y, class: "swz-bit-mid" }, `${bit - point}`.replace("-", "−")));
  const caption = bitLabel(y, name);
  const element = s("g", { class: "swz-bit-ruler" }, caption, ...numbers);

  function draw(counted) {
    element.classList.toggle("swz-bit-counted", counted);
    write(caption, counted ? `▸ ${name}` : name);
  }

  return { element, draw };
}

// The hardware's fields of an address, with their values.
function hardwareBars(grid, y, { lowest, top }) {
  const bars = [
    { word: "line", low: LINE_POINT, high: top },
    { word: "bank", low: WORD_POINT, high: LINE_POINT },
    { word: "byte", low: BYTE_POINT, high: WORD_POINT },
    { word: "bit", low: lowest, high: BYTE_POINT },
  ]
    .filter(({ low, high }) => high > low)
    .map(({ word, low, high }) => {
      const { x, width } = grid.span(low, high);
      const rect = s("rect", { x: x + 1, y, width: width - 2, height: FIELD_HEIGHT, rx: 3, class: "swz-bit-bar" });
      const text = s("text", { x: x + width / 2, y: y + FIELD_HEIGHT / 2, class: "swz-bit-mid" });
      return { word, field: { low, count: high - low }, rect, text };
    });

  function draw(address) {
    for (const { word, field, rect, text } of bars) {
      const value = fieldOf(address, field) * (word === "bit" ? 2 ** field.low : 1);
      write(text, `${word} ${value}`);
      if (word !== "bank") continue;
      rect.style.fill = BANK_COLORS[value];
      text.style.fill = BANK_INKS[value];
    }
  }

  return { element: s("g", {}, ...bars.flatMap(({ rect, text }) => [rect, text])), draw };
}

function hardwareNames(grid, y, { top }) {
  const middleOf = (low, high) => {
    const { x, width } = grid.span(low, high);
    return x + width / 2;
  };
  return s(
    "g",
    { class: "swz-bit-label" },
    s("text", { x: middleOf(LINE_POINT, top), y, class: "swz-bit-mid" }, "128-byte line"),
    s("text", { x: middleOf(WORD_POINT, LINE_POINT), y, class: "swz-bit-mid" }, "bank"),
    s("text", { x: grid.left(BYTE_POINT) + BIT_WIDTH, y, class: "swz-bit-end" }, "byte in word"),
  );
}

// A row of bits; `differs(bit)` marks those that the swizzle changed.
function bitRow(grid, y, name) {
  const cells = grid.bits.map((bit) => {
    const rect = s("rect", { x: grid.left(bit) + 1, y, width: BIT_WIDTH - 2, height: BIT_HEIGHT, rx: 3, class: "swz-bit-cell" });
    const text = s("text", { x: grid.middle(bit), y: y + BIT_HEIGHT / 2, class: "swz-bit-mid" });
    return { bit, text, element: s("g", {}, rect, text) };
  });
  const element = s("g", { class: "swz-bit-row" }, bitLabel(y + BIT_HEIGHT / 2, name), ...cells.map((cell) => cell.element));

  function draw(value, element, differs = () => false) {
    for (const cell of cells) {
      write(cell.text, bitOf(value, cell.bit));
      cell.element.classList.toggle("swz-bit-inside", cell.bit < element);
      cell.element.classList.toggle("swz-bit-changed", differs(cell.bit));
    }
  }

  return { element, draw };
}

// Between the rows: what goes straight down, and each source bit's way to its target bit.
function xorBand(grid, y) {
  const bottom = y + XOR_HEIGHT;
  const plusY = bottom - 17;
  const wires = grid.bits.map((bit) => {
    const x = grid.middle(bit);
    const straight = s("line", { x1: x, x2: x, y1: y, y2: bottom, class: "swz-bit-straight" });
    const path = s("path", { class: "swz-bit-wire" });
    const plus = s("path", { d: `M${x - 4} ${plusY}h8M${x} ${plusY - 4}v8` });
    const sum = s("g", { class: "swz-bit-sum" }, s("circle", { cx: x, cy: plusY, r: 7 }), plus);
    return { bit, x, straight, path, sum };
  });
  const box = s("rect", { y: y + 24, height: 32, rx: 4, class: "swz-bit-kept" });
  const words = [y + 34, y + 47].map((line) => s("text", { y: line, class: "swz-bit-mid swz-bit-label" }));
  const layers = ["straight", "path", "sum"].flatMap((name) => wires.map((wire) => wire[name]));

  function draw({ tile, inputs, source, target, kept }) {
    for (const { bit, x, path, sum } of wires) {
      const hit = inField(bit, target);
      for (const part of [path, sum]) put(part, { visibility: hit ? "visible" : "hidden" });
      if (!hit) continue;
      const from = bit + source.low - target.low;
      const start = grid.middle(from);
      // Wires are one curve shifted along, so they never cross, and they pass above the other sums.
      put(path, { d: `M${start} ${y}C${start} ${y + 20} ${x} ${plusY - 27} ${x} ${plusY - 7}` });
      for (const part of [path, sum]) part.classList.toggle("swz-bit-on", bitOf(inputs[0], from) === 1);
    }
    drawKept(tile.swizzle, kept);
  }

  function drawKept({ bits, base }, kept) {
    const [top, lowest] = [grid.bits[0] + 1, grid.bits.at(-1)];
    const shown = !bits || kept > lowest;
    for (const part of [box, ...words]) put(part, { visibility: shown ? "visible" : "hidden" });
    if (!shown) return;
    const { x, width } = grid.span(lowest, bits ? kept : top);
    put(box, { x: x + 2, width: width - 4 });
    words.forEach((word) => put(word, { x: x + width / 2 }));
    write(words[0], bits ? (kept - lowest > 1 ? `M = ${base}` : `M=${base}`) : "B = 0");
    write(words[1], bits ? "kept" : "every bit is kept");
  }

  return { element: s("g", {}, ...layers, box, ...words), draw };
}

// The boxes of the two fields with their names: source solid, target dashed.
function fieldBoxes(grid, before, after) {
  const items = [
    { name: "source", text: "source YYY", y: before - 3, height: BIT_HEIGHT + 6, textY: before - 11 },
    { name: "target", text: "target ZZZ", y: before - 3, height: after + BIT_HEIGHT - before + 6, textY: after + BIT_HEIGHT + 12 },
  ].map(({ name, text, y, height, textY }) => ({
    name,
    rect: s("rect", { y, height, rx: 5, class: `swz-bit-${name}` }),
    text: s("text", { y: textY, class: "swz-bit-mid swz-bit-name" }, text),
  }));

  function draw(state) {
    for (const { name, rect, text } of items) {
      const { low, count } = state[name];
      for (const part of [rect, text]) put(part, { visibility: count ? "visible" : "hidden" });
      if (!count) continue;
      const { x, width } = grid.span(low, low + count);
      put(rect, { x, width });
      put(text, { x: Math.min(x + width / 2, grid.width - 32) });
    }
  }

  return { boxes: s("g", {}, ...items.map((item) => item.rect)), names: s("g", {}, ...items.map((item) => item.text)), draw };
}

// One native button over each bit of the row before the swizzle; one of them is in the tab order.
function bitButtons(grid, y, height, { element, onflip }) {
  const percent = (value, whole) => `${(100 * value) / whole}%`;
  const items = grid.bits.map((bit) => {
    const button = h("button", { class: "swz-bit-button", type: "button", tabindex: -1, onclick: () => onflip(bit) });
    button.disabled = bit < element;
    button.style.cssText =
      `left: ${percent(grid.left(bit), grid.width)}; width: ${percent(BIT_WIDTH, grid.width)}; ` +
      `top: ${percent(y, height)}; height: ${percent(BIT_HEIGHT, height)}`;
    button.addEventListener("keydown", onkey);
    button.addEventListener("focus", () => choose(button));
    return { bit, button };
  });
  const open = items.filter(({ button }) => !button.disabled).map(({ button }) => button);

  function choose(button) {
    for (const other of open) other.tabIndex = other === button ? 0 : -1;
  }

  function onkey(event) {
    const at = open.indexOf(event.currentTarget);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: open.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    open[Math.max(0, Math.min(open.length - 1, next))].focus();
  }

  function draw({ inputs, source, target, kept }) {
    for (const { bit, button } of items) {
      const role = inField(bit, source) ? ", source" : inField(bit, target) ? ", target" : bit < kept ? ", kept" : "";
      put(button, { "aria-pressed": bitOf(inputs[0], bit) === 1, "aria-label": `byte bit ${bit - BYTE_POINT}${role}` });
      button.title = bit < element ? "inside the element" : `flip byte bit ${bit - BYTE_POINT}${role}`;
    }
  }

  choose(open.at(-1));
  return { elements: items.map(({ button }) => button), draw };
}

function bitPicture(range, { tile, added, element }, onflip) {
  const grid = gridOf(range);
  // Each part is placed under the one before it.
  let height = 0;
  const parts = [];
  const below = (space, make, gap = 0) => {
    parts.push(make(height));
    height += space + gap;
    return parts.at(-1);
  };
  const addressRow = () => (added ? below(BIT_HEIGHT, (y) => bitRow(grid, y, "address"), 3) : null);

  const rulers = [["bytes", BYTE_POINT, range.lowest], [tile.dtype, element, element]]
    .slice(0, tile.elementBits === 8 ? 1 : 2)
    .map(([name, point, lowest]) => below(14, (y) => bitRuler(grid, y + 7, name, point, lowest)));
  below(16, (y) => ({ element: hardwareNames(grid, y + 7, range) }));
  const topBars = below(FIELD_HEIGHT, (y) => hardwareBars(grid, y, range), 3);
  const topAddress = addressRow();
  const beforeY = (height += 18);
  const before = below(BIT_HEIGHT, (y) => bitRow(grid, y, added ? "offset" : "before"));
  const band = below(XOR_HEIGHT, (y) => xorBand(grid, y));
  const afterY = height;
  const after = below(BIT_HEIGHT, (y) => bitRow(grid, y, "after"), 22);
  const bottomAddress = addressRow();
  const bottomBars = below(FIELD_HEIGHT, (y) => hardwareBars(grid, y, range), 2);

  const fields = fieldBoxes(grid, beforeY, afterY);
  const buttons = bitButtons(grid, beforeY, height, { element, onflip });
  const point = grid.left(BYTE_POINT) + BIT_WIDTH + BIT_GAP / 2;
  const ends = { x1: point, x2: point, y1: beforeY - 4, y2: afterY + BIT_HEIGHT + 4 };
  const pointLine = range.lowest < BYTE_POINT ? s("line", { ...ends, class: "swz-bit-point" }) : null;
  const picture = s(
    "svg",
    { viewBox: `0 0 ${grid.width} ${height}`, "aria-hidden": "true" },
    fields.boxes, ...parts.map((part) => part.element), fields.names, pointLine,
  );
  const keys = h("div", { role: "group", "aria-label": "bits before the swizzle, most significant first" }, ...buttons.elements);
  const frame = h("div", {}, picture, keys);
  frame.style.minWidth = `${0.74 * grid.width}px`;

  function draw(state) {
    const { addresses, inputs, element: least } = state;
    rulers[0].draw(rulers.length === 1 || state.tile.unit === "byte");
    rulers[1]?.draw(state.tile.unit === "element");
    [topBars, bottomBars].forEach((bars, side) => bars.draw(addresses[side]));
    [topAddress, bottomAddress].forEach((row, side) => row?.draw(addresses[side], least));
    before.draw(inputs[0], least);
    after.draw(inputs[1], least, (bit) => bitOf(inputs[0], bit) !== bitOf(inputs[1], bit));
    band.draw(state);
    fields.draw(state);
    buttons.draw(state);
  }

  return { element: h("div", { class: "swz-bits swz-picture" }, frame), width: 1.4 * grid.width, draw };
}

// --- The reading -------------------------------------------------------------------------------

function swizzleSentence({ tile, source, target }) {
  if (!source.count) return `${tile.swizzleName}: no bit flips another`;
  const verb = source.count === 1 ? "flips" : "flip";
  return `${tile.swizzleName}: ${bitNames(source, tile.up)} (source) ${verb} ${bitNames(target, tile.up)} (target)`;
}

function placeText({ place }) {
  return place ? `row ${place[0]}, column ${place[1]}` : "no element of this tile";
}

function moveSentence(state) {
  const [before, after] = state.addresses;
  return `${placeText(state)}: byte ${byteText(before)} (bank ${bankAt(before)}) goes to ${byteText(after)} (bank ${bankAt(after)})`;
}

const hopArrow = () => h("span", { class: "swz-bit-arrow" }, "→");

// A pair of values, before and after.
function hopRow(name) {
  const values = [h("span", {}), h("span", {})];
  return { values, element: h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, values[0], hopArrow(), values[1])) };
}

function bitReading() {
  const place = h("p", { class: "swz-title" });
  const chips = [h("span", { class: "swz-chip" }), h("span", { class: "swz-chip" })];
  const hops = { offset: hopRow("offset"), address: hopRow("address"), decimal: hopRow("byte"), target: hopRow("target bits") };
  const rows = Object.values(hops).map(({ element }) => element);
  const text = h("p", { class: "swz-detail" });
  const facts = swizzleFacts();
  const move = h(
    "div",
    {},
    place,
    h("p", { class: "swz-chips" }, chips[0], hopArrow(), chips[1]),
    h("table", { class: "swz-hops" }, h("tbody", {}, ...rows)),
    text,
  );
  const element = h("div", { class: "swz-reading" }, move, facts.element);

  const writeHop = ({ values }, texts) => values.forEach((value, side) => write(value, texts[side]));

  function draw(state) {
    const { tile, addresses, inputs, added, source, target } = state;
    write(place, placeText(state));
    addresses.map(bankAt).forEach((bank, side) => {
      write(chips[side], `bank ${bank}`);
      chips[side].style.cssText = `background: ${BANK_COLORS[bank]}; color: ${BANK_INKS[bank]}`;
    });
    // The two are the same bits unless a base is added to one or is part of the other.
    hops.offset.element.hidden = tile.baseAddress > 0 && !added;
    hops.address.element.hidden = tile.baseAddress === 0;
    writeHop(hops.offset, inputs.map((bits) => byteText(bits, hex)));
    writeHop(hops.address, addresses.map((bits) => byteText(bits, hex)));
    writeHop(hops.decimal, addresses.map((bits) => byteText(bits)));
    hops.target.element.hidden = !target.count;
    if (target.count) {
      writeHop(hops.target, [`${binary(inputs[0], target)} ⊕ ${binary(inputs[0], source)}`, binary(inputs[1], target)]);
    }
    write(text, `${swizzleSentence(state)}.`);
    facts.draw(state);
  }

  return { element, draw };
}

// The rows of the table: what a swizzle says when it counts in a unit of `unitBits` bits.
const SWIZZLE_FACTS = [
  ["B, M, S", ({ bits, base, shift }) => `${bits}, ${base}, ${shift}`],
  ["source YYY", (swizzle) => bitNames({ low: swizzle.sourceBase, count: swizzle.bits }, 0)],
  ["target ZZZ", (swizzle) => bitNames({ low: swizzle.targetBase, count: swizzle.bits }, 0)],
  ["source mask", (swizzle) => hex((2 ** swizzle.bits - 1) * 2 ** swizzle.sourceBase)],
  ["target mask", (swizzle) => hex((2 ** swizzle.bits - 1) * 2 ** swizzle.targetBase)],
  ["granule", (swizzle) => 2 ** swizzle.base],
  ["period", (swizzle) => swizzle.period],
];

function swizzleFacts() {
  const heads = ["byte", "element"].map((unit) => ({ unit, cell: h("th", { scope: "col" }) }));
  const rows = SWIZZLE_FACTS.map(([name, fact]) => ({ fact, cells: heads.map(() => h("td", {})), name }));
  const body = rows.map(({ name, cells }) => h("tr", {}, h("th", { scope: "row" }, name), ...cells));
  const note = h("p", { class: "swz-note" });
  const table = h(
    "table",
    { class: "swz-facts" },
    h("thead", {}, h("tr", {}, h("td", {}), ...heads.map(({ cell }) => cell))),
    h("tbody", {}, ...body),
  );
  const element = h("div", {}, table, note);

  function draw({ tile }) {
    element.hidden = tile.swizzle.bits === 0;
    if (element.hidden) return;
    heads.forEach(({ unit, cell }, column) => {
      const swizzle = swizzleIn(tile, unit);
      const counted = unit === tile.unit;
      write(cell, unit === "byte" ? "in bytes" : `in ${tile.dtype} elements`);
      for (const part of [cell, ...rows.map(({ cells }) => cells[column])]) {
        part.hidden = unit === "element" && tile.elementBits === 8;
        part.classList.toggle("swz-bit-counted", counted);
      }
      for (const { fact, cells } of rows) write(cells[column], swizzle ? fact(swizzle) : "-");
    });
    write(note, periodText(tile));
  }

  return { element, draw };
}

// "Period: 8 rows of this tile.", where rows (columns) lie a fixed distance apart.
function periodText(tile) {
  const line = tile.order === "row" ? "row" : "column";
  const count = tile.order === "row" ? tile.rows : tile.cols;
  const start = (index) => tile.elementBits * (tile.order === "row" ? tile.offset(index, 0) : tile.offset(0, index));
  if (!tile.order || count === 1) return "";
  const pitch = start(1) - start(0);
  if (!(pitch > 0) || Array.from({ length: count }, (_, index) => start(index)).some((at, index) => at !== index * pitch)) return "";
  const lines = (tile.swizzle.period * tile.unitBits) / pitch;
  if (Number.isInteger(1 / lines)) return `Each ${line} of this tile holds ${plural(1 / lines, "period")}.`;
  if (!Number.isInteger(lines)) return `The ${line}s are ${pitch / 8} bytes apart, which does not divide the period.`;
  return `Period: ${lines} ${line}s${lines > count ? `, and this tile has ${count}` : " of this tile"}.`;
}

// --- The widget --------------------------------------------------------------------------------

// Number fields for row and column. Returns {element, draw}.
function placeFields({ model, attempt }) {
  const fields = ["row", "column"].map((name) => {
    const id = freshId(name);
    const input = h("input", { type: "number", id, min: 0, step: 1, placeholder: "-", oninput: onType, onblur: () => draw(shown) });
    input.dataset.field = name;
    return { name, input, element: h("div", { class: "swz-menu" }, h("label", { for: id }, name), input) };
  });
  let shown = null;

  // A field left empty stands for the place shown, or for 0 where there is none.
  function onType() {
    attempt(() => {
      const { tile, place = [0, 0] } = shown;
      const [row, col] = fields.map(({ name, input }, index) =>
        whole(name, input.value === "" && !input.validity.badInput ? place[index] : input.valueAsNumber, 0, Number(input.max)),
      );
      save(model, { offset: tile.offset(row, col) });
    });
  }

  function draw(state) {
    shown = state;
    const ends = [state.tile.rows, state.tile.cols];
    fields.forEach(({ input }, index) => {
      input.max = ends[index] - 1;
      const value = state.place ? state.place[index] : NaN;
      // Writing what already stands there would move the caret.
      if (!Object.is(input.valueAsNumber, value)) input.value = state.place ? value : "";
    });
  }

  const hint = h("p", { class: "swz-note" }, "Click a bit before the swizzle to flip it; arrow keys and Space do the same.");
  return { element: h("div", { class: "swz-controls" }, ...fields.map((field) => field.element), hint), draw };
}

export function renderBitDiagram({ model, el, controls = true }) {
  return mount({
    model,
    el,
    label: "Bit diagram",
    traits: [...SWIZZLE_TRAITS, "geometry", "offset"],
    build: (context) => buildBitDiagram(context, controls),
  });
}

function buildBitDiagram(context, controls) {
  const { model, card, problem, attempt } = context;
  const swizzle = swizzleControls(context);
  const places = placeFields(context);
  const reading = bitReading();
  const stage = h("div", {});
  const view = h("div", { class: "swz-bitview" }, stage, reading.element);
  const live = liveRegion();
  card.append(...(controls ? [swizzle.element] : []), places.element, problem, view, live);
  let picture = null;
  let built = null;

  const readState = () => readBits(readTile(model), whole("offset", model.get("offset"), 0, 2 ** OFFSET_BITS - 1));

  function flip(bit) {
    attempt(() => {
      const { tile, inputs } = readState();
      const change = (bitOf(inputs[0], bit) ? -1 : 1) * 2 ** bit;
      const offset = model.get("offset") + change / tile.elementBits;
      if (offset < 0) throw new ModelError(`byte ${byteText(inputs[0] + change)} lies before the tile's base, byte ${tile.baseAddress}`);
      save(model, { offset: whole("offset", offset, 0, 2 ** OFFSET_BITS - 1) });
    });
  }

  function draw() {
    const state = readState();
    const range = columnRange(state);
    const needed = JSON.stringify([range, state.element, state.tile.dtype, state.added > 0]);
    if (built !== needed) {
      picture = bitPicture(range, state, flip);
      stage.replaceChildren(picture.element);
      view.style.setProperty("--widest", `${picture.width}px`);
      // Where the bits do not all fit, the low ones matter first.
      picture.element.scrollLeft = picture.element.scrollWidth;
      built = needed;
    }
    swizzle.draw();
    places.draw(state);
    picture.draw(state);
    reading.draw(state);
    write(live, `${swizzleSentence(state)}. ${moveSentence(state)}.`);
  }

  return { draw };
}

export default { render: renderBitDiagram };
