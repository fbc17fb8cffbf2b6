// A whole copy by CuTe's thread-value layout: every request over a tile and what all of them cost, as
// swizzle_widgets/model/copy.py has TiledCopy.from_tv.

import {
  BLOCK_THREADS,
  INACTIVE,
  KIND_WIDTHS,
  LINE_BYTES,
  MATRIX_LANES,
  MAX_TILER,
  MAX_VALUES,
  WARP_LANES,
} from "../generated.js";
import { Access } from "./access.js";
import { checkAccess, isMatrix } from "./banks.js";
import { ModelError, plural, range, refuse, whole } from "./checks.js";
import { layoutOf, modesOf, offsetAt, sizeOf, textOf } from "./nested.js";
import { readCute } from "./texts.js";

// What a page counts while its reader waits.
const MAX_HELD = 2 ** 20;
const MATRICES = MATRIX_LANES.at(-1) / 8;

/**
 * The requests of a copy: {tile, kind, width, requests: [{rows, cols, where}]}, 32 rows and columns each, -1 for a lane
 * that takes no part. tv: text; tiler: [rows, cols]; width in bytes, null for the widest that all threads allow.
 * Throws a ModelError in Python's words.
 */
export function tiledCopy(tile, { tv, tiler, width = null, kind = "load", predicate = false }) {
  const [down, across] = tiler.map((size, place) => whole(`tiler[${place}]`, size, 1, MAX_TILER));
  const indices = threadValues(tv, [down, across]);
  const usual = checkAccess(width, kind);
  const held = heldBy(tile, indices, [down, across], predicate);
  const chosen = chosenWidth(held, width === null && !isMatrix(kind) ? null : usual, kind);
  const requests = requestsOf(held, chosen);
  if (isMatrix(kind)) checkMatrixLanes(kind, requests);
  return { tile, kind, width: chosen, requests };
}

/** What a copy costs, as CopyReport; `worst` is {request, spec, report}: spec is an access that widgets take. */
export function copyReport({ tile, kind, width, requests }) {
  const each = requests.map(({ rows, cols, where }) => {
    const spec = { pattern: "at", rows, cols, width, kind, name: where };
    const access = new Access(tile, spec);
    if (access.refusal) refuse(`${where}: ${access.refusal}`);
    return { spec, where, report: access.report() };
  });
  const sum = (name) => each.reduce((total, { report }) => total + report[name], 0);
  const worst = each.reduce((most, one) => (isWorse(one.report, most.report) ? one : most));
  const { unit, instruction } = each[0].report;
  const sums = { requests: each.length, ...Object.fromEntries(SUMS.map((name) => [name, sum(name)])) };
  return { ...sums, unit, instruction, worst, text: textOfReport(sums, unit, instruction, worst) };
}

const SUMS = ["wavefronts", "ideal", "conflicts", "cost", "least", "excess"];

const isWorse = (report, most) =>
  report.excess > most.excess || (report.excess === most.excess && report.cost > most.cost);

function textOfReport({ requests, cost, least, excess, conflicts }, unit, instruction, worst) {
  const lines = plural(cost, `line of ${LINE_BYTES} bytes`, `lines of ${LINE_BYTES} bytes`);
  const paid =
    unit === "line"
      ? `${lines}, at least ${least}, no bank conflicts`
      : `${plural(cost, "wavefront")}, ideal ${least}, ${plural(conflicts, "conflict")}`;
  const text = `${plural(requests, "request")} of ${instruction}: ${paid}`;
  if (!excess) return text;
  return `${text}; the worst takes ${worst.report.cost} instead of ${worst.report.least}: ${worst.where}`;
}

