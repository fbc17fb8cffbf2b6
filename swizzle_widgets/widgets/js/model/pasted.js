// From what CuTe printed to a tile, as swizzle_widgets/model/texts/tiles.py has it. What only Python does (mending
// damaged text, maps that are no layout) is refused; Triton's texts are triton.js's.

import { DTYPE_BITS, LINE_BYTES, SHARED_BYTES, UNITS } from "../generated.js";
import { Access } from "./access.js";
import { ModelError, oneOf, plural, range, refuse, whole } from "./checks.js";
import { elementDtype } from "./dtypes.js";
import { cosizeOf, flatOf, lowestOf, modesOf, offsetAt, orderOf, sizeOf, textOf } from "./nested.js";
import { partsOfMatrix } from "./partition.js";
import { Swizzle } from "./swizzle.js";
import { readCute } from "./texts.js";
import { Tile } from "./tile.js";

/**
 * The tile of a printed layout: {tile: its geometry as the widgets take it, swizzle: a Swizzle or null, unit, layout:
 * its shape and stride, null for a table}.
 * dtype, unit ("byte", "element") and partition ("mma") may be null. Throws a ModelError in Python's words.
 */
export function pastedTile(text, { dtype = null, unit = null, anchor = null, stage = 0, partition = null } = {}) {
  const parts = readParts(text);
  if (partition !== null) oneOf("partition", partition, ["mma"]);
  const name = elementDtype(parts.element, dtype, /Sw|_[0-9]/.test(text));
  const bits = DTYPE_BITS[name];
  const [{ layout, offset }, swizzle, told] = pointed(text, () => {
    const matrix = partsOfMatrix(parts, bits, whole("stage", stage, 0, Infinity), partition);
    const found = parts.swizzle && new Swizzle(...parts.swizzle);
    const said = toldBy(parts, unit, anchor);
    if (found && said.unit === null) refuse(bothReadings(matrix.layout, name, found));
    return [matrix, found, said];
  });
  const inside = swizzle ? offset : 0;
  const start = (swizzle ? 0 : inBytes(offset, bits)) + addressIn(parts.address, layout, bits, swizzle, told);
  return pointed(text, () => {
    const upward =
      lowestOf(layout) < 0 ? countedUp(layout, start, inside, bits, swizzle, told) : { layout, start, inside };
    const tile = checked(upward.layout, name, upward.start, swizzle, told, upward.offsets);
    const found = moved(tile, swizzle, told.unit, whole("offset", upward.inside, 0, Infinity));
    return { ...found, layout: upward.offsets ? null : layout };
  });
}

function readParts(text) {
  try {
    return readCute(text);
  } catch (error) {
    return refuse(error.message);
  }
}

// Does `make`; its refusal shows the text and a caret under the layout.
function pointed(text, make) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const line = text.trim().split(/\s+/).join(" ");
    return refuse(`${error.message}:\n    ${line}\n    ${" ".repeat(Math.max(line.indexOf("("), 0))}^`);
  }
}

// Unit and anchor, from what the text and what the reader say.
function toldBy({ swizzle, counts }, unit, anchor) {
  if (!swizzle) {
    if (unit !== null || anchor !== null) {
      refuse("unit and anchor say what a swizzle counts, but this text has none: leave them out");
    }
    return { unit: null, anchor: "offset" };
  }
  if (counts === "unsaid") {
    return { unit: unit && oneOf("unit", unit, UNITS), anchor: anchor ?? (unit === "byte" ? "address" : "offset") };
  }
  const onAddress = counts === "address";
  const told = onAddress ? { unit: "byte", anchor: "address" } : { unit: "element", anchor: "offset" };
  for (const [name, given] of Object.entries({ unit, anchor })) {
    if (given === null || given === told[name]) continue;
    const what = onAddress ? "bytes of the address" : "elements";
    refuse(`this swizzle counts ${what}: leave ${name} out, or say ${name}='${told[name]}', not '${given}'`);
  }
  return told;
}

function inBytes(offset, bits) {
  if ((offset * bits) % 8) refuse(`offset ${offset} of ${bits}-bit elements is in the middle of a byte`);
  return (offset * bits) / 8;
}

// A pointer's address in shared memory; a generic one of 64 bits counts modulo what banks depend on.
function addressIn(address, layout, bits, swizzle, { unit }) {
  if (address < SHARED_BYTES) return address;
  const period = swizzle
    ? Math.max(Math.floor((swizzle.period * (unit === "byte" ? 8 : bits)) / 8), LINE_BYTES)
    : LINE_BYTES;
  return (address % period) + Math.ceil(Math.floor((-lowestOf(layout) * bits) / 8) / period) * period;
}

// A layout with negative strides as a table from 0 up, with the start and the offset that go with it.
function countedUp(layout, start, inside, bits, swizzle, { anchor }) {
  const lowest = lowestOf(layout);
  const offsets = () => tableOf(layout).map((offset) => offset - lowest);
  if (swizzle && anchor === "offset") {
    if (inside + lowest < 0) refuse(`offset ${inside + lowest} is negative: a swizzle counts from 0`);
    return { layout, offsets, start, inside: inside + lowest };
  }
  const below = start + inBytes(lowest, bits);
  if (below < 0) {
    refuse(`${textOf(layout)} counts down to ${-below} bytes below shared memory: give its pointer or base_address`);
  }
  return { layout, offsets, start: below, inside };
}

