// The model of shared memory, as the widgets compute it in the browser. It answers exactly what the
// Python model answers; a test runs both on the same inputs.
//
// RULES (the hardware's numbers, from banks.py and tile.py) is written in front of this file by assets.py.

export class ModelError extends Error {}

function refuse(text) {
  throw new ModelError(text);
}

// A value for an error text, cut where it is long.
export function shown(value) {
  const text = typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)} ...` : text;
}

export function whole(name, value, low, high) {
  if (!Number.isInteger(value)) refuse(`${name} must be a whole number, not ${shown(value)}`);
  if (value < low) refuse(`${name} = ${value} is too small: it must be at least ${low}`);
  if (value > high) refuse(`${name} = ${value} is too large: it must be at most ${high}`);
  return value;
}

export function list(name, value) {
  return Array.isArray(value) ? value : refuse(`${name} must be a list, not ${shown(value)}`);
}

export function oneOf(name, value, choices) {
  if (choices.includes(value)) return value;
  const written = typeof value === "string" ? `'${value}'` : shown(value);
  return refuse(`${name} = ${written} is not known: it must be one of ${choices.map((choice) => `'${choice}'`).join(", ")}`);
}

export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const range = (count) => Array.from({ length: count }, (_, index) => index);

// --- Swizzle -----------------------------------------------------------------------------------

export class Swizzle {
  constructor(bits, base, shift) {
    whole("bits (B)", bits, 0, Infinity);
    whole("base (M)", base, 0, Infinity);
    whole("shift (S)", shift, -Infinity, Infinity);
    if (Math.abs(shift) < bits) {
      refuse(
        `shift (S) = ${shift} is too short for bits (B) = ${bits}: |S| must be at least B, ` +
          "so that source and target do not overlap",
      );
    }
    const top = base + bits + Math.abs(shift);
    if (top > RULES.offsetBits) {
      refuse(`the fields of <B,M,S> need ${top} bits, B + M + |S|: an offset has at most ${RULES.offsetBits}`);
    }
    Object.assign(this, { bits, base, shift });
  }

  get sourceBase() {
    return this.base + Math.max(this.shift, 0);
  }

  get targetBase() {
    return this.base - Math.min(this.shift, 0);
  }

  // Arithmetic instead of bit operators: offsets counted in bits can pass 32 bits here.
  apply(offset, up = 0) {
    const size = 2 ** this.bits;
    const source = Math.floor(offset / 2 ** (this.sourceBase + up)) % size;
    const target = Math.floor(offset / 2 ** (this.targetBase + up)) % size;
    return offset + ((target ^ source) - target) * 2 ** (this.targetBase + up);
  }

  recast(fromBits, toBits) {
    const base = this.base + Math.log2(fromBits) - Math.log2(toBits);
    if (base >= 0) return new Swizzle(this.bits, base, this.shift);
    if (this.bits === 0) return new Swizzle(0, 0, this.shift);
    return refuse(
      `${this} counted in ${fromBits}-bit units cannot be counted in ${toBits}-bit units: its granule is ` +
        `${2 ** this.base * fromBits} bits, so it moves parts of a ${toBits}-bit unit`,
    );
  }

  get period() {
    return this.bits ? 2 ** (this.base + this.bits + Math.abs(this.shift)) : 1;
  }

  toString() {
    return `Sw<${this.bits},${this.base},${this.shift}>`;
  }
}

// --- Tile --------------------------------------------------------------------------------------

// A mode is a list of [extent, stride] pairs, first fastest.
function modeOffset(mode, index) {
  let offset = 0;
  for (const [extent, stride] of mode) {
    offset += (index % extent) * stride;
    index = Math.floor(index / extent);
  }
  return offset;
}

// Traits may hold anything: what is no tile is refused here, once for each geometry, before anything is computed.
function checkGeometry(geometry) {
  const check = (holds, rule) => holds || refuse(`geometry = ${shown(geometry)} describes no tile: ${rule}`);
  check(isRecord(geometry), "it must hold the tile's fields");
  const { rows, cols, dtype, elementBits, order, layout, rowMode, colMode, offsets, baseAddress, anchor } = geometry;
  const limit = 8 * RULES.sharedBytes;
  whole("rows", rows, 1, limit);
  whole("cols", cols, 1, limit);
  whole("base_address", baseAddress, 0, RULES.sharedBytes);
  oneOf("anchor", anchor, ["offset", "address"]);
  check(rows * cols <= limit, `shared memory has no more than ${limit} bits`);
  check(Object.hasOwn(RULES.dtypeBits, dtype) && RULES.dtypeBits[dtype] === elementBits, "dtype and elementBits must fit");
  check(order === null || order === "row" || order === "column", "order must be row, column or null");
  check(typeof layout === "string", "layout must be its name");
  check((8 * baseAddress) % elementBits === 0, "base_address must be a multiple of an element's size");
  if (offsets) check(isTable(offsets, rows * cols), "offsets must be one whole number for each element");
  else check(modeExtent(rowMode) === rows && modeExtent(colMode) === cols, "its modes must have its rows and columns");
}

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isTable = (offsets, size) => Array.isArray(offsets) && offsets.length === size && offsets.every(isCount);
const isCount = (value) => Number.isInteger(value) && value >= 0;

// How many indices a mode has; NaN for what is no mode.
function modeExtent(mode) {
  if (!Array.isArray(mode) || !mode.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isCount))) return NaN;
  return mode.reduce((size, [extent]) => size * extent, 1);
}

// What depends on the geometry only, whatever the swizzle: the offset of each element, in order of rows, and the
// element at each offset.
const tables = new WeakMap();

function tableOf(geometry) {
  if (!isRecord(geometry) || !tables.has(geometry)) {
    checkGeometry(geometry);
    const { rows, cols, rowMode, colMode, elementBits, baseAddress } = geometry;
    const offsets = geometry.offsets ?? modeOffsets(rowMode, rows).flatMap((down) => modeOffsets(colMode, cols).map((right) => down + right));
    const end = baseAddress + Math.ceil(((offsets.reduce((a, b) => Math.max(a, b)) + 1) * elementBits) / 8);
    if (end > RULES.sharedBytes) {
      refuse(
        `the tile ends at byte ${end} and has ${rows * cols} elements: ` +
          `shared memory has ${RULES.sharedBytes} bytes (${RULES.sharedBytes / 1024} KiB) a block`,
      );
    }
    const cells = new Map();
    for (let cell = offsets.length - 1; cell >= 0; cell--) cells.set(offsets[cell], [Math.floor(cell / cols), cell % cols]);
    tables.set(geometry, { offsets, end, cells });
  }
  return tables.get(geometry);
}

const modeOffsets = (mode, extent) => range(extent).map((index) => modeOffset(mode, index));

const WORD_SHIFT = Math.log2(8 * RULES.wordBytes);
const UNIT_BITS = range(8).map((power) => 2 ** power);

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
    const units = { byte: 8, element: this.elementBits };
    // A number is a unit of so many bits, which only the tiles of a comparison have.
    this.unitBits = UNIT_BITS.includes(unit) ? unit : units[oneOf("unit", unit, Object.keys(units))];
    this.up = Math.log2(this.unitBits);
    if (swizzle) this.#check();
  }

  with(swizzle, unit) {
    return new Tile(this.geometry, swizzle, unit);
  }

  offset(row, col) {
    return this.table.offsets[row * this.cols + col];
  }

  // Where the element at an offset before the swizzle lies, in bits.
  bitAddress(offset) {
    const bits = offset * this.elementBits;
    if (!this.swizzle) return bits + 8 * this.baseAddress;
    if (this.anchor === "address") return this.swizzle.apply(bits + 8 * this.baseAddress, this.up);
    return this.swizzle.apply(bits, this.up) + 8 * this.baseAddress;
  }

  address(row, col) {
    return Math.floor(this.bitAddress(this.offset(row, col)) / 8);
  }

  // Banks of all elements, row after row. No address of a tile has more than 21 bits, so bit operators will do, and
  // they are what keeps large tiles smooth.
  banks() {
    const { offsets } = this.table;
    const banks = new Uint8Array(offsets.length);
    const before = this.anchor === "address" ? 8 * this.baseAddress : 0;
    const after = 8 * this.baseAddress - before;
    const { bits, sourceBase, targetBase } = this.swizzle ?? { bits: 0, sourceBase: 0, targetBase: 0 };
    // A field beyond the address is zero; JavaScript would shift by the rest of 32 instead.
    const fields = Math.max(sourceBase, targetBase) + this.up < 31 ? 2 ** bits - 1 : 0;
    const [source, target] = [sourceBase + this.up, targetBase + this.up];
    for (let cell = 0; cell < banks.length; cell++) {
      const address = offsets[cell] * this.elementBits + before;
      banks[cell] = (((address ^ (((address >> source) & fields) << target)) + after) >> WORD_SHIFT) % RULES.banks;
    }
    return banks;
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
    if (start + Math.ceil((this.table.end - start) / period) * period <= RULES.sharedBytes) return;
    const last = this.table.offsets.reduce((most, offset) => Math.max(most, Math.floor(this.bitAddress(offset) / 8)), 0);
    if (last >= RULES.sharedBytes) {
      refuse(
        `${this.swizzleName} sends an element to byte ${last}: shared memory has ${RULES.sharedBytes} bytes a block`,
      );
    }
  }
}

// --- Access ------------------------------------------------------------------------------------

const INACTIVE = -1;

function elements(tile, width) {
  whole("width", width, 1);
  if ((8 * width) % tile.elementBits) {
    refuse(`width = ${width} bytes holds no whole number of ${tile.elementBits}-bit elements`);
  }
  return (8 * width) / tile.elementBits;
}

const isMatrix = (kind) => kind === "ldmatrix" || kind === "stmatrix";

// The width in bytes if that access is an instruction; left out, that of the kind, or one element and at least a byte.
function accessWidth(tile, width, kind) {
  oneOf("kind", kind, ["load", "store", "ldmatrix", "stmatrix"]);
  width ??= isMatrix(kind) ? RULES.matrixWidth : Math.max(1, tile.elementBits / 8);
  if (!Object.hasOwn(RULES.phaseLanes, whole("width", width))) {
    refuse(`width = ${width} bytes is no instruction: a lane reads or writes 1, 2, 4, 8 or 16 bytes`);
  }
  if (isMatrix(kind) && width !== RULES.matrixWidth) {
    refuse(`width = ${width} bytes is no instruction: ${kind} always takes rows of ${RULES.matrixWidth} bytes`);
  }
  return width;
}

function inside(tile, row, col, where = "") {
  whole("row", row);
  whole("col", col);
  if (!(row >= 0 && row < tile.rows && col >= 0 && col < tile.cols)) {
    refuse(`${where}(${row}, ${col}) is outside the tile of ${tile.rows} rows and ${tile.cols} columns`);
  }
}

const byRow = (tile) => tile.order === "row";
const lineCount = (tile) => (byRow(tile) ? tile.rows : tile.cols);
const lineLength = (tile) => (byRow(tile) ? tile.cols : tile.rows);
const onLines = (tile, places) => (byRow(tile) ? places : places.map(([line, position]) => [position, line]));

// Each pattern returns {places: [[row, col] ...], width, kind, name}.
const PATTERNS = {
  column(tile, { row = 0, col = 0, width, kind = "load" }) {
    inside(tile, row, col);
    const places = range(Math.min(RULES.lanes, tile.rows - row)).map((lane) => [row + lane, col]);
    return { places, width, kind, name: `column ${col}${row ? ` from row ${row}` : ""}` };
  },

  row(tile, { row = 0, col = 0, width, kind = "load" }) {
    inside(tile, row, col);
    const step = byRow(tile) ? elements(tile, accessWidth(tile, width, kind)) : 1;
    const count = Math.min(RULES.lanes, Math.ceil((tile.cols - col) / step));
    const places = range(count).map((lane) => [row, col + lane * step]);
    return { places, width, kind, name: `row ${row}${col ? ` from column ${col}` : ""}` };
  },

  cp_async(tile, { line = 0, width = RULES.matrixWidth }) {
    if (![4, 8, 16].includes(whole("width", width))) {
      refuse(`width = ${width} bytes is no instruction: cp.async copies 4, 8 or 16 bytes a lane`);
    }
    whole("line", line, 0, lineCount(tile) - 1);
    const step = elements(tile, width);
    const length = lineLength(tile);
    if (length % step) refuse(`a line of ${length} ${tile.dtype} elements is not a multiple of ${width} bytes`);
    const perLine = length / step;
    const vectors = range(RULES.lanes)
      .map((lane) => line * perLine + lane)
      .filter((vector) => vector < lineCount(tile) * perLine);
    const places = vectors.map((vector) => [Math.floor(vector / perLine), (vector % perLine) * step]);
    return { places: onLines(tile, places), width, kind: "store", name: `cp.async from line ${line}` };
  },

  ldmatrix: (tile, options) => matrices("ldmatrix", tile, options),
  stmatrix: (tile, options) => matrices("stmatrix", tile, options),

  at(tile, { rows, cols, width, kind = "load", name = "chosen elements" }) {
    const [downs, rights] = [laneNumbers("rows", rows), laneNumbers("cols", cols)];
    const lanes = downs.length === 1 ? rights.length : downs.length;
    if (rights.length !== 1 && rights.length !== lanes) {
      refuse(`rows of shape (${downs.length},) and cols of shape (${rights.length},) do not pair up`);
    }
    const places = range(lanes).map((lane) => [downs[downs.length === 1 ? 0 : lane], rights[rights.length === 1 ? 0 : lane]]);
    places.forEach(([row, col], lane) => {
      if (row !== INACTIVE || col !== INACTIVE) inside(tile, row, col, `lane ${lane}: `);
    });
    return { places, width, kind, name };
  },
};

// The arguments of each pattern, as Python's class methods take them.
const ARGUMENTS = {
  column: ["row", "col", "width", "kind"],
  row: ["row", "col", "width", "kind"],
  cp_async: ["line", "width"],
  ldmatrix: ["row", "col", "num", "trans"],
  stmatrix: ["row", "col", "num", "trans"],
  at: ["rows", "cols", "width", "kind", "name"],
  offsets: ["offsets", "width", "kind", "name"],
};

function checkSpec(spec) {
  if (!isRecord(spec)) refuse(`an access is described by a dict with a pattern, not by ${shown(spec)}`);
  const { pattern = null, name = "", ...options } = spec;
  oneOf("pattern", pattern, Object.keys(ARGUMENTS));
  const stray = Object.keys(options).find((key) => !ARGUMENTS[pattern].includes(key));
  if (stray !== undefined) refuse(`${pattern} has no argument ${shown(stray)}`);
  if (typeof name !== "string") refuse(`name must be a string, not ${shown(name)}`);
}

// One number, or one for each lane.
function laneNumbers(name, values) {
  const list = Array.isArray(values) ? values : [values];
  if (list.length > RULES.lanes) {
    refuse(`a warp has ${RULES.lanes} lanes: rows and cols of shape (${list.length},) are too many`);
  }
  return list.map((value) => whole(name, value, -Infinity, 8 * RULES.sharedBytes));
}

function matrices(kind, tile, { row = 0, col = 0, num = 4, trans = false }) {
  if (![1, 2, 4].includes(whole("num", num))) refuse(`num = ${num} is no instruction: ${kind} moves 1, 2 or 4 matrices`);
  if (typeof trans !== "boolean") refuse(`trans must be True or False, not ${shown(trans)}`);
  inside(tile, row, col);
  const [line, position] = byRow(tile) ? [row, col] : [col, row];
  const step = elements(tile, RULES.matrixWidth);
  const places = range(8 * num).map((lane) => {
    const matrix = Math.floor(lane / 8);
    const across = trans && num === 4 ? matrix % 2 : Math.floor(matrix / 2);
    const down = trans && num === 4 ? Math.floor(matrix / 2) : matrix % 2;
    return [line + 8 * down + (lane % 8), position + across * step];
  });
  const name = `corner (${row}, ${col})${trans ? ", .trans" : ""}`;
  const placed = onLines(tile, places);
  placed.forEach(([r, c], lane) => inside(tile, r, c, `lane ${lane}: `));
  return { places: placed, width: RULES.matrixWidth, kind, name };
}

function checkOffsets(offsets) {
  const list = Array.isArray(offsets) ? `of shape (${offsets.length},)` : shown(offsets);
  if (!offsets?.length || offsets.length > RULES.lanes || !Array.isArray(offsets)) {
    refuse(`offsets must be a list of 1 to ${RULES.lanes}, one a lane, not ${list}`);
  }
  const least = Math.min(...laneNumbers("offsets", offsets));
  if (least < INACTIVE) refuse(`offset ${least} is negative: -1 marks a lane that takes no part`);
}

function checkNeighbors(tile, places, run) {
  if (run === 1) return;
  const bytes = (run * tile.elementBits) / 8;
  if (!tile.order) {
    refuse(`${bytes}-byte vectors need neighboring ${tile.dtype} elements: ${tile.layout} has none`);
  }
  const used = places.map(([row, col], lane) => ({ row, col, lane })).filter(({ row }) => row !== INACTIVE);
  for (const { row, col, lane } of used) {
    if ((byRow(tile) ? col : row) + run > lineLength(tile)) {
      refuse(`lane ${lane}: ${bytes} bytes from (${row}, ${col}) run beyond the line of ${lineLength(tile)} elements`);
    }
  }
  for (const { row, col, lane } of used) {
    for (let i = 1; i < run; i++) {
      const next = byRow(tile) ? tile.offset(row, col + i) : tile.offset(row + i, col);
      if (next - tile.offset(row, col) !== i) {
        refuse(`lane ${lane}: the ${bytes} bytes from (${row}, ${col}) are not neighbors in ${tile.layout}`);
      }
    }
  }
}

export class Access {
  // spec: {pattern, ...its arguments}, as Access.spec in Python writes it.
  constructor(tile, spec) {
    checkSpec(spec);
    const { pattern, ...options } = spec;
    this.tile = tile;
    this.spec = spec;
    let starts;
    if (pattern === "offsets") {
      const { offsets, width, kind = "load", name = "chosen offsets" } = options;
      starts = offsets;
      Object.assign(this, { width, kind, name });
    } else {
      const { places, width, kind, name } = PATTERNS[pattern](tile, options);
      starts = places.map(([row, col]) => (row === INACTIVE && col === INACTIVE ? INACTIVE : tile.offset(row, col)));
      Object.assign(this, { width, kind, name, places });
    }
    checkOffsets(starts);
    this.width = accessWidth(tile, this.width, this.kind);
    this.run = elements(tile, this.width);
    this.starts = [...starts, ...Array(RULES.lanes - starts.length).fill(INACTIVE)];
    this.active = this.starts.map((start) => start >= 0);
    this.#checkRequest();
    if (this.places) checkNeighbors(tile, this.places, this.run);
    this.bits = this.starts.map((start) =>
      start < 0 ? null : range(this.run).map((i) => tile.bitAddress(start + i)),
    );
  }

  // The plain addresses must be a legal request; what the swizzle does to vectors is cutLanes.
  #checkRequest() {
    const { tile, width, kind } = this;
    const lanes = range(RULES.lanes).filter((lane) => this.active[lane]);
    for (const lane of lanes) {
      if ((this.starts[lane] * tile.elementBits) % 8) {
        refuse(
          `lane ${lane} starts at offset ${this.starts[lane]} in the middle of a byte: ` +
            `${8 / tile.elementBits} ${tile.dtype} elements share one`,
        );
      }
    }
    if (isMatrix(kind) && !(RULES.matrixLanes.includes(lanes.length) && lanes.every((lane, i) => lane === i))) {
      refuse(
        `${kind} takes its row addresses from the first 8, 16 or 32 lanes (x1, x2, x4), ` +
          `not from lanes [${lanes.join(", ")}]`,
      );
    }
    const addresses = lanes.map((lane) => [lane, (this.starts[lane] * tile.elementBits) / 8 + tile.baseAddress]);
    for (const [lane, address] of addresses) {
      if (address % width) {
        refuse(`lane ${lane}: address ${address} is not a multiple of the access width, ${width} bytes`);
      }
    }
    for (const [lane, address] of addresses) {
      if (address > RULES.sharedBytes - width) {
        refuse(`lane ${lane}: address ${address} is beyond shared memory: a block has ${RULES.sharedBytes} bytes`);
      }
    }
  }

  get instruction() {
    return instructionName(this.kind, this.width, this.active.filter(Boolean).length);
  }

  get addresses() {
    return this.bits.map((bits) => (bits ? Math.floor(bits[0] / 8) : 0));
  }

  // The cells [row, col] that each lane touches.
  cells() {
    const cellOf = this.tile.table.cells;
    return this.starts.map((start) =>
      start < 0 ? [] : range(this.run).map((i) => cellOf.get(start + i)).filter(Boolean),
    );
  }

  get cutLanes() {
    const step = this.tile.elementBits;
    return range(RULES.lanes).filter((lane) => {
      const bits = this.bits[lane];
      return bits && bits.some((bit, i) => bit - bits[0] !== i * step);
    });
  }

  get cutText() {
    const cut = this.cutLanes;
    if (!cut.length) return "";
    const { swizzle, unitBits, unitName, swizzleName } = this.tile;
    const granule = 2 ** swizzle.base * unitBits;
    const lanes = cut.slice(0, 8).join(", ") + (cut.length > 8 ? " ..." : "");
    return (
      `${swizzleName} cuts the ${this.width}-byte vectors of lanes ${lanes}: it moves granules of ` +
      `${granule % 8 ? `${granule} bits` : `${granule / 8} bytes`}, bits ${swizzle.targetBase} to ` +
      `${swizzle.targetBase + swizzle.bits - 1} of the offset in ${unitName}, ` +
      `and a vector needs granules of at least ${this.width} bytes`
    );
  }

  // The words are counted even where the swizzle cuts a vector; cutText then says that no instruction does this.
  report() {
    const wordBits = 8 * RULES.wordBytes;
    const cut = this.cutLanes.length > 0;
    const perElement = Math.max(1, this.tile.elementBits / wordBits);
    const words = this.bits.map((bits) => {
      if (!bits) return [];
      const last = Math.max(1, this.width / RULES.wordBytes);
      const run = cut
        ? bits.flatMap((bit) => range(perElement).map((i) => Math.floor(bit / wordBits) + i))
        : range(last).map((i) => Math.floor(bits[0] / wordBits) + i);
      return [...new Set(run)];
    });
    return bankReport(words, this.addresses, this.width, this.kind, this.active);
  }

  toString() {
    return `${this.instruction}, ${this.name}`;
  }
}

// --- Banks -------------------------------------------------------------------------------------

function instructionName(kind, width, lanes) {
  if (isMatrix(kind)) return `${kind}.x${Math.floor(lanes / RULES.matrixLanes[0])}`;
  return (kind === "load" ? "LDS." : "STS.") + (width < RULES.wordBytes ? "U" : "") + 8 * width;
}

// Rule 3 of banks.py.
function merges(addresses, width, kind, active) {
  if (kind !== "load" || RULES.phaseLanes[width] === RULES.lanes) return false;
  return RULES.mergePartners.some((step) =>
    range(RULES.lanes).every(
      (lane) => !active[lane] || !active[lane ^ step] || addresses[lane] === addresses[lane ^ step],
    ),
  );
}

// words: for each lane the word numbers it wants. Returns what BankReport holds in Python.
export function bankReport(words, addresses, width, kind, active) {
  const merged = merges(addresses, width, kind, active);
  const step = RULES.phaseLanes[width] * (merged ? 2 : 1);
  const phases = [];
  for (let start = 0; start < RULES.lanes; start += step) {
    const lanes = range(step).map((i) => start + i).filter((lane) => active[lane]);
    if (lanes.length) phases.push({ lanes, banks: demand(lanes, words) });
  }
  for (const phase of phases) phase.wavefronts = Math.max(0, ...[...phase.banks.values()].map((bank) => bank.size));
  const wavefronts = phases.reduce((sum, phase) => sum + phase.wavefronts, 0);
  const conflicts = wavefronts - phases.length;
  const instruction = instructionName(kind, width, active.filter(Boolean).length);
  const text = `${instruction}: ${plural(wavefronts, "wavefront")}, ideal ${phases.length}, ${plural(conflicts, "conflict")}`;
  return { phases, merged, wavefronts, ideal: phases.length, conflicts, instruction, text };
}

// bank -> word -> lanes, words in the order of the lanes that want them.
function demand(lanes, words) {
  const banks = new Map();
  for (const lane of lanes) {
    for (const word of words[lane]) {
      const bank = word % RULES.banks;
      if (!banks.has(bank)) banks.set(bank, new Map());
      const wanted = banks.get(bank);
      if (!wanted.has(word)) wanted.set(word, []);
      wanted.get(word).push(lane);
    }
  }
  return banks;
}

// Distinct words that each bank delivers, summed over the phases.
export function wordsPerBank(report) {
  const counts = Array(RULES.banks).fill(0);
  for (const phase of report.phases) for (const [bank, words] of phase.banks) counts[bank] += words.size;
  return counts;
}

// One entry a wavefront: {phase, turn, deliveries: [{bank, word, lanes}]}, in the order of BankReport.served.
export function served(report) {
  return report.phases.flatMap((phase, index) =>
    range(phase.wavefronts).map((turn) => ({
      phase: index,
      turn,
      deliveries: [...phase.banks]
        .filter(([, words]) => turn < words.size)
        .map(([bank, words]) => ({ bank, word: [...words.keys()][turn], lanes: [...words.values()][turn] })),
    })),
  );
}
