// Reads what Triton prints for shared layouts, as swizzle_widgets/model/texts/triton.py does; damaged text is mended
// in Python only.

import { BOX_LIMIT, DTYPE_BITS, GRANULE_BYTES, LINE_BYTES, MAX_SIZE, SHARED_BYTES } from "../generated.js";
import { range, refuse, whole } from "./checks.js";
import { elementDtype } from "./dtypes.js";
import { checked, moved } from "./pasted.js";
import { recognized } from "./recognized.js";
import { Reader } from "./texts.js";

export const isTriton = (text) => /#?ttg\.|swizzled_shared|padded_shared|nvmma_shared|#shared/.test(text);

/**
 * The tile of a printed layout, as pastedTile returns it. shape: [rows, cols], or with stages before them, and dtype
 * may be null where the text says them. Throws a ModelError in Python's words.
 */
export function tritonTile(text, { shape = null, dtype = null, stage = 0 } = {}) {
  const { reader, kind, said, told } = read(text);
  const byBits = kind.startsWith("nvmma") && kind !== "nvmma_shared_old" ? said.elementBitWidth : undefined;
  const name = elementDtype(told.dtype ?? (dtype === null ? (byBits ?? null) : null), dtype);
  const sizes = shapeOf(reader, shape, told.shape ?? said.shape ?? null);
  checkCtas(reader, said);
  checkSize(sizes, name);
  const offsets = ofStage(MAKERS[kind](reader, said, sizes, DTYPE_BITS[name]), sizes, stage);
  return tileOf(offsets, sizes.slice(-2), name, kind.startsWith("nvmma"));
}

function tileOf(offsets, [rows, cols], dtype, onAddress) {
  const { layout, swizzle, first } = recognized(offsets, rows, cols);
  const plain = layout ?? { shape: [rows, cols], stride: [cols, 1] };
  const unit = swizzle ? "element" : null;
  const geometry = checked(plain, dtype, 0, swizzle, { unit, anchor: "offset" }, layout ? null : () => offsets);
  const found = { ...moved(geometry, swizzle, unit, first), layout };
  if (!onAddress || !swizzle) return found;
  // TMA and WGMMA apply it to the bytes of the address.
  const tile = { ...found.tile, anchor: "address" };
  return { tile, swizzle: swizzle.recast(DTYPE_BITS[dtype], 8), unit: "byte", layout };
}

function read(text) {
  try {
    const reader = new Reader(text);
    return { reader, ...terms(reader) };
  } catch (error) {
    return refuse(error.message);
  }
}

function terms(reader) {
  const told = { shape: null, dtype: null };
  const match = reader.take("!(?:ttg|triton_gpu|tt)\\.memdesc<((?:[0-9]{1,9}x)+)(\\w{1,20})\\s*,");
  if (match) Object.assign(told, { shape: match[1].split("x").slice(0, -1).map(Number), dtype: match[2] });
  const names = "#ttg.swizzled_shared<, #ttg.padded_shared< or #ttg.nvmma_shared<";
  const start = reader.need("#(?:ttg|triton_gpu)\\.(\\w+)<", names);
  const said = start[1] === "padded_shared" ? { pads: padsOf(reader) } : {};
  Object.assign(said, fields(reader));
  reader.need(">", "'>'");
  if (match) reader.need("(?:,\\s*[^<>]*)?>", "'>'");
  if (reader.at < reader.text.length) reader.fail("expected the end");
  const old = said.hasLeadingOffset ? "nvmma_shared_old" : "swizzled_shared";
  const kind = start[1] === "shared" ? old : start[1];
  if (!Object.hasOwn(MAKERS, kind)) reader.fail("expected swizzled_shared, padded_shared or nvmma_shared", start.index);
  return { kind, said, told };
}

function padsOf(reader) {
  reader.need("\\[", "'[' and the intervals");
  const pads = [];
  do {
    const match = reader.need("([0-9]{1,9})\\s*:\\s*\\+([0-9]{1,9})", "an interval such as 128:+8");
    pads.push([Number(match[1]), Number(match[2])]);
  } while (reader.take(","));
  reader.need("\\]", "']'");
  return pads;
}