// All offsets, row after row.
function tableOf(layout) {
  const [down, across] = modesOf(layout).map((mode) => range(sizeOf(mode)).map((index) => offsetAt(mode, index)));
  return down.flatMap((above) => across.map((right) => above + right));
}

// The geometry of a tile, checked as Python's Tile checks.
export function checked(layout, dtype, baseAddress, swizzle, { unit, anchor }, offsets = null) {
  const limit = 8 * SHARED_BYTES;
  const [rows, cols] = modesOf(layout).map(sizeOf);
  whole("rows", rows, 1, limit);
  whole("cols", cols, 1, limit);
  whole("base_address", baseAddress, 0, SHARED_BYTES);
  const elementBits = DTYPE_BITS[dtype];
  checkPlace(layout, rows * cols, dtype, baseAddress, offsets !== null);
  const places = offsets
    ? { order: tableOrder(offsets(), rows, cols), layout: `table of ${rows}x${cols} offsets`, offsets: offsets() }
    : { order: orderOf(layout), layout: textOf(layout), ...modePairs(layout) };
  const geometry = { rows, cols, dtype, elementBits, baseAddress, anchor, ...places };
  new Tile(geometry, swizzle, unit ?? "byte");
  return geometry;
}

function modePairs(layout) {
  const [rowMode, colMode] = modesOf(layout).map(flatOf);
  return { rowMode, colMode };
}

function tableOrder(offsets, rows, cols) {
  const rowStep = rows > 1 ? offsets[cols] - offsets[0] : 0;
  const colStep = cols > 1 ? offsets[1] - offsets[0] : 0;
  if (colStep === 1 || (cols === 1 && rowStep !== 1)) return "row";
  return rowStep === 1 || rows === 1 ? "column" : null;
}

function checkPlace(layout, count, dtype, baseAddress, isUp) {
  const bits = DTYPE_BITS[dtype];
  if ((8 * baseAddress) % bits) {
    refuse(`base_address = ${baseAddress} must be a multiple of the ${bits / 8} bytes of an ${dtype} element`);
  }
  const cosize = cosizeOf(layout) - (isUp ? lowestOf(layout) : 0);
  const end = baseAddress + Math.ceil((cosize * bits) / 8);
  if (end > SHARED_BYTES || count > 8 * SHARED_BYTES) {
    refuse(
      `the tile ends at byte ${end} and has ${count} elements: ` +
        `shared memory has ${SHARED_BYTES} bytes (${SHARED_BYTES / 1024} KiB) a block`,
    );
  }
}

// The tile with `offset` elements added to each element's place before the swizzle.
export function moved(geometry, swizzle, unit, offset) {
  const { elementBits, dtype, baseAddress } = geometry;
  const bits = offset * elementBits;
  if (bits % 8) refuse(`offset ${offset} of ${dtype} elements is in the middle of a byte`);
  const period = swizzle ? swizzle.period * (unit === "byte" ? 8 : elementBits) : 1;
  let { anchor } = geometry;
  if (bits % period) {
    if ((8 * baseAddress) % period) {
      const { swizzleName } = new Tile(geometry, swizzle, unit);
      refuse(
        `base_address = ${baseAddress} must be a multiple of the period of ${swizzleName}, ` +
          `${Math.floor(period / 8)} bytes, with the offset ${offset} inside the swizzle`,
      );
    }
    anchor = "address";
  }
  const tile = { ...geometry, anchor, baseAddress: whole("base_address", baseAddress + bits / 8, 0, SHARED_BYTES) };
  new Tile(tile, swizzle, unit ?? "byte");
  return { tile, swizzle, unit: unit ?? "byte" };
}

// The refusal of a swizzle whose unit is not said, with what each reading costs.
function bothReadings(layout, dtype, swizzle) {
  const readings = [
    ["elements of the layout", "unit='element'", { unit: "element", anchor: "offset" }],
    ["bytes of the pointer's address", "unit='byte', anchor='address'", { unit: "byte", anchor: "address" }],
  ];
  const lines = readings.map(([what, said, told]) => `${what} (${said}): ${costOf(layout, dtype, swizzle, told)}`);
  const name = `${swizzle}`.replace("Sw", "S");
  return `the text does not say what ${name} counts: the DSL prints the same for both. ${lines.join("; or ")}`;
}

const USUAL = [
  ...[4, 2, 1].map((num) => [`ldmatrix.x${num}`, { pattern: "ldmatrix", num }]),
  ["a column", { pattern: "column", col: 0 }],
];

// What a usual read costs under one reading of a swizzle.
function costOf(layout, dtype, swizzle, told) {
  let tile;
  try {
    tile = new Tile(checkedUpward(layout, dtype, swizzle, told), swizzle, told.unit);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return `not possible, ${error.message}`;
  }
  for (const [name, spec] of USUAL) {
    const report = reportOf(tile, spec);
    if (report)
      return `${name} costs ${plural(report.wavefronts, "wavefront")}, ${plural(report.conflicts, "conflict")}`;
  }
  return "no usual access fits";
}

function checkedUpward(layout, dtype, swizzle, told) {
  if (lowestOf(layout) < 0) {
    refuse(
      `${textOf(layout)} counts down to offset ${lowestOf(layout)}, before the tile's base address: ` +
        "Tile.from_cute reads it with the pointer it stands on",
    );
  }
  return checked(layout, dtype, 0, swizzle, told);
}

function reportOf(tile, spec) {
  try {
    const access = new Access(tile, spec);
    return access.refusal ? null : access.report();
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}