// The index in the tiler of each value of each thread.
function threadValues(text, tiler) {
  const layout = readLayout(text);
  const modes = modesOf(layout);
  if (!Array.isArray(layout.shape) || modes.length !== 2) {
    const count = Array.isArray(layout.shape) ? modes.length : 1;
    refuse(`tv = ${textOf(layout)} has ${plural(count, "mode")}: it needs two, threads and values`);
  }
  const [threads, values] = modes;
  whole("threads", sizeOf(threads), 1, BLOCK_THREADS);
  whole("values of a thread", sizeOf(values), 1, MAX_VALUES);
  const right = range(sizeOf(values)).map((value) => offsetAt(values, value));
  const indices = range(sizeOf(threads)).map((thread) => {
    const left = offsetAt(threads, thread);
    return right.map((offset) => left + offset);
  });
  const size = tiler[0] * tiler[1];
  indices.forEach((held, thread) => {
    const value = held.findIndex((index) => index >= size || index < 0);
    if (value >= 0) {
      const where = `thread ${thread}, value ${value} to index ${held[value]}`;
      refuse(`tv = ${textOf(layout)} sends ${where}, outside the tiler of ${tiler[0]}x${tiler[1]}`);
    }
  });
  return indices;
}

function readLayout(text) {
  let parts;
  try {
    parts = readCute(text);
  } catch (error) {
    return refuse(`tv: ${error.message}`);
  }
  if (parts.swizzle || parts.offset || parts.element !== null) {
    refuse(`tv: '${text}' is more than a layout: Tile.from_cute reads swizzles, offsets and pointers`);
  }
  return layoutOf(parts.shape, parts.stride);
}

// What the threads hold in every step: at(step, thread, value) is [row, col], or null outside the tile.
function heldBy(tile, indices, tiler, predicate) {
  const sizes = [tile.rows, tile.cols];
  if (!predicate && sizes.some((size, place) => size % tiler[place])) {
    refuse(
      `the tiler of ${tiler[0]}x${tiler[1]} does not divide the tile of ${tile.rows}x${tile.cols}: ` +
        "predicate=True leaves out the lanes beyond it",
    );
  }
  const [down, across] = sizes.map((size, place) => Math.ceil(size / tiler[place]));
  const corners = range(down * across).map((step) => [(step % down) * tiler[0], Math.floor(step / down) * tiler[1]]);
  if (corners.length * indices.length * indices[0].length > MAX_HELD) {
    refuse("the threads hold more values than a page can count: TiledCopy.from_tv in Python counts them");
  }
  const at = (step, thread, value) => {
    const index = indices[thread][value];
    const row = corners[step][0] + (index % tiler[0]);
    return [row, corners[step][1] + Math.floor(index / tiler[0])];
  };
  const inside = (place) => place[0] < tile.rows && place[1] < tile.cols;
  return { tile, corners, threads: indices.length, values: indices[0].length, at, inside };
}

function chosenWidth(held, width, kind) {
  const { tile, values } = held;
  const fits = (bytes) => (8 * bytes) % tile.elementBits === 0 && values % ((8 * bytes) / tile.elementBits) === 0;
  const widths = KIND_WIDTHS[kind].filter(fits).sort((a, b) => b - a);
  if (width !== null) {
    if (!widths.includes(width)) {
      refuse(`${plural(values, `${tile.dtype} value`)} of a thread are no vectors of ${plural(width, "byte")}`);
    }
    const fault = faultOf(held, width);
    return fault ? refuse(fault) : width;
  }
  let narrowest = null;
  let fault = `${plural(values, "value")} of a thread fill no whole bytes`;
  for (const candidate of widths) {
    fault = faultOf(held, candidate);
    if (fault) continue;
    if (isWhole(held, candidate)) return candidate;
    narrowest = candidate;
  }
  // What the swizzle cuts at every width stays at the narrowest, where the report says so.
  return narrowest ?? refuse(`no width fits all threads: ${fault}`);
}

// The first vector of `count` values, in order, of which `holds` is true: {step, thread, first}.
function firstVector({ corners, threads, values, at }, count, holds) {
  for (let step = 0; step < corners.length; step++) {
    for (let thread = 0; thread < threads; thread++) {
      for (let first = 0; first < values; first += count) {
        const places = range(count).map((i) => at(step, thread, first + i));
        if (holds(places)) return { thread, first, place: places[0] };
      }
    }
  }
  return null;
}

