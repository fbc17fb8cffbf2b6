// A map written out as a table: the layout and swizzle that make it, as swizzle_widgets/model/table.py finds them.

import { OFFSET_BITS } from "../generated.js";
import { range } from "./checks.js";
import { Swizzle } from "./swizzle.js";

/**
 * Layout, swizzle (null if none is needed) and first offset with table(r, c) == swizzle(first + layout(r, c)); the
 * layout is null where there is none. offsets: all of them, row after row.
 */
export function recognized(offsets, rows, cols) {
  const largest = offsets.reduce((most, offset) => Math.max(most, offset), 0);
  const top = largest ? Math.floor(Math.log2(largest)) + 1 : 0;
  const corner = { rows: cornersOf(rows), cols: cornersOf(cols) };
  for (const swizzle of legalSwizzles(OFFSET_BITS, top)) {
    const map = swizzle.map();
    const few = corner.rows.flatMap((row) => corner.cols.map((col) => map(offsets[row * cols + col])));
    if (!isSum(few, corner.cols.length)) continue;
    const plain = offsets.map(map);
    const layout = plainLayout(
      plain.map((offset) => offset - plain[0]),
      cols,
    );
    if (layout) return { layout, swizzle: swizzle.bits ? swizzle : null, first: plain[0] };
  }
  return { layout: null, swizzle: null, first: 0 };
}

// Every legal swizzle, simplest first, in Python's order.
function* legalSwizzles(bits, top) {
  yield new Swizzle(0, 0, 0);
  for (let width = 1; width <= bits; width++) {
    for (const sign of [1, -1]) {
      for (let shift = width; shift < top; shift++) {
        for (let base = 0; base <= top - width - shift; base++) yield new Swizzle(width, base, sign * shift);
      }
    }
  }
}

// 0 and the powers of two below `extent`: few enough to test hundreds of swizzles on.
const cornersOf = (extent) => [0, ...range(Math.ceil(Math.log2(extent))).map((bit) => 2 ** bit)];

// Whether rows and columns contribute independently.
const isSum = (offsets, cols) =>
  offsets.every((offset, cell) => offset === offsets[cell - (cell % cols)] + offsets[cell % cols] - offsets[0]);

function plainLayout(offsets, cols) {
  if (!isSum(offsets, cols)) return null;
  const down = modeOf(offsets.filter((_, cell) => cell % cols === 0));
  const across = modeOf(offsets.slice(0, cols));
  if (!down || !across) return null;
  const part = (mode, place) => (mode.length === 1 ? mode[0][place] : mode.map((pair) => pair[place]));
  return { shape: [part(down, 0), part(across, 0)], stride: [part(down, 1), part(across, 1)] };
}

// The [extent, stride] pairs that count through a line, first fastest; null if there are none.
function modeOf(line) {
  if (line.length === 1) return [[1, 0]];
  const stride = line[1];
  if (stride < 0) return null;
  const bend = line.findIndex((offset, index) => offset !== stride * index);
  for (let extent = bend < 0 ? line.length : bend; extent > 1; extent--) {
    if (line.length % extent || !repeats(line, extent)) continue;
    const firsts = line.filter((_, index) => index % extent === 0);
    const rest = firsts.length > 1 ? modeOf(firsts) : [];
    return rest && [[extent, stride], ...rest];
  }
  return null;
}

const repeats = (line, extent) =>
  line.every((offset, index) => offset - line[index - (index % extent)] === line[index % extent]);
