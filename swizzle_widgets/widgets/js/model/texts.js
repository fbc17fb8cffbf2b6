// Reads what CuTe C++ and the CuTe DSL print, as swizzle_widgets/model/texts does; damaged text is mended in Python
// only.

import { MAX_DEPTH, MAX_TEXT } from "../generated.js";

const NUMBER = "_?(-?[0-9]{1,19})(?![0-9])";
const SWIZZLE = `(?:cute::)?(Swizzle|Sw|S)\\s*<\\s*${NUMBER}\\s*,\\s*${NUMBER}\\s*,\\s*${NUMBER}\\s*>`;
const ADDRESS = "\\((?:unset|\\(nil\\)|(0x[0-9a-fA-F]{1,16}|[0-9a-fA-F]{16})(?:\\.([0-9]{1,3}))?)\\)";
const CPP_POINTER = `(?:smem_)?(?:sub)?ptr\\[([0-9]{1,4})b\\]${ADDRESS}`;
const MIXED_BITS = "M_([0-9]{1,10})\\|\\(([0-9]{1,10})&([0-9]{1,10})\\)=([0-9]{1,10})(?![0-9])";
const SPACES = "(smem|generic|gmem|rmem|tmem)";
const ALIGN = "(?:,\\s*align<\\s*[0-9]{1,9}\\s*>\\s*)?";
const DSL_POINTER = `ptr<\\s*(\\w{1,20})\\s*,\\s*${SPACES}\\s*${ALIGN}`;
const RAW_POINTER = `raw_ptr\\(\\s*(0x[0-9a-fA-F]{1,16})\\s*:\\s*(\\w{1,20})\\s*,\\s*${SPACES}\\s*${ALIGN}`;
const MEMREF = `!?cute\\.memref<\\s*(\\w{1,20})\\s*,\\s*${SPACES}\\s*${ALIGN}`;
const FORMS = {
  L: "",
  PL: "",
  PIL: "",
  SPL: "address",
  SL: "element",
  SIL: "element",
  PSL: "element",
  PSIL: "element",
};

// A shape as Python writes a tuple.
function asTuple(shape) {
  if (!Array.isArray(shape)) return `${shape}`;
  return `(${shape.map(asTuple).join(", ")}${shape.length === 1 ? "," : ""})`;
}

export class Reader {
  constructor(text) {
    if (text.length > MAX_TEXT)
      throw new Error(`a text of ${text.length} characters is no layout: at most ${MAX_TEXT}`);
    this.text = text.trim().split(/\s+/).join(" ");
    this.at = 0;
  }

  take(pattern) {
    const search = new RegExp(`\\s*${pattern}`, "y");
    search.lastIndex = this.at;
    const match = search.exec(this.text);
    if (match) this.at = search.lastIndex;
    return match;
  }

  need(pattern, what) {
    return this.take(pattern) || this.fail(`expected ${what}`);
  }

  fail(problem, at = this.at) {
    const space = this.text.slice(at).match(/^ */)[0].length;
    throw new Error(`${problem}:\n    ${this.text}\n    ${" ".repeat(at + space)}^`);
  }

  swizzle() {
    const match = this.take(SWIZZLE);
    return match && { spelled: match[1], fields: match.slice(2, 5).map(Number) };
  }

  number() {
    if (this.take("(?=\\?)")) this.fail("a '?' is known only at run time: write its number");
    if (this.take("(?=(?:E<|ArithTuple))")) this.fail("these are coordinates, not offsets in memory");
    const match = this.need(NUMBER, "a whole number or '('");
    if (this.take("(?=@)")) this.fail("a '@' marks coordinates, not offsets in memory");
    const value = Number(match[1]);
    return Number.isSafeInteger(value) ? value : this.fail("this number is too large");
  }

  nested(depth = 0) {
    if (depth > MAX_DEPTH) this.fail(`nested more than ${MAX_DEPTH} deep`);
    if (!this.take("\\(")) return this.number();
    const items = [this.nested(depth + 1)];
    while (this.take(",")) items.push(this.nested(depth + 1));
    this.need("\\)", "',' or ')'");
    return items;
  }

  layout(given) {
    const at = this.at;
    const shape = given === undefined ? this.nested() : given;
    this.need(":", "':' and the strides");
    const stride = this.nested();
    if (!congruent(shape, stride)) this.fail(`the stride is not nested as shape ${asTuple(shape)} is`, at);
    return { shape, stride };
  }
}

function congruent(shape, stride) {
  if (!Array.isArray(shape) || !Array.isArray(stride)) return !Array.isArray(shape) && !Array.isArray(stride);
  return shape.length === stride.length && shape.every((item, place) => congruent(item, stride[place]));
}

function addressOf(reader, hex) {
  const address = hex ? Number(hex.startsWith("0x") ? hex : `0x${hex}`) : 0;
  return Number.isSafeInteger(address) ? address : reader.fail("this address is too large");
}

