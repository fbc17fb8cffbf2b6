// The element types: from a name as people write it to the name of the model, as dtypes.py has it.

import { DTYPE_ALIASES, DTYPE_BITS, ODD_DTYPES, SIZE_DTYPES } from "../generated.js";
import { refuse } from "./checks.js";

// The short name of a dtype: "f16" for "half", "cute::half_t", "torch.float16".
export function dtypeName(text) {
  let plain = plainName(text);
  if (plain === "int4" || plain === "uint4") {
    const four = plain === "int4" ? "s4" : "u4";
    if (/^u?int4$/.test(text.trim())) {
      refuse(`dtype '${text}' means two types: say "${four}" (4 bits) or "u128" (CUDA's vector of four ints)`);
    }
    plain = four;
  }
  const name = Object.hasOwn(DTYPE_ALIASES, plain) ? DTYPE_ALIASES[plain] : plain;
  if (Object.hasOwn(DTYPE_BITS, name)) return name;
  const odd = Object.keys(ODD_DTYPES).find((part) => plain.includes(part));
  if (odd) {
    refuse(
      `dtype '${text}' has ${ODD_DTYPES[odd]} bits, no power of two: ` +
        `its elements straddle words, so that an element has ` +
        "no single bank; take the unit that is moved, such as u8 where each lies in a byte of its own",
    );
  }
  return refuse(
    `dtype '${text}' is not known: it must be one of ${Object.keys(DTYPE_BITS).join(", ")}, or an alias of one`,
  );
}

function plainName(text) {
  const last = text.trim().replaceAll("::", ".").split(".").at(-1).toLowerCase();
  return last
    .replace(/(?:_t|_unpacksmem)+$/, "")
    .replaceAll("_", "")
    .replaceAll("-", "");
}

// The dtype of a printed tile: `element` is what the text says (bits, a name or null), `dtype` what the reader says.
export function elementDtype(element, dtype, inCpp) {
  if (element === null && dtype === null) {
    refuse('the text does not say how large an element is: give a dtype, such as dtype="f16"');
  }
  const told = typeof element === "number" ? SIZE_DTYPES[element] : element;
  if (told === undefined)
    refuse(`no dtype has ${element} bits: it must be one of ${Object.keys(SIZE_DTYPES).join(", ")}`);
  let given = dtype;
  if ((given === "int4" || given === "uint4") && (told || inCpp)) {
    given = !told || DTYPE_BITS[dtypeName(told)] === 128 ? "u128" : told;
  }
  const name = dtypeName(given ?? told);
  if (told !== null && DTYPE_BITS[name] !== DTYPE_BITS[dtypeName(told)]) {
    refuse(`dtype ${name} has ${DTYPE_BITS[name]} bits, but the text says ${element}`);
  }
  return name;
}