// {name = value, ...}: numbers, true and false, nested lists of numbers.
function fields(reader) {
  reader.need("\\{", "'{'");
  const found = {};
  while (!reader.take("\\}")) {
    const name = reader.need("(\\w+)\\s*=", "a name and '='")[1];
    found[name] = readValue(reader);
    if (!reader.take(",") && !reader.take("(?=\\})")) reader.fail("expected ',' or '}'");
  }
  return found;
}

function readValue(reader) {
  const match = reader.take("(true|false)\\b");
  if (match) return match[1] === "true";
  if (!reader.take("\\[")) return Number(reader.need("([0-9]{1,9})(?![0-9])", "a number, true, false or '['")[1]);
  const items = [];
  while (!reader.take("\\]")) {
    items.push(readValue(reader));
    if (!reader.take(",") && !reader.take("(?=\\])")) reader.fail("expected ',' or ']'");
  }
  return items;
}

// What Reader.fail throws, as a refusal.
function fail(reader, problem, at = 0) {
  try {
    return reader.fail(problem, at);
  } catch (error) {
    return refuse(error.message);
  }
}

const listText = (values) =>
  `[${values.map((value) => (Array.isArray(value) ? listText(value) : String(value))).join(", ")}]`;
const tupleText = (values) => `(${values.join(", ")}${values.length === 1 ? "," : ""})`;

function powerOfTwo(name, value, high = MAX_SIZE) {
  whole(name, value, 1, high);
  if (!Number.isInteger(Math.log2(value))) refuse(`${name} = ${value} must be a power of two`);
  return value;
}

function shapeOf(reader, given, told) {
  const sizes = given ?? told ?? fail(reader, "the text does not say the shape: give shape=(rows, cols)");
  if (!Array.isArray(sizes) || ![2, 3].includes(sizes.length)) {
    refuse(`shape = ${tupleText([sizes].flat())}: a tile needs rows and columns, with stages (stages, rows, cols)`);
  }
  for (const size of sizes.slice(-2)) powerOfTwo("an extent of shape", size);
  for (const count of sizes.slice(0, -2)) whole("the stages of shape", count, 1, MAX_SIZE);
  const fits = (part) => JSON.stringify(part) === JSON.stringify(told);
  if (told && !fits(sizes) && !fits(sizes.slice(1))) {
    fail(reader, `shape = ${tupleText(sizes)}, but the text says ${tupleText(told)}`);
  }
  if (sizes.reduce((a, b) => a * b) > MAX_SIZE)
    refuse(`shape = ${tupleText(sizes)} has too many elements: at most ${MAX_SIZE}`);
  return sizes;
}

// No two elements share a place: what is larger than shared memory is refused before it is written out.
function checkSize(shape, dtype) {
  const [rows, cols] = shape.slice(-2);
  const bytes = (rows * cols * DTYPE_BITS[dtype]) / 8;
  if (bytes > SHARED_BYTES) {
    refuse(`a tile of ${rows}x${cols} ${dtype} has ${bytes} bytes: shared memory has ${SHARED_BYTES} bytes a block`);
  }
}

function checkCtas(reader, said) {
  const isSpread = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  if (Math.max(1, ...(said.CTASplitNum ?? [])) > 1 || isSpread(said.CGALayout) || isSpread(said.block)) {
    fail(reader, "this layout is spread over several CTAs: give the layout of one CTA's part");
  }
}

// The numbers with these names; an error where one is missing.
function need(reader, said, ...names) {
  const missing = names.filter((name) => !Object.hasOwn(said, name));
  if (missing.length) fail(reader, `expected ${missing.join(", ")}`, reader.text.length - 1);
  return names.map((name) => said[name]);
}

