// Access patterns: which lane of a warp touches which elements of a tile, and by which instruction.

import {
  CACHES,
  CP_ASYNC_WIDTHS,
  INACTIVE,
  MATRIX_ELEMENT_BITS,
  MATRIX_LANES,
  MATRIX_WIDTH,
  ORDERED_KINDS,
  SHARED_BYTES,
  SIGNATURES,
  WARP_LANES,
  WORD_BYTES,
} from "../generated.js";
import { bankReport, checkAccess, instructionName, isMatrix } from "./banks.js";
import { isRecord, oneOf, range, refuse, shown, whole } from "./checks.js";

function elements(tile, width) {
  whole("width", width, 1);
  if ((8 * width) % tile.elementBits) {
    refuse(`width = ${width} bytes holds no whole number of ${tile.elementBits}-bit elements`);
  }
  return (8 * width) / tile.elementBits;
}

// The width in bytes; left out, that of the kind, or one element and at least a byte for loads and stores.
function accessWidth(tile, width, kind) {
  const plain = kind === "load" || kind === "store";
  return checkAccess(width ?? (plain ? Math.max(1, tile.elementBits / 8) : null), kind);
}

function inside(tile, row, col, where = "") {
  whole("row", row);
  whole("col", col);
  if (!(row >= 0 && row < tile.rows && col >= 0 && col < tile.cols)) {
    refuse(`${where}(${row}, ${col}) is outside the tile of ${tile.rows} rows and ${tile.cols} columns`);
  }
}

// Each pattern returns {places: [[row, col] ...], width, kind, name}.
const PATTERNS = {
  column(tile, { row, col, width, kind }) {
    inside(tile, row, col);
    const places = range(Math.min(WARP_LANES, tile.rows - row)).map((lane) => [row + lane, col]);
    return { places, width, kind, name: `column ${col}${row ? ` from row ${row}` : ""}` };
  },

  row(tile, { row, col, width, kind }) {
    inside(tile, row, col);
    const step = tile.order === "row" ? elements(tile, accessWidth(tile, width, kind)) : 1;
    const count = Math.min(WARP_LANES, Math.ceil((tile.cols - col) / step));
    const places = range(count).map((lane) => [row, col + lane * step]);
    return { places, width, kind, name: `row ${row}${col ? ` from column ${col}` : ""}` };
  },

  cp_async(tile, { line, width, cache }) {
    if (!CP_ASYNC_WIDTHS.includes(whole("width", width))) {
      refuse(`width = ${width} bytes is no instruction: cp.async copies 4, 8 or 16 bytes a lane`);
    }
    // PTX: only .ca copies less than 16 bytes.
    const through = oneOf("cache", cache ?? (width === MATRIX_WIDTH ? "cg" : "ca"), CACHES);
    whole("line", line, 0, tile.lines - 1);
    const step = elements(tile, width);
    if (tile.lineLength % step) {
      refuse(`a line of ${tile.lineLength} ${tile.dtype} elements is not a multiple of ${width} bytes`);
    }
    const perLine = tile.lineLength / step;
    const vectors = range(WARP_LANES)
      .map((lane) => line * perLine + lane)
      .filter((vector) => vector < tile.lines * perLine);
    const places = vectors.map((vector) => tile.onLines([Math.floor(vector / perLine), (vector % perLine) * step]));
    return { places, width, kind: `cp.async.${through}`, name: `from line ${line}` };
  },

  ldmatrix: (tile, options) => matrices("ldmatrix", tile, options),
  stmatrix: (tile, options) => matrices("stmatrix", tile, options),

  at(tile, { rows, cols, width, kind, name }) {
    const [downs, rights] = [laneNumbers("rows", rows), laneNumbers("cols", cols)];
    const lanes = downs.length === 1 ? rights.length : downs.length;
    if (rights.length !== 1 && rights.length !== lanes) {
      refuse(`rows of shape (${downs.length},) and cols of shape (${rights.length},) do not pair up`);
    }
    const at = (numbers, lane) => numbers[numbers.length === 1 ? 0 : lane];
    const places = range(lanes).map((lane) => [at(downs, lane), at(rights, lane)]);
    places.forEach(([row, col], lane) => {
      if (row !== INACTIVE || col !== INACTIVE) inside(tile, row, col, `lane ${lane}: `);
    });
    return { places, width, kind, name };
  },
};

function checkSpec(spec) {
  if (!isRecord(spec)) refuse(`an access is described by a dict with a pattern, not by ${shown(spec)}`);
  const { pattern = null, name = "", ...options } = spec;
  const known = SIGNATURES[oneOf("pattern", pattern, Object.keys(SIGNATURES))];
  const stray = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (stray !== undefined) {
    refuse(`${pattern} has no argument ${shown(stray)}: it takes ${Object.keys(known).join(", ")}`);
  }
  const missing = Object.keys(known).find((key) => !Object.hasOwn(known[key], "default") && !Object.hasOwn(spec, key));
  if (missing !== undefined) refuse(`${pattern} needs the argument '${missing}'`);
  if (typeof name !== "string") refuse(`name must be a string, not ${shown(name)}`);
}