// Why some thread's values are no vectors of `width` bytes before the swizzle; "" if all are.
function faultOf(held, width) {
  const { tile, inside } = held;
  const count = (8 * width) / tile.elementBits;
  const partly = (places) => places.some(inside) && !places.every(inside);
  const offsets = (places) => places.map(([row, col]) => tile.offset(row, col));
  const isRun = (run) => run.every((offset, i) => offset === run[0] + i);
  const start = ([row, col]) => tile.offset(row, col) * tile.elementBits + 8 * tile.baseAddress;
  const faults = [
    [partly, () => "is partly outside the tile, and a predicate takes whole vectors"],
    [(places) => inside(places[0]) && !isRun(offsets(places)), () => `is no run of neighbors in ${tile.layout}`],
    [
      (places) => inside(places[0]) && start(places[0]) % (8 * width) !== 0,
      (place) => `starts at ${bitText(start(place))}, no multiple of ${plural(width, "byte")}`,
    ],
  ];
  for (const [holds, why] of faults) {
    const found = firstVector(held, count, holds);
    if (found) return `${whoOf(found, count)} ${why(found.place)}`;
  }
  return "";
}

const bitText = (bit) => (bit % 8 ? `bit ${bit}` : `byte ${bit / 8}`);

function whoOf({ thread, first, place }, count) {
  // One value alone is in every respect whole.
  return `thread ${thread}, values ${first} to ${first + count - 1} from (${place[0]}, ${place[1]})`;
}

// Whether the swizzle leaves every vector of `width` bytes whole.
function isWhole(held, width) {
  const { tile, inside } = held;
  const count = (8 * width) / tile.elementBits;
  const moves = (places) => {
    if (!inside(places[0])) return false;
    const bits = places.map(([row, col]) => tile.bitAddress(tile.offset(row, col)));
    return bits.some((bit, i) => bit !== bits[0] + i * tile.elementBits);
  };
  return !firstVector(held, count, moves);
}

// Step by step (down first), warp by warp, vector by vector; those without an active lane are left out.
function requestsOf(held, width) {
  const { tile, corners, threads, values } = held;
  const count = (8 * width) / tile.elementBits;
  const warps = Math.ceil(threads / WARP_LANES);
  const all = range(corners.length).flatMap((step) =>
    range(warps).flatMap((warp) => range(values / count).map((vector) => requestAt(held, step, warp, vector, count))),
  );
  return all.filter(({ rows }) => rows.some((row) => row !== INACTIVE));
}

function requestAt({ corners, threads, at, inside }, step, warp, vector, count) {
  const places = range(WARP_LANES).map((lane) => {
    const thread = warp * WARP_LANES + lane;
    const place = thread < threads ? at(step, thread, vector * count) : null;
    return place && inside(place) ? place : [INACTIVE, INACTIVE];
  });
  const where = `step (${corners[step].join(", ")}), warp ${warp}, vector ${vector}`;
  return { rows: places.map(([row]) => row), cols: places.map(([, col]) => col), where };
}

// A matrix instruction of which a lane would have to stay out is none.
function checkMatrixLanes(kind, requests) {
  const lanes = MATRIX_LANES[2];
  for (const { rows } of requests) {
    const lane = rows.indexOf(INACTIVE);
    if (lane >= 0) {
      refuse(
        `${kind}.x${MATRICES} takes ${lanes} row addresses, ` +
          `but lane ${lane} of a warp has none: it cannot be predicated lane by lane`,
      );
    }
  }
}

/** The copy and its report; `refusal` in place of the report where no instruction can do it. */
export function countedCopy(tile, options) {
  const copy = tiledCopy(tile, options);
  try {
    return { copy, report: copyReport(copy), refusal: "" };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { copy, report: null, refusal: error.message };
  }
}
