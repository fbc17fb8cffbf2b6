// The lines that make a tile in C++, the CuTe DSL and Python, as texts/writing.py has the first two.

import { DSL_DTYPES } from "../generated.js";
import { isTriton } from "./triton.js";

const template = (name, value) =>
  Array.isArray(value) ? `${name}<${value.map((item) => template(name, item)).join(", ")}>` : `Int<${value}>`;

// The C++ expression of a static layout; `swizzle` counts elements, or with `pointerBits` bytes of the pointer.
export function cppCode({ shape, stride }, swizzle, pointerBits) {
  const layout = `Layout<${template("Shape", shape)}, ${template("Stride", stride)}>`;
  if (!swizzle) return `${layout}{}`;
  const spelled = `Swizzle<${swizzle.bits}, ${swizzle.base}, ${swizzle.shift}>`;
  if (!pointerBits) return `composition(${spelled}{}, ${layout}{})`;
  return `ComposedLayout<${spelled}, smem_ptr_flag_bits<${pointerBits}>, ${layout}>{}`;
}

const tuple = (value) => {
  if (!Array.isArray(value)) return String(value);
  return value.length === 1 ? `(${tuple(value[0])},)` : `(${value.map(tuple).join(", ")})`;
};

// The CuTe DSL expression of a layout; `swizzle` counts elements, or with `pointerDtype` bytes of the pointer.
export function dslCode({ shape, stride }, swizzle, pointerDtype) {
  const layout = `cute.make_layout(${tuple(shape)}, stride=${tuple(stride)})`;
  if (!swizzle) return layout;
  const made = `cute.make_swizzle(${swizzle.bits}, ${swizzle.base}, ${swizzle.shift})`;
  if (!pointerDtype) return `cute.make_composed_layout(${made}, 0, ${layout})`;
  const element = `cutlass.${DSL_DTYPES[pointerDtype]}`;
  return `smem.allocate_tensor(${element}, ${layout}, byte_alignment=${swizzle.period}, swizzle=${made})`;
}

const quoted = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));
const argumentsOf = (options) =>
  Object.entries(options).filter(([, value]) => value !== null && value !== "" && value !== 0);

// The Python line of addresses that were dumped; pointers beyond shared memory count from `first` on, as shown.
export function dumpedCode(addresses, first, width, kind) {
  const places = addresses.map((address) => (address < 0 ? 0n : address - first));
  const isShort = addresses.some((address) => address < 0);
  const active = isShort ? `, active=[${addresses.map((address) => (address < 0 ? "False" : "True")).join(", ")}]` : "";
  return `print(bank_report([${places.join(", ")}], ${width}, ${quoted(kind)}${active}))`;
}

// The Python lines of a tile that was pasted, of the swizzle that the sliders give it, of an access, and of a copy.
export function pythonCode(text, options, swizzle, unit, access, copy = null) {
  const spelled = ([name, value]) => `, ${name}=${name === "shape" ? tuple(value.split("x")) : quoted(value)}`;
  const told = argumentsOf(options).map(spelled).join("");
  const lines = [`tile = Tile.${isTriton(text) ? "from_triton" : "from_cute"}(${quoted(text)}${told})`];
  if (swizzle) {
    const fields = `${swizzle.bits}, ${swizzle.base}, ${swizzle.shift}`;
    lines.push(`tile = tile.with_swizzle(${swizzle.bits ? `Swizzle(${fields}), ${quoted(unit)}` : "None"})`);
  }
  const { pattern, ...rest } = access;
  const value = (item) =>
    item === true ? "True" : item === false ? "False" : item === null ? "None" : JSON.stringify(item);
  const given = Object.entries(rest)
    .map(([name, item]) => `, ${name}=${value(item)}`)
    .join("");
  lines.push(`print(Access.${pattern}(tile${given}).report())`);
  if (copy) {
    const { tv, tiler, ...more } = copy;
    const rest = argumentsOf(more)
      .filter(([, item]) => item !== false)
      .map(([name, item]) => `, ${name}=${value(item)}`);
    lines.push(`print(TiledCopy.from_tv(tile, ${quoted(tv)}, ${tuple(tiler)}${rest.join("")}).report())`);
  }
  return lines.join("\n");
}