function cppPointer(reader) {
  const at = reader.at;
  const match = reader.need(CPP_POINTER, "smem_ptr[bits b](unset or an address): a tile lies in shared memory");
  if (Number(match[3] || 0)) reader.fail(`bit ${match[3]} is in the middle of a byte: a tile begins at one`, at);
  return ["P", { element: Number(match[1]), address: addressOf(reader, match[2]) }];
}

function cppTerm(reader) {
  if (reader.take("smem_(?=(?:Swizzle|Sw|S)\\s*<)")) {
    const swizzle = reader.swizzle() || reader.fail("expected a swizzle");
    reader.need("_", "'_ptr'");
    return [["S", swizzle], cppPointer(reader)];
  }
  if (reader.take("(?=(?:[a-z]{2,5}_)?(?:sub)?ptr\\[|[a-z]{2,5}_)")) return [cppPointer(reader)];
  const match = reader.take(MIXED_BITS);
  if (!match) return null;
  const [still, dynamic, mask, offset] = match.slice(1).map((digits) => BigInt(digits));
  const made = still | (dynamic & mask);
  if (made !== offset) reader.fail(`${still} | (${dynamic} & ${mask}) is ${made}, not ${offset}`, match.index);
  return [["I", Number(offset)]];
}

function inSharedMemory(reader, space, at) {
  if (space !== "smem" && space !== "generic") reader.fail(`${space} is no shared memory: a tile lies there`, at);
}

function swizzleOfPointer(reader) {
  const { at } = reader;
  if (!reader.take(",(?=\\s*S)")) return [];
  return [["S", reader.swizzle() || reader.fail("expected a swizzle", at)]];
}

function dslTerm(reader) {
  const plain = reader.take(DSL_POINTER);
  const raw = plain ? null : reader.take(RAW_POINTER);
  if (!plain && !raw) return null;
  const [element, space] = plain ? plain.slice(1) : raw.slice(2);
  inSharedMemory(reader, space, (plain || raw).index);
  const swizzle = swizzleOfPointer(reader);
  reader.need(plain ? ">" : "\\)", plain ? "'>'" : "')'");
  return [...swizzle, ["P", { element, address: raw ? addressOf(reader, raw[1]) : 0 }]];
}

function dslType(reader) {
  if (reader.take("(?=!?cute\\.ptr\\b)")) reader.fail("a pointer alone has no layout");
  if (reader.take("(?=!?cute\\.(?:swizzle|coord_tensor)\\b)")) reader.fail("this is no layout of memory");
  const match = reader.take(MEMREF);
  let parts = [];
  if (match) {
    inSharedMemory(reader, match[2], match.index);
    parts = [...swizzleOfPointer(reader), ["P", { element: match[1], address: 0 }]];
    reader.need(",", "',' and the layout");
  } else if (!reader.take("!?cute\\.(?:composed_)?layout<")) return null;
  reader.need('"', 'the layout in "');
  parts = [...parts, ...terms(reader)];
  reader.need('"', "'\"'");
  reader.need(">", "'>'");
  return parts;
}

function term(reader) {
  const swizzle = reader.swizzle();
  if (swizzle) return reader.take("_") ? [["S", swizzle], cppPointer(reader)] : [["S", swizzle]];
  const found = dslTerm(reader) || cppTerm(reader);
  if (found) return found;
  const shape = reader.nested();
  if (!Array.isArray(shape) && !reader.take("(?=:)")) return [["I", shape]];
  return [["L", reader.layout(shape)]];
}

function terms(reader) {
  const parts = term(reader);
  while (reader.take("o(?![a-zA-Z])")) parts.push(...term(reader));
  return parts;
}

/**
 * The parts of a printed layout or tensor: {shape, stride, swizzle, counts, offset, element, address}, as Python's
 * Parts. Throws an Error that shows the text and points at the character.
 */
export function readCute(text) {
  const reader = new Reader(text);
  const tensor = reader.take("tensor\\s*[<(]");
  const parts = dslType(reader) || terms(reader);
  if (tensor) reader.need("(?:>|\\)|,\\s*data\\s*=.*)", "'>'");
  if (reader.at < reader.text.length) reader.fail("expected ' o ' or the end");
  const form = parts.map(([kind]) => kind).join("");
  if (!(form in FORMS)) reader.fail("expected [swizzle o] [offset or smem_ptr o] shape:stride", 0);
  const { L: layout, S: swizzle, P: pointer, I: offset } = Object.fromEntries(parts);
  const isStatic = !/(?<![_0-9-])-?[0-9]/.test(reader.text.slice(reader.text.indexOf(">")));
  const unsaid = swizzle && swizzle.spelled === "S" && !form.includes("P") && !isStatic;
  return {
    shape: layout.shape,
    stride: layout.stride,
    swizzle: swizzle ? swizzle.fields : null,
    counts: unsaid ? "unsaid" : FORMS[form],
    offset: offset || 0,
    element: pointer ? pointer.element : null,
    address: pointer ? pointer.address : 0,
  };
}