// Whether the columns are contiguous; stages, the first of three, must be outermost.
function byRows(reader, order, shape) {
  const key = Array.isArray(order) && order.length <= shape.length ? `${order}` : "";
  if (["1,0", "2,1,0"].includes(key)) return true;
  if (["0,1", "1,2,0"].includes(key)) return false;
  const text = Array.isArray(order) ? listText(order) : String(order);
  return fail(reader, `order = ${text} of ${shape.length} dimensions is not read: [1, 0] or [0, 1], stages outermost`);
}

// The offsets row after row, by f(line, position on the line).
function tabulated(shape, isByRows, f) {
  const [rows, cols] = shape.slice(-2);
  const down = range(rows);
  return range(cols * rows).map((cell) => {
    const [row, col] = [Math.floor(cell / cols), cell % cols];
    return isByRows ? f(down[row], col) : f(col, row);
  });
}

const lineSizes = (shape, isByRows) => (isByRows ? shape.slice(-2) : shape.slice(-2).reverse());

function swizzled(reader, said, shape) {
  const [vec, perPhase, maxPhase, order] = need(reader, said, "vec", "perPhase", "maxPhase", "order");
  for (const name of ["vec", "perPhase", "maxPhase"]) powerOfTwo(name, said[name]);
  const isByRows = byRows(reader, order, shape);
  const [, length] = lineSizes(shape, isByRows);
  const phase = (line) => vec * (Math.floor(line / perPhase) % maxPhase);
  return tabulated(shape, isByRows, (line, at) => line * length + ((at ^ phase(line)) % length));
}

function padded(reader, said, shape) {
  const offsets = Object.hasOwn(said, "offset") ? ofBases(reader, said.offset, shape) : inOrder(reader, said, shape);
  for (const [interval, padding] of said.pads) {
    powerOfTwo("an interval", interval);
    powerOfTwo("a padding", padding);
  }
  const added = (offset) =>
    said.pads.reduce((sum, [interval, padding]) => sum + Math.floor(offset / interval) * padding, 0);
  return offsets.map((offset) => offset + added(offset));
}

function inOrder(reader, said, shape) {
  const isByRows = byRows(reader, need(reader, said, "order")[0], shape);
  const [, length] = lineSizes(shape, isByRows);
  return tabulated(shape, isByRows, (line, at) => line * length + at);
}

// The offsets of a linear layout: bit b of the offset XORs the coordinates with base b.
function ofBases(reader, bases, shape) {
  const sizes = shape.slice(-2);
  const isBase = (base) =>
    Array.isArray(base) && base.length === 2 && base.every((at, place) => Number.isInteger(at) && at < sizes[place]);
  const fits = Array.isArray(bases) && bases.every(isBase) && 2 ** bases.length === sizes[0] * sizes[1];
  if (!fits) fail(reader, `these bases do not fill the shape ${tupleText(sizes)}`);
  const offsets = Array(sizes[0] * sizes[1]).fill(-1);
  for (const number of range(offsets.length)) {
    const place = bases
      .filter((_, bit) => (number >> bit) & 1)
      .reduce((at, base) => at.map((value, index) => value ^ base[index]), [0, 0]);
    offsets[place[0] * sizes[1] + place[1]] = number;
  }
  if (offsets.includes(-1)) fail(reader, "these bases put two offsets in one place");
  return offsets;
}

function nvmma(reader, said, shape, bits) {
  const [width, transposed, told] = need(reader, said, "swizzlingByteWidth", "transposed", "elementBitWidth");
  if (told !== bits) fail(reader, `elementBitWidth = ${told}, but the dtype has ${bits} bits`);
  if (said.fp4Padded) fail(reader, "fp4Padded leaves 8 bytes empty behind every 8: this is not read");
  if (![0, 32, 64, 128].includes(width)) fail(reader, `swizzlingByteWidth = ${width} must be 0, 32, 64 or 128`);
  if ((said.rank ?? 2) === 3 && shape.length === 3) return nvmmaOfStages(reader, shape, width, bits, transposed);
  if (!width) return unswizzled(shape, !transposed);
  return boxes(reader, shape, !transposed, { width, bits, linesFirst: !transposed });
}