// One number, or one for each lane.
function laneNumbers(name, values) {
  const list = Array.isArray(values) ? values : [values];
  if (list.length > WARP_LANES) {
    refuse(`a warp has ${WARP_LANES} lanes: rows and cols of shape (${list.length},) are too many`);
  }
  const [numbers, most] = [list.map((value) => whole(name, value)), 8 * SHARED_BYTES];
  const beyond = numbers.filter((number) => number > most);
  if (beyond.length) refuse(`${name} must be at most ${most}, the bits of shared memory, not ${Math.max(...beyond)}`);
  return numbers;
}

function matrices(kind, tile, { row, col, num, trans }) {
  if (![1, 2, 4].includes(whole("num", num)))
    refuse(`num = ${num} is no instruction: ${kind} moves 1, 2 or 4 matrices`);
  if (typeof trans !== "boolean") refuse(`trans must be True or False, not ${shown(trans)}`);
  inside(tile, row, col);
  const [line, position] = tile.onLines([row, col]);
  const step = elements(tile, MATRIX_WIDTH);
  const places = range(8 * num).map((lane) => {
    const matrix = Math.floor(lane / 8);
    const across = trans && num === 4 ? matrix % 2 : Math.floor(matrix / 2);
    const down = trans && num === 4 ? Math.floor(matrix / 2) : matrix % 2;
    return tile.onLines([line + 8 * down + (lane % 8), position + across * step]);
  });
  const name = `corner (${row}, ${col})${trans ? ", .trans" : ""}${movedText(tile)}`;
  places.forEach(([r, c], lane) => inside(tile, r, c, `lane ${lane}: `));
  return { places, width: MATRIX_WIDTH, kind, name };
}

// What ldmatrix moves where an element is not of its size.
function movedText({ elementBits, dtype }) {
  const size = MATRIX_ELEMENT_BITS;
  if (elementBits === size) return "";
  if (elementBits > size)
    return `, moves ${size}-bit ${{ 2: "halves", 4: "quarters" }[elementBits / size]} of ${dtype}`;
  const count = size / elementBits;
  return `, moves ${size}-bit ${count === 2 ? "pairs" : `groups of ${count}`} of ${dtype}`;
}

function checkOffsets(offsets) {
  const list = Array.isArray(offsets) ? `of shape (${offsets.length},)` : shown(offsets);
  if (!offsets?.length || offsets.length > WARP_LANES || !Array.isArray(offsets)) {
    refuse(`offsets must be a list of 1 to ${WARP_LANES}, one a lane, not ${list}`);
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
    if (tile.onLines([row, col])[1] + run > tile.lineLength) {
      refuse(`lane ${lane}: ${bytes} bytes from (${row}, ${col}) run beyond the line of ${tile.lineLength} elements`);
    }
  }
  for (const { row, col, lane } of used) {
    for (let i = 1; i < run; i++) {
      const next = tile.order === "row" ? tile.offset(row, col + i) : tile.offset(row + i, col);
      if (next - tile.offset(row, col) !== i) {
        refuse(`lane ${lane}: the ${bytes} bytes from (${row}, ${col}) are not neighbors in ${tile.layout}`);
      }
    }
  }
}

// What the pattern makes of its arguments: {starts, places (none for offsets), width, kind, name}.
function startsOf(tile, { pattern, ...given }) {
  const rules = Object.entries(SIGNATURES[pattern]).filter(([, rule]) => Object.hasOwn(rule, "default"));
  const options = { ...Object.fromEntries(rules.map(([name, rule]) => [name, rule.default])), ...given };
  if (pattern === "offsets") return { ...options, starts: options.offsets };
  const made = PATTERNS[pattern](tile, options);
  const startAt = ([row, col]) => (row === INACTIVE && col === INACTIVE ? INACTIVE : tile.offset(row, col));
  return { ...made, starts: made.places.map(startAt) };
}

export class Access {
  // spec: {pattern, ...its arguments}, as Access.spec in Python writes it.
  constructor(tile, spec) {
    checkSpec(spec);
    this.tile = tile;
    this.spec = spec;
    const { starts, places, width, kind, name } = startsOf(tile, spec);
    Object.assign(this, { width, kind, name, places });
    checkOffsets(starts);
    this.width = accessWidth(tile, this.width, this.kind);
    this.run = elements(tile, this.width);
    this.starts = [...starts, ...Array(WARP_LANES - starts.length).fill(INACTIVE)];
    this.active = this.starts.map((start) => start >= 0);
    this.#checkRequest();
    if (this.places) checkNeighbors(tile, this.places, this.run);
    this.bits = this.starts.map((start) => (start < 0 ? null : range(this.run).map((i) => tile.bitAddress(start + i))));
  }

