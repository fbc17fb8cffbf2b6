// Printed texts as the browser reads them: their parts, and the tiles that they mean.

import { pastedTile } from "../../swizzle_widgets/widgets/js/model/pasted.js";
import { cppCode, dslCode, pythonCode } from "../../swizzle_widgets/widgets/js/model/writing.js";
import { Swizzle } from "../../swizzle_widgets/widgets/js/model/swizzle.js";
import { readCute } from "../../swizzle_widgets/widgets/js/model/texts.js";
import { Tile } from "../../swizzle_widgets/widgets/js/model/tile.js";

function attempt(make) {
  try {
    return make();
  } catch (error) {
    return String(error.message);
  }
}

const parts = (text) => attempt(() => readCute(text));

// The tile as Python's tile_spec writes it, its swizzle, and where its elements lie.
function pasted({ text, options }) {
  return attempt(() => {
    const { tile, swizzle, unit } = pastedTile(text, options);
    const made = swizzle ? new Tile(tile).with(swizzle, unit) : new Tile(tile);
    const addresses = made.table.offsets.map((offset) => Math.floor(made.bitAddress(offset) / 8));
    return { tile, swizzle: swizzle && [swizzle.bits, swizzle.base, swizzle.shift], unit, addresses };
  });
}

// The lines in C++ and the DSL: the swizzle in the layout, and on the pointer.
function written({ layout, swizzle, bits, dtype }) {
  const made = swizzle && new Swizzle(...swizzle);
  return [cppCode(layout, made, 0), cppCode(layout, made, bits), dslCode(layout, made, null), dslCode(layout, made, dtype)];
}

const inPython = ({ text, options, swizzle, unit, access }) =>
  pythonCode(text, options, swizzle && new Swizzle(...swizzle), unit, access);

function answer(question, argument) {
  return JSON.stringify(question(JSON.parse(argument)));
}

Object.assign(globalThis, { parts, pasted, written, inPython, answer });
