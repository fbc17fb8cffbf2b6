// A matrix of some dtype in shared memory: where each element lies, and in which bank.

import { ANCHORS, BANKS, DTYPE_BITS, ORDERS, SHARED_BYTES, UNITS, WORD_BYTES } from "../generated.js";
import { isCount, isRecord, oneOf, range, refuse, shown, whole } from "./checks.js";
import { modeExtent, modeOffsets } from "./layout.js";

const WORD_BITS = 8 * WORD_BYTES;
// A number is a unit of so many bits, which only the tiles of a comparison have.
const UNIT_BITS = range(8).map((power) => 2 ** power);

// Traits may hold anything: what is no tile is refused here, once for each geometry, before anything is computed.
function checkGeometry(geometry) {
  const check = (holds, rule) => holds || refuse(`tile = ${shown(geometry)} describes no tile: ${rule}`);
  check(isRecord(geometry), "it must hold the tile's fields");
  const { rows, cols, dtype, elementBits, order, layout, rowMode, colMode, offsets, baseAddress, anchor } = geometry;
  const limit = 8 * SHARED_BYTES;
  whole("rows", rows, 1, limit);
  whole("cols", cols, 1, limit);
  whole("base_address", baseAddress, 0, SHARED_BYTES);
  oneOf("anchor", anchor, ANCHORS);
  check(rows * cols <= limit, `shared memory has no more than ${limit} bits`);
  check(Object.hasOwn(DTYPE_BITS, dtype) && DTYPE_BITS[dtype] === elementBits, "dtype and elementBits must fit");
  check(order === null || ORDERS.includes(order), "order must be row, column or null");
  check(typeof layout === "string", "layout must be its name");
  check((8 * baseAddress) % elementBits === 0, "base_address must be a multiple of an element's size");
  if (offsets) check(isTable(offsets, rows * cols), "offsets must be one whole number for each element");
  else check(modeExtent(rowMode) === rows && modeExtent(colMode) === cols, "its modes must have its rows and columns");
}

const isTable = (offsets, size) => Array.isArray(offsets) && offsets.length === size && offsets.every(isCount);

// What depends on the geometry only, whatever the swizzle: the offset of each element, in order of rows, and the
// element at each offset.
const tables = new WeakMap();

function tableOf(geometry) {
  if (!isRecord(geometry) || !tables.has(geometry)) {
    checkGeometry(geometry);
    const { rows, cols, elementBits, baseAddress } = geometry;
    const offsets = geometry.offsets ?? offsetsOf(geometry);
    const largest = offsets.reduce((a, b) => Math.max(a, b));
    const end = baseAddress + Math.ceil(((largest + 1) * elementBits) / 8);
    if (end > SHARED_BYTES) {
      refuse(
        `the tile ends at byte ${end} and has ${rows * cols} elements: ` +
          `shared memory has ${SHARED_BYTES} bytes (${SHARED_BYTES / 1024} KiB) a block`,
      );
    }
    const cells = new Map();
    for (let cell = offsets.length - 1; cell >= 0; cell--) {
      cells.set(offsets[cell], [Math.floor(cell / cols), cell % cols]);
    }
    tables.set(geometry, { offsets, end, cells });
  }
  return tables.get(geometry);
}

function offsetsOf({ rows, cols, rowMode, colMode }) {
  const across = modeOffsets(colMode, cols);
  return modeOffsets(rowMode, rows).flatMap((down) => across.map((right) => down + right));
}

export class Tile {
  // geometry: {rows, cols, dtype, elementBits, order, layout, baseAddress, anchor} and {rowMode, colMode} or {offsets},
  // as tile_spec() in Python writes it.
  constructor(geometry, swizzle = null, unit = "byte") {
    this.table = tableOf(geometry);
    const { rows, cols, dtype, elementBits, order, layout, baseAddress, anchor } = geometry;
    Object.assign(this, { rows, cols, dtype, elementBits, order, layout, baseAddress, anchor });
    this.geometry = geometry;
    this.swizzle = swizzle;
    this.unit = unit;
    const sizes = { byte: 8, element: this.elementBits };
    this.unitBits = UNIT_BITS.includes(unit) ? unit : sizes[oneOf("unit", unit, UNITS)];
    this.up = Math.log2(this.unitBits);
    this.bitAddress = this.#map();
    if (swizzle) this.#check();
  }

  with(swizzle, unit) {
    return new Tile(this.geometry, swizzle, unit);
  }

  // The lines of a tile are its runs of neighboring elements: rows, or columns unless the order is "row".
  get lines() {
    return this.order === "row" ? this.rows : this.cols;
  }

  get lineLength() {
    return this.order === "row" ? this.cols : this.rows;
  }

  // The place [row, col] of a line and a position on it, and back.
  onLines([line, position]) {
    return this.order === "row" ? [line, position] : [position, line];
  }

  offset(row, col) {
    return this.table.offsets[row * this.cols + col];
  }

  address(row, col) {
    return Math.floor(this.bitAddress(this.offset(row, col)) / 8);
  }

  // Banks of all elements, row after row.
  banks() {
    return Uint8Array.from(this.table.offsets, (offset) => Math.floor(this.bitAddress(offset) / WORD_BITS) % BANKS);
  }

  get unitName() {
    if (!this.swizzle) return "";
    return { byte: "bytes", element: `${this.dtype} elements` }[this.unit] ?? `${this.unit}-bit units`;
  }

  get swizzleName() {
    return this.swizzle?.bits ? `${this.swizzle} in ${this.unitName}` : "no swizzle";
  }

  toString() {
    const where = this.baseAddress ? ` at byte ${this.baseAddress}` : "";
    return `${this.rows}x${this.cols} ${this.dtype} tile${where}, ${this.layout}, ${this.swizzleName}`;
  }

  // Where the element at an offset before the swizzle lies, in bits.
  #map() {
    const { elementBits } = this;
    const start = 8 * this.baseAddress;
    if (!this.swizzle) return (offset) => offset * elementBits + start;
    const swizzled = this.swizzle.map(this.up);
    if (this.anchor === "address") return (offset) => swizzled(offset * elementBits + start);
    return (offset) => swizzled(offset * elementBits) + start;
  }

  #check() {
    const granule = 2 ** this.swizzle.base * this.unitBits;
    if (granule < this.elementBits && this.swizzle.bits) {
      refuse(
        `${this.swizzleName} moves granules of ${granule} bits: it would cut elements of ${this.elementBits} bits`,
      );
    }
    // A swizzle moves elements within its period, so mostly none can leave shared memory and none need be looked at.
    const period = (this.swizzle.period * this.unitBits) / 8;
    const start = this.anchor === "address" ? 0 : this.baseAddress;
    if (start + Math.ceil((this.table.end - start) / period) * period <= SHARED_BYTES) return;
    const last = this.table.offsets.reduce(
      (most, offset) => Math.max(most, Math.floor(this.bitAddress(offset) / 8)),
      0,
    );
    if (last >= SHARED_BYTES) {
      refuse(`${this.swizzleName} sends an element to byte ${last}: shared memory has ${SHARED_BYTES} bytes a block`);
    }
  }
}