// Rank 3: the stages are rows of one tall box; offsets of all stages, one behind the other.
function nvmmaOfStages(reader, [stages, rows, cols], width, bits, transposed) {
  if (transposed || !width || Math.max(rows, stages) > BOX_LIMIT) {
    fail(reader, `rank = 3 is read with a swizzle, not transposed, and at most ${BOX_LIMIT} rows`);
  }
  const box = stages * rows;
  return boxes(reader, [box, cols], true, { width, bits, linesFirst: true, box });
}

// Boxes as wide as the swizzle, 256 lines high, their 16-byte chunks XORed with the line's phase.
function boxes(reader, shape, isByRows, { width, bits, linesFirst, box = BOX_LIMIT }) {
  const [lines, length] = lineSizes(shape, isByRows);
  const [page, chunk] = [Math.floor((8 * width) / bits), Math.floor((8 * GRANULE_BYTES) / bits)];
  if (length < page || lines < 8) {
    const least = `at least 8 lines of ${page} elements, not ${lines} of ${length}`;
    fail(reader, `a swizzle of ${width} bytes needs ${least}`);
  }
  const height = Math.min(box, lines);
  const perPhase = Math.floor(LINE_BYTES / width);
  const phases = Math.floor(8 / perPhase);
  const [highs, wides] = [Math.floor(lines / height), Math.floor(length / page)];
  return tabulated(shape, isByRows, (line, at) => {
    const within = (at % page) ^ (chunk * (Math.floor(line / perPhase) % phases));
    const [high, wide] = [Math.floor(line / height), Math.floor(at / page)];
    const place = linesFirst ? high + wide * highs : wide + high * wides;
    return (place * height + (line % height)) * page + within;
  });
}

// Boxes of at most 256x256 without a swizzle, one box behind the other along the lines first.
function unswizzled(shape, isByRows) {
  const [lines, length] = lineSizes(shape, isByRows);
  const [high, wide] = [Math.min(lines, BOX_LIMIT), Math.min(length, BOX_LIMIT)];
  return tabulated(shape, isByRows, (line, at) => {
    const place = Math.floor(at / wide) + Math.floor(line / high) * Math.floor(length / wide);
    return (place * high + (line % high)) * wide + (at % wide);
  });
}

// Before nvmma_shared had its name: hasLeadingOffset, the width told by the phases, boxes of any height.
function nvmmaOld(reader, said, shape, bits) {
  const [perPhase, maxPhase, order] = need(reader, said, "perPhase", "maxPhase", "order");
  if (perPhase * maxPhase !== 8 || ![1, 2, 4].includes(perPhase)) {
    fail(reader, "hasLeadingOffset needs (perPhase, maxPhase) (1, 8), (2, 4) or (4, 2)");
  }
  const isByRows = byRows(reader, order, shape);
  const [box] = lineSizes(shape, isByRows);
  return boxes(reader, shape, isByRows, { width: LINE_BYTES / perPhase, bits, linesFirst: true, box });
}

// The offsets of one stage; without a dimension of its own a stage lies behind the one before.
function ofStage(offsets, shape, stage) {
  whole("stage", stage, 0, Infinity);
  const stages = shape.length === 3 ? shape[0] : 1;
  if (stage >= stages) refuse(`stage = ${stage}, but shape = ${tupleText(shape)} has ${stages}`);
  const size = shape.at(-1) * shape.at(-2);
  if (offsets.length > size) return offsets.slice(stage * size, (stage + 1) * size);
  const behind = stage * (offsets.reduce((a, b) => Math.max(a, b)) + 1);
  return offsets.map((offset) => offset + behind);
}

const MAKERS = {
  swizzled_shared: swizzled,
  padded_shared: padded,
  nvmma_shared: nvmma,
  nvmma_shared_old: nvmmaOld,
};
