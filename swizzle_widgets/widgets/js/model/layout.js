// Modes of a CuTe layout: lists of [extent, stride] pairs, first fastest.

import { isCount, range } from "./checks.js";

// How many indices a mode has; NaN for what is no mode.
export function modeExtent(mode) {
  const isPair = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isCount);
  if (!Array.isArray(mode) || !mode.every(isPair)) return NaN;
  return mode.reduce((size, [extent]) => size * extent, 1);
}

// The offset of each index below `extent`.
export const modeOffsets = (mode, extent) => range(extent).map((index) => modeOffset(mode, index));

function modeOffset(mode, index) {
  let offset = 0;
  let rest = index;
  for (const [extent, stride] of mode) {
    offset += (rest % extent) * stride;
    rest = Math.floor(rest / extent);
  }
  return offset;
}
