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

// The Python lines of a tile that was pasted, of the swizzle that the sliders give it, and of an access.
export function pythonCode(text, options, swizzle, unit, access) {
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
  return [...lines, `print(Access.${pattern}(tile${given}).report())`].join("\n");
}