  // The plain addresses must be a legal request; what the swizzle does to vectors is cutLanes.
  #checkRequest() {
    const { tile, width, kind } = this;
    const lanes = range(WARP_LANES).filter((lane) => this.active[lane]);
    for (const lane of lanes) {
      if ((this.starts[lane] * tile.elementBits) % 8) {
        refuse(
          `lane ${lane} starts at offset ${this.starts[lane]} in the middle of a byte: ` +
            `${8 / tile.elementBits} ${tile.dtype} elements share one`,
        );
      }
    }
    if (isMatrix(kind) && !(MATRIX_LANES.includes(lanes.length) && lanes.every((lane, i) => lane === i))) {
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
    this.#checkEnd(addresses);
  }

  #checkEnd(addresses) {
    for (const [lane, address] of addresses) {
      if (address > SHARED_BYTES - this.width) {
        refuse(`lane ${lane}: address ${address} is beyond shared memory: a block has ${SHARED_BYTES} bytes`);
      }
    }
  }

  get instruction() {
    return instructionName(this.kind, this.width, this.active.filter(Boolean).length);
  }

  // The byte address of each lane's vector: of a reordered one that of its bytes, of a torn one of its first element.
  get addresses() {
    const moved = new Set(this.reorderedLanes);
    const { width } = this;
    return this.bits.map((bits, lane) => {
      const first = bits ? Math.floor(bits[0] / 8) : 0;
      return moved.has(lane) ? Math.floor(first / width) * width : first;
    });
  }

  // The cells [row, col] that each lane touches.
  cells() {
    const cellOf = this.tile.table.cells;
    return this.starts.map((start) =>
      start < 0
        ? []
        : range(this.run)
            .map((i) => cellOf.get(start + i))
            .filter(Boolean),
    );
  }

  // What the swizzle leaves of the vectors: "whole", "reordered" or "torn", the worst of all lanes.
  get vectors() {
    return this.tornLanes.length ? "torn" : this.reorderedLanes.length ? "reordered" : "whole";
  }

  get tornLanes() {
    return range(WARP_LANES).filter((lane) => this.bits[lane] && this.#isTorn(this.bits[lane]));
  }

  get reorderedLanes() {
    const step = this.tile.elementBits;
    return range(WARP_LANES).filter((lane) => {
      const bits = this.bits[lane];
      return bits && !this.#isTorn(bits) && bits.some((bit, i) => bit - bits[0] !== i * step);
    });
  }

  #isTorn(bits) {
    const place = (bit) => Math.floor(bit / (8 * this.width));
    return bits.some((bit) => place(bit) !== place(bits[0]));
  }

  // Why no instruction can do this access; "" if one can.
  get refusal() {
    const { tornLanes, reorderedLanes } = this;
    if (tornLanes.length) return this.#refusalText("tears", tornLanes, "which no instruction gathers");
    if (!reorderedLanes.length || !ORDERED_KINDS.includes(this.kind)) return "";
    return this.#refusalText("reorders", reorderedLanes, `and ${this.instruction} moves them in order only`);
  }

  #refusalText(verb, lanes, rule) {
    const { swizzle, unitBits, unitName, swizzleName, anchor } = this.tile;
    const granule = 2 ** swizzle.base * unitBits;
    const first = lanes.slice(0, 8).join(", ") + (lanes.length > 8 ? " ..." : "");
    return (
      `${swizzleName} ${verb} the ${this.width}-byte vectors of lanes ${first}: it moves granules of ` +
      `${granule % 8 ? `${granule} bits` : `${granule / 8} bytes`}, bits ${swizzle.targetBase} to ` +
      `${swizzle.targetBase + swizzle.bits - 1} of the ${anchor === "address" ? "address" : "offset"} ` +
      `in ${unitName}, ${rule}`
    );
  }

  // The words are counted even of a refused access; `refusal` then says that no instruction does it.
  report() {
    const wordBits = 8 * WORD_BYTES;
    const torn = this.tornLanes.length > 0;
    const perElement = Math.max(1, this.tile.elementBits / wordBits);
    const { addresses } = this;
    // Offsets beyond the tile may lie in shared memory before the swizzle only.
    if (!torn) this.#checkEnd(addresses.entries());
    const words = this.bits.map((bits, lane) => {
      if (!bits) return [];
      const run = torn
        ? bits.flatMap((bit) => range(perElement).map((i) => Math.floor(bit / wordBits) + i))
        : range(Math.max(1, this.width / WORD_BYTES)).map((i) => Math.floor(addresses[lane] / WORD_BYTES) + i);
      return [...new Set(run)];
    });
    return bankReport(words, addresses, this.width, this.kind, this.active);
  }

  toString() {
    return `${this.instruction}, ${this.name}`;
  }
}
