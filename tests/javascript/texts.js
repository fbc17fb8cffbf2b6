// Printed texts as the browser reads them, and the lines that it writes.

import { cppCode, dslCode, pythonCode } from "../../swizzle_widgets/widgets/js/model/writing.js";
import { Swizzle } from "../../swizzle_widgets/widgets/js/model/swizzle.js";
import { readCute } from "../../swizzle_widgets/widgets/js/model/texts.js";

function attempt(make) {
  try {
    return make();
  } catch (error) {
    return String(error.message);
  }
}

const parts = (text) => attempt(() => readCute(text));

// The lines in C++ and the DSL: the swizzle in the layout, and on the pointer.
function written({ layout, swizzle, bits, dtype }) {
  const made = swizzle && new Swizzle(...swizzle);
  return [
    cppCode(layout, made, 0),
    cppCode(layout, made, bits),
    dslCode(layout, made, null),
    dslCode(layout, made, dtype),
  ];
}

const inPython = ({ text, options, swizzle, unit, access, copy = null }) =>
  pythonCode(text, options, swizzle && new Swizzle(...swizzle), unit, access, copy);

function answer(question, argument) {
  return JSON.stringify(question(JSON.parse(argument)));
}

Object.assign(globalThis, { parts, written, inPython, answer });
